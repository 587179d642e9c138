//! `kingdomino.Search`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use kingdomino_search as engine;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::action::Action;
use crate::arguments::{Decision, List, Seed, Threads, argument, counted, measured, no_others};
use crate::errors::{Error, Result};
use crate::long::{POLL_INTERVAL, interruptible, interruptible_by};
use crate::playouts::Playouts;
use crate::position::Position;
use crate::shared::Shared;
use crate::values;

argument!(
    /// Seconds. The longest time is below what a `Duration` can hold.
    Seconds(Duration),
    |value| {
        measured(value, 0.0..1e19, "a time (a number of seconds, 0 or more)").map(Duration::from_secs_f64)
    }
);

argument!(
    /// A number of nodes.
    Nodes(usize),
    |value| counted(value, 1.., "a number of nodes (1 or more)")
);

/// A search for the best action in one position. Another run continues it.
///
/// It samples hidden dominoes from the unseen ones and never sees a deck. Endings, in which every line still to be
/// claimed from is known, are solved exactly if there is time.
///
/// position: the position; a seat must be to move.
/// seed: 0 to 2**64 - 1. With a limit of playouts, the same seed gives the same result, with any number of threads.
/// actions: legal actions to compare. Only these are searched. Each gets the same number of playouts, with the same
///     random numbers (common random numbers), so that a difference of two values is more accurate than the values.
///     By default all legal actions are searched, and better ones get more playouts. Equivalent placements count as one.
///
/// Raises KingdominoError, and IllegalActionError for one of the actions.
///
/// Only one thread at a time may use it; a call while it runs in another thread raises KingdominoError.
///
/// Source: max^n tree search with double progressive widening (crates/search/src/tree says which papers).
#[pyclass(frozen, module = "kingdomino")]
pub(crate) struct Search(Arc<Shared<Option<engine::Search>>>);

impl Search {
    /// Takes the search for a run.
    fn take(&self) -> Result<engine::Search> {
        self.0.with(Option::take).ok_or_else(busy)
    }

    fn give_back(&self, search: engine::Search) {
        self.0.with(|place| *place = Some(search));
    }

    fn read<T>(&self, read: impl FnOnce(&engine::Search) -> T) -> Result<T> {
        self.0.with(|search| search.as_ref().map(read)).ok_or_else(busy)
    }
}

fn limit(time: Option<Seconds>, playouts: Option<Playouts>, nodes: Option<Nodes>) -> engine::Limit {
    engine::Limit {
        time: time.map(|time| time.0),
        playouts: playouts.map(|playouts| playouts.0),
        nodes: nodes.map(|nodes| nodes.0),
    }
}

fn nothing_to_decide() -> Error {
    Error::Value("no seat is to move: there is nothing to search for".into())
}

fn no_thread() -> Error {
    Error::Value("the system allows no more threads".into())
}

fn failed() -> Error {
    Error::Value("the thread of this search has failed".into())
}

fn busy() -> Error {
    Error::Value("this search is running in another thread".into())
}

