//! A thread pool for steps that take less time than waking a thread.
//!
//! The calling thread starts at once and takes over games that the workers have not started. Workers spin for a moment
//! after a step, since the next one often follows soon; docs/evidence/envs.md has the measured gain. The caller does
//! not wait for a worker that has lost its core.

use std::hint::spin_loop;
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{available_parallelism, yield_now};
use std::time::{Duration, Instant};

use kingdomino_search::{Task, run_on_best};
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder, Yield};

/// How long a worker spins before it sleeps.
const SPIN_TIME: Duration = Duration::from_micros(100);

/// The part of that time in which it does not yield its core.
const BUSY_SPIN_TIME: Duration = Duration::from_micros(30);

/// The longest that a spinning worker with a core takes to respond.
const RESPONSE_TIME: Duration = Duration::from_micros(3);

/// A worker's count of spins while it sleeps.
const ASLEEP: usize = 0;

/// The number of pieces in each thread's games. Other threads take some over if that thread is delayed.
const PIECES: usize = 8;

/// Work on each of many games.
pub(crate) trait Work: Task<Output = ()> + Send + Sized {
    /// The smallest piece that another thread may take: handing over fewer games costs more than it saves.
    const MIN_GAMES: usize;

    /// The number of games.
    fn games(&self) -> usize;

    /// Splits off the first games; there must be at least this many.
    fn take(&mut self, games: usize) -> Self;
}

/// The calling thread and its workers.
#[derive(Debug)]
pub(crate) struct Pool {
    /// None for a single thread.
    workers: Option<Workers>,
}

#[derive(Debug)]
struct Workers {
    pool: ThreadPool,
    /// How often each worker has looked for work since it woke.
    spins: Arc<[AtomicUsize]>,
    /// The process of the workers; a fork of it has none.
    process: u32,
}

impl Pool {
    /// A pool of `threads` threads, including the caller's, but at most one for each core.
    pub(crate) fn new(threads: usize) -> Result<Pool, ThreadPoolBuildError> {
        let workers = threads.min(available_parallelism().map_or(1, usize::from)).saturating_sub(1);
        if workers == 0 {
            return Ok(Pool { workers: None });
        }
        let pool = ThreadPoolBuilder::new().num_threads(workers).build()?;
        let spins = (0..workers).map(|_| AtomicUsize::new(ASLEEP)).collect();
        Ok(Pool { workers: Some(Workers { pool, spins, process: process::id() }) })
    }

    /// Runs the work on all threads.
    pub(crate) fn share<W: Work>(&self, work: W) {
        match &self.workers {
            Some(workers) if work.games() > W::MIN_GAMES && workers.process == process::id() => {
                workers.share(work);
            }
            _ => run_on_best(work),
        }
    }
}

impl Workers {
    fn share<W: Work>(&self, work: W) {
        let threads = self.spins.len() + 1;
        let piece = work.games().div_ceil(threads * PIECES).max(W::MIN_GAMES);
        let pieces = work.games().div_ceil(piece);
        let called = self.call().min(pieces - 1);
        let shares = cut(work, threads, PIECES * piece);
        let busy = AtomicUsize::new(called);
        self.pool.in_place_scope(|scope| {
            for _ in 0..called {
                scope.spawn(|_| {
                    let own = self.pool.current_thread_index().map_or(0, |index| index + 1);
                    work_through(&shares, own, piece);
                    busy.fetch_sub(1, Ordering::Release);
                });
            }
            work_through(&shares, 0, piece);
            // The scope's own wait puts this thread to sleep, so spin first.
            let begin = Instant::now();
            while busy.load(Ordering::Acquire) > 0 && begin.elapsed() < SPIN_TIME {
                spin_loop();
            }
        });
    }

    /// Wakes sleeping workers, and returns how many can start at once.
    fn call(&self) -> usize {
        let before: Vec<_> = self.spins.iter().map(|spins| spins.load(Ordering::Relaxed)).collect();
        if before.contains(&ASLEEP) {
            let spins = self.spins.clone();
            self.pool.spawn_broadcast(move |worker| wait_for_work(&spins[worker.index()]));
        }
        let begin = Instant::now();
        let has_core = |(spins, before): (&AtomicUsize, usize)| loop {
            if before == ASLEEP || spins.load(Ordering::Relaxed) != before {
                return true;
            }
            if begin.elapsed() > RESPONSE_TIME {
                return false;
            }
            spin_loop();
        };
        self.spins.iter().zip(before).filter(|worker| has_core(*worker)).count()
    }
}

