//! The worth of each domino of the line being claimed to every kingdom.

use kingdomino_rules::{Domino, Kingdom, Position, Seat};
use serde::Serialize;

use super::Network;
use super::features::{DeckFeatures, features_of};
use crate::cpu::{Cpu, Task, run_on_best};
use crate::policies::{Valuation, Weights};

/// The placements of a domino that the network compares: the best ones of the tuned policy.
const TRIED: usize = 12;

/// The worth of a domino of the line to every kingdom.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct DominoWorth {
    /// Its number.
    pub domino: u8,
    /// The seat whose king stands on it.
    pub seat: Option<Seat>,
    /// For every seat, how many points its kingdom may expect more with the domino than without it; `None` if the domino
    /// would fit nowhere.
    pub gains: Vec<Option<f64>>,
}

/// The worth of each domino of the line being claimed to every kingdom, lowest number first; empty if no line is being
/// claimed, and in the opening round: the networks have not learnt the value of a bare castle.
///
/// Each kingdom also gets the dominoes that its kings already stand on, in their order. The networks predict the scores with
/// and without the domino, at its best place; once no line is to come, the points are those of now. Who claims what else
/// does not count: a search knows more, but takes its time.
pub fn worth(position: &Position) -> Vec<DominoWorth> {
    run_on_best(Worth(position))
}

struct Worth<'a>(&'a Position);

impl Task for Worth<'_> {
    type Output = Vec<DominoWorth>;

    fn run(self, _: impl Cpu) -> Vec<DominoWorth> {
        if self.0.round() == 0 {
            return Vec::new();
        }
        let values = Values::new(self.0);
        let line = self.0.offered();
        let worth = |(place, domino): (usize, Domino)| {
            let king = line.king(place);
            let gains =
                (0..self.0.rules().players()).map(|seat| values.gain(seat, domino, king == Some(seat)));
            DominoWorth { domino: domino.number(), seat: king, gains: gains.collect() }
        };
        line.dominoes().enumerate().map(worth).collect()
    }
}

/// Values kingdoms of one position.
struct Values<'a> {
    position: &'a Position,
    deck: DeckFeatures,
    valuation: Valuation,
    network: &'static Network,
}

impl Values<'_> {
    fn new(position: &Position) -> Values<'_> {
        Values {
            position,
            deck: DeckFeatures::new(position),
            valuation: Valuation::new(&Weights::of(position.rules()), position),
            network: Network::of(position.rules()),
        }
    }

    /// The worth of a domino to a seat, whose king may already stand on it; `None` if it fits nowhere.
    fn gain(&self, seat: Seat, domino: Domino, is_own: bool) -> Option<f64> {
        let others = self.position.kings_waiting(seat);
        let deck = self.deck.and_claims(if is_own { others } else { others.saturating_sub(1) });
        let slots = self.position.slots().into_iter().chain(self.position.next_slots());
        let owned = slots.filter(|slot| slot.seat == Some(seat) && !slot.is_done && slot.domino != domino);
        // The dominoes of a line are placed in their order.
        let is_offered = |other: Domino| self.position.offered().dominoes().any(|one| one == other);
        let (later, earlier): (Vec<_>, Vec<_>) =
            owned.map(|slot| slot.domino).partition(|other| is_offered(*other) && *other > domino);
        let kingdom = self.with(self.position.kingdoms()[seat], &earlier);
        let value = |kingdom| self.value(&self.with(kingdom, &later), seat, &deck);
        let placed = self.valuation.ranked(&kingdom, domino).into_iter().take(TRIED).map(|(_, spot)| {
            let mut placed = kingdom;
            placed.place_unchecked(domino, spot);
            value(placed)
        });
        placed.reduce(f32::max).map(|most| f64::from(most - value(kingdom)))
    }

    /// A kingdom after the tuned policy has placed these dominoes.
    fn with(&self, mut kingdom: Kingdom, dominoes: &[Domino]) -> Kingdom {
        for domino in dominoes {
            if let Some((_, spot)) = self.valuation.ranked(&kingdom, *domino).first() {
                kingdom.place_unchecked(*domino, *spot);
            }
        }
        kingdom
    }

    fn value(&self, kingdom: &Kingdom, seat: Seat, deck: &DeckFeatures) -> f32 {
        if deck.lines() == 0 {
            return kingdom.score(self.position.rules()).total() as f32;
        }
        self.network.expected_score(&features_of(kingdom, self.position, seat, deck))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policies::{Policy, choose};
    use kingdomino_rules::{Game, Rules, Stage};

    fn worth_of(text: &str) -> Vec<DominoWorth> {
        worth(&text.parse().expect("a position"))
    }

    #[test]
    fn in_the_last_line_a_domino_brings_the_points_that_it_adds() {
        let found = worth_of(
            "kd1 2.second.random 5 claim:0 *5@1,6@0,7@1,8@0 3,16,22,30@1 4,17-21,23-29,31-41 \
             wwww/wwww/..C.;ffffC",
        );
        let gains: Vec<_> = found.iter().map(|one| (one.domino, one.seat, one.gains.clone())).collect();
        assert_eq!(gains[2], (22, None, vec![Some(9.0), Some(1.0)]));
        // Both kings still place two squares of lake before it.
        assert_eq!(gains[3], (30, Some(1), vec![Some(3.0), Some(3.0)]));
    }

    #[test]
    fn a_domino_that_fits_nowhere_brings_nothing() {
        let found = worth_of(
            "kd1 2.second.random 5 claim:0 *2@0,*3@1,13@0,16@1 1,10,14@1,15@0 25-48 w1w1w/wCw/www;ffffC",
        );
        assert_eq!(found[1].gains[0], None);
        assert_eq!(found[0].gains[0], Some(4.0));
    }

    #[test]
    fn every_domino_of_a_line_has_a_gain_for_every_kingdom() {
        for rules in
            ["2.second.random.harmony.middle", "3.first.random", "4.second.random", "2.second.random.duel"]
        {
            let rules: Rules = rules.parse().expect("a rules set");
            let mut game = Game::new(rules, 5);
            while !game.position().is_over() {
                let position = *game.position();
                let found = worth(&position);
                let is_opening = position.round() == 0;
                assert_eq!(found.len(), if is_opening { 0 } else { position.offered().dominoes().count() });
                for one in &found {
                    assert_eq!(one.gains.len(), rules.players());
                    assert!(one.gains.iter().flatten().all(|gain| gain.abs() < 80.0), "{position} {one:?}");
                }
                game.play(choose(&position, Policy::Tuned, 1).expect("a seat is to move"))
                    .expect("it is legal");
            }
        }
    }

    #[test]
    fn where_no_line_is_being_claimed_there_is_none() {
        let mut game = Game::new(Rules::default(), 7);
        while game.position().stage() != Stage::Place || game.position().round() < 6 {
            let position = *game.position();
            game.play(choose(&position, Policy::Tuned, 1).expect("a seat is to move")).expect("it is legal");
        }
        assert!(worth(game.position()).is_empty());
    }
}
