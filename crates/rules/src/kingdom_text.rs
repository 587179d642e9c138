//! The text form of a kingdom: `w1ff/.C.`, rows from the top (docs/formats/position.md).

use std::fmt;

use crate::error::Faults;
use crate::kingdom::Kingdom;
use crate::setup::KingdomSetup;
use crate::size::KingdomSize;
use crate::square::Square;

impl fmt::Display for Kingdom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, row) in self.rows().enumerate() {
            if index > 0 {
                f.write_str("/")?;
            }
            for square in row {
                match self.get(square) {
                    Some((terrain, 0)) => write!(f, "{}", terrain.letter())?,
                    Some((terrain, crowns)) => write!(f, "{}{crowns}", terrain.letter())?,
                    None if square == Square::CASTLE => f.write_str("C")?,
                    None => f.write_str(".")?,
                }
            }
        }
        Ok(())
    }
}

impl Kingdom {
    /// Reads the text form, which `Display` writes: rows from the top, joined by `/`; `C` is the castle, `.` an empty
    /// square, a terrain its letter, then its crowns. The error lists everything that is wrong.
    pub fn parse(text: &str, size: KingdomSize) -> Result<Kingdom, Faults> {
        let kingdom = KingdomSetup::parse(text).validate(size)?;
        if kingdom.to_string() == text {
            Ok(kingdom)
        } else {
            Err(Faults::from(format!("it has empty rows or columns at its edge (written {kingdom})")))
        }
    }
}
