//! What one seat can still reach, whatever the others do.
//!
//! Kingdoms never touch each other: what a player's placements are worth depends on nothing but the
//! dominoes that this player gets. So each seat's placements can be looked at alone. What is left of
//! them is, for each domino that the seat may claim next, the ways of going on that are not worse than
//! another in every case.

use arrayvec::ArrayVec;
use rustc_hash::FxHashMap;

use kingdomino_rules::{Domino, DominoSet, Kingdom, Position, Rules, Spot};

use crate::cpu::{Cpu, Task, run_on_best};
use crate::ending::merit::Merit;
use crate::tuned::Tuned;
use crate::weights::Weights;

/// A line that is still to be claimed from, lowest domino first.
pub(crate) type Claimable = ArrayVec<Domino, 4>;

pub(crate) type Lines = ArrayVec<Claimable, 2>;

/// What a seat has before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Solo {
    /// Nothing to claim any more: the best that its last placements come to.
    Done(Merit),
    /// A turn; `Solos` knows where it may lead.
    Turn(u32),
}

/// Where a turn may lead: by place in the line, the ways of going on after that claim.
type Ways = [ArrayVec<Solo, MOST_WAYS>; 4];

/// More ways than ever were left: placements that cannot be compared, out of some ten.
const MOST_WAYS: usize = 24;

/// Who has which dominoes still before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Hand {
    pub(crate) kingdom: Kingdom,
    /// Under its kings in this round, to be placed lowest first.
    pub(crate) dominoes: DominoSet,
    /// Claimed in this round.
    pub(crate) claimed: DominoSet,
    /// Which of the lines is being claimed from.
    pub(crate) line: u8,
    /// The domino of this turn lies; what is left of it is the claim.
    pub(crate) placed: bool,
}

/// Why something is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// The budget is spent. What has been found out is kept: with more of it, it goes on from there.
    Yet,
    /// It never will be: there is too much of it.
    Ever,
}

/// What kingdoms come to with their last two dominoes. It holds for every position under the same rules, so
/// whoever solves many that are alike keeps it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Finishes(FxHashMap<(Kingdom, DominoSet), Merit>);

impl Finishes {
    /// Then it begins anew; some 6 MB.
    const MOST: usize = 1 << 15;

    fn get(&self, kingdom: &Kingdom, dominoes: DominoSet) -> Option<Merit> {
        self.0.get(&(*kingdom, dominoes)).copied()
    }

    fn keep(&mut self, kingdom: &Kingdom, dominoes: DominoSet, merit: Merit) {
        if self.0.len() == Finishes::MOST {
            self.0.clear();
        }
        self.0.insert((*kingdom, dominoes), merit);
    }
}

/// Everything that has been found out about the seats of one position.
#[derive(Clone, Debug)]
pub(crate) struct Solos {
    rules: Rules,
    /// The lines still to be claimed from.
    lines: Lines,
    known: FxHashMap<Hand, Solo>,
    turns: Vec<Ways>,
    /// Turns that are alike are one.
    numbers: FxHashMap<Ways, u32>,
    finishes: Finishes,
    /// Finished kingdoms that may still be looked at.
    budget: u64,
    /// Where not every placement is tried.
    beam: Option<Beam>,
}

/// The policy that says which placements are tried while dominoes are still to be claimed, and how many.
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

impl Solos {
    /// From now on only so many placements of a domino are tried while dominoes are still to be claimed: those
    /// that the tuned policy likes best.
    pub(crate) fn narrow(&mut self, position: &Position, width: usize) {
        let policy = Tuned::new(Weights::of(position.rules()));
        self.beam = Some(Beam { policy, position: *position, width });
    }

