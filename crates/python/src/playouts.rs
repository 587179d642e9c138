//! `kingdomino.playouts`, `kingdomino.choose` and `kingdomino.perft`.

use std::num::NonZero;
use std::thread::available_parallelism;

use kingdomino_search as search;
use pyo3::prelude::*;

use crate::action::Action;
use crate::arguments::{Plies, Seed, Threads, argument, counted, measured, option};
use crate::errors::{Error, Result, nothing_to_choose};
use crate::game::Game;
use crate::long::interruptible;
use crate::position::Position;
use crate::values;

const POLICIES: [(&str, search::Policy); 5] = [
    ("random", search::Policy::Random),
    ("greedy", search::Policy::Greedy),
    ("tuned", search::Policy::Tuned),
    ("gprd", search::Policy::Gprd),
    ("fg", search::Policy::Fg),
];

argument!(
    /// A number of playouts.
    Playouts(u64),
    |value| counted(value, 1.., "a number of playouts (1 or more)")
);

argument!(
    /// A standard deviation in points.
    Noise(f64),
    |value| measured(value, 0.0..=1000.0, "a noise (0 to 1000 points)")
);

argument!(
    /// A level of the bot king.
    Level(usize),
    |value| counted(value, 1..=search::LEVELS, "a level (1 to 8)")
);

argument!(
    /// A policy.
    Policy(search::Policy),
    |value| option(value, "policy", POLICIES, Error::Value)
);

/// Plays n games to the end from this position, each with a deck sampled from the unseen dominoes, and returns
/// statistics of scores, margins and victories: a PlayoutResult.
///
/// n: the number of playouts, 1 or more.
/// policy: how all seats decide: "random" (uniformly among the legal actions), "greedy" (the placement with the
///     highest score now, the claim whose domino then fits best), "tuned" (the same with regard to dominoes still
///     to come, by weights tuned in matches), or the published greedy players "gprd" and "fg" (see
///     crates/search/src/policies).
/// threads: the number of threads; by default the number of processors.
/// seed: 0 to 2**64 - 1. The same seed gives the same result, with any number of threads.
///
/// Releases the interpreter's lock; Ctrl-C stops it. Raises KingdominoError.
#[pyfunction]
#[pyo3(
    signature = (
        position,
        n = Playouts(1000),
        policy = Policy(search::Policy::Random),
        threads = None,
        seed = Seed(0),
    ),
    text_signature = "(position, n=1000, policy='random', threads=None, seed=0)"
)]
pub(crate) fn playouts<'py>(
    py: Python<'py>,
    position: &Position,
    n: Playouts,
    policy: Policy,
    threads: Option<Threads>,
    seed: Seed,
) -> Result<Bound<'py, PyAny>> {
    let threads =
        threads.map_or_else(|| available_parallelism().map_or(1, NonZero::get), |threads| threads.0);
    let result = interruptible(py, |keep_going| {
        search::playouts(&position.0, n.0, policy.0, threads, seed.0, keep_going)
    })?;
    Ok(values::playout_result(py, &result)?)
}

/// The action that a policy chooses in this position.
///
/// policy: "random", "greedy", "tuned", "gprd" or "fg".
/// seed: 0 to 2**64 - 1; decides the random choices.
/// noise: the standard deviation, in points, of normal noise added to the value of every action. Only for "tuned".
///
/// Raises KingdominoError, also when the game is over.
#[pyfunction]
#[pyo3(signature = (position, policy, seed, noise=Noise(0.0)), text_signature = "(position, policy, seed, noise=0.0)")]
pub(crate) fn choose(position: &Position, policy: Policy, seed: Seed, noise: Noise) -> Result<Action> {
    let action = match (policy.0, noise.0) {
        (search::Policy::Tuned, noise) if noise > 0.0 => {
            search::choose_with_noise(&position.0, noise, seed.0)
        }
        (_, noise) if noise > 0.0 => {
            return Err(Error::Value("only the policy \"tuned\" can have noise".into()));
        }
        (policy, _) => search::choose(&position.0, policy, seed.0),
    };
    action.map(Action).ok_or_else(|| nothing_to_choose(&position.0))
}

/// Return how a level of the bot king decides: its action; or None, and the playouts of the search that it needs (None: as
/// many as there is time for).
///
/// level: 1 to 8.
/// seed: 0 to 2**64 - 1; decides the noise.
///
/// Raises KingdominoError, also when the game is over.
#[pyfunction]
pub(crate) fn level_move(
    position: &Position,
    level: Level,
    seed: Seed,
) -> Result<(Option<Action>, Option<u64>)> {
    let decided = search::level_move(&position.0, level.0, seed.0);
    Ok(match decided.ok_or_else(|| nothing_to_choose(&position.0))? {
        search::LevelMove::Chosen(action) => (Some(Action(action)), None),
        search::LevelMove::Search(playouts) => (None, playouts),
    })
}

/// The number of sequences of `depth` actions from here, with the game's own deck; 1 for a depth of 0. If two
/// engines agree on it for many games, they agree on the rules.
///
/// Releases the interpreter's lock; Ctrl-C stops it. Raises KingdominoError.
///
/// Source: the perft ("performance test") of chess programming.
#[pyfunction]
pub(crate) fn perft(py: Python<'_>, game: &Game, depth: Plies) -> Result<u64> {
    let game = game.snapshot();
    interruptible(py, |keep_going| game.perft(depth.0, keep_going))
}
