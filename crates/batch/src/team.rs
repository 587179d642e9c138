//! Threads that share out a step among them.
//!
//! A step can take less time than waking a sleeping thread does. So whoever asks for it begins at once and
//! does what the others have not begun, and the others stay awake for a moment when they have finished: the
//! next step is seldom far off. Where somebody else has their core, they are not waited for.

use std::hint::spin_loop;
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{available_parallelism, yield_now};
use std::time::{Duration, Instant};

use kingdomino_search::{Task, run_on_best};
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder, Yield};

/// How long a thread waits awake before it sleeps.
const PATIENCE: Duration = Duration::from_micros(100);

/// How long it keeps its core for that, whoever else wants it.
const EAGERNESS: Duration = Duration::from_micros(30);

/// How long a thread that is awake and has a core can take to show that.
const BLINK: Duration = Duration::from_micros(3);

/// What a helper's count of its looks is while it sleeps.
const ASLEEP: usize = 0;

/// Games that are not worth handing to another thread.
const FEW: usize = 32;

/// Into how many pieces the share of a thread is cut, so that the others can take some of them over where
/// it is held up.
const PIECES: usize = 8;

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
    /// How often each has looked out for work since it woke.
    looks: Arc<[AtomicUsize]>,
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
        let looks = (0..helpers).map(|_| AtomicUsize::new(ASLEEP)).collect();
        Ok(Team { helpers: Some(Helpers { pool, looks, process: process::id() }) })
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
        let threads = self.looks.len() + 1;
        let piece = work.games().div_ceil(threads * PIECES).max(FEW);
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
            // The scope waits asleep.
            let begin = Instant::now();
            while busy.load(Ordering::Acquire) > 0 && begin.elapsed() < PATIENCE {
                spin_loop();
            }
        });
    }

    /// Wakes those who sleep, and gives how many can come at once.
    fn call(&self) -> usize {
        let before: Vec<_> = self.looks.iter().map(|looks| looks.load(Ordering::Relaxed)).collect();
        if before.contains(&ASLEEP) {
            let looks = self.looks.clone();
            self.pool.spawn_broadcast(move |helper| look_out(&looks[helper.index()]));
        }
        let begin = Instant::now();
        let has_core = |(looks, before): (&AtomicUsize, usize)| loop {
            if before == ASLEEP || looks.load(Ordering::Relaxed) != before {
                return true;
            }
            if begin.elapsed() > BLINK {
                return false;
            }
            spin_loop();
        };
        self.looks.iter().zip(before).filter(|helper| has_core(*helper)).count()
    }
}

/// Waits awake for work and does it, until there has been none for a while.
fn look_out(looks: &AtomicUsize) {
    if looks.load(Ordering::Relaxed) != ASLEEP {
        return;
    }
    let mut last = Instant::now();
    let mut idle = Duration::ZERO;
    while idle < PATIENCE {
        looks.fetch_add(1, Ordering::Relaxed);
        if rayon::yield_now() == Some(Yield::Executed) {
            last = Instant::now();
        } else if idle < EAGERNESS {
            spin_loop();
        } else {
            yield_now();
        }
        idle = last.elapsed();
    }
    looks.store(ASLEEP, Ordering::Relaxed);
}

/// What one thread is to do: neighbouring games, the same ones in every step, so that they stay in the cache of
/// its core.
struct Share<W> {
    rest: W,
    /// Whether that thread is at work.
    begun: bool,
}

fn lock<W>(share: &Mutex<Share<W>>) -> MutexGuard<'_, Share<W>> {
    share.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A share for each thread, of so many games as long as there are any.
fn cut<W: Work>(mut work: W, threads: usize, games: usize) -> Vec<Mutex<Share<W>>> {
    let mut share = || Share { rest: work.take(games.min(work.games())), begun: false };
    (0..threads).map(|_| Mutex::new(share())).collect()
}

/// Does the own share, then what is left of the others', piece by piece.
fn work_through<W: Work>(shares: &[Mutex<Share<W>>], own: usize, piece: usize) {
    lock(&shares[own]).begun = true;
    // The locks must be free again while a piece is worked on.
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

/// Leaves the last piece to a thread that is at work: it would be done before it had come from core to core.
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

    /// Notes which games were played.
    struct Noted<'a>(Range<usize>, &'a [AtomicUsize]);

    impl Work for Noted<'_> {
        fn games(&self) -> usize {
            self.0.len()
        }

        fn take(&mut self, games: usize) -> Self {
            let middle = self.0.start + games;
            let taken = Noted(self.0.start..middle, self.1);
            self.0.start = middle;
            taken
        }
    }

    impl Task for Noted<'_> {
        type Output = ();

        fn run(self, _: impl Cpu) {
            self.1[self.0].iter().for_each(|played| {
                played.fetch_add(1, Ordering::Relaxed);
            });
        }
    }

    fn each_once(games: usize, play: impl FnOnce(Noted<'_>)) {
        let played: Vec<_> = (0..games).map(|_| AtomicUsize::new(0)).collect();
        play(Noted(0..games, &played));
        assert!(played.iter().all(|played| played.load(Ordering::Relaxed) == 1));
    }

    #[test]
    fn every_game_is_played_once_whatever_the_number_of_threads() {
        for games in [1, FEW, FEW + 1, 100, 1000] {
            for threads in 0..4 {
                let team = Team::new(threads).expect("there are threads");
                // Helpers that are awake take part otherwise than those that sleep.
                for _ in 0..100 {
                    each_once(games, |work| team.share(work));
                }
            }
        }
    }

    #[test]
    fn one_thread_does_what_no_other_has_begun() {
        for own in 0..3 {
            each_once(500, |work| work_through(&cut(work, 3, 170), own, 50));
        }
    }
}
