//! Errors about input: unreadable texts, set-ups with faults.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::domino::DominoSet;
use crate::line::Seat;

/// Why a text cannot be read. The message says what was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    message: String,
    text: String,
    offset: usize,
}

impl ParseError {
    /// An error about this text. The message says what was found and what was expected.
    pub fn new(text: impl Into<String>, message: impl Into<String>) -> ParseError {
        ParseError { message: message.into(), text: text.into(), offset: 0 }
    }

    /// The same error, about the text that `part` is a slice of. The message starts with `place`.
    #[must_use]
    pub(crate) fn within(self, place: impl fmt::Display, whole: &str, part: &str) -> ParseError {
        let start = (part.as_ptr() as usize).wrapping_sub(whole.as_ptr() as usize);
        let before = whole.get(..start).map_or(0, |before| before.chars().count());
        ParseError {
            message: format!("{place}: {}", self.message),
            text: whole.into(),
            offset: before + self.offset,
        }
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number of characters before the part that is wrong.
    pub const fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for ParseError {}

/// Reads a number in the one form in which it is written: no plus sign, no leading zeros, no spaces.
pub(crate) fn parse_number<T: FromStr>(text: &str) -> Option<T> {
    let is_canonical = match text.strip_prefix('-').unwrap_or(text).as_bytes() {
        [b'0'] => text == "0",
        [b'1'..=b'9', ..] => true,
        _ => false,
    };
    if is_canonical { text.parse().ok() } else { None }
}

/// One thing that is wrong with a set-up: the sentence, without a full stop, a code for programs and its facts.
///
/// The code is `"other"`, without facts, where only the sentence says what is wrong: mostly in unreadable texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong, in one word that stays the same when the sentence changes.
    pub code: &'static str,
    /// Whose king, turn or kingdom it is.
    pub seat: Option<Seat>,
    /// The square, as (x, y) from the castle.
    pub square: Option<(i64, i64)>,
    /// The dominoes.
    pub dominoes: DominoSet,
    /// The number that is wrong.
    pub found: Option<i64>,
    /// The right number, or the highest.
    pub expected: Option<i64>,
    pub(crate) sentence: String,
}

impl Fault {
    pub(crate) fn new(code: &'static str, sentence: String) -> Fault {
        let dominoes = DominoSet::default();
        Fault { code, seat: None, square: None, dominoes, found: None, expected: None, sentence }
    }

    #[must_use]
    pub(crate) fn seat(self, seat: Seat) -> Fault {
        Fault { seat: Some(seat), ..self }
    }

    #[must_use]
    pub(crate) fn square(self, x: i64, y: i64) -> Fault {
        Fault { square: Some((x, y)), ..self }
    }

    #[must_use]
    pub(crate) fn dominoes(self, dominoes: DominoSet) -> Fault {
        Fault { dominoes, ..self }
    }

    #[must_use]
    pub(crate) fn numbers(self, found: usize, expected: usize) -> Fault {
        Fault { found: Some(found as i64), expected: Some(expected as i64), ..self }
    }

    /// The same fault, found in the kingdom of a seat.
    #[must_use]
    pub(crate) fn in_kingdom(self, seat: Seat) -> Fault {
        let sentence = format!("kingdom of seat {seat}: {}", self.sentence);
        Fault { seat: Some(seat), sentence, ..self }
    }
}

impl From<String> for Fault {
    fn from(sentence: String) -> Fault {
        Fault::new("other", sentence)
    }
}

impl From<&str> for Fault {
    fn from(sentence: &str) -> Fault {
        Fault::from(sentence.to_owned())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

/// Everything that is wrong with a set-up. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// `Ok` if the list is empty.
    pub(crate) fn check<F: Into<Fault>>(faults: Vec<F>) -> Result<(), Faults> {
        if faults.is_empty() { Ok(()) } else { Err(Faults(faults.into_iter().map(F::into).collect())) }
    }

    /// The faults.
    pub fn list(&self) -> &[Fault] {
        &self.0
    }
}

impl From<ParseError> for Faults {
    fn from(error: ParseError) -> Self {
        Faults(vec![error.message.into()])
    }
}

impl From<String> for Faults {
    fn from(fault: String) -> Self {
        Faults(vec![fault.into()])
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sentences: Vec<_> = self.0.iter().map(|fault| fault.sentence.as_str()).collect();
        f.write_str(&sentences.join("; "))
    }
}

impl Error for Faults {}