#[pymethods]
impl Search {
    #[new]
    #[pyo3(
        signature = (position, seed=Seed(0), *, actions=None, **unknown),
        text_signature = "(position, seed=0, *, actions=None)"
    )]
    fn new(
        position: &Position,
        seed: Seed,
        actions: Option<List<Decision>>,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> Result<Search> {
        no_others::<Search>(unknown)?;
        if position.0.to_move().is_none() {
            return Err(nothing_to_decide());
        }
        let options = engine::TreeOptions::of(position.0.rules());
        let search = match actions {
            None => engine::Search::new(&position.0, options, seed.0),
            Some(List(actions)) if actions.is_empty() => {
                return Err(Error::Value("there are no actions to compare".into()));
            }
            Some(List(actions)) => {
                for action in &actions {
                    let checked = position.0.check(action.0);
                    checked.map_err(|refusal| Error::illegal(refusal, action.0))?;
                }
                let actions: Vec<_> = actions.into_iter().map(|action| action.0).collect();
                engine::Search::comparing(&actions, &position.0, options, seed.0)
            }
        };
        Ok(Search(Arc::new(Shared::new(Some(search)))))
    }

    /// The position being searched.
    #[getter]
    fn position(&self) -> Result<Position> {
        self.read(|search| Position(*search.position()))
    }

    /// The number of playouts from this position, as limits count them: an ending that takes long to solve counts as
    /// several. The analysis has those really made.
    #[getter]
    fn playouts(&self) -> Result<u64> {
        self.read(engine::Search::playouts)
    }

    /// Run until the first limit is reached, another thread stops the search, or an ending is solved. Return a Stop that
    /// says which. A run makes at least one playout, unless it solves an ending.
    ///
    /// An ending is solved first. If that takes more than half of the time, the rest goes to playouts, and the next
    /// call continues solving.
    ///
    /// time: seconds.
    /// playouts: of this call, on all threads together; an ending that takes long to solve counts as several.
    /// nodes: of the whole tree, about 150 bytes each; by default 2**21. A full tree gets no more than one playout a
    ///     call. After `advance`, the search starts over if more than half of the nodes are in use. Without the other
    ///     limits, the call also ends after this number of playouts.
    /// threads: the most threads to use. Each grows trees of its own: at most 8, and at most one per 16,384 playouts
    ///     of a limit.
    /// stop: an object with a method is_set, like threading.Event; the search ends within about 20 ms after it returns
    ///     True.
    ///
    /// Other Python threads run meanwhile; Ctrl-C stops the search. Raises KingdominoError, also where no seat is to
    /// move.
    #[pyo3(
        signature = (*, time=None, playouts=None, nodes=None, threads=Threads(1), stop=None),
        text_signature = "($self, *, time=None, playouts=None, nodes=None, threads=1, stop=None)"
    )]
    fn run<'py>(
        &self,
        py: Python<'py>,
        time: Option<Seconds>,
        playouts: Option<Playouts>,
        nodes: Option<Nodes>,
        threads: Threads,
        stop: Option<Bound<'_, PyAny>>,
    ) -> Result<Bound<'py, PyAny>> {
        let limit = limit(time, playouts, nodes);
        let mut search = self.take()?;
        let stop = stop.map(Bound::unbind);
        let ended =
            interruptible_by(py, stop.as_ref(), |keep_going| search.run(&limit, threads.0, keep_going));
        self.give_back(search);
        Ok(values::stop(py, ended?.ok_or_else(nothing_to_decide)?)?)
    }

    /// Start a run like `run` in a thread of its own, and return a RunningSearch at once. Until the run ends, other calls
    /// of this search raise KingdominoError.
    ///
    /// time, playouts, nodes, threads: as for `run`.
    ///
    /// Raises KingdominoError, also where no seat is to move.
    #[pyo3(
        signature = (*, time=None, playouts=None, nodes=None, threads=Threads(1)),
        text_signature = "($self, *, time=None, playouts=None, nodes=None, threads=1)"
    )]
    fn start(
        &self,
        time: Option<Seconds>,
        playouts: Option<Playouts>,
        nodes: Option<Nodes>,
        threads: Threads,
    ) -> Result<RunningSearch> {
        self.read(|search| search.position().to_move())?.ok_or_else(nothing_to_decide)?;
        let limit = limit(time, playouts, nodes);
        let (stop, place) = (Arc::new(AtomicBool::new(false)), Arc::clone(&self.0));
        let (done, news) = channel();
        let (hand_over, taken) = channel::<engine::Search>();
        let running =
            RunningSearch { stop: Arc::clone(&stop), news: Shared::new(news), ended: OnceLock::new() };
        let work = move || {
            // The sender is dropped if another thread runs the search.
            let Ok(mut search) = taken.recv() else { return };
            let ended = search.run(&limit, threads.0, &mut || !stop.load(Ordering::Relaxed));
            place.with(|place| *place = Some(search));
            if let Some(ended) = ended {
                // The receiver is gone if Python has deleted the RunningSearch.
                done.send(ended).ok();
            }
        };
        // Take the search only once there is a thread for it, so that it cannot get lost.
        thread::Builder::new().spawn(work).map_err(|_| no_thread())?;
        hand_over.send(self.take()?).map_err(|_| failed())?;
        Ok(running)
    }

    /// Return the best action found. Raises KingdominoError before the first run and where no seat is to move.
    fn best(&self) -> Result<Action> {
        let (best, seat) = self.read(|search| (search.best(), search.position().to_move()))?;
        seat.ok_or_else(nothing_to_decide)?;
        best.map(Action).ok_or_else(|| Error::Value("the search has not run yet".into()))
    }

    /// Return every legal action, or those compared, with its values, the best first: an Analysis. Equivalent placements
    /// have one entry, for `Position.equivalent`, or for the first of those compared.
    fn analysis<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        let (analysis, seat) = self.read(|search| (search.analysis(), search.position().to_move()))?;
        // After `advance` to a reveal or a draw, no seat is to move and the analysis is empty.
        Ok(values::analysis(py, &analysis, seat.unwrap_or_default())?)
    }

    /// Move on to the position after an action and keep the tree. Figures count from there. If another of
    /// three or four players decides next, the search drops the tree: in it, those players may decide greedily.
    /// If a line is revealed or a king drawn next, it also drops the tree, and cannot run again.
    ///
    /// Raises IllegalActionError.
    fn advance(&self, py: Python<'_>, action: Decision) -> Result<()> {
        let mut search = self.take()?;
        let advanced = py.detach(|| search.advance(action.0));
        self.give_back(search);
        advanced.map_err(|refusal| Error::illegal(refusal, action.0))
    }
}

