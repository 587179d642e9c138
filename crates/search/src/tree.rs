//! A tree of decisions, each worth what the playouts through it came to and what was expected of them.
//!
//! Max^n search (Luckhardt and Irani, "An algorithmic solution of N-person games", 1986) by playouts and
//! UCB1: every seat seeks its own utility, but [rivals](crate::rivals) not always. What a playout comes to and
//! what `value` expects at the end of its round count half each, because they are wrong about different things.
//! Placing and claiming are separate decisions. A line that nobody has seen is sampled from the unseen dominoes;
//! the more often a simulation comes to the place where it is revealed, the more different lines there are below
//! it (double progressive widening: Couëtoux, Hoock, Sokolovska, Teytaud and Bonnard, "Continuous Upper
//! Confidence Trees", 2011), the same ones wherever the same dominoes are unseen, so that the luck of the draw
//! cancels out between decisions. Where only the last line is unknown, a simulation ends with one that may come
//! and everybody playing well.

use kingdomino_rules::random::Stream;
use kingdomino_rules::{DominoSet, Position, Rules, Seat, Spot, Stage, kings_to_draw};

use crate::cpu::{Cpu, Task};
use crate::ending::{Finishes, outcome};
use crate::finish::Finish;
use crate::playout::{play_round, playout, sample_line};
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
    /// How much is tried that looks worse: the constant of UCB1 (Auer, Cesa-Bianchi and Fischer, 2002).
    pub exploration: f32,
    /// Placements that are looked at in a node at first; the policy says which.
    pub width: f32,
    /// Each further one is looked at when the visits have grown by this factor.
    pub widening: f32,
    /// The part of a node's visits that its claims share evenly, whatever they came to.
    pub floor: f32,
    /// Lines below the place of a reveal: the visits to this power.
    pub lines: f32,
    /// What the playouts and the order of placements go by.
    pub weights: Weights,
}

