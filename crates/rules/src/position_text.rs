//! The text form of a position: one line, like a FEN (docs/formats/position.md).
//!
//! `kd1 2.second.random 1 place:1 *3@0,17@1,22@0,41@1 5@0,9,30,44 1-2,4,6-8 C;w1wC`:
//! version, rules, round, whose decision, the line, the next line, the unseen dominoes, kingdoms.

use std::fmt::{self, Write};
use std::str::FromStr;

use arrayvec::{ArrayString, ArrayVec};

use crate::domino::{Domino, DominoSet};
use crate::error::{Fault, Faults};
use crate::kingdom::Kingdom;
use crate::kingdom_text;
use crate::line::{Line, Seat};
use crate::pasted;
use crate::position::{Position, Stage};
use crate::rules::{Opening, Rules};

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

fn ranges(set: DominoSet) -> ArrayString<LONGEST> {
    let mut text = ArrayString::new();
    push_ranges(&mut text, set);
    text
}

fn parse_ranges(text: &str, faults: &mut Vec<Fault>) -> DominoSet {
    let mut set = DominoSet::EMPTY;
    if text == "-" {
        return set;
    }
    for run in text.split(',') {
        let (first, last) = run.split_once('-').unwrap_or((run, run));
        match (first.parse::<Domino>(), last.parse::<Domino>()) {
            (Ok(first), Ok(last)) if first <= last => {
                for index in first.index()..=last.index() {
                    let domino = Domino::from_index(index as u8);
                    if !set.insert(domino) {
                        faults.push(format!("unseen dominoes: {domino} is given twice").into());
                    }
                }
            }
            (Err(error), _) | (_, Err(error)) => faults.push(format!("unseen dominoes: {error}").into()),
            _ => faults.push(format!("unseen dominoes: {run} runs backwards").into()),
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
fn parse_line(name: &str, text: &str, players: usize, faults: &mut Vec<Fault>) -> (Line, usize) {
    let mut entries: Vec<(Domino, Option<Seat>, bool)> = Vec::with_capacity(4);
    for entry in text.split(',').filter(|_| text != "-") {
        let (finished, rest) = entry.strip_prefix('*').map_or((false, entry), |rest| (true, rest));
        let (number, king) = rest.split_once('@').map_or((rest, None), |(number, king)| (number, Some(king)));
        let seat = match king.map(str::parse::<Seat>) {
            None => None,
            Some(Ok(seat)) if seat < players => Some(seat),
            Some(_) => {
                faults.push(format!("{name}: {entry:?} names an unknown seat (0 to {})", players - 1).into());
                None
            }
        };
        match number.parse::<Domino>() {
            Ok(domino) => entries.push((domino, seat, finished)),
            Err(error) => faults.push(format!("{name}: {error}").into()),
        }
    }
    if entries.len() > 4 {
        faults.push(format!("{name}: {} dominoes (4 at the most)", entries.len()).into());
    }
    if !entries.is_sorted_by(|a, b| a.0 < b.0) {
        faults.push(format!("{name}: its dominoes are not in order, lowest first").into());
    }
    let finished = entries.iter().take_while(|(.., finished)| *finished).count();
    if entries.iter().skip(finished).any(|(.., finished)| *finished) {
        faults.push(format!("{name}: the finished turns (*) do not come first").into());
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
        // Each wrong word has a fault of its own, so a text without end would have as many.
        if text.len() > LONGEST_WHOLE {
            return Err(Faults::from("it is longer than the text of any position".to_owned()));
        }
        let words: ArrayVec<&str, 9> = text.split(' ').take(9).collect();
        let &[version, rules, round, stage, line, next_line, unseen, kingdoms] = words.as_slice() else {
            return Err(Faults::from(format!(
                "a position has 8 words (version, rules, round, decision, line, next line, unseen, kingdoms), \
                 not {}",
                text.split(' ').count()
            )));
        };
        if version != VERSION {
            return Err(Faults::from(format!("version {version:?} is not {VERSION:?}")));
        }
        let rules: Rules = rules.parse()?;
        let mut faults = Vec::new();
        let mut position = Position::new(rules);
        match round.parse::<u8>() {
            Ok(round) if usize::from(round) <= rules.rounds() => position.round = round,
            _ => faults.push(format!("round {round:?} is not from 0 to {}", rules.rounds()).into()),
        }
        let (name, seat) = stage.split_once(':').unwrap_or((stage, ""));
        position.stage = match name {
            "place" => Stage::Place,
            "claim" => Stage::Claim,
            "reveal" if seat.is_empty() => Stage::Reveal,
            "draw" if seat.is_empty() => Stage::Draw,
            "over" if seat.is_empty() => Stage::Over,
            _ => {
                faults.push(
                    format!(
                        "{stage:?} is not what comes next (place:SEAT, claim:SEAT, reveal, draw or over)"
                    )
                    .into(),
                );
                Stage::Over
            }
        };
        if matches!(position.stage, Stage::Place | Stage::Claim) {
            match seat.parse::<Seat>() {
                Ok(seat) if seat < rules.players() => position.to_move = seat as u8,
                _ => faults.push(format!("{stage:?} names no seat from 0 to {}", rules.players() - 1).into()),
            }
        }
        position.unseen = parse_ranges(unseen, &mut faults);
        let (line, finished) = parse_line("line", line, rules.players(), &mut faults);
        let (next_line, next_finished) = parse_line("next line", next_line, rules.players(), &mut faults);
        if next_finished > 0 {
            faults.push("next line: a turn is marked as finished (*)".into());
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
            _ => Err(Faults::from(format!("the same position is written {position}"))),
        }
    }
}

/// The seats whose kingdoms can be read and are possible.
fn parse_kingdoms(position: &mut Position, text: &str, faults: &mut Vec<Fault>) -> Vec<Seat> {
    let rules = position.rules;
    let count = text.split(';').count();
    if count != rules.players() {
        faults.push(format!("{count} kingdoms for {} players", rules.players()).into());
    }
    let mut known = Vec::with_capacity(rules.players());
    for (seat, kingdom) in text.split(';').enumerate().take(rules.players()) {
        match Kingdom::parse_exactly(kingdom, rules.kingdom_size()) {
            Ok(kingdom) => {
                position.kingdoms[seat] = kingdom;
                known.push(seat);
            }
            Err(errors) => {
                faults.extend(errors.list().iter().cloned().map(|fault| fault.in_kingdom(seat)));
            }
        }
    }
    known
}

/// The contradictions between the parts of a position. Of the kingdoms, only these seats' are known.
fn contradictions(position: &Position, finished: usize, known: &[Seat]) -> Vec<Fault> {
    let rules = &position.rules;
    let mut faults = Vec::new();
    let mut claim = |holds: bool, fault: &dyn Fn() -> Fault| {
        if !holds {
            faults.push(fault());
        }
    };
    let (round, stage) = (position.round(), position.stage);
    let last = round == rules.rounds();
    let (resolving, offered) = (&position.resolving, &position.offered);
    let (players, kings) = (rules.players(), rules.total_kings());

    // The dominoes: each in one place only, and as many as have been revealed.
    let both = DominoSet::from_bits(resolving.set().bits() & offered.set().bits());
    claim(both.is_empty(), &|| {
        Fault::new("in_both_lines", format!("dominoes {} are in both lines", ranges(both))).dominoes(both)
    });
    let lines = DominoSet::from_bits(resolving.set().bits() | offered.set().bits());
    let both = DominoSet::from_bits(lines.bits() & position.unseen.bits());
    claim(both.is_empty(), &|| {
        let sentence = format!("dominoes {} are in a line and unseen", ranges(both));
        Fault::new("shown_and_unseen", sentence).dominoes(both)
    });
    let lines_seen = if stage == Stage::Reveal { round } else { (round + 1).min(rules.rounds()) };
    let expected = Domino::COUNT - rules.line_length() * lines_seen;
    let unseen = position.unseen.len();
    claim(unseen == expected, &|| {
        let sentence = format!("{unseen} dominoes are unseen in round {round}, not {expected}");
        Fault::new("unseen_count", sentence).numbers(unseen, expected)
    });

    // The lines: their lengths, and the kings on them.
    let expected = if round == 0 { 0 } else { kings };
    claim(resolving.len() == expected, &|| {
        let sentence = format!("{} dominoes in the line being resolved, not {expected}", resolving.len());
        Fault::new("line_length", sentence).numbers(resolving.len(), expected)
    });
    let free: DominoSet = (0..resolving.len())
        .filter(|place| resolving.king(*place).is_none())
        .map(|place| resolving.domino(place))
        .collect();
    claim(free.is_empty(), &|| {
        Fault::new("no_king", "a domino in the line being resolved has no king".into()).dominoes(free)
    });
    let expected = if last || stage == Stage::Reveal { 0 } else { rules.line_length() };
    claim(offered.len() == expected, &|| {
        let sentence = format!("{} dominoes on offer, not {expected}", offered.len());
        Fault::new("offered_length", sentence).numbers(offered.len(), expected)
    });
    for seat in 0..players {
        let standing = resolving.kings_of(seat);
        claim(round == 0 || standing == rules.kings(), &|| {
            let expected = rules.kings();
            let sentence =
                format!("seat {seat} has {standing} kings in the line being resolved, not {expected}");
            Fault::new("kings_in_line", sentence).seat(seat).numbers(standing, expected)
        });
        let standing = offered.kings_of(seat);
        let moved = (0..finished).filter(|place| resolving.king(*place) == Some(seat)).count();
        let expected = if round == 0 { rules.kings() } else { moved };
        claim(if round == 0 { standing <= expected } else { last || standing == expected }, &|| {
            let sentence = format!("seat {seat} has {standing} kings on offered dominoes");
            Fault::new("kings_on_offer", sentence).seat(seat).numbers(standing, expected)
        });
    }

    // The stage, and the seat to move.
    let simple = |code, sentence: &str| Fault::new(code, sentence.into());
    match stage {
        Stage::Over => {
            claim(last && finished == kings, &|| {
                simple("not_over", "the game is over, but turns are still to come")
            });
        }
        Stage::Place => claim(round > 0, &|| simple("no_place", "nothing can be placed in round 0")),
        Stage::Claim => claim(!last, &|| simple("no_claim", "nothing can be claimed in the last round")),
        Stage::Reveal => {
            claim(!last && finished == 0, &|| simple("no_reveal", "no line can be revealed here"));
        }
        Stage::Draw => {
            let is_due = match rules.opening() {
                Opening::Random => offered.claims() < kings,
                Opening::Snake => offered.claims() == 0,
            };
            claim(round == 0 && is_due, &|| simple("no_draw", "no king can be drawn here"));
        }
    }
    let to_move = position.to_move as Seat;
    if matches!(stage, Stage::Place | Stage::Claim) && round > 0 {
        let expected = resolving.king(finished);
        claim(expected == Some(to_move), &|| match expected {
            Some(expected) => {
                let sentence = format!("it is seat {expected}'s turn, not seat {to_move}'s");
                Fault::new("turn", sentence).seat(expected)
            }
            None => simple("round_over", "every turn of the round is finished"),
        });
    }
    if stage == Stage::Claim && round == 0 {
        let snake_breaks = rules.opening() == Opening::Snake && !snake_order(offered, to_move);
        claim(position.kings_waiting(to_move) > 0 && !snake_breaks, &|| {
            Fault::new("no_king_left", format!("seat {to_move} has no king to claim with now")).seat(to_move)
        });
    }

    // The kingdoms: at most two squares for each domino placed.
    for &seat in known {
        let kingdom = &position.kingdoms()[seat];
        let turns = (0..finished).filter(|place| resolving.king(*place) == Some(seat)).count();
        let pending = usize::from(stage == Stage::Claim && round > 0 && to_move == seat);
        let placed = round.saturating_sub(1) * rules.kings() + turns + pending;
        let squares = kingdom.covered.count_ones() as usize;
        claim(squares <= 1 + 2 * placed && squares % 2 == 1, &|| {
            let sentence = if squares % 2 == 1 {
                format!("the kingdom of seat {seat} has {squares} squares after {placed} dominoes")
            } else {
                format!(
                    "the kingdom of seat {seat} has {squares} squares, but the number must be odd: the castle, and \
                     two squares for each domino"
                )
            };
            Fault::new("square_count", sentence).seat(seat).numbers(squares - 1, 2 * placed)
        });
    }
    faults
}

/// Whether the order A B B A can have led to these claims with this seat to move now.
fn snake_order(offered: &Line, to_move: Seat) -> bool {
    let first = [to_move, 1 - to_move, 1 - to_move, to_move][offered.claims() & 3];
    let claimed = &[first, 1 - first, 1 - first, first][..offered.claims()];
    (0..2).all(|seat| claimed.iter().filter(|one| **one == seat).count() == offered.kings_of(seat))
}
