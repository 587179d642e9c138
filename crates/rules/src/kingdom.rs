//! A kingdom on bitboards: what lies where, where a domino may lie, and why not elsewhere.
//!
//! Six terrain boards, each with the castle's bit set (so the castle matches everything without a
//! special case), two boards for the two binary digits of the crowns, the covered squares, and the
//! box that they fill. The frame is the torus of `square`.

use std::fmt;

use crate::domino::{Domino, End, Terrain};
use crate::square::{Placement, Square, neighbours};

/// The castle's bit.
pub(crate) const CASTLE: u64 = 1;

/// One player's squares. Equal kingdoms have equal squares and the same largest box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kingdom {
    pub(crate) terrains: [u64; 6],
    pub(crate) crowns: [u64; 2],
    pub(crate) covered: u64,
    extent: Extent,
    size: KingdomSize,
}

/// The columns and the rows that a kingdom reaches: bit x + 6 of the lower half, bit y + 6 of the
/// upper half. A kingdom is connected, so both are runs of ones, and growing is one `or`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Extent(u32);

impl Extent {
    const CASTLE: Extent = Extent(1 << 6 | 1 << 22);

    #[inline]
    const fn add(&mut self, square: Square) {
        self.0 |= 1 << ((square.x + 6) & 15) | 1 << (((square.y + 6) & 15) + 16);
    }

    #[inline]
    const fn low(self) -> Square {
        Square::new(self.0.trailing_zeros() as i8 - 6, (self.0 >> 16).trailing_zeros() as i8 - 6)
    }

    #[inline]
    const fn high(self) -> Square {
        Square::new(9 - (self.0 << 16).leading_zeros() as i8, 9 - self.0.leading_zeros() as i8)
    }

    #[inline]
    const fn width(self) -> usize {
        (self.0 as u16).count_ones() as usize
    }

    #[inline]
    const fn height(self) -> usize {
        (self.0 >> 16).count_ones() as usize
    }
}

/// The largest box that a kingdom may fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum KingdomSize {
    /// 5×5, the usual game.
    Five,
    /// 7×7, the Mighty Duel.
    Seven,
}

impl KingdomSize {
    /// Squares on a side.
    #[inline]
    pub const fn squares(self) -> i8 {
        match self {
            KingdomSize::Five => 5,
            KingdomSize::Seven => 7,
        }
    }

    /// The size with this many squares on a side.
    pub const fn from_squares(squares: i64) -> Option<KingdomSize> {
        match squares {
            5 => Some(KingdomSize::Five),
            7 => Some(KingdomSize::Seven),
            _ => None,
        }
    }
}

/// What a box of this width and height leaves room for; bit 0 is the box's lowest corner.
#[derive(Clone, Copy)]
struct Room {
    /// Pairs side by side, by their right square.
    horizontal: u64,
    /// Pairs one above the other, by their lower square.
    vertical: u64,
    /// Single squares in the box and beside it.
    squares: u64,
}

const fn room(size: i32, width: i32, height: i32) -> Room {
    // How far below 0 the lowest coordinate of an addition may lie, and how far up the highest: the
    // box may not outgrow the size, and an addition that touches the kingdom reaches two beyond it.
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

/// By size, width and height. Eight of each, so that masked indices need no bounds checks.
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
fn room_of(size: KingdomSize, extent: Extent) -> &'static Room {
    &ROOM[size as usize & 1][extent.width() & 7][extent.height() & 7]
}

/// What a kingdom covers, and what that leaves to build on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outline {
    covered: u64,
    extent: Extent,
    size: KingdomSize,
}

impl Outline {
    /// The outline with two more squares covered; they must be legal.
    #[inline]
    #[must_use]
    pub const fn with(mut self, placement: Placement) -> Outline {
        self.covered |= 1 << placement.left.bit() | 1 << placement.right.bit();
        self.extent.add(placement.left);
        self.extent.add(placement.right);
        self
    }

    /// The empty squares in the box, or beside it with room for them, as bits.
    #[inline]
    pub fn open(&self) -> u64 {
        let room = room_of(self.size, self.extent);
        room.squares.rotate_left(self.extent.low().bit()) & !self.covered
    }

    /// The open squares that have no open square beside them: no domino will ever cover them.
    #[inline]
    pub fn holes(&self) -> u64 {
        let open = self.open();
        open & !neighbours(open)
    }

