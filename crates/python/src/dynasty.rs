//! `kingdomino.Match`.

use kingdomino_rules as engine;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::action::Action;
use crate::arguments::{Decision, Seed, argument, counted, option};
use crate::errors::{Error, Result};
use crate::game::{Game, fresh_seed};
use crate::position::outcome;
use crate::rules::Rules;
use crate::shared::Shared;

/// Several games in a row by the same players: a Dynasty is three. Mutable, copyable, picklable.
///
/// rules: the rules of all games; default: two players, second edition, no bonus.
/// seed: 0 to 2**64 - 1; the deals of all games follow from it. By default a new one below 2**32 from
///     the operating system, kept in `seed`.
/// games: how many, 1 to 100.
/// dynasty: what counts at the end, "total" (the sum of the scores) or "best" (the best single score).
///
/// Raises KingdominoError for values that cannot be.
///
/// Source: both editions' Dynasty; "best" is a players' option.
#[pyclass(frozen, module = "kingdomino")]
pub(crate) struct Match(Shared<engine::Match>);

const DYNASTIES: [(&str, engine::Dynasty); 2] =
    [("total", engine::Dynasty::Total), ("best", engine::Dynasty::Best)];

argument!(
    /// How many games.
    Games(usize),
    |value| counted(value, 1..=100, "a number of games (1 to 100)")
);

argument!(
    /// What counts at the end.
    Dynasty(engine::Dynasty),
    |value| option(value, "dynasty", DYNASTIES, Error::Rules)
);

/// The arguments that make a match: rules, seed, games, dynasty.
type Arguments = (Rules, u64, usize, &'static str);

fn arguments(played: &engine::Match) -> Arguments {
    let dynasty = match played.dynasty() {
        engine::Dynasty::Total => "total",
        engine::Dynasty::Best => "best",
    };
    (Rules(*played.rules()), played.seed(), played.length(), dynasty)
}

fn actions(played: &engine::Match) -> Vec<Action> {
    played.games().iter().flat_map(engine::Game::history).map(|action| Action(*action)).collect()
}

#[pymethods]
impl Match {
    #[new]
    #[pyo3(
        signature = (rules=None, seed=None, games=Games(3), dynasty=Dynasty(engine::Dynasty::Total)),
        text_signature = "(rules=None, seed=None, games=3, dynasty='total')"
    )]
    fn new(
        py: Python<'_>,
        rules: Option<&Rules>,
        seed: Option<Seed>,
        games: Games,
        dynasty: Dynasty,
    ) -> Result<Match> {
        let seed = seed.map_or_else(|| fresh_seed(py), |seed| Ok(seed.0))?;
        Ok(Match(Shared::new(engine::Match::new(Rules::given(rules), seed, games.0, dynasty.0)?)))
    }

    /// The rules of all games.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(self.0.with(|played| *played.rules()))
    }

    /// The seed that the deals of all games follow from.
    #[getter]
    fn seed(&self) -> u64 {
        self.0.with(|played| played.seed())
    }

    /// What counts at the end: "total" or "best".
    #[getter]
    fn dynasty(&self) -> &'static str {
        self.0.with(|played| arguments(played).3)
    }

    /// Copies of the finished games and of the current one.
    #[getter]
    fn games<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let games = self.0.with(|played| played.games().to_vec());
        PyTuple::new(py, games.into_iter().map(Game::new_from).collect::<Vec<_>>())
    }

    /// A copy of the current game; of the last one when all are over.
    #[getter]
    fn game(&self) -> Game {
        Game::new_from(self.0.with(|played| played.game().clone()))
    }

    /// Plays this action, or the one with this text, in the current game; when that ends, the next one
    /// begins.
    ///
    /// Raises IllegalActionError with the reason, and ParseError for a text that is no action; the
    /// match is then unchanged.
    fn play(&self, action: Decision) -> Result<()> {
        self.0.with(|played| played.play(action.0)).map_err(|refusal| Error::illegal(refusal, action.0))
    }

    /// Whether the last game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.with(|played| played.is_over())
    }

    /// What the finished games came to, in points, one entry a seat: the sum, or the best score.
    fn scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.with(|played| played.scores()))
    }

    /// How the match ended; its scores are those of `scores`, and equal ones share the victory.
    /// Raises KingdominoError unless the last game is over.
    ///
    /// Source: both editions' Dynasty.
    fn outcome<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        outcome(py, self.0.with(|played| played.outcome()))
    }

    fn __repr__(&self) -> String {
        let played = self.0.snapshot();
        let (rules, seed, length, dynasty) = arguments(&played);
        let call = format!("Match({}, seed={seed}, games={length}, dynasty='{dynasty}')", rules.__repr__());
        match actions(&played).len() {
            0 => call,
            plies => format!("<{call}: game {} of {length}, {plies} plies played>", played.games().len()),
        }
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Arguments, Bound<'py, PyTuple>)> {
        let played = slf.get().0.snapshot();
        let state = PyTuple::new(slf.py(), actions(&played))?;
        Ok((slf.get_type().into_any(), arguments(&played), state))
    }

    /// Plays what a copied or pickled match had played.
    fn __setstate__(&self, actions: Vec<Decision>) -> Result<()> {
        actions.into_iter().try_for_each(|action| self.play(action))
    }
}
