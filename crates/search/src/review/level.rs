//! The level of `king` whose decisions cost as much as a player's.
//!
//! Compares costs in points: once a game is decided, even bad decisions cost hardly any win probability.

use kingdomino_rules::Rules;
use serde::{Deserialize, Serialize};

/// The fewest decisions for a level.
const FEWEST: usize = 12;

/// The most levels in an interval; a wider one means nothing.
const WIDEST: usize = 2;

const LEVELS: usize = 8;

/// The mean cost of a decision in points, from level 1 to the strongest. Measured by `benches.review` in games of each
/// level with itself (docs/evidence/review.md).
const fn costs(rules: &Rules) -> [f64; LEVELS] {
    match rules.players() {
        _ if rules.mighty_duel() => [3.75, 2.74, 2.58, 2.22, 2.05, 1.60, 0.74, 0.00],
        2 => [2.79, 2.63, 2.43, 1.67, 1.59, 0.83, 0.44, 0.02],
        3 => [2.88, 2.61, 2.16, 1.80, 1.62, 0.83, 0.44, 0.00],
        _ => [2.96, 2.72, 2.54, 1.57, 1.14, 0.81, 0.46, 0.01],
    }
}

/// A level of `king`, 1 the weakest, with a 95% interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Level {
    /// The level.
    pub level: usize,
    /// The lower end of the interval.
    pub low: usize,
    /// Its higher end.
    pub high: usize,
}

impl Level {
    /// The level whose decisions cost as much, or `None` if the decisions are too few or differ too much for an interval
    /// of at most two levels.
    ///
    /// `spent`: the cost of each decision with a choice, in points. The interval belongs to the mean cost: 1.96 standard
    /// errors to either side.
    pub fn of(spent: &[f64], rules: &Rules) -> Option<Level> {
        if spent.len() < FEWEST {
            return None;
        }
        let (mean, error) = mean_and_error(spent);
        let costs = costs(rules);
        let nearest = |cost: f64| {
            let by_distance = |one: &usize, other: &usize| {
                (costs[*one] - cost).abs().total_cmp(&(costs[*other] - cost).abs())
            };
            1 + (0..LEVELS).min_by(by_distance).unwrap_or_default()
        };
        let reach = 1.96 * error;
        let level = Level { level: nearest(mean), low: nearest(mean + reach), high: nearest(mean - reach) };
        (level.high - level.low < WIDEST).then_some(level)
    }
}

/// The mean of some numbers and its standard error, which is 0 for one number.
pub(super) fn mean_and_error(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    if numbers.len() < 2 {
        return (mean, 0.0);
    }
    let squares: f64 = numbers.iter().map(|number| (number - mean) * (number - mean)).sum();
    (mean, (squares / (count - 1.0) / count).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(spent: &[f64]) -> Option<(usize, usize, usize)> {
        Level::of(spent, &Rules::default()).map(|Level { level, low, high }| (level, low, high))
    }

    #[test]
    fn the_level_is_the_one_with_the_nearest_mean_cost() {
        assert_eq!(of(&[2.1, 2.3].repeat(10)), Some((3, 3, 3)));
        assert_eq!(of(&[9.0; 12]), Some((1, 1, 1)));
        assert_eq!(of(&[0.0; 12]), Some((8, 8, 8)));
    }

    #[test]
    fn nothing_is_said_after_few_decisions_or_by_a_wide_interval() {
        assert_eq!(of(&[2.0; 11]), None);
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[0.0, 0.0, 0.0, 8.0].repeat(4)), None);
        assert_eq!(of(&[0.0, 0.0, 0.0, 8.8].repeat(400)), Some((3, 3, 4)));
    }

    #[test]
    fn every_rules_set_has_costs_that_fall_from_level_to_level() {
        for rules in Rules::all() {
            assert!(costs(&rules).windows(2).all(|pair| pair[0] > pair[1]), "{rules}");
        }
    }
}
