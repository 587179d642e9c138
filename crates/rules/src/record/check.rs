//! Checks a record by replaying it (docs/formats/record.md).

use crate::game::Game;
use crate::game::event::Event;
use crate::input::fault::{Fault, Part};
use crate::kingdom::scoring::Score;
use crate::position::{Position, Stage};
use crate::record::{Draft, Entry, GameResult, Noted, Place, Record, RecordError, Written};
use crate::values::action::Action;
use crate::values::domino::DominoSet;
use crate::values::line::Seat;
use crate::values::rules::Opening;

impl Draft {
    /// Checks everything. `unit` says what places count: `Part::Line`, `Part::Event` or `Part::Entry`.
    pub(crate) fn check(mut self, unit: fn(usize) -> Part) -> Result<Record, RecordError> {
        self.check_words()?;
        let start = self.start();
        if *start.rules() != self.rules {
            return Err(RecordError::field("start", Fault::OtherRules { expected: self.rules }));
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
            return Err(RecordError::new(Part::Comment(*ply), Fault::NoSuchPly));
        }
        if let Some((ply, _)) = self.annotations.range(actions.len() + 1..).next() {
            return Err(RecordError::new(Part::Annotation(*ply), Fault::NoSuchPly));
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
            let fault = outcome.as_ref().map_or(Fault::NotOver, |outcome| Fault::OtherResult {
                scores: outcome.scores.iter().map(Score::total).collect(),
                winners: outcome.winners.to_vec(),
                decided_by: outcome.decided_by,
            });
            return Err(RecordError::field("result", fault));
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
        unit: fn(usize) -> Part,
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
            step.map_err(|fault| RecordError::new(unit(place.0), fault))?;
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
                return Err(RecordError::field("opening", Fault::NoKingToDraw { seat }));
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
            let fault = Fault::Names { found: self.players.len(), expected: players };
            return Err(RecordError::field("players", fault));
        }
        let plain = |text: &str| {
            !text.is_empty() && text.trim() == text && !text.chars().any(|c| c.is_control() || is_line_end(c))
        };
        for name in &self.players {
            if !plain(name) {
                return Err(RecordError::new(Part::Player(name.clone()), Fault::Name));
            }
        }
        for (tag, value) in &self.tags {
            if !plain(tag) || tag.contains(char::is_whitespace) || !plain(value) {
                return Err(RecordError::new(Part::Tag(tag.clone(), value.clone()), Fault::Tag));
            }
        }
        for (ply, comment) in &self.comments {
            let fine = comment.split('\n').all(|line| line.is_empty() || plain(line));
            if !fine {
                return Err(RecordError::new(Part::Comment(*ply), Fault::Comment));
            }
        }
        Ok(())
    }

    /// Checks that the deck and the opening order fit the actions.
    fn check_hidden(&mut self, start: &Position, end: &Position, drawn: usize) -> Result<(), RecordError> {
        // With the snake opening only the first king is drawn, but the record names all of them.
        let snake = start.rules().opening() == Opening::Snake;
        if self.deck.is_none() && !snake && drawn < self.opening.len() {
            return Err(RecordError::field("opening", Fault::ManyDrawn));
        }
        if let Some(deck) = &self.deck {
            if end.is_over() && !deck.is_empty() {
                return Err(RecordError::field("deck", Fault::DeckAfterEnd));
            }
            let to_draw: &[Seat] = if end.kings_to_draw().is_empty() { &[] } else { &self.opening[drawn..] };
            Game::with_hidden(*end, deck, to_draw)
                .map_err(|faults| RecordError::field("deck and opening order", Fault::Deck { faults }))?;
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
                return Err(RecordError::field("opening", Fault::NotEveryKing));
            }
            if let Some(first) = self.opening.first()
                && let Some(order) = start.rules().snake_order(*first)
                && order.as_slice() != self.opening
            {
                return Err(RecordError::field("opening", Fault::SnakeOrder));
            }
        }
        Ok(())
    }
}

impl Noted {
    fn check(&mut self, ply: usize, position: &Position, played: bool) -> Result<(), RecordError> {
        self.annotation.check(position, played).map_err(|fault| {
            let part = match self.line {
                Place(0) => Part::Annotation(ply),
                Place(line) => Part::Line(line),
            };
            RecordError::new(part, fault)
        })
    }
}

fn reveal(
    position: &mut Position,
    line: DominoSet,
    observe: &mut impl FnMut(&Position, Event),
) -> Result<(), Fault> {
    let (found, expected) = (line.len(), position.rules().line_length());
    if position.stage() != Stage::Reveal {
        return Err(Fault::NoLineDueHere);
    }
    if found != expected {
        return Err(Fault::RecordedLength { found, expected });
    }
    let known = line.without(position.unseen());
    if let Some(first) = known.into_iter().next() {
        return Err(Fault::SeenBefore { first, dominoes: known });
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
) -> Result<(), Fault> {
    match (position.stage(), position.to_move()) {
        (Stage::Reveal, _) => Err(Fault::LineDue),
        (Stage::Draw, _) => Err(Fault::KingDue),
        (_, Some(expected)) if expected != seat => Err(Fault::Turn { found: seat, expected }),
        _ => {
            position.check(action).map_err(|refusal| Fault::Illegal { action, refusal })?;
            position.step(position.canonical(action), observe);
            Ok(())
        }
    }
}

/// Whether some programs read this character as the end of a line.
fn is_line_end(character: char) -> bool {
    matches!(character, '\u{85}' | '\u{2028}' | '\u{2029}')
}
