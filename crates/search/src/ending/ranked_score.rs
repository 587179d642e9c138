//! The score and the tie-breaks of a finished kingdom as one number.

use kingdomino_rules::{Kingdom, Rules};

/// A score with its tie-breaks, comparable as a whole: 16 bits for points, 8 for the squares of the largest territory,
/// 8 for crowns (0 in the second edition, which does not compare them).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RankedScore(u32);

impl RankedScore {
    #[inline(always)]
    pub(crate) fn of(kingdom: &Kingdom, rules: &Rules) -> RankedScore {
        RankedScore::new(kingdom, rules, kingdom.score(rules).total(), kingdom.largest_territory())
    }

    /// The same for a known score and a known number of squares in the largest territory.
    #[inline(always)]
    pub(crate) fn new(kingdom: &Kingdom, rules: &Rules, score: u32, largest: u32) -> RankedScore {
        RankedScore(score << 16 | largest << 8 | kingdom.tie_break_crowns(rules))
    }

    /// A score without tie-breaks.
    #[cfg(test)]
    pub(crate) const fn of_points(points: u16) -> RankedScore {
        RankedScore((points as u32) << 16)
    }

    /// The score in points.
    pub(crate) const fn score(self) -> u16 {
        (self.0 >> 16) as u16
    }
}
