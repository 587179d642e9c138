//! The kingdoms that one seat can still reach, whatever the others do.
//!
//! The value of a seat's placements depends only on the dominoes that it gets, so each seat's placements are solved
//! separately. The solution is a graph: for each domino that the seat may claim next, the continuations that no other
//! continuation dominates.

use arrayvec::ArrayVec;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use kingdomino_rules::{Domino, DominoSet, Kingdom, Position, Rules, Spot, Terrain};

use super::ranked_score::RankedScore;
use crate::cpu::{Cpu, Task, run_on_best};
use crate::policies::{Valuation, Weights};

/// A line still to be claimed from, lowest domino first.
pub(crate) type Claimable = ArrayVec<Domino, 4>;

pub(crate) type Lines = ArrayVec<Claimable, 2>;

/// A node of the graph of kingdoms that a seat can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SeatNode {
    /// Nothing is left to claim: the best result of the last placements.
    Done(RankedScore),
    /// A turn, as an index into `SeatGraph`.
    Turn(u32),
}

/// The continuations of a turn after one claim; no known ending needs this much room.
type Ways = ArrayVec<SeatNode, 24>;

/// A turn: its continuations after the claim of each place of the line, one place after the other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Turn {
    ways: Box<[SeatNode]>,
    /// Where the continuations of each place end.
    ends: [u8; 4],
}

impl Turn {
    fn new(by_place: &[Ways; 4]) -> Turn {
        let mut end = 0;
        let ends = by_place.each_ref().map(|ways| {
            end += ways.len() as u8;
            end
        });
        Turn { ways: by_place.iter().flatten().copied().collect(), ends }
    }

    fn ways(&self, place: usize) -> &[SeatNode] {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.ways[usize::from(start)..usize::from(self.ends[place])]
    }
}

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
    /// A turn has more continuations than [`Ways`] has room for. More budget would not help.
    NoRoom,
}

/// A kingdom and its last dominoes, of this round and of the next.
type Finish = (Kingdom, [DominoSet; 2]);

/// A cache of the best scores of kingdoms with their last dominoes. They hold for every position under the same rules.
#[derive(Clone, Debug, Default)]
pub(crate) struct FinishCache(FxHashMap<Finish, RankedScore>);

impl FinishCache {
    /// The most entries, about 7 MB. A full cache is cleared.
    const MOST: usize = 1 << 15;

    fn insert(&mut self, finish: Finish, best: RankedScore) {
        if self.0.len() == FinishCache::MOST {
            self.0.clear();
        }
        self.0.insert(finish, best);
    }
}

/// The graph of kingdoms that seats can reach, as far as it has been computed.
#[derive(Clone, Debug)]
pub(crate) struct SeatGraph {
    rules: Rules,
    /// The lines still to be claimed from.
    lines: Lines,
    known: FxHashMap<SeatState, SeatNode>,
    /// Equal turns are one.
    turns: IndexSet<Turn, FxBuildHasher>,
    finish_cache: FinishCache,
    /// Whether the cache keeps the best results of two dominoes, not only of more. In small kingdoms computing them
    /// takes less time than a look into the cache.
    caches_pairs: bool,
    /// The number of kingdoms that may still be looked at: the finished ones, and those looked up in the cache.
    budget: u64,
    /// Restricts the placements to try; `None` for all.
    beam: Option<Beam>,
}

/// Before a seat's last turn, only the `width` best placements by the tuned policy's valuation are tried.
#[derive(Clone, Copy, Debug)]
struct Beam {
    valuation: Valuation,
    width: usize,
}

impl SeatGraph {
    /// From now on, tries only the `width` best placements by the tuned policy's valuation before a seat's last turn.
    pub(crate) fn narrow(&mut self, position: &Position, width: usize) {
        let valuation = Valuation::new(&Weights::of(position.rules()), position);
        self.beam = Some(Beam { valuation, width });
    }

