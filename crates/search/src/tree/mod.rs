//! The search tree: max^n (Luckhardt and Irani, "An algorithmic solution of N-person games", 1986) with playouts and
//! UCB1.
//!
//! Every seat maximises its own utility, except that [opponents](opponents) are greedy half of the time until at
//! most one line to come is unknown. A leaf is evaluated by a playout and by the network of `value`, because their
//! errors differ. Placing and claiming are separate decisions, and equivalent placements are one; lines and kings come at
//! [chance nodes](chance). Where nothing is hidden after the next line, a simulation samples that line and takes the
//! solution: exact, or with few placements in the Mighty Duel. An ending that would take too long is evaluated like
//! other leaves.

pub(crate) mod chance;
mod opponents;
mod simulation;

use kingdomino_rules::{Action, Position, Rules, Seat};

use self::chance::ChanceNode;
pub(crate) use self::simulation::Grow;
use crate::composition::Composition;
use crate::decision::Decision;
use crate::ending::{Endings, is_near_end};
use crate::evaluation::{Evaluation, EvaluationSum, Utility};
use crate::policies::{Tuned, Weights};
use crate::value::Network;

/// The parameters of the tree search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeOptions {
    /// The utility that seats maximise.
    pub utility: Utility,
    /// The weight of the margin in its place once at most one line to come is unknown. Most simulations end in exact
    /// results from there, so the win probability needs less of the margin's help (docs/evidence/search.md).
    pub late_margin: f32,
    /// The weight of the network's evaluation in a leaf. The result of the playout has the rest.
    pub network_weight: f32,
    /// The exploration constant of UCB1 (Auer, Cesa-Bianchi and Fischer, 2002), in standard deviations of the node's
    /// utilities. Exploring lowers the mean value of a node, so the tree explores little in a decided game, where all
    /// playouts are alike.
    pub exploration: f32,
    /// The same at the root, where only the choice matters, not the mean.
    pub root_exploration: f32,
    /// A node begins with the decision that the tuned policy values most, and tries one more each time its visits have
    /// grown by this factor. A node behind a reveal has few visits; if they went to every claim, the seats would seem to
    /// play badly there (docs/evidence/search.md).
    pub widening: f32,
    /// The root begins with this many decisions instead of one; the sum with those that are added is rounded down. With
    /// 1.5 it tries a second decision after two visits, not three.
    pub root_width: f32,
    /// The fraction of a node's visits that is shared equally among its claims, whatever their values, once it tries
    /// them.
    pub floor: f32,
    /// A chance node with n visits has tried about n to this power different lines.
    pub lines: f32,
    /// The work on endings that a number of playouts includes, in kingdoms looked at (some 0.1 microseconds each): so much
    /// at once, and so much for each. Further work counts as further playouts, so that their limit bounds the time.
    pub first_endings: u32,
    /// The same for each playout, at least 1.
    pub endings: u32,
    /// The weights of the tuned policy, which plays the playouts and orders the placements.
    pub weights: Weights,
}

impl TreeOptions {
    /// The strongest known parameters for these rules (docs/evidence/learning.md).
    pub const fn of(rules: &Rules) -> TreeOptions {
        TreeOptions {
            utility: Utility { margin: 0.9, half: 10.0 },
            late_margin: 0.4,
            // Measured by the regret of early placements, and in matches of the Mighty Duel.
            network_weight: if rules.players() == 2 { 0.7 } else { 0.5 },
            exploration: 1.0,
            root_exploration: 2.0,
            widening: 3.0,
            root_width: 1.5,
            floor: 0.1,
            lines: 0.8,
            first_endings: 1 << 21,
            endings: 1_000,
            weights: Weights::of(rules),
        }
    }
}

/// A decision in a node, and the simulations through it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) decision: Decision,
    pub(crate) visits: u32,
    /// The sum of utilities for the seat that decides. In single precision, a long search would stop adding to it.
    pub(crate) sum: f64,
    /// `NONE` until the first visit.
    child: u32,
}

