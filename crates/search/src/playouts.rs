//! Many playouts of one position, on several threads, and single choices.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use kingdomino_rules::random::{Stream, hash};
use kingdomino_rules::{Action, Position, Stage};

use crate::cpu::{Cpu, Task, run_on_best};
use crate::greedy::Greedy;
use crate::playout::playout;
use crate::policy::{Decide, Random};
use crate::tally::{PlayoutResult, Tally};

/// How the seats decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Policy {
    /// Uniformly among the legal actions.
    Random,
    /// The placement with the highest score now; the claim whose domino then fits best.
    Greedy,
}

/// Playouts that share one random stream and are never parted, so that the number of threads does
/// not change what is drawn.
const CHUNK: u64 = 256;

/// How often somebody is asked whether to go on.
const PATIENCE: Duration = Duration::from_millis(20);

/// Plays a position to its end `n` times, every time over a newly sampled deck.
///
/// The same `seed` gives the same result for any number of threads (at least one is used).
/// `keep_going` is asked on the calling thread every 20 ms; where it says no, nothing is returned.
pub fn playouts(
    position: &Position,
    n: u64,
    policy: Policy,
    threads: usize,
    seed: u64,
    keep_going: &mut dyn FnMut() -> bool,
) -> Option<PlayoutResult> {
    let chunks = n.div_ceil(CHUNK);
    let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let work = || {
        let mut tally = Tally::default();
        while !stop.load(Ordering::Relaxed) {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            if chunk >= chunks {
                break;
            }
            let n = CHUNK.min(n - chunk * CHUNK);
            let random = Stream::new(seed, "playouts", chunk);
            run_on_best(Chunk { position, policy, n, random, tally: &mut tally });
        }
        tally
    };
    let threads = threads.clamp(1, chunks.max(1) as usize);
    let total = if chunks <= 1 { work() } else { on_threads(threads, &work, &stop, keep_going)? };
    Some(total.result(position.rules().players()))
}

/// The work of all threads together, unless it was to stop.
fn on_threads(
    threads: usize,
    work: &(impl Fn() -> Tally + Sync),
    stop: &AtomicBool,
    keep_going: &mut dyn FnMut() -> bool,
) -> Option<Tally> {
    let (done, results) = channel();
    thread::scope(|scope| {
        for _ in 0..threads {
            let done = done.clone();
            // Nobody listens any more only where the caller has stopped waiting.
            scope.spawn(move || done.send(work()).unwrap_or_default());
        }
        drop(done);
        let mut total = Tally::default();
        loop {
            match results.recv_timeout(PATIENCE) {
                Ok(tally) => total = total.merge(&tally),
                Err(RecvTimeoutError::Disconnected) => return Some(total),
                Err(RecvTimeoutError::Timeout) if keep_going() => {}
                Err(RecvTimeoutError::Timeout) => {
                    stop.store(true, Ordering::Relaxed);
                    return None;
                }
            }
        }
    })
}

/// Playouts that share one random stream.
struct Chunk<'a> {
    position: &'a Position,
    policy: Policy,
    n: u64,
    random: Stream,
    tally: &'a mut Tally,
}

impl Chunk<'_> {
    #[inline(always)]
    fn run_policy<D: Decide>(mut self, cpu: impl Cpu) {
        for _ in 0..self.n {
            let mut position = *self.position;
            playout::<D>(&mut position, &mut self.random, cpu);
            self.tally.add(&position);
        }
    }
}

impl Task for Chunk<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, cpu: impl Cpu) {
        match self.policy {
            Policy::Random => self.run_policy::<Random>(cpu),
            Policy::Greedy => self.run_policy::<Greedy>(cpu),
        }
    }
}

/// What a policy does here; `None` where nobody is to move. The choice depends on nothing but the
/// position and the seed.
pub fn choose(position: &Position, policy: Policy, seed: u64) -> Option<Action> {
    let random = Stream::new(seed, "choose", hash(position.to_string().as_bytes()));
    run_on_best(Choice { position, policy, random })
}

struct Choice<'a> {
    position: &'a Position,
    policy: Policy,
    random: Stream,
}

impl Choice<'_> {
    #[inline(always)]
    fn decide<D: Decide>(mut self, cpu: impl Cpu) -> Option<Action> {
        let position = self.position;
        match (position.stage(), position.domino()) {
            (Stage::Claim, _) => {
                let place = D::default().claim(position, &mut self.random, cpu);
                Some(Action::Claim(position.offered().domino(place)))
            }
            (_, Some(domino)) => {
                let placement = D::default().place(position, domino, &mut self.random, cpu);
                Some(placement.map_or(Action::Discard, Action::Place))
            }
            _ => None,
        }
    }
}

impl Task for Choice<'_> {
    type Output = Option<Action>;

    #[inline(always)]
    fn run(self, cpu: impl Cpu) -> Option<Action> {
        match self.policy {
            Policy::Random => self.decide::<Random>(cpu),
            Policy::Greedy => self.decide::<Greedy>(cpu),
        }
    }
}
