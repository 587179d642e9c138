//! Sums over playouts. All of them are whole numbers, so that their order does not matter and the
//! result is the same for any number of threads.

use kingdomino_rules::Rules;

use crate::terminal::{TerminalValue, VICTORY};

/// What playouts came to; every list has one entry a seat.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayoutResult {
    /// How many there were.
    pub n: u64,
    /// In points.
    pub mean_scores: Vec<f64>,
    /// Own score minus the best opponent's, in points.
    pub mean_margin: Vec<f64>,
    /// Victories a playout; a shared one counts 1/k.
    pub win_rates: Vec<f64>,
    /// Standard deviation of the score of one playout.
    pub score_deviations: Vec<f64>,
    /// Standard deviation of the margin of one playout.
    pub margin_deviations: Vec<f64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct SeatTally {
    scores: i64,
    scores_squared: i64,
    margins: i64,
    margins_squared: i64,
    victories: u64,
}

/// Sums over finished positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    n: u64,
    seats: [SeatTally; Rules::MOST],
}

impl Tally {
    /// Counts a finished game.
    #[inline(always)]
    pub(crate) fn add(&mut self, finish: &TerminalValue, players: usize) {
        for (seat, tally) in self.seats.iter_mut().enumerate().take(players) {
            let (total, margin) = (finish.totals[seat], finish.margins[seat]);
            tally.scores += total;
            tally.scores_squared += total * total;
            tally.margins += margin;
            tally.margins_squared += margin * margin;
            tally.victories += finish.victories[seat];
        }
        self.n += 1;
    }

    /// Both together.
    pub(crate) fn merge(mut self, other: &Tally) -> Tally {
        self.n += other.n;
        for (tally, more) in self.seats.iter_mut().zip(&other.seats) {
            tally.scores += more.scores;
            tally.scores_squared += more.scores_squared;
            tally.margins += more.margins;
            tally.margins_squared += more.margins_squared;
            tally.victories += more.victories;
        }
        self
    }

    /// Means and deviations for this many seats.
    pub(crate) fn result(&self, players: usize) -> PlayoutResult {
        let n = self.n as f64;
        let seats = &self.seats[..players];
        let mean = |sum: i64| sum as f64 / n;
        let deviation = |sum: i64, squares: i64| (mean(squares) - mean(sum) * mean(sum)).max(0.0).sqrt();
        let each = |value: &dyn Fn(&SeatTally) -> f64| seats.iter().map(value).collect();
        PlayoutResult {
            n: self.n,
            mean_scores: each(&|seat| mean(seat.scores)),
            mean_margin: each(&|seat| mean(seat.margins)),
            win_rates: each(&|seat| seat.victories as f64 / (VICTORY as f64 * n)),
            score_deviations: each(&|seat| deviation(seat.scores, seat.scores_squared)),
            margin_deviations: each(&|seat| deviation(seat.margins, seat.margins_squared)),
        }
    }
}
