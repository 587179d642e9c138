//! The text form of a record (docs/formats/record.md).

use std::fmt;
use std::str::FromStr;

use crate::input::fault::{Fault, Part};
use crate::input::parse_error::{ParseError, parse_number};
use crate::input::pasted;
use crate::position::Position;
use crate::record::annotation::Annotation;
use crate::record::{Draft, Entry, GameResult, Noted, Place, Record, RecordError, Written};
use crate::values::action::Action;
use crate::values::domino::{Domino, DominoSet};
use crate::values::line::Seat;

/// The first line: the format and its version.
pub(crate) const FORMAT: &str = "kingdomino-record 1";
/// How every first line begins.
const FIRST_WORD: &str = "kingdomino-record ";
/// The first line of a record with annotations.
pub(crate) const ANNOTATED: &str = "kingdomino-record 2";

impl Draft {
    /// The oldest version of the format that can express this record: more readers can read that.
    pub(crate) fn format(&self) -> &'static str {
        if self.annotations.is_empty() { FORMAT } else { ANNOTATED }
    }
}

fn numbers<T: fmt::Display>(numbers: impl IntoIterator<Item = T>) -> String {
    numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let draft = &self.draft;
        writeln!(f, "{}", draft.format())?;
        writeln!(f, "rules {}", draft.rules)?;
        if let Some(seed) = draft.seed {
            writeln!(f, "seed {seed}")?;
        }
        for (seat, name) in draft.players.iter().enumerate() {
            writeln!(f, "seat {seat} {name}")?;
        }
        for (tag, value) in &draft.tags {
            writeln!(f, "tag {tag} {value}")?;
        }
        if let Some(start) = &draft.start {
            writeln!(f, "start {start}")?;
        }
        if !draft.opening.is_empty() {
            writeln!(f, "opening {}", numbers(&draft.opening))?;
        }
        if let Some(deck) = &draft.deck {
            writeln!(f, "{}", format!("deck {}", numbers(deck)).trim_end())?;
        }
        writeln!(f)?;
        self.write_account(f)?;
        if let Some(result) = &draft.result {
            writeln!(f, "\nscores {}", numbers(&result.scores))?;
            writeln!(f, "winners {} by {}", numbers(&result.winners), result.decided_by)?;
        }
        Ok(())
    }
}

impl Record {
    /// Writes lines and turns. A placement and the claim after it share a line, unless a comment or an annotation stands
    /// between them.
    fn write_account(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ply = 0;
        let mut open_turn = None;
        for Entry { event, .. } in &self.draft.entries {
            match event {
                Written::Line(line) => {
                    close_turn(f, &mut open_turn)?;
                    writeln!(f, "line {}", numbers(*line))?;
                }
                Written::Ply(seat, action) => {
                    let goes_on = matches!(action, Action::Claim(_)) && open_turn == Some(*seat);
                    if goes_on && !self.draft.is_annotated(ply) {
                        write!(f, " {action}")?;
                    } else {
                        close_turn(f, &mut open_turn)?;
                        self.draft.write_annotations(f, ply)?;
                        write!(f, "{seat} {action}")?;
                    }
                    open_turn = Some(*seat).filter(|_| !matches!(action, Action::Claim(_)));
                    if open_turn.is_none() {
                        writeln!(f)?;
                    }
                    ply += 1;
                }
            }
        }
        close_turn(f, &mut open_turn)?;
        self.draft.write_annotations(f, ply)
    }
}

fn close_turn(f: &mut fmt::Formatter<'_>, open_turn: &mut Option<Seat>) -> fmt::Result {
    if open_turn.take().is_some() { writeln!(f) } else { Ok(()) }
}

impl Draft {
    fn is_annotated(&self, ply: usize) -> bool {
        self.comments.contains_key(&ply) || self.annotations.contains_key(&ply)
    }

    fn write_annotations(&self, f: &mut fmt::Formatter<'_>, ply: usize) -> fmt::Result {
        for line in self.comments.get(&ply).into_iter().flat_map(|comment| comment.split('\n')) {
            writeln!(f, "{}", format!("# {line}").trim_end())?;
        }
        match self.annotations.get(&ply) {
            Some(noted) => writeln!(f, "annotation {}", noted.annotation),
            None => Ok(()),
        }
    }
}

