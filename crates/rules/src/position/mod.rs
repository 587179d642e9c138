//! Everything that all players can see, and the moves from one position to the next.

pub(crate) mod chance;
pub(crate) mod outcome;
pub(crate) mod refusal;
pub(crate) mod text;

use arrayvec::ArrayVec;

use crate::game::Game;
use crate::game::event::Event;
use crate::input::fault::{Fault, Faults};
use crate::kingdom::Kingdom;
use crate::kingdom::placements::{Placements, Spot};
use crate::kingdom::scoring::Score;
use crate::kingdom::symmetry::Images;
use crate::position::chance::{Chance, ChanceOutcomes};
use crate::position::outcome::Outcome;
use crate::position::refusal::Refusal;
use crate::values::action::Action;
use crate::values::domino::{Domino, DominoSet};
use crate::values::line::{Line, Seat, Slot};
use crate::values::rules::{Opening, Rules};

/// What happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The next line is revealed (chance).
    Reveal,
    /// The next king of the opening round is drawn (chance).
    Draw,
    /// The seat to move places or discards the domino under its king.
    Place,
    /// The seat to move claims a domino.
    Claim,
    /// Nothing: the game is over.
    Over,
}

/// What everyone at the table can see: kingdoms, lines, kings, the set of unseen dominoes, whose decision it is. A
/// plain value of about 400 bytes.
///
/// It changes by actions, and by two chance events: a line is revealed, a king is drawn. It holds nothing hidden; the
/// order of the deck belongs to [`Game`](crate::Game).
///
/// ```
/// use kingdomino_rules::{Position, Rules, Stage};
///
/// let mut position = Position::new(Rules::default());
/// assert_eq!(position.stage(), Stage::Reveal);
/// position.reveal(&["3".parse()?, "9".parse()?, "22".parse()?, "41".parse()?])?;
/// position.draw(1)?;
/// assert_eq!((position.stage(), position.to_move()), (Stage::Claim, Some(1)));
/// position.play("claim 41".parse()?)?;
///
/// // The text form is one line, like a FEN.
/// let text = position.to_string();
/// assert!(text.starts_with("kd1 2.second.random 0 draw 3,9,22,41@1 - 1-2,4-8,"));
/// assert_eq!(text.parse(), Ok(position));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(crate) kingdoms: [Kingdom; Rules::MOST],
    pub(crate) unseen: DominoSet,
    /// The line whose kings take their turns; empty in the opening round.
    pub(crate) resolving: Line,
    /// The line being claimed; empty in the last round.
    pub(crate) offered: Line,
    pub(crate) rules: Rules,
    /// 0 in the opening round.
    pub(crate) round: u8,
    /// Turns completed this round.
    pub(crate) turn: u8,
    pub(crate) to_move: u8,
    pub(crate) stage: Stage,
}

/// A list of actions. There are never more than 256: four boards of 64 placements.
pub type Actions = ArrayVec<Action, 256>;

/// The dominoes of a line with their kings, lowest first.
pub type Slots = ArrayVec<Slot, { Rules::MOST }>;

/// Seats, each as often as it has kings to draw.
pub type Kings = ArrayVec<Seat, { Rules::MOST }>;

impl Position {
    /// The empty table, before the first line is revealed.
    pub const fn new(rules: Rules) -> Position {
        Position {
            kingdoms: [Kingdom::new(rules.kingdom_size()); Rules::MOST],
            unseen: DominoSet::ALL,
            resolving: Line::EMPTY,
            offered: Line::EMPTY,
            rules,
            round: 0,
            turn: 0,
            to_move: 0,
            stage: Stage::Reveal,
        }
    }

    /// The rules set.
    #[inline]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The round: 0 while the first line is claimed, then 1 to `rules.rounds()`.
    #[inline]
    pub const fn round(&self) -> usize {
        self.round as usize
    }

    /// The number of turns completed in this round.
    #[inline]
    pub const fn turn(&self) -> usize {
        self.turn as usize
    }

    /// What happens next.
    #[inline]
    pub const fn stage(&self) -> Stage {
        self.stage
    }

