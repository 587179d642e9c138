//! `kingdomino.Game`.

use kingdomino_rules as engine;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple, PyType};

use crate::action::Action;
use crate::actions::Actions;
use crate::arguments::{Decision, Domino, List, Seat, Seed, no_others};
use crate::errors::{Error, Result};
use crate::events::Events;
use crate::position::Position;
use crate::record::Record;
use crate::rules::Rules;
use crate::shared::Shared;
use crate::values;

/// A position, the hidden deck and the history. Mutable, comparable, copyable, picklable.
///
/// rules: the rules set; default: two players, second edition, no bonuses.
/// seed: 0 to 2**64 - 1; decides the deck and the opening order, the same on every machine. By default a new
///     one below 2**32 from the operating system, kept in `seed`.
/// deck: the dominoes (or their numbers) in the order in which they are revealed, line by line; rules.dominoes of
///     them. By default from the seed.
/// opening: the seats in the order in which their kings are drawn, each once for each of its kings. By default from
///     the seed.
///
/// Raises SetupError, whose `faults` lists everything that is wrong with deck and opening, and KingdominoError for
/// unknown dominoes, seats and seeds.
#[pyclass(frozen, eq, module = "kingdomino")]
#[derive(PartialEq)]
pub(crate) struct Game(Shared<engine::Game>);

/// A seed from the operating system, short enough to type.
pub(crate) fn fresh_seed(py: Python<'_>) -> PyResult<u64> {
    let bytes = py.import("os")?.call_method1("urandom", (4,))?;
    let bytes = bytes.cast::<PyBytes>()?.as_bytes();
    Ok(bytes.iter().fold(0, |seed, byte| seed << 8 | u64::from(*byte)))
}

impl Game {
    pub(crate) const fn new_from(game: engine::Game) -> Game {
        Game(Shared::new(game))
    }

    fn begun(
        py: Python<'_>,
        start: engine::Position,
        seed: Option<Seed>,
        deck: Option<List<Domino>>,
        opening: Option<List<Seat>>,
    ) -> Result<Game> {
        let seed = seed.map_or_else(|| fresh_seed(py), |seed| Ok(seed.0))?;
        let deck: Option<Vec<_>> = deck.map(|deck| deck.0.into_iter().map(|domino| domino.0).collect());
        let opening: Option<Vec<_>> = opening.map(|seats| seats.0.into_iter().map(|seat| seat.0).collect());
        let game = engine::Game::from_position(start, seed, deck.as_deref(), opening.as_deref())?;
        Ok(Game::new_from(game))
    }

    /// Reads or changes the game.
    pub(crate) fn with<R>(&self, access: impl FnOnce(&mut engine::Game) -> R) -> R {
        self.0.with(access)
    }

    /// A copy of the game.
    pub(crate) fn snapshot(&self) -> engine::Game {
        self.0.snapshot()
    }

    /// The current position.
    pub(crate) fn current(&self) -> engine::Position {
        self.0.with(|game| *game.position())
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(
        signature = (rules=None, seed=None, deck=None, opening=None, **unknown),
        text_signature = "(rules=None, seed=None, deck=None, opening=None)"
    )]
    fn new(
        py: Python<'_>,
        rules: Option<&Rules>,
        seed: Option<Seed>,
        deck: Option<List<Domino>>,
        opening: Option<List<Seat>>,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> Result<Game> {
        no_others::<Game>(unknown)?;
        Game::begun(py, engine::Position::new(Rules::given(rules)), seed, deck, opening)
    }

    /// Create a game that starts in this position. The seed decides the hidden parts: the order of the unseen dominoes
    /// in the deck, and the order of the kings still to be drawn.
    ///
    /// seed: 0 to 2**64 - 1; by default a new one, as for a whole game.
    /// deck: the dominoes (or their numbers) that are still to come, in the order in which they are revealed; by
    ///     default from the seed.
    /// opening: the seats whose kings are still to be drawn, in order; by default from the seed.
    ///
    /// Raises SetupError, whose `faults` lists everything that is wrong with deck and opening, and KingdominoError for
    /// unknown dominoes, seats and seeds.
    #[classmethod]
    #[pyo3(signature = (position, seed=None, deck=None, opening=None))]
    fn from_position(
        cls: &Bound<'_, PyType>,
        position: &Position,
        seed: Option<Seed>,
        deck: Option<List<Domino>>,
        opening: Option<List<Seat>>,
    ) -> Result<Game> {
        Game::begun(cls.py(), position.0, seed, deck, opening)
    }

    /// The rules set.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(self.0.with(|game| *game.start().rules()))
    }

