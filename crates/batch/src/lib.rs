//! Many games stepped at once, and what a learner sees of each.
//!
//! An observation is made of a `Position` and a seat: it holds nothing that the table cannot see
//! (docs/formats/observation.md). A `Batch` holds many games, plays an action in each, deals anew where a
//! game has ended, lets rivals play, and writes everything into the caller's memory: nothing is
//! allocated for a step.
#![forbid(unsafe_code)]

mod batch;
mod legal;
mod observation;
mod rewards;
mod rows;
mod table;
mod team;

pub use batch::{Batch, Fault, IllegalAction};
pub use observation::{Field, Form, Observer, Shape, fields};
pub use rewards::{Reward, rewards};
pub use rows::Rows;
pub use table::{Illegal, Options, Rival};