    pub(crate) fn new(rules: &Rules, lines: Lines, finishes: Finishes, budget: u64) -> Solos {
        Solos {
            rules: *rules,
            lines,
            known: FxHashMap::default(),
            turns: Vec::new(),
            numbers: FxHashMap::default(),
            finishes,
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

    /// From now on so many finished kingdoms may be looked at.
    pub(crate) const fn allow(&mut self, budget: u64) {
        self.budget = budget;
    }

    pub(crate) const fn swap_finishes(&mut self, finishes: &mut Finishes) {
        std::mem::swap(&mut self.finishes, finishes);
    }

    /// How many there are.
    pub(crate) const fn turns(&self) -> usize {
        self.turns.len()
    }

    /// Where the turn may lead after a claim.
    pub(crate) fn ways(&self, turn: u32, place: usize) -> &[Solo] {
        &self.turns[turn as usize][place]
    }

    /// What a hand can come to.
    pub(crate) fn of(&mut self, hand: &Hand) -> Result<Solo, Unknown> {
        if usize::from(hand.line) == self.lines.len() {
            return self.finish(&hand.kingdom, hand.dominoes).map(Solo::Done);
        }
        if !hand.placed && hand.dominoes.is_empty() {
            let line = hand.line + 1;
            return self.of(&Hand { dominoes: hand.claimed, claimed: DominoSet::EMPTY, line, ..*hand });
        }
        if let Some(solo) = self.known.get(hand) {
            return Ok(*solo);
        }
        let mut ways = Ways::default();
        let line = self.lines[usize::from(hand.line)].clone();
        let mut go_on = |solos: &mut Self, kingdom: Kingdom, dominoes: DominoSet| {
            for (place, domino) in line.iter().enumerate() {
                let mut claimed = hand.claimed;
                if claimed.insert(*domino) {
                    let way =
                        solos.of(&Hand { kingdom, dominoes, claimed, line: hand.line, placed: false })?;
                    solos.add(&mut ways[place], way)?;
                }
            }
            Ok(())
        };
        match lowest(hand.dominoes).filter(|_| !hand.placed) {
            None => go_on(self, hand.kingdom, hand.dominoes)?,
            Some(domino) => {
                let rest = without_lowest(hand.dominoes);
                let spots: ArrayVec<Spot, 256> = match &mut self.beam {
                    None => hand.kingdom.placements(domino).spots().collect(),
                    Some(Beam { policy, position, width }) => {
                        let ranked = policy.ranked_in(position, &hand.kingdom, domino);
                        ranked.into_iter().map(|(_, spot)| spot).take(*width).collect()
                    }
                };
                if spots.is_empty() {
                    go_on(self, hand.kingdom, rest)?;
                }
                for spot in spots {
                    let mut kingdom = hand.kingdom;
                    kingdom.place(domino, spot);
                    go_on(self, kingdom, rest)?;
                }
            }
        }
        let solo = Solo::Turn(self.number(ways));
        self.known.insert(*hand, solo);
        Ok(solo)
    }

    /// The best of placing these dominoes, lowest first, where nothing is to be claimed any more.
    pub(crate) fn finish(&mut self, kingdom: &Kingdom, dominoes: DominoSet) -> Result<Merit, Unknown> {
        let Some(domino) = lowest(dominoes) else {
            return Ok(Merit::of(kingdom, &self.rules));
        };
        let rest = without_lowest(dominoes);
        if rest.is_empty() {
            let (best, looked_at) = run_on_best(Last { kingdom, domino, rules: &self.rules });
            self.budget = self.budget.checked_sub(looked_at).ok_or(Unknown::Yet)?;
            return Ok(best);
        }
        if let Some(known) = self.finishes.get(kingdom, dominoes) {
            return Ok(known);
        }
        let placements = kingdom.placements(domino);
        if placements.is_empty() {
            return self.finish(kingdom, rest);
        }
        let mut best = Merit::default();
        for spot in placements.spots() {
            let mut next = *kingdom;
            next.place(domino, spot);
            best = best.max(self.finish(&next, rest)?);
        }
        self.finishes.keep(kingdom, dominoes, best);
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

    /// Adds a way that is not worse than one that is there, and takes away what is worse than it.
    fn add(&self, ways: &mut ArrayVec<Solo, MOST_WAYS>, way: Solo) -> Result<(), Unknown> {
        if ways.iter().any(|other| self.is_no_better(way, *other)) {
            return Ok(());
        }
        ways.retain(|other| !self.is_no_better(*other, way));
        ways.try_push(way).map_err(|_| Unknown::Ever)
    }

    /// Whether one is worse than the other in some case, and better in none.
    pub(crate) fn is_worse(&self, one: Solo, other: Solo) -> bool {
        self.is_no_better(one, other) && !self.is_no_better(other, one)
    }

    /// Whether one is no better than the other, whatever is claimed.
    fn is_no_better(&self, one: Solo, other: Solo) -> bool {
        match (one, other) {
            _ if one == other => true,
            (Solo::Done(one), Solo::Done(other)) => one <= other,
            (Solo::Turn(one), Solo::Turn(other)) => (0..4).all(|place| {
                let others = self.ways(other, place);
                self.ways(one, place)
                    .iter()
                    .all(|one| others.iter().any(|other| self.is_no_better(*one, *other)))
            }),
            _ => false,
        }
    }
}

/// The best that a kingdom's last domino can come to, and how many places it has; most of what an ending
/// takes.
struct Last<'a> {
    kingdom: &'a Kingdom,
    domino: Domino,
    rules: &'a Rules,
}

impl Task for Last<'_> {
    type Output = (Merit, u64);

    #[inline(always)]
    fn run(self, _: impl Cpu) -> (Merit, u64) {
        let Last { kingdom, domino, rules } = self;
        let placements = kingdom.placements(domino);
        if placements.is_empty() {
            return (Merit::of(kingdom, rules), 1);
        }
        let mut best = Merit::default();
        for spot in placements.spots() {
            let mut next = *kingdom;
            next.place(domino, spot);
            let score = next.score(rules).total();
            // The tie-breaks take as long again, and few kingdoms score as much as the best.
            if score >= best.score() {
                best = best.max(Merit::with_score(&next, rules, score));
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
