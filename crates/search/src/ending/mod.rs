//! Exact endings: what is left when every line that will still be claimed from is known.
//!
//! Nothing is hidden then. Each seat's placements are looked at alone (`solo`); what remains is a small
//! game of claims over what they come to (`draft`), in which every seat seeks its own victory first (max^n; for
//! two players that is minimax). Of what comes to as much of a victory, it takes what does most against
//! rivals who do not always play well, and then the best margin. Placements that are worse for their own
//! kingdom whatever is claimed are never made.

mod draft;
mod merit;
mod outlook;
mod solo;

use std::cmp::Ordering;

use rustc_hash::{FxHashMap, FxHashSet};

use kingdomino_rules::{Action, Domino, DominoSet, Position, Seat, Stage};

use crate::analysis::ActionAnalysis;
use crate::ending::draft::{Draft, Table};
use crate::ending::outlook::Outlook;
use crate::ending::solo::{Finishes, Hand, Lines, Solo, Solos, Unknown, without_lowest};
use crate::finish::{Finish, VICTORY};
use crate::prospect::Prospect;

/// Finished kingdoms between two questions whether to go on; a few milliseconds.
const SLICE: u64 = 1 << 14;

/// So many times that, and it is given up; a few seconds.
const MOST_SLICES: u32 = 1 << 11;

/// So many for one of the endings inside a search, which has other ways to judge; about a millisecond.
const SMALL_BUDGET: u64 = 1 << 14;

/// An action, and how the game ends after it when everybody plays well.
#[derive(Clone, Debug)]
pub struct Solved {
    /// One of the legal actions.
    pub action: Action,
    /// A placement that is worse for its own kingdom than another, whatever is claimed.
    wasteful: bool,
    outlook: Outlook,
}

impl Solved {
    /// Which is better for this seat. What nobody is expected to do in the draft is not done here either, or
    /// an ending would not end as it was said.
    fn compare(&self, other: &Solved, seat: Seat) -> Ordering {
        other.wasteful.cmp(&self.wasteful).then_with(|| self.outlook.compare(&other.outlook, seat))
    }

    pub(crate) fn analysis(&self) -> ActionAnalysis {
        let result = &self.outlook.result;
        let keys = result.keys();
        ActionAnalysis {
            action: self.action,
            playouts: 0,
            win_rates: keys.iter().map(|(victory, _)| *victory as f64 / VICTORY as f64).collect(),
            mean_scores: result.scores().map(f64::from).collect(),
            mean_margin: keys.iter().map(|(_, margin)| f64::from(*margin)).collect(),
            line: vec![self.action],
        }
    }
}

/// Whether every line that will be claimed from is on the table, or known because it is all that is left.
pub fn is_ending(position: &Position) -> bool {
    match position.stage() {
        Stage::Place | Stage::Claim => {}
        Stage::Reveal | Stage::Draw | Stage::Over => return false,
    }
    position.round() > 0
        && (position.lines_to_come() == 0 || position.lines_to_come() == 1 && is_next_line_known(position))
}

/// Whether the unseen dominoes are exactly the next line.
pub(crate) fn is_next_line_known(position: &Position) -> bool {
    let rules = position.rules();
    rules.dominoes_in_play() == Domino::COUNT && position.unseen().len() == rules.line_length()
}

/// An ending that is being solved, and what has been found out about it.
#[derive(Clone, Debug)]
pub(crate) struct Ending {
    position: Position,
    solos: Solos,
    slices: u32,
}

/// Why an ending is not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unsolved {
    /// It was told to stop, and can go on from there.
    Stopped,
    /// It would take too long (kingdoms with much room left, as only poor play leaves them).
    TooLarge,
}

impl Ending {
    /// `None` where it is no ending.
    pub(crate) fn of(position: &Position) -> Option<Ending> {
        is_ending(position).then(|| Ending {
            position: *position,
            solos: Solos::new(position.rules(), lines_of(position), Finishes::default(), SLICE),
            slices: 0,
        })
    }

