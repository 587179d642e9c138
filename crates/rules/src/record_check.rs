//! Checks a record by replaying it (docs/formats/record.md).

use std::fmt;

use crate::action::Action;
use crate::domino::DominoSet;
use crate::error::Fault;
use crate::event::Event;
use crate::game::Game;
use crate::line::Seat;
use crate::position::{Position, Stage};
use crate::record::{Draft, Entry, GameResult, Noted, Place, Record, RecordError, Written};
use crate::refusal::Refusal;
use crate::rules::Opening;

impl Draft {
    /// Checks everything. `unit` is what places count, for messages: "line", "event" or "entry".
    pub(crate) fn check(mut self, unit: &str) -> Result<Record, RecordError> {
        self.check_words()?;
        let start = self.start();
        if *start.rules() != self.rules {
            return Err(error("start", "start", format!("its rules are not {}", self.rules)));
        }
        // One content has one form.
        self.start = self.start.filter(|start| *start != Position::new(self.rules));
        let mut actions = Vec::new();
        let mut annotations = self.annotations.clone();
        let mut noted = Ok(());
        let (position, drawn) = self.walk(unit, |position, event| {
            let Some(action) = event.action() else { return };
            if noted.is_ok()
                && let Some(annotation) = annotations.get_mut(&actions.len())
            {
                noted = annotation.check(actions.len(), position, true);
            }
            actions.push(action);
        })?;
        noted?;
        if let Some(annotation) = annotations.get_mut(&actions.len()) {
            annotation.check(actions.len(), &position, false)?;
        }
        self.annotations = annotations;
        self.check_hidden(&start, &position, drawn)?;
        if let Some(ply) = self.comments.keys().find(|ply| **ply > actions.len()) {
            return Err(error(
                "no_such_ply",
                format!("comment before ply {ply}"),
                "the game has no such ply",
            ));
        }
        if let Some((ply, _)) = self.annotations.range(actions.len() + 1..).next() {
            return Err(error(
                "no_such_ply",
                format!("annotation before ply {ply}"),
                "the game has no such ply",
            ));
        }
        for (entry, action) in
            self.entries.iter_mut().filter(|entry| matches!(entry.event, Written::Ply(..))).zip(&actions)
        {
            if let Written::Ply(_, written) = &mut entry.event {
                *written = *action;
            }
        }
        let outcome = position.outcome();
        let result = outcome.as_ref().map(GameResult::from);
        if self.result.is_some() && self.result != result {
            return Err(match result {
                None => error("not_over", "result", "the game is not over"),
                Some(result) => error(
                    "result",
                    "result",
                    format!(
                        "the game came to scores {:?}, winners {:?} by {}",
                        result.scores, result.winners, result.decided_by
                    ),
                ),
            });
        }
        self.result = result;
        Ok(Record { draft: self, actions, outcome })
    }

    /// The position before the first event.
    pub(crate) fn start(&self) -> Position {
        self.start.unwrap_or_else(|| Position::new(self.rules))
    }

    /// Replays the entries and calls `observe` with each event and the position before it. Returns the last position
    /// and how many kings of the opening order have been drawn.
    pub(crate) fn walk(
        &self,
        unit: &str,
        mut observe: impl FnMut(&Position, Event),
    ) -> Result<(Position, usize), RecordError> {
        let mut position = self.start();
        let mut kings = self.opening.iter().copied();
        self.draw(&mut position, &mut kings, &mut observe)?;
        for Entry { place, event } in &self.entries {
            let step = match *event {
                Written::Line(line) => reveal(&mut position, line, &mut observe),
                Written::Ply(seat, action) => play(&mut position, seat, action, &mut observe),
            };
            step.map_err(|wrong| {
                let (fault, refusal) = *wrong;
                RecordError::numbered(unit, place.0, fault).refused(refusal)
            })?;
            self.draw(&mut position, &mut kings, &mut observe)?;
        }
        Ok((position, self.opening.len() - kings.len()))
    }

    /// Draws the next king of the opening order, if one is due and known.
    fn draw(
        &self,
        position: &mut Position,
        kings: &mut impl Iterator<Item = Seat>,
        observe: &mut impl FnMut(&Position, Event),
    ) -> Result<(), RecordError> {
        if position.stage() == Stage::Draw
            && let Some(seat) = kings.next()
        {
            if seat >= self.rules.players() || position.kings_waiting(seat) == 0 {
                return Err(error("opening", "opening", format!("seat {seat} has no king to be drawn")));
            }
            observe(position, Event::KingDrawn(seat));
            position.draw_unchecked(seat);
        }
        Ok(())
    }