impl Record {
    /// Return the records that follow one another in a text, unread, each with the number of lines before it. There is
    /// at least one: without any record in the text it is the text.
    ///
    /// Records in JSON are one per line; a text that begins with `{` and has other lines is one record.
    pub fn split(text: &str) -> Vec<(usize, &str)> {
        let lines = || text.lines().enumerate().map(|(number, line)| (number, line, pasted::trim(line)));
        let said = || lines().filter(|(.., said)| !said.is_empty());
        let is_object = |said: &str| said.starts_with('{') && said.ends_with('}');
        if said().all(|(.., said)| is_object(said)) {
            let records: Vec<_> = said().map(|(number, _, said)| (number, said)).collect();
            return if records.is_empty() { vec![(0, text)] } else { records };
        }
        let offset = |line: &str| line.as_ptr() as usize - text.as_ptr() as usize;
        let begins = |said: &str| said.starts_with(FIRST_WORD);
        let mut starts: Vec<_> = lines()
            .filter(|(.., said)| begins(said))
            .map(|(number, line, _)| (number, offset(line)))
            .collect();
        // Text before the first record belongs to no record, so refuse it.
        if said().next().is_none_or(|(.., said)| !begins(said)) {
            starts.insert(0, (0, 0));
        }
        let ends = starts.iter().skip(1).map(|(_, start)| *start).chain([text.len()]);
        starts.iter().zip(ends).map(|(&(number, start), end)| (number, &text[start..end])).collect()
    }

    /// Read either form: the text, or an object in JSON.
    #[cfg(feature = "json")]
    pub fn read(text: &str) -> Result<Record, RecordError> {
        if pasted::trim(text).starts_with('{') { Record::from_json(text) } else { text.parse() }
    }
}

/// Reads the text form and checks it by replaying it. The error names the line that is wrong.
impl FromStr for Record {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Self, RecordError> {
        let mut lines = text.lines().enumerate().skip_while(|(_, line)| pasted::trim(line).is_empty());
        let (before, first) = lines.next().unwrap_or_default();
        let first = pasted::trim(first);
        if first != FORMAT && first != ANNOTATED {
            let fault = Fault::FirstLine { plain: FORMAT, annotated: ANNOTATED };
            return Err(RecordError::new(Part::Line(before + 1), fault));
        }
        let mut reader = Reader { has_annotations: first == ANNOTATED, ..Reader::default() };
        for (index, line) in lines {
            let number = index + 1;
            reader
                .read(line.trim(), Place(number))
                .map_err(|fault| RecordError::new(Part::Line(number), fault))?;
        }
        reader.annotate();
        let Reader { mut draft, has_rules, scores, winners, .. } = reader;
        if !has_rules {
            return Err(RecordError::field("record", Fault::NoRules));
        }
        draft.result = match (scores, winners) {
            (Some(scores), Some((winners, decided_by))) => Some(GameResult { scores, winners, decided_by }),
            (None, None) => None,
            _ => return Err(RecordError::field("record", Fault::HalfResult)),
        };
        draft.check(Part::Line)
    }
}

/// The parts read so far.
#[derive(Default)]
struct Reader {
    draft: Draft,
    has_rules: bool,
    /// Whether the version of the record has annotations.
    has_annotations: bool,
    scores: Option<Vec<u32>>,
    winners: Option<(Vec<Seat>, String)>,
    plies: usize,
    /// The lines of the comment before the next ply.
    comment: Vec<String>,
    /// The annotation before the next ply.
    annotation: Option<Noted>,
}

fn parse_numbers<T: FromStr>(words: &str, what: &str) -> Result<Vec<T>, ParseError> {
    let number = |word: &str| {
        parse_number(word).ok_or_else(|| ParseError::new(word, format!("{word:?} is not {what}")))
    };
    words.split_whitespace().map(number).collect()
}

fn once<T>(slot: &mut Option<T>, value: T, key: &str) -> Result<(), ParseError> {
    if slot.replace(value).is_some() {
        return Err(ParseError::new(key, format!("{key:?} is given for the second time")));
    }
    Ok(())
}

