//! The published players, to compare with.
//!
//! Gedda, Lagerkvist and Butler, "Monte Carlo Methods for the Game Kingdomino" (IEEE CIG 2018,
//! arXiv 1807.04458). Their uniformly random player is `policies::Random`; here are their greedy ones (GPRD,
//! FG), flat Monte Carlo evaluation (MCE) and UCT. Details are read as the authors' own program does them,
//! which is also the reading whose results are nearest to the paper's (docs/evidence/field.md); the place
//! that reads one says so.

mod choose;
mod flat;
mod playout;
mod turn;
mod uct;

pub use choose::{Baseline, choose_by_playouts};
pub use playout::BaselinePlayout;
