//! `kingdomino.Match`.

use kingdomino_rules as engine;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use crate::arguments::{Decision, List, Seed, argument, counted, no_others, option};
use crate::errors::{Error, Result};
use crate::events::Events;
use crate::game::{Game, fresh_seed};
use crate::position::Position;
use crate::rules::Rules;
use crate::shared::Shared;
use crate::values;

/// Several games in a row by the same players: a Dynasty is three. Mutable, comparable, copyable, picklable.
///
/// rules: the rules of all games; default: two players, second edition, no bonuses.
/// seed: 0 to 2**64 - 1; decides the deals of all games. By default a new one below 2**32 from the operating
///     system, kept in `seed`.
/// games: the number of games, 1 to 100.
/// dynasty: what counts at the end: "total" (the sum of the scores) or "best" (the best single score).
///
/// When a game is over, the next one begins. Raises KingdominoError and RulesError.
///
/// Source: both editions' Dynasty; "best" is a players' option.
#[pyclass(frozen, module = "kingdomino")]
pub(crate) struct Match {
    seed: Option<u64>,
    length: usize,
    dynasty: engine::Dynasty,
    /// Never empty.
    games: Shared<Vec<Py<Game>>>,
}

argument!(
    /// A number of games.
    Games(usize),
    |value| {
        let most = engine::Dynasty::MOST_GAMES;
        counted(value, 1..=most, &format!("a number of games (1 to {most})"))
    }
);

argument!(
    /// The scoring at the end.
    Dynasty(engine::Dynasty),
    |value| option(value, "dynasty", engine::Dynasty::ALL.map(|kind| (kind.name(), kind)), Error::Rules)
);

/// The arguments of `from_games`: the games, then seed, length and dynasty.
type Parts<'py> = (Bound<'py, PyTuple>, Option<u64>, usize, &'static str);

fn is_over(game: &Py<Game>) -> bool {
    game.get().current().is_over()
}

impl Match {
    /// The games so far. Starts the next one if all of them are over, the match has another one, and it has a seed.
    fn begun(&self, py: Python<'_>) -> PyResult<Vec<Py<Game>>> {
        let mut games =
            self.games.with(|games| games.iter().map(|game| game.clone_ref(py)).collect::<Vec<_>>());
        if let Some(seed) = self.seed
            && games.len() < self.length
            && games.iter().all(is_over)
        {
            let seed = engine::Dynasty::seed(seed, games.len() as u64);
            let next = Py::new(py, Game::new_from(engine::Game::new(self.rules(py).0, seed)))?;
            // Another thread may have started the same game meanwhile. The first one counts.
            games.push(self.games.with(|begun| {
                if begun.len() == games.len() {
                    begun.push(next);
                }
                begun[games.len()].clone_ref(py)
            }));
        }
        Ok(games)
    }

    /// The current game, and its number from 0.
    fn current(&self, py: Python<'_>) -> PyResult<(usize, Py<Game>)> {
        let mut games = self.begun(py)?;
        let number = games.iter().position(|game| !is_over(game)).unwrap_or(games.len() - 1);
        Ok((number, games.swap_remove(number)))
    }

    fn outcomes(&self, py: Python<'_>) -> PyResult<Vec<engine::Outcome>> {
        Ok(self.begun(py)?.iter().filter_map(|game| game.get().current().outcome()).collect())
    }
}

