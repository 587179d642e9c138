//! The published players, to compare with.
//!
//! Gedda, Lagerkvist and Butler, "Monte Carlo Methods for the Game Kingdomino" (IEEE CIG 2018,
//! arXiv 1807.04458). Their uniformly random player is `policy::Random`; here are their greedy ones (GPRD,
//! FG), flat Monte Carlo evaluation (MCE) and UCT. Where the paper leaves something open, the reading is
//! the one whose results are theirs (docs/evidence/field.md), and the place that reads it says so.

mod best;
mod choose;
mod flat;
mod full_greedy;
mod greedy_placement;
mod playout;
mod taste;
mod turn;
mod uct;

pub use choose::{Player, choose_by_playouts};
pub(crate) use full_greedy::FullGreedy;
pub(crate) use greedy_placement::GreedyPlacement;
pub use playout::Playout;
