//! The shape of a kingdom, and where it can still grow.

use crate::kingdom::bitboard::neighbours;
use crate::kingdom::placements::Spot;
use crate::values::size::KingdomSize;
use crate::values::square::Square;

/// The columns and the rows that a kingdom reaches: bit x + 6 of the lower half, bit y + 6 of the
/// upper half. A kingdom is connected, so both are runs of ones, and growing is one `or`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Extent(u32);

/// Wrapping, as the processor's shift does: no checks, no masks.
#[inline]
const fn shift(bits: u32, place: i8, zero: u32) -> u32 {
    bits.wrapping_shl((place as u32).wrapping_add(zero))
}

impl Extent {
    pub(crate) const CASTLE: Extent = Extent(1 << 6 | 1 << 22);

    #[inline]
    pub(crate) const fn add(&mut self, square: Square) {
        self.0 |= shift(1, square.x, 6) | shift(1, square.y, 22);
    }

    /// Both squares of a spot at once: one column and two rows, or two columns and one row.
    #[inline]
    pub(crate) fn add_joint(&mut self, spot: Spot) {
        let (anchor, upright) = spot.joint();
        let upright = u32::from(upright);
        // Side by side: the anchor's column and the one before it. Upright: its row and the next.
        self.0 |= shift(3 - 2 * upright, anchor.x, 5 + upright) | shift(1 + 2 * upright, anchor.y, 22);
    }

    #[inline]
    pub(crate) const fn low(self) -> Square {
        Square::new(self.0.trailing_zeros() as i8 - 6, (self.0 >> 16).trailing_zeros() as i8 - 6)
    }

    #[inline]
    pub(crate) const fn high(self) -> Square {
        Square::new(9 - (self.0 << 16).leading_zeros() as i8, 9 - self.0.leading_zeros() as i8)
    }

    #[inline]
    pub(crate) const fn width(self) -> usize {
        (16 - (self.0 << 16).leading_zeros() - self.0.trailing_zeros()) as usize
    }

    #[inline]
    pub(crate) const fn height(self) -> usize {
        (16 - self.0.leading_zeros() - (self.0 >> 16).trailing_zeros()) as usize
    }
}

/// Where a kingdom with a box of some width and height can grow; bit 0 is the box's lowest corner.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    /// Pairs side by side, by their right square.
    pub(crate) horizontal: u64,
    /// Pairs one above the other, by their lower square.
    pub(crate) vertical: u64,
    /// Single squares, inside the box or beside it.
    pub(crate) squares: u64,
}

const fn room(size: i32, width: i32, height: i32) -> Room {
    // The lowest and the highest coordinate that an addition may have. The box may not outgrow the size, and an
    // addition that touches the kingdom reaches at most `reach` squares beyond it.
    const fn range(size: i32, extent: i32, reach: i32) -> (i32, i32) {
        let low = if extent - size > -reach { extent - size } else { -reach };
        let high = if extent - 1 + reach < size - 1 { extent - 1 + reach } else { size - 1 };
        (low, high)
    }
    const fn fill(x: (i32, i32), y: (i32, i32)) -> u64 {
        let mut bits = 0;
        let mut row = y.0;
        while row <= y.1 {
            let mut column = x.0;
            while column <= x.1 {
                bits |= 1 << ((column + 8 * row) & 63);
                column += 1;
            }
            row += 1;
        }
        bits
    }
    let (along_x, along_y) = (range(size, width, 2), range(size, height, 2));
    let (across_x, across_y) = (range(size, width, 1), range(size, height, 1));
    Room {
        horizontal: fill((along_x.0 + 1, along_x.1), across_y),
        vertical: fill(across_x, (along_y.0, along_y.1 - 1)),
        squares: fill(across_x, across_y),
    }
}

