//! The most likely kingdom that the 48 dominoes can make.
//!
//! Fills the squares row by row: with the castle, the table, or the first end of a domino
//! whose other end is the next square in the row or below. A search by A* goes through these fillings, best first. Its
//! bound is an exact table of the best filling of the rest, in which each kind of domino may be used any number of times.
//! Rules of connection are left out: players break them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use kingdomino_rules::{Domino, DominoSet};

use crate::content::{CASTLE, CLASSES, Content, EMPTY};

/// How likely each content of a square is: logarithms, at most 0, in units of 1 / [`NAT`](crate::network::NAT).
pub(crate) type Likelihood = [i32; CLASSES];

/// Less than any kingdom that is read; still far from overflow when 49 are added.
const NEVER: i32 = -20_000_000;
/// The likelihood of a content that is ruled out.
pub(crate) const RULED_OUT: i32 = -1_000_000;
/// The most steps of one search. A picture of a kingdom needs about a hundred.
const MOST_STEPS: usize = 4_000;

/// A kingdom: the content of each square, row by row, and its likelihood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tiling {
    pub(crate) classes: Vec<u8>,
    pub(crate) likelihood: i32,
}

/// Dominoes with equal ends.
struct Kind {
    classes: [u8; 2],
    dominoes: DominoSet,
}

/// The kinds of dominoes.
pub(crate) struct Box48(Vec<Kind>);

impl Box48 {
    pub(crate) fn new() -> Box48 {
        let mut kinds: Vec<Kind> = Vec::new();
        for domino in Domino::all() {
            let classes = domino
                .ends()
                .map(|end| Content::End(end).class().expect("every end of a domino has a class") as u8);
            match kinds.iter_mut().find(|kind| kind.classes == classes) {
                Some(kind) => {
                    kind.dominoes.insert(domino);
                }
                None => kinds.push(Kind { classes, dominoes: DominoSet::from_iter([domino]) }),
            }
        }
        Box48(kinds)
    }
}

/// The content of the next square.
#[derive(Clone, Copy)]
enum Piece {
    /// Nothing: a domino covers it already.
    Covered,
    /// The castle or the table.
    Alone(u8),
    /// A domino of this kind, turned round or not, to the right or down.
    Domino { kind: u8, turned: bool, down: bool },
}

/// A way to go on from a state.
#[derive(Clone, Copy)]
struct Choice {
    /// The likelihood of the piece and the best of all squares after it.
    bound: i32,
    likelihood: i32,
    piece: Piece,
    next: usize,
}

/// The squares and the table of the best rest.
struct Filling<'a> {
    side: usize,
    squares: &'a [Likelihood],
    kinds: &'a [Kind],
    /// For each state, how likely the best rest is.
    rest: Vec<i32>,
}

