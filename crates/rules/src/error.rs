//! What can be wrong with what somebody handed in, and how it is said.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// A text that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError(String);

impl ParseError {
    /// An error with this sentence: what was found, where, and what was expected.
    pub fn new(message: impl Into<String>) -> ParseError {
        ParseError(message.into())
    }

    /// The same error with the place it was found in before it.
    #[must_use]
    pub fn within(self, place: impl fmt::Display) -> ParseError {
        ParseError(format!("{place}: {}", self.0))
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for ParseError {}

/// Reads a number as numbers are written: no plus sign, no zeros before it, nothing around it. So
/// whatever is read is also what would be written.
pub(crate) fn parse_number<T: FromStr + ToString>(text: &str) -> Option<T> {
    text.parse().ok().filter(|number: &T| number.to_string() == text)
}

/// Everything that is wrong with a set-up that somebody typed; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults(Vec<String>);

impl Faults {
    /// `Ok` where nothing was found, else all of it.
    pub fn check(faults: Vec<String>) -> Result<(), Faults> {
        if faults.is_empty() { Ok(()) } else { Err(Faults(faults)) }
    }

    /// Each fault, a sentence without a full stop.
    pub fn list(&self) -> &[String] {
        &self.0
    }
}

impl From<ParseError> for Faults {
    fn from(error: ParseError) -> Self {
        Faults(vec![error.0])
    }
}

impl From<String> for Faults {
    fn from(fault: String) -> Self {
        Faults(vec![fault])
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("; "))
    }
}

impl Error for Faults {}
