//! `kingdomino.Search`.

use std::time::Duration;

use kingdomino_search as engine;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::action::Action;
use crate::arguments::{Decision, List, Seed, Threads, argument, counted, measured, no_others};
use crate::errors::{Error, Result};
use crate::long::interruptible_by;
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

/// A search for the best action in one position. It can be continued.
///
/// It samples hidden dominoes from the unseen ones and never sees a deck. Endings, in which every line still to be
/// claimed from is known, are solved exactly if there is time.
///
/// position: the position; a seat must be to move.
/// seed: 0 to 2**64 - 1. With a limit of playouts the result follows from it, whatever the number of threads.
/// actions: legal actions to compare. Only these are searched. Each gets the same number of playouts, with the same
///     random numbers (common random numbers), so that a difference of two values is more accurate than the values.
///     By default all legal actions are searched, and better ones get more playouts.
///
/// Raises KingdominoError, and IllegalActionError for one of the actions.
///
/// Only one thread at a time may use it; a call while it runs in another thread raises KingdominoError.
///
/// Source: max^n tree search with double progressive widening (crates/search/src/tree says which papers).
#[pyclass(frozen, module = "kingdomino")]
pub(crate) struct Search(Shared<Option<engine::Search>>);

impl Search {
    fn read<T>(&self, read: impl FnOnce(&engine::Search) -> T) -> Result<T> {
        self.0.with(|search| search.as_ref().map(read)).ok_or_else(busy)
    }
}

fn nothing_to_decide() -> Error {
    Error::Value("no seat is to move: there is nothing to search for".into())
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
        Ok(Search(Shared::new(Some(search))))
    }

    /// The position being searched.
    #[getter]
    fn position(&self) -> Result<Position> {
        self.read(|search| Position(*search.position()))
    }

    /// The number of playouts from this position.
    #[getter]
    fn playouts(&self) -> Result<u64> {
        self.read(engine::Search::playouts)
    }

    /// Runs until the first limit is reached, it is stopped, or it has solved an ending. Always makes at least one
    /// playout, unless it solves an ending.
    ///
    /// An ending is solved first. If that takes more than half of the time, the rest goes to playouts, and the next
    /// call continues solving.
    ///
    /// time: seconds.
    /// playouts: of this call, on all threads together.
    /// nodes: of the whole tree, about 150 bytes each; by default 2**21. A full tree gets no more than one playout a
    ///     call. After `advance`, the search starts over if more than half of the nodes are in use. Without the other
    ///     limits, as many playouts end the call, too.
    /// threads: the most threads to use. Each grows trees of its own: at most 8 are used, and with a limit of playouts
    ///     at most one for every 16,384 of them.
    /// stop: an object with a method is_set, like threading.Event; the search ends within about 20 ms after it returns
    ///     True.
    ///
    /// Returns True if a limit was reached, False if it was stopped. Releases the interpreter's lock; Ctrl-C stops
    /// it. Raises KingdominoError, also where no seat is to move.
    #[pyo3(
        signature = (*, time=None, playouts=None, nodes=None, threads=Threads(1), stop=None),
        text_signature = "($self, *, time=None, playouts=None, nodes=None, threads=1, stop=None)"
    )]
    fn run(
        &self,
        py: Python<'_>,
        time: Option<Seconds>,
        playouts: Option<Playouts>,
        nodes: Option<Nodes>,
        threads: Threads,
        stop: Option<Bound<'_, PyAny>>,
    ) -> Result<bool> {
        let limit = engine::Limit {
            time: time.map(|time| time.0),
            playouts: playouts.map(|playouts| playouts.0),
            nodes: nodes.map(|nodes| nodes.0),
        };
        self.read(|search| search.position().to_move())?.ok_or_else(nothing_to_decide)?;
        let mut search = self.0.with(Option::take).ok_or_else(busy)?;
        let stop = stop.map(Bound::unbind);
        let finished =
            interruptible_by(py, stop.as_ref(), |keep_going| search.run(&limit, threads.0, keep_going));
        self.0.with(|place| *place = Some(search));
        finished
    }

    /// The best action found. Raises KingdominoError before the first run and where no seat is to move.
    fn best(&self) -> Result<Action> {
        let (best, seat) = self.read(|search| (search.best(), search.position().to_move()))?;
        seat.ok_or_else(nothing_to_decide)?;
        best.map(Action).ok_or_else(|| Error::Value("the search has not run yet".into()))
    }

    /// Every legal action, or those compared, with its values, the best first: an Analysis.
    fn analysis<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        let (analysis, seat) = self.read(|search| (search.analysis(), search.position().to_move()))?;
        // After `advance` to a reveal or a draw, no seat is to move and the analysis is empty.
        Ok(values::analysis(py, &analysis, seat.unwrap_or_default())?)
    }

    /// Moves on to the position after an action and keeps the tree. Figures count from there. If another of
    /// three or four players decides next, nothing is kept: the search takes them for greedy half of the time. If a line
    /// is revealed or a king drawn next, nothing is kept, and the search cannot run again.
    ///
    /// Raises IllegalActionError.
    fn advance(&self, py: Python<'_>, action: Decision) -> Result<()> {
        let mut search = self.0.with(Option::take).ok_or_else(busy)?;
        let advanced = py.detach(|| search.advance(action.0));
        self.0.with(|place| *place = Some(search));
        advanced.map_err(|refusal| Error::illegal(refusal, action.0))
    }
}
