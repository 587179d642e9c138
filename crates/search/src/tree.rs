//! A tree of decisions, each worth what the playouts through it came to and what was expected of them.
//!
//! Max^n search (Luckhardt and Irani, "An algorithmic solution of N-person games", 1986) by playouts and
//! UCB1: every seat seeks its own utility, but [rivals](crate::rivals) not always. What a playout comes to and
//! what `value` expects at the end of its round count half each, because they are wrong about different things.
//! Placing and claiming are separate decisions; what is revealed and drawn comes at [chance nodes](crate::chance).
//! Where nothing is hidden after the next line, a simulation ends with one that may come and all playing well.

use kingdomino_rules::random::Stream;
use kingdomino_rules::{Domino, Position, Rules, Seat, Spot, Stage, kings_to_draw};

use crate::chance::{ChanceNode, Event, possible_line};
use crate::cpu::{Cpu, Task};
use crate::ending::Endings;
use crate::finish::Finish;
use crate::playout::{play_round, playout};
use crate::prospect::{Prospect, Prospects, Utility};
use crate::rivals::Rivals;
use crate::tuned::Tuned;
use crate::value::Network;
use crate::weights::Weights;

/// How the tree grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// What a finish is worth.
    pub utility: Utility,
    /// How much is tried that looks worse: the constant of UCB1 (Auer, Cesa-Bianchi and Fischer, 2002), in
    /// standard deviations of what the node's playouts came to. What is tried lowers the mean of what was sought,
    /// so in a decided game, where all playouts are alike, little is.
    pub exploration: f32,
    /// The same for the decision that is asked about: there it is the choice that counts, not the mean.
    pub root_exploration: f32,
    /// Placements that are looked at in a node at first; the policy says which.
    pub width: f32,
    /// Each further one is looked at when the visits have grown by this factor.
    pub widening: f32,
    /// The part of a node's visits that its claims share evenly, whatever they came to.
    pub floor: f32,
    /// Lines that a chance node tries: its visits to this power.
    pub lines: f32,
    /// What the playouts and the order of placements go by.
    pub weights: Weights,
}

impl Growth {
    /// The one that plays best under these rules.
    pub const fn of(rules: &Rules) -> Growth {
        Growth {
            utility: Utility { margin: 0.9, half: 10.0 },
            exploration: 1.0,
            root_exploration: 2.0,
            width: 1.5,
            widening: 3.0,
            floor: 0.1,
            lines: 0.8,
            weights: Weights::of(rules),
        }
    }
}

/// A decision as the tree keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Move {
    Place(Spot),
    Discard,
    /// The place in the line.
    Claim(u8),
}

/// Where playouts have gone from a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) decision: Move,
    pub(crate) visits: u32,
    /// Of the utilities of the seat that decides. With single precision, a long search would add nothing any more.
    pub(crate) sum: f64,
    /// `NONE` until somebody goes there.
    child: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    visits: u32,
    /// Of the utilities of the seat that decides, and of their squares.
    sum: f64,
    squares: f64,
    /// Where the rest of it is: its first edge, or its number among the chance nodes or the known ends.
    first: u32,
    /// None until the second visit: a leaf is played out from.
    edges: u16,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    /// A seat decides here, or the node is new.
    #[default]
    Decision,
    /// A line is revealed or a king drawn.
    Chance,
    /// How the game ends from here when all play well is known.
    Ending,
}

impl Node {
    /// Of the utilities. A few visits say little about it, so it begins near one that is usual.
    #[inline(always)]
    fn variance(&self) -> f32 {
        const USUAL: f64 = 0.04;
        const WEIGHT: f64 = 4.0;
        let visits = f64::from(self.visits.max(1));
        let squares = self.squares - self.sum * self.sum / visits;
        ((squares.max(0.0) + WEIGHT * USUAL) / (visits + WEIGHT)) as f32
    }
}

const NONE: u32 = u32::MAX;

/// One in so many playouts goes to whatever was looked at least, so that every legal action has a figure.
const SELDOM: u32 = 32;

/// The tree of one position.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    root: Position,
    growth: Growth,
    network: &'static Network,
    seed: u64,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    chance_nodes: Vec<ChanceNode>,
    ends: Vec<Prospect>,
    /// The node of the position.
    top: u32,
    /// What the playouts through each of the top's edges came to.
    found: Vec<Prospects>,
    path: Vec<(u32, u32, Seat)>,
    endings: Endings,
}

