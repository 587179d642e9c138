//! The 48 dominoes, their ends, and sets of them.
//!
//! Source: `tests/data/dominoes.csv`, which a test compares with the table here.

use std::fmt;
use std::str::FromStr;

use crate::error::{ParseError, parse_number};

/// What a square shows. The castle is not a terrain: it matches them all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Terrain {
    Wheat,
    Forest,
    Lake,
    Grassland,
    Swamp,
    Mine,
}

impl Terrain {
    /// All six, in the order of the rulebook.
    pub const ALL: [Terrain; 6] =
        [Terrain::Wheat, Terrain::Forest, Terrain::Lake, Terrain::Grassland, Terrain::Swamp, Terrain::Mine];

    /// The name in the second edition's rulebook.
    pub const fn name(self) -> &'static str {
        match self {
            Terrain::Wheat => "wheat",
            Terrain::Forest => "forest",
            Terrain::Lake => "lake",
            Terrain::Grassland => "grassland",
            Terrain::Swamp => "swamp",
            Terrain::Mine => "mine",
        }
    }

    /// The letter that stands for it in the text form of a kingdom.
    pub const fn letter(self) -> char {
        self.name().as_bytes()[0] as char
    }

    /// The terrain with this letter.
    pub fn from_letter(letter: char) -> Option<Terrain> {
        Terrain::ALL.into_iter().find(|terrain| terrain.letter() == letter)
    }
}

impl fmt::Display for Terrain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Reads the names of the second edition and those of other editions and tables.
impl FromStr for Terrain {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Ok(match text.trim().to_ascii_lowercase().as_str() {
            "wheat" | "field" => Terrain::Wheat,
            "forest" => Terrain::Forest,
            "lake" | "water" | "sea" => Terrain::Lake,
            "grassland" | "pasture" | "meadow" | "garden" => Terrain::Grassland,
            "swamp" | "village" | "bog" => Terrain::Swamp,
            "mine" | "mountain" => Terrain::Mine,
            _ => {
                let message = format!(
                    "no terrain is called {text:?} (there are wheat, forest, lake, grassland, swamp and mine)"
                );
                return Err(ParseError::new(text, message));
            }
        })
    }
}

/// One half of a domino.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct End {
    /// What it shows.
    pub terrain: Terrain,
    /// 0 to 3.
    pub crowns: u8,
}

/// One of the 48 dominoes, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Domino(u8);

const fn end(letter: u8, crowns: u8) -> End {
    let terrain = match letter {
        b'w' => Terrain::Wheat,
        b'f' => Terrain::Forest,
        b'l' => Terrain::Lake,
        b'g' => Terrain::Grassland,
        b's' => Terrain::Swamp,
        _ => Terrain::Mine,
    };
    End { terrain, crowns }
}

/// Left end, right end, as `w0` for wheat without a crown; in the order of their numbers.
const TABLE: &[u8; 48 * 5] = b"w0w0 w0w0 f0f0 f0f0 f0f0 f0f0 l0l0 l0l0 l0l0 g0g0 g0g0 s0s0 \
w0f0 w0l0 w0g0 w0s0 f0l0 f0g0 w1f0 w1l0 w1g0 w1s0 w1m0 f1w0 \
f1w0 f1w0 f1w0 f1l0 f1g0 l1w0 l1w0 l1f0 l1f0 l1f0 l1f0 w0g1 \
l0g1 w0s1 g0s1 m1w0 w0g2 l0g2 w0s2 g0s2 m2w0 s0m2 s0m2 w0m3 ";

/// Both ends of every domino. Rows beyond 48 are never read; with 64 of them an index masked to
/// six bits needs no bounds check.
const ENDS: [[End; 2]; 64] = {
    let mut ends = [[end(b'w', 0); 2]; 64];
    let mut i = 0;
    while i < 48 {
        let row = i * 5;
        ends[i] = [end(TABLE[row], TABLE[row + 1] - b'0'), end(TABLE[row + 2], TABLE[row + 3] - b'0')];
        i += 1;
    }
    ends
};

