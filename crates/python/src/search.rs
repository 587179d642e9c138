//! `kingdomino.Search`.

use std::time::Duration;

use kingdomino_search as engine;
use pyo3::prelude::*;

use crate::action::Action;
use crate::arguments::{Decision, Seed, Threads, argument, counted, shown};
use crate::errors::{Error, Result};
use crate::long::interruptible_by;
use crate::position::Position;
use crate::shared::Shared;
use crate::values;

argument!(
    /// Seconds of thought.
    Seconds(Duration),
    |value| {
        let seconds = value.extract::<f64>()?;
        Duration::try_from_secs_f64(seconds)
            .map_err(|_| Error::Value(format!("{} is not a time (a number of seconds, 0 or more)", shown(value))))
    }
);

argument!(
    /// Playouts of a search.
    Playouts(u64),
    |value| counted(value, 1.., "a number of playouts (1 or more)")
);

argument!(
    /// Nodes of a search.
    Nodes(usize),
    |value| counted(value, 1.., "a number of nodes (1 or more)")
);

/// A search for the best action of a position: what it knows, to be thought about further.
///
/// It samples what is hidden from the unseen dominoes, and never sees a deck.
/// Endings (every line that will be claimed from is known) are solved exactly instead, if there is time.
///
/// position: what everyone at the table can see; somebody must be to move.
/// seed: 0 to 2**64 - 1. With a limit of playouts the answer follows from it, whatever the number of
///     threads.
///
/// One thread at a time may use it: a call while another one thinks is a KingdominoError.
///
/// Source: max^n tree search with double progressive widening (crates/search/src/tree says which papers).
#[pyclass(frozen, module = "kingdomino")]
pub(crate) struct Search(Shared<Option<engine::Search>>);

impl Search {
    fn look<T>(&self, look: impl FnOnce(&mut engine::Search) -> T) -> Result<T> {
        self.0.with(|search| search.as_mut().map(look)).ok_or_else(busy)
    }
}

fn busy() -> Error {
    Error::Value("this search is thinking in another thread".into())
}

#[pymethods]
impl Search {
    #[new]
    #[pyo3(signature = (position, seed=Seed(0)), text_signature = "(position, seed=0)")]
    fn new(position: &Position, seed: Seed) -> Result<Search> {
        if position.0.to_move().is_none() {
            return Err(Error::Value("nobody is to move: there is nothing to search for".into()));
        }
        let growth = engine::TreeOptions::of(position.0.rules());
        let search = engine::Search::new(&position.0, growth, seed.0);
        Ok(Search(Shared::new(Some(search))))
    }

    /// What is thought about.
    #[getter]
    fn position(&self) -> Result<Position> {
        self.look(|search| Position(*search.position()))
    }

    /// How many playouts have been made from this position.
    #[getter]
    fn playouts(&self) -> Result<u64> {
        self.look(|search| search.playouts())
    }

    /// Thinks until the first limit is reached; without any, until it is stopped or has solved an ending.
    ///
    /// An ending is solved first. Where that takes more than half of the time, the rest goes to playouts, and
    /// the next call goes on solving. Something is always thought, however short the time.
    ///
    /// time: seconds.
    /// playouts: of this call, on all threads together.
    /// nodes: of the whole tree, some 150 bytes each; by default 2**21.
    /// threads: how many work together.
    /// stop: anything with a method is_set, like threading.Event: when it says True the search ends, within
    ///     20 ms.
    ///
    /// Returns whether a limit was reached (False: it was stopped). Runs without the interpreter's lock;
    /// Ctrl-C stops it. Raises KingdominoError.
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
        let mut search = self.0.with(Option::take).ok_or_else(busy)?;
        let stop = stop.map(Bound::unbind);
        let finished =
            interruptible_by(py, stop.as_ref(), |keep_going| search.run(&limit, threads.0, keep_going));
        self.0.with(|place| *place = Some(search));
        finished
    }

    /// The best action that has been found. Raises KingdominoError before any thought.
    fn best(&self) -> Result<Action> {
        let best = self.look(|search| search.best())?;
        best.map(Action).ok_or_else(|| Error::Value("nothing has been thought yet".into()))
    }

    /// Every legal action with what is known of it, the best first: an Analysis.
    fn analysis<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>> {
        let (analysis, seat) = self.look(|search| (search.analysis(), search.position().to_move()))?;
        // A search begins where a seat is to move; where it has advanced to a reveal, it has nothing to tell.
        Ok(values::analysis(py, &analysis, seat.unwrap_or_default())?)
    }

    /// Goes on to the position after an action, and keeps what is known of it. Where a line is revealed or
    /// a king drawn next there is nothing to keep; the search is then of no more use.
    ///
    /// Raises IllegalActionError.
    fn advance(&self, py: Python<'_>, action: Decision) -> Result<()> {
        let mut search = self.0.with(Option::take).ok_or_else(busy)?;
        let checked = search.position().check(action.0);
        if checked.is_ok() {
            let action = search.position().canonical(action.0);
            py.detach(|| search.advance(action));
        }
        self.0.with(|place| *place = Some(search));
        checked.map_err(|refusal| Error::illegal(refusal, action.0))
    }
}
