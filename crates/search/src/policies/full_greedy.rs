//! FG, full greedy: the best placement and the best claim together.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use kingdomino_rules::random::Stream;
use kingdomino_rules::{Domino, Kingdom, Outline, Placements, Position, Rules, Spot};

use super::best::Best;
use super::gains::{GainTable, Points};
use super::greedy_placement::{is_castle_alone, is_early, most_crowns};
use super::outline_preference::OutlinePreference;
use super::{Decide, Random};
use crate::cpu::Cpu;

/// Plays the turn with the highest score once the claimed domino is placed in the best way too.
///
/// Equal turns are equally likely. For the placement, it draws one of the best turns. For the claim, it draws one of
/// the best turns that start with the placement made, which gives the same distribution. The first two claims, when
/// the kingdom was empty, go to the most crowns on one square. The first domino is placed at random, and so are the
/// last one, which no claim follows, and one after which no offered domino fits: the authors' program does not compare
/// placements alone. With this FG reaches their results, without it 0.6 points more.
#[derive(Debug, Default)]
pub(crate) struct FullGreedy {
    /// One a seat, for the kingdom after the last placement in it.
    gain_tables: [GainTable<Points>; Rules::MOST],
}

impl FullGreedy {
    /// Updates the cache when another policy places this domino in the kingdom of the seat to move.
    #[inline(always)]
    pub(crate) fn forget(&mut self, position: &Position, domino: Domino) {
        self.gain_tables[position.to_move_unchecked()].forget(domino);
    }
}

impl Decide for FullGreedy {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn place(
        &mut self,
        position: &Position,
        domino: Domino,
        random: &mut Stream,
        cpu: impl Cpu,
    ) -> Option<Spot> {
        let gain_table = &mut self.gain_tables[position.to_move_unchecked()];
        let early = is_castle_alone(position.own_kingdom_unchecked());
        let spot = if early { None } else { best_turns(gain_table, position, domino).draw(random) };
        gain_table.forget(domino);
        spot.or_else(|| Random.place(position, domino, random, cpu))
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn claim(&mut self, position: &Position, random: &mut Stream, cpu: impl Cpu) -> usize {
        let line = position.offered();
        if line.free().is_power_of_two() {
            return line.free().trailing_zeros() as usize;
        }
        if is_early(position) {
            return most_crowns(position, random);
        }
        let gain_table = &mut self.gain_tables[position.to_move_unchecked()];
        let kingdom = position.own_kingdom_unchecked();
        let outline = kingdom.outline();
        let best =
            OutlinePreference::strict_then_lenient(position.rules(), &outline).find_map(|preference| {
                let mut best = Best::<_, 4>::new();
                // From the highest number: those have crowns, and their high gains rule the others out early.
                for place in line.free_places().rev() {
                    let least = best.value();
                    if let Some(worth) =
                        worth_of(gain_table, kingdom, &outline, line.domino(place), preference, least)
                    {
                        best.offer(worth, place);
                    }
                }
                best.draw(random)
            });
        best.unwrap_or_else(|| Random.claim(position, random, cpu))
    }
}

/// The placements of the best turns, once for each such turn; none if there is nothing to claim, or no claim would
/// fit. The caller must make the gain table forget the domino afterwards.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn best_turns(gain_table: &mut GainTable<Points>, position: &Position, domino: Domino) -> Best<Spot, 1024> {
    let (kingdom, line) = (position.own_kingdom_unchecked(), position.offered());
    for place in line.free_places().rev() {
        // Fills the table before the domino is placed. Later only the groups of its terrains are computed again.
        gain_table.bound(&Points, kingdom, line.domino(place));
    }
    let (outline, placements) = (kingdom.outline(), kingdom.placements(domino));
    let mut gains: ArrayVec<(i32, Placements), 256> = ArrayVec::new();
    gain_table.each_pair(&Points, kingdom, domino, &placements, |gain, placements, right| {
        let placements = placements.with_right(right);
        if !placements.is_empty() {
            gains.push((gain, placements));
        }
    });
    gains.sort_unstable_by_key(|(gain, _)| Reverse(*gain));
    let mut best = Best::new();
    for preference in OutlinePreference::strict_then_lenient(position.rules(), &outline) {
        for (gain, placements) in &gains {
            for spot in placements.spots() {
                let outline = outline.with(spot);
                if preference.worth(&outline).is_none() {
                    continue;
                }
                let mut after = *kingdom;
                after.place_unchecked(domino, spot);
                gain_table.forget(domino);
                for place in line.free_places().rev() {
                    let least = best.value().saturating_sub(*gain);
                    if let Some(worth) =
                        worth_of(gain_table, &after, &outline, line.domino(place), preference, least)
                    {
                        best.offer(gain + worth, spot);
                    }
                }
            }
        }
        if !best.equals().is_empty() {
            break;
        }
    }
    best
}

