//! Long work: releases the interpreter and stops on Ctrl-C.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::errors::{Result, stopped};

/// The time between two checks for signals and the event.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Does the work while other threads may run Python. The work must call its argument, `keep_going`, regularly on
/// this thread, and return `None` if it was stopped.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&mut dyn FnMut() -> bool) -> Option<T> + Send,
) -> Result<T> {
    interruptible_by(py, None, work)?.ok_or_else(stopped)
}

/// The same for work that another thread may also stop by an event, and that has a result then too.
pub(crate) fn interruptible_by<T: Send>(
    py: Python<'_>,
    stop: Option<&Py<PyAny>>,
    work: impl FnOnce(&mut dyn FnMut() -> bool) -> T + Send,
) -> Result<T> {
    let mut raised = None;
    let done = py.detach(|| {
        let (mut last, mut stopped) = (None::<Instant>, false);
        work(&mut || {
            let is_due = last.is_none_or(|last| last.elapsed() >= POLL_INTERVAL);
            if raised.is_none() && !stopped && is_due {
                let asked = Python::attach(|py| {
                    py.check_signals()?;
                    stop.map_or(Ok(false), |stop| stop.bind(py).call_method0("is_set")?.is_truthy())
                });
                match asked {
                    Ok(answer) => stopped = answer,
                    Err(error) => raised = Some(error),
                }
                last = Some(Instant::now());
            }
            raised.is_none() && !stopped
        })
    });
    match raised {
        Some(error) => Err(error.into()),
        None => Ok(done),
    }
}
