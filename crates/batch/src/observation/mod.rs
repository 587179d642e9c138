//! What a seat sees of a position (docs/formats/observation.md), written into memory that is there.

mod compact;
mod planes;
mod vector;

pub use vector::{Field, fields};

use kingdomino_rules::{Domino, KingdomSize, Line, Position, Rules, Seat, Square, Terrain};

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
    /// The planes of the kingdoms' room, one after the other; empty in the compact form.
    rooms: Vec<u8>,
    /// What the territories of each terrain are worth in each kingdom.
    points: [[u16; Terrain::ALL.len()]; Rules::MOST],
    /// What each kingdom is worth.
    scores: [i16; Rules::MOST],
}

impl Observer {
    /// For a game with these rules.
    pub fn new(form: Form, rules: &Rules) -> Observer {
        let rooms = match form {
            Form::Planes => vec![0; rules.players() * planes::room_length(rules)],
            Form::Compact => Vec::new(),
        };
        Observer { form, rooms, points: Default::default(), scores: [0; Rules::MOST] }
    }

    /// Must be called before anything is written, and when another game begins.
    pub fn look_again(&mut self, position: &Position) {
        for seat in 0..position.rules().players() {
            self.look_at(position, seat, Terrain::ALL);
        }
    }

    /// Must be called when this domino was placed in the kingdom of this seat.
    #[inline(always)]
    pub fn placed(&mut self, position: &Position, seat: Seat, domino: Domino) {
        self.look_at(position, seat, domino.ends().map(|end| end.terrain));
    }

    /// Looks at a kingdom in which only these terrains can have changed.
    #[inline(always)]
    fn look_at<const N: usize>(&mut self, position: &Position, seat: Seat, terrains: [Terrain; N]) {
        let (rules, kingdom) = (position.rules(), &position.kingdoms()[seat]);
        let points = &mut self.points[seat];
        for terrain in terrains {
            points[terrain as usize] = kingdom.terrain_score(terrain);
        }
        self.scores[seat] = kingdom.score_with(points.iter().sum(), rules).total() as i16;
        if self.form == Form::Planes {
            let length = planes::room_length(rules);
            planes::draw_room(kingdom, &mut self.rooms[seat * length..][..length]);
        }
    }

    /// What each kingdom is worth now.
    pub const fn scores(&self) -> &[i16; Rules::MOST] {
        &self.scores
    }

    /// Writes what this seat sees. `bytes` and `words` must be as long as `Shape::of` says.
    #[inline(always)]
    pub fn write(&self, position: &Position, seat: Seat, bytes: &mut [u8], words: &mut [i16]) {
        match self.form {
            Form::Planes => {
                planes::write(position, &self.rooms, seat, bytes);
                vector::write(position, &self.scores, seat, words);
            }
            Form::Compact => compact::write(position, &self.scores, seat, bytes),
        }
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
