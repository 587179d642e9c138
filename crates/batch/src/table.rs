//! One game of a batch: its actions, its end, and the next one.

use kingdomino_rules::random::{Stream, derive};
use kingdomino_rules::{Action, Game, KingdomSize, Position, Rules, Seat};
use kingdomino_search::{Cpu, Policy, choose};

use crate::batch::Fault;
use crate::legal::{Legal, Move};
use crate::observation::{Form, Observer};
use crate::rewards::{Reward, rewards};
use crate::rows::{Ending, Place, Row};

/// What happens at an action that the rules refuse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Illegal {
    /// The step is refused, and nothing has changed.
    Refuse,
    /// The game ends; whoever did it has this reward, and everybody else 0.
    End(f32),
}

/// A seat that plays by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rival {
    /// How it decides.
    pub policy: Policy,
    /// The seed of its choices; by default another one in every game and seat.
    pub seed: Option<u64>,
}

/// What holds for all games of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The rules set.
    pub rules: Rules,
    /// What is written.
    pub form: Form,
    /// What the end of a game is worth.
    pub reward: Reward,
    /// What happens at an illegal action.
    pub illegal: Illegal,
    /// Nobody, and the batch is asked for the actions of every seat; or one for each seat but the
    /// learner's, beginning with the next one.
    pub rivals: Vec<Rival>,
    /// The learner's seat where there are rivals; by default another one from game to game.
    pub seat: Option<Seat>,
}

impl Options {
    /// For how many seats there are rewards.
    pub fn rewarded(&self) -> usize {
        if self.rivals.is_empty() { self.rules.players() } else { 1 }
    }
}

/// A game, and the ones after it.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    game: Game,
    /// What may be done in it now.
    legal: Legal,
    seed: u64,
    episode: u64,
    /// The only seat that is asked, where there are rivals.
    learner: Option<Seat>,
    observer: Observer,
    /// For random actions.
    random: Stream,
}

/// The seed of the next games: the first one's is the seed itself.
fn episode_seed(seed: u64, episode: u64) -> u64 {
    if episode == 0 { seed } else { derive(seed, "episode", episode) }
}

fn numbered(number: i64, size: KingdomSize) -> Option<Action> {
    usize::try_from(number).ok().and_then(|number| Action::from_number(number, size))
}

impl Table {
    pub(crate) fn new(seed: u64, options: &Options) -> Table {
        let game = Game::new(options.rules, seed);
        let mut table = Table {
            legal: Legal::of(game.position()),
            game,
            seed,
            episode: 0,
            learner: None,
            observer: Observer::new(options.form, &options.rules),
            random: Stream::new(seed, "sample", 0),
        };
        table.begin(options);
        table
    }

    pub(crate) const fn game(&self) -> &Game {
        &self.game
    }

    const fn position(&self) -> &Position {
        self.game.position()
    }

    /// Begins anew, with the games of this seed.
    pub(crate) fn reset(&mut self, seed: u64, options: &Options, mut place: Place<'_, '_>) {
        (self.seed, self.episode) = (seed, 0);
        self.begin(options);
        let row = place.shown();
        row.rewards.fill(0.0);
        self.write(false, row);
    }

    /// Deals the game of this episode, up to the first decision that is asked for.
    fn begin(&mut self, options: &Options) {
        let seed = episode_seed(self.seed, self.episode);
        self.game.deal_again(seed);
        self.observer.look_again(self.game.position());
        self.random = Stream::new(seed, "sample", 0);
        self.learner = (!options.rivals.is_empty()).then(|| {
            options.seat.unwrap_or((derive(seed, "seat", 0) % options.rules.players() as u64) as Seat)
        });
        self.let_rivals_play(options);
        self.legal = Legal::of(self.position());
    }

    /// What is wrong with this action number, if anything is.
    #[inline(always)]
    pub(crate) fn check(&self, number: i64) -> Result<(), Fault> {
        let size = self.position().rules().kingdom_size();
        if self.legal.numbered(number, size).is_some() {
            return Ok(());
        }
        let action = numbered(number, size).ok_or(Fault::NoAction(Action::count(size) - 1))?;
        self.position().check(action).map_err(|refusal| Fault::Refused(action, refusal))
    }