impl Tree {
    pub(crate) fn new(position: &Position, growth: Growth, seed: u64) -> Tree {
        let mut tree = Tree {
            root: *position,
            growth,
            network: Network::of(position.rules()),
            seed,
            nodes: vec![Node::default()],
            edges: Vec::new(),
            chance_nodes: Vec::new(),
            ends: Vec::new(),
            top: 0,
            found: Vec::new(),
            path: Vec::new(),
            endings: Endings::quick(),
        };
        tree.expand_top();
        tree
    }

    fn expand_top(&mut self) {
        if self.nodes[self.top as usize].edges == 0 {
            let root = self.root;
            self.expand(self.top, &root, &mut Tuned::new(self.growth.weights));
        }
        self.found = vec![Prospects::default(); self.top_edges().len()];
    }

    pub(crate) fn size(&self) -> usize {
        self.nodes.len()
    }

    /// What can be decided at the position.
    pub(crate) fn top_edges(&self) -> &[Edge] {
        self.edges_of(&self.nodes[self.top as usize])
    }

    /// One for each edge: what was found since this position is the top.
    pub(crate) fn found(&self) -> &[Prospects] {
        &self.found
    }

    fn edges_of(&self, node: &Node) -> &[Edge] {
        &self.edges[node.first as usize..][..usize::from(node.edges)]
    }

    /// Goes on to the position after this decision, and keeps what is known of it.
    pub(crate) fn advance(&mut self, edge: usize) {
        let Edge { decision, child, .. } = self.top_edges()[edge];
        apply(&mut self.root, decision);
        if child == NONE {
            *self = Tree::new(&self.root, self.growth, self.seed);
        } else {
            self.top = child;
            self.expand_top();
        }
    }

    /// The most visited decisions from the top's edge on, as long as they were tried often and nothing
    /// unknown is brought.
    pub(crate) fn line(&self, edge: usize) -> Vec<Move> {
        const OFTEN: u32 = 16;
        let mut line = vec![self.top_edges()[edge].decision];
        let mut child = self.top_edges()[edge].child;
        while let Some(node) = self.nodes.get(child as usize) {
            if node.visits < OFTEN || node.kind != Kind::Decision {
                break;
            }
            let Some(best) = self.edges_of(node).iter().max_by_key(|edge| edge.visits) else { break };
            line.push(best.decision);
            child = best.child;
        }
        line
    }

    fn expand(&mut self, node: u32, position: &Position, seats: &mut Tuned) {
        let first = self.edges.len();
        let new = |decision| Edge { decision, visits: 0, sum: 0.0, child: NONE };
        match position.domino() {
            Some(domino) => {
                let ranked = seats.ranked(position, domino);
                self.edges.extend(ranked.iter().map(|(_, spot)| new(Move::Place(*spot))));
                if ranked.is_empty() {
                    self.edges.push(new(Move::Discard));
                }
            }
            None => {
                let free = position.offered().free();
                let places = (0..4).filter(|place| free >> place & 1 == 1);
                self.edges.extend(places.map(|place| new(Move::Claim(place))));
            }
        }
        let node = &mut self.nodes[node as usize];
        node.first = first as u32;
        node.edges = (self.edges.len() - first) as u16;
    }

    /// The edge to follow from the top, where everything is looked at now and then.
    #[inline]
    fn select_top(&self) -> usize {
        let node = &self.nodes[self.top as usize];
        let edges = self.edges_of(node);
        let least = node.visits / (SELDOM * edges.len() as u32);
        match edges.iter().position(|edge| edge.visits < least) {
            Some(index) => node.first as usize + index,
            None => self.select(node, self.growth.root_exploration),
        }
    }

