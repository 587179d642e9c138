//! Records of games. `text` and `json` write and read them, `check` replays them.

pub(crate) mod annotation;
pub(crate) mod check;
#[cfg(feature = "json")]
pub(crate) mod json;
pub(crate) mod text;

use std::collections::BTreeMap;
use std::fmt;

use crate::game::Game;
use crate::game::event::Event;
use crate::input::fault::{Fault, Part};
use crate::kingdom::scoring::Score;
use crate::position::Position;
use crate::position::outcome::Outcome;
use crate::position::refusal::Refusal;
use crate::record::annotation::Annotation;
use crate::values::action::Action;
use crate::values::domino::{Domino, DominoSet};
use crate::values::line::Seat;
use crate::values::rules::Rules;

/// A fault of a record, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError(Box<Fault>);

impl RecordError {
    pub(crate) fn new(part: Part, fault: impl Into<Fault>) -> RecordError {
        RecordError(Box::new(fault.into().at(part)))
    }

    /// An error in the field with this name.
    pub(crate) fn field(name: &'static str, fault: impl Into<Fault>) -> RecordError {
        RecordError::new(Part::Field(name), fault)
    }

    /// The fault, with a code and its facts. The sentence names the place.
    pub const fn fault(&self) -> &Fault {
        &self.0
    }

    /// The number of the line of text, or of the event, from 1; `None` if it is elsewhere.
    pub const fn number(&self) -> Option<usize> {
        match *self.0 {
            Fault::In { part: Part::Line(number) | Part::Event(number) | Part::Entry(number), .. } => {
                Some(number)
            }
            _ => None,
        }
    }

    /// Why the rules do not allow an action of the record.
    pub fn refusal(&self) -> Option<&Refusal> {
        self.0.refusal()
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for RecordError {}

/// The record of a game: rules, every line as it was revealed, every action, names, tags, comments, annotations, the
/// result.
///
/// Replaying one needs no random numbers. The record of an unfinished game may also hold the hidden deck, so that the
/// game can continue. Every record has been checked by replaying it.
///
/// ```
/// use kingdomino_rules::{Game, Record, Rules};
///
/// let mut game = Game::new(Rules::default(), 7);
/// let first = game.position().legal_actions()[0];
/// game.play(first)?;
/// let names = vec!["Ada".into(), "Bob".into()];
/// let record = Record::new(&game, true, names, Default::default(), Default::default())?;
///
/// let text = record.to_string();
/// assert!(text.starts_with("kingdomino-record 1\nrules 2.second.random\nseed 7\nseat 0 Ada\n"));
/// let read: Record = text.parse()?;
/// assert_eq!(read.actions(), [first]);
/// assert_eq!(read.replay()?, game);
///
/// let error = text.replace("claim", "place").parse::<Record>().unwrap_err();
/// assert!(error.to_string().starts_with("line 10: "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    pub(crate) draft: Draft,
    pub(crate) actions: Vec<Action>,
    pub(crate) outcome: Option<Outcome>,
}

/// An unchecked record, as text and JSON give it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Draft {
    pub(crate) rules: Rules,
    pub(crate) seed: Option<u64>,
    /// One name a seat, or empty.
    pub(crate) players: Vec<String>,
    pub(crate) tags: BTreeMap<String, String>,
    /// Where the game started, if not at the empty table.
    pub(crate) start: Option<Position>,
    /// The seats in the order in which their kings were drawn; all of them if the deck is given.
    pub(crate) opening: Vec<Seat>,
    /// The dominoes still to be revealed, in their order; only in an unfinished game.
    pub(crate) deck: Option<Vec<Domino>>,
    pub(crate) entries: Vec<Entry>,
    /// By the number of plies before it.
    pub(crate) comments: BTreeMap<usize, String>,
    /// By the number of plies before it.
    pub(crate) annotations: BTreeMap<usize, Noted>,
    /// As the record gives it.
    pub(crate) result: Option<GameResult>,
}

/// One event of a record, and where it was written, for messages.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Entry {
    pub(crate) place: Place,
    pub(crate) event: Written,
}

/// An annotation, and where it was written, for messages.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Noted {
    /// The number of its line; 0 if it has none of its own.
    pub(crate) line: Place,
    pub(crate) annotation: Annotation,
}

impl From<Annotation> for Noted {
    fn from(annotation: Annotation) -> Noted {
        Noted { line: Place::default(), annotation }
    }
}

/// The number of a line or an event in the source of a record. All places are equal, so that records compare by
/// content.
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

