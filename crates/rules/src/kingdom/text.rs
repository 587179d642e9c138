//! The text form of a kingdom: `w1ff/.C.`, rows from the top (docs/formats/position.md).

use std::fmt;

use arrayvec::ArrayString;

use crate::input::fault::{Fault, Faults};
use crate::input::pasted;
use crate::kingdom::Kingdom;
use crate::kingdom::bitboard::{CASTLE, flood};
use crate::kingdom::setup::KingdomSetup;
use crate::values::domino::{End, Terrain};
use crate::values::size::KingdomSize;
use crate::values::square::Square;

/// More characters than the text of any kingdom has: 7 rows of 7 squares with crowns, and 6 slashes.
pub(crate) const LONGEST: usize = 128;

impl Kingdom {
    fn text(&self) -> ArrayString<LONGEST> {
        let mut text = ArrayString::new();
        for (index, row) in self.rows().enumerate() {
            if index > 0 {
                text.push('/');
            }
            for square in row {
                let at = |board: u64| (board >> square.bit() & 1) as u8;
                if at(self.covered) == 0 {
                    text.push('.');
                } else if square == Square::CASTLE {
                    text.push('C');
                } else {
                    let terrain =
                        Terrain::ALL.into_iter().find(|terrain| at(self.terrains[*terrain as usize]) == 1);
                    text.push(terrain.map_or('.', Terrain::letter));
                    let crowns = at(self.crowns[0]) + 2 * at(self.crowns[1]);
                    if crowns > 0 {
                        text.push(char::from(b'0' + crowns));
                    }
                }
            }
        }
        text
    }

    /// Reads the text form, which `Display` writes: rows from the top, joined by `/`; `C` is the castle, `.` an empty
    /// square, a terrain its letter, then its crowns. The error lists everything that is wrong.
    pub fn parse(text: &str, size: KingdomSize) -> Result<Kingdom, Faults> {
        Kingdom::parse_exactly(pasted::trim(text), size)
    }

    /// The same for a text with nothing around it.
    pub(crate) fn parse_exactly(text: &str, size: KingdomSize) -> Result<Kingdom, Faults> {
        if let Some(kingdom) = Kingdom::parse_faultless(text, size) {
            return Ok(kingdom);
        }
        // Each wrong character is a fault, so an endless text would have endless faults.
        if text.len() > LONGEST {
            return Err(Fault::KingdomTooLong.into());
        }
        let kingdom = KingdomSetup::parse(text).validate(size)?;
        Err(Fault::EmptyEdge { written: kingdom.to_string() }.into())
    }

    /// Reads the text of a kingdom several times faster than a set-up is checked. `None` for every text with a fault.
    fn parse_faultless(text: &str, size: KingdomSize) -> Option<Kingdom> {
        let side = size.squares();
        let before = text.split_once('C')?.0;
        let above = before.bytes().filter(|byte| *byte == b'/').count();
        let left = before
            .bytes()
            .rev()
            .take_while(|byte| *byte != b'/')
            .filter(|byte| !byte.is_ascii_digit())
            .count();
        if above >= side as usize || left >= side as usize {
            return None;
        }
        let (left, top) = (-(left as i8), above as i8);
        let mut kingdom = Kingdom::new(size);
        let (mut x, mut y, mut width) = (left, top, None);
        let mut bytes = text.bytes().peekable();
        while let Some(byte) = bytes.next() {
            if byte == b'/' {
                // Rows are equally long, and no longer than the side.
                if *width.get_or_insert(x) != x || y == top - side + 1 {
                    return None;
                }
                (x, y) = (left, y - 1);
                continue;
            }
            if x >= left + side {
                return None;
            }
            if let Some(terrain) = Terrain::from_letter(char::from(byte)) {
                let crowns = bytes.next_if(|byte| (b'1'..=b'3').contains(byte)).map_or(0, |byte| byte - b'0');
                kingdom.cover(Square::new(x, y), End { terrain, crowns });
            } else if byte != b'.' && (byte != b'C' || (x, y) != (0, 0)) {
                return None;
            }
            x += 1;
        }
        // There are no empty rows or columns at the edge.
        let (low, high) = kingdom.corners();
        let is_tight = low == Square::new(left, y) && high == Square::new(x - 1, top);
        let is_even = width.is_none_or(|width| width == x);
        (is_tight && is_even && flood(CASTLE, kingdom.covered) == kingdom.covered).then_some(kingdom)
    }
}

impl fmt::Display for Kingdom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::random::Stream;

    /// The way by a set-up, which finds every fault.
    fn parse_by_setup(text: &str, size: KingdomSize) -> Option<Kingdom> {
        KingdomSetup::parse(text).validate(size).ok().filter(|kingdom| kingdom.to_string() == text)
    }

    #[test]
    fn both_ways_to_read_a_kingdom_agree_on_every_text() {
        const LETTERS: &[u8] = b"wflgsmC./0123wC..//1 -x";
        let mut random = Stream::new(1, "kingdom texts", 0);
        let mut read = 0;
        for size in [KingdomSize::Five, KingdomSize::Seven] {
            for _ in 0..30_000 {
                let mut text = *b"w1ff.../wCl2g../..m3s../...wwww";
                let mut length = 3 + random.below(text.len() - 2);
                for _ in 0..random.below(6) {
                    text[random.below(length)] = LETTERS[random.below(LETTERS.len())];
                }
                if random.below(4) == 0 {
                    text[..5].copy_from_slice(b"w1C/f");
                    length = length.min(3 + random.below(4));
                }
                let text = std::str::from_utf8(&text[..length]).expect("ASCII");
                let kingdom = Kingdom::parse_faultless(text, size);
                assert_eq!(kingdom, parse_by_setup(text, size), "{text}");
                read += usize::from(kingdom.is_some());
            }
        }
        assert!(read > 1_000, "only {read} of the texts are kingdoms");
    }
}
