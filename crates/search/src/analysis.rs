//! The result of a search, action by action.

use kingdomino_rules::Action;

/// One action, and how the games went in which it was played.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionAnalysis {
    /// One of the legal actions.
    pub action: Action,
    /// Playouts through it; 0 if the answer is exact or the action was not tried.
    pub playouts: u64,
    /// The probability of victory, one entry a seat; a shared one counts 1/k.
    pub win_rates: Vec<f64>,
    /// In points, one entry a seat.
    pub mean_scores: Vec<f64>,
    /// Own score minus the best opponent's, in points, one entry a seat.
    pub mean_margin: Vec<f64>,
    /// The action and what is most likely to follow, as far as it is known.
    pub line: Vec<Action>,
}

/// All legal actions of a position, the best first.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// One entry an action.
    pub actions: Vec<ActionAnalysis>,
    /// Of all actions together.
    pub playouts: u64,
    /// Whether this is how the game ends if all play well, and not an estimate.
    pub exact: bool,
}
