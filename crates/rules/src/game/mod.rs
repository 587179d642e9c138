//! A game: a position, the hidden deck and the history.

pub(crate) mod dynasty;
pub(crate) mod event;
pub mod random;

use arrayvec::ArrayVec;

use crate::game::event::{Event, Events};
use crate::game::random::Stream;
use crate::input::fault::{Fault, Faults};
use crate::kingdom::placements::Spot;
use crate::position::chance::Chance;
use crate::position::refusal::Refusal;
use crate::position::{Kings, Position, Stage};
use crate::values::action::Action;
use crate::values::domino::{Domino, DominoSet};
use crate::values::line::Seat;
use crate::values::rules::{Opening, Rules};

/// Dominoes in the order in which they are revealed, each line sorted.
pub type Deck = ArrayVec<Domino, { Domino::COUNT }>;

/// A position, the hidden deck and the history. Equal games have equal starts, decks, histories and seeds.
///
/// This is the only type that knows the order of the deck. It reveals lines and draws kings as soon as they are due:
/// between two calls a seat is to move, or the game is over.
///
/// ```
/// use kingdomino_rules::{Game, Rules};
///
/// let mut game = Game::new(Rules::default(), 7); // the deck follows from the seed
/// while let Some(action) = game.position().legal_actions().first().copied() {
///     game.play(action)?;
/// }
/// let outcome = game.position().outcome().expect("the game is over");
/// assert_eq!(outcome.scores.len(), 2);
///
/// let last = game.undo();
/// assert!(last.is_some() && !game.position().is_over());
/// # Ok::<(), kingdomino_rules::Refusal>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    start: Position,
    /// Revealed after the start.
    deck: Deck,
    kings: Kings,
    seed: Option<u64>,
    history: Vec<Action>,
    position: Position,
}

impl Game {
    /// A new game whose deck and opening order follow from the seed.
    pub fn new(rules: Rules, seed: u64) -> Game {
        Game::sampled(Position::new(rules), seed)
    }

    /// A game from this position on, with this deck and these kings still to be drawn; `None` means from the seed. The
    /// error lists everything that is wrong with them.
    pub fn from_position(
        start: Position,
        seed: u64,
        deck: Option<&[Domino]>,
        opening: Option<&[Seat]>,
    ) -> Result<Game, Faults> {
        let sampled = Game::sampled(start, seed);
        let deck = deck.map_or_else(|| sampled.deck.to_vec(), <[Domino]>::to_vec);
        let opening = opening.map_or_else(|| sampled.kings.to_vec(), <[Seat]>::to_vec);
        let mut game = Game::with_hidden(start, &deck, &opening)?;
        game.set_seed(Some(seed));
        Ok(game)
    }

    /// A game from this position on, with everything hidden sampled: the deck from the unseen dominoes, and the order
    /// of the kings still to be drawn.
    pub fn sampled(start: Position, seed: u64) -> Game {
        Game::sampled_into(start, seed, new_history())
    }

    /// Starts a new game under the same rules. Like `Game::new`, but allocates nothing.
    pub fn deal_again(&mut self, seed: u64) {
        let mut history = std::mem::take(&mut self.history);
        history.clear();
        *self = Game::sampled_into(Position::new(*self.start.rules()), seed, history);
    }

    fn sampled_into(start: Position, seed: u64, history: Vec<Action>) -> Game {
        let mut unseen: ArrayVec<Domino, { Domino::COUNT }> = start.unseen().into_iter().collect();
        Stream::new(seed, "deck", 0).shuffle(&mut unseen);
        unseen.truncate(start.dominoes_to_come());
        let mut kings = start.kings_to_draw();
        Stream::new(seed, "opening", 0).shuffle(&mut kings);
        snake(&start, &mut kings);
        let mut game = Game::assemble(start, sorted_lines(&start, &unseen), kings, history);
        game.seed = Some(seed);
        game
    }

