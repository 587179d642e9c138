//! One simulation, in the steps of Monte Carlo tree search (Browne et al., "A survey of Monte Carlo tree search methods",
//! 2012): select a path to a leaf, evaluate the leaf, and back the result up along the path.

use kingdomino_rules::random::Stream;
use kingdomino_rules::{Position, Seat, Stage};

use super::chance::{ChanceNode, possible_line};
use super::opponents::Opponents;
use super::{Kind, NONE, Node, Tree, TreeOptions, new_node};
use crate::cpu::{Cpu, Task};
use crate::decision::Decision;
use crate::ending::{PLAYOUT_WIDTH, TREE_WIDTH, is_before_ending};
use crate::evaluation::{Evaluation, leaf_value};
use crate::playouts::{play_round, playout};
use crate::policies::Tuned;
use crate::terminal::TerminalValue;

/// At the root, every action gets at least an equal share of the visits divided by this, rounded down. So every legal
/// action has a value once there are this many visits for each, and the root knows which to admit next.
const LEAST_SHARE_DIVISOR: u32 = 8;

/// The way of one simulation down the tree.
struct Descent {
    /// The node that it has reached, and the position there.
    at: u32,
    position: Position,
    seats: Tuned,
    opponents: Option<Opponents>,
    random: Stream,
    /// The number of this simulation among its root action's. Every action has the same random numbers and
    /// begins with the same lines (common random numbers).
    deck: u32,
    /// The number of this simulation among those that share the last line.
    number: u32,
}

impl Tree {
    /// Adds a simulation.
    #[inline(always)]
    fn simulate(&mut self, cpu: impl Cpu) {
        let work = self.endings.work();
        let edge = self.select_root();
        let deck = self.edges[edge].visits;
        let mut descent = Descent {
            at: self.root,
            position: self.position,
            seats: Tuned::new(self.options.weights),
            opponents: Opponents::of(&self.position),
            random: Stream::new(self.seed, "tree", u64::from(deck)),
            deck,
            number: deck,
        };
        self.path.clear();
        self.follow(edge, &mut descent);
        while !self.is_leaf(&descent) {
            if descent.position.to_move().is_some() {
                let edge = self.choose(&mut descent, cpu);
                self.follow(edge, &mut descent);
            } else {
                self.follow_chance(&mut descent, cpu);
            }
        }
        let evaluations = self.evaluate(&mut descent, cpu);
        if self.is_even {
            self.compose(edge, &mut descent, &evaluations, cpu);
        }
        self.back_up(descent.at, &evaluations);
        self.count(self.endings.work() - work);
    }

    /// Whether the descent ends here: at a new node, a solved ending or the end of the game.
    #[inline(always)]
    fn is_leaf(&self, descent: &Descent) -> bool {
        let node = &self.nodes[descent.at as usize];
        node.visits == 0 || node.kind == Kind::Ending || descent.position.is_over()
    }

    /// The edge of a greedy opponent's decision, or else the selected one. Expands the node on its second visit.
    #[inline(always)]
    fn choose(&mut self, descent: &mut Descent, cpu: impl Cpu) -> usize {
        let Descent { at, position, seats, opponents, random, .. } = descent;
        if self.nodes[*at as usize].edges == 0 {
            self.expand(*at, position, seats);
        }
        let greedy = opponents.as_mut().and_then(|opponents| opponents.decide(position, random, cpu));
        let node = &self.nodes[*at as usize];
        greedy
            .and_then(|decision| self.edge_to(node, position, decision))
            .unwrap_or_else(|| self.select(node, self.options.exploration, self.width(node, 1.0)))
    }

    /// Plays the decision of an edge and goes to the node behind it.
    #[inline(always)]
    fn follow(&mut self, edge: usize, descent: &mut Descent) {
        let Descent { at, position, seats, opponents, .. } = descent;
        let seat = position.to_move_unchecked();
        self.path.push((*at, edge as u32, seat));
        if let Some(domino) = position.domino() {
            seats.forget(seat, domino);
            if let Some(opponents) = opponents {
                opponents.forget(position, domino);
            }
        }
        let edge = &mut self.edges[edge];
        edge.decision.apply(position);
        if edge.child == NONE {
            edge.child = new_node(&mut self.nodes);
        }
        *at = edge.child;
    }

