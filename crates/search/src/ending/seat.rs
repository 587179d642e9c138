//! What one seat can still reach, whatever the others do.
//!
//! The value of a seat's placements depends only on the dominoes that it gets, so each seat's placements are solved
//! separately. The solution is a graph: for each domino that the seat may claim next, the continuations that no other
//! continuation dominates.

use arrayvec::ArrayVec;
use rustc_hash::FxHashMap;

use kingdomino_rules::{Domino, DominoSet, Kingdom, Position, Rules, Spot};

use super::ranked_score::RankedScore;
use crate::cpu::{Cpu, Task, run_on_best};
use crate::policies::{Tuned, Weights};

/// A line still to be claimed from, lowest domino first.
pub(crate) type Claimable = ArrayVec<Domino, 4>;

pub(crate) type Lines = ArrayVec<Claimable, 2>;

/// A node of the graph of what a seat can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SeatNode {
    /// Nothing is left to claim: the best result of the last placements.
    Done(RankedScore),
    /// A turn, as an index into `SeatGraph`.
    Turn(u32),
}

/// The continuations of a turn, by the place in the line that is claimed.
type Ways = [ArrayVec<SeatNode, MOST_WAYS>; 4];

/// The most continuations after a claim; more than have ever been needed.
const MOST_WAYS: usize = 24;

/// A kingdom and its dominoes still to be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SeatState {
    pub(crate) kingdom: Kingdom,
    /// Under its kings in this round, to be placed lowest first.
    pub(crate) dominoes: DominoSet,
    /// Claimed in this round.
    pub(crate) claimed: DominoSet,
    /// The index of the line that is being claimed from.
    pub(crate) line: u8,
    /// Whether the domino of this turn has been placed, so that the claim is next.
    pub(crate) placed: bool,
}

/// Why a node could not be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Incomplete {
    /// The budget is spent. With more of it the solver can continue.
    Budget,
    /// More budget would not help.
    TooLarge,
}

/// A cache of the best scores of kingdoms with their last dominoes. They hold for every position under the same rules.
#[derive(Clone, Debug, Default)]
pub(crate) struct FinishCache(FxHashMap<(Kingdom, DominoSet), RankedScore>);

impl FinishCache {
    /// The most entries, about 6 MB. A full cache is cleared.
    const MOST: usize = 1 << 15;

    fn get(&self, kingdom: &Kingdom, dominoes: DominoSet) -> Option<RankedScore> {
        self.0.get(&(*kingdom, dominoes)).copied()
    }

    fn insert(&mut self, kingdom: &Kingdom, dominoes: DominoSet, best: RankedScore) {
        if self.0.len() == FinishCache::MOST {
            self.0.clear();
        }
        self.0.insert((*kingdom, dominoes), best);
    }
}

/// The graph of what seats can reach, as far as it has been computed.
#[derive(Clone, Debug)]
pub(crate) struct SeatGraph {
    rules: Rules,
    /// The lines still to be claimed from.
    lines: Lines,
    known: FxHashMap<SeatState, SeatNode>,
    turns: Vec<Ways>,
    /// The indices of turns, so that equal turns are one.
    numbers: FxHashMap<Ways, u32>,
    finish_cache: FinishCache,
    /// The number of finished kingdoms that may still be examined.
    budget: u64,
    /// Restricts the placements to try; `None` for all.
    beam: Option<Beam>,
}

/// While dominoes are still to be claimed, only the `width` best placements by this policy are tried.
#[derive(Debug)]
struct Beam {
    policy: Tuned,
    position: Position,
    width: usize,
}

impl Clone for Beam {
    fn clone(&self) -> Beam {
        Beam { policy: Tuned::new(Weights::of(self.position.rules())), ..*self }
    }
}

impl SeatGraph {
    /// From now on, tries only the `width` best placements by the tuned policy while dominoes are still to be claimed.
    pub(crate) fn narrow(&mut self, position: &Position, width: usize) {
        let policy = Tuned::new(Weights::of(position.rules()));
        self.beam = Some(Beam { policy, position: *position, width });
    }

