//! `kingdomino.Action`.

use kingdomino_rules as engine;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::arguments::{Domino, Placement, Text, shown, whole};
use crate::errors::{Error, Result};
use crate::rules::Rules;
use crate::values;

/// One decision: claim a domino, place the claimed domino, or discard it. Immutable, hashable, comparable,
/// picklable. Ordered by number: claims, the discard, placements.
///
/// Made by `parse`, `claim`, `place`, `discard` or `from_number`. Whether it is legal depends on the position.
#[pyclass(frozen, eq, ord, hash, module = "kingdomino")]
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Action(pub(crate) engine::Action);

#[pymethods]
impl Action {
    /// The action with this text: "claim 17", "place 1,0>2,0" (the left end at (1, 0), the right end at (2, 0) of
    /// the player's kingdom) or "discard". Raises ParseError for other texts.
    #[classmethod]
    fn parse(_: &Bound<'_, PyType>, text: Text) -> Result<Action> {
        Ok(Action(text.0.parse()?))
    }

    /// The text that `parse` reads.
    fn to_text(&self) -> String {
        self.0.to_string()
    }

    /// The claim of this domino, or of the one with this number. Raises KingdominoError.
    #[classmethod]
    fn claim(_: &Bound<'_, PyType>, domino: Domino) -> Action {
        Action(engine::Action::Claim(domino.0))
    }

    /// The placement of the claimed domino: a Placement, its text, or ((x, y) of the left end, (x, y) of the right
    /// end). Raises KingdominoError.
    #[classmethod]
    fn place(_: &Bound<'_, PyType>, placement: Placement) -> Action {
        Action(engine::Action::Place(placement.0))
    }

    /// The discard of the claimed domino, which must fit nowhere.
    #[classmethod]
    fn discard(_: &Bound<'_, PyType>) -> Action {
        Action(engine::Action::Discard)
    }

    /// The action with this number, 0 to rules.action_count - 1. Raises KingdominoError if no action has it: at the
    /// edge of the frame, some placements would lead out of it.
    #[classmethod]
    fn from_number(_: &Bound<'_, PyType>, number: &Bound<'_, PyAny>, rules: &Rules) -> Result<Action> {
        let found =
            whole(number)?.and_then(|number| engine::Action::from_number(number, rules.0.kingdom_size()));
        let last = rules.action_count() - 1;
        found.map(Action).ok_or_else(|| {
            Error::Value(format!("{} is not an action number (they go from 0 to {last})", shown(number)))
        })
    }

    /// Its number, which means the same in every position under these rules.
    ///
    /// The claim of domino n is n - 1, the discard is 48, and a placement is 49 + 4 * ((y + r) * (2 * r + 1) + x +
    /// r) + d, where (x, y) is the square of the left end, r is 4 for kingdoms of 5x5 and 6 for 7x7, and d is the
    /// direction of the right end: 0 right, 1 up, 2 left, 3 down.
    ///
    /// Raises KingdominoError for a placement too far from the castle for these rules.
    fn number(&self, rules: &Rules) -> Result<usize> {
        self.0
            .number(rules.0.kingdom_size())
            .ok_or_else(|| Error::Value(format!("{} has no number under {}", self.0, rules.0)))
    }

    /// "claim", "place" or "discard".
    #[getter]
    const fn kind(&self) -> &'static str {
        match self.0 {
            engine::Action::Claim(_) => "claim",
            engine::Action::Place(_) => "place",
            engine::Action::Discard => "discard",
        }
    }

    /// The claimed domino; None for a placement or a discard.
    #[getter]
    fn domino<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.0 {
            engine::Action::Claim(domino) => values::domino(py, domino).map(Some),
            _ => Ok(None),
        }
    }

    /// Where the domino is placed; None for a claim or a discard.
    #[getter]
    fn placement<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.0 {
            engine::Action::Place(placement) => values::placement(py, placement).map(Some),
            _ => Ok(None),
        }
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Action.parse('{}')", self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Action>().getattr("parse")?, (self.to_text(),)))
    }
}
