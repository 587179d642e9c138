//! Many games, stepped together by as many threads as the caller wants.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

use kingdomino_rules::{Action, Game, Refusal};
use kingdomino_search::{Cpu, Task};
use rayon::ThreadPoolBuildError;

use crate::rows::{Place, Rows, Widths, front, take};
use crate::table::{Illegal, Options, Table};
use crate::team::{Team, Work};

/// Many games of one rules set.
#[derive(Debug)]
pub struct Batch {
    tables: Vec<Table>,
    options: Options,
    widths: Widths,
    team: Team,
    /// A random legal action of each game: drawn where the legal ones are found, so that to ask for them
    /// is no second pass through all games. Small numbers, because they go from core to core.
    drawn: Vec<u16>,
    /// Whether they have been given away since.
    is_given: bool,
}

/// An action that the batch was asked for and that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalAction {
    /// Which game, from 0.
    pub game: usize,
    /// The number that was handed over.
    pub number: i64,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with an action number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No action has it; the numbers go from 0 to this one.
    NoAction(usize),
    /// The rules refuse the action.
    Refused(Action, Refusal),
}

impl fmt::Display for IllegalAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let IllegalAction { game, number, fault } = self;
        match fault {
            Fault::NoAction(last) => {
                write!(f, "game {game}: {number} is the number of no action (they go from 0 to {last})")
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
        let tables = seeds.iter().map(|seed| Table::new(*seed, &options)).collect();
        let mut batch = Batch {
            tables,
            widths: Widths::of(&options),
            options,
            team: Team::new(threads)?,
            drawn: vec![0; seeds.len()],
            is_given: false,
        };
        batch.draw();
        Ok(batch)
    }

    /// How many games there are.
    pub const fn len(&self) -> usize {
        self.tables.len()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// What holds for all games.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// The game in this row as it is now.
    pub fn game(&self, row: usize) -> Option<&Game> {
        self.tables.get(row).map(Table::game)
    }

    /// Begins anew: one seed a game. The first game of each row is the game of its seed.
    pub fn reset(&mut self, seeds: &[u64], rows: Rows<'_>) {
        self.each(rows, Begin(seeds));
    }

    /// Plays one action in each game, given by its number.
    ///
    /// Where illegal actions are refused, one of them refuses the whole step: nothing has changed.
    pub fn step(&mut self, numbers: &[i64], rows: Rows<'_>) -> Result<(), IllegalAction> {
        if numbers.iter().copied().eq(self.drawn.iter().copied().map(i64::from)) {
            // They are legal, and every thread has its own at hand.
            self.each(rows, StepDrawn);
            return Ok(());
        }
        if self.options.illegal == Illegal::Refuse {
            self.check(numbers)?;
        }
        self.each(rows, Step(numbers));
        Ok(())
    }

    /// Chooses a legal action in each game, each as likely as the others. What is chosen follows from the
    /// game's seed, from its plies and from how often it has been asked.
    pub fn sample(&mut self, numbers: &mut [i64]) {
        if self.is_given {
            self.draw();
        }
        for (number, drawn) in numbers.iter_mut().zip(&self.drawn) {
            *number = i64::from(*drawn);
        }
        self.is_given = true;
    }

    fn draw(&mut self) {
        self.team.share(Draw { tables: &mut self.tables, drawn: &mut self.drawn });
    }

    fn each(&mut self, rows: Rows<'_>, job: impl Job) {
        let Batch { tables, options, widths, team, drawn, is_given } = self;
        team.share(Each { tables, rows, drawn, widths, options, job });
        *is_given = false;
    }

    /// Finds the first action that is wrong.
    fn check(&self, numbers: &[i64]) -> Result<(), IllegalAction> {
        let wrong = AtomicUsize::new(usize::MAX);
        self.team.share(Checks { first: 0, tables: &self.tables, numbers, wrong: &wrong });
        let game = wrong.into_inner();
        let Some((table, number)) = self.tables.get(game).zip(numbers.get(game)) else { return Ok(()) };
        table.check(*number).map_err(|fault| IllegalAction { game, number: *number, fault })
    }
}

struct Checks<'a> {
    /// Which game is the first of these tables'.
    first: usize,
    tables: &'a [Table],
    numbers: &'a [i64],
    /// The first game with a wrong action that was found anywhere.
    wrong: &'a AtomicUsize,
}

