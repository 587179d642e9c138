//! The game of claims over what every seat can still reach.

use arrayvec::ArrayVec;

use kingdomino_rules::{Position, Rules, Seat, Stage};

use crate::ending::outlook::{Erring, Key, Outlook, Result, other};
use crate::ending::solo::{Solo, Solos};

/// Claims as they stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    /// Whose turns are still to come in this round, in order; the first one's claim is next.
    turns: [u8; 4],
    left: u8,
    /// By place: who has claimed it, `FREE`, or `TAKEN` by nobody who matters.
    claims: [u8; 4],
    line: u8,
}

const FREE: u8 = 4;

impl Table {
    pub(crate) fn new(position: &Position) -> Table {
        let resolving = position.line();
        let mut turns = [0; 4];
        let mut left = 0;
        for place in position.turn()..resolving.len() {
            turns[left] = resolving.king(place).unwrap_or(0) as u8;
            left += 1;
        }
        let offered = position.offered();
        let mut claims = [FREE; 4];
        for (place, claim) in claims.iter_mut().enumerate().take(offered.len()) {
            *claim = offered.king(place).map_or(FREE, |seat| seat as u8);
        }
        debug_assert!(matches!(position.stage(), Stage::Place | Stage::Claim));
        // Nothing on offer: nothing to claim, and all that counts is what each seat places.
        Table { turns, left: if offered.is_empty() { 0 } else { left as u8 }, claims, line: 0 }
    }

    /// The first one's claim.
    #[inline]
    pub(crate) const fn after_claim(&self, place: usize) -> Table {
        let [first, second, third, fourth] = self.turns;
        let mut next = *self;
        next.claims[place] = first;
        next.turns = [second, third, fourth, 0];
        next.left -= 1;
        next
    }

    /// The next line, claimed in the order of this one.
    fn next_line(&self) -> Table {
        let mut next = Table { turns: [0; 4], left: 0, claims: [FREE; 4], line: self.line + 1 };
        for seat in self.claims.into_iter().filter(|seat| *seat != FREE) {
            next.turns[next.left as usize] = seat;
            next.left += 1;
        }
        next
    }
}

/// By seat.
type All = ArrayVec<Solo, { Rules::MOST }>;

/// The game, to be played well by everybody.
#[derive(Debug)]
pub(crate) struct Draft<'a> {
    solos: &'a Solos,
}

impl<'a> Draft<'a> {
    pub(crate) const fn new(solos: &'a Solos) -> Draft<'a> {
        Draft { solos }
    }

    /// How it ends from here.
    pub(crate) fn play(&self, table: &Table, seats: &All) -> Option<Outlook> {
        let mut seats = seats.clone();
        if self.solos.rules().players() == 2 {
            const LEAST: Key = (0, i32::MIN);
            const MOST: Key = (u64::MAX, i32::MAX);
            let (_, result) = self.two(*table, &mut seats, LEAST, MOST)?;
            return Some(Outlook::without_hope(result));
        }
        self.many(*table, &mut seats)
    }

    fn at_end(&self, seats: &All) -> Option<Result> {
        let merits = seats.iter().map(|solo| match solo {
            Solo::Done(merit) => Some(*merit),
            Solo::Turn(_) => None,
        });
        merits.collect::<Option<_>>().map(Result::new)
    }

    /// The table whose next claim is to be made; `None` at the end.
    fn to_claim(&self, table: Table) -> Option<Table> {
        if table.left > 0 {
            return Some(table);
        }
        (usize::from(table.line) + 1 < self.solos.lines().len()).then(|| table.next_line())
    }

    /// Everybody seeks their own best, and what they may hope for tells apart what is alike where all do so,
    /// above all where everything is lost.
    ///
    /// A seat hopes that its rivals err: they choose what is better more often, but not always (logit quantal
    /// response: McKelvey and Palfrey, "Quantal Response Equilibria for Extensive Form Games", 1998). With two
    /// players it made no difference, so they are spared it.
    fn many(&self, table: Table, seats: &mut All) -> Option<Outlook> {
        let Some(table) = self.to_claim(table) else { return self.at_end(seats).map(Outlook::at_end) };
        let seat = usize::from(table.turns[0]);
        let Solo::Turn(turn) = seats[seat] else { return None };
        let mut best: Option<Outlook> = None;
        let mut erring = Erring::default();
        for place in 0..self.solos.lines()[usize::from(table.line)].len() {
            if table.claims[place] != FREE {
                continue;
            }
            for way in self.solos.ways(turn, place) {
                seats[seat] = *way;
                let outlook = self.many(table.after_claim(place), seats)?;
                erring.add(&outlook, seat);
                if best.as_ref().is_none_or(|best| outlook.compare(best, seat).is_gt()) {
                    best = Some(outlook);
                }
            }
        }
        seats[seat] = Solo::Turn(turn);
        best.map(|best| erring.mean(best, seat))
    }

    /// What one gains the other loses: alpha-beta, with the key of the seat to move.
    fn two(&self, table: Table, seats: &mut All, least: Key, most: Key) -> Option<(Key, Result)> {
        let Some(table) = self.to_claim(table) else {
            let result = self.at_end(seats)?;
            return Some((result.key(usize::from(table.turns[0])), result));
        };
        let seat = usize::from(table.turns[0]);
        let Solo::Turn(turn) = seats[seat] else { return None };
        let mut best: Option<(Key, Result)> = None;
        'claims: for place in 0..self.solos.lines()[usize::from(table.line)].len() {
            if table.claims[place] != FREE {
                continue;
            }
            for way in self.solos.ways(turn, place) {
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
        seats[seat] = Solo::Turn(turn);
        best
    }

    /// How it goes on after a claim of this seat, whose turn may be the next one too.
    fn of_next(&self, table: Table, seats: &mut All, seat: Seat, least: Key, most: Key) -> Option<Result> {
        let next = self.to_claim(table).map_or(seat, |table| usize::from(table.turns[0]));
        let (least, most) = if next == seat { (least, most) } else { (other(most), other(least)) };
        self.two(table, seats, least, most).map(|(_, result)| result)
    }
}