impl Growth {
    /// The one that plays best under these rules.
    pub const fn of(rules: &Rules) -> Growth {
        Growth {
            utility: Utility { margin: 0.9, half: 10.0 },
            exploration: 0.4,
            width: 1.5,
            widening: 3.0,
            floor: 0.1,
            lines: 0.6,
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
    /// Of the utilities of the seat that decides.
    pub(crate) sum: f32,
    /// `NONE` until somebody goes there.
    child: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    visits: u32,
    /// Of its edges; or, where the table brings something, the number of its list of events.
    first: u32,
    /// None until the second visit: a leaf is played out from.
    edges: u16,
    /// Nobody decides here; the table brings something.
    is_event: bool,
}

/// Something that the table may bring, and the node after it.
#[derive(Clone, Copy, Debug)]
struct Event {
    brought: Brought,
    child: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Brought {
    Line(DominoSet),
    King(Seat),
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
    events: Vec<Vec<Event>>,
    /// The node of the position.
    top: u32,
    /// What the playouts through each of the top's edges came to.
    found: Vec<Prospects>,
    path: Vec<(u32, Seat)>,
    finishes: Finishes,
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
            events: Vec::new(),
            top: 0,
            found: Vec::new(),
            path: Vec::new(),
            finishes: Finishes::default(),
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
            if node.visits < OFTEN || node.is_event {
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
            None => self.select(node),
        }
    }

    /// The edge to follow.
    #[inline]
    fn select(&self, node: &Node) -> usize {
        let edges = self.edges_of(node);
        let Growth { exploration, width, widening, floor, .. } = self.growth;
        let visits = node.visits.max(1) as f32;
        let claims = matches!(edges[0].decision, Move::Claim(_));
        let (looked_at, least) = if claims {
            (edges.len(), (floor * visits / edges.len() as f32) as u32)
        } else {
            ((width + visits.ln() / widening.ln()) as usize, 0)
        };
        let scale = exploration * exploration * visits.ln();
        let mut best = (f32::NEG_INFINITY, 0);
        for (index, edge) in edges.iter().enumerate().take(looked_at) {
            if edge.visits <= least {
                return node.first as usize + index;
            }
            let each = 1.0 / edge.visits as f32;
            let value = edge.sum * each + (scale * each).sqrt();
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

    /// Follows what the table brings at this node, and gives the node after it.
    fn follow_event(&mut self, at: u32, position: &mut Position, random: &mut Stream, cpu: impl Cpu) -> u32 {
        let node = &mut self.nodes[at as usize];
        if !node.is_event {
            node.is_event = true;
            node.first = self.events.len() as u32;
            self.events.push(Vec::new());
        }
        let (list, visits) = (node.first as usize, node.visits);
        node.visits += 1;
        let brought = if position.stage() == Stage::Draw {
            let kings = kings_to_draw(position);
            Brought::King(kings[random.below(kings.len())])
        } else {
            let known = self.events[list].len();
            let allowed = (visits as f32).powf(self.growth.lines).ceil() as usize;
            if known > 0 && known >= allowed {
                // Each line in its turn.
                self.events[list][visits as usize % known].brought
            } else {
                Brought::Line(self.possible_line(position, known as u64, cpu))
            }
        };
        match brought {
            Brought::Line(line) => position.reveal(line),
            Brought::King(seat) => position.draw_king(seat),
        }
        if let Some(event) = self.events[list].iter().find(|event| event.brought == brought) {
            return event.child;
        }
        let child = self.new_node();
        self.events[list].push(Event { brought, child });
        child
    }

    /// A line that may come: those of the same number are the same wherever the same dominoes are unseen.
    #[inline(always)]
    fn possible_line(&self, position: &Position, number: u64, cpu: impl Cpu) -> DominoSet {
        let mut stream = Stream::new(self.seed ^ position.unseen().bits(), "line", number);
        sample_line(position, &mut stream, cpu)
    }

    fn new_node(&mut self) -> u32 {
        self.nodes.push(Node::default());
        self.nodes.len() as u32 - 1
    }

    /// How the game ends after one of the last lines that may come, everybody playing well: said exactly
    /// where that is quickly found.
    #[inline(always)]
    fn outcome_of_last_line(&mut self, position: &Position, number: u64, cpu: impl Cpu) -> Option<Finish> {
        if !is_before_last_line(position) {
            return None;
        }
        let mut after = *position;
        after.reveal(self.possible_line(position, number, cpu));
        outcome(&after, &mut self.finishes)
    }

    /// One playout, which leaves its result, and what was expected of it, along its path.
    #[inline(always)]
    fn simulate(&mut self, cpu: impl Cpu) {
        let mut position = self.root;
        let mut seats = Tuned::new(self.growth.weights);
        let mut rivals = Rivals::of(&self.root);
        let top_edge = self.select_top();
        // The same decks for every decision at the top: what they have in common cancels out.
        let deck = u64::from(self.edges[top_edge].visits);
        let mut random = Stream::new(self.seed, "tree", deck);
        self.path.clear();
        let mut at = self.top;
        let mut next = Some(top_edge);
        loop {
            let node = self.nodes[at as usize];
            if position.is_over() || node.visits == 0 && at != self.top {
                break;
            }
            let Some(seat) = position.to_move() else {
                if is_before_last_line(&position) {
                    break;
                }
                at = self.follow_event(at, &mut position, &mut random, cpu);
                continue;
            };
            if node.edges == 0 {
                self.expand(at, &position, &mut seats);
            }
            let chosen = next.take().unwrap_or_else(|| {
                let decided = rivals.as_mut().and_then(|rivals| rivals.decide(&position, &mut random, cpu));
                let node = &self.nodes[at as usize];
                decided.and_then(|decision| self.edge_to(node, decision)).unwrap_or_else(|| self.select(node))
            });
            self.path.push((chosen as u32, seat));
            if let Some(domino) = position.domino() {
                seats.forget(seat, domino);
                if let Some(rivals) = &mut rivals {
                    rivals.forget(&position, domino);
                }
            }
            apply(&mut position, self.edges[chosen].decision);
            self.nodes[at as usize].visits += 1;
            if self.edges[chosen].child == NONE {
                self.edges[chosen].child = self.new_node();
            }
            at = self.edges[chosen].child;
        }
        self.nodes[at as usize].visits += 1;
        let mut kings = kings_to_draw(&position);
        play_round(&mut position, &mut seats, &mut kings, &mut random, cpu);
        let judged = if position.is_over() {
            [Prospect::from(Finish::of(&position)); 2]
        } else if let Some(exact) = self.outcome_of_last_line(&position, deck, cpu) {
            [Prospect::from(exact); 2]
        } else {
            let expected = self.network.prospect(position, &mut random, cpu);
            playout(&mut position, &mut seats, kings, &mut random, cpu);
            [expected, Finish::of(&position).into()]
        };
        for (edge, seat) in &self.path {
            let edge = &mut self.edges[*edge as usize];
            edge.visits += 1;
            edge.sum +=
                judged.iter().map(|prospect| self.growth.utility.of(prospect, *seat)).sum::<f32>() / 2.0;
        }
        self.found[top_edge - self.nodes[self.top as usize].first as usize].add(&judged);
    }
}

/// Whether only the last line is still to be revealed, and that now.
#[inline(always)]
fn is_before_last_line(position: &Position) -> bool {
    position.stage() == Stage::Reveal && position.lines_to_come() == 1
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
