//! Exact endings: what is left when every line that will still be claimed from is known.
//!
//! Nothing is hidden then. Each seat's placements are looked at alone (`solo`); what remains is a small
//! game of claims over what they come to, in which every seat seeks its own victory first and its own
//! margin second (max^n; for two players that is minimax). Placements that are worse for their own
//! kingdom whatever is claimed are never made. Of actions that come to as much of a victory, the best one
//! is that which does most against rivals who do not always play well.

mod draft;
mod merit;
mod solo;

use std::cmp::Ordering;

use arrayvec::ArrayVec;

use kingdomino_rules::{Action, Domino, DominoSet, Position, Seat, Stage};

use crate::analysis::ActionAnalysis;
use crate::ending::draft::{Draft, Table};
pub(crate) use crate::ending::solo::Finishes;
use crate::ending::solo::{Claimable, Hand, Solos, without_lowest};
use crate::finish::{Finish, VICTORY};

/// Finished kingdoms that are looked at before it is given up; a few seconds.
const BUDGET: u64 = 1 << 25;

/// The same inside a search, which has other ways to judge; about a millisecond.
const SMALL_BUDGET: u64 = 1 << 14;

/// An action, and how the game ends after it when everybody plays well.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// One of the legal actions.
    pub action: Action,
    result: draft::Result,
    /// What the one who acts may hope for where the others do not, in points.
    hope: f64,
}

impl Solved {
    /// Which is better for this seat: victory first, then what may be hoped for, then the margin.
    fn compare(&self, other: &Solved, seat: Seat) -> Ordering {
        let victory = |solved: &Solved| solved.result.key(seat).0;
        let by_victory = victory(self).cmp(&victory(other));
        by_victory
            .then(self.hope.total_cmp(&other.hope))
            .then_with(|| self.result.preference(seat).cmp(&other.result.preference(seat)))
    }

