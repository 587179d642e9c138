//! Solves positions shortly before the last unknown line is revealed: `truth SEED < POSITIONS`, one position per line,
//! one or two turns before that reveal.
//!
//! Full expectimax: every decision up to the reveal, the same lines after each, and the exact ending after each line.
//! All lines if there are at most `MOST_LINES`, else as many random ones. Decisions that are clearly worse after
//! `FIRST_LINES` lines, or after five times as many, are not evaluated further; their values so far are printed.
//!
//! Each position is solved twice: with every seat maximising its win probability (then its margin), and its margin.
//! The output is a line of JSON per position: `actions` has, for each legal action, its win probability and margin in
//! points for the seat to move, and the number of lines averaged. `benches/search/regret.py` reads these files.

use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use kingdomino_rules::random::{Stream, derive};
use kingdomino_rules::{Action, Domino, DominoSet, Position, Rules, Seat};
use kingdomino_search::ending::Endings;

const MOST_LINES: usize = 2_000;
const FIRST_LINES: usize = 40;
/// A decision is evaluated further if it is this near to the best one, in win probability or in points.
const NEAR_WIN: f64 = 0.12;
const NEAR_MARGIN: f64 = 4.0;
/// The weight of a win probability of 1, in points, where seats maximise their win probability.
const POINTS_A_WIN: f64 = 10_000.0;

/// One entry a seat.
type Values = [f64; Rules::MOST];

/// Sums over the lines tried at a leaf.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    lines: usize,
    wins: Values,
    margins: Values,
}

/// Mean win probabilities and margins over some lines.
#[derive(Clone, Copy, Debug)]
struct NodeValue {
    lines: usize,
    wins: Values,
    margins: Values,
}

impl NodeValue {
    /// A seat's goal: 0 is the win probability, 1 the margin.
    fn utility(&self, objective: usize, seat: Seat) -> f64 {
        match objective {
            0 => self.wins[seat] + self.margins[seat] / POINTS_A_WIN,
            _ => self.margins[seat],
        }
    }
}

/// Decisions up to the reveal.
enum Node {
    Decision {
        seat: Seat,
        actions: Vec<(Action, Node)>,
    },
    /// A line is revealed here: the index of the position, and whether it is still evaluated.
    Reveal {
        leaf: usize,
        is_open: bool,
    },
}

struct Tree {
    root: Node,
    leaves: Vec<Position>,
    sums: Vec<Sums>,
}

impl Tree {
    fn new(position: &Position) -> Tree {
        let (mut leaves, mut numbers) = (Vec::new(), HashMap::new());
        let root = Tree::grow(position, &mut leaves, &mut numbers);
        let sums = vec![Sums::default(); leaves.len()];
        Tree { root, leaves, sums }
    }

    fn grow(position: &Position, leaves: &mut Vec<Position>, numbers: &mut HashMap<Position, usize>) -> Node {
        let Some(seat) = position.to_move() else {
            let leaf = *numbers.entry(*position).or_insert_with(|| {
                leaves.push(*position);
                leaves.len() - 1
            });
            return Node::Reveal { leaf, is_open: true };
        };
        let actions = position.legal_actions().into_iter().map(|action| {
            let mut after = *position;
            after.play(action).expect("it is legal");
            (action, Tree::grow(&after, leaves, numbers))
        });
        Node::Decision { seat, actions: actions.collect() }
    }

    /// Adds the exact results of the open leaves with this line.
    fn reveal(&mut self, line: DominoSet) {
        let mut open = vec![false; self.leaves.len()];
        self.root.mark_open(&mut open);
        let mut endings = Endings::exact();
        for (leaf, _) in open.iter().enumerate().filter(|(_, is_open)| **is_open) {
            let mut after = self.leaves[leaf];
            after.reveal_unchecked(line);
            let outcome = endings.outcome(&after).expect("the ending of a good game is not too large");
            let sums = &mut self.sums[leaf];
            sums.lines += 1;
            for seat in 0..after.rules().players() {
                sums.wins[seat] += f64::from(outcome.victories[seat]);
                sums.margins[seat] += f64::from(outcome.margins[seat]);
            }
        }
    }
}

impl Node {
    fn mark_open(&self, open: &mut [bool]) {
        match self {
            Node::Decision { actions, .. } => actions.iter().for_each(|(_, node)| node.mark_open(open)),
            Node::Reveal { leaf, is_open } => open[*leaf] |= is_open,
        }
    }

    fn worth(&self, objective: usize, sums: &[Sums]) -> NodeValue {
        match self {
            Node::Decision { seat, actions } => {
                let worths = actions.iter().map(|(_, node)| node.worth(objective, sums));
                // An action that was not evaluated further is not a candidate.
                let most = worths.clone().map(|worth| worth.lines).max().expect("something is legal");
                worths
                    .filter(|worth| worth.lines == most)
                    .max_by(|one, other| {
                        one.utility(objective, *seat).total_cmp(&other.utility(objective, *seat))
                    })
                    .expect("something is legal")
            }
            Node::Reveal { leaf, .. } => {
                let Sums { lines, wins, margins } = sums[*leaf];
                let mean = |values: Values| values.map(|value| value / lines as f64);
                NodeValue { lines, wins: mean(wins), margins: mean(margins) }
            }
        }
    }

