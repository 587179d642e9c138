//! What a finished kingdom is worth, with the tie-breaks, as one number.

use kingdomino_rules::{Edition, Kingdom, Rules};

/// A score and what separates equal ones, comparable as a whole: 16 bits of points, 8 of the largest
/// territory, 8 of the crowns (0 in the second edition, which does not compare them).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RankedScore(u32);

impl RankedScore {
    #[inline(always)]
    pub(crate) fn of(kingdom: &Kingdom, rules: &Rules) -> RankedScore {
        RankedScore::with_score(kingdom, rules, kingdom.score(rules).total())
    }

    /// The same where the score is known.
    #[inline(always)]
    pub(crate) fn with_score(kingdom: &Kingdom, rules: &Rules, score: u16) -> RankedScore {
        let crowns = if rules.edition == Edition::First { kingdom.total_crowns() } else { 0 };
        RankedScore(u32::from(score) << 16 | kingdom.largest_territory() << 8 | crowns)
    }

    /// In points.
    pub(crate) const fn score(self) -> u16 {
        (self.0 >> 16) as u16
    }
}
