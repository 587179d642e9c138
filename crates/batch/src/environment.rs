//! One game of a batch: its actions, its end, and the next one.

use kingdomino_rules::random::{Stream, derive};
use kingdomino_rules::{Action, Game, KingdomSize, Position, Rules, Seat};
use kingdomino_search::{Cpu, Policy, choose};

use crate::batch::Fault;
use crate::legal::{Decision, Legal};
use crate::observation::{Form, Observer};
use crate::outputs::{FinalOutput, Output, OutputRow};
use crate::rewards::{Reward, rewards};

/// What happens on an illegal action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Illegal {
    /// The step is refused, and nothing has changed.
    Refuse,
    /// The game ends; the seat that played it gets this reward, the others 0.
    End(f32),
}

/// A seat that the batch plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opponent {
    /// How it decides.
    pub policy: Policy,
    /// The seed of its choices. By default it differs by game and seat.
    pub seed: Option<u64>,
}

/// The options of all games of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The rules set.
    pub rules: Rules,
    /// The form of the observations.
    pub form: Form,
    /// How the end of a game is rewarded.
    pub reward: Reward,
    /// What happens on an illegal action.
    pub illegal: Illegal,
    /// One for each seat except the learner's, beginning with the next. If empty, the caller plays every seat.
    pub opponents: Vec<Opponent>,
    /// The learner's seat if there are opponents. By default it changes from game to game.
    pub seat: Option<Seat>,
}

impl Options {
    /// The number of seats with a reward.
    pub fn rewarded(&self) -> usize {
        if self.opponents.is_empty() { self.rules.players() } else { 1 }
    }
}

/// One row of a batch: a game, and the ones after it.
#[derive(Clone, Debug)]
pub(crate) struct Environment {
    game: Game,
    /// The legal actions now.
    legal: Legal,
    seed: u64,
    episode: u64,
    /// The only seat that the caller plays, if there are opponents.
    learner: Option<Seat>,
    observer: Observer,
    /// For random actions.
    random: Stream,
}

/// The seed of a row's game with this number, from 0: the first one has the seed itself.
fn episode_seed(seed: u64, episode: u64) -> u64 {
    if episode == 0 { seed } else { derive(seed, "episode", episode) }
}

fn action_numbered(number: i64, size: KingdomSize) -> Option<Action> {
    usize::try_from(number).ok().and_then(|number| Action::from_number(number, size))
}

impl Environment {
    pub(crate) fn new(seed: u64, options: &Options) -> Environment {
        let game = Game::new(options.rules, seed);
        let mut environment = Environment {
            legal: Legal::of(game.position()),
            game,
            seed,
            episode: 0,
            learner: None,
            observer: Observer::new(options.form, &options.rules),
            random: Stream::new(seed, "sample", 0),
        };
        environment.start(seed, options);
        environment
    }

    pub(crate) const fn game(&self) -> &Game {
        &self.game
    }

    const fn position(&self) -> &Position {
        self.game.position()
    }

    /// Starts the first game of this seed; without one the next game.
    pub(crate) fn reset(&mut self, seed: Option<u64>, options: &Options, mut output: Output<'_, '_>) {
        (self.seed, self.episode) = seed.map_or((self.seed, self.episode + 1), |seed| (seed, 0));
        self.begin(options);
        let row = output.row();
        row.rewards.fill(0.0);
        self.write(false, row);
    }

    /// Deals the game of this episode and starts it.
    fn begin(&mut self, options: &Options) {
        let seed = episode_seed(self.seed, self.episode);
        self.game.deal_again(seed);
        self.start(seed, options);
    }

    /// Plays the game that was dealt from this seed up to the learner's first decision.
    fn start(&mut self, seed: u64, options: &Options) {
        self.observer.reset(self.game.position());
        self.random = Stream::new(seed, "sample", 0);
        self.learner = (!options.opponents.is_empty()).then(|| {
            options.seat.unwrap_or((derive(seed, "seat", 0) % options.rules.players() as u64) as Seat)
        });
        self.play_opponents(options);
        self.legal = Legal::of(self.position());
    }