    /// Whether the game is over.
    pub const fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over)
    }

    /// The seat whose decision it is; `None` if chance is due or the game is over.
    #[inline]
    pub const fn to_move(&self) -> Option<Seat> {
        match self.stage {
            Stage::Place | Stage::Claim => Some(self.to_move_unchecked()),
            _ => None,
        }
    }

    /// The kingdoms, one per seat.
    #[inline]
    pub fn kingdoms(&self) -> &[Kingdom] {
        &self.kingdoms[..self.rules.players()]
    }

    /// The kingdom of the seat to move. The stage must be `Place` or `Claim`.
    #[inline]
    pub const fn own_kingdom_unchecked(&self) -> &Kingdom {
        &self.kingdoms[self.to_move_unchecked()]
    }

    /// The line whose kings take their turns; in the opening round the first line, which is being claimed.
    pub const fn line(&self) -> &Line {
        if self.round == 0 { &self.offered } else { &self.resolving }
    }

    /// The line that is being claimed beside it; empty in the opening round and in the last round.
    pub const fn next_line(&self) -> &Line {
        if self.round == 0 { &self.resolving } else { &self.offered }
    }

    /// The dominoes of `line` with their kings, lowest first.
    pub fn slots(&self) -> Slots {
        let turn = if self.round == 0 { 0 } else { self.turn() + usize::from(self.settled().is_some()) };
        slots(self.line(), turn)
    }

    /// The dominoes of `next_line` with their kings, lowest first.
    pub fn next_slots(&self) -> Slots {
        slots(self.next_line(), 0)
    }

    /// The line that is being claimed: `next_line`, or `line` in the opening round.
    #[inline]
    pub const fn offered(&self) -> &Line {
        &self.offered
    }

    /// The dominoes that have not been revealed. In games that do not use all 48, some of them never will be.
    #[inline]
    pub const fn unseen(&self) -> DominoSet {
        self.unseen
    }

    /// The domino to place now; `None` if none is to be placed.
    #[inline]
    pub const fn domino(&self) -> Option<Domino> {
        match self.stage {
            Stage::Place => Some(self.resolving.domino(self.turn as usize)),
            _ => None,
        }
    }

    /// The domino that the seat to move has placed or discarded in this turn, while it claims the next one; else
    /// `None`.
    #[inline]
    pub const fn settled(&self) -> Option<Domino> {
        match (self.stage, self.round) {
            (Stage::Claim, 1..) => Some(self.resolving.domino(self.turn as usize)),
            _ => None,
        }
    }

    /// The number of lines that will still be revealed.
    #[inline]
    pub const fn lines_to_come(&self) -> usize {
        let shown = match (self.stage, self.round) {
            (Stage::Reveal, round) => round as usize,
            (_, round) => round as usize + 1,
        };
        self.rules.rounds().saturating_sub(shown)
    }

    /// The number of dominoes that will still be revealed.
    pub const fn dominoes_to_come(&self) -> usize {
        self.lines_to_come() * self.rules.line_length()
    }

    /// The score of each kingdom in points, as if the game ended now.
    pub fn scores(&self) -> ArrayVec<Score, { Rules::MOST }> {
        self.kingdoms().iter().map(|kingdom| kingdom.score(&self.rules)).collect()
    }

    /// How the game ended; `None` until it is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| Outcome::new(&self.rules, self.kingdoms()))
    }

    /// The number of this seat's kings that have not claimed a domino of the offered line (for the opening round).
    #[inline]
    pub fn kings_waiting(&self, seat: Seat) -> usize {
        self.rules.kings().saturating_sub(self.offered.kings_of(seat))
    }

    /// The seats of the kings that have not claimed a domino of the offered line, in seat order; none where no line is
    /// offered.
    pub fn kings_to_claim(&self) -> Kings {
        let seats = 0..if self.offered.is_empty() { 0 } else { self.rules.players() };
        seats.flat_map(|seat| (0..self.kings_waiting(seat)).map(move |_| seat)).collect()
    }

    /// The seats of the kings still to be drawn in the opening round, in seat order. The king that claims now has been
    /// drawn. With the snake opening only the first king is drawn, since it decides the order of the others.
    pub fn kings_to_draw(&self) -> Kings {
        let mut kings = Kings::new();
        let begun = self.turn > 0 || self.stage == Stage::Claim;
        if self.round == 0 && !(begun && self.rules.opening() == Opening::Snake) {
            for seat in 0..self.rules.players() {
                let drawn = usize::from(self.to_move() == Some(seat));
                for _ in drawn..self.kings_waiting(seat) {
                    kings.push(seat);
                }
            }
        }
        kings
    }

    // Without checks.

    /// The seat whose decision it is. The stage must be `Place` or `Claim`.
    #[inline]
    pub const fn to_move_unchecked(&self) -> Seat {
        debug_assert!(matches!(self.stage, Stage::Place | Stage::Claim));
        (self.to_move & 3) as Seat
    }

    /// Reveals the next line. The stage must be `Reveal`; the dominoes must be unseen, and make a full line.
    #[inline]
    pub fn reveal_unchecked(&mut self, line: DominoSet) {
        debug_assert!(self.stage == Stage::Reveal && self.unseen.is_superset(line));
        debug_assert_eq!(line.len(), self.rules.line_length());
        self.unseen = self.unseen.without(line);
        self.offered = Line::new(line);
        if self.round == 0 {
            self.stage = Stage::Draw;
        } else {
            self.start_turn();
        }
    }

    /// Leaves the next line out: the dominoes claimed so far are placed, then the game is over. For evaluating
    /// kingdoms without guessing the lines to come. The stage must be `Reveal`, after the opening round.
    #[inline]
    pub fn reveal_nothing_unchecked(&mut self) {
        debug_assert!(self.stage == Stage::Reveal && self.round > 0);
        self.start_turn();
    }

    /// Draws a king of this seat, which claims next. The stage must be `Draw`, and the seat must have a king to draw.
    #[inline]
    pub fn draw_unchecked(&mut self, seat: Seat) {
        debug_assert!(self.stage == Stage::Draw && self.kings_waiting(seat) > 0);
        self.to_move = seat as u8;
        self.stage = Stage::Claim;
    }

    /// Claims the domino at this place of the offered line. The stage must be `Claim`, and the place free.
    #[inline]
    pub fn claim_unchecked(&mut self, place: usize) {
        debug_assert!(self.stage == Stage::Claim && self.offered.free() >> place & 1 == 1);
        self.offered.claim(place, self.to_move_unchecked());
        self.turn += 1;
        let opening = self.round == 0;
        let turns = if opening { self.rules.total_kings() } else { self.resolving.len() };
        if self.turn as usize == turns {
            self.start_round();
        } else if opening {
            self.start_opening_turn();
        } else {
            self.start_turn();
        }
    }

    /// Places the domino to place. The stage must be `Place`, and the spot legal.
    #[inline]
    pub fn place_unchecked(&mut self, spot: impl Into<Spot>) {
        debug_assert_eq!(self.stage, Stage::Place);
        let domino = self.resolving.domino(self.turn as usize);
        self.kingdoms[self.to_move_unchecked()].place_unchecked(domino, spot);
        self.finish_domino();
    }

    /// Discards the domino to place. The stage must be `Place`, and the domino must fit nowhere.
    #[inline]
    pub fn discard_unchecked(&mut self) {
        debug_assert_eq!(self.stage, Stage::Place);
        self.finish_domino();
    }

    /// The claim comes next; in the last round, without a line to claim, the turn ends.
    #[inline]
    fn finish_domino(&mut self) {
        if self.offered.is_empty() {
            self.turn += 1;
            if self.turn as usize == self.resolving.len() {
                self.stage = Stage::Over;
                self.to_move = 0;
            } else {
                self.start_turn();
            }
        } else {
            self.stage = Stage::Claim;
        }
    }

    #[inline]
    fn start_turn(&mut self) {
        // Every domino of the resolving line has a king.
        self.to_move = self.resolving.seat(self.turn as usize) as u8;
        self.stage = Stage::Place;
    }

    /// With the snake opening only the first king is drawn: A B B A.
    #[inline]
    fn start_opening_turn(&mut self) {
        match self.rules.opening() {
            Opening::Random => {
                self.stage = Stage::Draw;
                self.to_move = 0;
            }
            Opening::Snake => self.to_move ^= u8::from(self.turn != 2),
        }
    }

    #[inline]
    fn start_round(&mut self) {
        self.resolving = self.offered.claimed_only();
        self.offered = Line::EMPTY;
        self.turn = 0;
        self.round += 1;
        if self.round as usize == self.rules.rounds() {
            self.start_turn();
        } else {
            self.stage = Stage::Reveal;
            self.to_move = 0;
        }
    }

    /// Applies an outcome of chance. It must be due and possible.
    #[inline]
    pub fn apply_unchecked(&mut self, chance: Chance) {
        match chance {
            Chance::Line(line) => self.reveal_unchecked(line),
            Chance::King(seat) => self.draw_unchecked(seat),
        }
    }

    /// Plays an action, which must be legal.
    pub fn play_unchecked(&mut self, action: Action) {
        match action {
            Action::Claim(domino) => {
                let place = self.offered.dominoes().position(|offered| offered == domino);
                self.claim_unchecked(place.expect("a legal claim is on offer"));
            }
            Action::Place(placement) => self.place_unchecked(placement),
            Action::Discard => self.discard_unchecked(),
        }
    }

    /// Plays a legal action. Calls `observe` with it, and with the new round or the end that it leads to, and with the
    /// position before each.
    pub(crate) fn step(&mut self, action: Action, observe: &mut impl FnMut(&Position, Event)) {
        let before = *self;
        self.play_unchecked(action);
        observe(&before, Event::of_action(before.to_move_unchecked(), action, before.domino()));
        if self.round > before.round {
            observe(self, Event::RoundBegan(self.round()));
        }
        if self.is_over() {
            observe(self, Event::Finished);
        }
    }

    // With checks.

    /// Reveals this line. The error lists everything that is wrong with it; nothing has changed then.
    pub fn reveal(&mut self, line: &[Domino]) -> Result<(), Faults> {
        if self.stage != Stage::Reveal {
            return Err(Fault::NoLineDue.into());
        }
        let mut faults = Vec::new();
        let expected = self.rules.line_length();
        if line.len() != expected {
            faults.push(Fault::RevealedLength { found: line.len(), expected });
        }
        let mut set = DominoSet::EMPTY;
        for domino in line {
            if !self.unseen.contains(*domino) {
                faults.push(Fault::NotUnseen { domino: *domino });
            } else if !set.insert(*domino) {
                faults.push(Fault::GivenTwice { domino: *domino });
            }
        }
        Faults::check(faults)?;
        self.reveal_unchecked(set);
        Ok(())
    }

    /// Draws a king of this seat, which claims next. An error names the fault and changes nothing.
    pub fn draw(&mut self, seat: Seat) -> Result<(), Faults> {
        let fault = if self.stage != Stage::Draw {
            Fault::NoKingDue
        } else if seat >= self.rules.players() {
            Fault::NoSeat { seat, most: self.rules.players() - 1 }
        } else if self.kings_waiting(seat) == 0 {
            Fault::AllDrawn { seat }
        } else {
            self.draw_unchecked(seat);
            return Ok(());
        };
        Err(fault.into())
    }

    /// Whether this action is legal now, and if not, why.
    pub fn check(&self, action: Action) -> Result<(), Refusal> {
        match (self.stage, action) {
            (Stage::Over, _) => Err(Refusal::Over),
            (Stage::Reveal | Stage::Draw, _) => Err(Refusal::Waiting),
            (Stage::Place, Action::Claim(_)) => {
                Err(Refusal::MustPlace(self.resolving.domino(self.turn as usize)))
            }
            (Stage::Claim, Action::Place(_) | Action::Discard) => Err(Refusal::MustClaim),
            (Stage::Claim, Action::Claim(domino)) => {
                let place = self.place_on_offer(domino)?;
                match self.offered.king(place) {
                    None => Ok(()),
                    Some(seat) => Err(Refusal::Claimed(domino, seat)),
                }
            }
            (Stage::Place, Action::Place(placement)) => {
                let domino = self.resolving.domino(self.turn as usize);
                Ok(self.own_kingdom_unchecked().check(domino, placement)?)
            }
            (Stage::Place, Action::Discard) => {
                let domino = self.resolving.domino(self.turn as usize);
                if self.own_kingdom_unchecked().has_placement(domino) {
                    Err(Refusal::Fits(domino))
                } else {
                    Ok(())
                }
            }
        }
    }

    fn place_on_offer(&self, domino: Domino) -> Result<usize, Refusal> {
        let place = self.offered.dominoes().position(|offered| offered == domino);
        place.ok_or(Refusal::NotOnOffer(domino, self.offered))
    }

    /// Plays an action. An illegal action is refused and changes nothing.
    pub fn play(&mut self, action: Action) -> Result<(), Refusal> {
        self.check(action)?;
        self.play_unchecked(action);
        Ok(())
    }

    /// The action in the form that `legal_actions` lists. Only the placement of a domino with two equal ends has a
    /// second form: turned round, it covers the same squares.
    #[must_use]
    pub fn canonical(&self, action: Action) -> Action {
        match (action, self.domino()) {
            (Action::Place(placement), Some(domino))
                if domino.is_double() && placement.right < placement.left =>
            {
                Action::Place(placement.turned())
            }
            _ => action,
        }
    }

    /// The representative of the placements equivalent to this one. Equivalent placements lead to the same kingdom, up to
    /// a rotation or a reflection about the castle. The representative is the first of them in `legal_actions`. Any other
    /// action, even an illegal one, represents itself.
    #[must_use]
    pub fn equivalent(&self, action: Action) -> Action {
        if self.check(action).is_ok() { self.counterpart(action, self) } else { action }
    }

    /// The representative of the placements that lead to the same kingdom as this one does in another position, up to a
    /// rotation or a reflection. The other position may differ from this one only by such symmetries of its kingdoms. Any
    /// other action is its own counterpart.
    #[must_use]
    pub fn counterpart(&self, action: Action, other: &Position) -> Action {
        let (Action::Place(placement), Some(domino)) = (action, self.domino()) else { return action };
        let (kingdom, other) = (self.own_kingdom_unchecked(), other.own_kingdom_unchecked());
        if kingdom == other && !kingdom.is_nearly_symmetric() {
            return self.canonical(action);
        }
        let (images, key) = (Images::of(kingdom), Images::of(other).key_with(domino, placement));
        let mut placements = kingdom.placements(domino).iter();
        let counterpart = placements.find(|each| images.key_with(domino, *each) == key);
        Action::Place(counterpart.unwrap_or(placement))
    }

    /// The possible chance events, with probabilities; none in the other stages. Lines come in ascending order of their
    /// dominoes, all equally likely: up to 194,580 of them.
    pub fn chance_outcomes(&self) -> ChanceOutcomes {
        ChanceOutcomes::of(self)
    }

    /// The position after everything due is sampled: a line, a king, or both in turn. The same position where nothing is
    /// due.
    #[must_use]
    pub fn sample(&self, seed: u64) -> Position {
        *Game::sampled(*self, seed).position()
    }

    /// Every legal action, each once.
    pub fn legal_actions(&self) -> Actions {
        self.actions(Kingdom::placements)
    }

    /// The legal actions that differ: of [equivalent](Position::equivalent) ones, the representative.
    pub fn distinct_actions(&self) -> Actions {
        self.actions(Kingdom::distinct_placements)
    }

    fn actions(&self, placements: impl FnOnce(&Kingdom, Domino) -> Placements) -> Actions {
        match self.stage {
            Stage::Reveal | Stage::Draw | Stage::Over => Actions::new(),
            Stage::Claim => {
                self.offered.free_places().map(|place| Action::Claim(self.offered.domino(place))).collect()
            }
            Stage::Place => {
                let domino = self.resolving.domino(self.turn as usize);
                let placements = placements(self.own_kingdom_unchecked(), domino);
                let mut actions: Actions = placements.iter().map(Action::Place).collect();
                if actions.is_empty() {
                    actions.push(Action::Discard);
                }
                actions
            }
        }
    }
}

/// The slots of a line. Those before `done` have had their turn.
fn slots(line: &Line, done: usize) -> Slots {
    let slot = |(place, domino)| Slot { domino, seat: line.king(place), is_done: place < done };
    line.dominoes().enumerate().map(slot).collect()
}
