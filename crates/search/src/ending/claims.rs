//! The game of claims over what every seat can still reach.

use arrayvec::ArrayVec;

use kingdomino_rules::{Position, Rules, Seat, Stage};

use crate::ending::result::{EndingValue, FinalScores, Key, QuantalResponse, other};
use crate::ending::seat::{SeatGraph, SeatNode};

/// Claims as they stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claims {
    /// Whose turns are still to come in this round, in order; the first one's claim is next.
    turns: [u8; 4],
    left: u8,
    /// By place: the seat that has claimed it, or `FREE`.
    places: [u8; 4],
    line: u8,
}

const FREE: u8 = 4;

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
        // Nothing on offer: nothing to claim, and all that counts is what each seat places.
        Claims { turns, left: if offered.is_empty() { 0 } else { left as u8 }, places, line: 0 }
    }

    /// The first one's claim.
    #[inline]
    pub(crate) const fn after_claim(&self, place: usize) -> Claims {
        let [first, second, third, fourth] = self.turns;
        let mut next = *self;
        next.places[place] = first;
        next.turns = [second, third, fourth, 0];
        next.left -= 1;
        next
    }

    /// The next line, claimed in the order of this one.
    fn next_line(&self) -> Claims {
        let mut next = Claims { turns: [0; 4], left: 0, places: [FREE; 4], line: self.line + 1 };
        for seat in self.places.into_iter().filter(|seat| *seat != FREE) {
            next.turns[next.left as usize] = seat;
            next.left += 1;
        }
        next
    }
}

/// By seat.
type All = ArrayVec<SeatNode, { Rules::MOST }>;

/// The game of claims, if all play well.
#[derive(Debug)]
pub(crate) struct ClaimGame<'a> {
    graph: &'a SeatGraph,
}

impl<'a> ClaimGame<'a> {
    pub(crate) const fn new(graph: &'a SeatGraph) -> ClaimGame<'a> {
        ClaimGame { graph }
    }

    /// How it ends from here.
    pub(crate) fn play(&self, table: &Claims, seats: &All) -> Option<EndingValue> {
        let mut seats = seats.clone();
        if self.graph.rules().players() == 2 {
            const LEAST: Key = (0, i32::MIN);
            const MOST: Key = (u64::MAX, i32::MAX);
            let (_, result) = self.two(*table, &mut seats, LEAST, MOST)?;
            return Some(EndingValue::without_errors(result));
        }
        self.many(*table, &mut seats)
    }

    fn at_end(&self, seats: &All) -> Option<FinalScores> {
        let scores_ = seats.iter().map(|node| match node {
            SeatNode::Done(score) => Some(*score),
            SeatNode::Turn(_) => None,
        });
        scores_.collect::<Option<_>>().map(FinalScores::new)
    }

    /// The table whose next claim is to be made; `None` at the end.
    fn to_claim(&self, table: Claims) -> Option<Claims> {
        if table.left > 0 {
            return Some(table);
        }
        (usize::from(table.line) + 1 < self.graph.lines().len()).then(|| table.next_line())
    }

    /// Max^n: every seat maximises its own result. Among actions with the same chance of victory, it prefers the one
    /// that does best against opponents who err.
    ///
    /// Those choose the better more often, but not always (logit quantal response: McKelvey and Palfrey, "Quantal
    /// Response Equilibria for Extensive Form Games", 1998). No measurable effect with two players, so it is off there.
    fn many(&self, table: Claims, seats: &mut All) -> Option<EndingValue> {
        let Some(table) = self.to_claim(table) else { return self.at_end(seats).map(EndingValue::at_end) };
        let seat = usize::from(table.turns[0]);
        let SeatNode::Turn(turn) = seats[seat] else { return None };
        let mut best: Option<EndingValue> = None;
        let mut response = QuantalResponse::default();
        for place in 0..self.graph.lines()[usize::from(table.line)].len() {
            if table.places[place] != FREE {
                continue;
            }
            for way in self.graph.ways(turn, place) {
                seats[seat] = *way;
                let value = self.many(table.after_claim(place), seats)?;
                response.add(&value, seat);
                if best.as_ref().is_none_or(|best| value.compare(best, seat).is_gt()) {
                    best = Some(value);
                }
            }
        }
        seats[seat] = SeatNode::Turn(turn);
        best.map(|best| response.mean(best, seat))
    }

    /// What one gains the other loses: alpha-beta, with the key of the seat to move.
    fn two(&self, table: Claims, seats: &mut All, least: Key, most: Key) -> Option<(Key, FinalScores)> {
        let Some(table) = self.to_claim(table) else {
            let result = self.at_end(seats)?;
            return Some((result.key(usize::from(table.turns[0])), result));
        };
        let seat = usize::from(table.turns[0]);
        let SeatNode::Turn(turn) = seats[seat] else { return None };
        let mut best: Option<(Key, FinalScores)> = None;
        'claims: for place in 0..self.graph.lines()[usize::from(table.line)].len() {
            if table.places[place] != FREE {
                continue;
            }
            for way in self.graph.ways(turn, place) {
                seats[seat] = *way;
                let floor = best.as_ref().map_or(least, |(key, _)| least.max(*key));
                let result = self.of_next(table.after_claim(place), seats, seat, floor, most)?;
                let key = result.key(seat);
                if best.as_ref().is_none_or(|(most, _)| key > *most) {
                    best = Some((key, result));
                }
                if key >= most {
                    break 'claims;
                }
            }
        }
        seats[seat] = SeatNode::Turn(turn);
        best
    }

    /// How it goes on after a claim of this seat, whose turn may be the next one too.
    fn of_next(
        &self,
        table: Claims,
        seats: &mut All,
        seat: Seat,
        least: Key,
        most: Key,
    ) -> Option<FinalScores> {
        let next = self.to_claim(table).map_or(seat, |table| usize::from(table.turns[0]));
        let (least, most) = if next == seat { (least, most) } else { (other(most), other(least)) };
        self.two(table, seats, least, most).map(|(_, result)| result)
    }
}
