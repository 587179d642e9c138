//! The published searches, for comparison: flat Monte Carlo evaluation (MCE) and UCT.
//!
//! Source: Gedda, Lagerkvist and Butler, "Monte Carlo Methods for the Game Kingdomino" (IEEE CIG 2018, arXiv
//! 1807.04458). Their random player and their greedy players (GPRD, FG) are in `policies`. Where the paper leaves
//! details open, this follows the authors' program, which also gives the results nearest to the paper's
//! (docs/evidence/field.md); comments mark those places.

mod choose;
mod flat;
mod playout;
mod turn;
mod uct;

pub use choose::{Baseline, choose_by_playouts};
pub use playout::BaselinePlayout;

use crate::cpu::Cpu;
use turn::Turn;

/// A search by playouts.
trait Sampler {
    /// Runs one more playout.
    fn sample(&mut self, cpu: impl Cpu);

    /// The best turn; `None` before the first playout.
    fn best(&self) -> Option<Turn>;
}
