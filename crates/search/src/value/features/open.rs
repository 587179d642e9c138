//! The squares on which a kingdom can still be built.

use kingdomino_rules::Kingdom;

/// On a board of 8×8 with edges: on the kingdom's own torus the two sides of a widest kingdom's
/// surroundings would touch each other.
#[derive(Clone, Copy)]
pub(super) struct Open(u64);

const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;

impl Open {
    #[inline(always)]
    pub(super) fn of(kingdom: &Kingdom) -> Open {
        let (low, _) = kingdom.corners();
        let corner = i32::from(low.x - 1) + 8 * i32::from(low.y - 1);
        Open(kingdom.outline().open().rotate_right(corner as u32 & 63))
    }

    /// The same squares, each seen from the one on its left, right, above and below.
    #[inline(always)]
    const fn shifted(self) -> [u64; 4] {
        let Open(bits) = self;
        [(bits & !FIRST_COLUMN) >> 1, bits << 1 & !FIRST_COLUMN, bits >> 8, bits << 8]
    }

    /// Pairs of neighbours.
    #[inline(always)]
    pub(super) fn pairs(self) -> f32 {
        let [left, _, above, _] = self.shifted();
        ((self.0 & left).count_ones() + (self.0 & above).count_ones()) as f32
    }

    /// Squares without a neighbour: no domino will ever cover them.
    #[inline(always)]
    pub(super) fn holes(self) -> f32 {
        let [left, right, above, below] = self.shifted();
        (self.0 & !(left | right | above | below)).count_ones() as f32
    }

    /// Squares with one neighbour at the most.
    #[inline(always)]
    pub(super) fn dead_ends(self) -> f32 {
        let [left, right, above, below] = self.shifted();
        let twice = (left & right) | (above & below) | ((left | right) & (above | below));
        (self.0 & !twice).count_ones() as f32
    }
}