#[pymethods]
impl Match {
    #[new]
    #[pyo3(
        signature = (rules=None, seed=None, games=Games(3), dynasty=Dynasty(engine::Dynasty::Total), **unknown),
        text_signature = "(rules=None, seed=None, games=3, dynasty='total')"
    )]
    fn new(
        py: Python<'_>,
        rules: Option<&Rules>,
        seed: Option<Seed>,
        games: Games,
        dynasty: Dynasty,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> Result<Match> {
        no_others::<Match>(unknown)?;
        let seed = seed.map_or_else(|| fresh_seed(py), |seed| Ok(seed.0))?;
        let first = engine::Game::new(Rules::given(rules), engine::Dynasty::seed(seed, 0));
        let first = Shared::new(vec![Py::new(py, Game::new_from(first))?]);
        Ok(Match { seed: Some(seed), length: games.0, dynasty: dynasty.0, games: first })
    }

    /// A match with these games so far. The first that is not over is the current one.
    ///
    /// seed: the seed of the match. Without it, the match starts no further games.
    /// length: the number of games in the match.
    /// dynasty: what counts at the end.
    ///
    /// Raises KingdominoError if there are no games or too many, or if their rules differ.
    #[classmethod]
    #[pyo3(
        signature = (games, seed=None, length=Games(3), dynasty=Dynasty(engine::Dynasty::Total)),
        text_signature = "($cls, games, seed=None, length=3, dynasty='total')"
    )]
    fn from_games(
        _: &Bound<'_, PyType>,
        games: List<Py<Game>>,
        seed: Option<Seed>,
        length: Games,
        dynasty: Dynasty,
    ) -> Result<Match> {
        let games = games.0;
        let fault = match games.split_last() {
            None => Some("a match has at least one game".into()),
            Some(_) if games.len() > length.0 => {
                Some(format!("{} games, but the match has {}", games.len(), length.0))
            }
            Some((last, others)) => {
                let rules = |game: &Py<Game>| *game.get().current().rules();
                let other_rules = others.iter().position(|game| rules(game) != rules(last));
                other_rules.map(|number| format!("game {} has other rules than the last", number + 1))
            }
        };
        match fault {
            Some(fault) => Err(Error::Value(fault)),
            None => Ok(Match {
                seed: seed.map(|seed| seed.0),
                length: length.0,
                dynasty: dynasty.0,
                games: Shared::new(games),
            }),
        }
    }

    /// The rules of all games.
    #[getter]
    fn rules(&self, py: Python<'_>) -> Rules {
        let first = self.games.with(|games| games[0].clone_ref(py));
        Rules(*first.get().current().rules())
    }

    /// The seed that decides the deals of all games; None if they were not made from a seed.
    #[getter]
    const fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// The number of games in the match.
    #[getter]
    const fn length(&self) -> usize {
        self.length
    }

    /// The scoring at the end: "total" or "best".
    #[getter]
    const fn dynasty(&self) -> &'static str {
        self.dynasty.name()
    }

    /// The games that have started. They are not copies: an action played in one of them is played in the match.
    #[getter]
    fn games<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.begun(py)?)
    }

    /// The current game: the first that is not over, or the last one.
    #[getter]
    fn game(&self, py: Python<'_>) -> PyResult<Py<Game>> {
        Ok(self.current(py)?.1)
    }

    /// The position of the current game: everything that the players can see.
    #[getter]
    fn position(&self, py: Python<'_>) -> PyResult<Position> {
        Ok(Position(self.game(py)?.get().current()))
    }

    /// Plays this action, or the one with this text, in the current game, and returns what happened, like `Game.play`.
    ///
    /// Raises IllegalActionError with the refusal, and ParseError for a text that is not an action. The match is
    /// then unchanged.
    fn play(&self, py: Python<'_>, action: Decision) -> Result<Events> {
        self.game(py)?.get().play(action)
    }

    /// Whether all its games are over.
    #[getter]
    fn is_over(&self, py: Python<'_>) -> PyResult<bool> {
        let games = self.begun(py)?;
        Ok(games.len() == self.length && games.iter().all(is_over))
    }

    /// The scores of the match so far: one Score for each seat, the sum or the best over its finished games.
    fn scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        values::scores(py, &self.dynasty.scores(&self.rules(py).0, &self.outcomes(py)?))
    }

    /// How the match ended, by `scores`; equal totals share the victory. None until all games are over.
    ///
    /// Source: both editions' Dynasty.
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if !self.is_over(py)? {
            return Ok(None);
        }
        let scores = self.dynasty.scores(&self.rules(py).0, &self.outcomes(py)?);
        values::outcome(py, &engine::Outcome::of_totals(&scores)).map(Some)
    }

    /// The picture of the current game, which a notebook shows.
    fn _repr_svg_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.game(py)?.bind(py).call_method0("_repr_svg_")
    }

    /// The number of the current game and its boards.
    fn __str__<'py>(&self, py: Python<'py>) -> PyResult<String> {
        let (number, game) = self.current(py)?;
        let board = game.bind(py).str()?;
        Ok(format!("Game {} of {}\n\n{board}", number + 1, self.length))
    }

    fn __repr__(&self, py: Python<'_>) -> Result<String> {
        let (length, dynasty) = (self.length, self.dynasty());
        let games = self.begun(py)?;
        let rules = self.rules(py);
        let is_new = |seed: u64| {
            let dealt = engine::Game::new(rules.0, engine::Dynasty::seed(seed, 0));
            games.len() == 1 && games[0].get().snapshot() == dealt
        };
        match self.seed {
            Some(seed) if is_new(seed) => {
                let rules = rules.__repr__();
                Ok(format!("Match({rules}, seed={seed}, games={length}, dynasty='{dynasty}')"))
            }
            seed => {
                let games = games.iter().map(|game| game.get().__repr__(py)).collect::<Result<Vec<_>>>()?;
                let seed = seed.map_or_else(|| "None".into(), |seed| seed.to_string());
                let games = games.join(", ");
                Ok(format!("Match.from_games([{games}], seed={seed}, length={length}, dynasty='{dynasty}')"))
            }
        }
    }

    fn __eq__(&self, py: Python<'_>, other: &Match) -> PyResult<bool> {
        let same = (self.seed, self.length, self.dynasty) == (other.seed, other.length, other.dynasty);
        Ok(same && self.games(py)?.eq(other.games(py)?)?)
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Match> {
        let copies =
            self.begun(py)?.into_iter().map(|game| Py::new(py, Game::new_from(game.get().snapshot())));
        let games = Shared::new(copies.collect::<PyResult<_>>()?);
        Ok(Match { seed: self.seed, length: self.length, dynasty: self.dynasty, games })
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Match> {
        self.__copy__(py)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Parts<'py>)> {
        let played = slf.get();
        let parts = (played.games(slf.py())?, played.seed, played.length, played.dynasty());
        Ok((slf.get_type().getattr("from_games")?, parts))
    }
}
