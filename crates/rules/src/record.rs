//! A game as it is written down.
//!
//! A record holds what was seen: every line as it was revealed, every king as it was drawn, every
//! action. So replaying needs no random numbers. The record of an unfinished game may also hold what
//! is still hidden, so that the game can go on. `record_text` and `record_json` write
//! and read it, `record_check` plays it through.

use std::collections::BTreeMap;
use std::fmt;

use crate::action::Action;
use crate::domino::{Domino, DominoSet};
use crate::game::{Event, Game, kings_to_draw};
use crate::line::Seat;
use crate::outcome::Outcome;
use crate::position::Position;
use crate::rules::Rules;
use crate::scoring::Score;

/// What is wrong with a record, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError(String);

impl RecordError {
    pub(crate) fn new(place: impl fmt::Display, fault: impl fmt::Display) -> RecordError {
        RecordError(format!("{place}: {fault}"))
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RecordError {}

/// A checked record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    pub(crate) draft: Draft,
    pub(crate) actions: Vec<Action>,
    pub(crate) outcome: Option<Outcome>,
}

/// What a record says, unchecked. Text and JSON are forms of this.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Draft {
    pub(crate) rules: Rules,
    pub(crate) seed: Option<u64>,
    /// One name a seat, or none at all.
    pub(crate) players: Vec<String>,
    pub(crate) tags: BTreeMap<String, String>,
    /// Where the game went on from, if not from the empty table.
    pub(crate) start: Option<Position>,
    /// The seats whose kings were drawn; all of them where the deck is given.
    pub(crate) opening: Vec<Seat>,
    /// What is still to come, in its order; only in an unfinished game.
    pub(crate) deck: Option<Vec<Domino>>,
    pub(crate) entries: Vec<Entry>,
    /// By the number of plies before it.
    pub(crate) comments: BTreeMap<usize, String>,
    /// As it stands in the record.
    pub(crate) result: Option<GameResult>,
}

/// One line of the account of a game. `place` says where it stood, for messages.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Entry {
    pub(crate) place: Place,
    pub(crate) event: Written,
}

/// Where in its source something stood. All places are alike, so that records compare by content.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place(pub(crate) usize);

impl PartialEq for Place {
    fn eq(&self, _: &Place) -> bool {
        true
    }
}
impl Eq for Place {}
impl std::hash::Hash for Place {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Written {
    Line(DominoSet),
    Ply(Seat, Action),
}

/// The result as it stands in a record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct GameResult {
    pub(crate) scores: Vec<u16>,
    pub(crate) winners: Vec<Seat>,
    pub(crate) decided_by: String,
}

impl From<&Outcome> for GameResult {
    fn from(outcome: &Outcome) -> GameResult {
        GameResult {
            scores: outcome.scores.iter().map(Score::total).collect(),
            winners: outcome.winners.to_vec(),
            decided_by: outcome.decided_by.name().into(),
        }
    }
}

impl Record {
    /// The record of a game. If it is unfinished and `hidden` is set, the record also holds what is still hidden, so
    /// that the game can go on. Names (one a seat, or none), tags and comments are the caller's.
    pub fn new(
        game: &Game,
        hidden: bool,
        players: Vec<String>,
        tags: BTreeMap<String, String>,
        comments: BTreeMap<usize, String>,
    ) -> Result<Record, RecordError> {
        let mut entries = Vec::new();
        let mut shown = 0;
        game.for_each_event(|event, _| {
            let event = match event {
                Event::Line(line) => {
                    shown += line.len();
                    Written::Line(line)
                }
                Event::King(_) => return,
                Event::Play { seat, action, .. } => Written::Ply(seat, action),
            };
            entries.push(Entry { place: Place(entries.len() + 1), event });
        });
        let over = game.position().is_over();
        // The seed and the kings still to be drawn are hidden too.
        let whole = over || hidden;
        let drawn = if whole {
            game.kings().len()
        } else {
            game.kings().len() - kings_to_draw(game.position()).len()
        };
        Draft {
            rules: *game.start().rules(),
            seed: game.seed().filter(|_| whole),
            players,
            tags,
            start: (*game.start() != Position::new(*game.start().rules())).then_some(*game.start()),
            opening: game.kings()[..drawn].to_vec(),
            deck: (hidden && !over).then(|| game.deck()[shown..].to_vec()),
            entries,
            comments,
            result: None,
        }
        .check("entry")
    }

    /// The rules set.
    pub const fn rules(&self) -> &Rules {
        &self.draft.rules
    }

    /// One name a seat, or none.
    pub fn players(&self) -> &[String] {
        &self.draft.players
    }

    /// What else is said about the game: its date, its event.
    pub const fn tags(&self) -> &BTreeMap<String, String> {
        &self.draft.tags
    }

    /// By the number of plies before each.
    pub const fn comments(&self) -> &BTreeMap<usize, String> {
        &self.draft.comments
    }

    /// The seed of the game, if it is known.
    pub const fn seed(&self) -> Option<u64> {
        self.draft.seed
    }

    /// Every decision.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// The position before every decision, and the one after the last. The record of an unfinished
    /// game without its deck may end while the table is waiting for a line or a king.
    pub fn positions(&self) -> Vec<Position> {
        let mut positions = Vec::with_capacity(self.actions.len() + 1);
        // A record has been checked, so that this walk meets nothing wrong.
        if let Ok((last, _)) = self.draft.walk("entry", |position, _| positions.push(*position)) {
            positions.push(last);
        }
        positions
    }

    /// How the game ended, if it did.
    pub const fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// The game, ready to go on.
    pub fn replay(&self) -> Result<Game, RecordError> {
        let Draft { seed, opening, deck, entries, .. } = &self.draft;
        let lines = entries.iter().filter_map(|entry| match entry.event {
            Written::Line(line) => Some(line),
            Written::Ply(..) => None,
        });
        let mut dominoes: Vec<Domino> = lines.flatten().collect();
        match deck {
            Some(deck) => dominoes.extend(deck),
            None if self.outcome.is_some() => {}
            None => {
                let fault = "it holds no deck, so the game cannot go on (its positions can be looked at)";
                return Err(RecordError::new("an unfinished game", fault));
            }
        }
        let mut game = Game::with_hidden(self.draft.start(), &dominoes, opening)
            .map_err(|faults| RecordError::new("deck and opening order", faults))?;
        game.set_seed(*seed);
        for action in &self.actions {
            game.play(*action).map_err(|refusal| RecordError::new(action, refusal))?;
        }
        Ok(game)
    }
}
