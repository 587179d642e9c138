//! Work on several threads that can be stopped.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// The time between two calls of `keep_going`.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Runs `work` on `threads` threads and returns the result of each. `work` must take its tasks from shared state, and
/// return when no task is left or `stop` is set.
///
/// Calls `keep_going` regularly on the calling thread. If it returns false, sets `stop` and returns `None`.
pub(crate) fn on_threads<T: Send>(
    threads: usize,
    stop: &AtomicBool,
    work: &(impl Fn() -> T + Sync),
    keep_going: &mut dyn FnMut() -> bool,
) -> Option<Vec<T>> {
    if cfg!(target_family = "wasm") {
        return Some(vec![work()]); // it has no threads and no clock
    }
    let (done, results) = channel();
    thread::scope(|scope| {
        for _ in 0..threads {
            let done = done.clone();
            // Sending fails only after the caller has stopped receiving.
            let spawned =
                thread::Builder::new().spawn_scoped(scope, move || done.send(work()).unwrap_or_default());
            if spawned.is_err() {
                // The system refuses more threads. Those already started share the work.
                break;
            }
        }
        drop(done);
        let mut all = Vec::new();
        loop {
            match results.recv_timeout(POLL_INTERVAL) {
                Ok(result) => all.push(result),
                Err(RecvTimeoutError::Disconnected) => {
                    // If no thread could be started, this thread does all the work. Otherwise no task is left.
                    all.push(work());
                    return Some(all);
                }
                Err(RecvTimeoutError::Timeout) if keep_going() => {}
                Err(RecvTimeoutError::Timeout) => {
                    stop.store(true, Ordering::Relaxed);
                    return None;
                }
            }
        }
    })
}