    /// Reveals a line or draws a king, and goes to the node behind it. Solves the ending that begins there, if it is new.
    #[inline(always)]
    fn follow_chance(&mut self, descent: &mut Descent, cpu: impl Cpu) {
        let is_before_ending = is_before_ending(&descent.position);
        (descent.at, descent.number) =
            self.branch(descent.at, descent.deck, &mut descent.position, is_before_ending, cpu);
        if is_before_ending
            && self.nodes[descent.at as usize].visits == 0
            && let Some(end) = self.endings.outcome_within(&descent.position, TREE_WIDTH)
        {
            let node = &mut self.nodes[descent.at as usize];
            (node.kind, node.first) = (Kind::Ending, self.solved.len() as u32);
            self.solved.push(end);
        }
    }

    /// Reveals a line or draws a king. Returns the node after it, and how often the branch was visited before.
    ///
    /// deck: the number of the simulation among its root action's. A new chance node begins with the line
    /// that has this number.
    fn branch(
        &mut self,
        at: u32,
        deck: u32,
        position: &mut Position,
        is_before_ending: bool,
        cpu: impl Cpu,
    ) -> (u32, u32) {
        let node = &mut self.nodes[at as usize];
        if node.kind != Kind::Chance {
            node.kind = Kind::Chance;
            node.first = self.chance_nodes.len() as u32;
            self.chance_nodes.push(ChanceNode::starting_at(deck));
        }
        node.visits += 1;
        let chance_node = &mut self.chance_nodes[node.first as usize];
        let nodes = &mut self.nodes;
        let new_child = || new_node(nodes);
        let branch = if position.stage() == Stage::Draw {
            chance_node.follow_king(position.kings_to_draw(), self.seed ^ u64::from(at), new_child)
        } else {
            // The solution follows, so no line needs a second visit.
            let exponent = if is_before_ending { 1.0 } else { self.options.lines };
            chance_node.follow_line(position, self.seed, exponent, new_child, cpu)
        };
        position.apply_unchecked(branch.event);
        (branch.child, branch.visits)
    }

    /// Two evaluations of a leaf, by the network and by a playout; twice the same if the result is known.
    #[inline(always)]
    fn evaluate(&mut self, descent: &mut Descent, cpu: impl Cpu) -> [Evaluation; 2] {
        let Descent { at, position, seats, random, number, .. } = descent;
        let node = &self.nodes[*at as usize];
        if node.kind == Kind::Ending {
            return [self.solved[node.first as usize]; 2];
        }
        let mut kings = position.kings_to_draw();
        play_round(position, seats, &mut kings, random, cpu);
        if position.is_over() {
            return [Evaluation::from(TerminalValue::of(position)); 2];
        }
        if is_before_ending(position) {
            let mut after = *position;
            after.reveal_unchecked(possible_line(position, self.seed, u64::from(*number), cpu));
            if let Some(end) = self.endings.outcome_within(&after, PLAYOUT_WIDTH) {
                *position = after;
                return [end; 2];
            }
        }
        let expected = self.network.evaluation(*position);
        playout(position, seats, kings, random, cpu);
        [expected, TerminalValue::of(position).into()]
    }

    /// Adds up the composition of the final scores. A solution has only totals, so the policy plays to the end.
    #[inline(never)]
    fn compose(&mut self, edge: usize, descent: &mut Descent, evaluations: &[Evaluation; 2], cpu: impl Cpu) {
        let Descent { position, seats, random, .. } = descent;
        if !position.is_over() {
            playout(position, seats, position.kings_to_draw(), random, cpu);
        }
        let first = self.nodes[self.root as usize].first as usize;
        let seat = self.position.to_move_unchecked();
        self.compositions[edge - first].add(seat, position, evaluations);
    }

