//! Evaluation by networks, trained on self-play of the search.
//!
//! Each kingdom is evaluated separately: a small network predicts its final score from its squares and the unseen
//! dominoes. That is far less noisy than a playout, and it was trained on better play than a playout's. `features` has
//! the inputs, `network` the layers; docs/guides/learning.md describes the training.

mod features;
mod network;
mod worth;

pub use features::Features;
pub(crate) use network::Network;
pub use network::{lacking_network, load_network};
pub use worth::{DominoWorth, worth};

use kingdomino_rules::{Position, Rules};

use crate::cpu::{Cpu, Task, run_on_best};
use crate::evaluation::Evaluation;
use crate::policies::{Tuned, Weights};
use features::{DeckFeatures, features};

impl Network {
    /// The evaluation of a position in which a line is to be revealed.
    #[inline(always)]
    pub(crate) fn evaluation(&self, mut position: Position) -> Evaluation {
        let deck = place_claimed(&mut position);
        let mut totals = [f32::NEG_INFINITY; Rules::MOST];
        for (seat, total) in totals.iter_mut().enumerate().take(position.rules().players()) {
            *total = self.expected_score(&features(&position, seat, &deck));
        }
        Evaluation::expected(totals, self.temperature(deck.lines()))
    }
}

/// Places all claimed dominoes, so that only the squares of a kingdom matter.
#[inline(always)]
fn place_claimed(position: &mut Position) -> DeckFeatures {
    let mut seats = Tuned::new(Weights::of(position.rules()));
    let deck = DeckFeatures::new(position);
    position.reveal_nothing_unchecked();
    while let Some(domino) = position.domino() {
        match seats.best_placement(position, domino) {
            Some(spot) => position.place_unchecked(spot),
            None => position.discard_unchecked(),
        }
    }
    deck
}

/// The network's inputs for every kingdom of a position in which a line is to be revealed, for training.
pub fn features_of_kingdoms(position: &Position) -> Vec<Features> {
    struct PlaceClaimed(Position);

    impl Task for PlaceClaimed {
        type Output = Vec<Features>;

        #[inline(always)]
        fn run(mut self, _: impl Cpu) -> Vec<Features> {
            let deck = place_claimed(&mut self.0);
            (0..self.0.rules().players()).map(|seat| features(&self.0, seat, &deck)).collect()
        }
    }

    run_on_best(PlaceClaimed(*position))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policies::{Policy, choose};
    use kingdomino_rules::{Action, Game, Placement, Square, Stage};

    /// A square in one of the eight symmetric views of a kingdom.
    fn turned(square: Square, view: u8) -> Square {
        let Square { x, y } = square;
        let (x, y) = if view & 1 == 1 { (-x, y) } else { (x, y) };
        let (x, y) = if view & 2 == 2 { (x, -y) } else { (x, y) };
        if view & 4 == 4 { Square::new(y, x) } else { Square::new(x, y) }
    }

    /// Plays by the tuned policy, and at random in every fourth ply. Calls `visit` with every position before a
    /// reveal.
    fn reveals(rules: Rules, seed: u64, mut visit: impl FnMut(&Position)) -> Game {
        let mut game = Game::new(rules, seed);
        let mut ply = 0;
        while !game.position().is_over() {
            let policy = if ply % 4 == 0 { Policy::Random } else { Policy::Tuned };
            let action = choose(game.position(), policy, seed + ply).expect("a seat is to move");
            let mut after = *game.position();
            after.play(action).expect("it is legal");
            if after.stage() == Stage::Reveal && after.round() > 0 {
                visit(&after);
            }
            game.play(action).expect("it is legal");
            ply += 1;
        }
        game
    }

    const RULES: [&str; 5] = [
        "2.second.random",
        "2.second.random.harmony.middle",
        "3.second.random",
        "4.second.random.middle",
        "2.second.snake.duel",
    ];

    fn rules_sets() -> impl Iterator<Item = Rules> {
        RULES.iter().map(|text| text.parse().expect("a rules set"))
    }

    #[test]
    fn features_do_not_depend_on_how_a_kingdom_is_turned_or_mirrored() {
        for (rules, view) in rules_sets().flat_map(|rules| (1..8).map(move |view| (rules, view))) {
            let (mut plain, mut other) = (Game::new(rules, 3), Game::new(rules, 3));
            while !plain.position().is_over() {
                let action = choose(plain.position(), Policy::Random, 5).expect("a seat is to move");
                let turned = match action {
                    Action::Place(Placement { left, right }) => {
                        Action::Place(Placement { left: turned(left, view), right: turned(right, view) })
                    }
                    action => action,
                };
                plain.play(action).expect("it is legal");
                other.play(other.position().canonical(turned)).expect("it is as legal");
                let deck = DeckFeatures::new(plain.position());
                for seat in 0..rules.players() {
                    let expected = features(plain.position(), seat, &deck);
                    assert_eq!(features(other.position(), seat, &deck), expected, "{rules} {view}");
                }
            }
        }
    }

    #[test]
    fn features_are_numbers_around_one() {
        for rules in rules_sets() {
            for seed in 0..5 {
                reveals(rules, seed, |position| {
                    for features in features_of_kingdoms(position) {
                        assert!(features.iter().all(|value| value.abs() < 12.0), "{features:?}");
                    }
                });
            }
        }
    }

    /// Not exactly: the policy plays a little worse than the search that the networks were trained on.
    #[test]
    fn expected_scores_are_near_the_scores_of_games() {
        for rules in rules_sets() {
            let network = Network::of(&rules);
            let (mut wrong_by, mut count) = (0.0, 0.0);
            for seed in 0..100 {
                let mut expected = Vec::new();
                let game = reveals(rules, seed, |position| {
                    if position.lines_to_come() == 1 {
                        let features = features_of_kingdoms(position);
                        expected = features.iter().map(|features| network.expected_score(features)).collect();
                    }
                });
                for (score, expected) in game.position().scores().iter().zip(expected) {
                    wrong_by += expected - score.total() as f32;
                    count += 1.0;
                }
            }
            assert!((wrong_by / count).abs() < 4.0, "{rules}: wrong by {}", wrong_by / count);
        }
    }
}
