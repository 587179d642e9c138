//! A game: a position, what is hidden behind it, and how it came about.
//!
//! This is the only type that knows the order of the deck. It brings the events (a line revealed, a
//! king drawn) as soon as they are due, so between two calls it is always somebody's decision, or
//! the game is over.

use arrayvec::ArrayVec;

use crate::action::Action;
use crate::domino::{Domino, DominoSet};
use crate::error::Faults;
use crate::line::Seat;
use crate::placements::Spot;
use crate::position::{Position, Stage};
use crate::random::Stream;
use crate::refusal::Refusal;
use crate::rules::{Opening, Rules};

/// The dominoes in the order in which they come up, each line sorted.
pub type Deck = ArrayVec<Domino, { Domino::COUNT }>;

/// The seats in the order in which their kings are drawn.
pub type Kings = ArrayVec<Seat, { Rules::MOST }>;

/// A game being played. Equal games have equal starts, decks, histories and seeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    start: Position,
    /// What comes up after the start.
    deck: Deck,
    kings: Kings,
    seed: Option<u64>,
    history: Vec<Action>,
    position: Position,
}

/// What happens at the table, one thing at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A line is turned over.
    Line(DominoSet),
    /// The king of this seat is drawn.
    King(Seat),
    /// A seat decides. For placements and discards, `domino` is the one that lay under its king.
    Play {
        /// Whose decision it was.
        seat: Seat,
        /// The domino claimed, placed or discarded.
        domino: Domino,
        /// What was decided.
        action: Action,
    },
}

impl Game {
    /// A new game; deck and opening order follow from the seed.
    pub fn new(rules: Rules, seed: u64) -> Game {
        Game::sampled(Position::new(rules), seed)
    }

    /// A new game with this deck and opening order, or everything that is wrong with them. Whatever is
    /// left out follows from the seed.
    pub fn with_deal(
        rules: Rules,
        seed: u64,
        deck: Option<&[Domino]>,
        opening: Option<&[Seat]>,
    ) -> Result<Game, Faults> {
        let start = Position::new(rules);
        let sampled = Game::sampled(start, seed);
        let deck = deck.map_or_else(|| sampled.deck.to_vec(), <[Domino]>::to_vec);
        let opening = opening.map_or_else(|| sampled.kings.to_vec(), <[Seat]>::to_vec);
        let mut game = Game::with_hidden(start, &deck, &opening)?;
        game.set_seed(Some(seed));
        Ok(game)
    }

    /// A game that goes on from a position with what is hidden sampled: the deck from the unseen
    /// dominoes, the order of the kings still to be drawn. Nothing that can be seen tells it from the
    /// game that the position was taken from.
    pub fn sampled(start: Position, seed: u64) -> Game {
        Game::sampled_into(start, seed, new_history())
    }

    /// Begins a new game of the same rules, whose deck and opening order follow from the seed. The same
    /// as `Game::new`, but nothing is allocated.
    pub fn deal_again(&mut self, seed: u64) {
        let mut history = std::mem::take(&mut self.history);
        history.clear();
        *self = Game::sampled_into(Position::new(*self.start.rules()), seed, history);
    }

    fn sampled_into(start: Position, seed: u64, history: Vec<Action>) -> Game {
        let mut unseen: ArrayVec<Domino, { Domino::COUNT }> = start.unseen().into_iter().collect();
        Stream::new(seed, "deck", 0).shuffle(&mut unseen);
        unseen.truncate(start.lines_to_come() * start.rules().line_length());
        let mut kings = kings_to_draw(&start);
        Stream::new(seed, "opening", 0).shuffle(&mut kings);
        snake(&start, &mut kings);
        let mut game = Game::assemble(start, sorted_lines(&start, &unseen), kings, history);
        game.seed = Some(seed);
        game
    }

