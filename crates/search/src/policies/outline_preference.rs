//! The outlines of a kingdom that the published greedy players prefer.

use kingdomino_rules::bitboard::{CASTLE, neighbours};
use kingdomino_rules::{Kingdom, KingdomSize, Outline, Rules, Square};

/// A strict or a lenient preference. The strict one allows only kingdoms without holes whose castle can still end up
/// in the middle. If no choice leads to such a kingdom, the lenient one allows all, and the bonus counts as points.
///
/// As in the authors' program, a hole is a single closed-in square of the box around the castle that does not touch
/// the castle. The paper always scores both bonuses. Without Middle Kingdom, a hole is any square that no domino can
/// cover, and the castle may be anywhere. Harmony makes no difference between the choices of a turn, since it depends
/// on the number of dominoes placed.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutlinePreference {
    strict: bool,
    /// The points of Middle Kingdom, which count as long as it is still possible; 0 without the bonus.
    middle_kingdom: i32,
}

impl OutlinePreference {
    #[inline(always)]
    fn new(strict: bool, rules: &Rules) -> OutlinePreference {
        OutlinePreference { strict, middle_kingdom: i32::from(rules.middle_kingdom_points()) }
    }

    /// The strict preference, unless the kingdom has already lost it, then the lenient one.
    #[inline(always)]
    pub(super) fn strict_then_lenient(
        rules: &Rules,
        before: &Outline,
    ) -> impl Iterator<Item = OutlinePreference> {
        let [strict, lenient] = [true, false].map(|strict| OutlinePreference::new(strict, rules));
        // A kingdom that fails the strict preference always will.
        let first = strict.worth(before).map(|_| strict);
        first.into_iter().chain([lenient])
    }

    /// Points for this outline besides those for territories; `None` if the preference excludes it.
    #[inline(always)]
    pub(super) fn worth(self, outline: &Outline) -> Option<i32> {
        if !self.strict {
            let counts = self.middle_kingdom > 0 && outline.can_be_centred();
            return Some(if counts { self.middle_kingdom } else { 0 });
        }
        let fine = if self.middle_kingdom > 0 {
            outline.can_be_centred() && holes_around_castle(outline) == 0
        } else {
            outline.holes() == 0
        };
        fine.then_some(0)
    }

    /// The most that an outline can be worth.
    #[inline(always)]
    pub(super) const fn most(self) -> i32 {
        if self.strict { 0 } else { self.middle_kingdom }
    }
}

/// The score of a kingdom, with Middle Kingdom counted as long as it is still possible.
pub(crate) fn score_with_middle_kingdom(kingdom: &Kingdom, rules: &Rules) -> i32 {
    let lenient = OutlinePreference::new(false, rules);
    i32::from(kingdom.territory_score()) + lenient.worth(&kingdom.outline()).unwrap_or(0)
}

/// The empty squares of the largest box with the castle in its middle that have neither an empty neighbour nor the
/// castle beside them, as bits: squares that stay empty if the castle is to stay in the middle.
#[inline(always)]
pub(crate) const fn holes_around_castle(outline: &Outline) -> u64 {
    let empty = box_around_castle(outline.size()) & outline.empty();
    empty & !neighbours(empty | CASTLE)
}

/// The squares of the largest box with the castle in its middle, as bits.
#[inline(always)]
pub(super) const fn box_around_castle(size: KingdomSize) -> u64 {
    const BOXES: [u64; 2] = [squares_within(2), squares_within(3)];
    BOXES[size as usize & 1]
}

/// The squares at most this far from the castle along either axis.
const fn squares_within(reach: i8) -> u64 {
    let mut bits = 0;
    let mut place = 0;
    let side = 2 * reach + 1;
    while place < side * side {
        bits |= 1 << Square::new(place % side - reach, place / side - reach).bit();
        place += 1;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingdomino_rules::Domino;
    use kingdomino_rules::random::Stream;

    #[test]
    fn holes_around_the_castle_are_closed_in_on_all_sides() {
        for seed in 0..40 {
            let size = if seed % 2 == 0 { KingdomSize::Five } else { KingdomSize::Seven };
            let reach = size.squares() / 2;
            let mut random = Stream::new(seed, "test", 0);
            let mut dominoes: Vec<Domino> = Domino::all().collect();
            random.shuffle(&mut dominoes);
            let mut kingdom = Kingdom::new(size);
            for domino in dominoes {
                let placements = kingdom.placements(domino);
                let near: Vec<_> = placements
                    .iter()
                    .filter(|place| {
                        [place.left, place.right].iter().all(|at| at.x.abs().max(at.y.abs()) <= reach)
                    })
                    .collect();
                if near.is_empty() {
                    continue;
                }
                kingdom.place_unchecked(domino, near[random.below(near.len())]);
                let range = -reach..=reach;
                let squares = range.clone().flat_map(|x| range.clone().map(move |y| Square::new(x, y)));
                let squares: Vec<_> = squares.collect();
                let is_open = |at: &Square| !kingdom.covers(*at);
                let is_hole = |at: &Square| {
                    let mut beside = squares.iter().filter(|other| other.is_next_to(*at));
                    is_open(at) && !beside.any(|other| is_open(other) || *other == Square::CASTLE)
                };
                let holes = squares.iter().filter(|at| is_hole(at)).fold(0, |bits, at| bits | 1 << at.bit());
                assert_eq!(holes_around_castle(&kingdom.outline()), holes);
            }
        }
    }
}
