//! Threads that share out a step among them.
//!
//! A step takes less time than waking a sleeping thread does. So whoever asks for it begins at once and does
//! what the others have not begun, and the others stay awake for a moment when they have finished: the next
//! step is seldom far off.

use std::hint::spin_loop;
use std::process;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use kingdomino_search::{Task, run_on_best};
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder, Yield};

/// How long a thread waits awake before it sleeps.
const PATIENCE: Duration = Duration::from_micros(100);

/// Games that are not worth handing to another thread.
const FEW: usize = 32;

/// Into how many pieces the share of a thread is cut, so that the others can take some of them over where
/// it is held up.
const PIECES: usize = 4;

/// Something to be done with every one of many games.
pub(crate) trait Work: Task<Output = ()> + Send + Sized {
    /// With how many.
    fn games(&self) -> usize;

    /// Takes the first games off; there must be so many.
    fn take(&mut self, games: usize) -> Self;
}

/// Some threads: the caller's and its helpers.
#[derive(Debug)]
pub(crate) struct Team {
    /// None where the caller is enough.
    helpers: Option<Helpers>,
}

#[derive(Debug)]
struct Helpers {
    pool: ThreadPool,
    /// Whether each of them is looking out for work.
    awake: Arc<[AtomicBool]>,
    /// The process that they belong to; a fork of it has no helpers.
    process: u32,
}

impl Team {
    /// So many threads, the caller's included, but no more than can run at once.
    pub(crate) fn new(threads: usize) -> Result<Team, ThreadPoolBuildError> {
        let helpers = threads.min(available_parallelism().map_or(1, usize::from)).saturating_sub(1);
        if helpers == 0 {
            return Ok(Team { helpers: None });
        }
        let pool = ThreadPoolBuilder::new().num_threads(helpers).build()?;
        let awake = (0..helpers).map(|_| AtomicBool::new(false)).collect();
        Ok(Team { helpers: Some(Helpers { pool, awake, process: process::id() }) })
    }

    /// Does it on all threads.
    pub(crate) fn share(&self, work: impl Work) {
        match &self.helpers {
            Some(helpers) if work.games() > FEW && helpers.process == process::id() => helpers.share(work),
            _ => run_on_best(work),
        }
    }
}

impl Helpers {
    fn share(&self, work: impl Work) {
        let threads = self.awake.len() + 1;
        let piece = work.games().div_ceil(threads * PIECES).max(FEW);
        let shares: Vec<_> = cut(work, threads, piece);
        // Nobody is called who would find nothing.
        let called = shares.iter().filter(|share| !lock(share).is_empty()).count() - 1;
        self.wake();
        let busy = AtomicUsize::new(called);
        self.pool.in_place_scope(|scope| {
            for _ in 0..called {
                scope.spawn(|_| {
                    work_through(&shares, self.pool.current_thread_index().map_or(0, |index| index + 1));
                    busy.fetch_sub(1, Ordering::Release);
                });
            }
            work_through(&shares, 0);
            // The scope waits asleep.
            let begin = Instant::now();
            while busy.load(Ordering::Acquire) > 0 && begin.elapsed() < PATIENCE {
                spin_loop();
            }
        });
    }

    /// Has all of them look out for work.
    fn wake(&self) {
        if self.awake.iter().all(|awake| awake.load(Ordering::Relaxed)) {
            return;
        }
        let awake = self.awake.clone();
        self.pool.spawn_broadcast(move |helper| look_out(&awake[helper.index()]));
    }
}

/// Waits awake for work and does it, until there has been none for a while.
fn look_out(awake: &AtomicBool) {
    if awake.swap(true, Ordering::Relaxed) {
        return;
    }
    let mut last = Instant::now();
    while last.elapsed() < PATIENCE {
        if rayon::yield_now() == Some(Yield::Executed) {
            last = Instant::now();
        }
        spin_loop();
    }
    awake.store(false, Ordering::Relaxed);
}

type Share<W> = Mutex<Vec<W>>;

fn lock<W>(share: &Share<W>) -> impl std::ops::DerefMut<Target = Vec<W>> {
    share.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A share for each thread: neighbouring pieces, the same ones in every step, so that they stay in the
/// cache of its core.
fn cut<W: Work>(mut work: W, threads: usize, piece: usize) -> Vec<Share<W>> {
    let mut next = || {
        let games = work.games().min(piece);
        (games > 0).then(|| work.take(games))
    };
    (0..threads).map(|_| Mutex::new((0..PIECES).map_while(|_| next()).collect())).collect()
}

/// Does the own share, then what is left of the others'.
fn work_through<W: Work>(shares: &[Share<W>], own: usize) {
    let (before, after) = shares.split_at(own);
    for share in after.iter().chain(before) {
        loop {
            // The lock must be free again while the piece is worked on.
            let Some(piece) = lock(share).pop() else { break };
            run_on_best(piece);
        }
    }
}
