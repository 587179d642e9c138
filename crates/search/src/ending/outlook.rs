//! How an ending ends, and what each seat prefers.

use std::cmp::{Ordering, Reverse};

use arrayvec::ArrayVec;

use kingdomino_rules::{Rules, Seat};

use crate::ending::merit::Merit;
use crate::finish::{Finish, VICTORY};

/// How a game ends: what each seat's kingdom is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Result {
    merits: ArrayVec<Merit, { Rules::MOST }>,
}

/// What a seat prefers: victory, in parts of `VICTORY`, then the margin.
pub(crate) type Key = (u64, i32);

impl Result {
    pub(crate) const fn new(merits: ArrayVec<Merit, { Rules::MOST }>) -> Result {
        Result { merits }
    }

    fn best(&self) -> Merit {
        self.merits.iter().copied().max().unwrap_or_default()
    }

    #[inline]
    pub(crate) fn key(&self, seat: Seat) -> Key {
        let best = self.best();
        let own = self.merits[seat];
        let winners = self.merits.iter().filter(|merit| **merit == best).count() as u64;
        let rival = self.merits.iter().enumerate().filter(|(other, _)| *other != seat);
        let rival = rival.map(|(_, merit)| merit.score()).max().unwrap_or(0);
        (if own == best { VICTORY / winners } else { 0 }, i32::from(own.score()) - i32::from(rival))
    }

    /// What a seat prefers among results with one key, so that what everybody does is settled: more of its
    /// own, then less of the others', then whatever comes last.
    pub(crate) fn preference(&self, seat: Seat) -> (Key, Merit, Reverse<u32>, &[Merit]) {
        let others = self.merits.iter().enumerate().filter(|(other, _)| *other != seat);
        let others = others.map(|(_, merit)| u32::from(merit.score())).sum();
        (self.key(seat), self.merits[seat], Reverse(others), &self.merits)
    }

    /// In points, one a seat.
    pub(crate) fn scores(&self) -> impl Iterator<Item = u16> {
        self.merits.iter().map(|merit| merit.score())
    }

    /// Margins in points, one a seat; to this one a victory comes first.
    fn worth(&self, wise: Seat) -> Worth {
        let mut worth = [0.0; Rules::MOST];
        for (seat, (worth, (victory, margin))) in worth.iter_mut().zip(self.keys()).enumerate() {
            *worth = f64::from(margin);
            if seat == wise {
                *worth += VICTORY_IN_POINTS * victory as f64 / VICTORY as f64;
            }
        }
        worth
    }

    /// One a seat.
    pub(crate) fn keys(&self) -> ArrayVec<Key, { Rules::MOST }> {
        (0..self.merits.len()).map(|seat| self.key(seat)).collect()
    }
}

impl From<Result> for Finish {
    fn from(result: Result) -> Finish {
        let mut finish = Finish {
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
type Worth = [f64; Rules::MOST];

/// More than most margins.
const VICTORY_IN_POINTS: f64 = 100.0;

/// So many points of margin more make a rival e times as likely to choose something.
const JUDGEMENT: f64 = 8.0;

/// How a game ends where everybody plays well, and what each seat may hope for where the others do not.
#[derive(Clone, Debug)]
pub(crate) struct Outlook {
    pub(crate) result: Result,
    /// By seat that plays well: what the end is worth then.
    worths: [Worth; Rules::MOST],
}

impl Outlook {
    pub(crate) fn without_hope(result: Result) -> Outlook {
        Outlook { result, worths: Default::default() }
    }

    pub(crate) fn at_end(result: Result) -> Outlook {
        let mut worths = [[0.0; Rules::MOST]; Rules::MOST];
        for (seat, worth) in worths.iter_mut().enumerate().take(result.merits.len()) {
            *worth = result.worth(seat);
        }
        Outlook { result, worths }
    }

    fn seats_but(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
        (0..self.result.merits.len()).filter(move |other| *other != seat)
    }

    /// What this seat may hope for, in millionths of a point.
    pub(crate) fn hope(&self, seat: Seat) -> i64 {
        (self.worths[seat][seat] * 1e6).round() as i64
    }

    /// Which is better for this seat: victory where everybody plays well, then what may be hoped for, then
    /// the margin.
    pub(crate) fn compare(&self, other: &Outlook, seat: Seat) -> Ordering {
        let victory = |of: &Outlook| of.result.key(seat).0;
        let by_victory = victory(self).cmp(&victory(other));
        by_victory
            .then_with(|| self.hope(seat).cmp(&other.hope(seat)))
            .then_with(|| self.result.preference(seat).cmp(&other.result.preference(seat)))
    }
}

/// What comes of a choice to the others if the one who chooses errs: takes what is better more often, but
/// not always.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Erring {
    /// By seat that plays well, weighted by the odds of each choice.
    sums: [Worth; Rules::MOST],
    odds: [f64; Rules::MOST],
}

impl Erring {
    /// One of the choices of this seat.
    pub(crate) fn add(&mut self, outlook: &Outlook, seat: Seat) {
        for wise in outlook.seats_but(seat) {
            let worth = &outlook.worths[wise];
            let odds = (worth[seat] / JUDGEMENT).exp();
            self.odds[wise] += odds;
            for (sum, worth) in self.sums[wise].iter_mut().zip(worth) {
                *sum += odds * worth;
            }
        }
    }

    /// What the others may hope for then; this seat, what it may where it takes the best.
    pub(crate) fn mean(&self, mut best: Outlook, seat: Seat) -> Outlook {
        for wise in best.seats_but(seat) {
            best.worths[wise] = self.sums[wise].map(|sum| sum / self.odds[wise]);
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
