//! The legal actions of a position, found once for three uses: checking an action, sampling one, writing the mask.

use kingdomino_rules::random::Stream;
use kingdomino_rules::{Action, KingdomSize, Line, Placements, Position, Rules, Spot, Stage};
use kingdomino_search::Cpu;

/// The legal actions of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Legal {
    /// Any domino without a king in this line.
    Claim(Line),
    /// One of these; there is at least one.
    Place(Placements),
    Discard,
    /// The game is over.
    Nothing,
}

/// A legal claim or placement. Discards are rare and take the slower path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Decision {
    /// The domino at this place of the line.
    Claim(usize),
    Place(Spot),
}

impl Legal {
    #[inline(always)]
    pub(crate) fn of(position: &Position) -> Legal {
        if let Some(domino) = position.domino() {
            let placements = position.own_kingdom_unchecked().placements(domino);
            return if placements.is_empty() { Legal::Discard } else { Legal::Place(placements) };
        }
        if position.stage() == Stage::Claim { Legal::Claim(*position.offered()) } else { Legal::Nothing }
    }

    /// The claim or placement with this number. `None` does not mean illegal: the rules also accept a double that is
    /// written the other way round.
    #[inline(always)]
    pub(crate) fn numbered(&self, number: i64, size: KingdomSize) -> Option<Decision> {
        let number = usize::try_from(number).ok()?;
        match self {
            Legal::Claim(line) => {
                line.free_places().find(|place| line.domino(*place).index() == number).map(Decision::Claim)
            }
            Legal::Place(placements) => placements.numbered(number, size).map(Decision::Place),
            Legal::Discard | Legal::Nothing => None,
        }
    }

    /// The number of a legal action, chosen uniformly; `None` when the game is over.
    #[inline(always)]
    pub(crate) fn choose(&self, size: KingdomSize, random: &mut Stream, cpu: impl Cpu) -> Option<usize> {
        match self {
            Legal::Claim(line) => Some(
                line.domino(cpu.choose_of_four(line.free(), |count| random.below(count as usize) as u32))
                    .index(),
            ),
            Legal::Place(placements) => {
                let (board, bit) =
                    cpu.choose_of_boards(placements.boards(), |count| random.below(count as usize) as u32)?;
                Some(placements.spot(board, bit).number(size))
            }
            Legal::Discard => Some(Action::DISCARD),
            Legal::Nothing => None,
        }
    }

    /// Writes 1 for each legal action number, else 0. `mask` has an entry for every number.
    #[inline(always)]
    pub(crate) fn write(&self, size: KingdomSize, mask: &mut [i8]) {
        match self {
            Legal::Place(placements) => match size {
                KingdomSize::Five => write_placements::<9, 480>(placements, mask),
                KingdomSize::Seven => write_placements::<13, 784>(placements, mask),
            },
            Legal::Claim(line) => {
                mask.fill(0);
                for place in 0..Rules::MOST {
                    mask[line.domino(place).index()] |= (line.free() >> place & 1) as i8;
                }
            }
            Legal::Discard => {
                mask.fill(0);
                mask[Action::DISCARD] = 1;
            }
            Legal::Nothing => mask.fill(0),
        }
    }
}

/// The number of the first placement.
const FIRST: usize = Action::DISCARD + 1;

/// Writes the mask of placements: four for each square of a frame of `SIDE` × `SIDE` squares.
///
/// The boards can extend beyond the frame, although nothing is legal there. So they are written into a larger buffer
/// of `BUFFER` entries, in which the frame begins after two rows and a square, and the frame is copied from it.
#[inline(always)]
fn write_placements<const SIDE: usize, const BUFFER: usize>(placements: &Placements, mask: &mut [i8]) {
    let reach = SIDE as i8 / 2;
    let ([east, north, west, south], corner) = placements.left_ends();
    let (row, column) = ((corner.y + reach + 1) as usize, (corner.x + reach + 1) as usize);
    let mut buffer = [0; BUFFER];
    let window = &mut buffer[4 * (row * SIDE + column)..][..4 * (8 * SIDE + 8)];
    // Only placements to the north start in the lowest row, and only those to the east in the column on the left.
    write_row(u32::from(north as u8) << 8, window);
    let [easts, norths] = [(east >> 1) & 0x7f7f_7f7f_7f7f_7f7f, north >> 8].map(u64::to_le_bytes);
    let [wests, souths] = [west, south].map(u64::to_le_bytes);
    for row in 0..8 {
        let start = 4 * SIDE * (row + 1);
        let directions = u32::from_le_bytes([easts[row], norths[row], wests[row], souths[row]]);
        write_row(directions, &mut window[start..]);
        window[start - 4] = (east >> (8 * row) & 1) as i8;
    }
    let frame = &buffer[4 * (2 * SIDE + 1)..][..4 * SIDE * SIDE];
    mask[..FIRST].fill(0);
    mask[FIRST..].copy_from_slice(frame);
}

/// Writes eight squares of a row. Byte d of `directions` has a bit for each square: direction d is legal there.
#[inline(always)]
fn write_row(directions: u32, row: &mut [i8]) {
    let (squares, _) = row.as_chunks_mut::<4>();
    for (column, square) in squares[..8].iter_mut().enumerate() {
        *square = (directions >> column & 0x0101_0101).to_le_bytes().map(|legal| legal as i8);
    }
}