    /// A game that goes on from a position with this to come, or everything that is wrong with it.
    pub fn with_hidden(start: Position, deck: &[Domino], kings: &[Seat]) -> Result<Game, Faults> {
        let rules = *start.rules();
        let mut faults = Vec::new();
        let expected = start.lines_to_come() * rules.line_length();
        if deck.len() != expected {
            faults.push(format!("the deck has {} dominoes, not {expected}", deck.len()));
        }
        let mut seen = DominoSet::EMPTY;
        for domino in deck {
            if !seen.insert(*domino) {
                faults.push(format!("domino {domino} is twice in the deck"));
            } else if !start.unseen().contains(*domino) {
                faults.push(format!("domino {domino} is in the deck, but has been seen"));
            }
        }
        let mut sorted = kings.to_vec();
        sorted.sort_unstable();
        let to_draw = kings_to_draw(&start);
        if sorted != to_draw.as_slice() {
            faults.push(format!(
                "the opening order is {kings:?}, but the kings still to be drawn are those of {:?}",
                to_draw.as_slice()
            ));
        } else if rules.opening() == Opening::Snake {
            let mut snaked: Kings = kings.iter().copied().collect();
            snake(&start, &mut snaked);
            if snaked.as_slice() != kings {
                faults
                    .push(format!("the opening order {kings:?} is no snake (like {:?})", snaked.as_slice()));
            }
        }
        Faults::check(faults)?;
        let deck: Deck = deck.iter().copied().collect();
        Ok(Game::assemble(start, sorted_lines(&start, &deck), kings.iter().copied().collect(), new_history()))
    }

    fn assemble(start: Position, deck: Deck, kings: Kings, history: Vec<Action>) -> Game {
        let mut game = Game { start, deck, kings, seed: None, history, position: start };
        game.rewind();
        game
    }

    /// What everyone can see.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The position before the first event that this game knows; the empty table for a whole game.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// What comes up after the start, in its order; each line sorted.
    pub fn deck(&self) -> &[Domino] {
        &self.deck
    }

    /// The seats whose kings are drawn after the start, in their order.
    pub fn kings(&self) -> &[Seat] {
        &self.kings
    }

    /// The seed that the deck and the opening order follow from, if they follow from one.
    pub const fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// Says which seed the deck is said to follow from; it is kept only if that is so.
    pub(crate) fn set_seed(&mut self, seed: Option<u64>) {
        self.seed = seed.filter(|seed| {
            let sampled = Game::sampled(self.start, *seed);
            sampled.deck == self.deck && sampled.kings == self.kings
        });
    }

    /// Every decision since the start.
    pub fn history(&self) -> &[Action] {
        &self.history
    }

    /// Does this and whatever then happens by itself; or says why not, and nothing has changed.
    pub fn play(&mut self, action: Action) -> Result<(), Refusal> {
        // As it was typed, so that a refusal speaks of that.
        let canonical = self.position.canonical(action);
        self.position.play(action)?;
        self.history.push(canonical);
        self.bring_events(&mut |_, _| ());
        Ok(())
    }

    /// Claims the domino at this free place of the offered line, for callers that know that this is legal.
    #[inline]
    pub fn claim_unchecked(&mut self, place: usize) {
        self.history.push(Action::Claim(self.position.offered().domino(place)));
        self.position.claim_unchecked(place);
        self.bring_events(&mut |_, _| ());
    }

    /// Places the domino, for callers that have this spot from `Kingdom::placements`.
    #[inline]
    pub fn place_unchecked(&mut self, spot: Spot) {
        self.history.push(Action::Place(spot.into()));
        self.position.place_unchecked(spot);
        self.bring_events(&mut |_, _| ());
    }

    /// Takes the last decision back; `None` at the start.
    pub fn undo(&mut self) -> Option<Action> {
        let undone = self.history.pop()?;
        self.rewind();
        Some(undone)
    }

