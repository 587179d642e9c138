//! Exact endings: what is left when every line that will still be claimed from is known.
//!
//! Nothing is hidden then. Each seat's placements are looked at alone (`solo`); what remains is a small
//! game of claims over what they come to, in which every seat seeks its own victory first and its own
//! margin second (max^n; for two players that is minimax). Placements that are worse for their own
//! kingdom whatever is claimed are never made.

mod draft;
mod merit;
mod solo;

use arrayvec::ArrayVec;

use kingdomino_rules::{Action, Domino, DominoSet, Position, Rules, Stage};

use crate::analysis::ActionAnalysis;
use crate::ending::draft::{Draft, Table};
use crate::ending::solo::{Claimable, Hand, Solos};

/// Finished kingdoms that are looked at before it is given up; a few seconds.
const BUDGET: u64 = 1 << 25;

/// An action, and how the game ends after it when everybody plays well.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// One of the legal actions.
    pub action: Action,
    /// In points, one entry a seat.
    pub scores: ArrayVec<u16, { Rules::MOST }>,
    /// A victory is 1, shared among k winners 1/k each.
    pub victories: ArrayVec<f64, { Rules::MOST }>,
    value: draft::Result,
}

impl Solved {
    pub(crate) fn analysis(&self) -> ActionAnalysis {
        let scores: Vec<f64> = self.scores.iter().map(|score| f64::from(*score)).collect();
        let margin = |seat: usize| f64::from(self.value.key(seat).1);
        ActionAnalysis {
            action: self.action,
            playouts: 0,
            win_rates: self.victories.to_vec(),
            mean_margin: (0..scores.len()).map(margin).collect(),
            mean_scores: scores,
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
    let rules = position.rules();
    let mut lines: ArrayVec<Claimable, 2> = ArrayVec::new();
    let offered = position.offered();
    if !offered.is_empty() {
        lines.push(offered.dominoes().collect());
    }
    if position.lines_to_come() > 0 {
        lines.push(position.unseen().into_iter().collect());
    }
    let mut solos = Solos::new(rules, &lines, BUDGET);
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
            Action::Place(_) | Action::Discard => table.after_placing(),
        };
        // Where the claim ends the round of claims, what the seat has left is what it had.
        let own = solos.of(&hand_after(position, &after, seat, action)).ok()?;
        let all = others.iter().map(|other| other.unwrap_or(own)).collect();
        let value = Draft::new(rules, &solos, &lines).play(&draft, &all)?;
        solved.push(Solved { action, scores: value.scores(), victories: value.victories(), value });
    }
    solved.sort_by(|one, other| other.value.key(seat).cmp(&one.value.key(seat)));
    Some(solved)
}

/// What this seat has before it.
fn hand(position: &Position, seat: usize) -> Hand {
    let mine = |line: &kingdomino_rules::Line, from: usize| -> DominoSet {
        (from..line.len()).filter(|place| line.king(*place) == Some(seat)).map(|place| line.domino(place)).collect()
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
            let dominoes = hand.dominoes.bits();
            hand.dominoes = DominoSet::from_bits(dominoes & dominoes.wrapping_sub(1));
            hand.placed = !before.offered().is_empty();
        }
    }
    hand
}