    /// Checks an action number.
    #[inline(always)]
    pub(crate) fn check(&self, number: i64) -> Result<(), Fault> {
        let size = self.position().rules().kingdom_size();
        if self.legal.numbered(number, size).is_some() {
            return Ok(());
        }
        let action = action_numbered(number, size).ok_or(Fault::NoAction(Action::count(size) - 1))?;
        self.position().check(action).map_err(|refusal| Fault::Refused(action, refusal))
    }

    /// Plays the action with this number; false if it is illegal.
    #[inline(always)]
    fn play_number(&mut self, number: i64) -> bool {
        let size = self.position().rules().kingdom_size();
        match self.legal.numbered(number, size) {
            Some(Decision::Claim(place)) => self.game.claim_unchecked(place),
            Some(Decision::Place(spot)) => self.placing(|game| game.place_unchecked(spot)),
            None => return action_numbered(number, size).is_some_and(|action| self.play(action)),
        }
        true
    }

    /// Plays an action; false if it is illegal.
    fn play(&mut self, action: Action) -> bool {
        match action {
            Action::Place(_) => self.placing(|game| game.play(action).is_ok()),
            Action::Claim(_) | Action::Discard => self.game.play(action).is_ok(),
        }
    }

    /// Plays an action that may place a domino, and updates the observer.
    #[inline(always)]
    fn placing<T>(&mut self, play: impl FnOnce(&mut Game) -> T) -> T {
        let (seat, domino) = (self.position().to_move(), self.position().domino());
        let played = play(&mut self.game);
        if let (Some(seat), Some(domino)) = (seat, domino) {
            self.observer.placed(self.game.position(), seat, domino);
        }
        played
    }

    fn play_opponents(&mut self, options: &Options) {
        let Some(learner) = self.learner else { return };
        let players = options.rules.players();
        let seed = episode_seed(self.seed, self.episode);
        while let Some(seat) = self.position().to_move().filter(|seat| *seat != learner) {
            let opponent = options.opponents[(seat + players - learner) % players - 1];
            let seed = opponent.seed.unwrap_or_else(|| derive(seed, "bot", seat as u64));
            if let Some(action) = choose(self.position(), opponent.policy, seed) {
                let legal = self.play(action);
                debug_assert!(legal);
            }
        }
    }

    /// Plays an action and the opponents, starts the next game if this one has ended, and writes the outputs.
    ///
    /// An unknown or illegal action ends the game.
    #[inline(always)]
    pub(crate) fn step(&mut self, number: i64, options: &Options, mut output: Output<'_, '_>) {
        let mover = self.position().to_move_unchecked();
        let refused = !self.play_number(number);
        if !refused {
            self.play_opponents(options);
        }
        let done = refused || self.position().is_over();
        if done {
            self.write_end(mover, refused, options, output.final_row());
            self.episode += 1;
            self.begin(options);
        } else {
            self.legal = Legal::of(self.position());
        }
        let row = output.row();
        if !done {
            row.rewards.fill(0.0);
        }
        self.write(done, row);
    }

    fn write_end(&self, mover: Seat, refused: bool, options: &Options, ending: FinalOutput<'_>) {
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
        let seat = self.learner.unwrap_or(mover);
        *ending.seat = seat as u8;
        self.observer.write(position, seat, ending.bytes, ending.words);
    }

    /// The number of a legal action, each as likely as the others.
    #[inline(always)]
    pub(crate) fn sample(&mut self, cpu: impl Cpu) -> i64 {
        let size = self.game.position().rules().kingdom_size();
        self.legal.choose(size, &mut self.random, cpu).map_or(0, |number| number as i64)
    }

    #[inline(always)]
    fn write(&self, done: bool, row: OutputRow<'_>) {
        let position = self.game.position();
        let seat = position.to_move_unchecked();
        self.observer.write(position, seat, row.bytes, row.words);
        self.legal.write(position.rules().kingdom_size(), row.mask);
        (*row.done, *row.seat) = (done, seat as u8);
    }
}
