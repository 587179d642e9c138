//! The game of claims, given the kingdoms that each seat can still reach.

use std::cell::Cell;

use arrayvec::ArrayVec;

use kingdomino_rules::{Position, Rules, Seat, Stage};

use super::result::{EndingValue, FinalScores, Key, QuantalResponse, other};
use super::seat::{SeatGraph, SeatNode};

/// A position of the game of claims.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claims {
    /// The seats whose turns are still to come in this round, in order.
    turns: [u8; 4],
    /// The number of those turns.
    left: u8,
    /// The seat that has claimed each place, or `FREE`.
    places: [u8; 4],
    /// The index of the line that is being claimed.
    line: u8,
}

const FREE: u8 = 4;

/// Why a seat that claims always has something to choose.
const HAS_A_WAY: &str = "a place is free, and a domino that does not fit is discarded";

impl Claims {
    pub(crate) fn new(position: &Position) -> Claims {
        let resolving = position.line();
        let mut turns = [0; 4];
        let mut left = 0;
        for place in position.turn()..resolving.len() {
            turns[left] = resolving.king(place).unwrap_or(0) as u8;
            left += 1;
        }
        let offered = position.offered();
        let mut places = [FREE; 4];
        for (place, claim) in places.iter_mut().enumerate().take(offered.len()) {
            *claim = offered.king(place).map_or(FREE, |seat| seat as u8);
        }
        debug_assert!(matches!(position.stage(), Stage::Place | Stage::Claim));
        // Without an offered line there are no claims left.
        Claims { turns, left: if offered.is_empty() { 0 } else { left as u8 }, places, line: 0 }
    }

    /// After the next seat claims this place.
    #[inline]
    pub(crate) const fn after_claim(&self, place: usize) -> Claims {
        let [first, second, third, fourth] = self.turns;
        let mut next = *self;
        next.places[place] = first;
        next.turns = [second, third, fourth, 0];
        next.left -= 1;
        next
    }

    /// The start of the next line, which is claimed in the order of this one.
    fn next_line(&self) -> Claims {
        let mut next = Claims { turns: [0; 4], left: 0, places: [FREE; 4], line: self.line + 1 };
        for seat in self.places.into_iter().filter(|seat| *seat != FREE) {
            next.turns[next.left as usize] = seat;
            next.left += 1;
        }
        next
    }
}

/// One node a seat.
type Seats = ArrayVec<SeatNode, { Rules::MOST }>;

/// Solves the game of claims.
#[derive(Debug)]
pub(crate) struct ClaimGame<'a> {
    graph: &'a SeatGraph,
    /// The number of ends that have been looked at.
    ends: Cell<u32>,
}

