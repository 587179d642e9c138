//! What a seat sees of a position (docs/formats/observation.md), written into memory that is there.

mod compact;
mod planes;
mod vector;

pub use vector::{Field, fields};

use kingdomino_rules::{KingdomSize, Line, Position, Rules, Seat, Square};

/// In which form an observation is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Planes of bytes and a vector of words.
    Planes,
    /// Bytes alone, a tenth as many.
    Compact,
}

/// How much memory the parts of an observation take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The bytes: planes × rows × columns, or the whole compact form.
    pub bytes: usize,
    /// The words: the vector; none in the compact form.
    pub words: usize,
}

impl Shape {
    /// Of an observation under these rules.
    pub fn of(form: Form, rules: &Rules) -> Shape {
        match form {
            Form::Planes => Shape { bytes: planes::length(rules), words: vector::length(rules) },
            Form::Compact => Shape { bytes: compact::length(rules), words: 0 },
        }
    }
}

/// Writes observations of one game, and remembers what is slow to find and seldom changes.
#[derive(Clone, Debug)]
pub struct Observer {
    form: Form,
    scores: [i16; Rules::MOST],
    /// A bit for each seat whose kingdom has changed since.
    stale: u8,
}

impl Observer {
    /// For one game after the other.
    pub const fn new(form: Form) -> Observer {
        Observer { form, scores: [0; Rules::MOST], stale: u8::MAX }
    }

    /// Must be called when something was placed in the kingdom of this seat.
    pub const fn forget(&mut self, seat: Seat) {
        self.stale |= 1 << seat;
    }

    /// Must be called when another game begins.
    pub const fn forget_all(&mut self) {
        self.stale = u8::MAX;
    }

    /// Writes what this seat sees. `bytes` and `words` must be as long as `Shape::of` says.
    #[inline(always)]
    pub fn write(&mut self, position: &Position, seat: Seat, bytes: &mut [u8], words: &mut [i16]) {
        self.look_again(position);
        match self.form {
            Form::Planes => {
                planes::write(position, seat, bytes);
                vector::write(position, &self.scores, seat, words);
            }
            Form::Compact => compact::write(position, &self.scores, seat, bytes),
        }
    }

    #[inline(always)]
    fn look_again(&mut self, position: &Position) {
        for (seat, kingdom) in position.kingdoms().iter().enumerate() {
            if self.stale >> seat & 1 == 1 {
                self.scores[seat] = kingdom.score(position.rules()).total() as i16;
            }
        }
        self.stale = 0;
    }
}

/// The frame of all squares that a kingdom can reach, row by row from the lowest, each from the left.
#[derive(Clone, Copy)]
struct Frame {
    reach: i8,
    side: usize,
}

impl Frame {
    const fn new(size: KingdomSize) -> Frame {
        let reach = size.squares() - 1;
        Frame { reach, side: 2 * reach as usize + 1 }
    }

    const fn squares(self) -> usize {
        self.side * self.side
    }

    const fn index(self, square: Square) -> usize {
        (square.y + self.reach) as usize * self.side + (square.x + self.reach) as usize
    }

    /// Calls with the index of every square that these bits stand for, in a box with this lowest corner.
    #[inline(always)]
    fn each(self, bits: u64, low: Square, mut visit: impl FnMut(usize)) {
        let start = self.index(low);
        let mut rest = bits.rotate_right(low.bit());
        while rest != 0 {
            let offset = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            visit(start + (offset >> 3) * self.side + (offset & 7));
        }
    }
}

/// A seat as another one sees it: 0 is oneself, 1 the next seat, and so on.
#[inline]
const fn relative(seat: Seat, own: Seat, players: usize) -> usize {
    let ahead = seat + players - own;
    if ahead >= players { ahead - players } else { ahead }
}

/// The seat that another one sees at this relative place.
#[inline]
const fn absolute(place: usize, own: Seat, players: usize) -> Seat {
    let seat = own + place;
    if seat >= players { seat - players } else { seat }
}

/// The line whose kings act; empty in the opening round.
const fn acting_line(position: &Position) -> &Line {
    if position.round() == 0 { position.next_line() } else { position.line() }
}