impl Edge {
    /// The mean utility. Minus infinity without visits.
    fn mean(&self) -> f64 {
        if self.visits == 0 { f64::NEG_INFINITY } else { self.sum / f64::from(self.visits) }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    visits: u32,
    /// The sum of utilities for the seat that decides, and of their squares.
    sum: f64,
    squares: f64,
    /// The index of its first edge, of its chance node or of its solved ending.
    first: u32,
    /// 0 until the second visit.
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
    /// The rest of the game is solved.
    Ending,
}

impl Node {
    /// Counts a simulation with this utility for the seat that decides.
    fn add(&mut self, utility: f64) {
        self.visits += 1;
        self.sum += utility;
        self.squares += utility * utility;
    }

    /// The variance of the utilities, with a prior that counts as a few visits, since few visits say little about it.
    ///
    /// Below the root, a node's first visit, as a leaf, counts as a utility of 0. That widens the exploration of nodes
    /// with few visits; with the leaf's own utility in its place, the search won no more games
    /// (docs/evidence/learning.md).
    #[inline(always)]
    fn variance(&self) -> f32 {
        const PRIOR: f64 = 0.04;
        const WEIGHT: f64 = 4.0;
        let visits = f64::from(self.visits.max(1));
        let squares = self.squares - self.sum * self.sum / visits;
        ((squares.max(0.0) + WEIGHT * PRIOR) / (visits + WEIGHT)) as f32
    }
}

const NONE: u32 = u32::MAX;

/// The tree of one position.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    position: Position,
    options: TreeOptions,
    network: &'static Network,
    seed: u64,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    chance_nodes: Vec<ChanceNode>,
    solved: Vec<Evaluation>,
    /// The node of the position.
    root: u32,
    /// The number of the root's edges that it tries, the first of them. The others are visited now and then.
    admitted: usize,
    /// Whether all edges of the root get the same number of visits.
    is_even: bool,
    /// The results of the simulations through each edge of the root.
    root_sums: Vec<EvaluationSum>,
    /// The composition of the final scores of those simulations, if the search compares actions.
    compositions: Vec<Composition>,
    path: Vec<(u32, u32, Seat)>,
    endings: Endings,
    /// The work on endings that the playouts so far include and that is not done yet.
    included: u64,
    /// The playouts since this position became the root. A playout with a long ending counts as several.
    spent: u64,
    /// The limit for them.
    most: u64,
}

impl Tree {
    pub(crate) fn new(position: &Position, mut options: TreeOptions, seed: u64) -> Tree {
        // It stays so: `advance` reveals no line.
        if is_near_end(position) {
            options.utility.margin = options.late_margin;
        }
        let mut tree = Tree {
            position: *position,
            options,
            network: Network::of(position.rules()),
            seed,
            nodes: vec![Node::default()],
            edges: Vec::new(),
            chance_nodes: Vec::new(),
            solved: Vec::new(),
            root: 0,
            admitted: 0,
            is_even: false,
            root_sums: Vec::new(),
            compositions: Vec::new(),
            path: Vec::new(),
            endings: Endings::quick(),
            included: options.first_endings.into(),
            spent: 0,
            most: 0,
        };
        tree.expand_root();
        tree
    }

    /// A tree that compares these actions: the root has no others, and visits each equally often with the same random
    /// numbers. The actions are representatives of equivalent ones.
    pub(crate) fn comparing(
        actions: &[Action],
        position: &Position,
        options: TreeOptions,
        seed: u64,
    ) -> Tree {
        let mut tree = Tree::new(position, options, seed);
        tree.edges.retain(|edge| actions.contains(&edge.decision.to_action(position)));
        tree.nodes[0].edges = tree.edges.len() as u16;
        tree.root_sums.truncate(tree.edges.len());
        tree.compositions = vec![Composition::default(); tree.edges.len()];
        tree.is_even = true;
        tree
    }

    fn expand_root(&mut self) {
        if self.nodes[self.root as usize].edges == 0 {
            let position = self.position;
            self.expand(self.root, &position, &mut Tuned::new(self.options.weights));
        }
        self.root_sums = vec![EvaluationSum::default(); self.root_edges().len()];
        self.admitted = 0;
    }