impl<'a> ClaimGame<'a> {
    pub(crate) const fn new(graph: &'a SeatGraph) -> ClaimGame<'a> {
        ClaimGame { graph, ends: Cell::new(0) }
    }

    /// The number of ends that have been looked at so far.
    pub(crate) const fn ends(&self) -> u32 {
        self.ends.get()
    }

    /// The work so far, in kingdoms that take as long.
    pub(crate) fn work(&self) -> u64 {
        const OF_MANY: u64 = 8;
        let each = if self.graph.rules().players() == 2 { 1 } else { OF_MANY };
        each * u64::from(self.ends.get())
    }

    /// The result of best play from here. Takes up to 2 ms: in the endings of 9000 games of four random, greedy or tuned
    /// players, it looked at no more than 6,096 ends.
    pub(crate) fn play(&self, claims: &Claims, seats: &Seats) -> EndingValue {
        let mut seats = seats.clone();
        if self.graph.rules().players() == 2 {
            const LEAST: Key = (0, i32::MIN);
            const MOST: Key = (u64::MAX, i32::MAX);
            return EndingValue::without_errors(self.two(*claims, &mut seats, LEAST, MOST));
        }
        self.many(*claims, &mut seats)
    }

    fn at_end(&self, seats: &Seats) -> FinalScores {
        self.ends.set(self.ends.get() + 1);
        let scores = seats.iter().map(|node| match node {
            SeatNode::Done(score) => *score,
            SeatNode::Turn(_) => unreachable!("after the last claim every seat is done"),
        });
        FinalScores::new(scores.collect())
    }

    /// The turn of the seat that claims next. A seat has one for each of its kings.
    fn turn_of(node: SeatNode) -> u32 {
        match node {
            SeatNode::Turn(turn) => turn,
            SeatNode::Done(_) => unreachable!("a seat that claims has a turn"),
        }
    }

    /// The claims at the next claim to be made; `None` at the end.
    fn to_claim(&self, claims: Claims) -> Option<Claims> {
        if claims.left > 0 {
            return Some(claims);
        }
        (usize::from(claims.line) + 1 < self.graph.lines().len()).then(|| claims.next_line())
    }

    /// Max^n: every seat maximises its own result. Among actions with the same win probability, it prefers the one
    /// that does best against opponents who err.
    ///
    /// Such opponents choose better actions more often, but not always (logit quantal response: McKelvey and Palfrey,
    /// "Quantal Response Equilibria for Extensive Form Games", 1998). No measurable effect with two players, so it is
    /// off there.
    fn many(&self, claims: Claims, seats: &mut Seats) -> EndingValue {
        let Some(claims) = self.to_claim(claims) else { return EndingValue::at_end(self.at_end(seats)) };
        let seat = usize::from(claims.turns[0]);
        let turn = ClaimGame::turn_of(seats[seat]);
        let mut best: Option<EndingValue> = None;
        let mut response = QuantalResponse::default();
        for place in 0..self.graph.lines()[usize::from(claims.line)].len() {
            if claims.places[place] != FREE {
                continue;
            }
            for way in self.graph.ways(turn, place) {
                seats[seat] = *way;
                let value = self.many(claims.after_claim(place), seats);
                response.add(&value, seat);
                if best.as_ref().is_none_or(|best| value.compare(best, seat).is_gt()) {
                    best = Some(value);
                }
            }
        }
        seats[seat] = SeatNode::Turn(turn);
        response.mean(best.expect(HAS_A_WAY), seat)
    }

    /// Alpha-beta for two players. The bounds are keys of the seat to move.
    fn two(&self, claims: Claims, seats: &mut Seats, least: Key, most: Key) -> FinalScores {
        let Some(claims) = self.to_claim(claims) else { return self.at_end(seats) };
        let seat = usize::from(claims.turns[0]);
        let turn = ClaimGame::turn_of(seats[seat]);
        let mut best: Option<(Key, FinalScores)> = None;
        'places: for place in 0..self.graph.lines()[usize::from(claims.line)].len() {
            if claims.places[place] != FREE {
                continue;
            }
            for way in self.graph.ways(turn, place) {
                seats[seat] = *way;
                let floor = best.as_ref().map_or(least, |(key, _)| least.max(*key));
                let result = self.after_claim(claims.after_claim(place), seats, seat, floor, most);
                let key = result.key(seat);
                if best.as_ref().is_none_or(|(known, _)| key > *known) {
                    best = Some((key, result));
                }
                if key >= most {
                    break 'places;
                }
            }
        }
        seats[seat] = SeatNode::Turn(turn);
        best.expect(HAS_A_WAY).1
    }

    /// The result after a claim of this seat, which may have the next turn too.
    fn after_claim(
        &self,
        claims: Claims,
        seats: &mut Seats,
        seat: Seat,
        least: Key,
        most: Key,
    ) -> FinalScores {
        let next = self.to_claim(claims).map_or(seat, |claims| usize::from(claims.turns[0]));
        let (least, most) = if next == seat { (least, most) } else { (other(most), other(least)) };
        self.two(claims, seats, least, most)
    }
}
