//! Territories and what a kingdom is worth (RULES: scoring, winning).

use std::ops::Add;

use crate::domino::Terrain;
use crate::kingdom::Kingdom;
use crate::rules::Rules;
use crate::square::{Square, flood};

/// Connected squares of one terrain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Territory {
    /// What it shows.
    pub terrain: Terrain,
    /// Its squares, on the torus.
    pub bits: u64,
    /// Its crowns.
    pub crowns: u32,
}

impl Territory {
    /// Squares × crowns.
    pub const fn score(&self) -> u32 {
        self.bits.count_ones() * self.crowns
    }
}

/// What a kingdom is worth, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Score {
    /// The sum over its territories.
    pub territories: u16,
    /// 5 where every square is filled and the rules have the bonus, else 0.
    pub harmony: u16,
    /// 10 where the castle is in the middle and the rules have the bonus, else 0.
    pub middle_kingdom: u16,
}

impl Score {
    /// All of it.
    #[inline]
    pub const fn total(&self) -> u16 {
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
    /// Its territories, terrain by terrain.
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

    /// The squares of a territory of this kingdom.
    pub fn squares_in(&self, territory: &Territory) -> impl Iterator<Item = Square> + use<> {
        self.squares_of(territory.bits)
    }

    /// The crowns on these squares.
    #[inline]
    pub const fn crowns_on(&self, bits: u64) -> u32 {
        (self.crowns[0] & bits).count_ones() + 2 * (self.crowns[1] & bits).count_ones()
    }

    /// The squares whose crowns have this binary digit: with 0 those of one crown or three, with 1
    /// those of two or three; as bits.
    #[inline]
    pub const fn crown_digit(&self, digit: usize) -> u64 {
        self.crowns[digit & 1]
    }

    /// All its crowns.
    pub const fn total_crowns(&self) -> u32 {
        self.crowns_on(u64::MAX)
    }

    /// The sum over its territories; only those with a crown are walked.
    #[inline(always)]
    pub fn territory_score(&self) -> u16 {
        Terrain::ALL.into_iter().map(|terrain| self.terrain_score(terrain)).sum()
    }

    /// The sum over its territories of one terrain.
    #[inline(always)]
    pub fn terrain_score(&self, terrain: Terrain) -> u16 {
        let board = self.terrain(terrain);
        let mut seeds = (self.crowns[0] | self.crowns[1]) & board;
        let mut score = 0;
        while seeds != 0 {
            let bits = flood(seeds & seeds.wrapping_neg(), board);
            score += bits.count_ones() * self.crowns_on(bits);
            seeds &= !bits;
        }
        score as u16
    }

    /// Whether all of the largest box is filled.
    #[inline]
    pub const fn is_full(&self) -> bool {
        let side = self.size().squares() as u32;
        self.squares_covered() == side * side
    }

    /// Whether the box of all squares reaches equally far left and right of the castle, and equally
    /// far above and below it.
    #[inline]
    pub const fn is_centred(&self) -> bool {
        let (low, high) = self.corners();
        low.x + high.x == 0 && low.y + high.y == 0
    }

    /// What it is worth under these rules, as if the game ended now.
    #[inline(always)]
    pub fn score(&self, rules: &Rules) -> Score {
        self.score_with(self.territory_score(), rules)
    }

    /// The same for those who know the sum over its territories.
    #[inline(always)]
    pub const fn score_with(&self, territories: u16, rules: &Rules) -> Score {
        Score {
            territories,
            harmony: if self.is_full() { rules.harmony_points() } else { 0 },
            middle_kingdom: if self.is_centred() { rules.middle_kingdom_points() } else { 0 },
        }
    }

    /// The squares of its largest territory, crowns or not (the first tie-break).
    #[inline]
    pub fn largest_territory(&self) -> u32 {
        let mut largest = 0;
        for terrain in Terrain::ALL {
            let board = self.terrain(terrain);
            let mut rest = board;
            // What is left of this terrain may be too little to be larger.
            while rest.count_ones() > largest {
                let bits = flood(rest & rest.wrapping_neg(), board);
                largest = largest.max(bits.count_ones());
                rest &= !bits;
            }
        }
        largest
    }
}
