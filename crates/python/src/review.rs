//! The parts of `kingdomino.analysis`. Results are JSON texts, which it reads as its values.

use kingdomino_search::review as engine;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::arguments::{Decision, List, Plies, Seed, Text, no_others};
use crate::errors::{Error, Result};
use crate::long::interruptible_by;
use crate::playouts::Playouts;
use crate::position::Position;
use crate::record::Record;
use crate::rules::Rules;
use crate::search::Seconds;
use crate::shared::Shared;

pub(crate) fn to_json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::Value(error.to_string()))
}

fn from_json<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| Error::Value(format!("not part of a review: {error}")))
}

/// Playouts without a limit.
fn or_any(playouts: Option<Playouts>) -> u64 {
    playouts.map_or(u64::MAX, |playouts| playouts.0)
}

/// The judgement of one decision, which is made in steps.
///
/// position, action: a seat is to move, and the action is legal.
/// playouts: on which it is based. None: as many as the time of `run` allows.
/// ply: the number of the decision in its game, for the result.
/// seed: 0 to 2**64 - 1. The judgement follows from position, action, playouts and seed, whatever the steps.
///
/// Raises KingdominoError, and IllegalActionError. Only one thread at a time may use it.
#[pyclass(frozen, module = "kingdomino._core")]
pub(crate) struct Judging(Shared<Option<engine::Judging>>);

impl Judging {
    fn over(judging: engine::Judging) -> Judging {
        Judging(Shared::new(Some(judging)))
    }

    /// Works on it; meanwhile no other thread can use it.
    fn work<T>(&self, work: impl FnOnce(&mut engine::Judging) -> T) -> Result<T> {
        let busy = || Error::Value("this judgement is being made in another thread".into());
        let mut judging = self.0.with(Option::take).ok_or_else(busy)?;
        let done = work(&mut judging);
        self.0.with(|place| *place = Some(judging));
        Ok(done)
    }
}

#[pymethods]
impl Judging {
    #[new]
    #[pyo3(
        signature = (position, action, playouts=None, *, ply=Plies(0), seed=Seed(0), **unknown),
        text_signature = "(position, action, playouts=None, *, ply=0, seed=0)"
    )]
    fn new(
        position: &Position,
        action: Decision,
        playouts: Option<Playouts>,
        ply: Plies,
        seed: Seed,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> Result<Judging> {
        no_others::<Judging>(unknown)?;
        if position.0.to_move().is_none() {
            return Err(Error::Value("no seat is to move: there is no decision to judge".into()));
        }
        let judging = engine::Judging::new(&position.0, action.0, ply.0, or_any(playouts), seed.0);
        judging.map(Judging::over).map_err(|refusal| Error::illegal(refusal, action.0))
    }

    /// Make at most this many playouts, or solve an ending for some 10 ms. Return whether the judgement is complete.
    fn step(&self, py: Python<'_>, playouts: Playouts) -> Result<bool> {
        self.work(|judging| py.detach(|| judging.step(playouts.0)))
    }

    /// Do all the work that is left.
    ///
    /// time: seconds after which the judgement is completed roughly.
    /// stop: an object with a method is_set, like threading.Event; once it returns True, the judgement is completed
    ///     roughly within about 20 ms.
    ///
    /// Other Python threads run meanwhile; Ctrl-C stops it.
    #[pyo3(signature = (*, time=None, stop=None), text_signature = "($self, *, time=None, stop=None)")]
    fn run(&self, py: Python<'_>, time: Option<Seconds>, stop: Option<Bound<'_, PyAny>>) -> Result<()> {
        let stop = stop.map(Bound::unbind);
        let time = time.map(|time| time.0);
        self.work(|judging| interruptible_by(py, stop.as_ref(), |keep_going| judging.run(time, keep_going)))?
    }

    /// Return the JSON of the decision. Raises KingdominoError before the judgement is complete.
    fn decision(&self) -> Result<String> {
        self.work(|judging| match judging.decision() {
            Some(decision) => to_json(decision),
            None => Err(Error::Value("this judgement is not complete".into())),
        })?
    }
}