impl<'a> Filling<'a> {
    fn new(side: usize, squares: &'a [Likelihood], dominoes: &'a Box48) -> Filling<'a> {
        let mut filling = Filling { side, squares, kinds: &dominoes.0, rest: Vec::new() };
        let states = 2 << side;
        filling.rest = vec![NEVER; (squares.len() + 1) * states];
        // All squares are filled, with the castle among them.
        let full = filling.state(squares.len(), 0, true);
        filling.rest[full] = 0;
        for square in (0..squares.len()).rev() {
            let right = (square % side + 1 < side).then(|| filling.best_domino(square, square + 1));
            let down = (square + side < squares.len()).then(|| filling.best_domino(square, square + side));
            for covered in 0..1 << side {
                for castle in [false, true] {
                    let mut best = NEVER;
                    filling.each_next(square, covered, castle, |likelihood, next| {
                        let likelihood = match likelihood {
                            Step::Alone(likelihood) => likelihood,
                            Step::Right => right.unwrap_or(NEVER),
                            Step::Down => down.unwrap_or(NEVER),
                        };
                        best = best.max(likelihood.saturating_add(filling.rest[next]));
                    });
                    let state = filling.state(square, covered, castle);
                    filling.rest[state] = best.max(NEVER);
                }
            }
        }
        filling
    }

    /// A state: the next square, which of the `side` squares from it on are covered, whether the castle lies.
    fn state(&self, square: usize, covered: usize, castle: bool) -> usize {
        (square << (self.side + 1)) | (covered << 1) | usize::from(castle)
    }

    /// Calls with each way to fill the next square, and the state after it.
    fn each_next(&self, square: usize, covered: usize, castle: bool, mut call: impl FnMut(Step, usize)) {
        let after = covered >> 1;
        let mut go = |step: Step, covered: usize, castle: bool| {
            call(step, self.state(square + 1, covered, castle));
        };
        if covered & 1 == 1 {
            return go(Step::Alone(0), after, castle);
        }
        go(Step::Alone(self.squares[square][EMPTY]), after, castle);
        if !castle {
            go(Step::Alone(self.squares[square][CASTLE]), after, true);
        }
        if square % self.side + 1 < self.side && after & 1 == 0 {
            go(Step::Right, after | 1, castle);
        }
        if square + self.side < self.squares.len() {
            go(Step::Down, after | 1 << (self.side - 1), castle);
        }
    }

    fn domino(&self, kind: &Kind, turned: bool, first: usize, second: usize) -> i32 {
        let [left, right] = kind.classes.map(usize::from);
        let (a, b) = if turned { (right, left) } else { (left, right) };
        self.squares[first][a] + self.squares[second][b]
    }

    fn best_domino(&self, first: usize, second: usize) -> i32 {
        let both = |kind| [false, true].map(|turned| self.domino(kind, turned, first, second));
        self.kinds.iter().flat_map(both).max().unwrap_or(NEVER)
    }

    /// The ways to go on, most likely first.
    fn choices(&self, state: usize) -> Vec<Choice> {
        let (square, covered, castle) = self.parts(state);
        let mut choices = Vec::new();
        self.each_next(square, covered, castle, |step, next| {
            let rest = self.rest[next];
            let mut add = |likelihood: i32, piece: Piece| {
                if rest > NEVER {
                    choices.push(Choice { bound: likelihood + rest, likelihood, piece, next });
                }
            };
            let down = match step {
                Step::Alone(likelihood) => {
                    let piece = match (covered & 1, self.parts(next).2 == castle) {
                        (1, _) => Piece::Covered,
                        (_, true) => Piece::Alone(EMPTY as u8),
                        _ => Piece::Alone(CASTLE as u8),
                    };
                    return add(likelihood, piece);
                }
                Step::Right => false,
                Step::Down => true,
            };
            let second = square + if down { self.side } else { 1 };
            for (number, kind) in self.kinds.iter().enumerate() {
                for turned in [false, true] {
                    if turned && kind.classes[0] == kind.classes[1] {
                        continue;
                    }
                    let piece = Piece::Domino { kind: number as u8, turned, down };
                    add(self.domino(kind, turned, square, second), piece);
                }
            }
        });
        choices.sort_by_key(|choice| Reverse(choice.bound));
        choices
    }

    fn parts(&self, state: usize) -> (usize, usize, bool) {
        (state >> (self.side + 1), (state >> 1) & ((1 << self.side) - 1), state & 1 == 1)
    }
}

/// The likelihood of one step: known, or the best domino's to the right or down.
#[derive(Clone, Copy)]
enum Step {
    Alone(i32),
    Right,
    Down,
}

/// A part of a kingdom.
struct Node {
    before: usize,
    piece: Piece,
    state: usize,
    likelihood: i32,
    used: DominoSet,
}

/// How likely the best filling is when each domino may be used any number of times. An upper bound of [`best`].
pub(crate) fn bound(side: usize, squares: &[Likelihood], dominoes: &Box48) -> i32 {
    let filling = Filling::new(side, squares, dominoes);
    filling.rest[filling.state(0, 0, false)]
}

/// The most likely kingdom; `None` if none is found in the steps that there are.
pub(crate) fn best(side: usize, squares: &[Likelihood], dominoes: &Box48) -> Option<Tiling> {
    let filling = Filling::new(side, squares, dominoes);
    let start = filling.state(0, 0, false);
    let mut nodes =
        vec![Node { before: 0, piece: Piece::Covered, state: start, likelihood: 0, used: DominoSet::EMPTY }];
    let mut choices: Vec<Option<Vec<Choice>>> = Vec::new();
    choices.resize_with(filling.rest.len(), || None);
    // Of equally likely ones, the oldest first. An entry is the best of the choices of a node that are left.
    let mut heap = BinaryHeap::from([(filling.rest[start], Reverse(0_usize), 0_usize)]);
    for _ in 0..MOST_STEPS {
        let (_, Reverse(number), mut choice) = heap.pop()?;
        let Node { state, likelihood, used, .. } = nodes[number];
        if filling.parts(state).0 == squares.len() {
            return Some(filling.tiling(&nodes, number));
        }
        let list = choices[state].get_or_insert_with(|| filling.choices(state));
        // Kinds whose dominoes are all used are passed over.
        let found = loop {
            let Some(chosen) = list.get(choice) else { break None };
            choice += 1;
            match chosen.piece {
                Piece::Domino { kind, .. } => {
                    let left = filling.kinds[usize::from(kind)].dominoes.without(used);
                    if let Some(domino) = left.into_iter().next() {
                        let mut used = used;
                        used.insert(domino);
                        break Some((*chosen, used));
                    }
                }
                _ => break Some((*chosen, used)),
            }
        };
        let Some((chosen, used)) = found else { continue };
        if let Some(other) = list.get(choice) {
            heap.push((likelihood + other.bound, Reverse(number), choice));
        }
        let likelihood = likelihood + chosen.likelihood;
        nodes.push(Node { before: number, piece: chosen.piece, state: chosen.next, likelihood, used });
        heap.push((likelihood + filling.rest[chosen.next], Reverse(nodes.len() - 1), 0));
    }
    None
}

