//! Which outlines of a kingdom the published greedy players prefer.

use kingdomino_rules::{Kingdom, Outline, Rules};

/// First they try only kingdoms without holes whose castle can still end in the middle. If no choice leaves such a
/// kingdom they try all, and the bonus counts as points.
///
/// A hole is a single square of the box around the castle that is closed in, but not by the castle, as in the
/// authors' program. The paper always scores both bonuses; without Middle Kingdom a hole is any square that
/// nothing will ever cover, and nothing is spoilt. Harmony never makes a difference between the choices of a
/// turn: it depends on how many dominoes lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutlinePreference {
    strict: bool,
    middle_kingdom: bool,
}

/// The points of Middle Kingdom, which count as long as it can still be had.
const MIDDLE_KINGDOM: i32 = 10;

impl OutlinePreference {
    /// The strict preference, unless the kingdom has already lost it, then the lenient one.
    #[inline(always)]
    pub(super) fn strict_then_lenient(
        rules: &Rules,
        before: &Outline,
    ) -> impl Iterator<Item = OutlinePreference> {
        let [strict, lenient] =
            [true, false].map(|strict| OutlinePreference { strict, middle_kingdom: rules.middle_kingdom });
        // What is spoilt stays spoilt.
        let first = strict.worth(before).map(|_| strict);
        first.into_iter().chain([lenient])
    }

    /// Points for this outline besides those for territories; `None` if the preference excludes it.
    #[inline(always)]
    pub(super) fn worth(self, outline: &Outline) -> Option<i32> {
        if !self.strict {
            return Some(if self.middle_kingdom && outline.can_be_centred() { MIDDLE_KINGDOM } else { 0 });
        }
        let fine = if self.middle_kingdom {
            outline.can_be_centred() && outline.holes_around_castle() == 0
        } else {
            outline.holes() == 0
        };
        fine.then_some(0)
    }

    /// The most that an outline can be worth.
    #[inline(always)]
    pub(super) const fn most(self) -> i32 {
        if self.strict || !self.middle_kingdom { 0 } else { MIDDLE_KINGDOM }
    }
}

/// The score of a kingdom, Middle Kingdom counted as long as it can still be had.
pub(crate) fn score_with_middle_kingdom(kingdom: &Kingdom, rules: &Rules) -> i32 {
    let lenient = OutlinePreference { strict: false, middle_kingdom: rules.middle_kingdom };
    i32::from(kingdom.territory_score()) + lenient.worth(&kingdom.outline()).unwrap_or(0)
}
