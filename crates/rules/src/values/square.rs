//! Squares and placements.

use std::fmt;
use std::str::FromStr;

use crate::input::parse_error::{ParseError, parse_number};
use crate::input::pasted;

/// A square relative to the castle at (0, 0): x to the right, y up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    /// Columns to the right of the castle.
    pub x: i8,
    /// Rows above the castle.
    pub y: i8,
}

impl Square {
    /// The castle's square.
    pub const CASTLE: Square = Square { x: 0, y: 0 };

    /// The square (x, y).
    pub const fn new(x: i8, y: i8) -> Square {
        Square { x, y }
    }

    /// Its bit on the torus of [`bitboard`](crate::bitboard), 0 to 63.
    #[inline]
    pub const fn bit(self) -> u32 {
        (self.x as i32 + 8 * self.y as i32) as u32 & 63
    }

    /// The square with this bit in the 8×8 window whose lowest corner is `corner`.
    #[inline]
    pub(crate) const fn from_bit(bit: u32, corner: Square) -> Square {
        let offset = bit.wrapping_sub(corner.bit()) & 63;
        Square { x: corner.x + (offset & 7) as i8, y: corner.y + (offset >> 3) as i8 }
    }

    /// Whether the two squares share a side.
    pub fn is_next_to(self, other: Square) -> bool {
        let apart = |a: i8, b: i8| (i32::from(a) - i32::from(b)).abs();
        apart(self.x, other.x) + apart(self.y, other.y) == 1
    }
}

/// Writes `(1, 0)`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// The direction from the left end of a domino to its right end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// To the right.
    East,
    /// Up.
    North,
    /// To the left.
    West,
    /// Down.
    South,
}

impl Direction {
    /// All four, in the order of action numbers.
    pub const ALL: [Direction; 4] = [Direction::East, Direction::North, Direction::West, Direction::South];

    /// The change of (x, y) in one step.
    pub const fn step(self) -> (i8, i8) {
        match self {
            Direction::East => (1, 0),
            Direction::North => (0, 1),
            Direction::West => (-1, 0),
            Direction::South => (0, -1),
        }
    }
}

/// The squares of the two ends of a domino. They need not be next to each other, since a placement may be illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    /// The square of the left end.
    pub left: Square,
    /// The square of the right end.
    pub right: Square,
}

impl Placement {
    /// The placement with this left end and the right end one step away; `None` if the right end's coordinates do not
    /// fit into a `Square`.
    pub fn new(left: Square, direction: Direction) -> Option<Placement> {
        let (dx, dy) = direction.step();
        let right = Square::new(left.x.checked_add(dx)?, left.y.checked_add(dy)?);
        Some(Placement { left, right })
    }

    /// The direction from the left end to the right end; `None` if they are not next to each other.
    pub fn direction(self) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| Placement::new(self.left, *direction) == Some(self))
    }

    /// The same squares with the ends swapped.
    #[must_use]
    pub const fn turned(self) -> Placement {
        Placement { left: self.right, right: self.left }
    }
}

/// Writes `1,0>2,0`: the left end, then the right end.
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
        pasted::trim(text)
            .split_once('>')
            .and_then(|(left, right)| Some(Placement { left: square(left)?, right: square(right)? }))
            .ok_or_else(|| ParseError::new(text, format!("{text:?} is not a placement (like 1,0>2,0)")))
    }
}
