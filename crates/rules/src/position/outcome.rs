//! Who won, and by which rule (rulebooks, "end of the game").

use std::cmp::Reverse;
use std::fmt;

use arrayvec::ArrayVec;

use crate::kingdom::Kingdom;
use crate::kingdom::layout::Layout;
use crate::kingdom::scoring::Score;
use crate::values::line::Seat;
use crate::values::rules::{Edition, Rules};

/// The rule that decided between first and second place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DecidedBy {
    /// The highest score.
    Score,
    /// Equal scores: the largest territory by squares, with or without crowns.
    LargestTerritory,
    /// Equal in both: the most crowns in the kingdom (first edition only).
    Crowns,
    /// Equal in everything: the victory is shared.
    Shared,
}

impl DecidedBy {
    /// Its name in records and in Python.
    pub const fn name(self) -> &'static str {
        match self {
            DecidedBy::Score => "score",
            DecidedBy::LargestTerritory => "largest_territory",
            DecidedBy::Crowns => "crowns",
            DecidedBy::Shared => "shared",
        }
    }
}

impl fmt::Display for DecidedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a game or a match ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The score of each seat.
    pub scores: BySeat<Score>,
    /// The squares of the largest territory of each seat, with or without crowns; empty for a match.
    pub largest_territories: BySeat<u32>,
    /// The crowns in the kingdom of each seat, where they can break a tie (first edition); else empty.
    pub crowns: BySeat<u32>,
    /// The seats from first to last place; seats that share a place are in seat order.
    pub ranking: BySeat<Seat>,
    /// The place of each seat, 1 for first. Seats that are equal in everything share the better place.
    pub places: BySeat<usize>,
    /// The rule that puts each seat behind the one before it in the ranking; `None` for the first.
    pub behind_by: BySeat<Option<DecidedBy>>,
    /// The seats that won: one, or all that share the victory.
    pub winners: BySeat<Seat>,
    /// The rule that decided between first and second place.
    pub decided_by: DecidedBy,
}

/// One entry a seat.
type BySeat<T> = ArrayVec<T, { Rules::MOST }>;

impl Outcome {
    /// The outcome of a finished game with these kingdoms, one per seat.
    pub fn new(rules: &Rules, kingdoms: &[Kingdom]) -> Outcome {
        let scores = kingdoms.iter().map(|kingdom| kingdom.score(rules)).collect();
        let largest = kingdoms.iter().map(Kingdom::largest_territory).collect();
        let crowns = kingdoms.iter().filter(|_| rules.edition == Edition::First).map(Kingdom::total_crowns);
        Outcome::rank(scores, largest, crowns.collect())
    }

    /// The outcome of a game on a real table with these kingdoms, at least two.
    pub fn of_layouts(rules: &Rules, layouts: &[Layout]) -> Outcome {
        let scores = layouts.iter().map(|layout| layout.score(rules)).collect();
        let largest = layouts.iter().map(Layout::largest_territory).collect();
        let crowns = layouts.iter().filter(|_| rules.edition == Edition::First).map(Layout::total_crowns);
        Outcome::rank(scores, largest, crowns.collect())
    }

    /// The outcome by total scores alone, without tie-breaks (rulebooks, "Dynasty").
    pub fn of_totals(totals: &[Score]) -> Outcome {
        Outcome::rank(totals.iter().copied().collect(), BySeat::new(), BySeat::new())
    }

    fn rank(scores: BySeat<Score>, largest_territories: BySeat<u32>, crowns: BySeat<u32>) -> Outcome {
        let merit = |seat: Seat| {
            (scores[seat].total(), largest_territories.get(seat).copied(), crowns.get(seat).copied())
        };
        let mut ranking: BySeat<Seat> = (0..scores.len()).collect();
        ranking.sort_by_key(|seat| Reverse(merit(*seat)));
        let behind = |ahead: Seat, seat: Seat| {
            let (better, worse) = (merit(ahead), merit(seat));
            if better == worse {
                DecidedBy::Shared
            } else if better.0 != worse.0 {
                DecidedBy::Score
            } else if better.1 != worse.1 {
                DecidedBy::LargestTerritory
            } else {
                DecidedBy::Crowns
            }
        };
        let mut behind_by: BySeat<Option<DecidedBy>> = scores.iter().map(|_| None).collect();
        for pair in ranking.windows(2) {
            behind_by[pair[1]] = Some(behind(pair[0], pair[1]));
        }
        let decided_by = behind(ranking[0], ranking[1]);
        let better = |seat: Seat| (0..scores.len()).filter(|other| merit(*other) > merit(seat)).count();
        let places = (0..scores.len()).map(|seat| better(seat) + 1).collect();
        let winners = ranking.iter().copied().filter(|seat| merit(*seat) == merit(ranking[0])).collect();
        Outcome { scores, largest_territories, crowns, ranking, places, behind_by, winners, decided_by }
    }
}
