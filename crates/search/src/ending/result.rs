//! Results of endings, and the preferences of each seat.

use std::cmp::{Ordering, Reverse};

use arrayvec::ArrayVec;

use kingdomino_rules::{Rules, Seat};

use super::ranked_score::RankedScore;
use crate::terminal::{TerminalValue, VICTORY};

/// The result of a game: the score of each seat with its tie-breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FinalScores {
    scores: ArrayVec<RankedScore, { Rules::MOST }>,
}

/// A seat's goal: its part of the victory (`VICTORY` is a whole one), then its margin in points.
pub(crate) type Key = (u64, i32);

impl FinalScores {
    pub(crate) const fn new(scores: ArrayVec<RankedScore, { Rules::MOST }>) -> FinalScores {
        FinalScores { scores }
    }

    fn best(&self) -> RankedScore {
        self.scores.iter().copied().max().unwrap_or_default()
    }

    #[inline]
    pub(crate) fn key(&self, seat: Seat) -> Key {
        let best = self.best();
        let own = self.scores[seat];
        let winners = self.scores.iter().filter(|score| **score == best).count() as u64;
        let opponent = self.scores.iter().enumerate().filter(|(other, _)| *other != seat);
        let opponent = opponent.map(|(_, score)| score.score()).max().unwrap_or(0);
        (if own == best { VICTORY / winners } else { 0 }, i32::from(own.score()) - i32::from(opponent))
    }

    /// A total order for this seat, which also decides between equal keys: the key, then more own points, then fewer
    /// points of the others.
    pub(crate) fn preference(&self, seat: Seat) -> (Key, RankedScore, Reverse<u32>, &[RankedScore]) {
        let others = self.scores.iter().enumerate().filter(|(other, _)| *other != seat);
        let others = others.map(|(_, score)| u32::from(score.score())).sum();
        (self.key(seat), self.scores[seat], Reverse(others), &self.scores)
    }

    /// The scores in points, one per seat.
    pub(crate) fn scores(&self) -> impl Iterator<Item = u16> {
        self.scores.iter().map(|score| score.score())
    }

    /// The keys, one per seat.
    pub(crate) fn keys(&self) -> ArrayVec<Key, { Rules::MOST }> {
        (0..self.scores.len()).map(|seat| self.key(seat)).collect()
    }
}

impl From<FinalScores> for TerminalValue {
    fn from(result: FinalScores) -> TerminalValue {
        let mut value = TerminalValue {
            totals: [i64::MIN; Rules::MOST],
            margins: [0; Rules::MOST],
            victories: [0; Rules::MOST],
        };
        for (seat, (score, (victory, margin))) in result.scores().zip(result.keys()).enumerate() {
            value.totals[seat] = i64::from(score);
            value.margins[seat] = i64::from(margin);
            value.victories[seat] = victory;
        }
        value
    }
}

/// The value of a result to each seat, in points.
type SeatValues = [f64; Rules::MOST];

/// The value of a victory: more than most margins.
const VICTORY_IN_POINTS: f64 = 100.0;

/// A seat that errs is e times as likely to choose an action that is better by this many points.
const RESPONSE_SCALE: f64 = 8.0;

/// The result of best play, and the values to each seat if the others err.
#[derive(Clone, Debug)]
pub(crate) struct EndingValue {
    pub(crate) result: FinalScores,
    /// For each seat, the values to all seats if it plays well and the others err.
    values: [SeatValues; Rules::MOST],
}

impl EndingValue {
    pub(crate) fn without_errors(result: FinalScores) -> EndingValue {
        EndingValue { result, values: Default::default() }
    }

    pub(crate) fn at_end(result: FinalScores) -> EndingValue {
        // The values to all seats if this seat plays well: margins in points, and for this seat also the victory.
        let keys = result.keys();
        let mut margins = SeatValues::default();
        for (value, (_, margin)) in margins.iter_mut().zip(&keys) {
            *value = f64::from(*margin);
        }
        let mut values = [SeatValues::default(); Rules::MOST];
        for (seat, (values, (victory, _))) in values.iter_mut().zip(&keys).enumerate() {
            *values = margins;
            values[seat] += VICTORY_IN_POINTS * *victory as f64 / VICTORY as f64;
        }
        EndingValue { result, values }
    }

    fn seats_but(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
        (0..self.result.scores.len()).filter(move |other| *other != seat)
    }

    /// The value to this seat if the others err, in millionths of a point.
    pub(crate) fn against_errors(&self, seat: Seat) -> i64 {
        (self.values[seat][seat] * 1e6).round() as i64
    }

    /// The better value for this seat is greater: by the victory in best play, then by the value against opponents who
    /// err, then by the margin.
    pub(crate) fn compare(&self, other: &EndingValue, seat: Seat) -> Ordering {
        let victory = |of: &EndingValue| of.result.key(seat).0;
        let by_victory = victory(self).cmp(&victory(other));
        by_victory
            .then_with(|| self.against_errors(seat).cmp(&other.against_errors(seat)))
            .then_with(|| self.result.preference(seat).cmp(&other.result.preference(seat)))
    }
}

/// The mean value of a choice to the other seats if the seat that chooses errs: it chooses better actions more often,
/// but not always.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct QuantalResponse {
    /// For each seat that plays well, the sum of values, weighted by the odds of each choice.
    sums: [SeatValues; Rules::MOST],
    odds: [f64; Rules::MOST],
}

impl QuantalResponse {
    /// Adds one of the choices of this seat.
    pub(crate) fn add(&mut self, value: &EndingValue, seat: Seat) {
        for other in value.seats_but(seat) {
            let value = &value.values[other];
            let odds = libm::exp(value[seat] / RESPONSE_SCALE);
            self.odds[other] += odds;
            for (sum, value) in self.sums[other].iter_mut().zip(value) {
                *sum += odds * value;
            }
        }
    }

    /// The mean where another seat plays well; the value of the best choice where this seat does.
    pub(crate) fn mean(&self, mut best: EndingValue, seat: Seat) -> EndingValue {
        for other in best.seats_but(seat) {
            best.values[other] = self.sums[other].map(|sum| sum / self.odds[other]);
        }
        best
    }
}

/// The key of the same result for the other of two players.
pub(crate) const fn other((victory, margin): Key) -> Key {
    match victory {
        u64::MAX => (0, i32::MIN),
        _ if margin == i32::MIN => (u64::MAX, i32::MAX),
        _ => (VICTORY - victory, -margin),
    }
}
