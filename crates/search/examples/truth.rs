//! Positions shortly before the last reveal that is a surprise, with what each action is truly worth:
//! `truth RULES POSITIONS SEED TURNS`, where TURNS (1 or 2) are left to play before that reveal.
//!
//! Full expectimax: every decision up to the reveal, the same lines behind each, and the exact ending behind each
//! line. Every line where there are few, else `MOST_LINES` random ones. Decisions that are clearly worse after
//! `FIRST_LINES` lines are not followed further; what is printed of them is what they were worth until then.
//!
//! Each position is solved twice: once every seat seeks its win probability (then its margin), once its margin. A
//! line of JSON per position: `actions` has for each legal action its win probability and margin in points for the
//! seat to move, and the number of lines that they are the mean of. `benches/search.py` reads such files.

use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use kingdomino_rules::random::{Stream, derive};
use kingdomino_rules::{Action, Domino, DominoSet, Game, Position, Rules, Seat, Stage};
use kingdomino_search::ending::Endings;
use kingdomino_search::{Growth, Limit, Search};

const MOST_LINES: usize = 2_000;
const FIRST_LINES: usize = 40;
/// A decision is followed further if it is this near to the best one, in win probability or in points.
const NEAR: [f64; 2] = [0.12, 4.0];
/// What the games that the positions are from are played with.
const PLAYOUTS: u64 = 300;
/// A win probability of 1 weighs as much as so many points, where the win probability is sought.
const POINTS_A_WIN: f64 = 10_000.0;

/// By seat.
type Values = [f64; Rules::MOST];

/// What all games through a leaf came to, added up.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    lines: usize,
    wins: Values,
    margins: Values,
}

/// Win probabilities and margins.
#[derive(Clone, Copy, Debug)]
struct Worth {
    lines: usize,
    wins: Values,
    margins: Values,
}

impl Worth {
    /// What a seat seeks.
    fn sought(&self, objective: usize, seat: Seat) -> f64 {
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
    /// A line is revealed here: the number of the position, and whether it is still followed.
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

    /// Adds what the open leaves come to with this line.
    fn reveal(&mut self, line: DominoSet) {
        let mut open = vec![false; self.leaves.len()];
        self.root.mark_open(&mut open);
        let mut endings: Option<Endings> = None;
        for (leaf, _) in open.iter().enumerate().filter(|(_, is_open)| **is_open) {
            let mut after = self.leaves[leaf];
            after.reveal(line);
            let outcome = endings.get_or_insert_with(|| Endings::like(&after)).outcome(&after);
            let outcome = outcome.expect("the ending of a good game is not too large");
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

    fn worth(&self, objective: usize, sums: &[Sums]) -> Worth {
        match self {
            Node::Decision { seat, actions } => {
                let worths = actions.iter().map(|(_, node)| node.worth(objective, sums));
                // What was not followed further is no candidate.
                let most = worths.clone().map(|worth| worth.lines).max().expect("something is legal");
                worths
                    .filter(|worth| worth.lines == most)
                    .max_by(|one, other| {
                        one.sought(objective, *seat).total_cmp(&other.sought(objective, *seat))
                    })
                    .expect("something is legal")
            }
            Node::Reveal { leaf, .. } => {
                let Sums { lines, wins, margins } = sums[*leaf];
                let mean = |values: Values| values.map(|value| value / lines as f64);
                Worth { lines, wins: mean(wins), margins: mean(margins) }
            }
        }
    }

    /// Closes what is far from the best at each decision, whatever is sought.
    fn prune(&mut self, sums: &[Sums]) {
        let Node::Decision { seat, actions } = self else { return };
        let far: Vec<[f64; 2]> = (0..2)
            .map(|objective| {
                let worths: Vec<_> = actions.iter().map(|(_, node)| node.worth(objective, sums)).collect();
                let most = |value: &dyn Fn(&Worth) -> f64| {
                    worths.iter().map(value).fold(f64::NEG_INFINITY, f64::max)
                };
                let wins = most(&|worth| worth.wins[*seat]) - NEAR[0];
                let margins = most(&|worth| worth.margins[*seat]) - NEAR[1];
                [wins, margins]
            })
            .collect();
        for (_, node) in actions.iter_mut() {
            let near = [0, 1].into_iter().any(|objective| {
                let worth = node.worth(objective, sums);
                let [wins, margins] = far[objective];
                if objective == 0 {
                    worth.wins[*seat] >= wins && worth.margins[*seat] >= margins - 2.0 * NEAR[1]
                } else {
                    worth.margins[*seat] >= margins
                }
            });
            if near { node.prune(sums) } else { node.close() }
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

/// The position of a game of the search with itself in which so many turns are left before the last surprise.
fn find(rules: Rules, seed: u64, turns: usize) -> Position {
    let lines_to_come = if rules.dominoes_in_play() == Domino::COUNT { 2 } else { 1 };
    let limit = Limit { playouts: Some(PLAYOUTS), ..Limit::default() };
    let mut game = Game::new(rules, derive(seed, "deal", 0));
    for ply in 0.. {
        let position = game.position();
        let line = position.line();
        if position.lines_to_come() == lines_to_come
            && position.stage() == Stage::Place
            && line.len() - position.turn() == turns
        {
            break;
        }
        let mut search = Search::new(position, Growth::of(&rules), derive(seed, "ply", ply));
        search.run(&limit, 1, &mut || true);
        game.play(search.best().expect("a seat is to move")).expect("the choice is legal");
    }
    *game.position()
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
    let [rules, positions, seed, turns] = arguments.as_slice() else {
        eprintln!("usage: truth RULES POSITIONS SEED TURNS");
        return ExitCode::from(2);
    };
    let (Ok(rules), Ok(positions), Ok(seed), Ok(turns)) =
        (rules.parse::<Rules>(), positions.parse::<u64>(), seed.parse::<u64>(), turns.parse::<usize>())
    else {
        return ExitCode::from(2);
    };
    let (next, found) = (AtomicU64::new(0), Mutex::new(HashMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= positions {
                        return;
                    }
                    let seed = derive(seed, "truth", number);
                    let begin = std::time::Instant::now();
                    let solved = solve(&find(rules, seed, turns), seed);
                    eprintln!("{rules} {number}: {:.1} s", begin.elapsed().as_secs_f64());
                    found.lock().expect("no thread panics").insert(number, solved);
                }
            });
        }
    });
    let found = found.into_inner().expect("no thread panics");
    for number in 0..positions {
        println!("{}", found[&number]);
    }
    ExitCode::SUCCESS
}
