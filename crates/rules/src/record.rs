//! A game as it is written down, and the check that it can have been played.
//!
//! A record holds what was seen: every line as it was revealed, every king as it was drawn, every
//! action. So replaying needs no random numbers. The record of an unfinished game may also hold what
//! is still hidden, so that the game can go on. `record_text` and `record_json` write and read it.

use std::collections::BTreeMap;
use std::fmt;

use crate::action::Action;
use crate::domino::{Domino, DominoSet};
use crate::game::{Event, Game, kings_to_draw};
use crate::line::Seat;
use crate::outcome::Outcome;
use crate::position::{Position, Stage};
use crate::rules::{Opening, Rules};

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
    actions: Vec<Action>,
    outcome: Option<Outcome>,
}

/// What a record says, before anybody has checked that it can be. Text and JSON are forms of this.
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
    pub(crate) result: Option<Result>,
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
pub(crate) struct Result {
    pub(crate) scores: Vec<u16>,
    pub(crate) winners: Vec<Seat>,
    pub(crate) decided_by: String,
}

impl From<&Outcome> for Result {
    fn from(outcome: &Outcome) -> Result {
        Result {
            scores: outcome.scores.to_vec(),
            winners: outcome.winners.to_vec(),
            decided_by: outcome.decided_by.name().into(),
        }
    }
}