    /// The open squares beside what is covered: where the kingdom can be built on.
    #[inline]
    pub fn frontier(&self) -> u64 {
        self.open() & neighbours(self.covered)
    }

    /// How many squares lie in some largest box around it. It shrinks as the box grows, to what the
    /// finished kingdom can have.
    #[inline]
    pub const fn reach(&self) -> usize {
        let side = 2 * self.size.squares() as usize;
        (side - self.extent.width()) * (side - self.extent.height())
    }
}

/// The legal placements of one domino, each once, as four boards.
///
/// Pairs side by side are named by their right square, pairs one above the other by their lower
/// one; so four boards, one for each direction of `Direction::ALL`, hold every placement.
#[derive(Clone, Copy, Debug)]
pub struct Placements {
    boards: [u64; 4],
    low: Square,
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

/// The places of the set bits, lowest first.
#[derive(Clone)]
pub(crate) struct Bits(pub(crate) u64);

impl Iterator for Bits {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let bit = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (bit < 64).then_some(bit)
    }
}

/// Why a domino may not lie somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// Its two squares do not share a side.
    Apart(Placement),
    /// Something lies there already.
    Taken(Square),
    /// The kingdom would be this many squares wide.
    TooWide(u8),
    /// The kingdom would be this many squares tall.
    TooTall(u8),
    /// Neither end touches its own terrain or the castle.
    NoMatch(Domino),
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misfit::Apart(Placement { left, right }) => {
                write!(f, "squares {left} and {right} are not next to each other")
            }
            Misfit::Taken(square) => write!(f, "square {square} is taken"),
            Misfit::TooWide(width) => write!(f, "the kingdom would be {width} squares wide"),
            Misfit::TooTall(height) => write!(f, "the kingdom would be {height} squares tall"),
            Misfit::NoMatch(domino) => {
                let [left, right] = domino.ends().map(|end| end.terrain);
                if left == right {
                    write!(f, "no {left} touches it there")
                } else {
                    write!(f, "no {left} or {right} touches it there")
                }
            }
        }
    }
}

impl Kingdom {
    /// The castle alone.
    pub const fn new(size: KingdomSize) -> Kingdom {
        Kingdom { terrains: [CASTLE; 6], crowns: [0; 2], covered: CASTLE, extent: Extent::CASTLE, size }
    }

    /// The largest box it may fill.
    #[inline]
    pub const fn size(&self) -> KingdomSize {
        self.size
    }

    /// The lowest and the highest corner of the box of all squares.
    #[inline]
    pub const fn corners(&self) -> (Square, Square) {
        (self.extent.low(), self.extent.high())
    }

