//! The parts of a cost in points.

use kingdomino_rules::{Action, Position, Rules, Seat, Stage, Terrain};
use serde::{Deserialize, Serialize};

use super::values::Value;
use crate::composition::Composition;
use crate::ending;
use crate::evaluation::Evaluation;
use crate::terminal::TerminalValue;

/// A part of a cost: the effect of the better action on one part of the margin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CostPart {
    /// Where the points come from.
    #[serde(flatten)]
    pub source: Source,
    /// The points; below 0 if the action played had more of them. For an opponent, only as far as the margin to the best one
    /// depends on them.
    pub points: f64,
    /// The same in whole points. They add up to the whole points of the cost; the largest part takes the rounding error.
    pub whole: i32,
    /// For a bonus, its probability after the better action, and after the one played.
    #[serde(default)]
    pub chances: Option<(f64, f64)>,
}

/// Where the points of a [`CostPart`] come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Source {
    /// Own territories of one terrain.
    Terrain {
        /// The terrain.
        #[cfg_attr(feature = "ts", ts(type = "Terrain"))]
        terrain: Terrain,
    },
    /// Harmony.
    Harmony,
    /// Middle Kingdom.
    MiddleKingdom,
    /// An opponent, who would have scored less.
    Opponent {
        /// The opponent.
        seat: Seat,
    },
}

/// The parts of this seat's loss with the worse action, the largest first. They add up to the difference of margins.
///
/// `worse`, `better`: the value of each action, and the composition of the seat's score after it. The composition comes
/// from the simulated games, the sum from all evaluations.
pub(super) fn parts(
    seat: Seat,
    rules: &Rules,
    (worse, of_worse): (&Value, &Composition),
    (better, of_better): (&Value, &Composition),
) -> Vec<CostPart> {
    let difference = better - worse;
    let own = difference.mean_scores[seat];
    let points = of_better.points(better.mean_scores[seat]).into_iter();
    let points = points.zip(of_worse.points(worse.mean_scores[seat])).map(|(better, worse)| better - worse);
    let terrains = Terrain::ALL.into_iter().map(|terrain| (Source::Terrain { terrain }, None));
    let bonuses = of_better.chances(rules).into_iter().zip(of_worse.chances(rules)).map(Some);
    let sources = terrains.chain([Source::Harmony, Source::MiddleKingdom].into_iter().zip(bonuses));
    let mut found: Vec<_> = sources
        .zip(points)
        .map(|((source, chances), points)| CostPart { source, points, whole: 0, chances })
        .collect();

    // An opponent's points count in the games in which this opponent is the best one. The rest of the difference comes from
    // changes of the best opponent, and is divided likewise.
    let weights = of_better.nearest().into_iter().zip(of_worse.nearest());
    let weights: Vec<_> = weights.map(|(one, other)| (one + other) / 2.0).collect();
    let opponents = || (0..difference.mean_scores.len()).filter(|other| *other != seat);
    let mean: f64 = opponents().map(|other| weights[other] * difference.mean_scores[other]).sum();
    let rest = difference.mean_margin[seat] - own + mean;
    found.extend(opponents().map(|other| {
        let points = weights[other] * (rest - difference.mean_scores[other]);
        CostPart { source: Source::Opponent { seat: other }, points, whole: 0, chances: None }
    }));
    found.retain(|part| part.points != 0.0);
    found.sort_by(|one, other| other.points.abs().total_cmp(&one.points.abs()));
    let points: Vec<_> = found.iter().map(|part| part.points).collect();
    let sum = libm::round(points.iter().sum()) as i32;
    for (part, whole) in found.iter_mut().zip(whole(&points, sum)) {
        part.whole = whole;
    }
    found
}

/// Rounds parts so that they add up to a whole sum: the largest part takes the difference.
pub(super) fn whole(parts: &[f64], sum: i32) -> Vec<i32> {
    let mut rounded: Vec<_> = parts.iter().map(|part| libm::round(*part) as i32).collect();
    let rest = sum - rounded.iter().sum::<i32>();
    let largest =
        (0..parts.len()).rev().max_by(|one, other| parts[*one].abs().total_cmp(&parts[*other].abs()));
    if let Some(largest) = largest {
        rounded[largest] += rest;
    }
    rounded
}

/// The composition of the mover's score after an action in a solved ending, by best play.
pub(super) fn of_ending(position: &Position, action: Action) -> Composition {
    let seat = position.to_move_unchecked();
    let (mut end, mut next) = (*position, Some(action));
    while let Some(action) = next {
        end.play_unchecked(action);
        if end.stage() == Stage::Reveal {
            // The remaining score.
            end.reveal_unchecked(end.unseen());
        }
        next = ending::solve(&end).and_then(|solved| Some(solved.first()?.action));
    }
    let mut composition = Composition::default();
    composition.add(seat, &end, &[Evaluation::from(TerminalValue::of(&end)); 2]);
    composition
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_parts_add_up_and_the_largest_takes_the_rest() {
        assert_eq!(whole(&[-7.4, -4.4], -12), [-8, -4]);
        assert_eq!(whole(&[4.6, 4.6, -0.3], 9), [4, 5, 0]);
        assert_eq!(whole(&[-8.4, 5.4], -3), [-8, 5]);
        assert!(whole(&[], 0).is_empty());
    }
}