/// Those whose ends are alike.
const DOUBLES: u64 = {
    let mut doubles = 0;
    let mut i = 0;
    while i < 48 {
        let [left, right] = ENDS[i];
        if left.terrain as u8 == right.terrain as u8 && left.crowns == right.crowns {
            doubles |= 1 << i;
        }
        i += 1;
    }
    doubles
};

impl Domino {
    /// The domino at this place of the table; the caller knows that there is one.
    #[inline]
    pub(crate) const fn from_index(index: u8) -> Domino {
        Domino(index)
    }

    /// How many there are.
    pub const COUNT: usize = 48;

    /// The domino with this number, 1 to 48.
    pub const fn new(number: u8) -> Option<Domino> {
        if number >= 1 && number <= 48 { Some(Domino(number - 1)) } else { None }
    }

    /// All of them, lowest first.
    pub fn all() -> impl Iterator<Item = Domino> {
        (0..48).map(Domino)
    }

    /// 1 to 48.
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// 0 to 47.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The left end, then the right one.
    #[inline]
    pub const fn ends(self) -> [End; 2] {
        ENDS[(self.0 & 63) as usize]
    }

    /// Whether turning it round changes nothing.
    #[inline]
    pub const fn is_double(self) -> bool {
        DOUBLES >> (self.0 & 63) & 1 == 1
    }
}

impl fmt::Display for Domino {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl fmt::Debug for Domino {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Domino({})", self.number())
    }
}

/// Reads a number from 1 to 48.
impl FromStr for Domino {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        parse_number(text).and_then(Domino::new).ok_or_else(|| {
            ParseError::new(text, format!("there is no domino {text:?} (they are numbered 1 to 48)"))
        })
    }
}

/// A set of dominoes: bit n - 1 stands for number n.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DominoSet(u64);

impl DominoSet {
    /// None.
    pub const EMPTY: DominoSet = DominoSet(0);
    /// All 48.
    pub const ALL: DominoSet = DominoSet((1 << 48) - 1);

    /// The set with these bits; bits beyond the 48th are dropped.
    pub const fn from_bits(bits: u64) -> DominoSet {
        DominoSet(bits & DominoSet::ALL.0)
    }

    /// Bit n - 1 stands for number n.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// How many.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it is one of them.
    pub const fn contains(self, domino: Domino) -> bool {
        self.0 >> domino.0 & 1 == 1
    }

    /// Adds one; false where it was there already.
    pub const fn insert(&mut self, domino: Domino) -> bool {
        let new = !self.contains(domino);
        self.0 |= 1 << domino.0;
        new
    }

    /// Those of this set that are not of the other.
    #[inline]
    pub const fn without(self, other: DominoSet) -> DominoSet {
        DominoSet(self.0 & !other.0)
    }

    /// Whether every one of the other set is in this one.
    pub const fn is_superset(self, other: DominoSet) -> bool {
        other.0 & !self.0 == 0
    }
}

impl FromIterator<Domino> for DominoSet {
    fn from_iter<T: IntoIterator<Item = Domino>>(dominoes: T) -> Self {
        DominoSet(dominoes.into_iter().fold(0, |bits, domino| bits | 1 << domino.0))
    }
}

impl IntoIterator for DominoSet {
    type Item = Domino;
    type IntoIter = Dominoes;

    #[inline]
    fn into_iter(self) -> Dominoes {
        Dominoes(self.0)
    }
}

/// The dominoes of a set, lowest first.
#[derive(Clone, Debug)]
pub struct Dominoes(u64);

impl Iterator for Dominoes {
    type Item = Domino;

    #[inline]
    fn next(&mut self) -> Option<Domino> {
        let index = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (index < 64).then_some(Domino(index as u8))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Dominoes {}
