//! Many playouts from one position, on several threads.

mod playout;
mod tally;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use kingdomino_rules::Position;
use kingdomino_rules::random::Stream;

pub(crate) use self::playout::{draw_line, play_round, playout, sample_king, sample_line};
pub use self::tally::PlayoutResult;
use self::tally::Tally;
use crate::cpu::{Cpu, Task, run_on_best};
use crate::policies::{
    Decide, FullGreedy, Greedy, GreedyPlacement, Policy, Random, Tuned, Weighted, Weights,
};
use crate::terminal::TerminalValue;
use crate::threads::on_threads;

/// The number of playouts that share one random stream. They run on one thread, so that the number of threads does not
/// change the result.
const CHUNK: u64 = 256;

/// Plays a position to its end `n` times, each time with a newly sampled deck, and returns the statistics.
///
/// The result follows from `seed`, whatever the number of threads (at least one is used). Calls `keep_going` on the
/// calling thread every few milliseconds; returns `None` if it returns false.
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
    let total = if chunks <= 1 {
        work()
    } else {
        let tallies = on_threads(threads, &stop, &work, keep_going)?;
        tallies.iter().fold(Tally::default(), Tally::merge)
    };
    Some(total.result(position.rules().players()))
}

/// The playouts of one random stream.
struct Chunk<'a> {
    position: &'a Position,
    policy: Policy,
    n: u64,
    random: Stream,
    tally: &'a mut Tally,
}

impl Chunk<'_> {
    #[inline(always)]
    fn run_policy<D: Decide>(mut self, cpu: impl Cpu, seats: impl Fn() -> D) {
        let kings = self.position.kings_to_draw();
        for _ in 0..self.n {
            let mut position = *self.position;
            playout(&mut position, &mut seats(), kings.clone(), &mut self.random, cpu);
            self.tally.add(&TerminalValue::of(&position), position.rules().players());
        }
    }
}

impl Task for Chunk<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, cpu: impl Cpu) {
        match self.policy {
            Policy::Random => self.run_policy(cpu, || Random),
            Policy::Greedy => self.run_policy(cpu, Greedy::default),
            Policy::Gprd => self.run_policy(cpu, GreedyPlacement::default),
            Policy::Fg => self.run_policy(cpu, FullGreedy::default),
            Policy::Tuned => {
                let weights = Weights::of(self.position.rules());
                self.run_policy(cpu, || Tuned::new(weights));
            }
            Policy::Weighted(weights) => self.run_policy(cpu, || Weighted::new(weights)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Portable;
    use kingdomino_rules::{Game, Rules};

    fn start(rules: &str) -> Position {
        *Game::new(rules.parse::<Rules>().expect("a rules set"), 1).start()
    }

    fn run(position: &Position, n: u64, policy: Policy, threads: usize) -> PlayoutResult {
        playouts(position, n, policy, threads, 7, &mut || true).expect("it was not stopped")
    }

    #[test]
    fn the_result_does_not_depend_on_the_number_of_threads() {
        for policy in [Policy::Random, Policy::Greedy, Policy::Gprd, Policy::Fg] {
            let one = run(&start("3.second.random.harmony"), 3_000, policy, 1);
            assert_eq!(run(&start("3.second.random.harmony"), 3_000, policy, 2), one);
            assert_eq!(run(&start("3.second.random.harmony"), 3_000, policy, 5), one);
        }
    }

    #[test]
    fn the_result_does_not_depend_on_the_processor() {
        for policy in [Policy::Random, Policy::Greedy, Policy::Gprd, Policy::Fg] {
            let position = start("4.second.random");
            let tallies = [true, false].map(|best| {
                let mut tally = Tally::default();
                let random = Stream::new(3, "test", 0);
                let chunk = Chunk { position: &position, policy, n: 500, random, tally: &mut tally };
                if best {
                    run_on_best(chunk);
                } else {
                    chunk.run(Portable);
                }
                tally
            });
            assert_eq!(tallies[0], tallies[1]);
        }
    }

    /// An independent program measured 19.09, 19.3 and 52.5 points for uniformly random play.
    #[test]
    fn random_play_reaches_the_known_scores() {
        for (rules, expected) in
            [("2.second.random", 19.09), ("4.second.random", 19.3), ("2.second.random.duel", 52.5)]
        {
            let n = 20_000;
            let result = run(&start(rules), n, Policy::Random, 2);
            for (mean, deviation) in result.mean_scores.iter().zip(&result.score_deviations) {
                let error = deviation / (n as f64).sqrt();
                assert!((mean - expected).abs() < 5.0 * error + 0.05, "{rules}: {mean} ± {error}");
            }
            assert!((result.win_rates.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn playouts_stop_on_request() {
        let stopped = playouts(&start("2.second.random"), u64::MAX, Policy::Random, 2, 1, &mut || false);
        assert_eq!(stopped, None);
    }

    #[test]
    fn a_finished_position_has_one_result() {
        let mut game = Game::new(Rules::default(), 5);
        while let Some(action) = game.position().legal_actions().first().copied() {
            game.play(action).expect("the action is legal");
        }
        let outcome = game.position().outcome().expect("the game is over");
        let result = run(game.position(), 10, Policy::Random, 1);
        let scores: Vec<f64> = outcome.scores.iter().map(|score| f64::from(score.total())).collect();
        assert_eq!(result.mean_scores, scores);
        assert_eq!(result.score_deviations, [0.0, 0.0]);
    }

    /// A measurement: prints how much faster playouts are with the instructions of this machine, in processor time.
    /// `cargo test --release -p kingdomino-search -- --ignored --nocapture instructions`
    #[test]
    #[cfg(unix)]
    #[ignore = "a measurement"]
    fn the_speed_up_by_instructions_of_this_machine() {
        let seconds = || {
            let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
            time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
        };
        for (rules, policy, n) in [
            ("2.second.random", Policy::Random, 50_000),
            ("4.second.random", Policy::Random, 25_000),
            ("2.second.random.duel", Policy::Random, 25_000),
            ("2.second.random", Policy::Greedy, 10_000),
        ] {
            let position = start(rules);
            let mut rates = [Vec::new(), Vec::new()];
            // In turn, so that a change of the machine's load affects both.
            for counter in 0..21 {
                for (best, rates) in [true, false].into_iter().zip(&mut rates) {
                    let (mut tally, begin) = (Tally::default(), seconds());
                    let random = Stream::new(3, "test", counter);
                    let chunk = Chunk { position: &position, policy, n, random, tally: &mut tally };
                    if best {
                        run_on_best(chunk);
                    } else {
                        chunk.run(Portable);
                    }
                    rates.push(n as f64 / (seconds() - begin));
                }
            }
            let [best, portable] = rates.map(|mut rates| {
                rates.sort_by(f64::total_cmp);
                rates[10]
            });
            println!(
                "{policy:?}, {rules}: {best:.0} playouts a second, portable {portable:.0}: {:.2}",
                best / portable
            );
        }
    }
}
