//! The text form of a position: one line, like a FEN (docs/formats/position.md).
//!
//! `kd1 2.second.random 1 place:1 *3@0,17@1,22@0,41@1 5@0,9,30,44 1-2,4,6-8 C;w1wC`:
//! version, rules, round, whose decision, the line, the next line, the unseen dominoes, kingdoms.

use std::fmt::{self, Write};
use std::str::FromStr;

use arrayvec::{ArrayString, ArrayVec};

use crate::input::fault::{Fault, Faults, Part};
use crate::input::pasted;
use crate::kingdom::Kingdom;
use crate::kingdom::text as kingdom_text;
use crate::position::{Position, Stage};
use crate::values::domino::{Domino, DominoSet};
use crate::values::line::{Line, Seat};
use crate::values::rules::{Opening, Rules};

/// The version of the form, its first word.
const VERSION: &str = "kd1";

/// Adds a number below 100. The machinery of `write!` would take most of the time of writing a position.
fn push_number(text: &mut ArrayString<LONGEST>, number: u8) {
    if number > 9 {
        text.push(char::from(b'0' + number / 10));
    }
    text.push(char::from(b'0' + number % 10));
}

/// Adds numbers and ranges of numbers, `1-3,7`; `-` for an empty set.
fn push_ranges(text: &mut ArrayString<LONGEST>, set: DominoSet) {
    if set.is_empty() {
        text.push('-');
    }
    let numbers: ArrayVec<u8, { Domino::COUNT }> = set.into_iter().map(Domino::number).collect();
    for (index, run) in numbers.chunk_by(|a, b| *b == *a + 1).enumerate() {
        if index > 0 {
            text.push(',');
        }
        push_number(text, run[0]);
        if let [_, .., last] = run {
            text.push('-');
            push_number(text, *last);
        }
    }
}

/// Writes numbers and ranges of numbers, `1-3,7`; `-` for the empty set.
impl fmt::Display for DominoSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = ArrayString::new();
        push_ranges(&mut text, *self);
        f.write_str(&text)
    }
}

fn parse_ranges(text: &str, faults: &mut Vec<Fault>) -> DominoSet {
    let mut set = DominoSet::EMPTY;
    if text == "-" {
        return set;
    }
    let mut wrong = |fault: Fault| faults.push(fault.at(Part::Field("unseen dominoes")));
    for run in text.split(',') {
        let (first, last) = run.split_once('-').unwrap_or((run, run));
        match (first.parse::<Domino>(), last.parse::<Domino>()) {
            (Ok(first), Ok(last)) if first <= last => {
                for index in first.index()..=last.index() {
                    let domino = Domino::from_index(index as u8);
                    if !set.insert(domino) {
                        wrong(Fault::UnseenTwice { domino });
                    }
                }
            }
            (Err(error), _) | (_, Err(error)) => wrong(error.into()),
            _ => wrong(Fault::Backwards { text: run.into() }),
        }
    }
    set
}

/// Adds a line, `3@0,17,22@1`; a completed turn is marked `*3@0`; `-` for no line.
fn push_line(text: &mut ArrayString<LONGEST>, line: &Line, finished: usize) {
    if line.is_empty() {
        text.push('-');
    }
    for (place, domino) in line.dominoes().enumerate() {
        if place > 0 {
            text.push(',');
        }
        if place < finished {
            text.push('*');
        }
        push_number(text, domino.number());
        if let Some(seat) = line.king(place) {
            text.push('@');
            push_number(text, seat as u8);
        }
    }
}