    /// The seed that decides the deck and the opening order; None if they were not made from a seed.
    #[getter]
    fn seed(&self) -> Option<u64> {
        self.0.with(|game| game.seed())
    }

    /// The dominoes in the order in which they are revealed after the start, each line sorted.
    #[getter]
    fn deck<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        values::dominoes(py, self.snapshot().deck().iter().copied())
    }

    /// The seats in the order in which their kings are drawn.
    #[getter]
    fn opening<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.snapshot().kings())
    }

    /// The current position: everything that the players can see.
    #[getter]
    fn position(&self) -> Position {
        Position(self.current())
    }

    /// The position before the first decision.
    #[getter]
    fn start(&self) -> Position {
        let game = self.snapshot();
        let mut first = None;
        game.for_each_event(|before, event| {
            if event.action().is_some() {
                first.get_or_insert(*before);
            }
        });
        Position(first.unwrap_or(*game.position()))
    }

    /// Every action since the start.
    #[getter]
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.snapshot().history().iter().map(|action| Action(*action)))
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.current().is_over()
    }

    /// Every legal action, each once; empty when the game is over.
    fn legal_actions(&self) -> Actions {
        Actions::of(&self.current())
    }

    /// Play this action, or the one with this text, then reveal lines and draw kings as they are due. Return the
    /// events, in order: events of kingdomino.events.
    ///
    /// Raises IllegalActionError with the refusal, and ParseError for a text that is not an action. The game is
    /// then unchanged.
    pub(crate) fn play(&self, action: Decision) -> Result<Events> {
        self.0.with(|game| {
            let events = game.play(action.0).map_err(|refusal| Error::illegal(refusal, action.0))?;
            Ok(Events { events, outcome: game.position().outcome().map(Box::new) })
        })
    }

    /// Takes the last action back and returns it. Raises KingdominoError at the start.
    fn undo(&self) -> Result<Action> {
        let undone = self.0.with(engine::Game::undo);
        undone
            .map(Action)
            .ok_or_else(|| Error::Value("there is nothing to undo: the game is at its start".into()))
    }

    /// How the game ended; None until it is over.
    ///
    /// Source: rulebooks, "end of the game".
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.position().outcome(py)
    }

    /// The dominoes in the kingdom of a seat that were placed in this game: (x, y) -> (domino, "left" or "right"
    /// end). Raises KingdominoError for an unknown seat.
    fn layout<'py>(&self, py: Python<'py>, seat: Seat) -> Result<Bound<'py, PyDict>> {
        let game = self.snapshot();
        let seat = seat.under(game.start().rules())?;
        let mut placed = Vec::new();
        game.for_each_event(|_, event| match event {
            engine::Event::Placed(player, domino, placement) if player == seat => {
                placed.push((domino, placement));
            }
            _ => {}
        });
        let layout = PyDict::new(py);
        for (domino, engine::Placement { left, right }) in placed {
            for (square, end) in [(left, "left"), (right, "right")] {
                layout.set_item(values::coordinates(square), (values::domino(py, domino)?, end))?;
            }
        }
        Ok(layout)
    }

    /// The picture that a notebook shows: `kingdomino.svg.position` with the outlines of dominoes.
    fn _repr_svg_<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        let game = Game::new_from(self.snapshot());
        let layouts = (0..game.rules().players()).map(|seat| game.layout(py, Seat(seat)));
        let layouts = PyTuple::new(py, layouts.collect::<Result<Vec<_>>>()?)?;
        let options = PyDict::new(py);
        options.set_item("layouts", layouts)?;
        let svg = py.import("kingdomino.svg")?;
        Ok(svg.call_method("position", (game.position(),), Some(&options))?)
    }

    /// The boards that a terminal shows: `kingdomino.text.position(self.position)`.
    fn __str__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("kingdomino.text")?.call_method1("position", (self.position(),))
    }

    pub(crate) fn __repr__(&self, py: Python<'_>) -> Result<String> {
        let game = self.snapshot();
        let rules = *game.start().rules();
        match game.seed() {
            Some(seed) if game.history().is_empty() && *game.start() == engine::Position::new(rules) => {
                Ok(format!("Game({}, seed={seed})", Rules(rules).__repr__()))
            }
            _ => Ok(format!("{}.replay()", Record::of(&game)?.__repr__(py)?)),
        }
    }

    fn __copy__(&self) -> Game {
        Game::new_from(self.snapshot())
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Game {
        self.__copy__()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Result<(Bound<'py, PyAny>, (Record,))> {
        Ok((py.get_type::<Record>().getattr("replay")?, (Record::of(&self.snapshot())?,)))
    }
}