    /// The edge to follow.
    #[inline]
    fn select(&self, node: &Node, exploration: f32) -> usize {
        let edges = self.edges_of(node);
        let Growth { width, widening, floor, .. } = self.growth;
        let visits = node.visits.max(1) as f32;
        let claims = matches!(edges[0].decision, Move::Claim(_));
        let (looked_at, least) = if claims {
            (edges.len(), (floor * visits / edges.len() as f32) as u32)
        } else {
            ((width + visits.ln() / widening.ln()) as usize, 0)
        };
        let scale = exploration * exploration * node.variance() * visits.ln();
        let mut best = (f32::NEG_INFINITY, 0);
        for (index, edge) in edges.iter().enumerate().take(looked_at) {
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

    /// The edge of this decision.
    #[inline]
    fn edge_to(&self, node: &Node, decision: Move) -> Option<usize> {
        let index = self.edges_of(node).iter().position(|edge| edge.decision == decision)?;
        Some(node.first as usize + index)
    }

    /// Reveals a line or draws a king. Gives the node after it, and how often that was visited before.
    fn follow_chance(&mut self, at: u32, position: &mut Position, cpu: impl Cpu) -> (u32, u32) {
        let node = &mut self.nodes[at as usize];
        if node.kind != Kind::Chance {
            node.kind = Kind::Chance;
            node.first = self.chance_nodes.len() as u32;
            self.chance_nodes.push(ChanceNode::default());
        }
        node.visits += 1;
        let chance_node = &mut self.chance_nodes[node.first as usize];
        let nodes = &mut self.nodes;
        let new_child = || new_node(nodes);
        let branch = if position.stage() == Stage::Draw {
            chance_node.follow_king(kings_to_draw(position), self.seed ^ u64::from(at), new_child)
        } else {
            // What follows is known at once, so no line needs a second visit.
            let exponent = if is_before_ending(position) { 1.0 } else { self.growth.lines };
            chance_node.follow_line(position, self.seed, exponent, new_child, cpu)
        };
        match branch.event {
            Event::Line(line) => position.reveal(line),
            Event::King(seat) => position.draw_king(seat),
        }
        (branch.child, branch.visits)
    }

    /// One playout, which leaves its result, and what was expected of it, along its path.
    #[inline(always)]
    fn simulate(&mut self, cpu: impl Cpu) {
        let mut position = self.root;
        let mut seats = Tuned::new(self.growth.weights);
        let mut rivals = Rivals::of(&self.root);
        let top_edge = self.select_top();
        // The same decks for every decision at the top: what they have in common cancels out.
        let deck = self.edges[top_edge].visits;
        let mut random = Stream::new(self.seed, "tree", u64::from(deck));
        // Of those that share the line that came last.
        let mut number = deck;
        self.path.clear();
        let mut at = self.top;
        let mut next = Some(top_edge);
        let judged = loop {
            let node = self.nodes[at as usize];
            if node.kind == Kind::Ending {
                break [self.ends[node.first as usize]; 2];
            }
            if position.is_over() || node.visits == 0 && at != self.top {
                break self.judge(position, &mut seats, number, &mut random, cpu);
            }
            let Some(seat) = position.to_move() else {
                let is_before_ending = is_before_ending(&position);
                (at, number) = self.follow_chance(at, &mut position, cpu);
                if is_before_ending
                    && self.nodes[at as usize].visits == 0
                    && let Some(end) = self.endings.outcome(&position)
                {
                    let node = &mut self.nodes[at as usize];
                    (node.kind, node.first) = (Kind::Ending, self.ends.len() as u32);
                    self.ends.push(end);
                }
                continue;
            };
            if node.edges == 0 {
                self.expand(at, &position, &mut seats);
            }
            let chosen = next.take().unwrap_or_else(|| {
                let decided = rivals.as_mut().and_then(|rivals| rivals.decide(&position, &mut random, cpu));
                let node = &self.nodes[at as usize];
                decided
                    .and_then(|decision| self.edge_to(node, decision))
                    .unwrap_or_else(|| self.select(node, self.growth.exploration))
            });
            self.path.push((at, chosen as u32, seat));
            if let Some(domino) = position.domino() {
                seats.forget(seat, domino);
                if let Some(rivals) = &mut rivals {
                    rivals.forget(&position, domino);
                }
            }
            apply(&mut position, self.edges[chosen].decision);
            self.nodes[at as usize].visits += 1;
            if self.edges[chosen].child == NONE {
                self.edges[chosen].child = new_node(&mut self.nodes);
            }
            at = self.edges[chosen].child;
        };
        self.nodes[at as usize].visits += 1;
        for (node, edge, seat) in &self.path {
            let utility =
                judged.iter().map(|prospect| self.growth.utility.of(prospect, *seat)).sum::<f32>() / 2.0;
            let node = &mut self.nodes[*node as usize];
            let utility = f64::from(utility);
            node.sum += utility;
            node.squares += utility * utility;
            let edge = &mut self.edges[*edge as usize];
            edge.visits += 1;
            edge.sum += utility;
        }
        self.found[top_edge - self.nodes[self.top as usize].first as usize].add(&judged);
    }

    /// What is expected of a position, and what a playout of it came to; the same twice where it is known.
    #[inline(always)]
    fn judge(
        &mut self,
        mut position: Position,
        seats: &mut Tuned,
        number: u32,
        random: &mut Stream,
        cpu: impl Cpu,
    ) -> [Prospect; 2] {
        let mut kings = kings_to_draw(&position);
        play_round(&mut position, seats, &mut kings, random, cpu);
        if position.is_over() {
            return [Prospect::from(Finish::of(&position)); 2];
        }
        if is_before_ending(&position) {
            let mut after = position;
            after.reveal(possible_line(&position, self.seed, u64::from(number), cpu));
            if let Some(end) = self.endings.outcome(&after) {
                return [end; 2];
            }
        }
        let expected = self.network.prospect(position, random, cpu);
        playout(&mut position, seats, kings, random, cpu);
        [expected, Finish::of(&position).into()]
    }
}

fn new_node(nodes: &mut Vec<Node>) -> u32 {
    nodes.push(Node::default());
    nodes.len() as u32 - 1
}

/// Whether nothing is hidden once the line that is revealed now is on the table: it is the last, or the one after
/// it is all that is left.
#[inline(always)]
pub(crate) fn is_before_ending(position: &Position) -> bool {
    let known_by_elimination = usize::from(position.rules().dominoes_in_play() == Domino::COUNT);
    position.stage() == Stage::Reveal
        && position.round() > 0
        && position.lines_to_come() <= 1 + known_by_elimination
}

#[inline(always)]
pub(crate) fn apply(position: &mut Position, decision: Move) {
    match decision {
        Move::Place(spot) => position.place(spot),
        Move::Discard => position.discard(),
        Move::Claim(place) => position.claim_place(usize::from(place)),
    }
}

/// Some playouts of a tree.
pub(crate) struct Grow<'a> {
    pub(crate) tree: &'a mut Tree,
    pub(crate) playouts: u64,
}

impl Task for Grow<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, cpu: impl Cpu) {
        for _ in 0..self.playouts {
            self.tree.simulate(cpu);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::run_on_best;

    /// Many lines may come here, and some are drawn twice.
    const MANY_LINES: &str = "kd1 2.second.snake.harmony.middle 3 place:0 *11@1,*34@1,*41@0,46@0 6@0,14,40@1,43@1 \
        1,3-5,7-8,10,12-13,16,18-20,23-29,31-33,35,37-39,42,44-45,47-48 \
        ..wwg1/..wwg2/..C../..f../wl1l..;.sw1w1g/llCw./l1..g./f..gg";

    /// How often the busiest chance node was visited.
    fn assert_shares(tree: &Tree) -> u32 {
        let visits = |node: &ChanceNode| node.branches().iter().map(|branch| branch.visits).sum::<u32>();
        for node in &tree.chance_nodes {
            let most = node.branches().iter().map(|branch| branch.visits).max().expect("a branch");
            // The newest may be on its way to its share.
            let (_, older) = node.branches().split_last().expect("a branch");
            assert!(older.iter().all(|branch| branch.visits + 1 >= most), "{:?}", node.branches());
        }
        tree.chance_nodes.iter().map(visits).max().unwrap_or(0)
    }

    #[test]
    fn no_line_is_visited_more_than_its_share_however_long_the_search() {
        for seed in [6, 7] {
            let position: Position = MANY_LINES.parse().expect("a position");
            let mut tree = Tree::new(&position, Growth::of(position.rules()), seed);
            run_on_best(Grow { tree: &mut tree, playouts: 8_000 });
            assert!(assert_shares(&tree) > 1_000);
        }
    }

    #[test]
    fn a_tree_that_is_kept_goes_on_with_equal_shares() {
        let position: Position = MANY_LINES.parse().expect("a position");
        let mut tree = Tree::new(&position, Growth::of(position.rules()), 6);
        run_on_best(Grow { tree: &mut tree, playouts: 3_000 });
        let busiest = tree.top_edges().iter().enumerate().max_by_key(|(_, edge)| edge.visits);
        let (edge, _) = busiest.expect("an edge");
        tree.advance(edge);
        run_on_best(Grow { tree: &mut tree, playouts: 3_000 });
        assert!(assert_shares(&tree) > 1_000);
    }
}
