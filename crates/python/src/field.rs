//! `kingdomino._core.choose_by_playouts`: the published searches.

use kingdomino_search as search;
use pyo3::prelude::*;

use crate::action::Action;
use crate::arguments::{Seed, argument, option, shown};
use crate::errors::{Error, Result};
use crate::long::interruptible_by;
use crate::position::Position;
use crate::search::{Playouts, Seconds};

argument!(
    /// Which search it is.
    Tree(bool),
    |value| option(value, "player", [("mce", false), ("uct", true)], Error::Value)
);

argument!(
    /// Who plays greedily in the playouts.
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
    /// The factor of a confidence bound.
    Exploration(f64),
    |value| {
        let factor = value.extract::<f64>()?;
        if (0.0..=1000.0).contains(&factor) { Ok(factor) } else {
            Err(Error::Value(format!("{} is not an exploration (0 to 1000)", shown(value))))
        }
    }
);

/// What a published search chooses in this position.
///
/// It searches over turns, a placement and a claim together. Asked for a placement it gives that of the best
/// turn; asked for the claim that follows, it searches again, over the claims. What is hidden it samples from
/// the unseen dominoes, afresh in every playout.
///
/// player: "mce" (flat Monte Carlo evaluation: playouts spread evenly over the turns, the highest mean of
///     own / (own + best rival's score) wins) or "uct" (a tree of turns, the highest rate of victories wins).
/// playout: whose turns in the playouts are those of the policy "fg", all others being random: "random"
///     (nobody's), "fg" (all), "pg" (those of the seat to move) or "eg" (one in four).
/// exploration: how much the tree tries that looks worse, 0 or more: the factor of its confidence bound.
/// time: seconds.
/// playouts: 1 or more. It thinks until the first limit is reached; without any, until it is stopped. There
///     is always one playout.
/// seed: 0 to 2**64 - 1. With a limit of playouts alone the choice follows from it.
/// stop: anything with a method is_set, like threading.Event: when it says True the search ends, within
///     20 ms.
///
/// Runs without the interpreter's lock; Ctrl-C stops it. Raises KingdominoError, also when the game is over.
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
    action.map(Action).ok_or_else(|| Error::Value("the game is over: there is nothing to choose".into()))
}
