//! Chance nodes: which lines and kings the tree tries at a reveal or a draw, and how often each.
//!
//! There are too many lines to try all of them. A chance node tries more lines as its visits grow (double progressive
//! widening: Couëtoux, Hoock, Sokolovska, Teytaud and Bonnard, "Continuous Upper Confidence Trees", 2011). All lines
//! are equally likely, so all lines tried get equal shares of the visits. Kings are few; each seat's share follows
//! from the number of its kings still to be drawn.

use kingdomino_rules::random::Stream;
use kingdomino_rules::{Chance, DominoSet, Kings, Position};

use crate::cpu::Cpu;
use crate::playouts::draw_line;

/// One event and the node after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Branch {
    pub(crate) event: Chance,
    pub(crate) visits: u32,
    pub(crate) child: u32,
}

/// A chance node: the branches tried so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChanceNode {
    branches: Vec<Branch>,
    visits: u32,
    /// The number of the next line to try.
    next_line: u64,
    /// The next branch to visit, unless the newest has fewer visits.
    turn: usize,
}

impl ChanceNode {
    /// The most lines that one visit draws to find a new one.
    const TRIES: usize = 16;

    /// A node that tries lines from this number on. Many nodes have the same unseen dominoes and few visits each. If all
    /// began with the same line, they would see few different lines together.
    pub(crate) fn starting_at(line: u32) -> ChanceNode {
        ChanceNode { next_line: u64::from(line), ..ChanceNode::default() }
    }

    #[cfg(test)]
    pub(crate) fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// The branch to follow at a reveal. At most visits^`exponent` branches are tried. `new_child` makes the node
    /// after a new branch.
    #[inline(always)]
    pub(crate) fn follow_line(
        &mut self,
        position: &Position,
        seed: u64,
        exponent: f32,
        new_child: impl FnOnce() -> u32,
        cpu: impl Cpu,
    ) -> Branch {
        self.visits += 1;
        let allowed = libm::powf(self.visits as f32, exponent).ceil() as usize;
        let index = match self.new_line(position, seed, allowed, cpu) {
            Some(line) => self.add(Chance::Line(line), new_child()),
            None => self.next_in_turn(),
        };
        self.visit(index)
    }

    /// The branch to follow where one of these kings is drawn. Each pass over the kings draws each of them once.
    #[inline(always)]
    pub(crate) fn follow_king(
        &mut self,
        mut kings: Kings,
        seed: u64,
        new_child: impl FnOnce() -> u32,
    ) -> Branch {
        let (pass, place) = (self.visits as usize / kings.len(), self.visits as usize % kings.len());
        self.visits += 1;
        Stream::new(seed, "king", pass as u64).shuffle(&mut kings);
        let event = Chance::King(kings[place]);
        let known = self.branches.iter().position(|branch| branch.event == event);
        let index = known.unwrap_or_else(|| self.add(event, new_child()));
        self.visit(index)
    }

    /// A line that is not among the branches. `None` if there are enough branches, if the newest has not had its share
    /// of visits, or if a few draws gave no new line. Few lines are left then, and the next visit continues drawing.
    #[inline(always)]
    fn new_line(
        &mut self,
        position: &Position,
        seed: u64,
        allowed: usize,
        cpu: impl Cpu,
    ) -> Option<DominoSet> {
        if self.branches.len() >= allowed
            || self.is_newest_behind()
            || self.branches.len() as u64 == lines(position)
        {
            return None;
        }
        for _ in 0..ChanceNode::TRIES {
            let line = possible_line(position, seed, self.next_line, cpu);
            self.next_line += 1;
            if self.branches.iter().all(|branch| branch.event != Chance::Line(line)) {
                return Some(line);
            }
        }
        None
    }

    fn add(&mut self, event: Chance, child: u32) -> usize {
        self.branches.push(Branch { event, visits: 0, child });
        self.branches.len() - 1
    }

    /// The branch to visit: the newest until it has caught up, then all in turn.
    #[inline(always)]
    fn next_in_turn(&mut self) -> usize {
        if self.is_newest_behind() {
            return self.branches.len() - 1;
        }
        let index = self.turn;
        self.turn = (index + 1) % self.branches.len();
        index
    }

    fn is_newest_behind(&self) -> bool {
        self.branches.last().is_some_and(|newest| newest.visits < self.branches[self.turn].visits)
    }

    /// Counts a visit; returns the branch as it was before.
    #[inline(always)]
    fn visit(&mut self, index: usize) -> Branch {
        let branch = self.branches[index];
        self.branches[index].visits += 1;
        branch
    }
}

/// The number of different lines that may be revealed.
fn lines(position: &Position) -> u64 {
    let unseen = position.unseen().len() as u64;
    (0..position.rules().line_length() as u64).fold(1, |lines, drawn| lines * (unseen - drawn) / (drawn + 1))
}

