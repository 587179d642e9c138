//! GPRD: the greedy placement, a random claim.

use kingdomino_rules::random::Stream;
use kingdomino_rules::{Domino, Kingdom, Position, Rules, Spot};

use super::best::Best;
use super::gains::{GainTable, Points};
use super::outline_preference::OutlinePreference;
use super::{Decide, Random};
use crate::cpu::Cpu;

/// Placing: the highest score among the outlines that [`OutlinePreference`] allows; equals at random. Claiming: a
/// random domino, but the first two claims, when the kingdom was empty, go to the most crowns on one square.
#[derive(Debug, Default)]
pub(crate) struct GreedyPlacement {
    /// One a seat, for the kingdom after the last placement in it.
    gain_tables: [GainTable<Points>; Rules::MOST],
}

impl Decide for GreedyPlacement {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn place(
        &mut self,
        position: &Position,
        domino: Domino,
        random: &mut Stream,
        cpu: impl Cpu,
    ) -> Option<Spot> {
        let gain_table = &mut self.gain_tables[position.to_move_unchecked()];
        let spot = if is_castle_alone(position.own_kingdom_unchecked()) {
            Random.place(position, domino, random, cpu)
        } else {
            best_placement(gain_table, position, domino, random)
        };
        gain_table.forget(domino);
        spot
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn claim(&mut self, position: &Position, random: &mut Stream, cpu: impl Cpu) -> usize {
        if is_early(position) { most_crowns(position, random) } else { Random.claim(position, random, cpu) }
    }
}

#[inline(always)]
pub(super) fn is_castle_alone(kingdom: &Kingdom) -> bool {
    kingdom.empty().count_zeros() == 1
}

/// Whether the kingdom of the seat to move was empty when its turn began.
#[inline(always)]
pub(super) fn is_early(position: &Position) -> bool {
    position.own_kingdom_unchecked().empty().count_zeros() <= 3
}

/// A free place whose domino has the most crowns on one end; equals at random.
#[inline(always)]
pub(super) fn most_crowns(position: &Position, random: &mut Stream) -> usize {
    let line = position.offered();
    let mut best = Best::<_, 4>::new();
    for place in line.free_places() {
        let [left, right] = line.domino(place).ends();
        best.offer(i32::from(left.crowns.max(right.crowns)), place);
    }
    best.draw(random).unwrap_or(0)
}

/// One of the best placements of the domino; `None` if it fits nowhere.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn best_placement(
    gain_table: &mut GainTable<Points>,
    position: &Position,
    domino: Domino,
    random: &mut Stream,
) -> Option<Spot> {
    let kingdom = position.own_kingdom_unchecked();
    let (outline, placements) = (kingdom.outline(), kingdom.placements(domino));
    OutlinePreference::strict_then_lenient(position.rules(), &outline).find_map(|preference| {
        let mut best = Best::<_, 256>::new();
        gain_table.each_pair(&Points, kingdom, domino, &placements, |gain, placements, right| {
            if gain + preference.most() < best.value() {
                return;
            }
            for spot in placements.with_right(right).spots() {
                if let Some(worth) = preference.worth(&outline.with(spot)) {
                    best.offer(gain + worth, spot);
                }
            }
        });
        best.draw(random)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Portable;
    use crate::policies::score_with_middle_kingdom;
    use kingdomino_rules::{Action, Game};

    #[test]
    fn the_first_two_claims_go_to_the_most_crowns_on_one_square() {
        for seed in 0..20 {
            let mut game = Game::new("4.second.random.harmony.middle".parse().expect("a rules set"), seed);
            let mut random = Stream::new(seed, "test", 0);
            while game.position().round() < 2 {
                let position = *game.position();
                if let Some(domino) = position.domino() {
                    let spot = GreedyPlacement::default().place(&position, domino, &mut random, Portable);
                    game.play(Action::Place(spot.expect("the castle takes everything").into()))
                        .expect("legal");
                    continue;
                }
                let line = position.offered();
                let crowns = |place: usize| line.domino(place).ends().map(|end| end.crowns).into_iter().max();
                let free = (0..line.len()).filter(|place| line.king(*place).is_none());
                let chosen = GreedyPlacement::default().claim(&position, &mut random, Portable);
                assert_eq!(crowns(chosen), free.filter_map(crowns).max());
                game.play(Action::Claim(line.domino(chosen))).expect("legal");
            }
        }
    }

    /// Of the placements that the strict preference allows, if any, one with the highest score.
    #[test]
    fn the_placement_scores_most_among_those_with_a_preferred_outline() {
        for seed in 0..20 {
            let rules = ["4.second.random.harmony.middle", "2.second.random"][seed as usize % 2];
            let mut game = Game::new(rules.parse().expect("a rules set"), seed);
            let mut random = Stream::new(seed, "test", 0);
            while !game.position().is_over() {
                let position = *game.position();
                let kingdom = position.own_kingdom_unchecked();
                if let Some(domino) = position.domino()
                    && !is_castle_alone(kingdom)
                    && kingdom.has_placement(domino)
                {
                    let after = |placement| {
                        let mut after = *kingdom;
                        after.place_unchecked(domino, placement);
                        after
                    };
                    let strict = OutlinePreference::strict_then_lenient(
                        position.rules(),
                        &Kingdom::new(kingdom.size()).outline(),
                    )
                    .next();
                    let is_fine = |after: &Kingdom| {
                        strict.and_then(|preference| preference.worth(&after.outline())).is_some()
                    };
                    let ends: Vec<_> = kingdom.placements(domino).iter().map(after).collect();
                    let any_fine = ends.iter().any(is_fine);
                    let looked_at = ends.into_iter().filter(|end| is_fine(end) || !any_fine);
                    let best = looked_at.map(|end| score_with_middle_kingdom(&end, position.rules())).max();
                    let spot = GreedyPlacement::default().place(&position, domino, &mut random, Portable);
                    let chosen = after(spot.expect("it fits").into());
                    assert!(is_fine(&chosen) || !any_fine, "{position}");
                    assert_eq!(
                        Some(score_with_middle_kingdom(&chosen, position.rules())),
                        best,
                        "{position}"
                    );
                }
                let actions = position.legal_actions();
                game.play(actions[random.below(actions.len())]).expect("legal");
            }
        }
    }
}
