//! The vector of words: everything in an observation except the squares.

use kingdomino_rules::{Domino, Edition, Line, Opening, Position, Rules, Seat, Stage};

use super::{absolute, acting_line};

/// Some neighbouring words of the vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name of their content.
    pub name: String,
    /// The number of words.
    pub length: usize,
    /// The highest possible value in a game; the lowest is 0.
    pub highest: i16,
}

/// A number, terrains of the left end, its crowns, terrains of the right end, its crowns.
const FACE: usize = 15;

/// The faces of the dominoes by number, zeros for other numbers. One word longer than a face, so that a row of 32
/// bytes is copied in two moves instead of four.
static FACES: [[i16; FACE + 1]; 64] = {
    let mut faces = [[0; FACE + 1]; 64];
    let mut number = 1;
    while let Some(domino) = Domino::new(number) {
        let [left, right] = domino.ends();
        let face = &mut faces[number as usize];
        face[0] = number as i16;
        face[1 + left.terrain as usize] = 1;
        face[7] = left.crowns as i16;
        face[8 + right.terrain as usize] = 1;
        face[14] = right.crowns as i16;
        number += 1;
    }
    faces
};

/// The bits of every byte as eight words of 0 or 1, lowest first.
static SPREAD: [[i16; 8]; 256] = {
    let mut spread = [[0; 8]; 256];
    let mut digit = 0;
    while digit < 256 * 8 {
        spread[digit / 8][digit % 8] = ((digit / 8) >> (digit % 8) & 1) as i16;
        digit += 1;
    }
    spread
};

/// A bound on every score of a game: the ten crowns of the mines on their six squares, six crowns on every other square
/// (RULES: components), and both bonuses, so that it is the same with and without them. A kingdom set up by hand may have
/// more crowns; no score exceeds 16 bits.
const fn highest_score(rules: &Rules) -> i16 {
    let side = rules.kingdom_size().squares() as i16;
    let all = rules.with_bonuses(true, true);
    let bonuses = all.harmony_points() + all.middle_kingdom_points();
    6 * 10 + (side * side - 1 - 6) * 6 + bonuses as i16
}

/// The fields of the vector, in order.
pub fn fields(rules: &Rules) -> Vec<Field> {
    let players = rules.players();
    let rounds = rules.rounds() as i16;
    let mut fields = Vec::new();
    let mut field = |name: &str, length, highest| {
        fields.push(Field { name: name.into(), length, highest });
    };
    field("place", 1, 1);
    field("claim", 1, 1);
    field("to_move", players, 1);
    let face = [
        (".number", 1, Domino::COUNT as i16),
        (".left", 6, 1),
        (".left_crowns", 1, 3),
        (".right", 6, 1),
        (".right_crowns", 1, 3),
    ];
    for (part, length, highest) in face {
        field(&format!("hand{part}"), length, highest);
    }
    for line in ["acting", "offered"] {
        for place in 0..Rules::MOST {
            for (part, length, highest) in face {
                field(&format!("{line}.{place}{part}"), length, highest);
            }
            field(&format!("{line}.{place}.king"), players, 1);
        }
    }
    field("to_act", Rules::MOST, 1);
    field("unseen", Domino::COUNT, 1);
    field("round", 1, rounds);
    field("lines_to_come", 1, rounds);
    field("scores", players, highest_score(rules));
    field("kings_waiting", players, rules.kings() as i16);
    field("players", 1, Rules::MOST as i16);
    for option in ["mighty_duel", "harmony", "middle_kingdom", "second_edition", "snake"] {
        field(option, 1, 1);
    }
    fields
}

/// The number of words.
pub(super) const fn length(rules: &Rules) -> usize {
    length_for(rules.players())
}

const fn length_for(players: usize) -> usize {
    let line = Rules::MOST * (FACE + players);
    let flags_and_counts = 2 + 2 + 6;
    flags_and_counts + 3 * players + FACE + 2 * line + Rules::MOST + Domino::COUNT
}

/// Writes words one after the other.
struct Writer<'a>(&'a mut [i16]);

impl<'a> Writer<'a> {
    #[inline(always)]
    fn next(&mut self, count: usize) -> &'a mut [i16] {
        let (words, rest) = std::mem::take(&mut self.0).split_at_mut(count);
        self.0 = rest;
        words
    }

    #[inline(always)]
    fn write<const N: usize>(&mut self, words: [i16; N]) {
        self.next(N).copy_from_slice(&words);
    }

    /// A face. Overwrites the word after it, so that word must be written next.
    #[inline(always)]
    fn face(&mut self, domino: Option<Domino>) {
        let number = domino.map_or(0, Domino::number);
        self.0[..=FACE].copy_from_slice(&FACES[usize::from(number & 63)]);
        self.next(FACE);
    }

    #[inline(always)]
    fn line<const PLAYERS: usize>(&mut self, line: &Line, own: Seat) {
        let kings: [u8; PLAYERS] = std::array::from_fn(|place| line.places_of(absolute(place, own, PLAYERS)));
        for place in 0..Rules::MOST {
            self.face((place < line.len()).then(|| line.domino(place)));
            self.write(kings.map(|places| i16::from(places >> place & 1)));
        }
    }
}

/// Writes the vector as this seat sees it.
#[inline(always)]
pub(super) fn write(position: &Position, scores: &[i16; Rules::MOST], own: Seat, words: &mut [i16]) {
    // Compiled for each number of players, so that the loops unroll.
    match position.rules().players() {
        2 => write_for::<2>(position, scores, own, words),
        3 => write_for::<3>(position, scores, own, words),
        _ => write_for::<4>(position, scores, own, words),
    }
}

#[inline(always)]
fn write_for<const PLAYERS: usize>(
    position: &Position,
    scores: &[i16; Rules::MOST],
    own: Seat,
    words: &mut [i16],
) {
    let rules = position.rules();
    let stage = position.stage();
    // A length known at compile time removes the bounds checks.
    let mut writer = Writer(&mut words[..length_for(PLAYERS)]);
    let seats: [Seat; PLAYERS] = std::array::from_fn(|place| absolute(place, own, PLAYERS));
    writer.write([i16::from(stage == Stage::Place), i16::from(stage == Stage::Claim)]);
    writer.write(seats.map(|seat| i16::from(position.to_move() == Some(seat))));
    writer.face(position.domino());
    let acting = acting_line(position);
    writer.line::<PLAYERS>(acting, own);
    writer.line::<PLAYERS>(position.offered(), own);
    let to_act = if stage == Stage::Over { 0..0 } else { position.turn()..acting.len() };
    writer.write::<{ Rules::MOST }>(std::array::from_fn(|place| i16::from(to_act.contains(&place))));
    let unseen = position.unseen().bits();
    for byte in 0..Domino::COUNT / 8 {
        writer.write(SPREAD[(unseen >> (8 * byte) & 0xff) as usize]);
    }
    writer.write([position.round() as i16, position.lines_to_come() as i16]);
    writer.write(seats.map(|seat| scores[seat & 3]));
    let opening = position.round() == 0;
    writer.write(seats.map(|seat| if opening { position.kings_waiting(seat) as i16 } else { 0 }));
    writer.write([
        PLAYERS as i16,
        i16::from(rules.mighty_duel()),
        i16::from(rules.harmony),
        i16::from(rules.middle_kingdom),
        i16::from(rules.edition == Edition::Second),
        i16::from(rules.opening() == Opening::Snake),
    ]);
}