/// The value of the best placement of a claimed domino, if it is at least `least`.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn worth_of(
    gain_table: &mut GainTable<Points>,
    kingdom: &Kingdom,
    outline: &Outline,
    domino: Domino,
    preference: OutlinePreference,
    least: i32,
) -> Option<i32> {
    if gain_table.bound(&Points, kingdom, domino) + preference.most() < least {
        return None;
    }
    let placements = kingdom.placements(domino);
    let mut best = None;
    gain_table.each_pair(&Points, kingdom, domino, &placements, |gain, placements, right| {
        let most = gain + preference.most();
        if most < least || best >= Some(most) {
            return;
        }
        for spot in placements.with_right(right).spots() {
            if let Some(worth) = preference.worth(&outline.with(spot)) {
                best = best.max(Some(gain + worth));
                if best == Some(most) {
                    return;
                }
            }
        }
    });
    best.filter(|worth| *worth >= least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Portable;
    use crate::policies::{holes_around_castle, score_with_middle_kingdom};
    use kingdomino_rules::{Action, Game, Placement};

    /// Harmony and Middle Kingdom count in every other game.
    fn rules(seed: u64) -> Rules {
        let rules = ["4.second.random.harmony.middle", "2.second.random.duel"][seed as usize % 2];
        rules.parse().expect("a rules set")
    }

    /// Every placement of the domino, with the kingdom after it.
    fn all_ways(kingdom: &Kingdom, domino: Domino) -> Vec<(Placement, Kingdom)> {
        let place = |placement| {
            let mut after = *kingdom;
            after.place_unchecked(domino, placement);
            (placement, after)
        };
        kingdom.placements(domino).iter().map(place).collect()
    }

    /// The definition, word for word: every placement, then every claim, then every placement of the claimed domino;
    /// of these the ones that the strict preference allows, if any; of these the ones with the highest score.
    fn best_turns_by_definition(position: &Position, domino: Domino) -> Vec<Placement> {
        let (rules, line) = (position.rules(), position.offered());
        let mut ends = Vec::new();
        for (placement, after) in all_ways(position.own_kingdom_unchecked(), domino) {
            for place in line.free_places().rev() {
                let ways = all_ways(&after, line.domino(place));
                ends.extend(ways.into_iter().map(|(_, end)| (placement, place, end)));
            }
        }
        let is_fine = |kingdom: &Kingdom| {
            let outline = kingdom.outline();
            if rules.middle_kingdom {
                outline.can_be_centred() && holes_around_castle(&outline) == 0
            } else {
                outline.holes() == 0
            }
        };
        if ends.iter().any(|(.., end)| is_fine(end)) {
            ends.retain(|(.., end)| is_fine(end));
        }
        let best = ends.iter().map(|(.., end)| score_with_middle_kingdom(end, rules)).max();
        ends.retain(|(.., end)| Some(score_with_middle_kingdom(end, rules)) == best);
        let mut turns: Vec<_> = ends.into_iter().map(|(placement, place, _)| (placement, place)).collect();
        turns.sort_unstable();
        turns.dedup();
        turns.into_iter().map(|(placement, _)| placement).collect()
    }

    #[test]
    fn the_best_turns_follow_the_definition() {
        for seed in 0..8 {
            let mut game = Game::new(rules(seed), seed);
            let mut random = Stream::new(seed, "test", 0);
            // Half of the games are full greedy, the others random.
            let mut seats = FullGreedy::default();
            while !game.position().is_over() {
                let position = *game.position();
                let action = if let Some(domino) = position.domino() {
                    let found =
                        best_turns(&mut seats.gain_tables[position.to_move_unchecked()], &position, domino);
                    let mut found: Vec<Placement> =
                        found.equals().iter().map(|spot| (*spot).into()).collect();
                    found.sort_unstable();
                    assert_eq!(found, best_turns_by_definition(&position, domino), "{position}");
                    seats.forget(&position, domino);
                    if seed % 4 < 2 { seats.place(&position, domino, &mut random, Portable) } else { None }
                        .map(|spot| Action::Place(spot.into()))
                } else if seed % 4 < 2 {
                    let place = seats.claim(&position, &mut random, Portable);
                    Some(Action::Claim(position.offered().domino(place)))
                } else {
                    None
                };
                let actions = position.legal_actions();
                game.play(action.unwrap_or_else(|| actions[random.below(actions.len())])).expect("legal");
            }
        }
    }

    /// The claim is part of one of the best turns that begin with the placement that was made.
    #[test]
    fn the_claim_completes_a_best_turn() {
        let mut game = Game::new(rules(0), 3);
        let mut random = Stream::new(3, "test", 0);
        let mut seats = FullGreedy::default();
        let mut promised = None;
        while !game.position().is_over() {
            let position = *game.position();
            let action = if let Some(domino) = position.domino() {
                promised = {
                    let mut gain_table = GainTable::default();
                    let best = best_turns(&mut gain_table, &position, domino);
                    let early = is_castle_alone(position.own_kingdom_unchecked());
                    let now = i32::from(position.own_kingdom_unchecked().territory_score());
                    (!early && !best.equals().is_empty()).then(|| best.value() + now)
                };
                let spot = seats.place(&position, domino, &mut random, Portable);
                spot.map_or(Action::Discard, |spot| Action::Place(spot.into()))
            } else {
                let place = seats.claim(&position, &mut random, Portable);
                let domino = position.offered().domino(place);
                if let Some(promised) = promised.take() {
                    let kingdom = position.own_kingdom_unchecked();
                    let ends = all_ways(kingdom, domino).into_iter();
                    let best = ends.map(|(_, end)| score_with_middle_kingdom(&end, position.rules())).max();
                    assert!(best >= Some(promised), "{position}");
                }
                Action::Claim(domino)
            };
            game.play(action).expect("legal");
        }
    }
}