    /// Counts the simulation in the leaf and in every node and edge of the path.
    #[inline(always)]
    fn back_up(&mut self, leaf: u32, evaluations: &[Evaluation; 2]) {
        let TreeOptions { utility, network_weight, .. } = self.options;
        let utility =
            |seat: Seat| leaf_value(evaluations.each_ref().map(|one| utility.of(one, seat)), network_weight);
        self.nodes[leaf as usize].visits += 1;
        for (node, edge, seat) in &self.path {
            let utility = utility(*seat);
            self.nodes[*node as usize].add(utility);
            let edge = &mut self.edges[*edge as usize];
            edge.visits += 1;
            edge.sum += utility;
        }
        let first = self.nodes[self.root as usize].first;
        self.root_sums[(self.path[0].1 - first) as usize].add(evaluations, network_weight);
    }

    /// The edge to follow from the root, where every action is visited now and then.
    #[inline]
    fn select_root(&mut self) -> usize {
        if !self.is_even {
            self.admit();
        }
        let node = &self.nodes[self.root as usize];
        let edges = self.edges_of(node);
        let least = if self.is_even {
            (node.visits / edges.len() as u32) + 1
        } else {
            node.visits / (LEAST_SHARE_DIVISOR * edges.len() as u32)
        };
        match edges.iter().position(|edge| edge.visits < least) {
            Some(index) => node.first as usize + index,
            None => self.select(node, self.options.root_exploration, self.admitted),
        }
    }

    /// Admits decisions at the root as its visits grow. Next comes the one with the best value so far, because even one
    /// visit says more than the policy; before there are visits, the policy's next.
    #[inline]
    fn admit(&mut self) {
        let node = &self.nodes[self.root as usize];
        let (first, width) = (node.first as usize, self.width(node, self.options.root_width));
        let edges = &mut self.edges[first..][..usize::from(node.edges)];
        for next in self.admitted..width.min(edges.len()) {
            let better =
                |one: usize, other: usize| if edges[other].mean() > edges[one].mean() { other } else { one };
            let best = (next..edges.len()).fold(next, better);
            edges.swap(next, best);
            self.root_sums.swap(next, best);
            self.admitted += 1;
        }
    }

    /// How many decisions a node tries. It begins with `width`; the sum with those that are added is rounded down.
    #[inline]
    fn width(&self, node: &Node, width: f32) -> usize {
        let visits = node.visits.max(1) as f32;
        (width + libm::logf(visits) / libm::logf(self.options.widening)) as usize
    }

    /// The edge to follow, among the first `tried` of the node.
    #[inline]
    fn select(&self, node: &Node, exploration: f32, tried: usize) -> usize {
        let edges = self.edges_of(node);
        let floor = self.options.floor;
        let visits = node.visits.max(1) as f32;
        let log_visits = libm::logf(visits);
        let is_claim = matches!(edges[0].decision, Decision::Claim(_));
        let least = if is_claim { (floor * visits / edges.len() as f32) as u32 } else { 0 };
        let scale = exploration * exploration * node.variance() * log_visits;
        let mut best = (f32::NEG_INFINITY, 0);
        for (index, edge) in edges.iter().enumerate().take(tried) {
            if edge.visits <= least {
                return node.first as usize + index;
            }
            let each = 1.0 / edge.visits as f32;
            let value = edge.sum as f32 * each + (scale * each).sqrt();
            if value > best.0 {
                best = (value, index);
            }
        }
        node.first as usize + best.1
    }

    /// The edge of this decision, or of its equivalent.
    #[inline]
    fn edge_to(&self, node: &Node, position: &Position, decision: Decision) -> Option<usize> {
        let index_of = |decision| self.edges_of(node).iter().position(|edge| edge.decision == decision);
        let index = index_of(decision).or_else(|| index_of(decision.equivalent(position)))?;
        Some(node.first as usize + index)
    }
}

/// Adds a simulation to a tree.
pub(crate) struct Grow<'a>(pub(crate) &'a mut Tree);

impl Task for Grow<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, cpu: impl Cpu) {
        self.0.simulate(cpu);
    }
}