    /// Everything that has happened since the start, and each position after it.
    pub fn for_each_event(&self, mut observe: impl FnMut(Event, &Position)) {
        let mut replayed = Game { position: self.start, history: Vec::new(), ..self.clone() };
        replayed.bring_events(&mut observe);
        for action in &self.history {
            let domino = match action {
                Action::Claim(domino) => Some(*domino),
                Action::Place(_) | Action::Discard => replayed.position.domino(),
            };
            let seat = replayed.position.to_move();
            if let (Some(seat), Some(domino), Ok(())) = (seat, domino, replayed.position.play(*action)) {
                observe(Event::Play { seat, domino, action: *action }, &replayed.position);
            }
            replayed.bring_events(&mut observe);
        }
    }

    /// How many sequences of this many decisions there are from here, with this deck.
    pub fn perft(&self, depth: usize) -> u64 {
        let actions = self.position.legal_actions();
        match depth {
            0 => 1,
            1 => actions.len() as u64,
            _ => actions
                .into_iter()
                .map(|action| {
                    let mut next = self.clone();
                    let legal = next.play(action);
                    debug_assert_eq!(legal, Ok(()));
                    next.perft(depth - 1)
                })
                .sum(),
        }
    }

    /// The position that the history leads to.
    fn rewind(&mut self) {
        self.position = self.start;
        self.bring_events(&mut |_, _| ());
        for index in 0..self.history.len() {
            let legal = self.position.play(self.history[index]);
            debug_assert_eq!(legal, Ok(()));
            self.bring_events(&mut |_, _| ());
        }
    }

    fn bring_events(&mut self, observe: &mut impl FnMut(Event, &Position)) {
        loop {
            match self.position.stage() {
                Stage::Reveal => {
                    let length = self.position.rules().line_length();
                    let revealed = (self.start.lines_to_come() - self.position.lines_to_come()) * length;
                    let line: DominoSet = self.deck[revealed..revealed + length].iter().copied().collect();
                    self.position.reveal_unchecked(line);
                    observe(Event::Line(line), &self.position);
                }
                Stage::Draw => {
                    let to_draw = kings_to_draw(&self.position).len();
                    let seat = self.kings[self.kings.len() - to_draw];
                    self.position.draw_unchecked(seat);
                    observe(Event::King(seat), &self.position);
                }
                Stage::Place | Stage::Claim | Stage::Over => return,
            }
        }
    }
}

/// The seats of the kings that are still to be drawn, in seat order: the king to move is drawn already,
/// and with the snake opening only the first is drawn at all (its order is then known).
pub fn kings_to_draw(position: &Position) -> Kings {
    let mut kings = Kings::new();
    let begun = position.turn() > 0 || position.stage() == Stage::Claim;
    if position.round() == 0 && !(begun && position.rules().opening() == Opening::Snake) {
        for seat in 0..position.rules().players() {
            let drawn = usize::from(position.to_move() == Some(seat));
            for _ in drawn..position.kings_waiting(seat) {
                kings.push(seat);
            }
        }
    }
    kings
}

/// Room for 48 placements, 44 claims and 4 of the opening: no game is longer, so nothing is allocated
/// while it is played.
fn new_history() -> Vec<Action> {
    Vec::with_capacity(2 * Domino::COUNT)
}

/// Puts the kings to draw into the order of the snake opening, if the rules have it: the first that
/// was drawn decides about all.
fn snake(start: &Position, kings: &mut Kings) {
    if start.rules().opening() == Opening::Snake
        && let [first, ..] = kings[..]
        && kings.len() == 4
    {
        *kings = Kings::from([first, 1 - first, 1 - first, first]);
    }
}

/// The order within a line is nothing that anybody ever sees.
fn sorted_lines(start: &Position, deck: &[Domino]) -> Deck {
    let mut deck: Deck = deck.iter().copied().collect();
    deck.chunks_mut(start.rules().line_length()).for_each(<[Domino]>::sort_unstable);
    deck
}
