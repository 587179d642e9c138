//! Who won, and by which rule (rulebooks, "end of the game").

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use crate::kingdom::Kingdom;
use crate::line::Seat;
use crate::rules::Rules;
use crate::scoring::Score;

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

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The score of each seat.
    pub scores: ArrayVec<Score, { Rules::MOST }>,
    /// The seats from first to last place; seats that share a place are in seat order.
    pub ranking: ArrayVec<Seat, { Rules::MOST }>,
    /// The place of each seat, 1 for first. Seats that are equal in everything share the better place.
    pub places: ArrayVec<usize, { Rules::MOST }>,
    /// The seats that won: one, or all that share the victory.
    pub winners: ArrayVec<Seat, { Rules::MOST }>,
    /// The rule that decided between first and second place.
    pub decided_by: DecidedBy,
}

/// The tie-breaks in their order; 0 for one that the edition does not have.
type TieBreak = [u32; 2];

impl Outcome {
    /// The outcome of a finished game with these kingdoms, one a seat.
    pub fn new(rules: &Rules, kingdoms: &[Kingdom]) -> Outcome {
        let scores = kingdoms.iter().map(|kingdom| kingdom.score(rules)).collect();
        let tie_breaks =
            kingdoms.iter().map(|kingdom| [kingdom.largest_territory(), kingdom.tie_break_crowns(rules)]);
        Outcome::rank(scores, &tie_breaks.collect::<ArrayVec<TieBreak, { Rules::MOST }>>())
    }

    /// The outcome by total scores alone, without tie-breaks (rulebooks, "Dynasty").
    pub fn of_totals(totals: &[Score]) -> Outcome {
        Outcome::rank(totals.iter().copied().collect(), &[[0; 2]; Rules::MOST])
    }

    fn rank(scores: ArrayVec<Score, { Rules::MOST }>, tie_breaks: &[TieBreak]) -> Outcome {
        let merit = |seat: Seat| (scores[seat].total(), tie_breaks[seat]);
        let mut ranking: ArrayVec<Seat, { Rules::MOST }> = (0..scores.len()).collect();
        ranking.sort_by_key(|seat| Reverse(merit(*seat)));
        let (first, second) = (merit(ranking[0]), merit(ranking[1]));
        let decided_by = if first == second {
            DecidedBy::Shared
        } else if first.0 != second.0 {
            DecidedBy::Score
        } else if first.1[0] != second.1[0] {
            DecidedBy::LargestTerritory
        } else {
            DecidedBy::Crowns
        };
        let better = |seat: Seat| (0..scores.len()).filter(|other| merit(*other) > merit(seat)).count();
        let places = (0..scores.len()).map(|seat| better(seat) + 1).collect();
        let winners = ranking.iter().copied().filter(|seat| merit(*seat) == first).collect();
        Outcome { scores, ranking, places, winners, decided_by }
    }
}
