//! The candidate placements of a domino, and the gain of each.

use crate::kingdom::Kingdom;
use crate::kingdom::scoring::Territory;
use crate::values::domino::Domino;
use crate::values::square::{Direction, Placement, Square};

impl Kingdom {
    /// Every placement with at least one end on a square that the next domino can [reach](Kingdom::reach), legal or not.
    pub fn placements_within_reach(&self) -> Vec<Placement> {
        let (low, high) = self.reach();
        let is_within =
            |square: Square| (low.x..=high.x).contains(&square.x) && (low.y..=high.y).contains(&square.y);
        let squares = (low.x..=high.x).flat_map(|x| (low.y..=high.y).map(move |y| Square::new(x, y)));
        squares
            .flat_map(|square| {
                Direction::ALL.into_iter().filter_map(move |step| Placement::new(square, step))
            })
            .flat_map(|placement| {
                let beyond = (!is_within(placement.right)).then(|| placement.turned());
                [Some(placement), beyond].into_iter().flatten()
            })
            .collect()
    }

    /// The territories that a legal placement makes or extends, as they are afterwards, each with the points that it gains.
    pub fn gains(&self, domino: Domino, placement: Placement) -> Vec<(Territory, u32)> {
        let mut placed = *self;
        placed.place_unchecked(domino, placement);
        let ends = 1_u64 << placement.left.bit() | 1 << placement.right.bit();
        let gain = |territory: Territory| {
            let parts = self.territories().filter(|part| part.bits & territory.bits == part.bits);
            let before: u32 = parts.map(|part| part.score()).sum();
            (territory, territory.score() - before)
        };
        placed.territories().filter(|territory| territory.bits & ends != 0).map(gain).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::{Game, Rules, Stage};

    #[test]
    fn every_legal_placement_is_within_reach_and_its_gains_add_up() {
        for rules in Rules::all() {
            let mut game = Game::new(rules, 3);
            while let Some(action) = game.position().legal_actions().last() {
                let position = game.position();
                if let (Stage::Place, Some(domino)) = (position.stage(), position.domino()) {
                    let kingdom = position.own_kingdom_unchecked();
                    let within = kingdom.placements_within_reach();
                    assert_eq!(within.iter().collect::<BTreeSet<_>>().len(), within.len());
                    for placement in kingdom.placements(domino).iter() {
                        assert!(within.contains(&placement));
                        let mut placed = *kingdom;
                        placed.place_unchecked(domino, placement);
                        let gained: u32 =
                            kingdom.gains(domino, placement).iter().map(|(_, points)| points).sum();
                        let score = |kingdom: &crate::Kingdom| u32::from(kingdom.territory_score());
                        assert_eq!(gained, score(&placed) - score(kingdom));
                    }
                }
                game.play(*action).expect("a legal action");
            }
        }
    }
}
