//! Playouts, tree search, exact endings, and the published players.
//!
//! Everything here works on a `Position`, which contains only public facts. Searches sample hidden decks from the unseen
//! dominoes; the search never gets the real deck.
//!
//! - [`policies`]: decisions without search: random, greedy, tuned, and the published greedy players.
//! - [`playouts()`]: games played to the end by a policy.
//! - `tree`: the tree search behind [`Search`], with chance nodes and an opponent model.
//! - [`ending`]: the exact solver for endgames.
//! - `value`: the networks that predict scores.
//! - [`review`]: the cost of each decision of a game, and the luck.
//! - [`puzzle`]: positions with one clearly best action.
//! - `baselines`: the published searches, for comparison.
//!
//! Results are the same to the last bit on every machine: logarithms and exponentials come from `libm` and not from the
//! platform, and sums have one order.
//!
//! Unsafe code is denied except in the small module `cpu`, which says why it needs it.
#![deny(unsafe_code)]

mod analysis;
mod arrangement;
mod baselines;
mod composition;
mod cpu;
mod decision;
pub mod ending;
mod evaluation;
mod levels;
mod limit;
mod playouts;
pub mod policies;
pub mod puzzle;
pub mod review;
mod search;
mod terminal;
mod threads;
mod tree;
mod value;

pub use analysis::{ActionAnalysis, ActionSums, Analysis, TreeSums};
pub use arrangement::Arrangement;
pub use baselines::{Baseline, BaselinePlayout, choose_by_playouts};
pub use cpu::{Cpu, Task, run_on_best};
pub use evaluation::{Evaluation, Utility};
pub use levels::{LEVELS, LevelMove, level_move};
pub use limit::{Limit, Stop};
pub use playouts::{PlayoutResult, playouts};
pub use policies::{Policy, Weights, choose, choose_with_noise};
pub use search::{STEPS, Search};
pub use tree::TreeOptions;
pub use value::{DominoWorth, Features, features_of_kingdoms, lacking_network, load_network, worth};