/// By size, width and height. With eight of each, masked indices need no bounds checks.
static ROOM: [[[Room; 8]; 8]; 2] = {
    let mut table = [[[Room { horizontal: 0, vertical: 0, squares: 0 }; 8]; 8]; 2];
    let mut size = 0;
    while size < 2 {
        let squares = 5 + 2 * size as i32;
        let mut width = 1;
        while width <= squares {
            let mut height = 1;
            while height <= squares {
                table[size][width as usize][height as usize] = room(squares, width, height);
                height += 1;
            }
            width += 1;
        }
        size += 1;
    }
    table
};

#[inline]
pub(crate) fn room_of(size: KingdomSize, extent: Extent) -> &'static Room {
    &ROOM[size as usize & 1][extent.width() & 7][extent.height() & 7]
}

/// The squares that a kingdom covers, and the squares that it can grow to. It does not know the terrains.
///
/// Made by [`Kingdom::outline`](crate::Kingdom::outline); cheap to copy and to extend, for comparing placements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outline {
    pub(crate) covered: u64,
    pub(crate) extent: Extent,
    pub(crate) size: KingdomSize,
}

impl Outline {
    /// The outline after a domino is placed on this spot, which must be legal.
    #[inline]
    #[must_use]
    pub fn with(mut self, spot: Spot) -> Outline {
        let (left, right) = spot.bits();
        self.covered |= 1_u64.wrapping_shl(left) | 1_u64.wrapping_shl(right);
        self.extent.add_joint(spot);
        self
    }

    /// The largest box that the kingdom may fill.
    #[inline]
    pub const fn size(&self) -> KingdomSize {
        self.size
    }

    /// All uncovered squares of the torus, as bits.
    #[inline]
    pub const fn empty(&self) -> u64 {
        !self.covered
    }

    /// The empty squares that can be covered without making the box too large: those in the box, and those beside it
    /// where the box can still grow; as bits.
    #[inline]
    pub fn open(&self) -> u64 {
        let room = room_of(self.size, self.extent);
        room.squares.rotate_left(self.extent.low().bit()) & !self.covered
    }

    /// The open squares without an open neighbour, which no domino can ever cover; as bits.
    #[inline]
    pub fn holes(&self) -> u64 {
        let open = self.open();
        open & !neighbours(open)
    }

    /// The open squares beside a covered one, as bits.
    #[inline]
    pub fn frontier(&self) -> u64 {
        self.open() & neighbours(self.covered)
    }

    /// Whether the castle can still end up in the middle of the kingdom, as Middle Kingdom requires.
    #[inline]
    pub const fn can_be_centred(&self) -> bool {
        // Columns and rows at most half a side away from the castle.
        const NEAR: [u32; 2] = [0b11111 << 4 | 0b11111 << 20, 0b111_1111 << 3 | 0b111_1111 << 19];
        self.extent.0 & !NEAR[self.size as usize & 1] == 0
    }

    /// The number of squares inside at least one largest box around the kingdom. It shrinks as the kingdom's box
    /// grows, down to the squares of the largest box.
    #[inline]
    pub const fn reach(&self) -> usize {
        let side = 2 * self.size.squares() as usize;
        (side - self.extent.width()) * (side - self.extent.height())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::square::{Direction, Placement};

    /// Every placement in the frame of 7×7 reaches what its two squares reach, the farthest included.
    #[test]
    fn a_joint_reaches_the_neighbours_of_its_squares() {
        for (x, y) in (-6..=6).flat_map(|x| (-6..=6).map(move |y| (x, y))) {
            for direction in Direction::ALL {
                let Some(placement) = Placement::new(Square::new(x, y), direction) else { continue };
                let Placement { left, right } = placement;
                if [right.x, right.y].iter().any(|place| place.abs() > 6) {
                    continue;
                }
                let (mut squares, mut joint) = (Extent::CASTLE, Extent::CASTLE);
                squares.add(left);
                squares.add(right);
                joint.add_joint(placement.into());
                assert_eq!(joint, squares, "{placement}");
                assert_eq!(Placement::from(Spot::from(placement)), placement);
            }
        }
    }
}
