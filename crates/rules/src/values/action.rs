//! Actions, their text and their numbers (docs/formats/action.md).

use std::fmt;
use std::str::FromStr;

use crate::input::parse_error::ParseError;
use crate::input::pasted;
use crate::values::domino::Domino;
use crate::values::size::KingdomSize;
use crate::values::square::{Direction, Placement, Square};

/// One decision of a seat. Whether it is legal depends on the position.
///
/// Actions are ordered like their [numbers](Action::number). `Display` writes the text form, `FromStr` reads it:
///
/// ```
/// use kingdomino_rules::{Action, Direction, Domino, Placement, Square};
///
/// let claim: Action = "claim 17".parse()?;
/// assert_eq!(Some(claim), Domino::new(17).map(Action::Claim));
/// // The left end at (1, 0), the right end at (2, 0), relative to the castle.
/// let place: Action = "place 1,0>2,0".parse()?;
/// assert_eq!(Some(place), Placement::new(Square::new(1, 0), Direction::East).map(Action::Place));
/// assert!(claim < Action::Discard && Action::Discard < place);
///
/// let error = "claim 49".parse::<Action>().unwrap_err();
/// assert_eq!(error.to_string(), "action \"claim 49\": there is no domino \"49\" (they are numbered 1 to 48)");
/// # Ok::<(), kingdomino_rules::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Puts a king on this domino of the offered line.
    Claim(Domino),
    /// Discards the domino to place, which fits nowhere.
    Discard,
    /// Places the domino to place.
    Place(Placement),
}

impl Action {
    /// The key of the order: claims, the discard, then placements row by row, from the lowest left end.
    fn rank(self) -> (u8, [i32; 4]) {
        match self {
            Action::Claim(domino) => (0, [domino.index() as i32, 0, 0, 0]),
            Action::Discard => (1, [0; 4]),
            Action::Place(placement) => {
                let Placement { left, right } = placement;
                // Squares that are not neighbours have no direction. They come last.
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

/// How far a square can be from the castle, and the side of the frame of all such squares.
const fn frame(size: KingdomSize) -> (i32, i32) {
    let reach = size.squares() as i32 - 1;
    (reach, 2 * reach + 1)
}

/// The number of a placement. The result is meaningless for one outside the frame.
#[inline]
pub(crate) const fn placement_number(left: Square, direction: usize, size: KingdomSize) -> usize {
    let (reach, side) = frame(size);
    let place = (left.y as i32 + reach) * side + left.x as i32 + reach;
    (Action::DISCARD + 1 + direction).wrapping_add_signed(4 * place as isize)
}

/// The left end and the direction of the placement with this number. The right end may lie outside the frame. `None`
/// if no placement has this number.
#[inline]
pub(crate) const fn placement_of_number(number: usize, size: KingdomSize) -> Option<(Square, usize)> {
    if number <= Action::DISCARD || number >= Action::count(size) {
        return None;
    }
    let (reach, side) = frame(size);
    let (place, direction) = ((number - Action::DISCARD - 1) as i32 / 4, (number - Action::DISCARD - 1) % 4);
    Some((Square::new((place % side - reach) as i8, (place / side - reach) as i8), direction))
}

impl Action {
    /// The number of the discard: claims are below it, placements above.
    pub const DISCARD: usize = Domino::COUNT;

    /// The number of action numbers: 373 for 5×5, 725 for 7×7.
    pub const fn count(size: KingdomSize) -> usize {
        let (_, side) = frame(size);
        Action::DISCARD + 1 + 4 * (side * side) as usize
    }

    /// The number of this action, from 0; it means the same in every position with kingdoms of this size.
    ///
    /// The claim of domino n is n - 1, the discard is 48, and a placement is `49 + 4·((y + r)·(2r + 1) + (x + r)) +
    /// d`, where (x, y) is the square of the left end, r how far a square can be from the castle (4 for 5×5, 6 for
    /// 7×7) and d the direction of the right end: east 0, north 1, west 2, south 3.
    ///
    /// `None` for a placement with an end farther from the castle than r.
    pub fn number(self, size: KingdomSize) -> Option<usize> {
        match self {
            Action::Claim(domino) => Some(domino.index()),
            Action::Discard => Some(Action::DISCARD),
            Action::Place(placement) => {
                let (reach, _) = frame(size);
                let inside = |Square { x, y }| i32::from(x.unsigned_abs().max(y.unsigned_abs())) <= reach;
                if !inside(placement.left) || !inside(placement.right) {
                    return None;
                }
                Some(placement_number(placement.left, placement.direction()? as usize, size))
            }
        }
    }

    /// The action with this number; `None` if no action has it.
    pub fn from_number(number: usize, size: KingdomSize) -> Option<Action> {
        if number < Action::DISCARD {
            return Domino::new(number as u8 + 1).map(Action::Claim);
        }
        if number == Action::DISCARD {
            return Some(Action::Discard);
        }
        let (left, direction) = placement_of_number(number, size)?;
        let action = Action::Place(Placement::new(left, Direction::ALL[direction])?);
        // At the edge of the frame, some directions lead out of it.
        action.number(size).map(|_| action)
    }
}

/// Writes `claim 17`, `place 1,0>2,0` or `discard`.
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
        let trimmed = pasted::trim(text);
        match trimmed.split_once(char::is_whitespace) {
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
            None if trimmed == "discard" => Ok(Action::Discard),
            _ => Err(ParseError::new(
                text,
                format!("{text:?} is not an action (like \"claim 17\", \"place 1,0>2,0\" or \"discard\")"),
            )),
        }
    }
}
