//! Values that change in Python, and that several threads may hold.

use std::sync::{Mutex, PoisonError};

/// A value behind a mutex that is locked only for one look or one change, in which no Python code may
/// run: so nobody ever waits for long, and nobody can be locked out by himself.
pub(crate) struct Shared<T>(Mutex<T>);

impl<T> Shared<T> {
    pub(crate) const fn new(value: T) -> Shared<T> {
        Shared(Mutex::new(value))
    }

    /// A look at the value, or a change to it.
    pub(crate) fn with<R>(&self, use_it: impl FnOnce(&mut T) -> R) -> R {
        // The engine's values are whole at all times, even if a panic should have poisoned the mutex.
        use_it(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<T: Clone> Shared<T> {
    /// The value as it is now.
    pub(crate) fn snapshot(&self) -> T {
        self.with(|value| value.clone())
    }
}

impl<T: Clone + PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Shared<T>) -> bool {
        // Never both locked at once: two threads may compare the same two values the other way round.
        let other = other.snapshot();
        self.with(|value| *value == other)
    }
}