    pub(crate) fn analysis(&self) -> ActionAnalysis {
        let keys = self.result.keys();
        ActionAnalysis {
            action: self.action,
            playouts: 0,
            win_rates: keys.iter().map(|(victory, _)| *victory as f64 / VICTORY as f64).collect(),
            mean_scores: self.result.scores().map(f64::from).collect(),
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

/// Every legal action of an ending, the best first; `None` where it is no ending, or one that would
/// take too long (kingdoms with much room left, as only poor play leaves them).
pub fn solve(position: &Position) -> Option<Vec<Solved>> {
    let seat = position.to_move().filter(|_| is_ending(position))?;
    let (rules, offered, lines) = (position.rules(), position.offered(), lines_of(position));
    let mut finishes = Finishes::default();
    let mut solos = Solos::new(rules, &lines, &mut finishes, BUDGET);
    let table = Table::new(position);
    let others: Option<Vec<_>> = (0..rules.players())
        .map(|other| if other == seat { Some(None) } else { solos.of(&hand(position, other)).ok().map(Some) })
        .collect();
    let others = others?;
    let mut solved = Vec::new();
    for action in position.legal_actions() {
        let mut after = *position;
        after.play(action).ok()?;
        let draft = match action {
            Action::Claim(domino) => table.after_claim(offered.dominoes().position(|one| one == domino)?),
            // A placement changes the kingdom, not the claims.
            Action::Place(_) | Action::Discard => table,
        };
        let own = solos.of(&hand_after(position, &after, seat, action)).ok()?;
        let all = others.iter().map(|other| other.unwrap_or(own)).collect();
        let game = Draft::new(rules, &solos, &lines);
        solved.push(Solved {
            action,
            result: game.play(&draft, &all)?,
            hope: game.hope(seat, &draft, &all)?,
        });
    }
    solved.sort_by(|one, other| other.compare(one, seat));
    Some(solved)
}

/// How an ending ends when everybody plays well; `None` where that would take too long inside a search.
pub(crate) fn outcome(position: &Position, finishes: &mut Finishes) -> Option<Finish> {
    let (rules, lines) = (position.rules(), lines_of(position));
    let mut solos = Solos::new(rules, &lines, finishes, SMALL_BUDGET);
    let all: Option<_> = (0..rules.players()).map(|seat| solos.of(&hand(position, seat)).ok()).collect();
    let result = Draft::new(rules, &solos, &lines).play(&Table::new(position), &all?)?;
    Some(result.into())
}

/// The lines that will still be claimed from.
fn lines_of(position: &Position) -> ArrayVec<Claimable, 2> {
    let mut lines = ArrayVec::new();
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

    /// How the game ends when everybody seeks their best, by trying everything; `None` where that is
    /// more than `budget` positions.
    fn brute_force(position: &Position, budget: &mut u32) -> Option<draft::Result> {
        *budget = budget.checked_sub(1)?;
        if position.is_over() {
            return Some(draft::Result::new(
                position.kingdoms().iter().map(|kingdom| Merit::of(kingdom, position.rules())).collect(),
            ));
        }
        if position.stage() == Stage::Reveal {
            let mut next = *position;
            next.reveal(position.unseen());
            return brute_force(&next, budget);
        }
        let seat = position.to_move()?;
        let mut best: Option<draft::Result> = None;
        for action in position.legal_actions() {
            let mut next = *position;
            next.play(action).ok()?;
            let result = brute_force(&next, budget)?;
            if best.as_ref().is_none_or(|best| result.preference(seat) > best.preference(seat)) {
                best = Some(result);
            }
        }
        best
    }

    /// Endings on the way of games between policies, each at a ply that brute force can manage.
    fn endings(rules: &str, mut check: impl FnMut(&Position, &draft::Result)) -> usize {
        let mut found = 0;
        for seed in 0..30 {
            let rules = rules.parse::<Rules>().expect("a rules set");
            let mut game = Game::new(rules, seed);
            let policy = if seed % 3 == 0 { Policy::Greedy } else { Policy::Tuned };
            while !game.position().is_over() {
                let position = game.position();
                if is_ending(position)
                    && let Some(result) = brute_force(position, &mut 60_000)
                {
                    check(position, &result);
                    found += 1;
                    break;
                }
                let action = choose(position, policy, 1).expect("somebody is to move");
                game.play(action).expect("the choice is legal");
            }
        }
        found
    }

    fn nobody_can_do_better(rules: &[&str]) {
        for rules in rules {
            let mut finishes = Finishes::default();
            let found = endings(rules, |position, result| {
                let seat = position.to_move().expect("somebody is to move");
                let solved = solve(position).expect("an ending");
                assert_eq!(solved[0].result.key(seat).0, result.key(seat).0, "{position}");
                let best = solved.iter().map(|solved| &solved.result);
                let best = best.max_by_key(|result| result.preference(seat)).expect("something is legal");
                assert_eq!(best.key(seat), result.key(seat), "{position}");
                let short = outcome(position, &mut finishes).expect("few finished kingdoms are left");
                let long = Finish::from(best.clone());
                // What leaves the victory and the margin as they are may differ.
                let sought = |finish: &Finish| (finish.victories[seat], finish.margins[seat]);
                assert_eq!(sought(&short), sought(&long), "{position}");
            });
            assert!(found >= 25, "{rules}: {found}");
        }
    }

    #[test]
    fn two_players_cannot_do_better_by_trying_everything() {
        nobody_can_do_better(&[
            "2.second.random.harmony.middle",
            "2.first.snake",
            "2.second.random.duel.harmony.middle",
        ]);
    }

    #[test]
    fn nobody_of_more_players_can_do_better_by_trying_everything() {
        nobody_can_do_better(&[
            "3.second.random.harmony",
            "3.first.random",
            "4.second.random.harmony.middle",
            "4.first.random",
        ]);
    }

    #[test]
    fn every_legal_action_is_judged_and_the_best_comes_first() {
        endings("2.second.random", |position, _| {
            let seat = position.to_move().expect("somebody is to move");
            let solved = solve(position).expect("an ending");
            let mut actions: Vec<_> = solved.iter().map(|solved| solved.action.to_string()).collect();
            let mut legal: Vec<_> = position.legal_actions().iter().map(ToString::to_string).collect();
            actions.sort();
            legal.sort();
            assert_eq!(actions, legal);
            assert!(solved.is_sorted_by_key(|solved| std::cmp::Reverse(solved.result.key(seat))));
        });
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
            let best = solved.iter().max_by_key(|solved| solved.result.preference(seat));
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
            assert_eq!(solve(game.position()), None);
        }
    }
}