    pub(crate) fn new(rules: &Rules, lines: Lines, finish_cache: FinishCache, budget: u64) -> SeatGraph {
        SeatGraph {
            rules: *rules,
            lines,
            known: FxHashMap::default(),
            turns: Vec::new(),
            numbers: FxHashMap::default(),
            finish_cache,
            budget,
            beam: None,
        }
    }

    pub(crate) const fn rules(&self) -> &Rules {
        &self.rules
    }

    pub(crate) fn lines(&self) -> &[Claimable] {
        &self.lines
    }

    /// Sets the number of finished kingdoms that may still be examined.
    pub(crate) const fn allow(&mut self, budget: u64) {
        self.budget = budget;
    }

    pub(crate) const fn swap_finish_cache(&mut self, finish_cache: &mut FinishCache) {
        std::mem::swap(&mut self.finish_cache, finish_cache);
    }

    /// The number of turns.
    pub(crate) const fn turns(&self) -> usize {
        self.turns.len()
    }

    /// The continuations of a turn after the claim of this place.
    pub(crate) fn ways(&self, turn: u32, place: usize) -> &[SeatNode] {
        &self.turns[turn as usize][place]
    }

    /// The node of a state, computed if it is new.
    pub(crate) fn of(&mut self, seat_state: &SeatState) -> Result<SeatNode, Incomplete> {
        if usize::from(seat_state.line) == self.lines.len() {
            return self.finish(&seat_state.kingdom, seat_state.dominoes).map(SeatNode::Done);
        }
        if !seat_state.placed && seat_state.dominoes.is_empty() {
            let line = seat_state.line + 1;
            return self.of(&SeatState {
                dominoes: seat_state.claimed,
                claimed: DominoSet::EMPTY,
                line,
                ..*seat_state
            });
        }
        if let Some(node) = self.known.get(seat_state) {
            return Ok(*node);
        }
        let mut ways = Ways::default();
        let line = self.lines[usize::from(seat_state.line)].clone();
        let mut go_on = |graph: &mut Self, kingdom: Kingdom, dominoes: DominoSet| {
            for (place, domino) in line.iter().enumerate() {
                let mut claimed = seat_state.claimed;
                if claimed.insert(*domino) {
                    let way = graph.of(&SeatState {
                        kingdom,
                        dominoes,
                        claimed,
                        line: seat_state.line,
                        placed: false,
                    })?;
                    graph.add(&mut ways[place], way)?;
                }
            }
            Ok(())
        };
        match lowest(seat_state.dominoes).filter(|_| !seat_state.placed) {
            None => go_on(self, seat_state.kingdom, seat_state.dominoes)?,
            Some(domino) => {
                let rest = without_lowest(seat_state.dominoes);
                let spots: ArrayVec<Spot, 256> = match &mut self.beam {
                    None => seat_state.kingdom.placements(domino).spots().collect(),
                    Some(Beam { policy, position, width }) => {
                        let ranked = policy.ranked_in(position, &seat_state.kingdom, domino);
                        ranked.into_iter().map(|(_, spot)| spot).take(*width).collect()
                    }
                };
                if spots.is_empty() {
                    go_on(self, seat_state.kingdom, rest)?;
                }
                for spot in spots {
                    let mut kingdom = seat_state.kingdom;
                    kingdom.place_unchecked(domino, spot);
                    go_on(self, kingdom, rest)?;
                }
            }
        }
        let node = SeatNode::Turn(self.number(ways));
        self.known.insert(*seat_state, node);
        Ok(node)
    }

