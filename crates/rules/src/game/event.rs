//! The events of a game, step by step.

use arrayvec::ArrayVec;

use crate::position::chance::Chance;
use crate::values::action::Action;
use crate::values::domino::{Domino, DominoSet};
use crate::values::line::Seat;
use crate::values::square::Placement;

/// An event in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A line was revealed.
    LineRevealed(DominoSet),
    /// A king of this seat was drawn in the opening round. It claims next.
    KingDrawn(Seat),
    /// A seat claimed a domino.
    Claimed(Seat, Domino),
    /// A seat placed a domino.
    Placed(Seat, Domino, Placement),
    /// A seat discarded a domino that fitted nowhere.
    Discarded(Seat, Domino),
    /// Every king has claimed: the round with this number began, from 1.
    RoundBegan(usize),
    /// The game ended. `Position::outcome` says how.
    Finished,
}

/// The events that follow from one action: the action, a new round, and a line or a king; or the action and the end.
pub type Events = ArrayVec<Event, 3>;

impl From<Chance> for Event {
    fn from(chance: Chance) -> Event {
        match chance {
            Chance::Line(line) => Event::LineRevealed(line),
            Chance::King(seat) => Event::KingDrawn(seat),
        }
    }
}

impl Event {
    /// The action that a seat played; `None` for its consequences.
    pub const fn action(self) -> Option<Action> {
        match self {
            Event::Claimed(_, domino) => Some(Action::Claim(domino)),
            Event::Placed(_, _, placement) => Some(Action::Place(placement)),
            Event::Discarded(..) => Some(Action::Discard),
            _ => None,
        }
    }

    /// The event of an action that this seat played. `to_place` is the domino that was to be placed, if one was.
    pub(crate) fn of_action(seat: Seat, action: Action, to_place: Option<Domino>) -> Event {
        match (action, to_place) {
            (Action::Claim(domino), _) => Event::Claimed(seat, domino),
            (Action::Place(placement), Some(domino)) => Event::Placed(seat, domino, placement),
            (Action::Discard, Some(domino)) => Event::Discarded(seat, domino),
            (Action::Place(_) | Action::Discard, None) => {
                unreachable!("a legal action has a domino to place")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, Record, Rules};

    #[test]
    fn playing_gives_the_events_that_the_game_and_its_record_list() {
        for (seed, rules) in (1..).zip(Rules::all()) {
            let mut game = Game::new(rules, seed);
            let mut played = Vec::new();
            game.for_each_event(|_, event| played.push(event));
            let mut number = seed as usize;
            while !game.position().is_over() {
                let actions = game.position().legal_actions();
                played.extend(game.play(actions[number % actions.len()]).expect("it is legal"));
                number += 7;
            }
            let mut listed = Vec::new();
            game.for_each_event(|_, event| listed.push(event));
            assert_eq!(played, listed);
            let record = Record::new(&game, false, vec![], Default::default(), Default::default());
            assert_eq!(record.expect("it can be written").events(), listed);

            let count = |kind: fn(&Event) -> bool| listed.iter().filter(|event| kind(event)).count();
            assert_eq!(count(|event| event.action().is_some()), rules.plies());
            assert_eq!(count(|event| matches!(event, Event::LineRevealed(_))), rules.rounds());
            assert_eq!(count(|event| matches!(event, Event::RoundBegan(_))), rules.rounds());
            assert_eq!(count(|event| *event == Event::Finished), 1);
            assert_eq!(listed.last(), Some(&Event::Finished));
        }
    }
}
