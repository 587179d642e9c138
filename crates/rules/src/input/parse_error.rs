//! Unreadable texts.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// A text that cannot be read. The message names the text and the expected form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    message: String,
    text: String,
    offset: usize,
}

impl ParseError {
    /// An error about this text. The message names the text and the expected form.
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
