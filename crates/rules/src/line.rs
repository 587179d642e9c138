//! A line: up to four dominoes, lowest first, and the kings that stand on them.

use crate::domino::{Domino, DominoSet};

/// A fixed place at the table, from 0.
pub type Seat = usize;

/// Dominoes on offer or being resolved, lowest first, and whose kings stand on them.
///
/// Byte i of each word belongs to the i-th domino: whole words are copied from line to line much
/// faster than arrays whose bytes have just been written one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    dominoes: u32,
    kings: u32,
    /// Bit i is set while the i-th domino has no king.
    free: u8,
    length: u8,
}

impl Line {
    /// No domino.
    pub const EMPTY: Line = Line { dominoes: 0, kings: 0, free: 0, length: 0 };

    /// These dominoes without a king; the first four, should there be more.
    #[inline]
    pub fn new(dominoes: DominoSet) -> Line {
        let mut line = Line::EMPTY;
        for domino in dominoes.into_iter().take(4) {
            line.dominoes |= (domino.index() as u32) << (8 * line.length);
            line.length += 1;
        }
        line.free = (1 << line.length) - 1;
        line
    }

    /// Its dominoes, lowest first.
    pub fn dominoes(&self) -> impl ExactSizeIterator<Item = Domino> + use<> {
        let line = *self;
        (0..line.len()).map(move |place| line.domino(place))
    }

    /// How many.
    #[inline]
    pub const fn len(&self) -> usize {
        self.length as usize
    }

    /// Whether it has none.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The same as a set.
    pub fn set(&self) -> DominoSet {
        self.dominoes().collect()
    }

    /// The domino at a place from 0, lowest first.
    #[inline]
    pub const fn domino(&self, place: usize) -> Domino {
        Domino::from_index((self.dominoes >> (8 * (place & 3))) as u8)
    }

    #[inline]
    pub(crate) const fn seat(&self, place: usize) -> Seat {
        (self.kings >> (8 * (place & 3)) & 3) as Seat
    }

    /// Whose king stands on the domino at this place.
    #[inline]
    pub const fn king(&self, place: usize) -> Option<Seat> {
        if place < self.len() && self.free >> place & 1 == 0 { Some(self.seat(place)) } else { None }
    }

    /// The places without a king, as bits.
    #[inline]
    pub const fn free(&self) -> u8 {
        self.free
    }

    /// The places where this seat's kings stand, as bits.
    #[inline]
    pub const fn places_of(&self, seat: Seat) -> u8 {
        let mut places = 0;
        let mut place = 0;
        while place < 4 {
            places |= ((self.seat(place) == seat) as u8) << place;
            place += 1;
        }
        places & !self.free & ((1 << self.length) - 1)
    }

    /// How many kings of this seat stand on it.
    pub const fn kings_of(&self, seat: Seat) -> usize {
        self.places_of(seat).count_ones() as usize
    }

    /// How many kings stand on it.
    pub const fn claims(&self) -> usize {
        self.len() - self.free.count_ones() as usize
    }

    /// Puts a king on the domino at a free place.
    #[inline]
    pub(crate) const fn claim(&mut self, place: usize, seat: Seat) {
        self.kings |= (seat as u32) << (8 * (place & 3));
        self.free &= !(1 << (place & 3));
    }

    /// Without the dominoes that nobody claimed.
    #[inline]
    pub(crate) fn claimed_only(self) -> Line {
        if self.free == 0 {
            return self;
        }
        let mut line = Line::EMPTY;
        for place in (0..self.len()).filter(|place| self.free >> place & 1 == 0) {
            line.dominoes |= (self.domino(place).index() as u32) << (8 * line.length);
            line.claim(line.len(), self.seat(place));
            line.length += 1;
        }
        line
    }
}
