//! Choosing an action by a published search.

use kingdomino_rules::random::{Stream, hash_text};
use kingdomino_rules::{Action, Position};

use super::Sampler;
use super::flat::FlatMonteCarlo;
use super::playout::BaselinePlayout;
use super::turn::Turn;
use super::uct::Uct;
use crate::cpu::{Cpu, Task, run_on_best};
use crate::limit::{Clock, Limit};

/// A search of the paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Baseline {
    /// Flat Monte Carlo evaluation.
    Mce,
    /// Upper confidence bounds applied to trees, with the exploration constant; the paper uses 0.6.
    Uct(f64),
}

/// The default limit for the nodes of a tree: about 100 MB.
const MOST_NODES: usize = 1 << 21;

/// The action that a published search chooses; `None` if no seat is to move.
///
/// It searches over turns. For a placement it returns the best turn's; for the claim it searches again, over the
/// claims alone. It runs until a limit is reached, or until `keep_going`, called after every playout, returns false.
/// It always completes at least one playout. With a limit of playouts alone, the choice follows from position and
/// seed.
pub fn choose_by_playouts(
    position: &Position,
    baseline: Baseline,
    playout: BaselinePlayout,
    limit: &Limit,
    seed: u64,
    keep_going: &mut dyn FnMut() -> bool,
) -> Option<Action> {
    let own = position.to_move()?;
    if let [only] = position.legal_actions().as_slice() {
        return Some(*only);
    }
    let random = Stream::new(seed, "field", hash_text(position));
    let turn = match baseline {
        Baseline::Mce => run(FlatMonteCarlo::new(position, own, playout, random), limit, keep_going),
        Baseline::Uct(exploration) => {
            let nodes = limit.nodes.unwrap_or(MOST_NODES).max(2);
            run(Uct::new(position, own, playout, exploration, nodes, random), limit, keep_going)
        }
    };
    Some(turn?.first(position)?.to_action(position))
}

fn run<S: Sampler>(mut search: S, limit: &Limit, keep_going: &mut dyn FnMut() -> bool) -> Option<Turn> {
    let clock = Clock::start(limit);
    let mut left = limit.playouts.unwrap_or(u64::MAX);
    loop {
        run_on_best(Sample(&mut search));
        left = left.saturating_sub(1);
        if left == 0 || clock.is_over() || !keep_going() {
            return search.best();
        }
    }
}

struct Sample<'a, S>(&'a mut S);

impl<S: Sampler> Task for Sample<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self, cpu: impl Cpu) {
        self.0.sample(cpu);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingdomino_rules::{Game, Rules};

    const BASELINES: [Baseline; 2] = [Baseline::Mce, Baseline::Uct(0.6)];
    const PLAYOUTS: [BaselinePlayout; 4] =
        [BaselinePlayout::Random, BaselinePlayout::Fg, BaselinePlayout::Pg, BaselinePlayout::Eg];

    fn of(playouts: u64) -> Limit {
        Limit { playouts: Some(playouts), ..Limit::default() }
    }

    fn ask(
        position: &Position,
        baseline: Baseline,
        playout: BaselinePlayout,
        playouts: u64,
        seed: u64,
    ) -> Option<Action> {
        choose_by_playouts(position, baseline, playout, &of(playouts), seed, &mut || true)
    }

    #[test]
    fn choices_are_legal_and_follow_from_seed_and_position() {
        for (number, rules) in
            ["2.second.random", "3.second.random.harmony", "4.first.random.middle", "2.second.snake.duel"]
                .into_iter()
                .enumerate()
        {
            for baseline in BASELINES {
                let mut game = Game::new(rules.parse::<Rules>().expect("a rules set"), 1);
                while !game.position().is_over() {
                    let action = ask(game.position(), baseline, PLAYOUTS[number], 20, 5);
                    assert_eq!(ask(game.position(), baseline, PLAYOUTS[number], 20, 5), action);
                    game.play(action.expect("a seat is to move")).expect("the choice is legal");
                }
                assert_eq!(ask(game.position(), baseline, PLAYOUTS[number], 20, 5), None);
            }
        }
    }

    /// Nothing is left to chance in the last round: the best placement is the one with the highest score.
    #[test]
    fn the_last_placement_is_the_best_one() {
        for baseline in BASELINES {
            let mut game = Game::new(Rules::default(), 8);
            while !game.position().is_over() {
                let position = *game.position();
                let last = position.round() == position.rules().rounds()
                    && position.turn() + 1 == position.rules().total_kings();
                let action = if last {
                    ask(&position, baseline, BaselinePlayout::Random, 2_000, 1)
                } else {
                    crate::choose(&position, crate::Policy::Fg, 1)
                };
                let seat = position.to_move_unchecked();
                let score = |action: Action| {
                    let mut after = position;
                    after.play(action).expect("legal");
                    after.kingdoms()[seat].score(position.rules()).total()
                };
                let action = action.expect("a seat is to move");
                if last {
                    assert_eq!(Some(score(action)), position.legal_actions().into_iter().map(score).max());
                }
                game.play(action).expect("legal");
            }
        }
    }

    #[test]
    fn it_stops_on_request_with_an_answer() {
        let position = *Game::new(Rules::default(), 2).position();
        for baseline in BASELINES {
            let mut asked = 0;
            let mut twice = || {
                asked += 1;
                asked < 2
            };
            let limit = Limit::default();
            let action = choose_by_playouts(&position, baseline, BaselinePlayout::Fg, &limit, 1, &mut twice);
            assert!(action.is_some_and(|action| position.check(action).is_ok()));
            assert_eq!(asked, 2);
        }
    }

    #[test]
    fn a_full_tree_still_has_an_answer() {
        let position = *Game::new(Rules::default(), 2).position();
        let limit = Limit { playouts: Some(200), nodes: Some(3), time: None };
        let action = choose_by_playouts(
            &position,
            Baseline::Uct(0.6),
            BaselinePlayout::Random,
            &limit,
            1,
            &mut || true,
        );
        assert!(action.is_some_and(|action| position.check(action).is_ok()));
    }
}
