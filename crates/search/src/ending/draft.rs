//! The game of claims over what every seat can still reach.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use kingdomino_rules::{Position, Rules, Seat, Stage};

use crate::ending::merit::Merit;
use crate::ending::solo::{Claimable, Solo, Solos};
use crate::finish::{Finish, VICTORY};

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

/// How a game ends: what each seat's kingdom is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Result {
    merits: ArrayVec<Merit, { Rules::MOST }>,
}

/// What a seat prefers: victory, in parts of `VICTORY`, then the margin.
pub(crate) type Key = (u64, i32);

impl Result {
    #[cfg(test)]
    pub(crate) const fn new(merits: ArrayVec<Merit, { Rules::MOST }>) -> Result {
        Result { merits }
    }

    fn best(&self) -> Merit {
        self.merits.iter().copied().max().unwrap_or_default()
    }

    #[inline]
    pub(crate) fn key(&self, seat: Seat) -> Key {
        let best = self.best();
        let own = self.merits[seat];
        let winners = self.merits.iter().filter(|merit| **merit == best).count() as u64;
        let rival = self.merits.iter().enumerate().filter(|(other, _)| *other != seat);
        let rival = rival.map(|(_, merit)| merit.score()).max().unwrap_or(0);
        (if own == best { VICTORY / winners } else { 0 }, i32::from(own.score()) - i32::from(rival))
    }

    /// What a seat prefers among results with one key, so that what everybody does is settled: more of its
    /// own, then less of the others', then whatever comes last.
    pub(crate) fn preference(&self, seat: Seat) -> (Key, Merit, Reverse<u32>, &[Merit]) {
        let others = self.merits.iter().enumerate().filter(|(other, _)| *other != seat);
        let others = others.map(|(_, merit)| u32::from(merit.score())).sum();
        (self.key(seat), self.merits[seat], Reverse(others), &self.merits)
    }

    /// In points, one a seat.
    pub(crate) fn scores(&self) -> impl Iterator<Item = u16> {
        self.merits.iter().map(|merit| merit.score())
    }

    /// Margins in points, one a seat; to this one a victory comes first.
    fn worth(&self, wise: Seat) -> Worth {
        let mut worth = [0.0; Rules::MOST];
        for (seat, (worth, (victory, margin))) in worth.iter_mut().zip(self.keys()).enumerate() {
            *worth = f64::from(margin);
            if seat == wise {
                *worth += VICTORY_IN_POINTS * victory as f64 / VICTORY as f64;
            }
        }
        worth
    }

    /// One a seat.
    pub(crate) fn keys(&self) -> ArrayVec<Key, { Rules::MOST }> {
        (0..self.merits.len()).map(|seat| self.key(seat)).collect()
    }
}

impl From<Result> for Finish {
    fn from(result: Result) -> Finish {
        let mut finish = Finish {
            totals: [i64::MIN; Rules::MOST],
            margins: [0; Rules::MOST],
            victories: [0; Rules::MOST],
        };
        for (seat, (score, (victory, margin))) in result.scores().zip(result.keys()).enumerate() {
            finish.totals[seat] = i64::from(score);
            finish.margins[seat] = i64::from(margin);
            finish.victories[seat] = victory;
        }
        finish
    }
}

/// What an end is worth to each seat, in points.
type Worth = [f64; Rules::MOST];

/// More than most margins.
const VICTORY_IN_POINTS: f64 = 100.0;

/// So many points of margin more make a rival e times as likely to choose something.
const JUDGEMENT: f64 = 8.0;

type All = ArrayVec<Solo, { Rules::MOST }>;

/// The game, to be played well by everybody.
#[derive(Debug)]
pub(crate) struct Draft<'a> {
    rules: &'a Rules,
    solos: &'a Solos<'a>,
    lines: &'a [Claimable],
}