impl Reader {
    fn read(&mut self, line: &str, place: Place) -> Result<(), Fault> {
        let draft = &mut self.draft;
        if pasted::trim(line).is_empty() {
            return Ok(());
        }
        if let Some(comment) = line.strip_prefix('#') {
            self.comment.push(comment.trim().into());
            return Ok(());
        }
        let (key, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match key {
            "rules" if self.has_rules => {
                return Err(ParseError::new(line, "\"rules\" is given for the second time").into());
            }
            "rules" => {
                draft.rules = rest.parse()?;
                self.has_rules = true;
            }
            "seed" => {
                let seed = parse_number(rest)
                    .ok_or_else(|| ParseError::new(rest, format!("{rest:?} is not a seed")))?;
                once(&mut draft.seed, seed, key)?;
            }
            "seat" => {
                let (seat, name) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                if parse_number(seat) != Some(draft.players.len()) {
                    let next = draft.players.len();
                    let message = format!("this is seat {seat:?}, but seat {next} comes next");
                    return Err(ParseError::new(line, message).into());
                }
                draft.players.push(name.trim().into());
            }
            "tag" => {
                let (tag, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                if draft.tags.insert(tag.into(), value.trim().into()).is_some() {
                    let message = format!("tag {tag:?} is given for the second time");
                    return Err(ParseError::new(line, message).into());
                }
            }
            "start" => {
                let start: Position = rest.parse().map_err(|faults| Fault::Start { faults })?;
                once(&mut draft.start, start, key)?;
            }
            "opening" if draft.opening.is_empty() => draft.opening = parse_numbers(rest, "a seat")?,
            "opening" => {
                return Err(ParseError::new(line, "\"opening\" is given for the second time").into());
            }
            "deck" => once(&mut draft.deck, parse_numbers(rest, "the number of a domino")?, key)?,
            "line" => {
                let dominoes: Vec<Domino> = parse_numbers(rest, "the number of a domino")?;
                let line: DominoSet = dominoes.iter().copied().collect();
                if line.len() != dominoes.len() {
                    return Err(Fault::TwiceInLine);
                }
                draft.entries.push(Entry { place, event: Written::Line(line) });
            }
            "annotation" if !self.has_annotations => {
                let message = format!("annotations need the first line {ANNOTATED:?}");
                return Err(ParseError::new(line, message).into());
            }
            "annotation" => {
                let annotation: Annotation = rest.parse()?;
                once(&mut self.annotation, Noted { line: place, annotation }, key)?;
            }
            "scores" => once(&mut self.scores, parse_numbers(rest, "a score")?, key)?,
            "winners" => {
                let (winners, decided_by) = rest.split_once(" by ").ok_or_else(|| {
                    ParseError::new(rest, "winners are written like \"winners 0 by score\"")
                })?;
                once(&mut self.winners, (parse_numbers(winners, "a seat")?, decided_by.trim().into()), key)?;
            }
            seat => {
                let seat = parse_number(seat).ok_or_else(|| {
                    ParseError::new(line, format!("a line of a record cannot start with {seat:?}"))
                })?;
                self.read_turn(seat, rest, place)?;
            }
        }
        Ok(())
    }

    /// Adds the comment and the annotation before a ply to that ply.
    fn annotate(&mut self) {
        if !self.comment.is_empty() {
            let comment = std::mem::take(&mut self.comment);
            self.draft.comments.insert(self.plies, comment.join("\n"));
        }
        if let Some(annotation) = self.annotation.take() {
            self.draft.annotations.insert(self.plies, annotation);
        }
    }

    /// `place 1,0>2,0 claim 17` and the like.
    fn read_turn(&mut self, seat: Seat, actions: &str, place: Place) -> Result<(), ParseError> {
        let mut words = actions.split_whitespace().peekable();
        if words.peek().is_none() {
            return Err(ParseError::new(actions, "the turn has no action"));
        }
        while let Some(word) = words.next() {
            let action: Action = match word {
                "discard" => Action::Discard,
                _ => format!("{word} {}", words.next().unwrap_or_default()).parse()?,
            };
            self.annotate();
            self.draft.entries.push(Entry { place, event: Written::Ply(seat, action) });
            self.plies += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_divided_where_records_begin() {
        let cases: [(&str, &[(usize, &str)]); 7] = [
            ("", &[(0, "")]),
            ("hello", &[(0, "hello")]),
            ("\u{feff}kingdomino-record 1\na\n", &[(0, "\u{feff}kingdomino-record 1\na\n")]),
            (
                "\n kingdomino-record 1\r\na\r\n\u{feff}kingdomino-record 2\r\nb",
                &[(1, " kingdomino-record 1\r\na\r\n"), (3, "\u{feff}kingdomino-record 2\r\nb")],
            ),
            ("hello\nkingdomino-record 1\n", &[(0, "hello\n"), (1, "kingdomino-record 1\n")]),
            ("\n{\"a\": 1}\r\n\n {\"b\": 2}", &[(1, "{\"a\": 1}"), (3, "{\"b\": 2}")]),
            ("{\n\"a\": 1}", &[(0, "{\n\"a\": 1}")]),
        ];
        for (text, parts) in cases {
            assert_eq!(Record::split(text), parts, "{text:?}");
        }
    }

    #[test]
    fn an_error_counts_the_lines_before_the_first() {
        let error = "\n\u{feff}\n kingdomino-record 1\nrules 9"
            .parse::<Record>()
            .expect_err("there are no such rules");
        assert_eq!(error.number(), Some(4));
    }
}