    #[inline]
    fn room(&self) -> &'static Room {
        room_of(self.size, self.extent)
    }

    /// Every place on the torus where nothing lies, as bits.
    #[inline]
    pub const fn empty(&self) -> u64 {
        !self.covered
    }

    /// The empty squares beside these, as bits.
    #[inline]
    pub const fn beside(&self, bits: u64) -> u64 {
        neighbours(bits) & !self.covered
    }

    /// What it covers, without what lies there.
    #[inline]
    pub const fn outline(&self) -> Outline {
        Outline { covered: self.covered, extent: self.extent, size: self.size }
    }

    /// The squares of one terrain, without the castle, as bits.
    #[inline]
    pub const fn terrain(&self, terrain: Terrain) -> u64 {
        self.terrains[terrain as usize] & !CASTLE
    }

    /// The empty squares that touch this terrain or the castle, as bits.
    #[inline]
    fn touching(&self, terrain: Terrain) -> u64 {
        neighbours(self.terrains[terrain as usize]) & !self.covered
    }

    /// Every legal placement of this domino; of a double, turned one way only.
    #[inline]
    pub fn placements(&self, domino: Domino) -> Placements {
        let room = self.room();
        let low = self.extent.low();
        let corner = low.bit();
        let empty = !self.covered;
        let [left, right] = domino.ends().map(|end| self.touching(end.terrain));
        let side_by_side = room.horizontal.rotate_left(corner) & empty & empty.rotate_left(1);
        let stacked = room.vertical.rotate_left(corner) & empty & empty.rotate_right(8);
        let mut boards = [
            side_by_side & (left.rotate_left(1) | right),
            stacked & (left | right.rotate_right(8)),
            side_by_side & (left | right.rotate_left(1)),
            stacked & (left.rotate_right(8) | right),
        ];
        // A double turned round leaves the same kingdom.
        let turned = if domino.is_double() { 0 } else { u64::MAX };
        boards[2] &= turned;
        boards[3] &= turned;
        Placements { boards, low }
    }

    /// Whether this domino fits anywhere.
    #[inline]
    pub fn has_placement(&self, domino: Domino) -> bool {
        !self.placements(domino).is_empty()
    }

    /// Whether this domino may lie there, and if not, why.
    pub fn check(&self, domino: Domino, placement: Placement) -> Result<(), Misfit> {
        let Placement { left, right } = placement;
        if !left.is_next_to(right) {
            return Err(Misfit::Apart(placement));
        }
        for square in [left, right] {
            if self.covers(square) {
                return Err(Misfit::Taken(square));
            }
        }
        let (low, high) = self.corners();
        let extent = |low: i8, high: i8, a: i8, b: i8| {
            (i16::from(high.max(a).max(b)) - i16::from(low.min(a).min(b)) + 1) as u8
        };
        let width = extent(low.x, high.x, left.x, right.x);
        if width > self.size.squares() as u8 {
            return Err(Misfit::TooWide(width));
        }
        let height = extent(low.y, high.y, left.y, right.y);
        if height > self.size.squares() as u8 {
            return Err(Misfit::TooTall(height));
        }
        let [left_end, right_end] = domino.ends().map(|end| self.touching(end.terrain));
        if left_end >> left.bit() & 1 == 0 && right_end >> right.bit() & 1 == 0 {
            return Err(Misfit::NoMatch(domino));
        }
        Ok(())
    }

    /// Whether something lies there; squares outside the box are empty.
    pub fn covers(&self, square: Square) -> bool {
        let Square { x, y } = square;
        let (low, high) = self.corners();
        let in_box = (low.x..=high.x).contains(&x) && (low.y..=high.y).contains(&y);
        in_box && self.covered >> square.bit() & 1 == 1
    }

    /// Lays a domino down where `check` has said that it may lie.
    #[inline]
    pub fn place(&mut self, domino: Domino, placement: Placement) {
        debug_assert_eq!(self.check(domino, placement), Ok(()));
        let [left, right] = domino.ends();
        let (left_bit, right_bit) = (placement.left.bit(), placement.right.bit());
        self.covered |= 1 << left_bit | 1 << right_bit;
        self.terrains[left.terrain as usize] |= 1 << left_bit;
        self.terrains[right.terrain as usize] |= 1 << right_bit;
        let digit = |place: u8| {
            u64::from(left.crowns >> place & 1) << left_bit
                | u64::from(right.crowns >> place & 1) << right_bit
        };
        self.crowns[0] |= digit(0);
        self.crowns[1] |= digit(1);
        self.extent.add(placement.left);
        self.extent.add(placement.right);
    }

    /// Covers one square that was empty.
    pub(crate) fn cover(&mut self, square: Square, end: End) {
        let bit = square.bit();
        self.covered |= 1 << bit;
        self.terrains[end.terrain as usize] |= 1 << bit;
        self.crowns[0] |= u64::from(end.crowns & 1) << bit;
        self.crowns[1] |= u64::from(end.crowns >> 1) << bit;
        self.extent.add(square);
    }

    /// What lies there: `None` on the castle and where nothing lies.
    pub fn get(&self, square: Square) -> Option<(Terrain, u8)> {
        if !self.covers(square) {
            return None;
        }
        let at = |board: u64| (board >> square.bit() & 1) as u8;
        let terrain = Terrain::ALL.into_iter().find(|terrain| at(self.terrain(*terrain)) == 1)?;
        Some((terrain, at(self.crowns[0]) + 2 * at(self.crowns[1])))
    }

    /// The squares of the box, row by row from the highest, each row from the left.
    pub fn rows(&self) -> impl Iterator<Item = impl Iterator<Item = Square> + use<>> + use<> {
        let (low, high) = self.corners();
        (low.y..=high.y).rev().map(move |y| (low.x..=high.x).map(move |x| Square::new(x, y)))
    }

    /// The squares that these bits stand for.
    pub(crate) fn squares_of(&self, bits: u64) -> impl Iterator<Item = Square> + use<> {
        let low = self.extent.low();
        Bits(bits).map(move |bit| Square::from_bit(bit, low))
    }
}
