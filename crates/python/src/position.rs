//! `kingdomino.Position`.

use kingdomino_rules as engine;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFrozenSet, PyTuple, PyType};

use crate::action::Action;
use crate::actions::Actions;
use crate::arguments::{Decision, Domino, List, Seat, Seed, Text};
use crate::chance::ChanceOutcomes;
use crate::errors::{Error, Result};
use crate::kingdom::Kingdom;
use crate::rules::Rules;
use crate::values;

/// Everything that the players can see: kingdoms, lines, kings, the set of unseen dominoes, the seat to move. It
/// holds nothing hidden. Immutable, hashable, comparable, picklable.
///
/// `Position(rules)` is the empty table, before the first line is revealed; `parse` reads any position from its text, one
/// line like a FEN. `str` gives boards for a terminal.
#[pyclass(frozen, eq, hash, module = "kingdomino")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Position(pub(crate) engine::Position);

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (rules=None))]
    fn new(rules: Option<&Rules>) -> Position {
        Position(engine::Position::new(Rules::given(rules)))
    }

    /// The position with this text (docs/formats/position.md). Raises SetupError, whose `faults` lists everything
    /// that is wrong.
    #[classmethod]
    fn parse(_: &Bound<'_, PyType>, text: Text) -> Result<Position> {
        Ok(Position(text.0.parse()?))
    }

    /// The text that `parse` reads.
    pub(crate) fn to_text(&self) -> String {
        self.0.to_string()
    }

    /// The rules set.
    #[getter]
    const fn rules(&self) -> Rules {
        Rules(*self.0.rules())
    }

    /// The round: 0 while the first line is claimed, then 1 to rules.rounds.
    #[getter]
    const fn round(&self) -> usize {
        self.0.round()
    }

    /// The next step: "claim", "place" (or discard), "chance" (a line is to be revealed or a king drawn) or
    /// "over".
    #[getter]
    const fn phase(&self) -> &'static str {
        match self.0.stage() {
            engine::Stage::Place => "place",
            engine::Stage::Claim => "claim",
            engine::Stage::Reveal | engine::Stage::Draw => "chance",
            engine::Stage::Over => "over",
        }
    }

    /// The chance event that is due: "line" (continue with `reveal`) or "king" (continue with `draw`); None unless phase
    /// == "chance".
    #[getter]
    const fn due(&self) -> Option<&'static str> {
        match self.0.stage() {
            engine::Stage::Reveal => Some("line"),
            engine::Stage::Draw => Some("king"),
            engine::Stage::Place | engine::Stage::Claim | engine::Stage::Over => None,
        }
    }

    /// The position after this action, or the one with this text. If a line is to be revealed or a king drawn next,
    /// its phase is "chance".
    ///
    /// Raises IllegalActionError with the refusal, and ParseError for a text that is not an action.
    fn play(&self, action: Decision) -> Result<Position> {
        let mut after = self.0;
        after.play(action.0).map_err(|refusal| Error::illegal(refusal, action.0))?;
        Ok(Position(after))
    }

    /// Return the position after this line is revealed. The line is a full line of unseen dominoes, or their numbers.
    ///
    /// Raises SetupError, whose `faults` lists everything that is wrong, also if no line is due.
    fn reveal(&self, line: List<Domino>) -> Result<Position> {
        let line: Vec<engine::Domino> = line.0.into_iter().map(|domino| domino.0).collect();
        let mut after = self.0;
        after.reveal(&line)?;
        Ok(Position(after))
    }

    /// The position after a king of this seat is drawn, which claims next. Raises SetupError.
    fn draw(&self, seat: Seat) -> Result<Position> {
        let mut after = self.0;
        after.draw(seat.0)?;
        Ok(Position(after))
    }

    /// The seat whose decision it is, from 0; None in the phases "chance" and "over".
    #[getter]
    const fn to_move(&self) -> Option<usize> {
        self.0.to_move()
    }

    /// The kingdoms, one for each seat.
    #[getter]
    fn kingdoms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.kingdoms().iter().map(|kingdom| Kingdom(*kingdom)))
    }

    /// The line whose dominoes are placed in this round, lowest number first; in round 0 the first line, which is
    /// being claimed. A tuple of Slot.
    #[getter]
    fn line<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        values::slots(py, self.0.slots())
    }

    /// The line beside it, which is being claimed, lowest number first; () in round 0 and in the last round. A tuple of
    /// Slot.
    #[getter]
    fn next_line<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        values::slots(py, self.0.next_slots())
    }

    /// The line that is being claimed, lowest number first: `next_line`, in round 0 `line`, in the last round (). A
    /// tuple of Slot.
    #[getter]
    fn offered<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        values::slots(py, if self.0.round() == 0 { self.0.slots() } else { self.0.next_slots() })
    }

    /// The seats whose kings are still to be drawn in the opening round, in seat order, each once for each of its kings;
    /// else (). With the snake opening only the first king is drawn, since it decides the order of the others.
    #[getter]
    fn kings_to_draw<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.kings_to_draw())
    }

    /// The seats of the kings that have not claimed a domino of the line on offer, in seat order, each once for each such
    /// king; () if no line is on offer.
    #[getter]
    fn kings_to_claim<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.kings_to_claim())
    }

    /// The possible chance events, with probabilities: a collection of pairs (LineRevealed, probability) or
    /// (KingDrawn, probability), made as they are read, since there are up to 194,580 lines. Empty in the other phases.
    fn chance_outcomes(&self) -> ChanceOutcomes {
        ChanceOutcomes(self.0)
    }

    /// Return the position after all chance events that are due, sampled: a line, a king, or both in turn. In the other
    /// phases, return the same position.
    ///
    /// seed: 0 to 2**64 - 1; the sample follows from it.
    fn sample(&self, seed: Seed) -> Position {
        Position(self.0.sample(seed.0))
    }

    /// The domino to place (or discard) now; None unless phase == "place".
    #[getter]
    fn domino<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.domino().map(|domino| values::domino(py, domino)).transpose()
    }

    /// The domino that the seat to move has placed or discarded in this turn, while it claims the next one; else
    /// None.
    #[getter]
    fn settled<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.settled().map(|domino| values::domino(py, domino)).transpose()
    }

    /// The number of dominoes that will still be revealed.
    #[getter]
    const fn dominoes_to_come(&self) -> usize {
        self.0.dominoes_to_come()
    }

    /// The dominoes that have not been revealed. In games that do not use all 48, some of them never will be.
    #[getter]
    fn unseen<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyFrozenSet>> {
        values::domino_set(py, self.0.unseen())
    }

    /// Whether the game is over.
    #[getter]
    const fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// The scores of the kingdoms in points, as if the game ended now; one Score for each seat.
    fn scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        values::scores(py, &self.0.scores())
    }

    /// Bounds on the future of this seat's kingdom, as Prospects. Raises KingdominoError.
    fn prospects<'py>(&self, py: Python<'py>, seat: Seat) -> Result<Bound<'py, PyAny>> {
        let seat = seat.under(self.0.rules())?;
        Ok(values::prospects(py, &self.0, seat)?)
    }

    /// Whether this seat has lost Harmony by discarding a domino, perhaps before the game began; False under rules
    /// without Harmony. `prospects` also sees gaps that nothing can fill. Raises KingdominoError.
    fn harmony_lost(&self, seat: Seat) -> Result<bool> {
        Ok(self.0.harmony_lost(seat.under(self.0.rules())?))
    }

    /// How the game ended; None until it is over.
    ///
    /// Source: rulebooks, "end of the game". Equal scores: the largest territory by squares, then (first
    /// edition only) the most crowns, then the victory is shared.
    pub(crate) fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.outcome().map(|outcome| values::outcome(py, &outcome)).transpose()
    }

    /// Every legal action, each once; empty in the phases "chance" and "over".
    fn legal_actions(&self) -> Actions {
        Actions::of(&self.0)
    }

    /// One byte for each action number, rules.action_count of them: 1 where it is legal, else 0.
    fn legal_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let size = self.0.rules().kingdom_size();
        let mut mask = vec![0; engine::Action::count(size)];
        for number in self.0.legal_actions().into_iter().filter_map(|action| action.number(size)) {
            if let Some(byte) = mask.get_mut(number) {
                *byte = 1;
            }
        }
        PyBytes::new(py, &mask)
    }

    /// The Refusal that says why this action (or the one with this text) is not legal now; None if it is. Raises
    /// ParseError for a text that is not an action.
    fn refusal<'py>(&self, py: Python<'py>, action: Decision) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.check(action.0).err().map(|refusal| values::refusal(py, &refusal)).transpose()
    }

    /// Whether this action (or the one with this text) is legal now. Raises ParseError for a text that is not an
    /// action.
    fn is_legal(&self, action: Decision) -> bool {
        self.0.check(action.0).is_ok()
    }

    /// This action, or the one with this text, in the form that `legal_actions` lists. Only the placement of a domino
    /// with two equal ends has a second form: turned round, it covers the same squares.
    ///
    /// Raises IllegalActionError with the refusal, and ParseError for a text that is not an action.
    fn canonical(&self, action: Decision) -> Result<Action> {
        self.0.check(action.0).map_err(|refusal| Error::illegal(refusal, action.0))?;
        Ok(Action(self.0.canonical(action.0)))
    }

    /// Return the representative of the placements equivalent to this one. Equivalent placements lead to the same
    /// kingdom, up to a rotation or a reflection about the castle. The representative is the first of them in
    /// `legal_actions`. A claim or a discard represents itself.
    ///
    /// Raises IllegalActionError with the refusal, and ParseError for a text that is not an action.
    fn equivalent(&self, action: Decision) -> Result<Action> {
        self.0.check(action.0).map_err(|refusal| Error::illegal(refusal, action.0))?;
        Ok(Action(self.0.equivalent(action.0)))
    }

    /// The picture that a notebook shows: `kingdomino.svg.position(self)`.
    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("kingdomino.svg")?.call_method1("position", (slf,))
    }

    /// The boards that a terminal shows: `kingdomino.text.position(self)`.
    fn __str__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("kingdomino.text")?.call_method1("position", (slf,))
    }

    fn __repr__(&self) -> String {
        format!("Position.parse('{}')", self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Position>().getattr("parse")?, (self.to_text(),)))
    }
}
