//! The values of a review, in JSON as in Rust.

use std::ops::{Add, Sub};

use kingdomino_rules::{Action, Seat};
use serde::{Deserialize, Serialize};

use super::level::Level;
use super::parts::CostPart;
use super::reasons::{Reason, Theme};
use crate::analysis::ActionAnalysis;
use crate::terminal::{TerminalValue, VICTORY};

/// The value of a position to each seat; each list has one entry per seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Value {
    /// Win probabilities; a victory shared by k counts 1/k.
    pub win_rates: Vec<f64>,
    /// Expected scores in points.
    pub mean_scores: Vec<f64>,
    /// Expected margins in points: own score minus the best opponent's.
    pub mean_margin: Vec<f64>,
}

impl Value {
    /// The result of a finished game with this many players.
    pub(super) fn of(result: &TerminalValue, players: usize) -> Value {
        let points = |values: &[i64]| values[..players].iter().map(|value| *value as f64).collect();
        Value {
            win_rates: result.victories[..players]
                .iter()
                .map(|parts| *parts as f64 / VICTORY as f64)
                .collect(),
            mean_scores: points(&result.totals),
            mean_margin: points(&result.margins),
        }
    }

    /// The mean of some values; there must be one.
    pub(super) fn mean(values: &[Value]) -> Value {
        let count = values.len() as f64;
        let each = |figures: fn(&Value) -> &[f64]| {
            let seats = 0..figures(&values[0]).len();
            seats.map(|seat| values.iter().map(|value| figures(value)[seat]).sum::<f64>() / count).collect()
        };
        Value {
            win_rates: each(|value| &value.win_rates),
            mean_scores: each(|value| &value.mean_scores),
            mean_margin: each(|value| &value.mean_margin),
        }
    }

    fn combined(&self, other: &Value, combine: fn(f64, f64) -> f64) -> Value {
        let each = |ours: &[f64], theirs: &[f64]| {
            ours.iter().zip(theirs).map(|(one, other)| combine(*one, *other)).collect()
        };
        Value {
            win_rates: each(&self.win_rates, &other.win_rates),
            mean_scores: each(&self.mean_scores, &other.mean_scores),
            mean_margin: each(&self.mean_margin, &other.mean_margin),
        }
    }
}

impl From<&ActionAnalysis> for Value {
    fn from(one: &ActionAnalysis) -> Value {
        Value {
            win_rates: one.win_rates.clone(),
            mean_scores: one.mean_scores.clone(),
            mean_margin: one.mean_margin.clone(),
        }
    }
}

impl Add for &Value {
    type Output = Value;

    fn add(self, other: &Value) -> Value {
        self.combined(other, f64::add)
    }
}

impl Sub for &Value {
    type Output = Value;

    fn sub(self, other: &Value) -> Value {
        self.combined(other, f64::sub)
    }
}

/// A possible action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Alternative {
    /// The action.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub action: Action,
    /// The value of the position after it to each seat.
    pub value: Value,
    /// Its cost against the best action, as in [`Decision`].
    pub cost: f64,
    /// The same in points.
    pub cost_points: f64,
    /// It and the most likely continuation.
    #[cfg_attr(feature = "ts", ts(type = "Array<string>"))]
    pub line: Vec<Action>,
}

