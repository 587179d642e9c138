//! Work that takes long: without the interpreter, and stopped by Ctrl-C.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::errors::{Result, stopped};

/// How often Python is asked whether somebody has pressed Ctrl-C.
const INTERVAL: Duration = Duration::from_millis(15);

/// Does the work while other threads may run Python. The work asks now and then, on this thread,
/// whether to go on, and comes to `None` where it was told not to.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&mut dyn FnMut() -> bool) -> Option<T> + Send,
) -> Result<T> {
    let mut raised = None;
    let done = py.detach(|| {
        let mut last = Instant::now();
        work(&mut || {
            if raised.is_none() && last.elapsed() >= INTERVAL {
                raised = Python::attach(|py| py.check_signals().err());
                last = Instant::now();
            }
            raised.is_none()
        })
    });
    match raised {
        Some(error) => Err(error.into()),
        None => done.ok_or_else(stopped),
    }
}
