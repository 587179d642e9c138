//! Many games stepped at once, with an observation of each for a learner.
//!
//! An observation is made of a `Position` and a seat, so it holds only what every player can see
//! (docs/formats/observation.md). A `Batch` plays one action in each of many games, starts a new game where one has
//! ended, plays the opponents, and writes everything into the caller's memory. On one thread a step allocates nothing.
#![forbid(unsafe_code)]

mod batch;
mod environment;
mod legal;
mod observation;
mod outputs;
mod pool;
mod rewards;

pub use batch::{Batch, Fault, IllegalAction};
pub use environment::{Illegal, Opponent, Options};
pub use observation::{Field, Form, Observer, Shape, fields};
pub use outputs::Outputs;
pub use rewards::{Reward, rewards};
