//! GPRD: the greedy placement, a random claim.

use kingdomino_rules::random::Stream;
use kingdomino_rules::{Domino, Kingdom, Position, Rules, Spot};

use super::best::Best;
use super::taste::Taste;
use crate::cpu::Cpu;
use crate::policy::{Decide, Random};
use crate::survey::{Points, Survey};

/// Placing: the highest score, without holes and with the castle in the middle if that can be; any of the
/// equals. Claiming: any domino, but the first two claims, made when nothing lies yet, go to the most crowns
/// on one square.
#[derive(Debug, Default)]
pub(crate) struct GreedyPlacement {
    /// One a seat; each knows the kingdom as it was when something was last placed in it.
    surveys: [Survey<Points>; Rules::MOST],
}

impl Decide for GreedyPlacement {
    #[inline(always)]
    fn place(
        &mut self,
        position: &Position,
        domino: Domino,
        random: &mut Stream,
        cpu: impl Cpu,
    ) -> Option<Spot> {
        let survey = &mut self.surveys[position.to_move().unwrap_or(0)];
        let spot = if is_castle_alone(position.own_kingdom()) {
            Random.place(position, domino, random, cpu)
        } else {
            best_placement(survey, position, domino, random)
        };
        survey.forget(domino);
        spot
    }

    #[inline(always)]
    fn claim(&mut self, position: &Position, random: &mut Stream, cpu: impl Cpu) -> usize {
        if is_early(position) { most_crowns(position, random) } else { Random.claim(position, random, cpu) }
    }
}

#[inline(always)]
pub(super) fn is_castle_alone(kingdom: &Kingdom) -> bool {
    kingdom.empty().count_zeros() == 1
}

/// Whether nothing lay in the own kingdom when the turn began.
#[inline(always)]
pub(super) fn is_early(position: &Position) -> bool {
    position.own_kingdom().empty().count_zeros() <= 3
}

/// Any of the free places with the most crowns on one end of its domino.
#[inline(always)]
pub(super) fn most_crowns(position: &Position, random: &mut Stream) -> usize {
    let line = position.offered();
    let mut best = Best::<_, 4>::new();
    for place in (0..line.len()).filter(|place| line.free() >> place & 1 == 1) {
        let [left, right] = line.domino(place).ends();
        best.offer(i32::from(left.crowns.max(right.crowns)), place);
    }
    best.draw(random).unwrap_or(0)
}

/// Any of the best placements for the domino alone; `None` where it fits nowhere.
#[inline(always)]
pub(super) fn best_placement(
    survey: &mut Survey<Points>,
    position: &Position,
    domino: Domino,
    random: &mut Stream,
) -> Option<Spot> {
    let kingdom = position.own_kingdom();
    let (outline, placements) = (kingdom.outline(), kingdom.placements(domino));
    Taste::in_turn(position.rules(), &outline).find_map(|taste| {
        let mut best = Best::<_, 256>::new();
        survey.each_pair(&Points, kingdom, domino, &placements, |gain, placements, right| {
            if gain + taste.most() < best.value() {
                return;
            }
            for spot in placements.with_right(right).spots() {
                if let Some(worth) = taste.worth(&outline.with(spot)) {
                    best.offer(gain + worth, spot);
                }
            }
        });
        best.draw(random)
    })
}
