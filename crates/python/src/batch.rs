//! `kingdomino._core.Batch`: many games in the caller's NumPy arrays; and single observations. Used by
//! `kingdomino.envs` only.

use kingdomino_batch as engine;
use kingdomino_batch::{Form, Illegal, Opponent, Options, Outputs, Reward, Shape};
use kingdomino_rules::{Action, Refusal, Stage};
use numpy::{
    Element, PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadwriteArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::arguments::{Seat, Seed, Threads, argument, counted, option, shown};
use crate::errors::{Error, Result};
use crate::game::Game;
use crate::playouts::Policy;
use crate::position::Position;
use crate::rules::Rules;
use crate::shared::Shared;

argument!(
    /// The form of an observation.
    FormName(Form),
    |value| option(value, "form", [("planes", Form::Planes), ("compact", Form::Compact)], Error::Value)
);

argument!(
    /// The reward for the end of a game.
    RewardName(Reward),
    |value| option(value, "reward", REWARDS, Error::Value)
);

argument!(
    /// The index of a game.
    Row(usize),
    |value| counted(value, .., "a row (they are numbered from 0)")
);

const REWARDS: [(&str, Reward); 4] =
    [("rank", Reward::Rank), ("win", Reward::Win), ("score", Reward::Score), ("margin", Reward::Margin)];

/// Many games of one rules set, written into the caller's arrays.
///
/// rules: the rules set.
/// seeds: one for each game, 0 to 2**64 - 1.
/// form: "planes" or "compact", the form of the observations.
/// reward: "rank", "win", "score" or "margin".
/// penalty: None: an illegal action is refused. A number: it ends its game with this reward.
/// opponents: (policy, seed or None) of each seat except the learner's, beginning with the next. If empty, the
///     caller plays every seat.
/// seat: the learner's seat, with opponents. None: it changes from game to game.
/// threads: the number of threads that share the work, at most one for each core.
///
/// Raises KingdominoError, and OSError if the system cannot start the threads.
#[pyclass(frozen, module = "kingdomino._core")]
pub(crate) struct Batch {
    games: usize,
    options: Options,
    /// Locked during a whole step, so release the interpreter before you wait for it.
    batch: Shared<engine::Batch>,
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(
        signature = (
            rules,
            seeds,
            form = FormName(Form::Planes),
            reward = RewardName(Reward::Rank),
            penalty = None,
            opponents = Vec::new(),
            seat = None,
            threads = Threads(1),
        ),
        text_signature = "(rules, seeds, form='planes', reward='rank', penalty=None, opponents=(), seat=None, \
                          threads=1)"
    )]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        rules: &Rules,
        seeds: Vec<Seed>,
        form: FormName,
        reward: RewardName,
        penalty: Option<f32>,
        opponents: Vec<(Policy, Option<Seed>)>,
        seat: Option<Seat>,
        threads: Threads,
    ) -> Result<Batch> {
        let players = rules.players();
        if !opponents.is_empty() && opponents.len() + 1 != players {
            let (given, needed) = (opponents.len(), players - 1);
            return Err(Error::Value(format!("{given} opponents, but {players} players need {needed}")));
        }
        let seat = seat.map(|seat| seat.under(&rules.0)).transpose()?;
        let opponents = opponents
            .into_iter()
            .map(|(policy, seed)| Opponent { policy: policy.0, seed: seed.map(|seed| seed.0) });
        let options = Options {
            rules: rules.0,
            form: form.0,
            reward: reward.0,
            illegal: penalty.map_or(Illegal::Refuse, Illegal::End),
            opponents: opponents.collect(),
            seat,
        };
        let seeds: Vec<u64> = seeds.into_iter().map(|seed| seed.0).collect();
        let batch = py
            .detach(|| engine::Batch::new(options.clone(), &seeds, threads.0))
            .map_err(|error| Error::Raised(PyOSError::new_err(error.to_string())))?;
        Ok(Batch { games: seeds.len(), options, batch: Shared::new(batch) })
    }

    const fn __len__(&self) -> usize {
        self.games
    }

    /// Starts the first game of each seed (without seeds, the next game in each row), and writes into the arrays.
    /// Raises KingdominoError.
    fn reset(&self, py: Python<'_>, seeds: Option<Vec<Seed>>, arrays: &Bound<'_, PyAny>) -> Result<()> {
        let seeds: Option<Vec<u64>> = seeds.map(|seeds| seeds.into_iter().map(|seed| seed.0).collect());
        if let Some(seeds) = &seeds {
            self.check_count("seeds", seeds.len())?;
        }
        let mut arrays = self.arrays(arrays)?;
        let outputs = arrays.outputs()?;
        py.detach(|| self.batch.with(|batch| batch.reset(seeds.as_deref(), outputs)));
        Ok(())
    }

    /// Plays one action in each game, given by its number, and writes into the arrays.
    ///
    /// Raises IllegalActionError, and changes nothing, if one of them is illegal and there is no penalty;
    /// KingdominoError for arrays of the wrong shape.
    fn step(
        &self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i64>,
        arrays: &Bound<'_, PyAny>,
    ) -> Result<()> {
        let numbers = actions.as_slice().map_err(|_| not_contiguous("actions"))?;
        self.check_count("actions", numbers.len())?;
        let mut arrays = self.arrays(arrays)?;
        let outputs = arrays.outputs()?;
        let played = py.detach(|| self.batch.with(|batch| batch.step(numbers, outputs)));
        played.map_err(|error| {
            let (refusal, action) = match error.fault {
                engine::Fault::NoAction(_) => (None, None),
                engine::Fault::Refused(action, refusal) => (Some(refusal), Some(action)),
            };
            Error::Illegal(error.to_string(), refusal, action)
        })
    }

    /// Writes a legal action number of each game, chosen uniformly at random. Raises KingdominoError, and
    /// TypeError if `out` is not an array of int64.
    fn sample(&self, py: Python<'_>, out: &Bound<'_, PyAny>) -> Result<()> {
        let mut actions = writable::<i64>(out, "out", self.games, 1)?;
        let numbers = actions.as_slice_mut().map_err(|_| not_contiguous("out"))?;
        py.detach(|| self.batch.with(|batch| batch.sample(numbers)));
        Ok(())
    }

    /// A copy of the game in this row. Raises KingdominoError for an unknown row.
    fn game(&self, py: Python<'_>, row: Row) -> Result<Game> {
        let game = py.detach(|| self.batch.with(|batch| batch.game(row.0).cloned()));
        game.map(Game::new_from).ok_or_else(|| Error::Value(format!("there is no game {}", row.0)))
    }
}