/// The result that a record gives.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(crate) struct GameResult {
    pub(crate) scores: Vec<u32>,
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
    /// The record of a game.
    ///
    /// - `hidden`: whether the record of an unfinished game also holds its seed, the rest of the deck and the kings
    ///   still to be drawn, so that the game can continue.
    /// - `players`: one name a seat, or empty.
    /// - `tags`: one word → one line of text.
    /// - `comments`: number of plies before it → lines of text.
    ///
    /// The error names a text that cannot be written on lines, or a comment after the end of the game.
    pub fn new(
        game: &Game,
        hidden: bool,
        players: Vec<String>,
        tags: BTreeMap<String, String>,
        comments: BTreeMap<usize, String>,
    ) -> Result<Record, RecordError> {
        let mut entries = Vec::new();
        let mut shown = 0;
        game.for_each_event(|before, event| {
            let written = match (event.action(), event) {
                (Some(action), _) => Written::Ply(before.to_move_unchecked(), action),
                (None, Event::LineRevealed(line)) => {
                    shown += line.len();
                    Written::Line(line)
                }
                (None, _) => return,
            };
            entries.push(Entry { place: Place(entries.len() + 1), event: written });
        });
        let over = game.position().is_over();
        // The seed and the kings still to be drawn are hidden too.
        let whole = over || hidden;
        let drawn = if whole {
            game.kings().len()
        } else {
            game.kings().len() - game.position().kings_to_draw().len()
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
            annotations: BTreeMap::new(),
            result: None,
        }
        .check(Part::Entry)
    }

    /// The same record with these comments and annotations instead of its own: number of plies before each → lines of
    /// text, and the annotation of that position.
    ///
    /// The error names a ply that does not exist, a comment that cannot be written on lines, or an impossible figure.
    pub fn annotated(
        &self,
        comments: BTreeMap<usize, String>,
        annotations: BTreeMap<usize, Annotation>,
    ) -> Result<Record, RecordError> {
        let annotations = annotations.into_iter().map(|(ply, annotation)| (ply, annotation.into()));
        Draft { comments, annotations: annotations.collect(), ..self.draft.clone() }.check(Part::Entry)
    }

    /// The rules set.
    pub const fn rules(&self) -> &Rules {
        &self.draft.rules
    }

    /// The players' names, one per seat, or empty.
    pub fn players(&self) -> &[String] {
        &self.draft.players
    }

    /// Further facts about the game, like its date.
    pub const fn tags(&self) -> &BTreeMap<String, String> {
        &self.draft.tags
    }

    /// The comments, by the number of plies before each.
    pub const fn comments(&self) -> &BTreeMap<usize, String> {
        &self.draft.comments
    }

    /// The annotations by an analysis, with the number of plies before each position.
    pub fn annotations(&self) -> impl Iterator<Item = (usize, &Annotation)> {
        self.draft.annotations.iter().map(|(ply, noted)| (*ply, &noted.annotation))
    }

    /// The seed of the game, if it is known.
    pub const fn seed(&self) -> Option<u64> {
        self.draft.seed
    }

    /// Every action.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// The position before anything happened, in which a line or a king may be due; the empty table for a whole game.
    pub fn initial_position(&self) -> Position {
        self.draft.start()
    }

    /// The position before every action, and the last one. Without the deck, the record of an unfinished game may end
    /// where a line is to be revealed or a king drawn.
    pub fn positions(&self) -> Vec<Position> {
        let mut positions = Vec::with_capacity(self.actions.len() + 1);
        // The record has been checked, so replaying cannot fail.
        let replayed = self.draft.walk(Part::Entry, |before, event| {
            if event.action().is_some() {
                positions.push(*before);
            }
        });
        if let Ok((last, _)) = replayed {
            positions.push(last);
        }
        positions
    }

    /// The events, in order.
    pub fn events(&self) -> Vec<Event> {
        let mut events = Vec::with_capacity(2 * self.actions.len());
        let replayed = self.draft.walk(Part::Entry, |_, event| events.push(event));
        debug_assert!(replayed.is_ok(), "the record has been checked");
        events
    }

    /// How the game ended; `None` for an unfinished game.
    pub const fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// The game, ready to continue. An unfinished game needs its deck for that.
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
            None => return Err(RecordError::field("an unfinished game", Fault::NoDeck)),
        }
        let mut game = Game::with_hidden(self.draft.start(), &dominoes, opening)
            .map_err(|faults| RecordError::field("deck and opening order", Fault::Deck { faults }))?;
        game.set_seed(*seed);
        for (index, &action) in self.actions.iter().enumerate() {
            game.play(action).map_err(|refusal| {
                RecordError::new(Part::Entry(index + 1), Fault::Illegal { action, refusal })
            })?;
        }
        Ok(game)
    }
}