    /// Every legal action, the best first. `keep_going` is asked every few milliseconds.
    pub(crate) fn solve(&mut self, keep_going: &mut dyn FnMut() -> bool) -> Result<Vec<Solved>, Unsolved> {
        loop {
            match self.solve_a_slice() {
                Ok(solved) => return Ok(solved),
                Err(Unknown::Yet) if self.slices < MOST_SLICES => {}
                Err(_) => return Err(Unsolved::TooLarge),
            }
            self.slices += 1;
            self.solos.allow(SLICE);
            if !keep_going() {
                return Err(Unsolved::Stopped);
            }
        }
    }

    fn solve_a_slice(&mut self) -> Result<Vec<Solved>, Unknown> {
        let (position, solos) = (&self.position, &mut self.solos);
        let (seat, offered) = (position.to_move().ok_or(Unknown::Ever)?, position.offered());
        let table = Table::new(position);
        let others = (0..position.rules().players())
            .map(|other| if other == seat { Ok(None) } else { solos.of(&hand(position, other)).map(Some) })
            .collect::<Result<Vec<_>, _>>()?;
        let mut ways = Vec::new();
        for action in position.legal_actions() {
            let mut after = *position;
            after.play(action).map_err(|_| Unknown::Ever)?;
            let own = solos.of(&hand_after(position, &after, seat, action))?;
            ways.push((action, own));
        }
        let game = Draft::new(solos);
        let owns: FxHashSet<Solo> = ways.iter().map(|(_, own)| *own).collect();
        // Many placements come to the same.
        let mut known: FxHashMap<Solo, (bool, Outlook)> = FxHashMap::default();
        let mut solved = Vec::new();
        for (action, own) in ways {
            let play = |table| {
                let all = others.iter().map(|other| other.unwrap_or(own)).collect();
                game.play(&table, &all).ok_or(Unknown::Ever)
            };
            let (wasteful, outlook) = match action {
                Action::Claim(domino) => {
                    let place = offered.dominoes().position(|one| one == domino).ok_or(Unknown::Ever)?;
                    (false, play(table.after_claim(place))?)
                }
                // A placement changes the kingdom, not the claims.
                Action::Place(_) | Action::Discard => match known.get(&own) {
                    Some(known) => known.clone(),
                    None => {
                        let wasteful = owns.iter().any(|other| solos.is_worse(own, *other));
                        known.entry(own).insert_entry((wasteful, play(table)?)).get().clone()
                    }
                },
            };
            solved.push(Solved { action, wasteful, outlook });
        }
        solved.sort_by(|one, other| other.compare(one, seat));
        Ok(solved)
    }
}

/// Every legal action of an ending, the best first; `None` where it is no ending, or one that would take too
/// long.
pub fn solve(position: &Position) -> Option<Vec<Solved>> {
    Ending::of(position)?.solve(&mut || true).ok()
}

fn outlook_of(position: &Position, solos: &mut Solos) -> Option<Outlook> {
    let all: Result<_, _> =
        (0..position.rules().players()).map(|seat| solos.of(&hand(position, seat))).collect();
    all.ok().and_then(|all| Draft::new(solos).play(&Table::new(position), &all))
}

/// Solves many positions under the same rules. What is found out about a kingdom is kept for other positions with
/// the same lines to claim from: there, many take little more time than one.
#[derive(Clone, Debug)]
pub struct Endings {
    /// Finished kingdoms that may be looked at for one position.
    budget: u64,
    /// How many placements of a domino are tried in the Mighty Duel while two lines are to be claimed from; all
    /// without a limit.
    width: Option<usize>,
    /// By the line on offer and the one after it.
    solos: FxHashMap<(DominoSet, DominoSet), Solos>,
    /// Of all `solos`.
    turns: usize,
    /// They are with whichever `solos` are at work.
    finishes: Finishes,
}

impl Endings {
    /// Turns that are kept; some 50 MB.
    const MOST_TURNS: usize = 1 << 15;

    /// However long it takes.
    pub fn exact() -> Endings {
        Endings::new(u64::MAX, None)
    }

    /// In about a millisecond or not at all. In the Mighty Duel with a line to come that is too little time, and only
    /// three placements of each domino are tried, those that the tuned policy likes best: margins are then wrong by one
    /// point in the mean.
    pub(crate) fn quick() -> Endings {
        Endings::new(SMALL_BUDGET, Some(3))
    }