/// The line, and how many of its turns are marked as completed.
fn parse_line(name: &'static str, text: &str, players: usize, faults: &mut Vec<Fault>) -> (Line, usize) {
    let mut wrong = |fault: Fault| faults.push(fault.at(Part::Field(name)));
    let mut entries: Vec<(Domino, Option<Seat>, bool)> = Vec::with_capacity(4);
    for entry in text.split(',').filter(|_| text != "-") {
        let (finished, rest) = entry.strip_prefix('*').map_or((false, entry), |rest| (true, rest));
        let (number, king) = rest.split_once('@').map_or((rest, None), |(number, king)| (number, Some(king)));
        let seat = match king.map(str::parse::<Seat>) {
            None => None,
            Some(Ok(seat)) if seat < players => Some(seat),
            Some(_) => {
                wrong(Fault::KingSeat { text: entry.into(), most: players - 1 });
                None
            }
        };
        match number.parse::<Domino>() {
            Ok(domino) => entries.push((domino, seat, finished)),
            Err(error) => wrong(error.into()),
        }
    }
    if entries.len() > 4 {
        wrong(Fault::TooManyDominoes { found: entries.len() });
    }
    if !entries.is_sorted_by(|a, b| a.0 < b.0) {
        wrong(Fault::Unsorted);
    }
    let finished = entries.iter().take_while(|(.., finished)| *finished).count();
    if entries.iter().skip(finished).any(|(.., finished)| *finished) {
        wrong(Fault::LateFinish);
    }
    let mut line = Line::new(entries.iter().map(|(domino, ..)| *domino).collect());
    for (place, seat) in entries.iter().take(line.len()).map(|(_, seat, _)| seat).enumerate() {
        if let Some(seat) = seat {
            line.claim(place, *seat);
        }
    }
    (line, finished)
}

/// More characters than the text of any position has before the kingdoms.
const LONGEST: usize = 512;

/// More than the whole text has: the kingdoms follow, with `;` between them.
const LONGEST_WHOLE: usize = LONGEST + Rules::MOST * (kingdom_text::LONGEST + 1);

impl Position {
    /// Its text as far as the kingdoms, with the space before them.
    fn head(&self) -> Result<ArrayString<LONGEST>, fmt::Error> {
        let mut text = ArrayString::new();
        write!(text, "{VERSION} {} ", self.rules)?;
        push_number(&mut text, self.round);
        let (stage, seat) = match self.stage {
            Stage::Reveal => (" reveal ", None),
            Stage::Draw => (" draw ", None),
            Stage::Place => (" place:", Some(self.to_move)),
            Stage::Claim => (" claim:", Some(self.to_move)),
            Stage::Over => (" over ", None),
        };
        text.push_str(stage);
        if let Some(seat) = seat {
            push_number(&mut text, seat);
            text.push(' ');
        }
        let finished = if self.round == 0 { 0 } else { self.turn() };
        push_line(&mut text, self.line(), finished);
        text.push(' ');
        push_line(&mut text, self.next_line(), 0);
        text.push(' ');
        push_ranges(&mut text, self.unseen);
        text.push(' ');
        Ok(text)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.head()?)?;
        for (seat, kingdom) in self.kingdoms().iter().enumerate() {
            if seat > 0 {
                f.write_char(';')?;
            }
            kingdom.fmt(f)?;
        }
        Ok(())
    }
}

/// Reads the text form and checks that the position is possible. The error lists everything that is wrong.
impl FromStr for Position {
    type Err = Faults;

