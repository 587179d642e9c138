//! Many games, stepped together by the number of threads that the caller wants.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

use kingdomino_rules::{Action, Game, Refusal};
use kingdomino_search::{Cpu, Task};
use rayon::ThreadPoolBuildError;

use crate::environment::{Environment, Illegal, Options};
use crate::outputs::{Output, Outputs, Widths, front, take};
use crate::pool::{Pool, Work};

/// Many games of one rules set.
#[derive(Debug)]
pub struct Batch {
    environments: Vec<Environment>,
    options: Options,
    widths: Widths,
    pool: Pool,
}

/// An action that could not be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalAction {
    /// Which game, from 0.
    pub game: usize,
    /// The action number.
    pub number: i64,
    /// Its fault.
    pub fault: Fault,
}

/// A fault of an action number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is not an action number; they go from 0 to this one.
    NoAction(usize),
    /// The rules refuse the action.
    Refused(Action, Refusal),
}

impl fmt::Display for IllegalAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let IllegalAction { game, number, fault } = self;
        match fault {
            Fault::NoAction(last) => {
                write!(f, "game {game}: {number} is not an action number (they go from 0 to {last})")
            }
            Fault::Refused(action, refusal) => {
                write!(f, "game {game}: action {number} ({action}): {refusal}")
            }
        }
    }
}

impl std::error::Error for IllegalAction {}

impl Batch {
    /// One game for each seed. More threads than one share every step.
    pub fn new(options: Options, seeds: &[u64], threads: usize) -> Result<Batch, ThreadPoolBuildError> {
        let environments = seeds.iter().map(|seed| Environment::new(*seed, &options)).collect();
        Ok(Batch { environments, widths: Widths::of(&options), options, pool: Pool::new(threads)? })
    }

    /// The number of games.
    pub const fn len(&self) -> usize {
        self.environments.len()
    }

    /// Whether there are no games.
    pub const fn is_empty(&self) -> bool {
        self.environments.is_empty()
    }

    /// The game in this row as it is now.
    pub fn game(&self, row: usize) -> Option<&Game> {
        self.environments.get(row).map(Environment::game)
    }

    /// Starts a new game in each row: the first of its seed, with one seed a row; without seeds the row's next game.
    pub fn reset(&mut self, seeds: Option<&[u64]>, outputs: Outputs<'_>) {
        self.each(outputs, Reset(seeds));
    }

    /// Plays one action in each game, given by its number.
    ///
    /// If illegal actions are refused, one of them refuses the whole step: nothing has changed.
    pub fn step(&mut self, numbers: &[i64], outputs: Outputs<'_>) -> Result<(), IllegalAction> {
        if self.options.illegal == Illegal::Refuse {
            self.check(numbers)?;
        }
        self.each(outputs, Step(numbers));
        Ok(())
    }

    /// Chooses a legal action in each game, uniformly at random. The choice follows from the game's seed, its plies and
    /// the number of calls.
    pub fn sample(&mut self, numbers: &mut [i64]) {
        self.pool.share(Sample { environments: &mut self.environments, numbers });
    }

    fn each(&mut self, outputs: Outputs<'_>, job: impl Job) {
        let Batch { environments, options, widths, pool } = self;
        pool.share(Each { environments, outputs, widths, options, job });
    }

    /// Finds the first illegal action.
    fn check(&self, numbers: &[i64]) -> Result<(), IllegalAction> {
        let wrong = AtomicUsize::new(usize::MAX);
        self.pool.share(Checks { first: 0, environments: &self.environments, numbers, wrong: &wrong });
        let game = wrong.into_inner();
        let Some((environment, number)) = self.environments.get(game).zip(numbers.get(game)) else {
            return Ok(());
        };
        environment.check(*number).map_err(|fault| IllegalAction { game, number: *number, fault })
    }
}

/// Checking or sampling an action takes about a twentieth of a step.
const MIN_QUICK_GAMES: usize = 640;

struct Checks<'a> {
    /// The row of the first game.
    first: usize,
    environments: &'a [Environment],
    numbers: &'a [i64],
    /// The first row with an illegal action that any thread has found.
    wrong: &'a AtomicUsize,
}

impl Work for Checks<'_> {
    const MIN_GAMES: usize = MIN_QUICK_GAMES;

    fn games(&self) -> usize {
        self.environments.len()
    }

    fn take(&mut self, games: usize) -> Self {
        let (environments, numbers) = (front(&mut self.environments, games), front(&mut self.numbers, games));
        let taken = Checks { environments, numbers, ..*self };
        self.first += games;
        taken
    }
}

impl Task for Checks<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Cpu) {
        let mut pairs = self.environments.iter().zip(self.numbers);
        if let Some(place) = pairs.position(|(environment, number)| environment.check(*number).is_err()) {
            self.wrong.fetch_min(self.first + place, Ordering::Relaxed);
        }
    }
}

struct Sample<'a> {
    environments: &'a mut [Environment],
    numbers: &'a mut [i64],
}

impl Work for Sample<'_> {
    const MIN_GAMES: usize = MIN_QUICK_GAMES;

    fn games(&self) -> usize {
        self.environments.len()
    }

    fn take(&mut self, games: usize) -> Self {
        Sample { environments: take(&mut self.environments, games), numbers: take(&mut self.numbers, games) }
    }
}

impl Task for Sample<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, cpu: impl Cpu) {
        for (environment, number) in self.environments.iter_mut().zip(self.numbers) {
            *number = environment.sample(cpu);
        }
    }
}

/// An operation on single games.
trait Job: Send {
    /// Splits off the part of the first games.
    fn take(&mut self, games: usize) -> Self;

    /// Runs it on one game. Must be `#[inline(always)]`, as in `Task`.
    fn run(&self, environment: &mut Environment, options: &Options, output: Output<'_, '_>);
}

/// Starts the first games of these seeds, or the next games.
struct Reset<'a>(Option<&'a [u64]>);

impl Job for Reset<'_> {
    fn take(&mut self, games: usize) -> Self {
        Reset(self.0.as_mut().map(|seeds| front(seeds, games)))
    }

    #[inline(always)]
    fn run(&self, environment: &mut Environment, options: &Options, output: Output<'_, '_>) {
        environment.reset(self.0.map(|seeds| seeds[output.row]), options, output);
    }
}

/// Plays actions with these numbers.
struct Step<'a>(&'a [i64]);

impl Job for Step<'_> {
    fn take(&mut self, games: usize) -> Self {
        Step(front(&mut self.0, games))
    }

    #[inline(always)]
    fn run(&self, environment: &mut Environment, options: &Options, output: Output<'_, '_>) {
        environment.step(self.0[output.row], options, output);
    }
}

/// Some games, an operation on each of them, and where the results go.
struct Each<'a, J> {
    environments: &'a mut [Environment],
    outputs: Outputs<'a>,
    widths: &'a Widths,
    options: &'a Options,
    job: J,
}

impl<J: Job> Work for Each<'_, J> {
    const MIN_GAMES: usize = 32;

    fn games(&self) -> usize {
        self.environments.len()
    }

    fn take(&mut self, games: usize) -> Self {
        let environments = take(&mut self.environments, games);
        let outputs = self.outputs.take(games, self.widths);
        Each { environments, outputs, job: self.job.take(games), ..*self }
    }
}

impl<J: Job> Task for Each<'_, J> {
    type Output = ();

    #[inline(always)]
    fn run(mut self, _: impl Cpu) {
        for (row, environment) in self.environments.iter_mut().enumerate() {
            let output = Output { outputs: &mut self.outputs, row, widths: self.widths };
            self.job.run(environment, self.options, output);
        }
    }
}