/// Spins and runs tasks until none has come for a while.
fn wait_for_work(spins: &AtomicUsize) {
    if spins.load(Ordering::Relaxed) != ASLEEP {
        return;
    }
    let mut last = Instant::now();
    let mut idle = Duration::ZERO;
    while idle < SPIN_TIME {
        spins.fetch_add(1, Ordering::Relaxed);
        if rayon::yield_now() == Some(Yield::Executed) {
            last = Instant::now();
        } else if idle < BUSY_SPIN_TIME {
            spin_loop();
        } else {
            yield_now();
        }
        idle = last.elapsed();
    }
    spins.store(ASLEEP, Ordering::Relaxed);
}

/// The games of one thread: neighbours, and the same in every step, so that they stay in its core's cache.
struct Share<W> {
    rest: W,
    /// Whether that thread has started.
    begun: bool,
}

fn lock<W>(share: &Mutex<Share<W>>) -> MutexGuard<'_, Share<W>> {
    share.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Splits the work: `games` games for each thread until none are left.
fn cut<W: Work>(mut work: W, threads: usize, games: usize) -> Vec<Mutex<Share<W>>> {
    let mut share = || Share { rest: work.take(games.min(work.games())), begun: false };
    (0..threads).map(|_| Mutex::new(share())).collect()
}

/// Works through the thread's own games, then through those left by others, piece by piece.
fn work_through<W: Work>(shares: &[Mutex<Share<W>>], own: usize, piece: usize) {
    lock(&shares[own]).begun = true;
    // No lock is held while a piece is worked on.
    while let Some(work) = take_own(&shares[own], piece) {
        run_on_best(work);
    }
    for share in shares {
        while let Some(work) = take_over(share, piece) {
            run_on_best(work);
        }
    }
}

fn take_own<W: Work>(share: &Mutex<Share<W>>, piece: usize) -> Option<W> {
    let rest = &mut lock(share).rest;
    let games = rest.games().min(piece);
    (games > 0).then(|| rest.take(games))
}

/// Leaves the last piece to a thread that has started: that is faster than moving it to another core.
fn take_over<W: Work>(share: &Mutex<Share<W>>, piece: usize) -> Option<W> {
    let mut share = lock(share);
    let few = if share.begun { piece } else { 0 };
    let games = share.rest.games().min(piece);
    (share.rest.games() > few).then(|| share.rest.take(games))
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use kingdomino_search::Cpu;

    use super::*;

    /// Counts how often each game is played.
    struct Counted<'a>(Range<usize>, &'a [AtomicUsize]);

    impl Work for Counted<'_> {
        const MIN_GAMES: usize = 32;

        fn games(&self) -> usize {
            self.0.len()
        }

        fn take(&mut self, games: usize) -> Self {
            let middle = self.0.start + games;
            let taken = Counted(self.0.start..middle, self.1);
            self.0.start = middle;
            taken
        }
    }

    impl Task for Counted<'_> {
        type Output = ();

        fn run(self, _: impl Cpu) {
            self.1[self.0].iter().for_each(|played| {
                played.fetch_add(1, Ordering::Relaxed);
            });
        }
    }

    fn each_once(games: usize, play: impl FnOnce(Counted<'_>)) {
        let played: Vec<_> = (0..games).map(|_| AtomicUsize::new(0)).collect();
        play(Counted(0..games, &played));
        assert!(played.iter().all(|played| played.load(Ordering::Relaxed) == 1));
    }

    #[test]
    fn every_game_is_played_once_whatever_the_number_of_threads() {
        for games in [1, 32, 33, 100, 1000] {
            for threads in 0..4 {
                let pool = Pool::new(threads).expect("the system has threads");
                // Spinning and sleeping workers join in different ways.
                for _ in 0..100 {
                    each_once(games, |work| pool.share(work));
                }
            }
        }
    }

    #[test]
    fn one_thread_does_the_work_that_no_other_has_begun() {
        for own in 0..3 {
            each_once(500, |work| work_through(&cut(work, 3, 170), own, 50));
        }
    }
}