    /// Closes the actions that are far from the best at each decision, by either objective.
    fn prune(&mut self, sums: &[Sums]) {
        let Node::Decision { seat, actions } = self else { return };
        let seat = *seat;
        let worths = |objective: usize| -> Vec<[f64; 2]> {
            let worths = actions.iter().map(|(_, node)| node.worth(objective, sums));
            worths.map(|worth| [worth.wins[seat], worth.margins[seat]]).collect()
        };
        let [by_win, by_margin] = [worths(0), worths(1)];
        let most = |values: &[[f64; 2]], column: usize| {
            values.iter().map(|value| value[column]).fold(f64::NEG_INFINITY, f64::max)
        };
        let least_win = most(&by_win, 0) - NEAR_WIN;
        let least_margin = most(&by_margin, 1) - NEAR_MARGIN;
        let is_near: Vec<bool> = by_win
            .iter()
            .zip(&by_margin)
            .map(|([win, margin], [_, best_margin])| {
                // If every action wins, or none does, the margin decides which are near.
                let is_near_win = *win >= least_win && *margin >= least_margin - 2.0 * NEAR_MARGIN;
                is_near_win || *best_margin >= least_margin
            })
            .collect();
        for ((_, node), is_near) in actions.iter_mut().zip(is_near) {
            if is_near { node.prune(sums) } else { node.close() }
        }
    }

    fn close(&mut self) {
        match self {
            Node::Decision { actions, .. } => actions.iter_mut().for_each(|(_, node)| node.close()),
            Node::Reveal { is_open, .. } => *is_open = false,
        }
    }
}

/// Lines to reveal, in a random order.
fn lines(position: &Position, seed: u64) -> Vec<DominoSet> {
    let unseen: Vec<Domino> = position.unseen().into_iter().collect();
    let length = position.rules().line_length();
    let mut random = Stream::new(seed, "lines", 0);
    let mut all: Vec<DominoSet> = subsets(&unseen, length);
    random.shuffle(&mut all);
    all.truncate(MOST_LINES);
    all
}

fn subsets(of: &[Domino], length: usize) -> Vec<DominoSet> {
    if length == 0 {
        return vec![DominoSet::EMPTY];
    }
    let Some((first, rest)) = of.split_first() else { return Vec::new() };
    let mut all = subsets(rest, length);
    all.extend(subsets(rest, length - 1).into_iter().map(|mut set| {
        set.insert(*first);
        set
    }));
    all
}

fn solve(position: &Position, seed: u64) -> String {
    let mut tree = Tree::new(position);
    let lines = lines(position, seed);
    for (number, line) in lines.into_iter().enumerate() {
        if number == FIRST_LINES || number == 5 * FIRST_LINES {
            let sums = tree.sums.clone();
            tree.root.prune(&sums);
        }
        tree.reveal(line);
    }
    let Node::Decision { seat, actions } = &tree.root else { unreachable!("a seat is to move") };
    let rows = actions.iter().map(|(action, node)| {
        let [win, margin] = [0, 1].map(|objective| node.worth(objective, &tree.sums));
        format!("[\"{action}\", {:.5}, {:.4}, {}]", win.wins[*seat], margin.margins[*seat], win.lines)
    });
    format!("{{\"position\": \"{position}\", \"actions\": [{}]}}", rows.collect::<Vec<_>>().join(", "))
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seed] = arguments.as_slice() else {
        eprintln!("usage: truth SEED < POSITIONS");
        return ExitCode::from(2);
    };
    let Ok(seed) = seed.parse::<u64>() else { return ExitCode::from(2) };
    let mut positions = Vec::new();
    for line in std::io::stdin().lines().map_while(Result::ok) {
        match line.parse::<Position>() {
            Ok(position) => positions.push(position),
            Err(error) => {
                eprintln!("{line}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    // Solved positions that are not printed yet, and how many have been printed.
    let (next, found) = (AtomicUsize::new(0), Mutex::new((HashMap::new(), 0)));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(position) = positions.get(number) else { return };
                    let begin = Instant::now();
                    let solved = solve(position, derive(seed, "truth", number as u64));
                    eprintln!(
                        "{}, position {number}: {:.1} s",
                        position.rules(),
                        begin.elapsed().as_secs_f64()
                    );
                    let mut found = found.lock().expect("no thread panics");
                    let (waiting, printed) = &mut *found;
                    waiting.insert(number, solved);
                    while let Some(solved) = waiting.remove(printed) {
                        println!("{solved}");
                        *printed += 1;
                    }
                }
            });
        }
    });
    ExitCode::SUCCESS
}