/// A search that runs in a thread of its own, made by `Search.start`. Deleting it stops the run. The end of a `with`
/// statement stops the run, too, and waits for it.
#[pyclass(frozen, module = "kingdomino")]
pub(crate) struct RunningSearch {
    stop: Arc<AtomicBool>,
    news: Shared<Receiver<engine::Stop>>,
    ended: OnceLock<engine::Stop>,
}

impl RunningSearch {
    /// Waits a few milliseconds for the end.
    fn ended(&self) -> std::result::Result<engine::Stop, RecvTimeoutError> {
        self.news.with(|news| match self.ended.get() {
            Some(ended) => Ok(*ended),
            None => news.recv_timeout(POLL_INTERVAL).map(|ended| *self.ended.get_or_init(|| ended)),
        })
    }
}

impl Drop for RunningSearch {
    fn drop(&mut self) {
        self.stop();
    }
}

#[pymethods]
impl RunningSearch {
    /// Stop the run, which ends within about 20 ms. Do nothing if it has ended.
    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Wait until the run ends, and return the reason: a Stop. Return None if it has not ended after `timeout` seconds.
    ///
    /// Other Python threads run meanwhile; Ctrl-C ends the wait, but not the run. Raises KingdominoError.
    #[pyo3(signature = (timeout=None))]
    fn wait<'py>(&self, py: Python<'py>, timeout: Option<Seconds>) -> Result<Option<Bound<'py, PyAny>>> {
        let end = timeout.and_then(|timeout| Instant::now().checked_add(timeout.0));
        let ended = interruptible(py, |keep_going| {
            loop {
                match self.ended() {
                    Ok(ended) => return Some(Ok(Some(ended))),
                    Err(RecvTimeoutError::Disconnected) => return Some(Err(failed())),
                    Err(RecvTimeoutError::Timeout) if end.is_some_and(|end| Instant::now() >= end) => {
                        return Some(Ok(None));
                    }
                    Err(RecvTimeoutError::Timeout) if keep_going() => {}
                    Err(RecvTimeoutError::Timeout) => return None,
                }
            }
        })?;
        Ok(ended?.map(|ended| values::stop(py, ended)).transpose()?)
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, py: Python<'_>, _error: &Bound<'_, PyTuple>) -> Result<()> {
        self.stop();
        self.wait(py, None).map(|_| ())
    }
}