    fn new(budget: u64, width: Option<usize>) -> Endings {
        Endings { budget, width, solos: FxHashMap::default(), turns: 0, finishes: Finishes::default() }
    }

    /// How the game ends when all play well. `None` if it is not an ending or is too large.
    pub fn outcome(&mut self, position: &Position) -> Option<Prospect> {
        Some(Finish::from(self.outlook(position)?.result).into())
    }

    fn outlook(&mut self, position: &Position) -> Option<Outlook> {
        if !is_ending(position) {
            return None;
        }
        if self.turns > Endings::MOST_TURNS {
            self.solos.clear();
            self.turns = 0;
        }
        let lines = (position.offered().dominoes().collect(), position.unseen());
        let solos = self.solos.entry(lines).or_insert_with(|| {
            let mut solos = Solos::new(position.rules(), lines_of(position), Finishes::default(), 0);
            let is_large = position.rules().mighty_duel() && position.lines_to_come() > 0;
            if let Some(width) = self.width.filter(|_| is_large) {
                solos.narrow(position, width);
            }
            solos
        });
        let turns = solos.turns();
        solos.allow(self.budget);
        solos.swap_finishes(&mut self.finishes);
        let outlook = outlook_of(position, solos);
        solos.swap_finishes(&mut self.finishes);
        self.turns += 1 + solos.turns() - turns;
        outlook
    }
}

/// The lines that will still be claimed from.
fn lines_of(position: &Position) -> Lines {
    let mut lines = Lines::new();
    if !position.offered().is_empty() {
        lines.push(position.offered().dominoes().collect());
    }
    if position.lines_to_come() > 0 {
        lines.push(position.unseen().into_iter().collect());
    }
    lines
}

/// What this seat has before it.
fn hand(position: &Position, seat: usize) -> Hand {
    let mine = |line: &kingdomino_rules::Line, from: usize| -> DominoSet {
        (from..line.len())
            .filter(|place| line.king(*place) == Some(seat))
            .map(|place| line.domino(place))
            .collect()
    };
    let placed = position.stage() == Stage::Claim && position.to_move() == Some(seat);
    // In the claim of a turn its own domino lies already.
    let from = position.turn() + usize::from(position.stage() == Stage::Claim);
    Hand {
        kingdom: position.kingdoms()[seat],
        dominoes: mine(position.line(), from),
        claimed: mine(position.offered(), 0),
        line: 0,
        placed,
    }
}

