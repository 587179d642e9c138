//! Tilings: which of the 48 dominoes can lie under squares.
//!
//! Each square is covered by one domino, and each domino lies once, in one kingdom. So this is an exact cover. The search
//! covers the square with the fewest possibilities first, kingdom by kingdom. Dominoes with equal ends are one kind.

use std::collections::HashSet;
use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use crate::kingdom::Kingdom;
use crate::values::domino::{Domino, DominoSet, End};
use crate::values::square::{Placement, Square};

/// Numbers for ends: four for each terrain, by crowns.
const ENDS: usize = 24;

/// The number of an end; `None` for more crowns than a number of crowns with two binary digits.
const fn number(end: End) -> Option<usize> {
    if end.crowns < 4 { Some(end.terrain as usize * 4 + end.crowns as usize) } else { None }
}

/// The kinds of dominoes: equal ones are one kind.
struct Kinds {
    /// How many kinds there are.
    count: usize,
    /// The lowest domino of each kind.
    first: [Domino; Domino::COUNT],
    /// How many dominoes each kind has. They follow each other.
    dominoes: [u8; Domino::COUNT],
    /// The kind with these two ends, in any order.
    of: [[Option<u8>; ENDS]; ENDS],
}

const KINDS: Kinds = {
    let mut kinds = Kinds {
        count: 0,
        first: [Domino::from_index(0); Domino::COUNT],
        dominoes: [0; Domino::COUNT],
        of: [[None; ENDS]; ENDS],
    };
    let mut index = 0;
    while index < Domino::COUNT {
        let domino = Domino::from_index(index as u8);
        let [left, right] = domino.ends();
        let (Some(left), Some(right)) = (number(left), number(right)) else {
            panic!("an end has four crowns")
        };
        if kinds.of[left][right].is_none() {
            kinds.of[left][right] = Some(kinds.count as u8);
            kinds.of[right][left] = Some(kinds.count as u8);
            kinds.first[kinds.count] = domino;
            kinds.count += 1;
        }
        kinds.dominoes[kinds.count - 1] += 1;
        index += 1;
    }
    kinds
};

/// Dominoes and where they lie.
pub type Tiling = Vec<(Domino, Placement)>;

/// Squares to be covered by dominoes, in one or several kingdoms.
#[derive(Default)]
pub(crate) struct Floor {
    squares: Vec<(Square, End)>,
    /// For each square: those beside it that a domino can cover together with it, and the domino's kind.
    pairs: Vec<ArrayVec<(usize, u8), 4>>,
    /// Where the squares of each kingdom end.
    ends: Vec<usize>,
}

impl Floor {
    /// Adds a kingdom: its squares without the castle, each once.
    pub(crate) fn add(&mut self, squares: impl IntoIterator<Item = (Square, End)>) {
        let start = self.squares.len();
        self.squares.extend(squares);
        let added = &self.squares[start..];
        let pairs = added.iter().map(|(square, end)| {
            let beside = added.iter().enumerate().filter(|(_, (other, _))| square.is_next_to(*other));
            let pair = |(index, (_, other)): (usize, &(Square, End))| {
                Some((start + index, KINDS.of[number(*end)?][number(*other)?]?))
            };
            beside.filter_map(pair).take(4).collect()
        });
        self.pairs.extend(pairs);
        self.ends.push(self.squares.len());
    }

    /// The number of squares.
    pub(crate) const fn len(&self) -> usize {
        self.squares.len()
    }

    /// The kingdom and the place of the square with this index.
    pub(crate) fn at(&self, index: usize) -> (usize, Square) {
        (self.ends.partition_point(|end| *end <= index), self.squares[index].0)
    }

    /// Whether dominoes can cover all squares with these indices, and any of the others; `None` if the budget, in nodes of
    /// the search, is spent before that is known.
    pub(crate) fn can_cover(
        &self,
        wanted: impl IntoIterator<Item = usize>,
        budget: &mut u32,
    ) -> Option<bool> {
        let mut search = Cover::new(self, budget);
        search.wanted = vec![false; self.len()];
        for index in wanted {
            search.wanted[index] = true;
        }
        match search.cover(0, &mut |_| ControlFlow::Break(())) {
            ControlFlow::Continue(()) => Some(false),
            ControlFlow::Break(Stop::Enough) => Some(true),
            ControlFlow::Break(Stop::Spent) => None,
        }
    }

    /// A small set of squares that dominoes cannot cover: without any of them, they can. The floor itself cannot be covered.
    ///
    /// Each step finds by halving how many squares, in their order, are too many: the last of them belongs to the set.
    pub(crate) fn obstacle(&self, budget: &mut u32) -> Vec<usize> {
        let mut needed: Vec<usize> = Vec::new();
        let mut rest: Vec<usize> = (0..self.len()).collect();
        loop {
            // The most squares of the rest that can be covered with the needed ones, and the fewest that cannot.
            let (mut most, mut fewest) = (0, rest.len());
            match self.can_cover(needed.iter().copied(), budget) {
                Some(false) => return needed,
                Some(true) => {}
                // Not known to be small.
                None => return needed.into_iter().chain(rest).collect(),
            }
            while fewest - most > 1 {
                let middle = most.midpoint(fewest);
                match self.can_cover(needed.iter().chain(&rest[..middle]).copied(), budget) {
                    Some(true) => most = middle,
                    Some(false) => fewest = middle,
                    None => return needed.into_iter().chain(rest.into_iter().take(fewest)).collect(),
                }
            }
            needed.push(rest[fewest - 1]);
            rest.truncate(fewest - 1);
        }
    }
}

/// Why a search stops early.
enum Stop {
    Enough,
    Spent,
}