    fn from_str(text: &str) -> Result<Self, Faults> {
        let text = pasted::trim(text);
        // Each wrong word is a fault, so an endless text would have endless faults.
        if text.len() > LONGEST_WHOLE {
            return Err(Fault::PositionTooLong.into());
        }
        let words: ArrayVec<&str, 9> = text.split(' ').take(9).collect();
        let &[version, rules, round, stage, line, next_line, unseen, kingdoms] = words.as_slice() else {
            return Err(Fault::Words { found: text.split(' ').count() }.into());
        };
        if version != VERSION {
            return Err(Fault::Version { text: version.into(), expected: VERSION }.into());
        }
        let rules: Rules = rules.parse()?;
        let mut faults = Vec::new();
        let mut position = Position::new(rules);
        match round.parse::<u8>() {
            Ok(round) if usize::from(round) <= rules.rounds() => position.round = round,
            _ => faults.push(Fault::Round { text: round.into(), most: rules.rounds() }),
        }
        let (name, seat) = stage.split_once(':').unwrap_or((stage, ""));
        position.stage = match name {
            "place" => Stage::Place,
            "claim" => Stage::Claim,
            "reveal" if seat.is_empty() => Stage::Reveal,
            "draw" if seat.is_empty() => Stage::Draw,
            "over" if seat.is_empty() => Stage::Over,
            _ => {
                faults.push(Fault::Decision { text: stage.into() });
                Stage::Over
            }
        };
        if matches!(position.stage, Stage::Place | Stage::Claim) {
            match seat.parse::<Seat>() {
                Ok(seat) if seat < rules.players() => position.to_move = seat as u8,
                _ => faults.push(Fault::DecisionSeat { text: stage.into(), most: rules.players() - 1 }),
            }
        }
        position.unseen = parse_ranges(unseen, &mut faults);
        let (line, finished) = parse_line("line", line, rules.players(), &mut faults);
        let (next_line, next_finished) = parse_line("next line", next_line, rules.players(), &mut faults);
        if next_finished > 0 {
            faults.push(Fault::FinishedNext.at(Part::Field("next line")));
        }
        (position.resolving, position.offered) =
            if position.round == 0 { (next_line, line) } else { (line, next_line) };
        position.turn = if position.round == 0 { position.offered.claims() } else { finished } as u8;
        // Contradictions between parts can only be found once each part is readable.
        let is_readable = faults.is_empty();
        let known = parse_kingdoms(&mut position, kingdoms, &mut faults);
        if is_readable {
            faults.extend(contradictions(&position, finished, &known));
        }
        Faults::check(faults)?;
        // The kingdoms have been compared with their texts.
        match position.head() {
            Ok(head) if text.starts_with(head.as_str()) => Ok(position),
            _ => Err(Fault::WrittenOtherwise { written: position.to_string() }.into()),
        }
    }
}

/// The seats whose kingdoms can be read and are possible.
fn parse_kingdoms(position: &mut Position, text: &str, faults: &mut Vec<Fault>) -> Vec<Seat> {
    let rules = position.rules;
    let count = text.split(';').count();
    if count != rules.players() {
        faults.push(Fault::Kingdoms { found: count, players: rules.players() });
    }
    let mut known = Vec::with_capacity(rules.players());
    for (seat, kingdom) in text.split(';').enumerate().take(rules.players()) {
        match Kingdom::parse_exactly(kingdom, rules.kingdom_size()) {
            Ok(kingdom) => {
                position.kingdoms[seat] = kingdom;
                known.push(seat);
            }
            Err(errors) => {
                faults.extend(errors.list().iter().cloned().map(|fault| fault.at(Part::Kingdom(seat))));
            }
        }
    }
    known
}