    /// Plays what has this number; false where the rules refuse it.
    #[inline(always)]
    fn play_number(&mut self, number: i64) -> bool {
        let size = self.position().rules().kingdom_size();
        match self.legal.numbered(number, size) {
            Some(Move::Claim(place)) => self.game.claim_place(place),
            Some(Move::Place(spot)) => self.placing(|game| game.place(spot)),
            None => return numbered(number, size).is_some_and(|action| self.play(action)),
        }
        true
    }

    /// Plays it; false where the rules refuse it.
    fn play(&mut self, action: Action) -> bool {
        match action {
            Action::Place(_) => self.placing(|game| game.play(action).is_ok()),
            Action::Claim(_) | Action::Discard => self.game.play(action).is_ok(),
        }
    }

    /// Does what may place a domino.
    #[inline(always)]
    fn placing<T>(&mut self, play: impl FnOnce(&mut Game) -> T) -> T {
        let (seat, domino) = (self.position().to_move(), self.position().domino());
        let played = play(&mut self.game);
        if let (Some(seat), Some(domino)) = (seat, domino) {
            self.observer.placed(self.game.position(), seat, domino);
        }
        played
    }

    fn let_rivals_play(&mut self, options: &Options) {
        let Some(learner) = self.learner else { return };
        let players = options.rules.players();
        let seed = episode_seed(self.seed, self.episode);
        while let Some(seat) = self.position().to_move().filter(|seat| *seat != learner) {
            let rival = options.rivals[(seat + players - learner) % players - 1];
            let seed = rival.seed.unwrap_or_else(|| derive(seed, "bot", seat as u64));
            if let Some(action) = choose(self.position(), rival.policy, seed) {
                let legal = self.play(action);
                debug_assert!(legal);
            }
        }
    }

    /// Plays an action, lets the rivals play, deals anew where the game has ended, and writes all that.
    ///
    /// An action that there is not or that is illegal ends the game.
    #[inline(always)]
    pub(crate) fn step(&mut self, number: i64, options: &Options, mut place: Place<'_, '_>) {
        let mover = self.position().to_move().unwrap_or(0);
        let refused = !self.play_number(number);
        if !refused {
            self.let_rivals_play(options);
        }
        let done = refused || self.position().is_over();
        if done {
            self.write_end(mover, refused, options, place.ending());
            self.episode += 1;
            self.begin(options);
        } else {
            self.legal = Legal::of(self.position());
        }
        let row = place.shown();
        if !done {
            row.rewards.fill(0.0);
        }
        self.write(done, row);
    }

    fn write_end(&self, mover: Seat, refused: bool, options: &Options, ending: Ending<'_>) {
        let position = self.game.position();
        let mut earned = rewards(position, options.reward).map(|reward| reward as f32);
        if let (true, Illegal::End(penalty)) = (refused, options.illegal) {
            earned[mover] = penalty;
        }
        match self.learner {
            Some(seat) => ending.rewards.fill(earned[seat]),
            None => ending.rewards.copy_from_slice(&earned[..ending.rewards.len()]),
        }
        ending.scores.copy_from_slice(&self.observer.scores()[..ending.scores.len()]);
        self.observer.write(position, self.learner.unwrap_or(mover), ending.bytes, ending.words);
    }

    /// The number of any legal action, each as likely as the others.
    #[inline(always)]
    pub(crate) fn draw(&mut self, cpu: impl Cpu) -> u16 {
        let size = self.game.position().rules().kingdom_size();
        self.legal.choose(size, &mut self.random, cpu).map_or(0, |number| number as u16)
    }

    #[inline(always)]
    fn write(&self, done: bool, row: Row<'_>) {
        let position = self.game.position();
        let seat = position.to_move().unwrap_or(0);
        self.observer.write(position, seat, row.bytes, row.words);
        self.legal.write(position.rules().kingdom_size(), row.mask);
        (*row.done, *row.seat) = (done, seat as u8);
    }
}
