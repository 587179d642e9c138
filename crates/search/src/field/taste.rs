//! What the published greedy players like about the outline of a kingdom.

use kingdomino_rules::{Kingdom, Outline, Rules};

/// First they look only at kingdoms without holes and with the castle still able to come to lie in the
/// middle; where no choice leaves such a kingdom they look at all, and the bonus counts as points.
///
/// A hole is a single square of the box around the castle that is closed in, but not by the castle, as in the
/// authors' program. The paper always scores both bonuses; without Middle Kingdom a hole is any square that
/// nothing will ever cover, and nothing is spoilt. Harmony never makes a difference between the choices of a
/// turn: it depends on how many dominoes lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taste {
    strict: bool,
    middle_kingdom: bool,
}

/// The points of Middle Kingdom, which count as long as it can still be had.
const MIDDLE_KINGDOM: i32 = 10;

impl Taste {
    /// Both tastes in the order in which they are asked, but for a strict one that nothing can please.
    #[inline(always)]
    pub(super) fn in_turn(rules: &Rules, before: &Outline) -> impl Iterator<Item = Taste> {
        let [strict, lax] =
            [true, false].map(|strict| Taste { strict, middle_kingdom: rules.middle_kingdom });
        // What is spoilt stays spoilt.
        let first = strict.worth(before).map(|_| strict);
        first.into_iter().chain([lax])
    }

    /// What counts for this outline beside points for territories; `None` where it is not looked at.
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
pub(super) fn standing(kingdom: &Kingdom, rules: &Rules) -> i32 {
    let lax = Taste { strict: false, middle_kingdom: rules.middle_kingdom };
    i32::from(kingdom.territory_score()) + lax.worth(&kingdom.outline()).unwrap_or(0)
}