/// Line number `number` in a random sequence of lines, which is the same wherever the same dominoes are unseen (common
/// random numbers). Reveals that begin at the same number compare decisions by the same lines.
///
/// The unseen dominoes are dealt into lines until none are left, then shuffled and dealt again. So each domino appears
/// equally often, and the mean over some lines is nearer to the mean over all lines than with independent draws. A
/// line may be repeated in a later deal.
#[inline(always)]
pub(crate) fn possible_line(position: &Position, seed: u64, number: u64, cpu: impl Cpu) -> DominoSet {
    let length = position.rules().line_length();
    let mut unseen = position.unseen();
    let lines_a_deal = (unseen.len() / length).max(1) as u64;
    let (deal, place) = (number / lines_a_deal, number % lines_a_deal);
    let mut random = Stream::new(seed ^ unseen.bits(), "line", deal);
    for _ in 0..place {
        unseen = unseen.without(draw_line(unseen, length, &mut random, cpu));
    }
    draw_line(unseen, length, &mut random, cpu)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::cpu::Portable;
    use kingdomino_rules::{Game, Rules, Stage};

    /// A position under these rules in which a line is due and this many dominoes are unseen.
    fn before_a_reveal(rules: &str, unseen: usize) -> Position {
        let mut game = Game::new(rules.parse::<Rules>().expect("a rules set"), 1);
        loop {
            let action = game.position().legal_actions()[0];
            let mut after = *game.position();
            after.play(action).expect("it is legal");
            if after.stage() == Stage::Reveal && after.unseen().len() == unseen {
                return after;
            }
            game.play(action).expect("it is legal");
        }
    }

    fn visited(position: &Position, visits: u32, exponent: f32) -> ChanceNode {
        let mut node = ChanceNode::default();
        let mut children = 0;
        for _ in 0..visits {
            let new_child = || {
                children += 1;
                children
            };
            node.follow_line(position, 6, exponent, new_child, Portable);
        }
        node
    }

    fn lines_of(node: &ChanceNode) -> HashSet<u64> {
        let lines = node.branches.iter().filter_map(|branch| match branch.event {
            Chance::Line(line) => Some(line.bits()),
            Chance::King(_) => None,
        });
        lines.collect()
    }

    #[test]
    fn lines_are_distinct_and_each_gets_its_share_of_the_visits() {
        let many = before_a_reveal("2.second.random", 28);
        let few = before_a_reveal("4.second.random", 8);
        for (position, exponent) in [(many, 0.6), (many, 0.8), (many, 1.0), (few, 0.3), (few, 0.8)] {
            for visits in [1, 2, 10, 100, 1000, 5000] {
                let node = visited(&position, visits, exponent);
                assert_eq!(lines_of(&node).len(), node.branches.len());
                assert_eq!(node.branches.iter().map(|branch| branch.visits).sum::<u32>(), visits);
                // The newest may not have its share yet.
                let (_, older) = node.branches.split_last().expect("a line");
                let most = older.iter().map(|branch| branch.visits).max().unwrap_or(1);
                assert!(older.iter().all(|branch| branch.visits + 1 >= most), "{exponent} {visits}");
                assert!(node.branches.iter().all(|branch| branch.visits <= most));
            }
        }
    }

    #[test]
    fn more_lines_are_tried_as_visits_grow() {
        let position = before_a_reveal("2.second.random", 28);
        for visits in [1_u32, 10, 100, 1_000] {
            let allowed = (visits as f32).powf(0.8).ceil();
            let lines = visited(&position, visits, 0.8).branches.len() as f32;
            assert!(0.9 * allowed <= lines && lines <= allowed, "{lines} of {allowed}");
        }
    }

    #[test]
    fn where_few_lines_are_left_all_of_them_are_tried() {
        for (rules, unseen, lines) in
            [("4.second.random", 8, 70), ("4.second.random", 4, 1), ("3.first.random", 15, 455)]
        {
            let position = before_a_reveal(rules, unseen);
            let node = visited(&position, 8 * lines as u32, 1.0);
            assert_eq!(node.branches.len(), lines);
            assert_eq!(super::lines(&position), lines as u64);
        }
    }

    #[test]
    fn the_lines_of_a_deal_share_no_domino() {
        let position = before_a_reveal("2.second.random", 28);
        for deal in 0..20 {
            let lines = (0..7).map(|place| possible_line(&position, 3, 7 * deal + place, Portable));
            let all = lines.fold(0, |all, line| {
                assert_eq!((line.len(), all & line.bits()), (4, 0));
                all | line.bits()
            });
            assert_eq!(all, position.unseen().bits());
        }
    }

    #[test]
    fn kings_are_drawn_as_often_as_there_are_of_them() {
        for rules in ["2.second.random", "3.second.random", "4.second.random"] {
            let mut start = Position::new(rules.parse().expect("a rules set"));
            start.reveal_unchecked(possible_line(&start, 1, 0, Portable));
            let kings = start.kings_to_draw();
            let mut node = ChanceNode::default();
            for visit in 1..=60 {
                node.follow_king(kings.clone(), 6, || 0);
                if visit % kings.len() == 0 {
                    let each = visit / start.rules().players();
                    assert!(node.branches.iter().all(|branch| branch.visits as usize == each));
                }
            }
            assert_eq!(node.branches.len(), start.rules().players());
        }
    }
}