    /// A game from this position on, with this deck and these kings still to be drawn. The error lists everything that
    /// is wrong with them.
    pub fn with_hidden(start: Position, deck: &[Domino], kings: &[Seat]) -> Result<Game, Faults> {
        let rules = *start.rules();
        let mut faults = Vec::new();
        let expected = start.dominoes_to_come();
        if deck.len() != expected {
            faults.push(Fault::DeckLength { found: deck.len(), expected });
        }
        let mut seen = DominoSet::EMPTY;
        for domino in deck {
            if !seen.insert(*domino) {
                faults.push(Fault::TwiceInDeck { domino: *domino });
            } else if !start.unseen().contains(*domino) {
                faults.push(Fault::SeenInDeck { domino: *domino });
            }
        }
        let mut sorted = kings.to_vec();
        sorted.sort_unstable();
        let to_draw = start.kings_to_draw();
        if sorted != to_draw.as_slice() {
            faults.push(Fault::Opening { found: kings.to_vec(), expected: to_draw });
        } else if rules.opening() == Opening::Snake {
            let mut snaked: Kings = kings.iter().copied().collect();
            snake(&start, &mut snaked);
            if snaked.as_slice() != kings {
                faults.push(Fault::NotSnake { found: kings.to_vec(), expected: snaked });
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

    /// Everything that all players can see.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The position that the game started from, before the first line is revealed; the empty table for a whole game.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The dominoes in the order in which they are revealed after the start, each line sorted.
    pub fn deck(&self) -> &[Domino] {
        &self.deck
    }

    /// The seats in the order in which their kings are drawn after the start.
    pub fn kings(&self) -> &[Seat] {
        &self.kings
    }

    /// The seed that deck and opening order follow from, if any.
    pub const fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// Sets the seed if deck and opening order follow from it, else clears it.
    pub(crate) fn set_seed(&mut self, seed: Option<u64>) {
        self.seed = seed.filter(|seed| {
            let sampled = Game::sampled(self.start, *seed);
            sampled.deck == self.deck && sampled.kings == self.kings
        });
    }

    /// Every action since the start.
    pub fn history(&self) -> &[Action] {
        &self.history
    }

    /// Plays an action, then reveals lines and draws kings as they are due. Returns what happened, in order. An illegal
    /// action is refused and changes nothing.
    pub fn play(&mut self, action: Action) -> Result<Events, Refusal> {
        // Checked as given, so that a refusal names the action as given.
        self.position.check(action)?;
        let action = self.position.canonical(action);
        let mut events = Events::new();
        let mut note = |_: &Position, event| events.push(event);
        self.position.step(action, &mut note);
        self.chance(&mut note);
        self.history.push(action);
        Ok(events)
    }

    /// Claims the domino at this place of the offered line. The seat to move must be claiming, and the place free.
    #[inline]
    pub fn claim_unchecked(&mut self, place: usize) {
        self.history.push(Action::Claim(self.position.offered().domino(place)));
        self.position.claim_unchecked(place);
        self.chance(&mut |_, _| ());
    }

    /// Places the domino to place. The spot must be one of `Kingdom::placements`.
    #[inline]
    pub fn place_unchecked(&mut self, spot: Spot) {
        self.history.push(Action::Place(spot.into()));
        self.position.place_unchecked(spot);
        self.chance(&mut |_, _| ());
    }

    /// Takes the last action back and returns it; `None` at the start.
    pub fn undo(&mut self) -> Option<Action> {
        let undone = self.history.pop()?;
        self.rewind();
        Some(undone)
    }

    /// Calls `observe` with every event since the start and the position before it.
    pub fn for_each_event(&self, mut observe: impl FnMut(&Position, Event)) {
        let mut replayed = Game { position: self.start, history: Vec::new(), ..self.clone() };
        replayed.chance(&mut observe);
        for action in &self.history {
            replayed.position.step(*action, &mut observe);
            replayed.chance(&mut observe);
        }
    }

    /// The number of sequences of `depth` actions from here, with this deck (the perft of chess programming). `None` if
    /// `keep_going`, which is called once for the last two actions, returns false.
    pub fn perft(&self, depth: usize, keep_going: &mut dyn FnMut() -> bool) -> Option<u64> {
        let actions = self.position.legal_actions();
        match depth {
            0 => return Some(1),
            1 => return Some(actions.len() as u64),
            2 if !keep_going() => return None,
            _ => {}
        }
        actions.into_iter().try_fold(0, |sum, action| {
            let mut next = self.clone();
            next.position.play_unchecked(action);
            next.chance(&mut |_, _| ());
            Some(sum + next.perft(depth - 1, keep_going)?)
        })
    }

    /// Sets the position by replaying the history.
    fn rewind(&mut self) {
        self.position = self.start;
        self.chance(&mut |_, _| ());
        for index in 0..self.history.len() {
            self.position.play_unchecked(self.history[index]);
            self.chance(&mut |_, _| ());
        }
    }

    /// Reveals the lines and draws the kings that are due.
    fn chance(&mut self, observe: &mut impl FnMut(&Position, Event)) {
        while let Some(chance) = self.next_chance() {
            observe(&self.position, Event::from(chance));
            self.position.apply_unchecked(chance);
        }
    }

    /// The next outcome of the deck and the order of the kings, if one is due.
    fn next_chance(&self) -> Option<Chance> {
        match self.position.stage() {
            Stage::Reveal => {
                let length = self.position.rules().line_length();
                let revealed = (self.start.lines_to_come() - self.position.lines_to_come()) * length;
                Some(Chance::Line(self.deck[revealed..revealed + length].iter().copied().collect()))
            }
            Stage::Draw => {
                let to_draw = self.position.kings_to_draw().len();
                Some(Chance::King(self.kings[self.kings.len() - to_draw]))
            }
            Stage::Place | Stage::Claim | Stage::Over => None,
        }
    }
}

/// Room for the longest game, 48 placements and 48 claims, so that playing allocates nothing.
fn new_history() -> Vec<Action> {
    Vec::with_capacity(2 * Domino::COUNT)
}

/// Puts the kings to draw into the order of the snake opening, if the rules have it: the first king decides the order.
fn snake(start: &Position, kings: &mut Kings) {
    if let Some(first) = kings.first().copied()
        && let Some(order) = start.rules().snake_order(first)
    {
        *kings = order;
    }
}

/// The deck with each line sorted, since the order within a line is never seen.
fn sorted_lines(start: &Position, deck: &[Domino]) -> Deck {
    let mut deck: Deck = deck.iter().copied().collect();
    deck.chunks_mut(start.rules().line_length()).for_each(<[Domino]>::sort_unstable);
    deck
}