/// The contradictions between the parts of a position. Of the kingdoms, only these seats' are known.
fn contradictions(position: &Position, finished: usize, known: &[Seat]) -> Vec<Fault> {
    let rules = &position.rules;
    let mut faults = Vec::new();
    let mut claim = |holds: bool, fault: Fault| {
        if !holds {
            faults.push(fault);
        }
    };
    let (round, stage) = (position.round(), position.stage);
    let last = round == rules.rounds();
    let (resolving, offered) = (&position.resolving, &position.offered);
    let (players, kings) = (rules.players(), rules.total_kings());

    // Each domino is in one place only, and all that have been revealed are somewhere.
    let both = DominoSet::from_bits(resolving.set().bits() & offered.set().bits());
    claim(both.is_empty(), Fault::InBothLines { dominoes: both });
    let lines = resolving.set().union(offered.set());
    let both = DominoSet::from_bits(lines.bits() & position.unseen.bits());
    claim(both.is_empty(), Fault::ShownAndUnseen { dominoes: both });
    let lines_seen = if stage == Stage::Reveal { round } else { (round + 1).min(rules.rounds()) };
    let expected = Domino::COUNT - rules.line_length() * lines_seen;
    let found = position.unseen.len();
    claim(found == expected, Fault::UnseenCount { found, expected, round });

    // The lines: their lengths, and the kings on them.
    let (found, expected) = (resolving.len(), if round == 0 { 0 } else { kings });
    claim(found == expected, Fault::LineLength { found, expected });
    let free: DominoSet = (0..resolving.len())
        .filter(|place| resolving.king(*place).is_none())
        .map(|place| resolving.domino(place))
        .collect();
    claim(free.is_empty(), Fault::NoKing { dominoes: free });
    let expected = if last || stage == Stage::Reveal { 0 } else { rules.line_length() };
    let found = offered.len();
    claim(found == expected, Fault::OfferedLength { found, expected });
    for seat in 0..players {
        let (found, expected) = (resolving.kings_of(seat), rules.kings());
        claim(round == 0 || found == expected, Fault::KingsInLine { seat, found, expected });
        let moved = (0..finished).filter(|place| resolving.king(*place) == Some(seat)).count();
        let (found, expected) = (offered.kings_of(seat), if round == 0 { rules.kings() } else { moved });
        claim(
            if round == 0 { found <= expected } else { last || found == expected },
            Fault::KingsOnOffer { seat, found, expected },
        );
    }

    // The stage, and the seat to move.
    match stage {
        Stage::Over => claim(last && finished == kings, Fault::TurnsToCome),
        Stage::Place => claim(round > 0, Fault::NoPlace),
        Stage::Claim => claim(!last, Fault::NoClaim),
        Stage::Reveal => claim(!last && finished == 0, Fault::NoReveal),
        Stage::Draw => {
            let is_due = match rules.opening() {
                Opening::Random => offered.claims() < kings,
                Opening::Snake => offered.claims() == 0,
            };
            claim(round == 0 && is_due, Fault::NoDraw);
        }
    }
    let to_move = position.to_move as Seat;
    if matches!(stage, Stage::Place | Stage::Claim) && round > 0 {
        match resolving.king(finished) {
            Some(expected) => claim(expected == to_move, Fault::Turn { found: to_move, expected }),
            None => claim(false, Fault::RoundOver),
        }
    }
    if stage == Stage::Claim && round == 0 {
        let snake_breaks = rules.opening() == Opening::Snake && !snake_order(offered, to_move);
        let has_king = position.kings_waiting(to_move) > 0 && !snake_breaks;
        claim(has_king, Fault::NoKingLeft { seat: to_move });
    }

    // The kingdoms: at most two squares for each domino placed.
    for &seat in known {
        let kingdom = &position.kingdoms()[seat];
        let turns = (0..finished).filter(|place| resolving.king(*place) == Some(seat)).count();
        let pending = usize::from(stage == Stage::Claim && round > 0 && to_move == seat);
        let placed = round.saturating_sub(1) * rules.kings() + turns + pending;
        let covered = kingdom.covered.count_ones() as usize;
        let is_odd = covered % 2 == 1;
        let mut claim = |holds: bool, fault: Fault| claim(holds, fault.at(Part::Kingdom(seat)));
        claim(is_odd, Fault::EvenSquares { covered, placed });
        claim(!is_odd || covered <= 1 + 2 * placed, Fault::ManySquares { covered, placed });
    }
    faults
}

/// Whether the order A B B A can have led to these claims with this seat to move now.
fn snake_order(offered: &Line, to_move: Seat) -> bool {
    let first = [to_move, 1 - to_move, 1 - to_move, to_move][offered.claims() & 3];
    let claimed = &[first, 1 - first, 1 - first, first][..offered.claims()];
    (0..2).all(|seat| claimed.iter().filter(|one| **one == seat).count() == offered.kings_of(seat))
}
