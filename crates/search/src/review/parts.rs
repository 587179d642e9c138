//! What a cost in points consists of.

use kingdomino_rules::{Action, Position, Seat, Stage, Terrain};
use serde::{Deserialize, Serialize};

use super::values::Value;
use crate::composition::Composition;
use crate::ending;
use crate::evaluation::Evaluation;
use crate::terminal::TerminalValue;

/// A part of a cost: what the better action would have added to the margin, or taken from it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CostPart {
    /// Where the points come from.
    #[serde(flatten)]
    pub source: Source,
    /// The points; below 0 if the action played had more of them. Of an opponent, as far as the margin to the best one
    /// depends on them.
    pub points: f64,
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

/// The parts of what this seat loses with the worse action, the largest first. They add up to the difference of margins.
///
/// `worse`, `better`: what each action is worth, and what the score of the seat consists of after it. The games that were
/// played out give the composition, and all evaluations together the score that is composed so.
pub(super) fn parts(
    seat: Seat,
    (worse, of_worse): (&Value, &Composition),
    (better, of_better): (&Value, &Composition),
) -> Vec<CostPart> {
    let difference = better - worse;
    let own = difference.mean_scores[seat];
    let points = of_better.points(better.mean_scores[seat]).into_iter();
    let points = points.zip(of_worse.points(worse.mean_scores[seat])).map(|(better, worse)| better - worse);
    let terrains = Terrain::ALL.into_iter().map(|terrain| Source::Terrain { terrain });
    let sources = terrains.chain([Source::Harmony, Source::MiddleKingdom]);
    let mut found: Vec<_> = sources.zip(points).map(|(source, points)| CostPart { source, points }).collect();

    // An opponent's points count as often as the opponent is the best one. The rest of the difference is due to who that
    // is, and is shared likewise.
    let weights = of_better.nearest().into_iter().zip(of_worse.nearest());
    let weights: Vec<_> = weights.map(|(one, other)| (one + other) / 2.0).collect();
    let opponents = || (0..difference.mean_scores.len()).filter(|other| *other != seat);
    let mean: f64 = opponents().map(|other| weights[other] * difference.mean_scores[other]).sum();
    let rest = difference.mean_margin[seat] - own + mean;
    found.extend(opponents().map(|other| {
        let points = weights[other] * (rest - difference.mean_scores[other]);
        CostPart { source: Source::Opponent { seat: other }, points }
    }));
    found.retain(|part| part.points != 0.0);
    found.sort_by(|one, other| other.points.abs().total_cmp(&one.points.abs()));
    found
}

/// What the score of the seat to move consists of after an action in a solved ending, by best play.
pub(super) fn of_ending(position: &Position, action: Action) -> Composition {
    let seat = position.to_move_unchecked();
    let (mut end, mut next) = (*position, Some(action));
    while let Some(action) = next {
        end.play_unchecked(action);
        if end.stage() == Stage::Reveal {
            // All that is left.
            end.reveal_unchecked(end.unseen());
        }
        next = ending::solve(&end).and_then(|solved| Some(solved.first()?.action));
    }
    let mut composition = Composition::default();
    composition.add(seat, &end, &[Evaluation::from(TerminalValue::of(&end)); 2]);
    composition
}
