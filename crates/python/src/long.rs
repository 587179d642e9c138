//! Work that takes long: without the interpreter, and stopped by Ctrl-C.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::errors::{Result, stopped};

/// How often Python is asked whether somebody has pressed Ctrl-C or set the event.
const INTERVAL: Duration = Duration::from_millis(5);

/// Does the work while other threads may run Python. The work asks now and then, on this thread,
/// whether to go on, and comes to `None` where it was told not to.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&mut dyn FnMut() -> bool) -> Option<T> + Send,
) -> Result<T> {
    interruptible_by(py, None, work)?.ok_or_else(stopped)
}

/// The same for work that may also be stopped by an event that some other thread sets, and that then has
/// something to show for it all the same.
pub(crate) fn interruptible_by<T: Send>(
    py: Python<'_>,
    stop: Option<&Py<PyAny>>,
    work: impl FnOnce(&mut dyn FnMut() -> bool) -> T + Send,
) -> Result<T> {
    let mut raised = None;
    let done = py.detach(|| {
        let (mut last, mut stopped) = (Instant::now(), false);
        work(&mut || {
            if raised.is_none() && !stopped && last.elapsed() >= INTERVAL {
                let asked = Python::attach(|py| {
                    py.check_signals()?;
                    stop.map_or(Ok(false), |stop| stop.bind(py).call_method0("is_set")?.is_truthy())
                });
                match asked {
                    Ok(answer) => stopped = answer,
                    Err(error) => raised = Some(error),
                }
                last = Instant::now();
            }
            raised.is_none() && !stopped
        })
    });
    match raised {
        Some(error) => Err(error.into()),
        None => Ok(done),
    }
}
