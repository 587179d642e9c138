//! Who has won, and by which rule (RULES: winning).

use std::cmp::Ordering;

use arrayvec::ArrayVec;

use crate::kingdom::Kingdom;
use crate::line::Seat;
use crate::rules::{Edition, Rules};

/// The rule that separated first from second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DecidedBy {
    /// The highest score.
    Score,
    /// Equal scores; the largest single territory by squares, crowns or not.
    LargestTerritory,
    /// Equal in both; the most crowns in the kingdom (first edition only).
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
    /// Points, one entry a seat.
    pub scores: ArrayVec<u16, { Rules::MOST }>,
    /// The seats from first to last; those that share a place in seat order.
    pub ranking: ArrayVec<Seat, { Rules::MOST }>,
    /// The seats that won: one, or all that share the victory.
    pub winners: ArrayVec<Seat, { Rules::MOST }>,
    /// The rule that separated first from second.
    pub decided_by: DecidedBy,
}

/// What equal scores are separated by, in this order; what the edition does not compare is 0.
type TieBreak = [u32; 2];

impl Outcome {
    /// The outcome of a finished game with these kingdoms.
    #[inline(always)]
    pub fn new(rules: &Rules, kingdoms: &[Kingdom]) -> Outcome {
        let scores: ArrayVec<u16, { Rules::MOST }> =
            kingdoms.iter().map(|kingdom| kingdom.score(rules).total()).collect();
        Outcome::rank(scores, |seat| {
            let kingdom = &kingdoms[seat];
            let crowns = if rules.edition == Edition::First { kingdom.total_crowns() } else { 0 };
            [kingdom.largest_territory(), crowns]
        })
    }

    /// The outcome of totals that only the score can separate (RULES: Dynasty).
    pub fn of_totals(totals: &[u16]) -> Outcome {
        Outcome::rank(totals.iter().copied().collect(), |_| [0; 2])
    }

    /// The tie-breaks are asked for only where scores are equal.
    #[inline(always)]
    fn rank(scores: ArrayVec<u16, { Rules::MOST }>, tie_break: impl Fn(Seat) -> TieBreak) -> Outcome {
        let compare =
            |a: Seat, b: Seat| scores[b].cmp(&scores[a]).then_with(|| tie_break(b).cmp(&tie_break(a)));
        let mut ranking = ArrayVec::<Seat, { Rules::MOST }>::new();
        for seat in 0..scores.len() {
            let ahead = ranking.iter().take_while(|other| compare(**other, seat) != Ordering::Greater);
            ranking.insert(ahead.count(), seat);
        }
        let first = ranking[0];
        let behind = ranking.iter().skip(1).take_while(|seat| compare(first, **seat) == Ordering::Equal);
        let winners = ranking[..1 + behind.count()].iter().copied().collect();
        let decided_by = Outcome::decided_by(&scores, first, ranking[1], tie_break);
        Outcome { scores, ranking, winners, decided_by }
    }

    fn decided_by(
        scores: &[u16],
        first: Seat,
        second: Seat,
        tie_break: impl Fn(Seat) -> TieBreak,
    ) -> DecidedBy {
        if scores[first] != scores[second] {
            return DecidedBy::Score;
        }
        let (first, second) = (tie_break(first), tie_break(second));
        match (first[0] != second[0], first[1] != second[1]) {
            (true, _) => DecidedBy::LargestTerritory,
            (false, true) => DecidedBy::Crowns,
            (false, false) => DecidedBy::Shared,
        }
    }
}