impl Batch {
    fn check_count(&self, what: &str, given: usize) -> Result<()> {
        if given != self.games {
            return Err(Error::Value(format!("{given} {what} for {} games", self.games)));
        }
        Ok(())
    }

    fn arrays<'py>(&self, arrays: &Bound<'py, PyAny>) -> Result<Arrays<'py>> {
        let (games, options) = (self.games, &self.options);
        let shape = Shape::of(options.form, &options.rules);
        let mask = Action::count(options.rules.kingdom_size());
        Ok(Arrays {
            planes: attribute(arrays, "planes", games, shape.bytes)?,
            vector: attribute(arrays, "vector", games, shape.words)?,
            mask: attribute(arrays, "action_mask", games, mask)?,
            rewards: attribute(arrays, "rewards", games, options.rewarded())?,
            done: attribute(arrays, "done", games, 1)?,
            seat: attribute(arrays, "seat", games, 1)?,
            scores: attribute(arrays, "scores", games, options.rules.players())?,
            final_planes: attribute(arrays, "final_planes", games, shape.bytes)?,
            final_vector: attribute(arrays, "final_vector", games, shape.words)?,
            final_seat: attribute(arrays, "final_seat", games, 1)?,
        })
    }
}

/// The caller's arrays, borrowed while a step writes them.
struct Arrays<'py> {
    planes: PyReadwriteArrayDyn<'py, u8>,
    vector: PyReadwriteArrayDyn<'py, i16>,
    mask: PyReadwriteArrayDyn<'py, i8>,
    rewards: PyReadwriteArrayDyn<'py, f32>,
    done: PyReadwriteArrayDyn<'py, bool>,
    seat: PyReadwriteArrayDyn<'py, u8>,
    scores: PyReadwriteArrayDyn<'py, i16>,
    final_planes: PyReadwriteArrayDyn<'py, u8>,
    final_vector: PyReadwriteArrayDyn<'py, i16>,
    final_seat: PyReadwriteArrayDyn<'py, u8>,
}