impl<'a> Draft<'a> {
    pub(crate) const fn new(rules: &'a Rules, solos: &'a Solos<'a>, lines: &'a [Claimable]) -> Draft<'a> {
        Draft { rules, solos, lines }
    }

    /// How it ends from here.
    pub(crate) fn play(&self, table: &Table, seats: &All) -> Option<Result> {
        let mut seats = seats.clone();
        if self.rules.players() == 2 {
            const LEAST: Key = (0, i32::MIN);
            const MOST: Key = (u64::MAX, i32::MAX);
            return self.two(*table, &mut seats, LEAST, MOST).map(|(_, result)| result);
        }
        self.many(*table, &mut seats)
    }

    fn at_end(&self, seats: &All) -> Option<Result> {
        let merits = seats.iter().map(|solo| match solo {
            Solo::Done(merit) => Some(*merit),
            Solo::Turn(_) => None,
        });
        Some(Result { merits: merits.collect::<Option<_>>()? })
    }

    /// The table whose next claim is to be made; `None` at the end.
    fn to_claim(&self, table: Table) -> Option<Table> {
        if table.left > 0 {
            return Some(table);
        }
        (usize::from(table.line) + 1 < self.lines.len()).then(|| table.next_line())
    }

    /// Everybody seeks their own best.
    fn many(&self, table: Table, seats: &mut All) -> Option<Result> {
        let Some(table) = self.to_claim(table) else { return self.at_end(seats) };
        let seat = usize::from(table.turns[0]);
        let Solo::Turn(turn) = seats[seat] else { return None };
        let mut best: Option<Result> = None;
        for place in 0..self.lines[usize::from(table.line)].len() {
            if table.claims[place] != FREE {
                continue;
            }
            for way in self.solos.ways(turn, place) {
                seats[seat] = *way;
                let result = self.many(table.after_claim(place), seats)?;
                if best.as_ref().is_none_or(|best| result.preference(seat) > best.preference(seat)) {
                    best = Some(result);
                }
            }
        }
        seats[seat] = Solo::Turn(turn);
        best
    }

    /// What this seat may hope for, in points, where it plays well from here on and its rivals err: they
    /// choose what is better more often, but not always (logit quantal response: McKelvey and Palfrey, "Quantal
    /// Response Equilibria for Extensive Form Games", 1998).
    ///
    /// That tells apart what is alike where everybody plays well, above all where everything is lost. With two
    /// players it made no difference, so they are spared it.
    pub(crate) fn hope(&self, seat: Seat, table: &Table, seats: &All) -> Option<f64> {
        if self.rules.players() == 2 {
            return Some(0.0);
        }
        self.expected(seat, *table, &mut seats.clone()).map(|worth| worth[seat])
    }

    /// What it is worth to everybody if only this seat plays well.
    fn expected(&self, wise: Seat, table: Table, seats: &mut All) -> Option<Worth> {
        let Some(table) = self.to_claim(table) else { return Some(self.at_end(seats)?.worth(wise)) };
        let seat = usize::from(table.turns[0]);
        let Solo::Turn(turn) = seats[seat] else { return None };
        let (mut best, mut sum, mut all) = ([f64::NEG_INFINITY; Rules::MOST], [0.0; Rules::MOST], 0.0);
        for place in 0..self.lines[usize::from(table.line)].len() {
            if table.claims[place] != FREE {
                continue;
            }
            for way in self.solos.ways(turn, place) {
                seats[seat] = *way;
                let worth = self.expected(wise, table.after_claim(place), seats)?;
                if worth[seat] > best[seat] {
                    best = worth;
                }
                let odds = (worth[seat] / JUDGEMENT).exp();
                all += odds;
                for (sum, worth) in sum.iter_mut().zip(worth) {
                    *sum += odds * worth;
                }
            }
        }
        seats[seat] = Solo::Turn(turn);
        Some(if seat == wise { best } else { sum.map(|sum| sum / all) })
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
        'claims: for place in 0..self.lines[usize::from(table.line)].len() {
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

/// The same result for the other of two players.
const fn other((victory, margin): Key) -> Key {
    match victory {
        u64::MAX => (0, i32::MIN),
        _ if margin == i32::MIN => (u64::MAX, i32::MAX),
        _ => (VICTORY - victory, -margin),
    }
}
