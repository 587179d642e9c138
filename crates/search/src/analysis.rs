//! The result of a search, action by action.

use kingdomino_rules::Action;

/// One action, and the results of the playouts through it.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionAnalysis {
    /// One of the legal actions.
    pub action: Action,
    /// Playouts through it; 0 if the result is exact. An action that was not tried has 0, too, and all its figures are
    /// NaN.
    pub playouts: u64,
    /// The win probability, one entry a seat; a victory shared by k counts 1/k.
    pub win_rates: Vec<f64>,
    /// The expected score in points, one entry a seat.
    pub mean_scores: Vec<f64>,
    /// The expected margin in points, one entry a seat: own score minus the best opponent's.
    pub mean_margin: Vec<f64>,
    /// The action and the most likely continuation, as far as the search has seen it.
    pub line: Vec<Action>,
}

/// All legal actions of a position, the best first.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// One entry for each action.
    pub actions: Vec<ActionAnalysis>,
    /// Playouts through all actions together.
    pub playouts: u64,
    /// Whether the values are the exact results of best play, not estimates.
    pub exact: bool,
}
