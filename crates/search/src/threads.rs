//! Work shared out among threads, that can be told to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How often `keep_going` is asked.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// What the work comes to on each of so many threads; the work takes its tasks from wherever the threads share
/// them, and ends when no task is left or `stop` is set.
///
/// `keep_going` is asked on the calling thread; where it says no, `stop` is set and nothing is returned.
pub(crate) fn on_threads<T: Send>(
    threads: usize,
    stop: &AtomicBool,
    work: &(impl Fn() -> T + Sync),
    keep_going: &mut dyn FnMut() -> bool,
) -> Option<Vec<T>> {
    let (done, results) = channel();
    thread::scope(|scope| {
        for _ in 0..threads {
            let done = done.clone();
            // Sending fails only after the caller has stopped waiting.
            let spawned =
                thread::Builder::new().spawn_scoped(scope, move || done.send(work()).unwrap_or_default());
            if spawned.is_err() {
                // The system gives no more threads; those that there are share the work.
                break;
            }
        }
        drop(done);
        let mut all = Vec::new();
        loop {
            match results.recv_timeout(POLL_INTERVAL) {
                Ok(result) => all.push(result),
                Err(RecvTimeoutError::Disconnected) => {
                    // Where no thread could be had, this one does what is left, which is everything.
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
