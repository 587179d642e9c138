//! The parts of a game for `kingdomino.server`: JSON texts in the format of a table (docs/formats/table.md).

use kingdomino_table as engine;
use pyo3::prelude::*;

use crate::arguments::{Decision, Plies, Seat};
use crate::errors::{Error, Result};
use crate::game::Game;
use crate::position::Position;
use crate::review::to_json;
use crate::rules::Rules;

/// Return the JSON of a rules set and its facts.
#[pyfunction]
pub(crate) fn table_rules(rules: &Rules) -> Result<String> {
    to_json(&engine::Rules::from(rules.0))
}

/// Return the JSON of a position from which a game begins, and of its parts.
#[pyfunction]
pub(crate) fn table_start(position: &Position) -> Result<String> {
    to_json(&engine::Start::from(&position.0))
}

/// Return the JSON of the score of a seat's kingdom during a game. Raises KingdominoError.
#[pyfunction]
pub(crate) fn table_score(position: &Position, seat: Seat) -> Result<String> {
    let seat = seat.under(position.0.rules())?;
    to_json(&engine::KingdomScore::of(&position.0, seat, false))
}

/// Return the JSON of the events of a game's deal and of its first turn, which is decision `ply`.
#[pyfunction]
pub(crate) fn table_deal(game: &Game, ply: Plies) -> Result<String> {
    to_json(&engine::Step::all(&game.snapshot(), ply.0).first())
}

/// Play an action, which is decision `ply`. Return the JSON of its events and of the next turn.
///
/// Raises IllegalActionError.
#[pyfunction]
pub(crate) fn table_play(game: &Game, action: Decision, ply: Plies) -> Result<String> {
    let step = game.with(|game| engine::Step::play(game, action.0, ply.0));
    to_json(&step.map_err(|refusal| Error::illegal(refusal, action.0))?)
}

/// Return the JSON of the options of the seat to move, or of None.
#[pyfunction]
pub(crate) fn table_choices(py: Python<'_>, position: &Position) -> Result<String> {
    py.detach(|| to_json(&engine::Choices::of(&position.0)))
}
