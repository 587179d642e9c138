//! How an ending ends, and what each seat prefers.

use std::cmp::{Ordering, Reverse};

use arrayvec::ArrayVec;

use kingdomino_rules::{Rules, Seat};

use crate::ending::ranked_score::RankedScore;
use crate::terminal::{TerminalValue, VICTORY};

/// How a game ends: what each seat's kingdom is value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FinalScores {
    scores: ArrayVec<RankedScore, { Rules::MOST }>,
}

/// What a seat prefers: victory, in parts of `VICTORY`, then the margin.
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

    /// A total order, so that equal keys do not leave the choice open: the key, then more points of its own, then
    /// fewer of the others'.
    pub(crate) fn preference(&self, seat: Seat) -> (Key, RankedScore, Reverse<u32>, &[RankedScore]) {
        let others = self.scores.iter().enumerate().filter(|(other, _)| *other != seat);
        let others = others.map(|(_, score)| u32::from(score.score())).sum();
        (self.key(seat), self.scores[seat], Reverse(others), &self.scores)
    }

    /// In points, one a seat.
    pub(crate) fn scores(&self) -> impl Iterator<Item = u16> {
        self.scores.iter().map(|score| score.score())
    }

    /// Margins in points, one a seat; to this one a victory comes first.
    fn value(&self, own: Seat) -> SeatValues {
        let mut value = [0.0; Rules::MOST];
        for (seat, (value, (victory, margin))) in value.iter_mut().zip(self.keys()).enumerate() {
            *value = f64::from(margin);
            if seat == own {
                *value += VICTORY_IN_POINTS * victory as f64 / VICTORY as f64;
            }
        }
        value
    }

    /// One a seat.
    pub(crate) fn keys(&self) -> ArrayVec<Key, { Rules::MOST }> {
        (0..self.scores.len()).map(|seat| self.key(seat)).collect()
    }
}

impl From<FinalScores> for TerminalValue {
    fn from(result: FinalScores) -> TerminalValue {
        let mut finish = TerminalValue {
            totals: [i64::MIN; Rules::MOST],
            margins: [0; Rules::MOST],
            victories: [0; Rules::MOST],
        };
        for (seat, (score, (victory, margin))) in result.scores().zip(result.keys()).enumerate() {
            finish.totals[seat] = i64::from(score);
            finish.margins[seat] = i64::from(margin);
            finish.victories[seat] = victory;
        }
        finish
    }
}

/// What an end is worth to each seat, in points.
type SeatValues = [f64; Rules::MOST];

/// More than most margins.
const VICTORY_IN_POINTS: f64 = 100.0;

/// An action with so many more points of margin is e times as likely to be chosen.
const RESPONSE_SCALE: f64 = 8.0;

/// How a game ends if all play well, and what it is worth to each seat if the others err.
#[derive(Clone, Debug)]
pub(crate) struct EndingValue {
    pub(crate) result: FinalScores,
    /// By seat that plays well: what the end is then worth to each seat.
    values: [SeatValues; Rules::MOST],
}

impl EndingValue {
    pub(crate) fn without_errors(result: FinalScores) -> EndingValue {
        EndingValue { result, values: Default::default() }
    }

    pub(crate) fn at_end(result: FinalScores) -> EndingValue {
        let mut values = [[0.0; Rules::MOST]; Rules::MOST];
        for (seat, value) in values.iter_mut().enumerate().take(result.scores.len()) {
            *value = result.value(seat);
        }
        EndingValue { result, values }
    }

    fn seats_but(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
        (0..self.result.scores.len()).filter(move |other| *other != seat)
    }

    /// What the ending is worth to this seat if the others err, in millionths of a point.
    pub(crate) fn against_errors(&self, seat: Seat) -> i64 {
        (self.values[seat][seat] * 1e6).round() as i64
    }

    /// Which is better for this seat: victory if all play well, then the value against opponents who err, then
    /// the margin.
    pub(crate) fn compare(&self, other: &EndingValue, seat: Seat) -> Ordering {
        let victory = |of: &EndingValue| of.result.key(seat).0;
        let by_victory = victory(self).cmp(&victory(other));
        by_victory
            .then_with(|| self.against_errors(seat).cmp(&other.against_errors(seat)))
            .then_with(|| self.result.preference(seat).cmp(&other.result.preference(seat)))
    }
}

/// The mean value of a choice to the other seats if the seat that chooses errs: it takes the better more often, but
/// not always.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct QuantalResponse {
    /// By seat that plays well, weighted by the odds of each choice.
    sums: [SeatValues; Rules::MOST],
    odds: [f64; Rules::MOST],
}

impl QuantalResponse {
    /// One of the choices of this seat.
    pub(crate) fn add(&mut self, value: &EndingValue, seat: Seat) {
        for thinker in value.seats_but(seat) {
            let value = &value.values[thinker];
            let odds = (value[seat] / RESPONSE_SCALE).exp();
            self.odds[thinker] += odds;
            for (sum, value) in self.sums[thinker].iter_mut().zip(value) {
                *sum += odds * value;
            }
        }
    }

    /// The mean for the other seats; for this seat, the value of its best choice.
    pub(crate) fn mean(&self, mut best: EndingValue, seat: Seat) -> EndingValue {
        for thinker in best.seats_but(seat) {
            best.values[thinker] = self.sums[thinker].map(|sum| sum / self.odds[thinker]);
        }
        best
    }
}

/// The same result for the other of two players.
pub(crate) const fn other((victory, margin): Key) -> Key {
    match victory {
        u64::MAX => (0, i32::MIN),
        _ if margin == i32::MIN => (u64::MAX, i32::MAX),
        _ => (VICTORY - victory, -margin),
    }
}
