//! Puzzles, for `kingdomino.analysis`.

use kingdomino_search::puzzle::{Puzzle, daily};
use pyo3::prelude::*;

use crate::arguments::{Plies, Text};
use crate::errors::Result;
use crate::review::to_json;

/// Return the JSON of the puzzles in a file (docs/formats/puzzles.md).
///
/// Raises ParseError.
#[pyfunction]
pub(crate) fn read_puzzles(text: Text) -> Result<String> {
    to_json(&Puzzle::read(&text.0)?)
}

/// Return the index of a day's puzzle, of this many.
///
/// date: like "2026-03-01".
///
/// Raises ParseError.
#[pyfunction]
pub(crate) fn daily_puzzle(date: Text, puzzles: Plies) -> Result<usize> {
    Ok(daily(&date.0, puzzles.0)?)
}
