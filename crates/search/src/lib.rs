//! Playouts, the search for the best action, exact endings, and the published players.
//!
//! Everything here works on a `Position`, which is what everyone can see. What is hidden is sampled
//! from the unseen dominoes, afresh in every playout; the real deck never comes here.
//!
//! Unsafe code is denied but for one small module, `cpu`, which says why.
#![deny(unsafe_code)]

mod analysis;
mod chance;
mod cpu;
pub mod ending;
mod field;
mod finish;
mod greedy;
mod limit;
mod misjudge;
mod playout;
mod playouts;
mod policy;
mod prospect;
mod remaining;
mod rivals;
mod search;
mod survey;
mod tally;
mod threads;
mod tree;
mod tuned;
mod value;
mod weights;

pub use analysis::{ActionAnalysis, Analysis};
pub use cpu::{Cpu, Task, run_on_best};
pub use field::{Player, Playout, choose_by_playouts};
pub use limit::Limit;
pub use misjudge::misjudge;
pub use playouts::{Policy, choose, playouts};
pub use prospect::{Prospect, Utility};
pub use search::Search;
pub use tally::PlayoutResult;
pub use tree::Growth;
pub use value::{Features, features_of_kingdoms};
pub use weights::Weights;