    pub(crate) fn new(rules: &Rules, lines: Lines, budget: u64) -> SeatGraph {
        SeatGraph {
            rules: *rules,
            lines,
            known: FxHashMap::default(),
            turns: IndexSet::default(),
            finish_cache: FinishCache::default(),
            caches_pairs: rules.mighty_duel(),
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

    /// Sets the number of kingdoms that may still be looked at.
    pub(crate) const fn allow(&mut self, budget: u64) {
        self.budget = budget;
    }

    pub(crate) const fn swap_finish_cache(&mut self, finish_cache: &mut FinishCache) {
        std::mem::swap(&mut self.finish_cache, finish_cache);
    }

    /// The number of kingdoms that may still be looked at.
    pub(crate) const fn budget(&self) -> u64 {
        self.budget
    }

    fn spend(&mut self, kingdoms: u64) -> Result<(), Incomplete> {
        self.budget = self.budget.checked_sub(kingdoms).ok_or(Incomplete::Budget)?;
        Ok(())
    }

    /// The number of turns.
    pub(crate) fn turns(&self) -> usize {
        self.turns.len()
    }

    /// The continuations of a turn after the claim of this place.
    pub(crate) fn ways(&self, turn: u32, place: usize) -> &[SeatNode] {
        self.turns[turn as usize].ways(place)
    }

    /// The node of a state, computed if it is new.
    pub(crate) fn of(&mut self, seat_state: &SeatState) -> Result<SeatNode, Incomplete> {
        if usize::from(seat_state.line) == self.lines.len() {
            let dominoes = [seat_state.dominoes, DominoSet::EMPTY];
            return self.finish(&seat_state.kingdom, dominoes).map(SeatNode::Done);
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
        let mut ways = <[Ways; 4]>::default();
        if self.is_last_turn(seat_state) {
            self.add_last_claims(seat_state, &mut ways)?;
        } else {
            self.add_turns(seat_state, &mut ways)?;
        }
        let (number, _) = self.turns.insert_full(Turn::new(&ways));
        let node = SeatNode::Turn(number as u32);
        self.known.insert(*seat_state, node);
        Ok(node)
    }

    /// Whether the seat has no turn after this one.
    fn is_last_turn(&self, seat_state: &SeatState) -> bool {
        let SeatState { dominoes, placed, .. } = *seat_state;
        let later = if placed { dominoes } else { without_lowest(dominoes) };
        usize::from(seat_state.line) + 1 == self.lines.len() && later.is_empty()
    }

    /// Adds the claims of a seat's last turn: each has one best result.
    fn add_last_claims(&mut self, seat_state: &SeatState, ways: &mut [Ways; 4]) -> Result<(), Incomplete> {
        for (place, claimed) in self.claims(seat_state) {
            let best = self.finish(&seat_state.kingdom, [seat_state.dominoes, claimed])?;
            ways[place].push(SeatNode::Done(best));
        }
        Ok(())
    }

    /// Adds the placements of a turn with all claims after each.
    fn add_turns(&mut self, seat_state: &SeatState, ways: &mut [Ways; 4]) -> Result<(), Incomplete> {
        let Some(domino) = lowest(seat_state.dominoes).filter(|_| !seat_state.placed) else {
            return self.add_claims(seat_state, ways);
        };
        let spots: ArrayVec<Spot, 256> = match &self.beam {
            None => seat_state.kingdom.placements(domino).spots().collect(),
            Some(Beam { valuation, width }) => {
                let ranked = valuation.ranked(&seat_state.kingdom, domino);
                ranked.into_iter().map(|(_, spot)| spot).take(*width).collect()
            }
        };
        let mut placed =
            SeatState { dominoes: without_lowest(seat_state.dominoes), placed: true, ..*seat_state };
        if spots.is_empty() {
            return self.add_claims(&placed, ways);
        }
        for spot in spots {
            placed.kingdom = seat_state.kingdom;
            placed.kingdom.place_unchecked(domino, spot);
            self.add_claims(&placed, ways)?;
        }
        Ok(())
    }

    /// Adds all claims after the placement of a turn.
    fn add_claims(&mut self, placed: &SeatState, ways: &mut [Ways; 4]) -> Result<(), Incomplete> {
        for (place, claimed) in self.claims(placed) {
            let way = self.of(&SeatState { claimed, placed: false, ..*placed })?;
            self.add(&mut ways[place], way)?;
        }
        Ok(())
    }

    /// The claims that the seat may make now: the place, and then all its claims of this round.
    fn claims(&self, seat_state: &SeatState) -> ArrayVec<(usize, DominoSet), 4> {
        let line = self.lines[usize::from(seat_state.line)].iter().enumerate();
        let after = |(place, domino): (usize, &Domino)| {
            let mut claimed = seat_state.claimed;
            claimed.insert(*domino).then_some((place, claimed))
        };
        line.filter_map(after).collect()
    }

    /// The best result of placing these dominoes, each round's lowest first, with nothing left to claim.
    fn finish(&mut self, kingdom: &Kingdom, dominoes: [DominoSet; 2]) -> Result<RankedScore, Incomplete> {
        let [now, next] = dominoes;
        if now.is_empty() && !next.is_empty() {
            return self.finish(kingdom, [next, now]);
        }
        let Some(domino) = lowest(now) else {
            return Ok(RankedScore::of(kingdom, &self.rules));
        };
        let rest = [without_lowest(now), next];
        if rest == [DominoSet::EMPTY; 2] {
            let (best, looked_at) = run_on_best(Last { kingdom, domino, rules: &self.rules });
            self.spend(looked_at)?;
            return Ok(best);
        }
        self.spend(1)?;
        let is_cached = self.caches_pairs || now.len() + next.len() > 2;
        if is_cached && let Some(known) = self.finish_cache.0.get(&(*kingdom, dominoes)) {
            return Ok(*known);
        }
        let placements = kingdom.placements(domino);
        if placements.is_empty() {
            return self.finish(kingdom, rest);
        }
        let mut best = RankedScore::default();
        for spot in placements.spots() {
            let mut placed = *kingdom;
            placed.place_unchecked(domino, spot);
            best = best.max(self.finish(&placed, rest)?);
        }
        if is_cached {
            self.finish_cache.insert((*kingdom, dominoes), best);
        }
        Ok(best)
    }

    /// Adds a continuation unless another one is at least as good; removes those it matches or beats.
    fn add(&self, ways: &mut Ways, way: SeatNode) -> Result<(), Incomplete> {
        if ways.iter().any(|other| self.is_weakly_dominated(way, *other)) {
            return Ok(());
        }
        ways.retain(|other| !self.is_weakly_dominated(*other, way));
        ways.try_push(way).map_err(|_| Incomplete::NoRoom)
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
        // Only the territories of the domino's terrains change.
        let is_changed = |terrain: &Terrain| domino.ends().iter().any(|end| end.terrain == *terrain);
        let unchanged = || Terrain::ALL.into_iter().filter(|terrain| !is_changed(terrain));
        let changed = || Terrain::ALL.into_iter().filter(is_changed);
        let points: u16 = unchanged().map(|terrain| kingdom.terrain_score(terrain)).sum();
        let largest = unchanged().fold(0, |largest, terrain| kingdom.largest_territory_of(terrain, largest));
        let mut best = RankedScore::default();
        for spot in placements.spots() {
            let mut next = *kingdom;
            next.place_unchecked(domino, spot);
            let points = changed().fold(points, |points, terrain| points + next.terrain_score(terrain));
            let score = next.score_with(points, rules).total();
            // Tie-breaks take as long as scores, and few kingdoms score as much as the best.
            if score >= u32::from(best.score()) {
                let largest =
                    changed().fold(largest, |largest, terrain| next.largest_territory_of(terrain, largest));
                best = best.max(RankedScore::new(&next, rules, score, largest));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_continuations_than_there_is_room_for_are_not_a_matter_of_budget() {
        let mut graph = SeatGraph::new(&Rules::default(), Lines::new(), 0);
        let mut ways = Ways::new();
        for points in 0..=24 {
            // None dominates another: the more points after one claim, the fewer after the other.
            let mut by_place = <[Ways; 4]>::default();
            by_place[0].push(SeatNode::Done(RankedScore::of_points(points)));
            by_place[1].push(SeatNode::Done(RankedScore::of_points(100 - points)));
            let (number, _) = graph.turns.insert_full(Turn::new(&by_place));
            let added = graph.add(&mut ways, SeatNode::Turn(number as u32));
            assert_eq!(added, if points < 24 { Ok(()) } else { Err(Incomplete::NoRoom) });
        }
    }
}
