//! The legal placements of a domino in a kingdom.

use crate::values::action::{placement_number, placement_of_number};
use crate::values::size::KingdomSize;
use crate::values::square::{Placement, Square};

/// The legal placements of one domino, each once, as four bitboards.
///
/// There is one board for each direction of `Direction::ALL`. A placement is a bit at its anchor: the right one of two
/// squares side by side, the lower one of two squares one above the other.
#[derive(Clone, Copy, Debug)]
pub struct Placements {
    /// Left end west, south, east and north of the right one.
    pub(crate) boards: [u64; 4],
    /// The lowest corner of the kingdom's box.
    pub(crate) low: Square,
}

impl Placements {
    /// The number of placements.
    #[inline]
    pub const fn len(&self) -> usize {
        let [east, north, west, south] = self.boards;
        (east.count_ones() + north.count_ones() + west.count_ones() + south.count_ones()) as usize
    }

    /// Whether the domino fits nowhere.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        let [east, north, west, south] = self.boards;
        east | north | west | south == 0
    }

    /// The lowest corner of the 8×8 window that holds every anchor of a board.
    #[inline]
    const fn corner(&self, board: usize) -> Square {
        // How far below the box an anchor can be. A table, because branch prediction fails on random spots.
        const LOWEST: [i8; 4] = [-1, -2, -1, -2];
        Square::new(self.low.x - 1, self.low.y + LOWEST[board & 3])
    }

    /// The boards: a placement is a bit in one of them, in the order of [`spots`](Placements::spots).
    ///
    /// For choosing a placement by its number: the fastest way to find the n-th bit depends on the processor.
    #[inline]
    pub const fn boards(&self) -> [u64; 4] {
        self.boards
    }

    /// The spot of a bit of one of the [`boards`](Placements::boards).
    #[inline]
    pub const fn spot(&self, board: usize, bit: u32) -> Spot {
        let board = board & 3;
        Spot { anchor: Square::from_bit(bit, self.corner(board)), board: board as u8 }
    }

    /// The spot of the action with this number in a kingdom of this size; `None` if it is not one of these placements.
    #[inline]
    pub const fn numbered(&self, number: usize, size: KingdomSize) -> Option<Spot> {
        let Some((left, board)) = placement_of_number(number, size) else { return None };
        let bit = anchor_of(left, board).bit();
        let spot = self.spot(board, bit);
        // Squares that are 8 apart share a bit.
        let same = left_of(spot.anchor, board);
        let found = self.boards[board & 3] >> bit & 1 == 1 && same.x == left.x && same.y == left.y;
        if found { Some(spot) } else { None }
    }

    /// The placements with the left end on one of these squares, given as bits.
    #[inline]
    pub const fn with_left(&self, squares: u64) -> Placements {
        let [east, north, west, south] = self.boards;
        let boards =
            [east & squares.rotate_left(1), north & squares, west & squares, south & squares.rotate_right(8)];
        Placements { boards, low: self.low }
    }

    /// The placements with the right end on one of these squares, given as bits.
    #[inline]
    pub const fn with_right(&self, squares: u64) -> Placements {
        let [east, north, west, south] = self.boards;
        let boards =
            [east & squares, north & squares.rotate_right(8), west & squares.rotate_left(1), south & squares];
        Placements { boards, low: self.low }
    }

    /// The placements of both, which must belong to the same kingdom.
    #[inline]
    #[must_use]
    pub fn union(self, other: Placements) -> Placements {
        let boards = std::array::from_fn(|board| self.boards[board] | other.boards[board]);
        Placements { boards, low: self.low }
    }

    /// The left ends as four boards, one for each direction of `Direction::ALL`, and the square of their bit 0.
    ///
    /// Bit x + 8y stands for the square x to the right of that square and y above it. In the board for east it is one
    /// square further left, in the board for north one square lower.
    #[inline]
    pub const fn left_ends(&self) -> ([u64; 4], Square) {
        let mut boards = self.boards;
        let mut board = 0;
        while board < 4 {
            boards[board] = boards[board].rotate_right(self.corner(board).bit());
            board += 1;
        }
        (boards, Square::new(self.low.x - 1, self.low.y - 1))
    }

    /// The placements as spots: those to the east first, then north, west and south.
    #[inline]
    pub const fn spots(&self) -> Spots {
        Spots { rest: *self, board: 0 }
    }

    /// Keeps the placements for which this returns true. They come in the order of [`spots`](Placements::spots).
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(Spot) -> bool) {
        for spot in self.spots() {
            if !keep(spot) {
                self.boards[usize::from(spot.board & 3)] &= !(1 << spot.anchor.bit());
            }
        }
    }

    /// The placements, in the order of [`spots`](Placements::spots).
    pub fn iter(&self) -> impl Iterator<Item = Placement> + use<> {
        self.spots().map(Placement::from)
    }
}

