//! How long a search may run.

use std::time::{Duration, Instant};

/// Limits of a search. The first one reached ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limit {
    /// Elapsed time.
    pub time: Option<Duration>,
    /// Playouts on all threads together.
    pub playouts: Option<u64>,
    /// Nodes of the tree, which take most of the memory. Each search has a default.
    pub nodes: Option<usize>,
}

/// Why a run of a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The time is over, or the playouts are made.
    Limit,
    /// Another thread stopped it.
    Stopped,
    /// All trees are full. Without another limit: or they have made one playout per allowed node.
    Full,
    /// The position is an ending, and its values are exact.
    Solved,
}

impl Stop {
    /// Its name: `limit`, `stopped`, `full` or `solved`.
    pub const fn name(self) -> &'static str {
        match self {
            Stop::Limit => "limit",
            Stop::Stopped => "stopped",
            Stop::Full => "full",
            Stop::Solved => "solved",
        }
    }
}

/// The clock of one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    end: Option<Instant>,
}

impl Clock {
    pub(crate) fn start(limit: &Limit) -> Clock {
        Clock { end: limit.time.and_then(|time| Instant::now().checked_add(time)) }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }
}