/// The same after an action of this seat. The position may be a round further, so what matters is taken
/// from the one before.
fn hand_after(before: &Position, after: &Position, seat: usize, action: Action) -> Hand {
    let mut hand = hand(before, seat);
    match action {
        Action::Claim(domino) => {
            hand.claimed.insert(domino);
            hand.placed = false;
        }
        Action::Place(_) | Action::Discard => {
            hand.kingdom = after.kingdoms()[seat];
            hand.dominoes = without_lowest(hand.dominoes);
            hand.placed = !before.offered().is_empty();
        }
    }
    hand
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ending::merit::Merit;
    use crate::{Policy, choose};
    use kingdomino_rules::{Game, Rules};

    /// How the game ends when everybody acts by the rule, by trying every turn. Which placements are wasteful
    /// and what may be hoped for is believed, nothing else; `None` where that is more than `budget` positions.
    fn brute_force(position: &Position, budget: &mut u32) -> Option<outlook::Result> {
        *budget = budget.checked_sub(1)?;
        if position.is_over() {
            return Some(end(position));
        }
        let seat = position.to_move()?;
        let mut solos = Solos::new(position.rules(), lines_of(position), Finishes::default(), SMALL_BUDGET);
        let turns: Option<Vec<_>> = turns(position)
            .into_iter()
            .map(|(claim, own, next)| {
                let hope = if next.is_over() { 0 } else { Endings::exact().outlook(&next)?.hope(seat) };
                Some((claim, solos.of(&own).ok()?, hope, brute_force(&next, budget)?))
            })
            .collect();
        let turns = turns?;
        let wasteful = |claim: Option<Domino>, own: Solo| {
            turns.iter().any(|(other, better, ..)| *other == claim && solos.is_worse(own, *better))
        };
        let sensible = turns.iter().filter(|(claim, own, ..)| !wasteful(*claim, *own));
        let best = sensible.max_by_key(|(_, _, hope, result)| {
            let (preference, rest) = (result.key(seat), result.preference(seat));
            (preference.0, *hope, rest)
        });
        best.map(|(.., result)| result.clone())
    }

    /// What is left of a turn, in all ways: the claim, the hand of the mover after it, and the position where
    /// the next one is to act.
    fn turns(position: &Position) -> Vec<(Option<Domino>, Hand, Position)> {
        let (seat, stage) = (position.to_move().expect("somebody is to move"), position.stage());
        let mut turns = Vec::new();
        for action in position.legal_actions() {
            let mut next = *position;
            next.play(action).expect("it is legal");
            let own = hand_after(position, &next, seat, action);
            match action {
                Action::Place(_) | Action::Discard if next.stage() == Stage::Claim => {
                    assert_eq!((stage, next.to_move()), (Stage::Place, Some(seat)));
                    turns.extend(self::turns(&next));
                }
                Action::Place(_) | Action::Discard => turns.push((None, own, next)),
                Action::Claim(domino) => {
                    if next.stage() == Stage::Reveal {
                        next.reveal(position.unseen());
                    }
                    turns.push((Some(domino), own, next));
                }
            }
        }
        turns
    }

    fn end(position: &Position) -> outlook::Result {
        let kingdoms = position.kingdoms().iter();
        outlook::Result::new(kingdoms.map(|kingdom| Merit::of(kingdom, position.rules())).collect())
    }

    /// The first ending in each of some games between policies.
    fn endings(rules: &str, games: u64) -> impl Iterator<Item = Game> {
        let rules = rules.parse::<Rules>().expect("a rules set");
        (0..games).map(move |seed| {
            let mut game = Game::new(rules, seed);
            let policy = if seed % 3 == 0 { Policy::Greedy } else { Policy::Tuned };
            while !is_ending(game.position()) {
                let action = choose(game.position(), policy, 1).expect("somebody is to move");
                game.play(action).expect("the choice is legal");
            }
            game
        })
    }

    fn agree_with_brute_force(rules: &[&str]) {
        for rules in rules {
            for mut game in endings(rules, 30) {
                // The nearer the end, the less there is to try.
                while !agrees_with_brute_force(game.position()) {
                    let action = choose(game.position(), Policy::Tuned, 1).expect("somebody is to move");
                    game.play(action).expect("the choice is legal");
                }
            }
        }
    }

    /// Whether it could be tried; and if so, what is said of every action is asserted to be true.
    fn agrees_with_brute_force(position: &Position) -> bool {
        let mut budget = 4_000;
        for solved in solve(position).expect("an ending") {
            let mut next = *position;
            next.play(solved.action).expect("it is legal");
            if next.stage() == Stage::Reveal {
                next.reveal(position.unseen());
            }
            let Some(result) = brute_force(&next, &mut budget) else { return false };
            assert_eq!(solved.outlook.result.keys(), result.keys(), "{} in {position}", solved.action);
            if !next.is_over() {
                let outlook = Endings::exact().outlook(&next).expect("an ending");
                let outcome = Finish::from(outlook.result);
                // Two who part with as much more or less each have the same margins.
                let sought = |finish: Finish| (finish.victories, finish.margins);
                assert_eq!(sought(outcome), sought(Finish::from(result)), "{position}");
            }
        }
        true
    }

    #[test]
    fn what_is_kept_of_other_positions_changes_no_outcome() {
        for rules in ["2.second.random.harmony", "3.second.random.harmony", "4.second.random.middle"] {
            let mut kept = Endings::exact();
            for mut game in endings(rules, 10) {
                while !game.position().is_over() {
                    let position = game.position();
                    assert_eq!(kept.outcome(position), Endings::exact().outcome(position), "{position}");
                    let action = choose(position, Policy::Tuned, 1).expect("a seat is to move");
                    game.play(action).expect("the choice is legal");
                }
            }
        }
    }

    #[test]
    fn few_placements_come_near_to_all_of_them_in_the_mighty_duel() {
        let (mut wrong_by, mut count) = (0.0, 0.0);
        for game in endings("2.second.random.duel.harmony.middle", 12) {
            let position = game.position();
            let exact = Endings::exact().outcome(position).expect("an ending");
            // Kingdoms that were built badly have too much room left.
            let Some(quick) = Endings::quick().outcome(position) else { continue };
            wrong_by += (quick.margins[0] - exact.margins[0]).abs();
            count += 1.0;
        }
        assert!(count >= 6.0 && wrong_by / count < 2.0, "{wrong_by} in {count}");
    }

    #[test]
    fn an_ending_ends_as_it_was_said() {
        for (rules, most_others) in [
            ("2.second.random.harmony.middle", 0),
            ("2.second.random.duel", 0),
            // Whoever has placed may find more hope in a claim that went better with another placement, which
            // the draft leaves out; once in 600 endings somebody else wins then.
            ("3.second.random.harmony", 1),
            ("4.second.random.harmony.middle", 1),
        ] {
            let mut others = 0;
            for mut game in endings(rules, 60) {
                let said = solve(game.position()).expect("an ending").swap_remove(0).outlook.result;
                while !game.position().is_over() {
                    let solved = solve(game.position()).expect("an ending");
                    game.play(solved[0].action).expect("the choice is legal");
                }
                let victories =
                    |result: outlook::Result| result.keys().into_iter().map(|(victory, _)| victory);
                others += u32::from(!victories(said).eq(victories(end(game.position()))));
            }
            assert!(others <= most_others, "{rules}: {others}");
        }
    }

    #[test]
    fn endings_of_two_agree_with_brute_force() {
        agree_with_brute_force(&[
            "2.second.random.harmony.middle",
            "2.first.snake",
            "2.second.random.duel.harmony.middle",
        ]);
    }

    #[test]
    fn endings_of_more_agree_with_brute_force() {
        agree_with_brute_force(&[
            "3.second.random.harmony",
            "3.first.random",
            "4.second.random.harmony.middle",
            "4.first.random",
        ]);
    }

    /// Victories of whoever is the first to act in an ending and plays it so, against three who do not think.
    fn victories(play_well: impl Fn(&Position, Seat) -> Action) -> f64 {
        let mut victories = 0.0;
        for seed in 0..60 {
            let rules = "4.second.random.harmony.middle".parse().expect("a rules set");
            let mut game = Game::new(rules, seed);
            let mut wise = None;
            while !game.position().is_over() {
                let position = game.position();
                let seat = position.to_move().expect("somebody is to move");
                if wise.is_none() && is_ending(position) {
                    wise = Some(seat);
                }
                let action = if wise == Some(seat) {
                    play_well(position, seat)
                } else {
                    choose(position, Policy::Fg, seed).expect("somebody is to move")
                };
                game.play(action).expect("the choice is legal");
            }
            let winners = game.position().outcome().expect("it is over").winners;
            victories +=
                wise.filter(|wise| winners.contains(wise)).map_or(0.0, |_| 1.0 / winners.len() as f64);
        }
        victories
    }

    #[test]
    fn to_hope_for_mistakes_wins_more_than_to_fear_none() {
        let hoping = victories(|position, _| solve(position).expect("an ending")[0].action);
        let fearless = victories(|position, seat| {
            let solved = solve(position).expect("an ending");
            let best = solved.iter().max_by_key(|solved| solved.outlook.result.preference(seat));
            best.expect("something is legal").action
        });
        assert!(hoping > fearless, "{hoping}, {fearless}");
    }

    #[test]
    fn an_ending_begins_when_the_last_unknown_line_is_revealed() {
        for (rules, lines) in [("2.second.random", 0), ("3.first.random", 0), ("3.second.random", 1)] {
            let mut game = Game::new(rules.parse::<Rules>().expect("a rules set"), 4);
            while !game.position().is_over() {
                let position = game.position();
                assert_eq!(is_ending(position), position.lines_to_come() <= lines && position.round() > 0);
                assert_eq!(solve(position).is_some(), is_ending(position));
                let action = choose(position, Policy::Tuned, 1).expect("somebody is to move");
                game.play(action).expect("the choice is legal");
            }
            assert!(solve(game.position()).is_none());
        }
    }
}
