//! Many playouts of one position, on several threads, and single choices.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use kingdomino_rules::random::{Stream, hash_shown};
use kingdomino_rules::{Action, Position, Rules, Stage, kings_to_draw};

use crate::cpu::{Cpu, Task, run_on_best};
use crate::field::{FullGreedy, GreedyPlacement};
use crate::finish::Finish;
use crate::greedy::Greedy;
use crate::playout::playout;
use crate::policy::{Decide, Random};
use crate::tally::{PlayoutResult, Tally};
use crate::threads::on_threads;
use crate::tuned::{Tuned, Weighed};
use crate::weights::Weights;

/// How the seats decide.
#[allow(clippy::large_enum_variant)] // it is copied once for hundreds of playouts
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Policy {
    /// Uniformly among the legal actions.
    Random,
    /// The placement with the highest score now; the claim whose domino then fits best.
    Greedy,
    /// The same, with what is still to come in view; see `Weights`.
    Tuned,
    /// The published player GPRD: greedy placements, random claims; see `field`.
    Gprd,
    /// The published player FG: greedy for the placement and the claim together; see `field`.
    Fg,
    /// Tuned, with weights of its own for each seat.
    Weighed([Weights; Rules::MOST]),
}

/// Playouts that share one random stream and are never parted, so that the number of threads does
/// not change what is drawn.
const CHUNK: u64 = 256;

/// Plays a position to its end `n` times, every time over a newly sampled deck.
///
/// The same `seed` gives the same result for any number of threads (at least one is used).
/// `keep_going` is asked on the calling thread every few milliseconds; where it says no, nothing is returned.
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
    fn run_policy<D: Decide>(mut self, cpu: impl Cpu, seats: impl Fn() -> D) {
        let kings = kings_to_draw(self.position);
        for _ in 0..self.n {
            let mut position = *self.position;
            playout(&mut position, &mut seats(), kings.clone(), &mut self.random, cpu);
            self.tally.add(&Finish::of(&position), position.rules().players());
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
            Policy::Weighed(weights) => self.run_policy(cpu, || Weighed::new(weights)),
        }
    }
}

/// What a policy does here; `None` where nobody is to move. The choice depends on nothing but the
/// position and the seed.
pub fn choose(position: &Position, policy: Policy, seed: u64) -> Option<Action> {
    let counter = match policy {
        // These draw nothing, and writing the position down takes longer than they think.
        Policy::Greedy | Policy::Tuned | Policy::Weighed(_) => 0,
        Policy::Random | Policy::Gprd | Policy::Fg => hash_shown(position),
    };
    let random = Stream::new(seed, "choose", counter);
    run_on_best(Choice { position, policy, random })
}

struct Choice<'a> {
    position: &'a Position,
    policy: Policy,
    random: Stream,
}

impl Choice<'_> {
    #[inline(always)]
    fn decide(mut self, cpu: impl Cpu, mut seats: impl Decide) -> Option<Action> {
        let position = self.position;
        match (position.stage(), position.domino()) {
            (Stage::Claim, _) => {
                let place = seats.claim(position, &mut self.random, cpu);
                Some(Action::Claim(position.offered().domino(place)))
            }
            (_, Some(domino)) => {
                let spot = seats.place(position, domino, &mut self.random, cpu);
                Some(spot.map_or(Action::Discard, |spot| Action::Place(spot.into())))
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
            Policy::Random => self.decide(cpu, Random),
            Policy::Greedy => self.decide(cpu, Greedy::default()),
            Policy::Gprd => self.decide(cpu, GreedyPlacement::default()),
            Policy::Fg => self.decide(cpu, FullGreedy::default()),
            Policy::Tuned => {
                let weights = Weights::of(self.position.rules());
                self.decide(cpu, Tuned::new(weights))
            }
            Policy::Weighed(weights) => self.decide(cpu, Weighed::new(weights)),
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
        playouts(position, n, policy, threads, 7, &mut || true).expect("nobody said stop")
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        for policy in [Policy::Random, Policy::Greedy, Policy::Gprd, Policy::Fg] {
            let one = run(&start("3.second.random.harmony"), 3_000, policy, 1);
            assert_eq!(run(&start("3.second.random.harmony"), 3_000, policy, 2), one);
            assert_eq!(run(&start("3.second.random.harmony"), 3_000, policy, 5), one);
        }
    }

    #[test]
    fn the_processor_changes_nothing() {
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

    /// 19.09, 19.3 and 52.5 points: what uniformly random play came to in an independent program.
    #[test]
    fn random_play_scores_what_it_should() {
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
    fn playouts_stop_when_told_to() {
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
        let scores: Vec<f64> = outcome.scores.iter().map(|score| f64::from(*score)).collect();
        assert_eq!(result.mean_scores, scores);
        assert_eq!(result.score_deviations, [0.0, 0.0]);
    }

    #[test]
    fn choices_are_legal_and_depend_on_seed_and_position_only() {
        for policy in [Policy::Random, Policy::Greedy, Policy::Gprd, Policy::Fg] {
            let mut game = Game::new(Rules::default(), 11);
            while !game.position().is_over() {
                let action = choose(game.position(), policy, 1).expect("somebody is to move");
                assert_eq!(choose(game.position(), policy, 1), Some(action));
                game.play(action).expect("the choice is legal");
            }
            assert_eq!(choose(game.position(), policy, 1), None);
        }
    }

    /// Not a test of anything: prints what the instructions of this machine are worth.
    /// `cargo test --release -p kingdomino-search -- --ignored --nocapture instructions`
    #[test]
    #[ignore = "a measurement"]
    fn what_the_instructions_are_worth() {
        for policy in [Policy::Random, Policy::Greedy] {
            let position = start("2.second.random");
            let n = if policy == Policy::Random { 200_000 } else { 20_000 };
            let mut rates = [true, false].map(|best| {
                let mut runs: Vec<f64> = (0..7)
                    .map(|counter| {
                        let (mut tally, begin) = (Tally::default(), std::time::Instant::now());
                        let random = Stream::new(3, "test", counter);
                        let chunk = Chunk { position: &position, policy, n, random, tally: &mut tally };
                        if best {
                            run_on_best(chunk);
                        } else {
                            chunk.run(Portable);
                        }
                        n as f64 / begin.elapsed().as_secs_f64()
                    })
                    .collect();
                runs.sort_by(f64::total_cmp);
                runs[3]
            });
            let [best, portable] = &mut rates;
            println!(
                "{policy:?}: {best:.0} playouts a second, portable {portable:.0}: {:.2}",
                *best / *portable
            );
        }
    }
}
