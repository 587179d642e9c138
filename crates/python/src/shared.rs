//! Mutable values that several Python threads may use.

use std::sync::{Mutex, PoisonError};

/// A value behind a mutex. No Python code may run while it is locked, so waits are short and deadlocks impossible.
pub(crate) struct Shared<T>(Mutex<T>);

impl<T> Shared<T> {
    pub(crate) const fn new(value: T) -> Shared<T> {
        Shared(Mutex::new(value))
    }

    /// Reads or changes the value.
    pub(crate) fn with<R>(&self, access: impl FnOnce(&mut T) -> R) -> R {
        // The engine's values are consistent even after a panic.
        access(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<T: Clone> Shared<T> {
    /// A copy of the current value.
    pub(crate) fn snapshot(&self) -> T {
        self.with(|value| value.clone())
    }
}

impl<T: Clone + PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Shared<T>) -> bool {
        // Never locks both at once: another thread may compare the same two values in the other order.
        let other = other.snapshot();
        self.with(|value| *value == other)
    }
}
