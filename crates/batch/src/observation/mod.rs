//! Writes a seat's observation of a position (docs/formats/observation.md) into the caller's memory.

mod compact;
mod planes;
mod vector;

pub use vector::{Field, fields};

use kingdomino_rules::{Domino, KingdomSize, Line, Position, Rules, Seat, Square, Stage, Terrain};

/// The form of an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Planes of bytes and a vector of words.
    Planes,
    /// Bytes only: about a ninth of the size.
    Compact,
}

/// The length of each part of an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Bytes: planes × rows × columns, or the whole compact form.
    pub bytes: usize,
    /// Words of the vector; 0 in the compact form.
    pub words: usize,
}

impl Shape {
    /// The shape of an observation under these rules.
    pub fn of(form: Form, rules: &Rules) -> Shape {
        match form {
            Form::Planes => Shape { bytes: planes::length(rules), words: vector::length(rules) },
            Form::Compact => Shape { bytes: compact::length(rules), words: 0 },
        }
    }
}

/// Writes observations of one game. Caches slow parts that change only when a domino is placed.
#[derive(Clone, Debug)]
pub struct Observer {
    form: Form,
    /// The room planes of all kingdoms, one after the other; empty in the compact form.
    rooms: Vec<u8>,
    /// The points of each terrain's territories in each kingdom.
    points: [[u16; Terrain::ALL.len()]; Rules::MOST],
    /// The score of each kingdom.
    scores: [i16; Rules::MOST],
}

impl Observer {
    /// An observer for games with these rules.
    pub fn new(form: Form, rules: &Rules) -> Observer {
        let rooms = match form {
            Form::Planes => vec![0; rules.players() * planes::room_length(rules)],
            Form::Compact => Vec::new(),
        };
        Observer { form, rooms, points: Default::default(), scores: [0; Rules::MOST] }
    }

    /// Must be called at the start of each game, before anything is written.
    pub fn reset(&mut self, position: &Position) {
        for seat in 0..position.rules().players() {
            self.update(position, seat, Terrain::ALL);
        }
    }

    /// Must be called after each placement, with the seat and its domino.
    #[inline(always)]
    pub fn placed(&mut self, position: &Position, seat: Seat, domino: Domino) {
        self.update(position, seat, domino.ends().map(|end| end.terrain));
    }

    /// Updates the cache for a kingdom in which only these terrains can have changed.
    #[inline(always)]
    fn update<const N: usize>(&mut self, position: &Position, seat: Seat, terrains: [Terrain; N]) {
        let (rules, kingdom) = (position.rules(), &position.kingdoms()[seat]);
        let points = &mut self.points[seat];
        for terrain in terrains {
            points[terrain as usize] = kingdom.terrain_score(terrain);
        }
        self.scores[seat] = kingdom.score_with(points.iter().sum(), rules).total() as i16;
        if self.form == Form::Planes {
            let length = planes::room_length(rules);
            planes::write_room(kingdom, &mut self.rooms[seat * length..][..length]);
        }
    }

    /// The score of each kingdom now.
    pub const fn scores(&self) -> &[i16; Rules::MOST] {
        &self.scores
    }

    /// Writes what this seat sees where a seat is to move or the game is over. `bytes` and `words` must have the lengths
    /// in `Shape::of`.
    #[inline(always)]
    pub fn write(&self, position: &Position, seat: Seat, bytes: &mut [u8], words: &mut [i16]) {
        debug_assert!(!matches!(position.stage(), Stage::Reveal | Stage::Draw));
        match self.form {
            Form::Planes => {
                planes::write(position, &self.rooms, seat, bytes);
                vector::write(position, &self.scores, seat, words);
            }
            Form::Compact => compact::write(position, &self.scores, seat, bytes),
        }
    }
}

/// The frame of all squares that a kingdom can reach: rows from the lowest, each from the left.
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

    /// Visits the index of each square in `bits`, a board whose box has this lowest corner.
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

/// A seat relative to another one: 0 is that seat itself, 1 the next one, and so on.
#[inline]
const fn relative(seat: Seat, own: Seat, players: usize) -> usize {
    let ahead = seat + players - own;
    if ahead >= players { ahead - players } else { ahead }
}

/// The seat at this place relative to another one.
#[inline]
const fn absolute(place: usize, own: Seat, players: usize) -> Seat {
    let seat = own + place;
    if seat >= players { seat - players } else { seat }
}

/// The line whose kings take their turns; empty in the opening round.
const fn acting_line(position: &Position) -> &Line {
    if position.round() == 0 { position.next_line() } else { position.line() }
}
