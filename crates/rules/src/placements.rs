//! The legal placements of a domino in a kingdom, as boards and one by one.

use crate::square::{Placement, Square};

/// The legal placements of one domino, each once, as four boards.
///
/// Pairs side by side are named by their right square, pairs one above the other by their lower
/// one; so four boards, one for each direction of `Direction::ALL`, hold every placement.
#[derive(Clone, Copy, Debug)]
pub struct Placements {
    pub(crate) boards: [u64; 4],
    /// The lowest corner of the kingdom's box.
    pub(crate) low: Square,
}

impl Placements {
    /// The boards: left end west, south, east and north of the right one.
    #[inline]
    pub const fn boards(&self) -> [u64; 4] {
        self.boards
    }

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

    /// The placement that a bit of one of the boards stands for.
    #[inline]
    pub const fn placement(&self, board: usize, bit: u32) -> Placement {
        // By table, not by branches: which board a random placement comes from cannot be predicted.
        const LOWEST: [i8; 4] = [-1, -2, -1, -2];
        const LEFT: [(i8, i8); 4] = [(-1, 0), (0, 0), (0, 0), (0, 1)];
        const RIGHT: [(i8, i8); 4] = [(0, 0), (0, 1), (-1, 0), (0, 0)];
        let board = board & 3;
        let corner = Square::new(self.low.x - 1, self.low.y + LOWEST[board]);
        let Square { x, y } = Square::from_bit(bit, corner);
        Placement {
            left: Square::new(x + LEFT[board].0, y + LEFT[board].1),
            right: Square::new(x + RIGHT[board].0, y + RIGHT[board].1),
        }
    }

    /// The placement with this number, board by board; there must be more than `n`.
    ///
    /// `select(bits, n)` gives the set bit that has n set bits below it: how that is done best
    /// depends on the processor, which the caller knows.
    #[inline]
    pub fn nth(&self, n: u32, select: impl Fn(u64, u32) -> u64) -> Placement {
        let counts = self.boards.map(u64::count_ones);
        let after = [0, counts[0], counts[0] + counts[1], counts[0] + counts[1] + counts[2]];
        let board = usize::from(n >= after[1]) + usize::from(n >= after[2]) + usize::from(n >= after[3]);
        let board = board & 3;
        self.placement(board, select(self.boards[board], n - after[board]).trailing_zeros())
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

    /// Each placement, board by board.
    #[inline]
    pub const fn iter(&self) -> PlacementIter {
        PlacementIter { rest: *self, board: 0 }
    }
}

/// Placements one by one.
#[derive(Clone, Debug)]
pub struct PlacementIter {
    rest: Placements,
    board: usize,
}

impl Iterator for PlacementIter {
    type Item = Placement;

    #[inline(always)]
    fn next(&mut self) -> Option<Placement> {
        while let Some(bits) = self.rest.boards.get_mut(self.board) {
            if *bits != 0 {
                let bit = bits.trailing_zeros();
                *bits &= bits.wrapping_sub(1);
                return Some(self.rest.placement(self.board, bit));
            }
            self.board += 1;
        }
        None
    }
}