/// A record as decisions and the chance events before them.
#[pyclass(frozen, module = "kingdomino._core")]
pub(crate) struct Story(engine::Story);

#[pymethods]
impl Story {
    #[new]
    fn new(record: &Record) -> Story {
        Story(engine::Story::new(record.engine()))
    }

    /// The number of decisions.
    #[getter]
    const fn plies(&self) -> usize {
        self.0.plies()
    }

    /// Return the judgement of a decision. Raises KingdominoError.
    ///
    /// playouts: as for Judging.
    /// seed: the review's.
    #[pyo3(signature = (ply, playouts, seed), text_signature = "($self, ply, playouts, seed)")]
    fn judging(&self, ply: Plies, playouts: Option<Playouts>, seed: Seed) -> Result<Judging> {
        if ply.0 >= self.0.plies() {
            return Err(Error::Value(format!("there is no decision {}", ply.0)));
        }
        Ok(Judging::over(self.0.judging(ply.0, or_any(playouts), seed.0)))
    }

    /// Return the JSON of the value before the first event.
    ///
    /// time, stop: as for Judging.run.
    /// playouts, seed: as for judging.
    #[pyo3(signature = (time, playouts, seed, stop), text_signature = "($self, time, playouts, seed, stop)")]
    fn start(
        &self,
        py: Python<'_>,
        time: Option<Seconds>,
        playouts: Option<Playouts>,
        seed: Seed,
        stop: Bound<'_, PyAny>,
    ) -> Result<String> {
        let mut starting = self.0.starting(or_any(playouts), seed.0);
        interruptible_by(py, Some(&stop.unbind()), |keep_going| {
            starting.run(time.map(|time| time.0), keep_going);
        })?;
        to_json(&starting.value())
    }

    /// Return the JSON of the review of the decisions judged so far, the first ones of the game in order.
    ///
    /// start: the JSON of the value before the first event.
    /// decisions: the JSON of each decision.
    ///
    /// Raises KingdominoError.
    fn assemble(&self, start: Text, decisions: List<Text>) -> Result<String> {
        let decisions = decisions.0.iter().map(|text| from_json(&text.0)).collect::<Result<Vec<_>>>()?;
        to_json(&self.0.assemble(&from_json(&start.0)?, &decisions))
    }
}

/// Return the JSON of the sums of a player's costs over many games.
///
/// games: the JSON of the player's decisions, one list per game; each decision has round, action, choices, cost_points
///     and theme.
/// rules: the rules of all games, for the level.
///
/// Raises KingdominoError.
#[pyfunction]
#[pyo3(signature = (games, rules), text_signature = "(games, rules)")]
pub(crate) fn summary(py: Python<'_>, games: &str, rules: Option<&Rules>) -> Result<String> {
    py.detach(|| {
        let games: Vec<Vec<engine::DecisionCost>> = from_json(games)?;
        to_json(&engine::Summary::of(&games, rules.map(|rules| &rules.0)))
    })
}

/// Return the JSON of every reason why an action is worse than a better one, the weightiest first.
///
/// parts: the JSON of the parts of the cost; an empty list if they are not known.
///
/// Raises IllegalActionError.
#[pyfunction]
pub(crate) fn reasons(
    position: &Position,
    action: Decision,
    better: Decision,
    parts: &str,
) -> Result<String> {
    for action in [&action, &better] {
        position.0.check(action.0).map_err(|refusal| Error::illegal(refusal, action.0))?;
    }
    let parts: Vec<engine::CostPart> = from_json(parts)?;
    to_json(&engine::reasons(&position.0, action.0, better.0, &parts).unwrap_or_default())
}

/// Return the JSON of the worth of each domino of the line being claimed to every kingdom.
#[pyfunction]
pub(crate) fn worth(py: Python<'_>, position: &Position) -> Result<String> {
    to_json(&py.detach(|| kingdomino_search::worth(&position.0)))
}
