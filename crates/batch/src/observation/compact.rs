//! The compact form of an observation: few bytes that are still easy to read.

use kingdomino_rules::{Domino, Edition, Opening, Position, Rules, Seat, Stage, Terrain};

use super::{Frame, absolute, acting_line, relative};

/// The castle's square.
const CASTLE: u8 = 7;

/// One crown, added to the byte of a square.
const CROWN: u8 = 8;

/// The number of bytes.
pub(super) const fn length(rules: &Rules) -> usize {
    let lines = 2 * 2 * Rules::MOST;
    let counts_unseen_and_options = 6 + 6 + 6;
    rules.players() * (Frame::new(rules.kingdom_size()).squares() + 3) + lines + counts_unseen_and_options
}

/// Writes bytes one after the other.
struct Writer<'a>(&'a mut [u8]);

impl<'a> Writer<'a> {
    fn next(&mut self, count: usize) -> &'a mut [u8] {
        let (bytes, rest) = std::mem::take(&mut self.0).split_at_mut(count);
        self.0 = rest;
        bytes
    }

    fn write(&mut self, bytes: &[u8]) {
        self.next(bytes.len()).copy_from_slice(bytes);
    }
}

/// Writes the compact form as this seat sees it.
pub(super) fn write(position: &Position, scores: &[i16; Rules::MOST], own: Seat, bytes: &mut [u8]) {
    let rules = position.rules();
    let players = rules.players();
    let frame = Frame::new(rules.kingdom_size());
    bytes.fill(0);
    let mut writer = Writer(bytes);
    for place in 0..players {
        let kingdom = &position.kingdoms()[absolute(place, own, players)];
        let (low, _) = kingdom.corners();
        let squares = writer.next(frame.squares());
        for (code, terrain) in (1..).zip(Terrain::ALL) {
            frame.each(kingdom.terrain(terrain), low, |square| squares[square] = code);
        }
        for digit in 0..2 {
            frame.each(kingdom.crown_digit(digit), low, |square| squares[square] += CROWN << digit);
        }
        squares[frame.squares() / 2] = CASTLE;
    }
    let lines = [acting_line(position), position.offered()];
    for line in lines {
        for place in 0..Rules::MOST {
            let slot = writer.next(2);
            if place < line.len() {
                slot[0] = line.domino(place).number();
                slot[1] = line.king(place).map_or(0, |king| relative(king, own, players) as u8 + 1);
            }
        }
    }
    let phase = match position.stage() {
        Stage::Over | Stage::Reveal | Stage::Draw => 0,
        Stage::Claim => 1,
        Stage::Place => 2,
    };
    let to_move = position.to_move().map_or(0, |seat| relative(seat, own, players) as u8 + 1);
    let hand = position.domino().map_or(0, Domino::number);
    let (round, to_come) = (position.round() as u8, position.lines_to_come() as u8);
    writer.write(&[phase, to_move, hand, position.turn() as u8, round, to_come]);
    writer.write(&position.unseen().bits().to_le_bytes()[..6]);
    for place in 0..players {
        writer.write(&scores[absolute(place, own, players)].to_le_bytes());
    }
    let waiting = writer.next(players);
    if position.round() == 0 {
        for (place, byte) in waiting.iter_mut().enumerate() {
            *byte = position.kings_waiting(absolute(place, own, players)) as u8;
        }
    }
    writer.write(&[
        players as u8,
        u8::from(rules.mighty_duel()),
        u8::from(rules.harmony),
        u8::from(rules.middle_kingdom),
        u8::from(rules.edition == Edition::Second),
        u8::from(rules.opening() == Opening::Snake),
    ]);
}
