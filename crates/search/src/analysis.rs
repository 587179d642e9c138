//! The result of a search, action by action.

use kingdomino_rules::Action;
use serde::{Deserialize, Serialize};

/// One action, and the results of the playouts through it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ActionAnalysis {
    /// One of the legal actions; it represents all equivalent ones.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub action: Action,
    /// Playouts through it; 0 if the result is exact. An action that was not tried has 0, too, and all its figures are
    /// NaN, in JSON null.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub playouts: u64,
    /// The win probability, one entry per seat; a victory shared by k counts 1/k.
    #[cfg_attr(feature = "ts", ts(type = "Array<number | null>"))]
    pub win_rates: Vec<f64>,
    /// The expected score in points, one entry per seat.
    #[cfg_attr(feature = "ts", ts(type = "Array<number | null>"))]
    pub mean_scores: Vec<f64>,
    /// The expected margin in points, one entry per seat: own score minus the best opponent's.
    #[cfg_attr(feature = "ts", ts(type = "Array<number | null>"))]
    pub mean_margin: Vec<f64>,
    /// The action and the most likely continuation, as far as the search has seen it.
    #[cfg_attr(feature = "ts", ts(type = "Array<string>"))]
    pub line: Vec<Action>,
}

/// All actions of a position that differ, the best first.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Analysis {
    /// One entry for each action.
    pub actions: Vec<ActionAnalysis>,
    /// Playouts through all actions together.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub playouts: u64,
    /// Whether the values are the exact results of best play, not estimates.
    pub exact: bool,
}

/// The results of one tree of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct TreeSums {
    /// Whether the search compares actions, which get equally many playouts.
    pub is_even: bool,
    /// One entry for each action.
    pub actions: Vec<ActionSums>,
}

/// The results of one tree about one action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ActionSums {
    /// One of the legal actions.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub action: Action,
    /// Playouts through it, with those from before the position was reached.
    pub visits: u32,
    /// The sum of their utilities for the seat that decides.
    pub utility: f64,
    /// Playouts through it since the position was reached.
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub playouts: u64,
    /// The sums of their win probabilities, scores and margins, one entry per seat.
    pub sums: [Vec<f64>; 3],
    /// The action and the most likely continuation.
    #[cfg_attr(feature = "ts", ts(type = "Array<string>"))]
    pub line: Vec<Action>,
}

impl Analysis {
    /// Merges the results of a search's trees, in the order of their numbers. Trees may have grown anywhere; the
    /// result is the same to the last bit.
    pub fn merged(trees: &[TreeSums]) -> Analysis {
        let mut ranked: Vec<_> = (0..trees.first().map_or(0, |tree| tree.actions.len()))
            .map(|index| merged(trees, index))
            .collect();
        // The most visited first; equally visited or compared ones by value.
        ranked.sort_by(|(one, _), (other, _)| other.0.cmp(&one.0).then(other.1.total_cmp(&one.1)));
        let actions: Vec<_> = ranked.into_iter().map(|(_, action)| action).collect();
        Analysis { playouts: actions.iter().map(|action| action.playouts).sum(), actions, exact: false }
    }
}

/// One action in all trees, and its rank: its visits and its value.
fn merged<'a>(trees: &'a [TreeSums], index: usize) -> ((u64, f64), ActionAnalysis) {
    let first = &trees[0].actions[index];
    let is_same = |found: &&ActionSums| found.action == first.action;
    // Each tree admits its actions in an order of its own.
    let found = |tree: &'a TreeSums| {
        tree.actions.get(index).filter(is_same).or_else(|| tree.actions.iter().find(is_same))
    };
    let each: Vec<_> = trees.iter().filter_map(found).collect();
    let each = || each.iter();
    let visits: u64 = each().map(|found| u64::from(found.visits)).sum();
    let value = each().map(|found| found.utility).sum::<f64>() / visits.max(1) as f64;
    let playouts: u64 = each().map(|found| found.playouts).sum();
    let [win_rates, mean_scores, mean_margin] = [0, 1, 2].map(|of| {
        let mean = |seat: usize| each().map(|found| found.sums[of][seat]).sum::<f64>() / playouts as f64;
        (0..first.sums[of].len()).map(mean).collect()
    });
    let busiest = each().max_by_key(|found| found.visits);
    let line = busiest.map(|found| found.line.clone()).unwrap_or_default();
    let visits = if trees[0].is_even { 0 } else { visits };
    let action = first.action;
    ((visits, value), ActionAnalysis { action, playouts, win_rates, mean_scores, mean_margin, line })
}
