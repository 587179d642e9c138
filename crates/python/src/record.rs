//! `kingdomino.Record`.

use std::collections::BTreeMap;

use kingdomino_rules as engine;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString, PyTuple, PyType};

use crate::action::Action;
use crate::arguments::{Decision, Flag, List, Plies, Text};
use crate::errors::Result;
use crate::game::Game;
use crate::position::Position;
use crate::rules::Rules;
use crate::values;

/// The record of a game: rules, revealed lines, every action, names, tags, comments, annotations,
/// the result. Immutable, hashable, comparable, picklable.
///
/// `to_text` and `to_json` give its two forms; `parse` and `from_json` are their exact inverses, and check
/// everything by replaying the game. Replaying needs no random numbers.
#[pyclass(frozen, eq, hash, module = "kingdomino")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Record(engine::Record);

impl Record {
    /// The record of a game without names, tags and comments.
    pub(crate) fn of(game: &engine::Game) -> Result<Record> {
        Ok(Record(engine::Record::new(game, true, Vec::new(), BTreeMap::new(), BTreeMap::new())?))
    }

    pub(crate) const fn engine(&self) -> &engine::Record {
        &self.0
    }
}

/// The items of a mapping.
fn pairs<'py, K, V>(mapping: Option<&Bound<'py, PyMapping>>) -> PyResult<Vec<(K, V)>>
where
    K: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
    V: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    let Some(mapping) = mapping else { return Ok(Vec::new()) };
    mapping.items()?.iter().map(|item| item.extract()).collect()
}

/// Any object with the attributes of `kingdomino.Annotation`.
#[derive(FromPyObject)]
struct Annotated {
    win_rates: Vec<f64>,
    mean_scores: Vec<f64>,
    mean_margin: Vec<f64>,
    best: Option<Decision>,
    cost: Option<f64>,
    cost_points: Option<f64>,
}

impl From<Annotated> for engine::Annotation {
    fn from(given: Annotated) -> engine::Annotation {
        let Annotated { win_rates, mean_scores, mean_margin, best, cost, cost_points } = given;
        let best = best.map(|action| action.0);
        engine::Annotation { win_rates, mean_scores, mean_margin, best, cost, cost_points }
    }
}

