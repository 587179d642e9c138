//! What the published searches choose.

use kingdomino_rules::random::{Stream, hash};
use kingdomino_rules::{Action, Position};

use super::flat::FlatMonteCarlo;
use super::playout::BaselinePlayout;
use super::turn::Turn;
use super::uct::Uct;
use crate::cpu::{Cpu, Task, run_on_best};
use crate::limit::{Clock, Limit};

/// A search of the paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Baseline {
    /// FlatMonteCarlo Monte Carlo evaluation.
    Mce,
    /// Upper confidence bounds on trees, with the factor of the bound; the paper's choice is 0.6.
    Uct(f64),
}

/// Nodes of a tree, by default: some 100 MB.
const MOST_NODES: usize = 1 << 21;

/// A search that learns from playouts.
pub(super) trait Sampler {
    /// One playout more.
    fn sample(&mut self, cpu: impl Cpu);

    /// The best turn, once there has been a playout.
    fn best(&self) -> Option<Turn>;
}

/// What a published search chooses; `None` if no seat is to move.
///
/// It searches over turns. Asked for a placement it gives that of the best turn; asked for the claim it
/// searches again, over the claims alone. It thinks until a limit is reached or `keep_going`, asked after
/// every playout, says no; there is always one playout. With a limit of playouts alone the choice follows
/// from position and seed.
pub fn choose_by_playouts(
    position: &Position,
    player: Baseline,
    playout: BaselinePlayout,
    limit: &Limit,
    seed: u64,
    keep_going: &mut dyn FnMut() -> bool,
) -> Option<Action> {
    let own = position.to_move()?;
    if let [only] = position.legal_actions().as_slice() {
        return Some(*only);
    }
    let random = Stream::new(seed, "field", hash(position.to_string().as_bytes()));
    let turn = match player {
        Baseline::Mce => think(FlatMonteCarlo::new(position, own, playout, random), limit, keep_going),
        Baseline::Uct(exploration) => {
            let nodes = limit.nodes.unwrap_or(MOST_NODES).max(2);
            think(Uct::new(position, own, playout, exploration, nodes, random), limit, keep_going)
        }
    };
    Some(turn?.first(position)?.to_action(position))
}

fn think<S: Sampler>(mut search: S, limit: &Limit, keep_going: &mut dyn FnMut() -> bool) -> Option<Turn> {
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

    const PLAYERS: [Baseline; 2] = [Baseline::Mce, Baseline::Uct(0.6)];
    const PLAYOUTS: [BaselinePlayout; 4] =
        [BaselinePlayout::Random, BaselinePlayout::Fg, BaselinePlayout::Pg, BaselinePlayout::Eg];

    fn of(playouts: u64) -> Limit {
        Limit { playouts: Some(playouts), ..Limit::default() }
    }

    fn ask(
        position: &Position,
        player: Baseline,
        playout: BaselinePlayout,
        playouts: u64,
        seed: u64,
    ) -> Option<Action> {
        choose_by_playouts(position, player, playout, &of(playouts), seed, &mut || true)
    }

    #[test]
    fn choices_are_legal_and_follow_from_seed_and_position() {
        for (number, rules) in
            ["2.second.random", "3.second.random.harmony", "4.first.random.middle", "2.second.snake.duel"]
                .into_iter()
                .enumerate()
        {
            for player in PLAYERS {
                let mut game = Game::new(rules.parse::<Rules>().expect("a rules set"), 1);
                while !game.position().is_over() {
                    let action = ask(game.position(), player, PLAYOUTS[number], 20, 5);
                    assert_eq!(ask(game.position(), player, PLAYOUTS[number], 20, 5), action);
                    game.play(action.expect("a seat is to move")).expect("the choice is legal");
                }
                assert_eq!(ask(game.position(), player, PLAYOUTS[number], 20, 5), None);
            }
        }
    }

    /// In the last round nothing is left to chance: the best placement is the one that scores most.
    #[test]
    fn the_last_placement_is_the_best_one() {
        for player in PLAYERS {
            let mut game = Game::new(Rules::default(), 8);
            while !game.position().is_over() {
                let position = *game.position();
                let last = position.round() == position.rules().rounds()
                    && position.turn() + 1 == position.rules().total_kings();
                let action = if last {
                    ask(&position, player, BaselinePlayout::Random, 2_000, 1)
                } else {
                    crate::choose(&position, crate::Policy::Fg, 1)
                };
                let seat = position.to_move().unwrap_or(0);
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
    fn it_stops_when_it_is_told_to_and_has_an_answer() {
        let position = *Game::new(Rules::default(), 2).position();
        for player in PLAYERS {
            let mut asked = 0;
            let mut twice = || {
                asked += 1;
                asked < 2
            };
            let limit = Limit::default();
            let action = choose_by_playouts(&position, player, BaselinePlayout::Fg, &limit, 1, &mut twice);
            assert!(action.is_some_and(|action| position.check(action).is_ok()));
            assert_eq!(asked, 2);
        }
    }

    #[test]
    fn a_tree_that_may_not_grow_answers_all_the_same() {
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