impl Record {
    /// The record of a game; of an unfinished one with what is still hidden. Names (one a seat, or
    /// none), tags and comments are the caller's.
    pub fn new(
        game: &Game,
        players: Vec<String>,
        tags: BTreeMap<String, String>,
        comments: BTreeMap<usize, String>,
    ) -> std::result::Result<Record, RecordError> {
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
        Draft {
            rules: *game.start().rules(),
            seed: game.seed(),
            players,
            tags,
            start: (*game.start() != Position::new(*game.start().rules())).then_some(*game.start()),
            opening: game.kings().to_vec(),
            deck: (!over).then(|| game.deck()[shown..].to_vec()),
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
    pub fn replay(&self) -> std::result::Result<Game, RecordError> {
        let Draft { rules, seed, start, opening, deck, entries, .. } = &self.draft;
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
        let start = start.unwrap_or_else(|| Position::new(*rules));
        let mut game = Game::with_hidden(start, &dominoes, opening)
            .map_err(|faults| RecordError::new("deck and opening order", faults))?;
        game.set_seed(*seed);
        for action in &self.actions {
            game.play(*action).map_err(|refusal| RecordError::new(action, refusal))?;
        }
        Ok(game)
    }
}

impl Draft {
    /// Plays the record through. `unit` is what places are counted in, for messages.
    pub(crate) fn check(mut self, unit: &str) -> std::result::Result<Record, RecordError> {
        self.check_words()?;
        let start = self.start();
        if *start.rules() != self.rules {
            return Err(RecordError::new("start", format!("its rules are not {}", self.rules)));
        }
        let mut actions = Vec::new();
        let (position, drawn) = self.walk(unit, |_, action| actions.push(action))?;
        self.check_hidden(&start, &position, drawn)?;
        if let Some(ply) = self.comments.keys().find(|ply| **ply > actions.len()) {
            return Err(RecordError::new(format!("comment before ply {ply}"), "the game has no such ply"));
        }
        for (entry, action) in
            self.entries.iter_mut().filter(|entry| matches!(entry.event, Written::Ply(..))).zip(&actions)
        {
            if let Written::Ply(_, written) = &mut entry.event {
                *written = *action;
            }
        }
        let outcome = position.outcome();
        let result = outcome.as_ref().map(Result::from);
        if self.result.is_some() && self.result != result {
            let fault = match result {
                None => "the game is not over".to_owned(),
                Some(result) => format!(
                    "the game came to scores {:?}, winners {:?} by {}",
                    result.scores, result.winners, result.decided_by
                ),
            };
            return Err(RecordError::new("result", fault));
        }
        self.result = result;
        Ok(Record { draft: self, actions, outcome })
    }

    fn start(&self) -> Position {
        self.start.unwrap_or_else(|| Position::new(self.rules))
    }

    /// Plays the account through; `observe` is given each decision and the position before it. Returns
    /// the last position and how many kings of the opening order have been drawn.
    fn walk(
        &self,
        unit: &str,
        mut observe: impl FnMut(&Position, Action),
    ) -> std::result::Result<(Position, usize), RecordError> {
        let mut position = self.start();
        let mut kings = self.opening.iter().copied();
        self.draw(&mut position, &mut kings)?;
        for Entry { place, event } in &self.entries {
            let step = match *event {
                Written::Line(line) => reveal(&mut position, line),
                Written::Ply(seat, action) => {
                    let action = position.canonical(action);
                    let before = position;
                    let played = play(&mut position, seat, action);
                    observe(&before, action);
                    played
                }
            };
            step.map_err(|fault| RecordError::new(format_args!("{unit} {}", place.0), fault))?;
            self.draw(&mut position, &mut kings)?;
        }
        Ok((position, self.opening.len() - kings.len()))
    }

    /// Draws the next king of the opening order, where one is due and named.
    fn draw(
        &self,
        position: &mut Position,
        kings: &mut impl Iterator<Item = Seat>,
    ) -> std::result::Result<(), RecordError> {
        if position.stage() == Stage::Draw
            && let Some(seat) = kings.next()
        {
            if seat >= self.rules.players() || position.kings_waiting(seat) == 0 {
                return Err(RecordError::new("opening", format!("seat {seat} has no king to be drawn")));
            }
            position.draw_king(seat);
        }
        Ok(())
    }

    /// Names, tags and comments must survive being written on lines of text.
    fn check_words(&self) -> std::result::Result<(), RecordError> {
        let players = self.rules.players();
        if !self.players.is_empty() && self.players.len() != players {
            let fault = format!("{} names for {players} players", self.players.len());
            return Err(RecordError::new("players", fault));
        }
        let plain = |text: &str| {
            !text.is_empty() && text.trim() == text && !text.chars().any(|c| c.is_control() || is_line_end(c))
        };
        for name in &self.players {
            if !plain(name) {
                let fault = "a name is one line of text without spaces around it";
                return Err(RecordError::new(format!("player {name:?}"), fault));
            }
        }
        for (tag, value) in &self.tags {
            if !plain(tag) || tag.contains(char::is_whitespace) || !plain(value) {
                let fault = "a tag is one word, its value one line of text without spaces around it";
                return Err(RecordError::new(format!("tag {tag:?} {value:?}"), fault));
            }
        }
        for (ply, comment) in &self.comments {
            let fine = comment.split('\n').all(|line| line.is_empty() || plain(line));
            if !fine {
                let fault = "a comment is lines of text without spaces around them";
                return Err(RecordError::new(format!("comment before ply {ply}"), fault));
            }
        }
        Ok(())
    }

    /// What is said about the hidden part fits what was played.
    fn check_hidden(
        &mut self,
        start: &Position,
        end: &Position,
        drawn: usize,
    ) -> std::result::Result<(), RecordError> {
        // With the snake opening only the first king is drawn; the others follow, and are written too.
        let snake = start.rules().opening() == Opening::Snake;
        if self.deck.is_none() && !snake && drawn < self.opening.len() {
            return Err(RecordError::new("opening", "it names more kings than have been drawn"));
        }
        if let Some(deck) = &self.deck {
            if end.is_over() && !deck.is_empty() {
                return Err(RecordError::new("deck", "the game is over, so nothing is to come"));
            }
            let to_draw: &[Seat] = if kings_to_draw(end).is_empty() { &[] } else { &self.opening[drawn..] };
            Game::with_hidden(*end, deck, to_draw)
                .map_err(|faults| RecordError::new("deck and opening order", faults))?;
        }
        if end.is_over() {
            self.deck = None;
        }
        if snake || self.deck.is_some() || end.is_over() {
            let mut order = kings_to_draw(start);
            let mut opening = self.opening.clone();
            order.sort_unstable();
            opening.sort_unstable();
            if order.as_slice() != opening.as_slice() && !(opening.is_empty() && end.stage() == Stage::Draw) {
                return Err(RecordError::new("opening", "it does not name every king once"));
            }
            let [first, rest @ ..] = self.opening.as_slice() else { return Ok(()) };
            if snake && self.opening.len() == 4 && *rest != [1 - first, 1 - first, *first] {
                return Err(RecordError::new("opening", "it is no snake (like 0 1 1 0)"));
            }
        }
        Ok(())
    }
}

fn reveal(position: &mut Position, line: DominoSet) -> std::result::Result<(), String> {
    let length = position.rules().line_length();
    if position.stage() != Stage::Reveal {
        return Err("no line is to be revealed here".into());
    }
    if line.len() != length {
        return Err(format!("a line of {} dominoes, not {length}", line.len()));
    }
    if let Some(seen) = line.without(position.unseen()).into_iter().next() {
        return Err(format!("domino {seen} has been revealed before"));
    }
    position.reveal(line);
    Ok(())
}

fn play(position: &mut Position, seat: Seat, action: Action) -> std::result::Result<(), String> {
    match (position.stage(), position.to_move()) {
        (Stage::Reveal, _) => Err("the next line has not been revealed".into()),
        (Stage::Draw, _) => Err("the opening order names no king for this claim".into()),
        (_, Some(to_move)) if to_move != seat => {
            Err(format!("it is seat {to_move}'s turn, not seat {seat}'s"))
        }
        _ => position.play(action).map_err(|refusal| format!("{action}: {refusal}")),
    }
}

/// Characters that end a line for some readers.
fn is_line_end(character: char) -> bool {
    matches!(character, '\u{85}' | '\u{2028}' | '\u{2029}')
}
