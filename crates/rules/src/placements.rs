//! The legal placements of a domino in a kingdom, as boards and one by one.

use crate::action::{placement_number, placement_of_number};
use crate::outline::KingdomSize;
use crate::square::{Placement, Square};

/// The legal placements of one domino, each once, as four boards.
///
/// Pairs side by side are named by their right square, pairs one above the other by their lower
/// one; so four boards, one for each direction of `Direction::ALL`, hold every placement.
#[derive(Clone, Copy, Debug)]
pub struct Placements {
    /// Left end west, south, east and north of the right one.
    pub(crate) boards: [u64; 4],
    /// The lowest corner of the kingdom's box.
    pub(crate) low: Square,
}

impl Placements {
    /// How many.
    #[inline]
    pub const fn len(&self) -> usize {
        let [east, north, west, south] = self.boards;
        (east.count_ones() + north.count_ones() + west.count_ones() + south.count_ones()) as usize
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        let [east, north, west, south] = self.boards;
        east | north | west | south == 0
    }

    /// The spot that a bit of one of the boards stands for.
    #[inline]
    pub const fn spot(&self, board: usize, bit: u32) -> Spot {
        let board = board & 3;
        Spot { anchor: Square::from_bit(bit, self.corner(board)), board: board as u8 }
    }

    /// Where the window of a board begins that holds every anchor.
    #[inline]
    const fn corner(&self, board: usize) -> Square {
        // How far below the box an anchor can lie; by table, because which board a random spot comes
        // from cannot be predicted.
        const LOWEST: [i8; 4] = [-1, -2, -1, -2];
        Square::new(self.low.x - 1, self.low.y + LOWEST[board & 3])
    }

    /// The spot with this number, board by board; there must be more than `n`.
    ///
    /// `select(bits, n)` gives the set bit that has n set bits below it: how that is done best
    /// depends on the processor, which the caller knows.
    #[inline]
    pub fn nth(&self, n: u32, select: impl Fn(u64, u32) -> u64) -> Spot {
        let counts = self.boards.map(u64::count_ones);
        let after = [0, counts[0], counts[0] + counts[1], counts[0] + counts[1] + counts[2]];
        let board = usize::from(n >= after[1]) + usize::from(n >= after[2]) + usize::from(n >= after[3]);
        let board = board & 3;
        self.spot(board, select(self.boards[board], n - after[board]).trailing_zeros())
    }

    /// The spot of the action with this number, if it is among these, for a kingdom of this size.
    #[inline]
    pub const fn numbered(&self, number: usize, size: KingdomSize) -> Option<Spot> {
        let Some((left, board)) = placement_of_number(number, size) else { return None };
        let bit = anchor_of(left, board).bit();
        let spot = self.spot(board, bit);
        // The same bit stands for squares that are 8 apart.
        let same = left_of(spot.anchor, board);
        let found = self.boards[board & 3] >> bit & 1 == 1 && same.x == left.x && same.y == left.y;
        if found { Some(spot) } else { None }
    }

    /// Those with the left end on one of these squares.
    #[inline]
    pub const fn with_left(&self, squares: u64) -> Placements {
        let [east, north, west, south] = self.boards;
        let boards =
            [east & squares.rotate_left(1), north & squares, west & squares, south & squares.rotate_right(8)];
        Placements { boards, low: self.low }
    }

    /// Those with the right end on one of these squares.
    #[inline]
    pub const fn with_right(&self, squares: u64) -> Placements {
        let [east, north, west, south] = self.boards;
        let boards =
            [east & squares, north & squares.rotate_right(8), west & squares.rotate_left(1), south & squares];
        Placements { boards, low: self.low }
    }

    /// Those of both; the two must be of one kingdom.
    #[inline]
    #[must_use]
    pub fn union(self, other: Placements) -> Placements {
        let boards = std::array::from_fn(|board| self.boards[board] | other.boards[board]);
        Placements { boards, low: self.low }
    }

    /// The squares of the left ends, one board for each direction, and a square from which they count.
    ///
    /// Bit x + 8y of a board stands for the square x to the right of that one and y above it; of the board
    /// of those that lead east it is one further left, of the board of those that lead north one lower.
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

    /// Each placement as a spot, board by board.
    #[inline]
    pub const fn spots(&self) -> Spots {
        Spots { rest: *self, board: 0 }
    }

    /// Each placement, board by board.
    pub fn iter(&self) -> impl Iterator<Item = Placement> + use<> {
        self.spots().map(Placement::from)
    }
}

/// The square of the left end of a placement on this board with this anchor: where the right end lies
/// east or south, it is the anchor.
#[inline]
const fn left_of(anchor: Square, board: usize) -> Square {
    match board {
        0 => Square::new(anchor.x - 1, anchor.y),
        3 => Square::new(anchor.x, anchor.y + 1),
        _ => anchor,
    }
}

/// The anchor of a placement on this board with the left end on this square.
#[inline]
const fn anchor_of(left: Square, board: usize) -> Square {
    match board {
        0 => Square::new(left.x + 1, left.y),
        3 => Square::new(left.x, left.y - 1),
        _ => left,
    }
}

/// Where a domino may lie: a joint between two squares, and which end goes on which.
///
/// The same as a `Placement`, as it is found on the boards: laying a domino down there takes half the
/// work. The anchor is the right or the lower one of the two squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Spot {
    anchor: Square,
    board: u8,
}

impl Spot {
    /// The torus bits of the left and of the right end; all but the lowest six binary digits of each
    /// mean nothing.
    #[inline]
    pub(crate) const fn bits(self) -> (u32, u32) {
        const LEFT: [u32; 4] = [63, 0, 0, 8];
        const RIGHT: [u32; 4] = [0, 8, 63, 0];
        let (bit, board) = (self.anchor.bit(), (self.board & 3) as usize);
        (bit + LEFT[board], bit + RIGHT[board])
    }

    /// The number of the action that lays a domino down here (docs/formats/action.md), for a spot in a
    /// kingdom of this size.
    #[inline]
    pub const fn number(self, size: KingdomSize) -> usize {
        let board = (self.board & 3) as usize;
        placement_number(left_of(self.anchor, board), board, size)
    }

    /// The anchor, and whether the other square lies above it (else left of it).
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
        // East and south: the right end lies on the anchor.
        if board == 0 || board == 3 {
            Placement { left: other, right: anchor }
        } else {
            Placement { left: anchor, right: other }
        }
    }
}

/// The two squares of a placement must share a side, as those of every legal one do.
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

/// Spots one by one.
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
