//! `kingdomino._core.choose_by_playouts`: the published searches.

use kingdomino_search as search;
use pyo3::prelude::*;

use crate::action::Action;
use crate::arguments::{Seed, argument, measured, option};
use crate::errors::{Error, Result, nothing_to_choose};
use crate::long::interruptible_by;
use crate::playouts::Playouts;
use crate::position::Position;
use crate::search::Seconds;

argument!(
    /// The search: whether it builds a tree.
    Tree(bool),
    |value| option(value, "player", [("mce", false), ("uct", true)], Error::Value)
);

argument!(
    /// The turns of a playout that are greedy.
    Playout(search::BaselinePlayout),
    |value| {
        let playouts = [
            ("random", search::BaselinePlayout::Random),
            ("fg", search::BaselinePlayout::Fg),
            ("pg", search::BaselinePlayout::Pg),
            ("eg", search::BaselinePlayout::Eg),
        ];
        option(value, "playout", playouts, Error::Value)
    }
);

argument!(
    /// The exploration constant of UCT.
    Exploration(f64),
    |value| measured(value, 0.0..=1000.0, "an exploration constant (0 to 1000)")
);

/// The action that a published search chooses in this position.
///
/// It searches over turns: a placement and a claim together. For a placement it returns the best turn's; for
/// the claim after it, it searches again, over the claims. Each playout samples a new deck from the unseen
/// dominoes.
///
/// player: "mce" (flat Monte Carlo evaluation: playouts are spread evenly over the turns; the highest mean of
///     own / (own + best opponent's score) is best) or "uct" (a tree of turns; the highest win rate is best).
/// playout: the turns of a playout that the policy "fg" plays, the others being random: "random" (none), "fg"
///     (all), "pg" (the turns of the seat to move) or "eg" (a random quarter).
/// exploration: the exploration constant of "uct", 0 to 1000.
/// time: seconds.
/// playouts: 1 or more. The search runs until the first limit is reached; without limits, until it is stopped.
///     It makes at least one playout.
/// seed: 0 to 2**64 - 1. With a limit of playouts alone, the same seed gives the same choice.
/// stop: an object with a method is_set, like threading.Event; the search ends within 20 ms after it returns True.
///
/// Releases the interpreter's lock; Ctrl-C stops it. Raises KingdominoError, also when the game is over.
///
/// Source: Gedda, Lagerkvist and Butler, "Monte Carlo Methods for the Game Kingdomino" (IEEE CIG 2018).
#[pyfunction]
#[pyo3(
    signature = (
        position,
        player,
        *,
        playout = Playout(search::BaselinePlayout::Fg),
        exploration = Exploration(0.6),
        time = None,
        playouts = None,
        seed = Seed(0),
        stop = None,
    ),
    text_signature = "(position, player, *, playout='fg', exploration=0.6, time=None, playouts=None, seed=0, stop=None)"
)]
#[allow(clippy::too_many_arguments)]
pub(crate) fn choose_by_playouts(
    py: Python<'_>,
    position: &Position,
    player: Tree,
    playout: Playout,
    exploration: Exploration,
    time: Option<Seconds>,
    playouts: Option<Playouts>,
    seed: Seed,
    stop: Option<Bound<'_, PyAny>>,
) -> Result<Action> {
    let limit = search::Limit {
        time: time.map(|time| time.0),
        playouts: playouts.map(|playouts| playouts.0),
        nodes: None,
    };
    let player = if player.0 { search::Baseline::Uct(exploration.0) } else { search::Baseline::Mce };
    let stop = stop.map(Bound::unbind);
    let action = interruptible_by(py, stop.as_ref(), |keep_going| {
        search::choose_by_playouts(&position.0, player, playout.0, &limit, seed.0, keep_going)
    })?;
    action.map(Action).ok_or_else(|| nothing_to_choose(&position.0))
}