/// The square of the left end of a placement on this board with this anchor. Where the right end is to the east or
/// south, the right end is the anchor.
#[inline]
const fn left_of(anchor: Square, board: usize) -> Square {
    match board {
        0 => Square::new(anchor.x - 1, anchor.y),
        3 => Square::new(anchor.x, anchor.y + 1),
        _ => anchor,
    }
}

/// The anchor of a placement on this board with this left end.
#[inline]
const fn anchor_of(left: Square, board: usize) -> Square {
    match board {
        0 => Square::new(left.x + 1, left.y),
        3 => Square::new(left.x, left.y - 1),
        _ => left,
    }
}

/// A placement in the form that [`Placements`] holds. Placing a domino on a spot takes half the work of placing it by
/// a [`Placement`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Spot {
    /// The right or the lower one of the two squares.
    anchor: Square,
    board: u8,
}

impl Spot {
    /// The torus bits of the left and the right end; only the lowest six binary digits of each count.
    #[inline]
    pub const fn bits(self) -> (u32, u32) {
        const LEFT: [u32; 4] = [63, 0, 0, 8];
        const RIGHT: [u32; 4] = [0, 8, 63, 0];
        let (bit, board) = (self.anchor.bit(), (self.board & 3) as usize);
        (bit + LEFT[board], bit + RIGHT[board])
    }

    /// The [action number](crate::Action::number) of this placement in a kingdom of this size.
    #[inline]
    pub const fn number(self, size: KingdomSize) -> usize {
        let board = (self.board & 3) as usize;
        placement_number(left_of(self.anchor, board), board, size)
    }

    /// The anchor, and whether the other square is above it (else it is to its left).
    #[inline]
    pub(crate) const fn joint(self) -> (Square, bool) {
        (self.anchor, self.board & 1 == 1)
    }
}

impl From<Spot> for Placement {
    #[inline]
    fn from(Spot { anchor, board }: Spot) -> Placement {
        let other = if board & 1 == 0 {
            Square::new(anchor.x - 1, anchor.y)
        } else {
            Square::new(anchor.x, anchor.y + 1)
        };
        // East and south: the right end is on the anchor.
        if board == 0 || board == 3 {
            Placement { left: other, right: anchor }
        } else {
            Placement { left: anchor, right: other }
        }
    }
}

/// The two squares must share a side, as in every legal placement.
impl From<Placement> for Spot {
    #[inline]
    fn from(Placement { left, right }: Placement) -> Spot {
        let (anchor, board) = match (right.x - left.x, right.y - left.y) {
            (1, _) => (right, 0),
            (_, 1) => (left, 1),
            (-1, _) => (left, 2),
            _ => (right, 3),
        };
        Spot { anchor, board }
    }
}

/// Iterates over spots.
#[derive(Clone, Debug)]
pub struct Spots {
    rest: Placements,
    board: usize,
}

impl Iterator for Spots {
    type Item = Spot;

    #[inline(always)]
    fn next(&mut self) -> Option<Spot> {
        while let Some(bits) = self.rest.boards.get_mut(self.board) {
            if *bits != 0 {
                let bit = bits.trailing_zeros();
                *bits &= bits.wrapping_sub(1);
                return Some(self.rest.spot(self.board, bit));
            }
            self.board += 1;
        }
        None
    }
}