impl Arrays<'_> {
    fn outputs(&mut self) -> Result<Outputs<'_>> {
        Ok(Outputs {
            bytes: self.planes.as_slice_mut().map_err(|_| not_contiguous("planes"))?,
            words: self.vector.as_slice_mut().map_err(|_| not_contiguous("vector"))?,
            mask: self.mask.as_slice_mut().map_err(|_| not_contiguous("action_mask"))?,
            rewards: self.rewards.as_slice_mut().map_err(|_| not_contiguous("rewards"))?,
            done: self.done.as_slice_mut().map_err(|_| not_contiguous("done"))?,
            seat: self.seat.as_slice_mut().map_err(|_| not_contiguous("seat"))?,
            scores: self.scores.as_slice_mut().map_err(|_| not_contiguous("scores"))?,
            final_bytes: self.final_planes.as_slice_mut().map_err(|_| not_contiguous("final_planes"))?,
            final_words: self.final_vector.as_slice_mut().map_err(|_| not_contiguous("final_vector"))?,
            final_seat: self.final_seat.as_slice_mut().map_err(|_| not_contiguous("final_seat"))?,
        })
    }
}

fn not_contiguous(name: &str) -> Error {
    Error::Value(format!("{name}: the array is not contiguous (in C order)"))
}

/// The attribute of this name as a writable array.
fn attribute<'py, T: Element>(
    arrays: &Bound<'py, PyAny>,
    name: &str,
    games: usize,
    width: usize,
) -> Result<PyReadwriteArrayDyn<'py, T>> {
    writable(&arrays.getattr(name)?, name, games, width)
}

/// A writable array with a row of this width for each game.
fn writable<'py, T: Element>(
    given: &Bound<'py, PyAny>,
    name: &str,
    games: usize,
    width: usize,
) -> Result<PyReadwriteArrayDyn<'py, T>> {
    let Ok(array) = given.cast::<PyArrayDyn<T>>() else {
        let kind = given.getattr("dtype").unwrap_or_else(|_| given.get_type().into_any());
        let expected = T::get_dtype(given.py());
        return Err(Error::Type(format!("{name} must be an array of {expected}, not {}", shown(&kind))));
    };
    if array.shape().first() != Some(&games) || array.len() != games * width {
        let shape = array.shape();
        let expected = format!("{games} rows of {width}");
        return Err(Error::Value(format!("{name}: an array of shape {shape:?} does not hold {expected}")));
    }
    // `as_slice_mut` also accepts arrays in Fortran order.
    if !array.is_c_contiguous() {
        return Err(not_contiguous(name));
    }
    array.try_readwrite().map_err(|error| Error::Value(format!("{name}: {error}")))
}

/// Return a seat's observation: planes and vector (docs/formats/observation.md). In the compact form the vector is
/// empty. Raises KingdominoError if the game does not have the seat, or if a line or a king is due.
#[pyfunction]
#[pyo3(signature = (position, seat, form = FormName(Form::Planes)), text_signature = "(position, seat, form='planes')")]
pub(crate) fn observe<'py>(
    py: Python<'py>,
    position: &Position,
    seat: Seat,
    form: FormName,
) -> Result<Bound<'py, PyTuple>> {
    let rules = position.0.rules();
    let seat = seat.under(rules)?;
    if matches!(position.0.stage(), Stage::Reveal | Stage::Draw) {
        return Err(Error::Value(Refusal::Waiting.to_string()));
    }
    let shape = Shape::of(form.0, rules);
    let (mut bytes, mut words) = (vec![0; shape.bytes], vec![0; shape.words]);
    let mut observer = engine::Observer::new(form.0, rules);
    observer.reset(&position.0);
    observer.write(&position.0, seat, &mut bytes, &mut words);
    let planes = PyArray1::from_vec(py, bytes);
    let planes = match form.0 {
        Form::Planes => {
            let side = 2 * rules.kingdom_size().squares() as usize - 1;
            planes.reshape([shape.bytes / (side * side), side, side])?.into_any()
        }
        Form::Compact => planes.into_any(),
    };
    Ok((planes, PyArray1::from_vec(py, words)).into_pyobject(py)?)
}

/// The fields of the vector of an observation, in order: (name, number of words, highest possible value).
#[pyfunction]
pub(crate) fn observation_fields<'py>(py: Python<'py>, rules: &Rules) -> PyResult<Bound<'py, PyList>> {
    let fields = engine::fields(&rules.0);
    PyList::new(py, fields.into_iter().map(|field| (field.name, field.length, field.highest)))
}

/// The reward of each seat ("rank", "win", "score" or "margin"); 0 for all before the end of the game.
/// Raises KingdominoError.
#[pyfunction]
pub(crate) fn rewards<'py>(
    py: Python<'py>,
    position: &Position,
    reward: RewardName,
) -> Result<Bound<'py, PyTuple>> {
    let rewards = engine::rewards(&position.0, reward.0);
    Ok(PyTuple::new(py, &rewards[..position.0.rules().players()])?)
}