    /// The best result of placing these dominoes, lowest first, with nothing left to claim.
    pub(crate) fn finish(
        &mut self,
        kingdom: &Kingdom,
        dominoes: DominoSet,
    ) -> Result<RankedScore, Incomplete> {
        let Some(domino) = lowest(dominoes) else {
            return Ok(RankedScore::of(kingdom, &self.rules));
        };
        let rest = without_lowest(dominoes);
        if rest.is_empty() {
            let (best, looked_at) = run_on_best(Last { kingdom, domino, rules: &self.rules });
            self.budget = self.budget.checked_sub(looked_at).ok_or(Incomplete::Budget)?;
            return Ok(best);
        }
        if let Some(known) = self.finish_cache.get(kingdom, dominoes) {
            return Ok(known);
        }
        let placements = kingdom.placements(domino);
        if placements.is_empty() {
            return self.finish(kingdom, rest);
        }
        let mut best = RankedScore::default();
        for spot in placements.spots() {
            let mut next = *kingdom;
            next.place_unchecked(domino, spot);
            best = best.max(self.finish(&next, rest)?);
        }
        self.finish_cache.insert(kingdom, dominoes, best);
        Ok(best)
    }

    fn number(&mut self, ways: Ways) -> u32 {
        if let Some(number) = self.numbers.get(&ways) {
            return *number;
        }
        let number = self.turns.len() as u32;
        self.turns.push(ways.clone());
        self.numbers.insert(ways, number);
        number
    }

    /// Adds a continuation unless another one is at least as good; removes those that are not better than it.
    fn add(&self, ways: &mut ArrayVec<SeatNode, MOST_WAYS>, way: SeatNode) -> Result<(), Incomplete> {
        if ways.iter().any(|other| self.is_weakly_dominated(way, *other)) {
            return Ok(());
        }
        ways.retain(|other| !self.is_weakly_dominated(*other, way));
        ways.try_push(way).map_err(|_| Incomplete::TooLarge)
    }

    /// Whether one is worse than the other for some claims, and better for none.
    pub(crate) fn is_dominated(&self, one: SeatNode, other: SeatNode) -> bool {
        self.is_weakly_dominated(one, other) && !self.is_weakly_dominated(other, one)
    }

    /// Whether one is at most as good as the other for all claims.
    fn is_weakly_dominated(&self, one: SeatNode, other: SeatNode) -> bool {
        match (one, other) {
            _ if one == other => true,
            (SeatNode::Done(one), SeatNode::Done(other)) => one <= other,
            (SeatNode::Turn(one), SeatNode::Turn(other)) => (0..4).all(|place| {
                let others = self.ways(other, place);
                self.ways(one, place)
                    .iter()
                    .all(|one| others.iter().any(|other| self.is_weakly_dominated(*one, *other)))
            }),
            _ => false,
        }
    }
}

/// The best result of a kingdom's last domino, and the number of its placements. Endings spend most of their time
/// here.
struct Last<'a> {
    kingdom: &'a Kingdom,
    domino: Domino,
    rules: &'a Rules,
}

impl Task for Last<'_> {
    type Output = (RankedScore, u64);

    #[inline(always)]
    fn run(self, _: impl Cpu) -> (RankedScore, u64) {
        let Last { kingdom, domino, rules } = self;
        let placements = kingdom.placements(domino);
        if placements.is_empty() {
            return (RankedScore::of(kingdom, rules), 1);
        }
        let mut best = RankedScore::default();
        for spot in placements.spots() {
            let mut next = *kingdom;
            next.place_unchecked(domino, spot);
            let score = next.score(rules).total();
            // Tie-breaks take as long as scores, and few kingdoms score as much as the best.
            if score >= best.score() {
                best = best.max(RankedScore::with_score(&next, rules, score));
            }
        }
        (best, placements.len() as u64)
    }
}

fn lowest(dominoes: DominoSet) -> Option<Domino> {
    dominoes.into_iter().next()
}

pub(crate) fn without_lowest(dominoes: DominoSet) -> DominoSet {
    DominoSet::from_bits(dominoes.bits() & dominoes.bits().wrapping_sub(1))
}
