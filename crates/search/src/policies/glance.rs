//! A beginner's policy: what one sees at a glance.

use kingdomino_rules::bitboard::neighbours;
use kingdomino_rules::random::{Stream, hash_text};
use kingdomino_rules::{Action, Domino, Kingdom, Placement, Position};

/// How a beginner judges. The unit is a side along which an end meets its own terrain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Glance {
    /// The value of a point that a placement scores at once.
    pub(crate) points: f64,
    /// The value of a crown on a domino, wherever it may lie.
    pub(crate) crowns: f64,
    /// The standard deviation of the error of each judgement.
    pub(crate) error: f64,
    /// Of 100 placements, how many are overlooked.
    pub(crate) overlooked: usize,
}

impl Glance {
    /// The action that looks best; `None` if no seat is to move. Depends only on the position and the seed.
    ///
    /// A placement is judged by the terrains that meet and the points that it scores now, not by the room that it leaves
    /// or by a bonus. A domino is judged by its best placement and its crowns, not by its place in the line. Opponents
    /// are not looked at.
    pub(crate) fn choose(&self, position: &Position, seed: u64) -> Option<Action> {
        let kingdom = &position.kingdoms()[position.to_move()?];
        let mut random = Stream::new(seed, "glance", hash_text(position));
        let judged = position.distinct_actions().into_iter().map(|action| {
            let error = self.error * random.normal();
            let is_seen = random.below(100) >= self.overlooked;
            match action {
                Action::Place(placement) => {
                    let value =
                        position.domino().map_or(0.0, |domino| self.placed(kingdom, domino, placement));
                    (is_seen, value + error, action)
                }
                Action::Claim(domino) => (true, self.claimed(kingdom, domino) + error, action),
                Action::Discard => (true, 0.0, action),
            }
        });
        // If all placements are overlooked, one of them is found after all.
        let best = judged.max_by(|one, other| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)));
        best.map(|(_, _, action)| action)
    }

    fn placed(&self, kingdom: &Kingdom, domino: Domino, placement: Placement) -> f64 {
        let mut after = *kingdom;
        after.place_unchecked(domino, placement);
        let points = f64::from(after.territory_score()) - f64::from(kingdom.territory_score());
        let meeting = [placement.left, placement.right]
            .into_iter()
            .zip(domino.ends())
            .map(|(square, end)| (neighbours(1 << square.bit()) & kingdom.terrain(end.terrain)).count_ones());
        f64::from(meeting.sum::<u32>()) + self.points * points
    }

    fn claimed(&self, kingdom: &Kingdom, domino: Domino) -> f64 {
        let crowns: u8 = domino.ends().iter().map(|end| end.crowns).sum();
        let placements = kingdom.placements(domino);
        let placed = placements.iter().map(|placement| self.placed(kingdom, domino, placement));
        self.crowns * f64::from(crowns) + placed.fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use kingdomino_rules::{Game, Rules};

    use super::*;

    const CLEAR: Glance = Glance { points: 0.5, crowns: 1.0, error: 0.0, overlooked: 0 };

    /// Plays games in which everyone judges like this, and visits every decision.
    fn each_decision(glance: Glance, mut visit: impl FnMut(&Position, Action)) {
        for seed in 0..20 {
            let mut game = Game::new(Rules::default(), seed);
            while !game.position().is_over() {
                let action = glance.choose(game.position(), seed).expect("a seat is to move");
                visit(game.position(), action);
                game.play(action).expect("legal");
            }
            assert_eq!(glance.choose(game.position(), seed), None);
        }
    }

    #[test]
    fn terrains_meet_wherever_they_can() {
        each_decision(CLEAR, |position, action| {
            let (Some(domino), Action::Place(chosen)) = (position.domino(), action) else { return };
            let kingdom = position.own_kingdom_unchecked();
            let value = |placement| CLEAR.placed(kingdom, domino, placement);
            let best = kingdom.placements(domino).iter().map(value).fold(0.0, f64::max);
            assert_eq!(value(chosen), best, "{position}");
        });
    }

    #[test]
    fn a_beginner_who_overlooks_everything_still_places_the_domino() {
        each_decision(Glance { overlooked: 100, ..CLEAR }, |position, action| {
            assert!(action != Action::Discard || position.legal_actions().contains(&Action::Discard));
        });
    }

    #[test]
    fn only_errors_depend_on_the_seed() {
        each_decision(CLEAR, |position, action| {
            assert_eq!(CLEAR.choose(position, 99), Some(action), "{position}");
        });
    }
}
