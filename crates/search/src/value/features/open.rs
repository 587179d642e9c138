//! The squares that a kingdom can still cover.

use kingdomino_rules::Kingdom;

/// Open squares on a board of 8×8 with edges. On the torus of bitboards, opposite sides of the surroundings of a
/// widest kingdom would touch.
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

    /// The squares shifted by one to the left, to the right, down and up.
    #[inline(always)]
    const fn shifted(self) -> [u64; 4] {
        let Open(bits) = self;
        [(bits & !FIRST_COLUMN) >> 1, bits << 1 & !FIRST_COLUMN, bits >> 8, bits << 8]
    }

    /// The number of pairs of neighbours.
    #[inline(always)]
    pub(super) fn pairs(self) -> f32 {
        let [left, _, above, _] = self.shifted();
        ((self.0 & left).count_ones() + (self.0 & above).count_ones()) as f32
    }

    /// The number of squares without a neighbour, which no domino can cover.
    #[inline(always)]
    pub(super) fn holes(self) -> f32 {
        let [left, right, above, below] = self.shifted();
        (self.0 & !(left | right | above | below)).count_ones() as f32
    }

    /// The number of squares with at most one neighbour.
    #[inline(always)]
    pub(super) fn dead_ends(self) -> f32 {
        let [left, right, above, below] = self.shifted();
        let twice = (left & right) | (above & below) | ((left | right) & (above | below));
        (self.0 & !twice).count_ones() as f32
    }
}