    /// Checks that names, tags and comments can be written on lines of text and read back.
    fn check_words(&self) -> Result<(), RecordError> {
        let players = self.rules.players();
        if !self.players.is_empty() && self.players.len() != players {
            let fault = format!("{} names for {players} players", self.players.len());
            return Err(RecordError::new(
                "players",
                Fault::new("names", fault).numbers(self.players.len(), players),
            ));
        }
        let plain = |text: &str| {
            !text.is_empty() && text.trim() == text && !text.chars().any(|c| c.is_control() || is_line_end(c))
        };
        for name in &self.players {
            if !plain(name) {
                let fault = "a name is one line of text without spaces around it";
                return Err(error("words", format!("player {name:?}"), fault));
            }
        }
        for (tag, value) in &self.tags {
            if !plain(tag) || tag.contains(char::is_whitespace) || !plain(value) {
                let fault = "a tag is one word, its value one line of text without spaces around it";
                return Err(error("words", format!("tag {tag:?} {value:?}"), fault));
            }
        }
        for (ply, comment) in &self.comments {
            let fine = comment.split('\n').all(|line| line.is_empty() || plain(line));
            if !fine {
                let fault = "a comment is lines of text without spaces around them";
                return Err(error("words", format!("comment before ply {ply}"), fault));
            }
        }
        Ok(())
    }

    /// Checks that the deck and the opening order fit what was played.
    fn check_hidden(&mut self, start: &Position, end: &Position, drawn: usize) -> Result<(), RecordError> {
        // With the snake opening only the first king is drawn, but the record names all of them.
        let snake = start.rules().opening() == Opening::Snake;
        if self.deck.is_none() && !snake && drawn < self.opening.len() {
            return Err(error("opening", "opening", "it names more kings than have been drawn"));
        }
        if let Some(deck) = &self.deck {
            if end.is_over() && !deck.is_empty() {
                return Err(error("deck", "deck", "the game is over, so no dominoes are to come"));
            }
            let to_draw: &[Seat] = if end.kings_to_draw().is_empty() { &[] } else { &self.opening[drawn..] };
            Game::with_hidden(*end, deck, to_draw)
                .map_err(|faults| error("deck", "deck and opening order", faults.to_string()))?;
        }
        if end.is_over() {
            self.deck = None;
        }
        if snake || self.deck.is_some() || end.is_over() {
            let mut order = start.kings_to_draw();
            let mut opening = self.opening.clone();
            order.sort_unstable();
            opening.sort_unstable();
            if order.as_slice() != opening.as_slice() && !(opening.is_empty() && end.stage() == Stage::Draw) {
                return Err(error("opening", "opening", "it does not name every king once"));
            }
            if let Some(first) = self.opening.first()
                && let Some(order) = start.rules().snake_order(*first)
                && order.as_slice() != self.opening
            {
                return Err(error("opening", "opening", "it is not in snake order (like 0 1 1 0)"));
            }
        }
        Ok(())
    }
}

impl Noted {
    fn check(&mut self, ply: usize, position: &Position, played: bool) -> Result<(), RecordError> {
        self.annotation.check(position, played).map_err(|sentence| {
            let fault = Fault::new("annotation", sentence);
            match self.line {
                Place(0) => RecordError::new(format!("annotation before ply {ply}"), fault),
                Place(line) => RecordError::numbered("line", line, fault),
            }
        })
    }
}

fn error(code: &'static str, place: impl fmt::Display, sentence: impl Into<String>) -> RecordError {
    RecordError::new(place, Fault::new(code, sentence.into()))
}

/// What is wrong with an event, and why its action is illegal.
type Wrong = Box<(Fault, Option<Refusal>)>;

fn reveal(
    position: &mut Position,
    line: DominoSet,
    observe: &mut impl FnMut(&Position, Event),
) -> Result<(), Wrong> {
    let length = position.rules().line_length();
    if position.stage() != Stage::Reveal {
        return Err(Box::new((Fault::new("no_line_due", "no line is due here".into()), None)));
    }
    if line.len() != length {
        let sentence = format!("the line has {} dominoes, not {length}", line.len());
        return Err(Box::new((Fault::new("line_length", sentence).numbers(line.len(), length), None)));
    }
    let known = line.without(position.unseen());
    if let Some(seen) = known.into_iter().next() {
        let sentence = format!("domino {seen} has been revealed before");
        return Err(Box::new((Fault::new("seen_before", sentence).dominoes(known), None)));
    }
    observe(position, Event::LineRevealed(line));
    position.reveal_unchecked(line);
    Ok(())
}

fn play(
    position: &mut Position,
    seat: Seat,
    action: Action,
    observe: &mut impl FnMut(&Position, Event),
) -> Result<(), Wrong> {
    let fault = match (position.stage(), position.to_move()) {
        (Stage::Reveal, _) => Fault::new("line_due", "the next line has not been revealed".into()),
        (Stage::Draw, _) => Fault::new("king_due", "the opening order names no king for this claim".into()),
        (_, Some(to_move)) if to_move != seat => {
            Fault::new("turn", format!("it is seat {to_move}'s turn, not seat {seat}'s")).seat(to_move)
        }
        _ => {
            position.check(action).map_err(|refusal| {
                Box::new((Fault::new("illegal", format!("{action}: {refusal}")), Some(refusal)))
            })?;
            position.step(position.canonical(action), observe);
            return Ok(());
        }
    };
    Err(Box::new((fault, None)))
}

/// Whether some programs read this character as the end of a line.
fn is_line_end(character: char) -> bool {
    matches!(character, '\u{85}' | '\u{2028}' | '\u{2029}')
}
