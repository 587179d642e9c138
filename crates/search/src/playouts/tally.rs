//! Sums over playouts. They are integers, so that the order of adding, and so the number of threads, does not matter.

use kingdomino_rules::Rules;
use serde::Serialize;

use crate::terminal::{TerminalValue, VICTORY};

/// Statistics of playouts; each list has one entry per seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PlayoutResult {
    /// The number of playouts.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub n: u64,
    /// Mean scores, in points.
    pub mean_scores: Vec<f64>,
    /// Mean margins (own score minus the best opponent's), in points.
    pub mean_margin: Vec<f64>,
    /// Victories per playout; a victory shared by k counts 1/k.
    pub win_rates: Vec<f64>,
    /// Standard deviation of the score of one playout, in points.
    pub score_deviations: Vec<f64>,
    /// Standard deviation of the margin of one playout, in points.
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
    /// Adds a finished game.
    #[inline(always)]
    pub(crate) fn add(&mut self, value: &TerminalValue, players: usize) {
        for (seat, tally) in self.seats.iter_mut().enumerate().take(players) {
            let (total, margin) = (value.totals[seat], value.margins[seat]);
            tally.scores += total;
            tally.scores_squared += total * total;
            tally.margins += margin;
            tally.margins_squared += margin * margin;
            tally.victories += value.victories[seat];
        }
        self.n += 1;
    }

    /// The sums of both.
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

    /// The statistics of the first `players` seats.
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
