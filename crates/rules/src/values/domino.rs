//! The 48 dominoes, their ends, and sets of dominoes.
//!
//! Source: `tests/data/dominoes.csv`. A test compares it with the table here.

use std::fmt;
use std::str::FromStr;

use crate::input::parse_error::{ParseError, parse_number};

/// The terrain of a square. The castle is not a terrain; it connects to all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Terrain {
    /// 26 squares and 5 crowns on all dominoes together.
    Wheat,
    /// 22 squares, 6 crowns.
    Forest,
    /// 18 squares, 6 crowns.
    Lake,
    /// 14 squares, 6 crowns.
    Grassland,
    /// 10 squares, 6 crowns.
    Swamp,
    /// 6 squares, 10 crowns.
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

    /// The letter for it in the text form of a kingdom: the first of its name.
    pub const fn letter(self) -> char {
        self.name().as_bytes()[0] as char
    }

    /// The terrain with this letter; `None` for any other letter.
    pub const fn from_letter(letter: char) -> Option<Terrain> {
        Some(match letter {
            'w' => Terrain::Wheat,
            'f' => Terrain::Forest,
            'l' => Terrain::Lake,
            'g' => Terrain::Grassland,
            's' => Terrain::Swamp,
            'm' => Terrain::Mine,
            _ => return None,
        })
    }

    /// The terrain with this name in any edition, or a usual one of players, in lower case.
    fn named(name: &str) -> Option<Terrain> {
        Some(match name {
            "wheat" | "field" => Terrain::Wheat,
            "forest" | "wood" => Terrain::Forest,
            "lake" | "water" | "sea" | "ocean" => Terrain::Lake,
            "grassland" | "grass" | "plain" | "pasture" | "meadow" | "garden" => Terrain::Grassland,
            "swamp" | "village" | "bog" | "marsh" => Terrain::Swamp,
            "mine" | "mountain" | "cave" => Terrain::Mine,
            _ => return None,
        })
    }
}

impl fmt::Display for Terrain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Reads the names of the second edition and common other names, like `field` or `mountain`, and their plurals.
impl FromStr for Terrain {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let name = text.trim().to_ascii_lowercase();
        let singular = name.strip_suffix('s').map(|one| [one, one.strip_suffix('e').unwrap_or(one)]);
        let mut names = std::iter::once(name.as_str()).chain(singular.into_iter().flatten());
        names.find_map(Terrain::named).ok_or_else(|| {
            let message = format!(
                "no terrain is called {text:?} (there are wheat, forest, lake, grassland, swamp and mine)"
            );
            ParseError::new(text, message)
        })
    }
}

/// The left or right half of a domino.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct End {
    /// Its terrain.
    pub terrain: Terrain,
    /// Its crowns, 0 to 3.
    pub crowns: u8,
}

impl End {
    /// How many ends of the 48 dominoes are like this one.
    pub fn count(self) -> usize {
        Domino::all().flat_map(Domino::ends).filter(|end| *end == self).count()
    }
}

/// One of the 48 dominoes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Domino(u8);

const fn end(letter: u8, crowns: u8) -> End {
    match Terrain::from_letter(letter as char) {
        Some(terrain) => End { terrain, crowns },
        None => panic!("the table has a letter that stands for no terrain"),
    }
}

/// Left end and right end of each domino, by number; `w0` is wheat without a crown.
const TABLE: &[u8; 48 * 5] = b"w0w0 w0w0 f0f0 f0f0 f0f0 f0f0 l0l0 l0l0 l0l0 g0g0 g0g0 s0s0 \
w0f0 w0l0 w0g0 w0s0 f0l0 f0g0 w1f0 w1l0 w1g0 w1s0 w1m0 f1w0 \
f1w0 f1w0 f1w0 f1l0 f1g0 l1w0 l1w0 l1f0 l1f0 l1f0 l1f0 w0g1 \
l0g1 w0s1 g0s1 m1w0 w0g2 l0g2 w0s2 g0s2 m2w0 s0m2 s0m2 w0m3 ";

/// Both ends of every domino. With 64 rows, an index masked to six bits needs no bounds check; rows from 48 on are
/// never read.
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

/// The dominoes with two equal ends, as bits.
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
    /// The domino with this index, which must be below 48.
    #[inline]
    pub(crate) const fn from_index(index: u8) -> Domino {
        Domino(index)
    }

    /// The number of dominoes.
    pub const COUNT: usize = 48;

    /// The domino with this number; `None` unless it is from 1 to 48.
    pub const fn new(number: u8) -> Option<Domino> {
        if number >= 1 && number <= 48 { Some(Domino(number - 1)) } else { None }
    }

    /// All 48 dominoes, lowest first.
    pub fn all() -> impl Iterator<Item = Domino> {
        (0..48).map(Domino)
    }

    /// Its number, 1 to 48.
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// Its number less 1: 0 to 47.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The left end, then the right one.
    #[inline]
    pub const fn ends(self) -> [End; 2] {
        ENDS[(self.0 & 63) as usize]
    }

    /// Whether both ends are equal, so that turning it round changes nothing.
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

/// A set of dominoes, kept as 48 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DominoSet(u64);

impl DominoSet {
    /// The empty set.
    pub const EMPTY: DominoSet = DominoSet(0);
    /// All 48 dominoes.
    pub const ALL: DominoSet = DominoSet((1 << 48) - 1);

    /// The set with these bits: bit n - 1 stands for number n. Higher bits are dropped.
    pub const fn from_bits(bits: u64) -> DominoSet {
        DominoSet(bits & DominoSet::ALL.0)
    }

    /// The set as bits: bit n - 1 stands for number n.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The number of dominoes in it.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether it holds no domino.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it holds this domino.
    pub const fn contains(self, domino: Domino) -> bool {
        self.0 >> domino.0 & 1 == 1
    }

    /// Adds a domino. Returns false if the set already held it.
    pub const fn insert(&mut self, domino: Domino) -> bool {
        let new = !self.contains(domino);
        self.0 |= 1 << domino.0;
        new
    }

    /// The dominoes of either set.
    #[inline]
    #[must_use]
    pub const fn union(self, other: DominoSet) -> DominoSet {
        DominoSet(self.0 | other.0)
    }

    /// The dominoes of this set that are not in the other.
    #[inline]
    #[must_use]
    pub const fn without(self, other: DominoSet) -> DominoSet {
        DominoSet(self.0 & !other.0)
    }

    /// Whether it holds every domino of the other set.
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
