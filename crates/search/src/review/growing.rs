//! A search that grows in steps.

use std::time::Duration;

use kingdomino_rules::{Action, Position};

use crate::analysis::Analysis;
use crate::composition::Composition;
use crate::limit::{Limit, Stop};
use crate::search::{STEPS, Search};
use crate::tree::TreeOptions;

/// A search that makes a number of playouts, in any steps. Only one tree grows, so that it is deep and does not depend on
/// the steps: a small tree sees little of the players' later chances after an action, and overestimates costs.
#[derive(Clone, Debug)]
pub(super) struct Growing {
    search: Search,
    left: u64,
}

impl Growing {
    /// The same search, which lists this action in place of its representative.
    pub(super) fn showing(self, action: Action) -> Growing {
        Growing { search: self.search.showing(&[action]), ..self }
    }

    /// The search for the best action.
    pub(super) fn best(position: &Position, playouts: u64, seed: u64) -> Growing {
        let search = Search::new(position, TreeOptions::of(position.rules()), seed);
        Growing { search: search.in_tree(0), left: playouts }
    }

    /// The search that compares these actions.
    pub(super) fn comparing(actions: &[Action], position: &Position, playouts: u64, seed: u64) -> Growing {
        let search = Search::comparing(actions, position, TreeOptions::of(position.rules()), seed);
        Growing { search: search.in_tree(0), left: playouts }
    }

    /// Solves an ending for some steps. Returns whether it is solved.
    pub(super) fn solve(&mut self) -> bool {
        self.search.solve(STEPS)
    }

    /// Makes at most this many playouts. Returns whether the search is over: it has made all, was stopped, or has
    /// nothing more to find. With a time limit, it is over afterwards.
    pub(super) fn step(
        &mut self,
        playouts: u64,
        time: Option<Duration>,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> bool {
        let known = self.search.playouts();
        let limit = Limit { time, playouts: Some(playouts.min(self.left)), ..Limit::default() };
        let stop = self.search.run(&limit, 1, keep_going);
        self.left = self.left.saturating_sub(self.search.playouts() - known);
        self.left == 0 || stop != Some(Stop::Limit) || time.is_some()
    }

    pub(super) fn analysis(&self) -> Analysis {
        self.search.analysis()
    }

    /// The composition of the final scores after each of the actions, if the search compares them.
    pub(super) fn compositions(&self) -> Vec<(Action, Composition)> {
        self.search.compositions()
    }

    /// The results, with a value for each of the actions, even if the search was stopped at once or has made fewer
    /// playouts than there are actions.
    pub(super) fn whole_analysis(&mut self, keep_going: &mut dyn FnMut() -> bool) -> Analysis {
        loop {
            let found = self.search.analysis();
            if found.exact || found.actions.iter().all(|one| one.playouts > 0) {
                return found;
            }
            let playouts = Some(found.actions.len() as u64);
            self.search.run(&Limit { playouts, ..Limit::default() }, 1, keep_going);
        }
    }
}

/// A part of a number of playouts, at least 1.
pub(super) fn share(playouts: u64, share: f64) -> u64 {
    ((playouts as f64 * share).round_ties_even() as u64).max(1)
}
