//! A line: up to four dominoes, lowest first, and the kings on them.

use crate::values::domino::{Domino, DominoSet};

/// A fixed place at the table, numbered from 0.
pub type Seat = usize;

/// One domino of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    /// The domino.
    pub domino: Domino,
    /// The seat that claimed it; `None` while it is free.
    pub seat: Option<Seat>,
    /// Whether it has been placed or discarded.
    pub is_done: bool,
}

/// Up to four dominoes, lowest first, and whose kings are on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    // Byte i of each word belongs to the i-th domino: copying whole words is much faster than copying arrays whose
    // bytes have just been written one by one.
    dominoes: u32,
    kings: u32,
    /// Bit i is set while the i-th domino has no king.
    free: u8,
    length: u8,
}

impl Line {
    /// A line without dominoes.
    pub const EMPTY: Line = Line { dominoes: 0, kings: 0, free: 0, length: 0 };

    /// A line of these dominoes without kings. Only the four lowest are taken.
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

    /// The number of dominoes.
    #[inline]
    pub const fn len(&self) -> usize {
        self.length as usize
    }

    /// Whether it has no dominoes.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Its dominoes as a set.
    pub fn set(&self) -> DominoSet {
        self.dominoes().collect()
    }

    /// The domino at this place, from 0; the place must be below `len()`.
    #[inline]
    pub const fn domino(&self, place: usize) -> Domino {
        Domino::from_index((self.dominoes >> (8 * (place & 3))) as u8)
    }

    #[inline]
    pub(crate) const fn seat(&self, place: usize) -> Seat {
        (self.kings >> (8 * (place & 3)) & 3) as Seat
    }

    /// The seat whose king is on the domino at this place; `None` if it is free.
    #[inline]
    pub const fn king(&self, place: usize) -> Option<Seat> {
        if place < self.len() && self.free >> place & 1 == 0 { Some(self.seat(place)) } else { None }
    }

    /// The places without a king: bit i is the place i.
    #[inline]
    pub const fn free(&self) -> u8 {
        self.free
    }

    /// The places without a king, from the lowest domino.
    #[inline(always)]
    pub fn free_places(&self) -> impl DoubleEndedIterator<Item = usize> + use<> {
        let line = *self;
        (0..line.len()).filter(move |place| line.free >> place & 1 == 1)
    }

    /// The places with a king of this seat: bit i is the place i.
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

    /// The dominoes at these places: bit i is the place i.
    #[inline]
    pub(crate) const fn at(&self, places: u8) -> DominoSet {
        let mut dominoes = DominoSet::EMPTY;
        let mut place = 0;
        while place < 4 {
            if places >> place & 1 == 1 {
                dominoes.insert(self.domino(place));
            }
            place += 1;
        }
        dominoes
    }

    /// The number of this seat's kings on it.
    pub const fn kings_of(&self, seat: Seat) -> usize {
        self.places_of(seat).count_ones() as usize
    }

    /// The number of kings on it.
    pub const fn claims(&self) -> usize {
        self.len() - self.free.count_ones() as usize
    }

    /// Puts a king on the domino at a free place.
    #[inline]
    pub(crate) const fn claim(&mut self, place: usize, seat: Seat) {
        self.kings |= (seat as u32) << (8 * (place & 3));
        self.free &= !(1 << (place & 3));
    }

    /// The line without its unclaimed dominoes.
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
