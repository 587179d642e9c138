//! Territories and scores (rulebooks, "scoring").

use std::ops::Add;

use crate::kingdom::Kingdom;
use crate::kingdom::bitboard::flood;
use crate::values::domino::{Domino, Terrain};
use crate::values::rules::{Edition, Rules};
use crate::values::square::Square;

/// Connected squares of one terrain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Territory {
    /// Its terrain.
    pub terrain: Terrain,
    /// Its squares, as bits; [`Kingdom::squares_in`] lists them.
    pub bits: u64,
    /// The crowns on all its squares.
    pub crowns: u32,
}

impl Territory {
    /// Its points: squares × crowns.
    pub const fn score(&self) -> u32 {
        self.bits.count_ones() * self.crowns
    }
}

/// The score of a kingdom, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Score {
    /// The sum over its territories.
    pub territories: u32,
    /// 5 if every square is filled and the rules have the bonus, else 0.
    pub harmony: u32,
    /// 10 if the castle is in the middle and the rules have the bonus, else 0.
    pub middle_kingdom: u32,
}

impl Score {
    /// The total.
    #[inline]
    pub const fn total(&self) -> u32 {
        self.territories + self.harmony + self.middle_kingdom
    }
}

impl Add for Score {
    type Output = Score;

    fn add(self, other: Score) -> Score {
        Score {
            territories: self.territories + other.territories,
            harmony: self.harmony + other.harmony,
            middle_kingdom: self.middle_kingdom + other.middle_kingdom,
        }
    }
}

impl Kingdom {
    /// Its territories: the largest sets of connected squares of one terrain. Terrain by terrain; the castle belongs
    /// to none.
    pub fn territories(&self) -> impl Iterator<Item = Territory> {
        Terrain::ALL.into_iter().flat_map(|terrain| self.territories_of(terrain))
    }

    /// Its territories of one terrain.
    #[inline]
    pub fn territories_of(&self, terrain: Terrain) -> impl Iterator<Item = Territory> {
        let board = self.terrain(terrain);
        let mut rest = board;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let bits = flood(rest & rest.wrapping_neg(), board);
            rest &= !bits;
            Some(Territory { terrain, bits, crowns: self.crowns_on(bits) })
        })
    }

    /// The squares of one of its territories.
    pub fn squares_in(&self, territory: &Territory) -> impl Iterator<Item = Square> + use<> {
        self.squares_of(territory.bits)
    }

    /// The crowns on these squares, given as bits.
    #[inline]
    pub const fn crowns_on(&self, bits: u64) -> u32 {
        (self.crowns[0] & bits).count_ones() + 2 * (self.crowns[1] & bits).count_ones()
    }

    /// The squares whose number of crowns has this binary digit, as bits: digit 0 is set for one and three crowns,
    /// digit 1 for two and three.
    #[inline]
    pub const fn crown_digit(&self, digit: usize) -> u64 {
        self.crowns[digit & 1]
    }

    /// The crowns on all its squares.
    pub const fn total_crowns(&self) -> u32 {
        self.crowns_on(u64::MAX)
    }

    /// The points of all its territories, without bonuses.
    #[inline(always)]
    pub fn territory_score(&self) -> u16 {
        Terrain::ALL.into_iter().map(|terrain| self.terrain_score(terrain)).sum()
    }

    /// The points of its territories of one terrain.
    #[inline(always)]
    pub fn terrain_score(&self, terrain: Terrain) -> u16 {
        let board = self.terrain(terrain);
        // Territories without a crown score nothing and are not visited.
        let mut seeds = (self.crowns[0] | self.crowns[1]) & board;
        let mut score = 0;
        while seeds != 0 {
            let bits = flood(seeds & seeds.wrapping_neg(), board);
            score += bits.count_ones() * self.crowns_on(bits);
            seeds &= !bits;
        }
        score as u16
    }

    /// Whether it fills its largest box, as Harmony requires.
    #[inline]
    pub const fn is_full(&self) -> bool {
        self.squares_missing() == 0
    }

    /// How many squares its largest box has more than it.
    #[inline]
    pub const fn squares_missing(&self) -> u32 {
        let side = self.size().squares() as u32;
        side * side - self.squares_covered()
    }

    /// Whether it reaches equally far to the left and right of the castle, and equally far above and below it, as
    /// Middle Kingdom requires.
    #[inline]
    pub const fn is_centred(&self) -> bool {
        let (low, high) = self.corners();
        low.x + high.x == 0 && low.y + high.y == 0
    }

    /// Its score under these rules, as if the game ended now.
    #[inline(always)]
    pub fn score(&self, rules: &Rules) -> Score {
        self.score_with(self.territory_score(), rules)
    }

    /// Its score under these rules, given the points of its territories.
    #[inline(always)]
    pub const fn score_with(&self, territories: u16, rules: &Rules) -> Score {
        Score {
            territories: territories as u32,
            harmony: if self.is_full() { rules.harmony_points() as u32 } else { 0 },
            middle_kingdom: if self.is_centred() { rules.middle_kingdom_points() as u32 } else { 0 },
        }
    }

    /// The most points that placing this domino now adds to the territories; `None` if it fits nowhere.
    pub fn best_gain(&self, domino: Domino) -> Option<u16> {
        let score = self.territory_score();
        let gain = |spot| {
            let mut placed = *self;
            placed.place_unchecked(domino, spot);
            placed.territory_score() - score
        };
        self.placements(domino).spots().map(gain).max()
    }

    /// The number of squares in its largest territory, with or without crowns (the first tie-break).
    #[inline]
    pub fn largest_territory(&self) -> u32 {
        Terrain::ALL.into_iter().fold(0, |largest, terrain| self.largest_territory_of(terrain, largest))
    }

    /// The crowns that break ties of the largest territory (the second tie-break); 0 in the second edition, which does not
    /// compare them.
    #[inline(always)]
    pub const fn tie_break_crowns(&self, rules: &Rules) -> u32 {
        match rules.edition {
            Edition::First => self.total_crowns(),
            Edition::Second => 0,
        }
    }

    /// The number of squares in its largest territory of one terrain, or `least` if that is more.
    #[inline(always)]
    pub fn largest_territory_of(&self, terrain: Terrain, least: u32) -> u32 {
        let (board, mut largest) = (self.terrain(terrain), least);
        let mut rest = board;
        // Fewer squares than the largest territory cannot beat it.
        while rest.count_ones() > largest {
            let bits = flood(rest & rest.wrapping_neg(), board);
            largest = largest.max(bits.count_ones());
            rest &= !bits;
        }
        largest
    }
}
