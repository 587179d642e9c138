//! What the published searches choose.

use kingdomino_rules::random::{Stream, hash};
use kingdomino_rules::{Action, Position};

use super::flat::Flat;
use super::playout::Playout;
use super::turn::Turn;
use super::uct::Uct;
use crate::cpu::{Cpu, Task, run_on_best};
use crate::limit::{Clock, Limit};
use crate::search::to_action;

/// A search of the paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Player {
    /// Flat Monte Carlo evaluation.
    Mce,
    /// Upper confidence bounds on trees, with the factor of the bound; the paper's choice is 0.6.
    Uct(f64),
}

/// Nodes of a tree, where nobody says otherwise: some 100 MB.
const MOST_NODES: usize = 1 << 21;

/// A search that learns from playouts.
pub(super) trait Sampler {
    /// One playout more.
    fn sample(&mut self, cpu: impl Cpu);

    /// The best turn, once there has been a playout.
    fn best(&self) -> Option<Turn>;
}

/// What a published search chooses; `None` where nobody is to move.
///
/// It searches over turns. Asked for a placement it gives that of the best turn; asked for the claim it
/// searches again, over the claims alone. It thinks until a limit is reached or `keep_going`, asked after
/// every playout, says no; there is always one playout. With a limit of playouts alone the choice follows
/// from position and seed.
pub fn choose_by_playouts(
    position: &Position,
    player: Player,
    playout: Playout,
    limit: &Limit,
    seed: u64,
    keep_going: &mut dyn FnMut() -> bool,
) -> Option<Action> {
    let own = position.to_move()?;
    if let [only] = position.legal_actions().as_slice() {
        return Some(*only);
    }
    let random = Stream::new(seed, "field", hash(position.to_string().as_bytes()));
    let turn = match player {
        Player::Mce => think(Flat::new(position, own, playout, random), limit, keep_going),
        Player::Uct(exploration) => {
            let nodes = limit.nodes.unwrap_or(MOST_NODES);
            think(Uct::new(position, own, playout, exploration, nodes, random), limit, keep_going)
        }
    };
    Some(to_action(position, turn?.first(position)?))
}

fn think<S: Sampler>(mut search: S, limit: &Limit, keep_going: &mut dyn FnMut() -> bool) -> Option<Turn> {
    let clock = Clock::start(limit);
    let mut left = limit.playouts.unwrap_or(u64::MAX);
    loop {
        run_on_best(Sample(&mut search));
        left = left.saturating_sub(1);
        if left == 0 || clock.is_over() || !keep_going() {
            return search.best();
        }
    }
}

struct Sample<'a, S>(&'a mut S);

impl<S: Sampler> Task for Sample<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self, cpu: impl Cpu) {
        self.0.sample(cpu);
    }
}