    /// Allows this many more playouts. What the last one took beyond the limit counts against them.
    pub(crate) fn allow(&mut self, playouts: u64) {
        self.most = self.playouts().saturating_add(playouts);
    }

    /// Whether all allowed playouts are made.
    pub(crate) const fn is_done(&self) -> bool {
        self.spent >= self.most
    }

    /// Counts a playout with this work on endings.
    fn count(&mut self, work: u64) {
        let each = u64::from(self.options.endings);
        let included = self.included + each;
        let more = work.saturating_sub(included).div_ceil(each);
        self.spent += 1 + more;
        self.included = included + more * each - work;
    }

    /// The position, but for symmetries of its kingdoms: `advance` plays representatives of equivalent placements.
    pub(crate) const fn position(&self) -> &Position {
        &self.position
    }

    /// The number of the edge for an action of this position, which may differ from the tree's by symmetries of kingdoms.
    pub(crate) fn edge_of(&self, action: Action, position: &Position) -> Option<usize> {
        let action = self.position.counterpart(action, position);
        self.root_edges().iter().position(|edge| edge.decision.to_action(&self.position) == action)
    }

    pub(crate) fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The decisions in the position.
    pub(crate) fn root_edges(&self) -> &[Edge] {
        self.edges_of(&self.nodes[self.root as usize])
    }

    /// The results of the simulations through each edge, since this position became the root.
    pub(crate) fn root_sums(&self) -> &[EvaluationSum] {
        &self.root_sums
    }

    /// The composition of the final scores of the simulations through each edge, if the search compares actions.
    pub(crate) fn compositions(&self) -> &[Composition] {
        &self.compositions
    }

    /// The playouts since this position became the root, as limits count them.
    pub(crate) fn playouts(&self) -> u64 {
        self.spent.min(self.most)
    }

    fn edges_of(&self, node: &Node) -> &[Edge] {
        &self.edges[node.first as usize..][..usize::from(node.edges)]
    }

    /// Moves the root to the position after this edge and keeps the tree below it.
    pub(crate) fn advance(&mut self, edge: usize) {
        let Edge { decision, child, .. } = self.root_edges()[edge];
        decision.apply(&mut self.position);
        if child == NONE {
            *self = Tree::new(&self.position, self.options, self.seed);
        } else {
            (self.root, self.is_even) = (child, false);
            (self.spent, self.most) = (0, 0);
            self.compositions.clear();
            self.expand_root();
        }
    }

    /// The most visited decisions from an edge of the root on, until they have few visits or chance is due.
    pub(crate) fn line(&self, edge: usize) -> Vec<Decision> {
        const MIN_VISITS: u32 = 16;
        let mut line = vec![self.root_edges()[edge].decision];
        let mut child = self.root_edges()[edge].child;
        while let Some(node) = self.nodes.get(child as usize) {
            if node.visits < MIN_VISITS || node.kind != Kind::Decision {
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
                self.edges.extend(ranked.iter().map(|(_, spot)| new(Decision::Place(*spot))));
                if ranked.is_empty() {
                    self.edges.push(new(Decision::Discard));
                }
            }
            None => {
                let ranked = seats.ranked_claims(position);
                self.edges.extend(ranked.iter().map(|(_, place)| new(Decision::Claim(*place as u8))));
            }
        }
        let node = &mut self.nodes[node as usize];
        node.first = first as u32;
        node.edges = (self.edges.len() - first) as u16;
    }
}