/// One decision of a game and its cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Decision {
    /// Its number in the record, from 0.
    pub ply: usize,
    /// The seat that decided.
    pub seat: Seat,
    /// The round, from 1; 0 for the claims of the opening.
    pub round: usize,
    /// The action played.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub action: Action,
    /// The best action: the one played if none is better.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub best: Action,
    /// The number of legal actions that differ: equivalent placements count once.
    pub choices: usize,
    /// The place of the action played among these, 1 for the best. The alternatives come first, then the others by
    /// playouts, or by value if that is exact.
    pub place: usize,
    /// The position's value with best play.
    pub before: Value,
    /// Its value after the action played.
    pub after: Value,
    /// The win probability that the action lost for the seat; 0 if the loss is within two errors.
    pub cost: f64,
    /// The same for the expected margin, in points.
    pub cost_points: f64,
    /// Whether the game is decided for the seat: its win probability is below 2% or above 98% after either action.
    pub decided: bool,
    /// The error of the cost: with 50 times the playouts, 9 in 10 costs are within two errors. 0 if it is exact.
    pub error: f64,
    /// The same for the margin, in points.
    pub error_points: f64,
    /// Whether the values are the exact results of best play, not estimates.
    pub exact: bool,
    /// The playouts that the judgement is based on.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub playouts: u64,
    /// The best action and the most likely continuation.
    #[cfg_attr(feature = "ts", ts(type = "Array<string>"))]
    pub line: Vec<Action>,
    /// Why the action played is worse; `None` if it is the best, or if only its chances are lower and no fact explains it.
    pub why: Option<Reason>,
    /// The theme of the reason; `None` without one.
    pub theme: Option<Theme>,
    /// The parts that add up to the cost in points, the largest first.
    pub parts: Vec<CostPart>,
    /// The best actions, best first, with the one played.
    pub alternatives: Vec<Alternative>,
}

impl Decision {
    /// The accuracy of the decision, 0 to 100: 100 without a cost, 64 at 10%, 40 at 20%.
    ///
    /// Source: the curve that lichess uses for chess (<https://lichess.org/page/accuracy>), from win probabilities.
    pub fn accuracy(&self) -> f64 {
        (103.1668 * libm::exp(-4.354 * self.cost) - 3.1669).clamp(0.0, 100.0)
    }
}

/// A random event before a decision, and its effect on each seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Luck {
    /// The number of the next decision. The review does not list an event after the last decision of an unfinished
    /// record.
    pub ply: usize,
    /// The numbers of the revealed dominoes; none if only a king was drawn.
    pub line: Vec<u8>,
    /// The seat whose king was drawn, if one was.
    pub king: Option<Seat>,
    /// The value after the event minus the expected value before it, in win probability; the sum is 0.
    pub win_rates: Vec<f64>,
    /// The same in expected margin, in points.
    pub points: Vec<f64>,
}

/// The sums of one seat. In win probability, and likewise in points, to rounding:
/// result - start = luck - cost + received.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SeatReview {
    /// The seat.
    pub seat: Seat,
    /// The number of its decisions with a choice between actions.
    pub decisions: usize,
    /// Their cost to the seat.
    pub cost: f64,
    /// The same in points.
    pub cost_points: f64,
    /// The effect of chance.
    pub luck: f64,
    /// The same in points.
    pub luck_points: f64,
    /// The gain from the other seats' costs.
    pub received: f64,
    /// The same in points.
    pub received_points: f64,
    /// The mean of the decisions' accuracies, 0 to 100; `None` without decisions.
    pub accuracy: Option<f64>,
    /// The level of `king` whose decisions cost as much; `None` unless that is clear to two levels.
    pub level: Option<Level>,
    /// The account of the margin; `None` during the review, and for an unfinished game.
    pub account: Option<Account>,
}

/// An account of a seat's margin at the end, in whole points: margin = start + play + luck, and
/// play = received - cost. The largest part takes the rounding error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Account {
    /// Own score minus the best opponent's.
    pub margin: i32,
    /// The margin to expect at the start. With three or more players, each expects to trail the best of the others.
    pub start: i32,
    /// The effect of all decisions.
    pub play: i32,
    /// The cost of its own decisions.
    pub cost: i32,
    /// The gain from the other seats' costs.
    pub received: i32,
    /// The effect of chance.
    pub luck: i32,
}

/// The costs of a game's decisions, and the luck.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Review {
    /// The number of decisions in the record; `decisions` has fewer during a review.
    pub plies: usize,
    /// The value before the first line is revealed, or of the position at which the game began.
    pub start: Value,
    /// The result of the game; `None` for an unfinished one.
    pub result: Option<Value>,
    /// The decisions, in order.
    pub decisions: Vec<Decision>,
    /// The random events between them, in order.
    pub luck: Vec<Luck>,
    /// The sums, one per seat.
    pub seats: Vec<SeatReview>,
}
