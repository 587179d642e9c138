//! UCT over turns.

use rustc_hash::FxHashMap;

use kingdomino_rules::random::Stream;
use kingdomino_rules::{Position, Rules, Seat, Stage};

use super::Sampler;
use super::playout::{BaselinePlayout, MixedPolicy};
use super::turn::{Turn, list};
use crate::cpu::Cpu;
use crate::playouts::{playout, sample_king, sample_line};
use crate::policies::score_with_middle_kingdom;
use crate::terminal::{TerminalValue, VICTORY};

/// A tree of turns, each valued by the fraction of its playouts that its seat won (Kocsis and Szepesvári, "Bandit
/// Based Monte-Carlo Planning", 2006). The best turn has the highest fraction; among equals, the highest own score
/// after it.
///
/// Untried turns of a node are tried first, in random order. The deck is sampled again for each playout, so a node
/// stands for the turns that lead to it, not for a position, and its legal turns depend on the deck. The paper does
/// not say how its trees treat the deck. A victory shared by k counts 1/k.
#[derive(Debug)]
pub(super) struct Uct {
    root: Position,
    own: Seat,
    playout: BaselinePlayout,
    exploration: f64,
    random: Stream,
    nodes: Vec<Node>,
    /// The node after a turn of this seat in a node.
    children: FxHashMap<(u32, Seat, Turn), u32>,
    most_nodes: usize,
    // Kept between playouts only to avoid allocations.
    path: Vec<(u32, Seat)>,
    turns: Vec<Turn>,
    untried: Vec<Turn>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    visits: u32,
    /// Victories of the seat whose turn leads here.
    victories: f64,
}

const ROOT: u32 = 0;

impl Uct {
    pub(super) fn new(
        root: &Position,
        own: Seat,
        playout: BaselinePlayout,
        exploration: f64,
        most_nodes: usize,
        random: Stream,
    ) -> Uct {
        Uct {
            root: *root,
            own,
            playout,
            exploration,
            random,
            nodes: vec![Node::default()],
            children: FxHashMap::default(),
            most_nodes,
            path: Vec::new(),
            turns: Vec::new(),
            untried: Vec::new(),
        }
    }

    /// The turn to follow, and its node; `None` if some turn is untried. Fills the list of untried turns.
    #[inline(always)]
    fn select(&mut self, at: u32, seat: Seat) -> Option<(Turn, u32)> {
        self.untried.clear();
        let visits = libm::log(f64::from(self.nodes[at as usize].visits.max(1)));
        let mut best = (f64::NEG_INFINITY, None);
        for turn in &self.turns {
            let Some(child) = self.children.get(&(at, seat, *turn)) else {
                self.untried.push(*turn);
                continue;
            };
            let node = &self.nodes[*child as usize];
            let each = 1.0 / f64::from(node.visits);
            let value = node.victories * each + self.exploration * (visits * each).sqrt();
            if value > best.0 {
                best = (value, Some((*turn, *child)));
            }
        }
        best.1.filter(|_| self.untried.is_empty())
    }

    /// Plays from the root to the end of the game or past the first untried turn.
    #[inline(always)]
    fn descend(&mut self, cpu: impl Cpu) -> Position {
        let mut position = self.root;
        let mut at = ROOT;
        self.path.clear();
        self.path.push((ROOT, self.own));
        loop {
            match position.stage() {
                Stage::Over => return position,
                Stage::Reveal => position.reveal_unchecked(sample_line(&position, &mut self.random, cpu)),
                Stage::Draw => {
                    let king = sample_king(&mut position.kings_to_draw(), &mut self.random);
                    position.draw_unchecked(king);
                }
                Stage::Place | Stage::Claim => {
                    let seat = position.to_move_unchecked();
                    list(&position, &mut self.turns);
                    if let Some((turn, child)) = self.select(at, seat) {
                        turn.play(&mut position);
                        self.path.push((child, seat));
                        at = child;
                        continue;
                    }
                    let turn = self.untried[self.random.below(self.untried.len())];
                    turn.play(&mut position);
                    if self.nodes.len() < self.most_nodes {
                        let child = self.nodes.len() as u32;
                        self.nodes.push(Node::default());
                        self.children.insert((at, seat, turn), child);
                        self.path.push((child, seat));
                    }
                    return position;
                }
            }
        }
    }
}

impl Sampler for Uct {
    #[inline(always)]
    fn sample(&mut self, cpu: impl Cpu) {
        let mut position = self.descend(cpu);
        let kings = position.kings_to_draw();
        playout(&mut position, &mut MixedPolicy::new(self.playout, self.own), kings, &mut self.random, cpu);
        let value = TerminalValue::of(&position);
        for (node, seat) in &self.path {
            let node = &mut self.nodes[*node as usize];
            node.visits += 1;
            node.victories += value.victories[*seat & (Rules::MOST - 1)] as f64 / VICTORY as f64;
        }
    }

    fn best(&self) -> Option<Turn> {
        let mut turns = Vec::new();
        list(&self.root, &mut turns);
        let rank = |turn: &Turn| {
            let node = self.nodes[*self.children.get(&(ROOT, self.own, *turn))? as usize];
            let mut after = self.root;
            turn.play(&mut after);
            let score = score_with_middle_kingdom(&after.kingdoms()[self.own], after.rules());
            Some((node.victories / f64::from(node.visits), score))
        };
        let tried = turns.iter().filter_map(|turn| Some((rank(turn)?, *turn)));
        // Among equals the first; `max_by` returns the last.
        let best =
            tried.rev().max_by(|(one, _), (other, _)| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        best.map(|(_, turn)| turn)
    }
}
