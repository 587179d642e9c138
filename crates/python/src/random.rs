//! `kingdomino.derive_seed`.

use kingdomino_rules::random::derive;
use pyo3::prelude::*;

use crate::arguments::{Seed, Text};

/// The seed for this name and counter under this seed, 0 to 2**64 - 1.
///
/// Every random stream gets its seed like this, so no two streams share a generator. Game 3 of a series with seed 7 is
/// `kd.Game(rules, seed=kd.derive_seed(7, "game", 3))`. The formula is in docs/formats/random.md. Raises
/// KingdominoError.
#[pyfunction]
pub(crate) fn derive_seed(seed: Seed, name: Text, counter: Seed) -> u64 {
    derive(seed.0, &name.0, counter.0)
}
