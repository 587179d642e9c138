//! Playouts, the search for the best action, exact endings, and the published players.
//!
//! Everything here works on a `Position`, which is what every player can see. What is hidden is sampled from the
//! unseen dominoes; the real deck never comes here.
//!
//! - [`policies`]: how a seat decides at once: random, greedy, tuned, the published greedy players.
//! - [`playouts()`]: many games to the end by a policy.
//! - `tree`: the tree search behind [`Search`], with chance nodes and a model of the opponents.
//! - [`ending`]: the exact solver for the end of the game.
//! - `value`: the networks that predict scores.
//! - `baselines`: the published searches, to compare with.
//!
//! Unsafe code is denied except in the small module `cpu`, which says why.
#![deny(unsafe_code)]

mod analysis;
mod baselines;
mod cpu;
mod decision;
pub mod ending;
mod evaluation;
mod limit;
mod playouts;
pub mod policies;
mod search;
mod terminal;
mod threads;
mod tree;
mod value;

pub use analysis::{ActionAnalysis, Analysis};
pub use baselines::{Baseline, BaselinePlayout, choose_by_playouts};
pub use cpu::{Cpu, Task, run_on_best};
pub use evaluation::{Evaluation, Utility};
pub use limit::Limit;
pub use playouts::{PlayoutResult, playouts};
pub use policies::{Policy, Weights, choose, choose_with_noise};
pub use search::Search;
pub use tree::TreeOptions;
pub use value::{Features, features_of_kingdoms};