#[pymethods]
impl Record {
    /// The record of a game.
    ///
    /// players: one name for each seat, or empty.
    /// tags: further facts about the game: one word -> one line of text.
    /// comments: number of plies before it -> lines of text.
    /// hidden: whether the record of an unfinished game also holds its seed, the rest of the deck and the kings to
    ///     be drawn, so that `replay` can continue it.
    ///
    /// Raises RecordError for texts that cannot be written on lines, and for a comment after the end of the game.
    #[classmethod]
    #[pyo3(
        signature = (game, players=List(Vec::new()), tags=None, comments=None, *, hidden=Flag(true)),
        text_signature = "($cls, game, players=(), tags={}, comments={}, *, hidden=True)"
    )]
    fn from_game(
        _: &Bound<'_, PyType>,
        game: &Game,
        players: List<Text>,
        tags: Option<&Bound<'_, PyMapping>>,
        comments: Option<&Bound<'_, PyMapping>>,
        hidden: Flag,
    ) -> Result<Record> {
        let players = players.0.into_iter().map(|name| name.0).collect();
        let tags = pairs::<Text, Text>(tags)?.into_iter().map(|(tag, value)| (tag.0, value.0)).collect();
        let comments = pairs::<Plies, Text>(comments)?.into_iter().map(|(ply, comment)| (ply.0, comment.0));
        Ok(Record(engine::Record::new(&game.snapshot(), hidden.0, players, tags, comments.collect())?))
    }

    /// The same record with these annotations instead of its own. None keeps its own.
    ///
    /// comments: number of plies before it -> lines of text.
    /// annotations: number of plies before the position -> its annotation.
    ///
    /// Raises RecordError for a ply that does not exist, a comment that cannot be written on lines, or an impossible
    /// figure.
    #[pyo3(signature = (comments=None, annotations=None))]
    fn annotated(
        &self,
        comments: Option<&Bound<'_, PyMapping>>,
        annotations: Option<&Bound<'_, PyMapping>>,
    ) -> Result<Record> {
        let comments = match comments {
            None => self.0.comments().clone(),
            given => pairs::<Plies, Text>(given)?.into_iter().map(|(ply, text)| (ply.0, text.0)).collect(),
        };
        let annotations = match annotations {
            None => self.0.annotations().map(|(ply, one)| (ply, one.clone())).collect(),
            given => {
                pairs::<Plies, Annotated>(given)?.into_iter().map(|(ply, one)| (ply.0, one.into())).collect()
            }
        };
        Ok(Record(self.0.annotated(comments, annotations)?))
    }

    /// The record with this text, in either form: text, or JSON from its `{` on. Raises RecordError, which names the
    /// fault and its line (in JSON: the event or the field).
    #[classmethod]
    fn parse(cls: &Bound<'_, PyType>, text: Text) -> Result<Record> {
        Ok(Record(cls.py().detach(|| engine::Record::read(&text.0))?))
    }

    /// Split a text into the texts of its records, each with the number of lines before it. The records are not parsed.
    /// A text without any record gives itself. Each record in JSON is one line.
    #[staticmethod]
    fn split(text: Text) -> Vec<(usize, String)> {
        let parts = engine::Record::split(&text.0).into_iter();
        parts.map(|(before, part)| (before, part.to_owned())).collect()
    }

    /// The record with this JSON text. Raises RecordError, which names the fault and its event or
    /// field.
    #[classmethod]
    fn from_json(cls: &Bound<'_, PyType>, text: Text) -> Result<Record> {
        Ok(Record(cls.py().detach(|| engine::Record::from_json(&text.0))?))
    }

    /// The text that `parse` reads. It ends with a newline.
    fn to_text(&self) -> String {
        self.0.to_string()
    }

    /// The text that `from_json` reads: one object on one line.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// The game, ready to continue. Raises RecordError for an unfinished game without its deck.
    fn replay(&self) -> Result<Game> {
        Ok(Game::new_from(self.0.replay()?))
    }

    /// The position at the start, in which a line or a king may be due; the empty table for a whole game.
    #[getter]
    fn initial_position(&self) -> Position {
        Position(self.0.initial_position())
    }

    /// The position before each ply, and the last one. Needs no deck: without it, the last position of an
    /// unfinished game may be in the phase "chance".
    fn positions(&self) -> Vec<Position> {
        self.0.positions().into_iter().map(Position).collect()
    }

    /// The events, in order: a tuple of events (kingdomino.events). A whole game begins with its first line. Without its
    /// deck, an unfinished game may end before a line or a king that is due.
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        values::events(py, &self.0.events(), self.0.outcome())
    }

    /// The rules set.
    #[getter]
    const fn rules(&self) -> Rules {
        Rules(*self.0.rules())
    }

    /// The players' names, one for each seat; () if the record has none.
    #[getter]
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.players())
    }

    /// Further facts about the game, like its date: one word -> one line of text.
    #[getter]
    fn tags(&self) -> BTreeMap<String, String> {
        self.0.tags().clone()
    }

    /// The seed that is written in it; None if there is none. The replayed game keeps the seed only if it gives the same
    /// deck and opening order.
    #[getter]
    const fn seed(&self) -> Option<u64> {
        self.0.seed()
    }

    /// Every action.
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.actions().iter().map(|action| Action(*action)))
    }

    /// The comments: number of plies before it -> comment, which may have several lines.
    #[getter]
    fn comments(&self) -> BTreeMap<usize, String> {
        self.0.comments().clone()
    }

    /// The annotations by an analysis: number of plies before the position -> annotation.
    #[getter]
    fn annotations<'py>(&self, py: Python<'py>) -> PyResult<BTreeMap<usize, Bound<'py, PyAny>>> {
        self.0.annotations().map(|(ply, one)| Ok((ply, values::annotation(py, one)?))).collect()
    }

    /// How the game ended; None while it is unfinished.
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.outcome().map(|outcome| values::outcome(py, outcome)).transpose()
    }

    /// The picture of the last position, which a notebook shows.
    fn _repr_svg_<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(last) = self.positions().pop() else { return Ok(None) };
        let options = PyDict::new(py);
        if !self.0.players().is_empty() {
            options.set_item("names", self.players(py)?)?;
        }
        py.import("kingdomino.svg")?.call_method("position", (last,), Some(&options)).map(Some)
    }

    fn __str__(&self) -> String {
        self.to_text()
    }

    pub(crate) fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Record.parse({})", PyString::new(py, &self.to_text()).repr()?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("parse")?, (slf.get().to_text(),)))
    }
}
