//! One decision, its text and its number (docs/formats/action.md).

use std::fmt;
use std::str::FromStr;

use crate::domino::Domino;
use crate::error::ParseError;
use crate::outline::KingdomSize;
use crate::square::{Direction, Placement, Square};

/// One ply: claim a domino, place the claimed domino, or discard it. Ordered like the numbers of actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Action {
    Claim(Domino),
    Discard,
    Place(Placement),
}

impl Action {
    /// What actions are compared by: claims, the discard, placements from the lowest row of the left end on.
    fn rank(self) -> (u8, [i32; 4]) {
        match self {
            Action::Claim(domino) => (0, [domino.index() as i32, 0, 0, 0]),
            Action::Discard => (1, [0; 4]),
            Action::Place(placement) => {
                let Placement { left, right } = placement;
                // Squares that are not neighbours have no direction, and come last.
                let direction = placement.direction().map_or(4, |direction| direction as i32);
                let far = i32::from(right.y) * 256 + i32::from(right.x);
                (2, [i32::from(left.y), i32::from(left.x), direction, far])
            }
        }
    }
}

impl Ord for Action {
    fn cmp(&self, other: &Action) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Action {
    fn partial_cmp(&self, other: &Action) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The number of the discard; below it are the claims, above it the placements.
const DISCARD: usize = Domino::COUNT;

/// The farthest that a square can be from the castle, and the side of the frame of all squares.
const fn frame(size: KingdomSize) -> (i32, i32) {
    let reach = size.squares() as i32 - 1;
    (reach, 2 * reach + 1)
}

/// The number of a placement within the frame; beyond it, arithmetic wraps round.
#[inline]
pub(crate) const fn placement_number(left: Square, direction: usize, size: KingdomSize) -> usize {
    let (reach, side) = frame(size);
    let place = (left.y as i32 + reach) * side + left.x as i32 + reach;
    (DISCARD + 1 + direction).wrapping_add_signed(4 * place as isize)
}

/// The left end and the direction of the placement with this number, which may lead out of the frame;
/// `None` where the number is of no placement.
#[inline]
pub(crate) const fn placement_of_number(number: usize, size: KingdomSize) -> Option<(Square, usize)> {
    if number <= DISCARD || number >= Action::count(size) {
        return None;
    }
    let (reach, side) = frame(size);
    let (place, direction) = ((number - DISCARD - 1) as i32 / 4, (number - DISCARD - 1) % 4);
    Some((Square::new((place % side - reach) as i8, (place / side - reach) as i8), direction))
}

impl Action {
    /// How many action numbers there are: 373 for 5×5, 725 for 7×7.
    pub const fn count(size: KingdomSize) -> usize {
        let (_, side) = frame(size);
        DISCARD + 1 + 4 * (side * side) as usize
    }

    /// Its number: domino n is claimed by n - 1, 48 discards, and a placement is
    /// `49 + 4·((y + r)·(2r + 1) + (x + r)) + d` for its left end at (x, y), where r is the farthest
    /// that a square can be from the castle and d the direction of the right end: east 0, north 1,
    /// west 2, south 3. `None` for a placement outside that frame.
    pub fn number(self, size: KingdomSize) -> Option<usize> {
        match self {
            Action::Claim(domino) => Some(domino.index()),
            Action::Discard => Some(DISCARD),
            Action::Place(placement) => {
                let (reach, _) = frame(size);
                let inside = |square: Square| i32::from(square.x.abs().max(square.y.abs())) <= reach;
                if !inside(placement.left) || !inside(placement.right) {
                    return None;
                }
                Some(placement_number(placement.left, placement.direction()? as usize, size))
            }
        }
    }

    /// The action with this number; `None` where no action has it.
    pub fn from_number(number: usize, size: KingdomSize) -> Option<Action> {
        if number < DISCARD {
            return Domino::new(number as u8 + 1).map(Action::Claim);
        }
        if number == DISCARD {
            return Some(Action::Discard);
        }
        let (left, direction) = placement_of_number(number, size)?;
        let action = Action::Place(Placement::new(left, Direction::ALL[direction])?);
        // At the edge of the frame some directions lead out of it.
        action.number(size).map(|_| action)
    }
}

/// `claim 17`, `place 1,0>2,0`, `discard`.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Claim(domino) => write!(f, "claim {domino}"),
            Action::Place(placement) => write!(f, "place {placement}"),
            Action::Discard => f.write_str("discard"),
        }
    }
}

impl FromStr for Action {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let place = format_args!("action {text:?}");
        match text.trim().split_once(char::is_whitespace) {
            Some(("claim", domino)) => {
                let domino = domino.trim();
                domino
                    .parse()
                    .map(Action::Claim)
                    .map_err(|error: ParseError| error.within(place, text, domino))
            }
            Some(("place", placement)) => {
                let placement = placement.trim();
                let within = |error: ParseError| error.within(place, text, placement);
                placement.parse().map(Action::Place).map_err(within)
            }
            None if text.trim() == "discard" => Ok(Action::Discard),
            _ => Err(ParseError::new(
                text,
                format!("{text:?} is not an action (like \"claim 17\", \"place 1,0>2,0\" or \"discard\")"),
            )),
        }
    }
}