impl Work for Checks<'_> {
    fn games(&self) -> usize {
        self.tables.len()
    }

    fn take(&mut self, games: usize) -> Self {
        let (tables, numbers) = (front(&mut self.tables, games), front(&mut self.numbers, games));
        let taken = Checks { tables, numbers, ..*self };
        self.first += games;
        taken
    }
}

impl Task for Checks<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Cpu) {
        let mut pairs = self.tables.iter().zip(self.numbers);
        if let Some(place) = pairs.position(|(table, number)| table.check(*number).is_err()) {
            self.wrong.fetch_min(self.first + place, Ordering::Relaxed);
        }
    }
}

struct Draw<'a> {
    tables: &'a mut [Table],
    drawn: &'a mut [u16],
}

impl Work for Draw<'_> {
    fn games(&self) -> usize {
        self.tables.len()
    }

    fn take(&mut self, games: usize) -> Self {
        Draw { tables: take(&mut self.tables, games), drawn: take(&mut self.drawn, games) }
    }
}

impl Task for Draw<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, cpu: impl Cpu) {
        for (table, drawn) in self.tables.iter_mut().zip(self.drawn) {
            *drawn = table.draw(cpu);
        }
    }
}

/// What is done with each of some games.
trait Job: Send {
    /// Takes what is for the first games off.
    fn take(&mut self, games: usize) -> Self;

    /// Does it with one of them. Inlined into code that may use all instructions of this processor.
    fn run(&self, table: &mut Table, drawn: u16, options: &Options, place: Place<'_, '_>);
}

/// Begins anew: the seeds.
struct Begin<'a>(&'a [u64]);

impl Job for Begin<'_> {
    fn take(&mut self, games: usize) -> Self {
        Begin(front(&mut self.0, games))
    }

    #[inline(always)]
    fn run(&self, table: &mut Table, _: u16, options: &Options, place: Place<'_, '_>) {
        table.reset(self.0[place.row], options, place);
    }
}

/// Plays actions: their numbers.
struct Step<'a>(&'a [i64]);

impl Job for Step<'_> {
    fn take(&mut self, games: usize) -> Self {
        Step(front(&mut self.0, games))
    }

    #[inline(always)]
    fn run(&self, table: &mut Table, _: u16, options: &Options, place: Place<'_, '_>) {
        table.step(self.0[place.row], options, place);
    }
}

/// Plays the actions that were drawn.
struct StepDrawn;

impl Job for StepDrawn {
    fn take(&mut self, _: usize) -> Self {
        StepDrawn
    }

    #[inline(always)]
    fn run(&self, table: &mut Table, drawn: u16, options: &Options, place: Place<'_, '_>) {
        table.step(i64::from(drawn), options, place);
    }
}

/// Some games, what is done with each of them, and where to write what came of it and what is drawn next.
struct Each<'a, J> {
    tables: &'a mut [Table],
    rows: Rows<'a>,
    drawn: &'a mut [u16],
    widths: &'a Widths,
    options: &'a Options,
    job: J,
}

impl<J: Job> Work for Each<'_, J> {
    fn games(&self) -> usize {
        self.tables.len()
    }

    fn take(&mut self, games: usize) -> Self {
        let tables = take(&mut self.tables, games);
        let rows = self.rows.take(games, self.widths);
        let drawn = take(&mut self.drawn, games);
        Each { tables, rows, drawn, job: self.job.take(games), ..*self }
    }
}

impl<J: Job> Task for Each<'_, J> {
    type Output = ();

    #[inline(always)]
    fn run(mut self, cpu: impl Cpu) {
        for (row, (table, drawn)) in self.tables.iter_mut().zip(self.drawn).enumerate() {
            let place = Place { rows: &mut self.rows, row, widths: self.widths };
            self.job.run(table, *drawn, self.options, place);
            *drawn = table.draw(cpu);
        }
    }
}