fn new_node(nodes: &mut Vec<Node>) -> u32 {
    nodes.push(Node::default());
    nodes.len() as u32 - 1
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::chance::Branch;
    use super::*;
    use crate::cpu::run_on_best;
    use crate::{Policy, choose};
    use kingdomino_rules::{Chance, Game, Stage};

    /// A position before a reveal of many possible lines: random draws would repeat some of them.
    const MANY_LINES: &str = "kd1 2.second.snake.harmony.middle 3 place:0 *11@1,*34@1,*41@0,46@0 6@0,14,40@1,43@1 \
        1,3-5,7-8,10,12-13,16,18-20,23-29,31-33,35,37-39,42,44-45,47-48 \
        ..wwg1/..wwg2/..C../..f../wl1l..;.sw1w1g/llCw./l1..g./f..gg";

    fn grow(tree: &mut Tree, playouts: usize) {
        (0..playouts).for_each(|_| run_on_best(Grow(tree)));
    }

    /// Asserts that lines get equal shares, and returns the visits of the busiest chance node.
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
            let mut tree = Tree::new(&position, TreeOptions::of(position.rules()), seed);
            grow(&mut tree, 8_000);
            assert!(assert_shares(&tree) > 1_000);
        }
    }

    #[test]
    fn a_continued_tree_keeps_equal_shares() {
        let position: Position = MANY_LINES.parse().expect("a position");
        let mut tree = Tree::new(&position, TreeOptions::of(position.rules()), 6);
        grow(&mut tree, 3_000);
        let busiest = tree.root_edges().iter().enumerate().max_by_key(|(_, edge)| edge.visits);
        let (edge, _) = busiest.expect("an edge");
        tree.advance(edge);
        grow(&mut tree, 3_000);
        assert!(assert_shares(&tree) > 1_000);
    }

    /// The chance nodes that are reached from a node by decisions alone: all have the same unseen dominoes.
    fn next_chance_nodes(tree: &Tree, at: u32) -> Vec<&ChanceNode> {
        let node = &tree.nodes[at as usize];
        if node.kind == Kind::Chance {
            return vec![&tree.chance_nodes[node.first as usize]];
        }
        let children = tree.edges_of(node).iter().map(|edge| edge.child).filter(|child| *child != NONE);
        children.flat_map(|child| next_chance_nodes(tree, child)).collect()
    }

    #[test]
    fn reveals_with_the_same_unseen_dominoes_try_different_lines() {
        let mut game = Game::new("4.second.random".parse().expect("a rules set"), 1);
        while game.position().round() < 2 || game.position().domino().is_none() {
            game.play(game.position().legal_actions()[0]).expect("it is legal");
        }
        let mut tree = Tree::new(game.position(), TreeOptions::of(game.position().rules()), 6);
        grow(&mut tree, 2_000);
        let nodes = next_chance_nodes(&tree, tree.root);
        let most = nodes.iter().map(|node| node.branches().len()).max().expect("a reveal");
        let line = |branch: &Branch| match branch.event {
            Chance::Line(line) => line.bits(),
            Chance::King(_) => unreachable!("no king is drawn after the first line"),
        };
        let lines: HashSet<u64> = nodes.iter().flat_map(|node| node.branches()).map(line).collect();
        assert!(lines.len() > 2 * most, "{} lines, {most} at one reveal", lines.len());
    }

    #[test]
    fn after_two_simulations_the_root_tries_a_second_decision() {
        let position: Position = MANY_LINES.parse().expect("a position");
        let mut tree = Tree::new(&position, TreeOptions::of(position.rules()), 6);
        for tried in [1, 1, 2] {
            grow(&mut tree, 1);
            let edges = tree.edges_of(&tree.nodes[tree.root as usize]);
            assert_eq!(edges.iter().filter(|edge| edge.visits > 0).count(), tried);
        }
    }

    /// A turn before the last unknown line of the Mighty Duel, behind which lie large endings.
    const BEFORE_LARGE_ENDINGS: &str = "kd1 2.second.snake.duel.harmony.middle 9 place:0 *4@1,*6@0,11@0,41@1 \
        15,19@1,23@0,27 7,18,22,24,29,33,36,40 ...wl1ll/...w1lff/swwwll1l1/..m3wg2ll/sm2m2wCss/....ff1w/..ffffl;\
        g....w./gws2s1gw./gs2s1wl1w1g/g1swClww/lm2..l1ff1/.ffffff1/...w..l";

    /// The policy values the best placement ninth (docs/evidence/learning.md).
    const POLICY_ERRS: &str = "kd1 2.second.random.harmony.middle 2 place:1 2@1,28@1,40@0,47@0 14,15,22,45 \
        1,3-8,10-13,16-20,23-24,26-27,29,31-39,41-44,46,48 f1wCw1g;..C/..l/wl1l";

    #[test]
    fn the_root_admits_what_has_the_best_value_so_far() {
        let position: Position = POLICY_ERRS.parse().expect("a position");
        let best: Action = "place -2,-1>-2,0".parse().expect("an action");
        let mut tree = Tree::new(&position, TreeOptions::of(position.rules()), 6);
        let first = tree.edge_of(best, &position);
        grow(&mut tree, 1_000);
        let edges = tree.root_edges();
        let admitted = tree.edge_of(best, &position).expect("a legal action");
        assert!(first > Some(tree.admitted) && admitted < tree.admitted, "{first:?} to {admitted}");
        // Their sums went with them.
        let counts: Vec<_> = tree.root_sums().iter().map(|sum| sum.count() as u32).collect();
        assert_eq!(counts, edges.iter().map(|edge| edge.visits).collect::<Vec<_>>());
        assert_eq!(counts.iter().sum::<u32>(), 1_000);
    }

    #[test]
    fn endings_beyond_those_included_count_as_playouts() {
        let position: Position = BEFORE_LARGE_ENDINGS.parse().expect("a position");
        let options = TreeOptions { first_endings: 1 << 18, ..TreeOptions::of(position.rules()) };
        let included =
            |playouts: u64| u64::from(options.first_endings) + playouts * u64::from(options.endings);
        let mut tree = Tree::new(&position, options, 6);
        for made in 1..=60 {
            grow(&mut tree, 1);
            assert!(tree.spent >= made && tree.endings.work() <= included(tree.spent));
        }
        assert!(tree.spent > 120, "{} instead of 60", tree.spent);
        assert!(tree.endings.work() > included(tree.spent - 1));
        assert!(!tree.solved.is_empty());
    }

    /// Calls `see` with every claim node below this one, and its position.
    fn each_claim_node(tree: &Tree, at: u32, position: &Position, see: &mut impl FnMut(&Node, &Position)) {
        let node = &tree.nodes[at as usize];
        match node.kind {
            Kind::Ending => (),
            Kind::Chance => {
                for branch in tree.chance_nodes[node.first as usize].branches() {
                    let mut after = *position;
                    after.apply_unchecked(branch.event);
                    each_claim_node(tree, branch.child, &after, see);
                }
            }
            Kind::Decision => {
                if node.edges > 0 && position.stage() == Stage::Claim {
                    see(node, position);
                }
                for edge in tree.edges_of(node).iter().filter(|edge| edge.child != NONE) {
                    let mut after = *position;
                    edge.decision.apply(&mut after);
                    each_claim_node(tree, edge.child, &after, see);
                }
            }
        }
    }

    #[test]
    fn behind_a_reveal_the_first_visits_go_to_the_claims_that_the_tuned_policy_values_most() {
        let position: Position = MANY_LINES.parse().expect("a position");
        let mut tree = Tree::new(&position, TreeOptions::of(position.rules()), 6);
        grow(&mut tree, 4_000);
        let (mut seen, mut with_few) = (0, 0);
        each_claim_node(&tree, tree.root, &position, &mut |node, position| {
            let best = choose(position, Policy::Tuned, 1).expect("a seat is to move");
            let edges = tree.edges_of(node);
            assert_eq!(edges[0].decision.to_action(position), best);
            let unvisited = edges.iter().skip_while(|edge| edge.visits > 0);
            assert!(unvisited.clone().all(|edge| edge.visits == 0), "{edges:?}");
            if edges.len() > 1 && node.visits <= 3 {
                assert_eq!(unvisited.count(), edges.len() - 1, "{edges:?}");
                with_few += 1;
            }
            seen += 1;
        });
        assert!(with_few > 100, "{with_few} of {seen}");
    }
}