impl Filling<'_> {
    /// The kingdom that ends with this node.
    fn tiling(&self, nodes: &[Node], mut number: usize) -> Tiling {
        let likelihood = nodes[number].likelihood;
        let mut classes = vec![EMPTY as u8; self.squares.len()];
        while number > 0 {
            let node = &nodes[number];
            let square = self.parts(node.state).0 - 1;
            match node.piece {
                Piece::Covered => (),
                Piece::Alone(class) => classes[square] = class,
                Piece::Domino { kind, turned, down } => {
                    let [left, right] = self.kinds[usize::from(kind)].classes;
                    let (a, b) = if turned { (right, left) } else { (left, right) };
                    classes[square] = a;
                    classes[square + if down { self.side } else { 1 }] = b;
                }
            }
            number = node.before;
        }
        Tiling { classes, likelihood }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fills the first free square in every way, and returns the most likely filling: no bound, no order.
    fn plainly(
        side: usize,
        squares: &[Likelihood],
        filled: &mut Vec<Option<u8>>,
        used: u64,
        castle: bool,
    ) -> i32 {
        let Some(square) = filled.iter().position(Option::is_none) else {
            return if castle { 0 } else { i32::MIN / 2 };
        };
        let mut most = i32::MIN / 2;
        for class in [EMPTY, CASTLE] {
            if class == EMPTY || !castle {
                filled[square] = Some(class as u8);
                let rest = plainly(side, squares, filled, used, castle || class == CASTLE);
                most = most.max(squares[square][class] + rest);
                filled[square] = None;
            }
        }
        let right = (square % side + 1 < side).then_some(square + 1);
        let down = (square + side < filled.len()).then_some(square + side);
        for second in
            [right, down].into_iter().flatten().filter(|second| filled[*second].is_none()).collect::<Vec<_>>()
        {
            for domino in Domino::all().filter(|domino| used >> domino.index() & 1 == 0) {
                let classes = domino.ends().map(|end| Content::End(end).class().expect("a class"));
                for (a, b) in [(classes[0], classes[1]), (classes[1], classes[0])] {
                    (filled[square], filled[second]) = (Some(a as u8), Some(b as u8));
                    let rest = plainly(side, squares, filled, used | 1 << domino.index(), castle);
                    most = most.max(squares[square][a] + squares[second][b] + rest);
                }
            }
            (filled[square], filled[second]) = (None, None);
        }
        most
    }

    #[test]
    fn the_search_finds_the_most_likely_filling() {
        let dominoes = Box48::new();
        for seed in 0..40_u32 {
            // Six squares in three rows of two; few contents are likely, so that dominoes run out.
            let mut state = seed.wrapping_mul(2_654_435_761) | 1;
            let mut random = |below: i32| {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                (state >> 8) as i32 % below
            };
            let squares: Vec<Likelihood> = (0..4)
                .map(|_| {
                    std::array::from_fn(
                        |class| if class >= 12 { -random(3_000) } else { -9_000 - random(100) },
                    )
                })
                .collect();
            let found = best(2, &squares, &dominoes).expect("a filling");
            let sum: i32 =
                found.classes.iter().zip(&squares).map(|(class, square)| square[usize::from(*class)]).sum();
            assert_eq!(found.likelihood, sum);
            assert_eq!(sum, plainly(2, &squares, &mut vec![None; 4], 0, false), "seed {seed}");
            assert!(bound(2, &squares, &dominoes) >= sum);
        }
    }

    #[test]
    fn each_domino_is_used_once() {
        // One domino has three crowns: a second mine with three crowns cannot be.
        let wanted = |class: usize| -> Likelihood {
            std::array::from_fn(|other| if other == class { 0 } else { -5_000 })
        };
        let classes = [15, 0, CASTLE, 15, 0, EMPTY, EMPTY, EMPTY, EMPTY];
        let squares: Vec<Likelihood> = classes.into_iter().map(wanted).collect();
        let found = best(3, &squares, &Box48::new()).expect("a kingdom");
        assert_eq!(found.classes.iter().filter(|class| **class == 15).count(), 1);
        assert_eq!(bound(3, &squares, &Box48::new()), 0);
    }
}