/// A search for tilings.
struct Cover<'a> {
    floor: &'a Floor,
    budget: &'a mut u32,
    /// The squares that must be covered.
    wanted: Vec<bool>,
    covered: Vec<bool>,
    /// How many dominoes of each kind are left.
    left: [u8; Domino::COUNT],
    /// The dominoes that lie: two squares and a kind each.
    laid: Vec<(usize, usize, u8)>,
    /// Kingdoms whose squares cannot be covered with the dominoes left.
    failed: HashSet<(usize, [u8; Domino::COUNT])>,
    found: usize,
}

impl<'a> Cover<'a> {
    fn new(floor: &'a Floor, budget: &'a mut u32) -> Cover<'a> {
        Cover {
            floor,
            budget,
            wanted: vec![true; floor.len()],
            covered: vec![false; floor.len()],
            left: KINDS.dominoes,
            laid: Vec::new(),
            failed: HashSet::new(),
            found: 0,
        }
    }

    /// Covers the wanted squares from this kingdom on in every way, and passes each way to `found`, until it breaks.
    fn cover(
        &mut self,
        kingdom: usize,
        found: &mut impl FnMut(&[(usize, usize, u8)]) -> ControlFlow<()>,
    ) -> ControlFlow<Stop> {
        let Some(&end) = self.floor.ends.get(kingdom) else {
            self.found += 1;
            return found(&self.laid).map_break(|()| Stop::Enough);
        };
        if *self.budget == 0 {
            return ControlFlow::Break(Stop::Spent);
        }
        *self.budget -= 1;
        let start = kingdom.checked_sub(1).map_or(0, |before| self.floor.ends[before]);
        let open = (start..end).filter(|index| self.wanted[*index] && !self.covered[*index]);
        let Some(square) = open.min_by_key(|index| self.pairs(*index).count()) else {
            // The same dominoes can lie in this kingdom in several ways.
            let state = (kingdom, self.left);
            if self.failed.contains(&state) {
                return ControlFlow::Continue(());
            }
            let before = self.found;
            self.cover(kingdom + 1, found)?;
            if self.found == before {
                self.failed.insert(state);
            }
            return ControlFlow::Continue(());
        };
        let pairs: ArrayVec<(usize, u8), 4> = self.pairs(square).collect();
        self.covered[square] = true;
        for (other, kind) in pairs {
            self.covered[other] = true;
            self.left[usize::from(kind)] -= 1;
            self.laid.push((square, other, kind));
            self.cover(kingdom, found)?;
            self.laid.pop();
            self.left[usize::from(kind)] += 1;
            self.covered[other] = false;
        }
        self.covered[square] = false;
        ControlFlow::Continue(())
    }

    /// The dominoes that can cover this square now: the other square and the kind of each.
    fn pairs(&self, square: usize) -> impl Iterator<Item = (usize, u8)> {
        let free = |(other, kind): &(usize, u8)| !self.covered[*other] && self.left[usize::from(*kind)] > 0;
        self.floor.pairs[square].iter().copied().filter(free)
    }
}

impl Kingdom {
    /// The ways in which the 48 dominoes can make this kingdom, each domino used at most once; at most `limit` ways.
    ///
    /// Equal dominoes stand for each other: the lowest are used, and exchanging them is no other way. The dominoes of each way
    /// are in an order in which the rules allow them, if there is one. Kingdoms on real tables sometimes break the rule that
    /// a domino connects to its terrain; no tiling is left out because of it.
    pub fn tilings(&self, limit: usize) -> Vec<Tiling> {
        let mut tilings = Vec::new();
        if limit > 0 {
            self.each_tiling(|tiling| {
                tilings.push(tiling);
                if tilings.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        }
        tilings
    }

    /// Passes each of its [tilings](Kingdom::tilings) to `found`, until that breaks.
    pub fn each_tiling(&self, mut found: impl FnMut(Tiling) -> ControlFlow<()>) {
        let floor = self.floor();
        if floor.len().is_multiple_of(2) {
            let mut budget = u32::MAX;
            let _ = Cover::new(&floor, &mut budget).cover(0, &mut |laid| found(self.tiling(&floor, laid)));
        }
    }

    /// Whether the 48 dominoes can make this kingdom, each domino used at most once.
    pub fn can_be_built(&self) -> bool {
        !self.tilings(1).is_empty()
    }

    fn floor(&self) -> Floor {
        let squares = self.rows().flatten();
        let mut floor = Floor::default();
        floor.add(squares.filter_map(|square| {
            self.get(square).map(|(terrain, crowns)| (square, End { terrain, crowns }))
        }));
        floor
    }

    /// Dominoes on two squares each, as a tiling.
    fn tiling(&self, floor: &Floor, laid: &[(usize, usize, u8)]) -> Tiling {
        let mut used = DominoSet::EMPTY;
        let mut rest: Tiling = laid
            .iter()
            .filter_map(|&(one, other, kind)| {
                let first = KINDS.first[usize::from(kind)].index() as u8;
                let domino = (first..).map(Domino::from_index).find(|domino| !used.contains(*domino))?;
                used.insert(domino);
                let (one, other) = (floor.squares[one], floor.squares[other]);
                let (left, right) =
                    if domino.ends()[0] == one.1 { (one.0, other.0) } else { (other.0, one.0) };
                Some((domino, Placement { left, right }))
            })
            .collect();
        let mut tiling = Vec::new();
        let mut kingdom = Kingdom::new(self.size());
        while let Some(next) =
            rest.iter().position(|(domino, placement)| kingdom.check(*domino, *placement).is_ok())
        {
            let (domino, placement) = rest.remove(next);
            kingdom.place_unchecked(domino, placement);
            tiling.push((domino, placement));
        }
        tiling.extend(rest);
        tiling
    }
}
