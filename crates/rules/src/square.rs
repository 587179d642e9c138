//! Squares and placements, and the 64-bit torus on which kingdoms are kept.
//!
//! A kingdom never reaches more than 6 squares from its castle and its box is at most 7×7. So the
//! square (x, y) can be the bit `x + 8y mod 64`: the castle is bit 0, a neighbour is one rotation
//! away, nothing is ever shifted when the kingdom grows to the left or downwards, and both sizes fit.
//! Two squares share a bit only if they are 8 apart, and such squares are never part of one kingdom
//! nor of what can be added to it (the box would be 8 wide).

use std::fmt;
use std::str::FromStr;

use crate::error::{ParseError, parse_number};

/// A square relative to the castle at (0, 0): x to the right, y up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub struct Square {
    pub x: i8,
    pub y: i8,
}

impl Square {
    /// Where the castle stands.
    pub const CASTLE: Square = Square { x: 0, y: 0 };

    /// The square (x, y).
    pub const fn new(x: i8, y: i8) -> Square {
        Square { x, y }
    }

    /// Its place on the torus, 0 to 63.
    #[inline]
    pub const fn bit(self) -> u32 {
        (self.x as i32 + 8 * self.y as i32) as u32 & 63
    }

    /// The square with this place on the torus in the 8×8 window whose lowest corner is `corner`.
    #[inline]
    pub(crate) const fn from_bit(bit: u32, corner: Square) -> Square {
        let offset = bit.wrapping_sub(corner.bit()) & 63;
        Square { x: corner.x + (offset & 7) as i8, y: corner.y + (offset >> 3) as i8 }
    }

    /// Whether the two share a side.
    pub fn is_next_to(self, other: Square) -> bool {
        let apart = |a: i8, b: i8| (i32::from(a) - i32::from(b)).abs();
        apart(self.x, other.x) + apart(self.y, other.y) == 1
    }
}

/// `(1, 0)`
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// Every bit that shares a side with one of these.
#[inline]
pub(crate) const fn neighbours(bits: u64) -> u64 {
    bits.rotate_left(1) | bits.rotate_right(1) | bits.rotate_left(8) | bits.rotate_right(8)
}

/// Everything connected to `seed` within `board`, as bits of the torus; the seed must be part of it.
#[inline]
pub const fn flood(seed: u64, board: u64) -> u64 {
    let mut filled = seed;
    loop {
        // Two steps before each look: the end of the loop is what a processor mispredicts.
        let once = (filled | neighbours(filled)) & board;
        let twice = (once | neighbours(once)) & board;
        if twice == once {
            return once;
        }
        filled = twice;
    }
}

/// Where the right end of a domino lies, seen from its left end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Direction {
    East,
    North,
    West,
    South,
}

impl Direction {
    /// In the order in which action numbers count them.
    pub const ALL: [Direction; 4] = [Direction::East, Direction::North, Direction::West, Direction::South];

    /// One step.
    pub const fn step(self) -> (i8, i8) {
        match self {
            Direction::East => (1, 0),
            Direction::North => (0, 1),
            Direction::West => (-1, 0),
            Direction::South => (0, -1),
        }
    }
}

/// Where the two ends of a domino lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub struct Placement {
    pub left: Square,
    pub right: Square,
}

impl Placement {
    /// The placement with its left end here and its right end one step away; `None` beyond the
    /// coordinates that a square can have.
    pub fn new(left: Square, direction: Direction) -> Option<Placement> {
        let (dx, dy) = direction.step();
        let right = Square::new(left.x.checked_add(dx)?, left.y.checked_add(dy)?);
        Some(Placement { left, right })
    }

    /// Where the right end lies, seen from the left; `None` where the two are not neighbours.
    pub fn direction(self) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| Placement::new(self.left, *direction) == Some(self))
    }

    /// The same squares with the ends changed about.
    #[must_use]
    pub const fn turned(self) -> Placement {
        Placement { left: self.right, right: self.left }
    }
}

/// `1,0>2,0`: the left end, then the right end.
impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}>{},{}", self.left.x, self.left.y, self.right.x, self.right.y)
    }
}

impl FromStr for Placement {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let square = |text: &str| {
            let (x, y) = text.split_once(',')?;
            Some(Square::new(parse_number(x.trim())?, parse_number(y.trim())?))
        };
        text.split_once('>')
            .and_then(|(left, right)| Some(Placement { left: square(left)?, right: square(right)? }))
            .ok_or_else(|| ParseError::new(text, format!("{text:?} is not a placement (like 1,0>2,0)")))
    }
}
