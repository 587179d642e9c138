//! `kingdomino.derive_seed`.

use kingdomino_rules::random::derive;
use pyo3::prelude::*;

use crate::arguments::{Seed, Text};

/// A seed of its own, 0 to 2**64 - 1, for whatever (seed, name, counter) names.
///
/// Everything random derives its seed like this, so that nothing shares a generator: game 3 of a
/// series with seed 7 is `kd.Game(rules, seed=kd.derive_seed(7, "game", 3))`. The formula is in
/// docs/formats/random.md. Raises KingdominoError.
#[pyfunction]
pub(crate) fn derive_seed(seed: Seed, name: Text, counter: Seed) -> u64 {
    derive(seed.0, &name.0, counter.0)
}
