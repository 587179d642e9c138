//! Many games, stepped together by as many threads as the caller wants.

use std::fmt;

use kingdomino_rules::{Action, Game, KingdomSize, Position, Refusal};
use kingdomino_search::{Cpu, Task, run_on_best};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::rows::{Rows, Widths};
use crate::table::{Illegal, Options, Table};

/// Games that are not worth handing to another thread.
const FEW: usize = 32;

/// Many games of one rules set.
#[derive(Debug)]
pub struct Batch {
    tables: Vec<Table>,
    options: Options,
    widths: Widths,
    /// None where one thread is enough.
    pool: Option<ThreadPool>,
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

fn numbered(number: i64, size: KingdomSize) -> Option<Action> {
    usize::try_from(number).ok().and_then(|number| Action::from_number(number, size))
}

fn check(position: &Position, number: i64) -> Result<(), Fault> {
    let size = position.rules().kingdom_size();
    let action = numbered(number, size).ok_or(Fault::NoAction(Action::count(size) - 1))?;
    position.check(action).map_err(|refusal| Fault::Refused(action, refusal))
}

impl Batch {
    /// One game for each seed. More threads than one share every step.
    pub fn new(options: Options, seeds: &[u64], threads: usize) -> Result<Batch, ThreadPoolBuildError> {
        let pool = match threads {
            0 | 1 => None,
            _ => Some(ThreadPoolBuilder::new().num_threads(threads).build()?),
        };
        let tables = seeds.iter().map(|seed| Table::new(*seed, &options)).collect();
        Ok(Batch { tables, widths: Widths::of(&options), options, pool })
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
        let work = Work { tables: &mut self.tables, given: seeds, rows };
        share(&self.pool, &self.widths, work, &Begin(&self.options));
    }

    /// Plays one action in each game, given by its number.
    ///
    /// Where illegal actions are refused, one of them refuses the whole step: nothing has changed.
    pub fn step(&mut self, numbers: &[i64], rows: Rows<'_>) -> Result<(), IllegalAction> {
        let Batch { tables, options, widths, pool } = self;
        let pool = &*pool;
        let step = || {
            if options.illegal == Illegal::Refuse {
                check_all(pool, tables, numbers)?;
            }
            share(pool, widths, Work { tables, given: numbers, rows }, &Step(options));
            Ok(())
        };
        // Both parts in one visit to the pool: waking its threads takes as long as some fifty games.
        match pool {
            None => step(),
            Some(pool) => pool.install(step),
        }
    }

    /// Chooses a legal action in each game, each as likely as the others. What is chosen follows from the
    /// game's seed and from how often it has been asked.
    pub fn sample(&mut self, numbers: &mut [i64]) {
        match &self.pool {
            None => run_on_best(Samples { tables: &mut self.tables, numbers }),
            Some(pool) => {
                let piece = piece_for(pool, self.tables.len());
                let pieces = self.tables.par_chunks_mut(piece).zip(numbers.par_chunks_mut(piece));
                pool.install(|| {
                    pieces.for_each(|(tables, numbers)| run_on_best(Samples { tables, numbers }));
                });
            }
        }
    }
}

/// Finds the first action that is wrong.
fn check_all(pool: &Option<ThreadPool>, tables: &[Table], numbers: &[i64]) -> Result<(), IllegalAction> {
    let wrong = |(game, (table, number)): (usize, (&Table, &i64))| {
        let fault = check(table.game().position(), *number).err()?;
        Some(IllegalAction { game, number: *number, fault })
    };
    let found = match pool {
        None => tables.iter().zip(numbers).enumerate().find_map(wrong),
        Some(_) => {
            let pairs = tables.par_iter().zip(numbers).enumerate();
            pairs.with_min_len(FEW).find_map_first(wrong)
        }
    };
    found.map_or(Ok(()), Err)
}

/// What is done with each game.
trait Job: Sync {
    /// What it needs for each of them.
    type Given: Sync;

    /// Does it. Inlined into code that may use all instructions of this processor.
    fn run(&self, table: &mut Table, given: &Self::Given, row: &mut Rows<'_>);
}

struct Begin<'a>(&'a Options);

impl Job for Begin<'_> {
    type Given = u64;

    #[inline(always)]
    fn run(&self, table: &mut Table, seed: &u64, row: &mut Rows<'_>) {
        table.reset(*seed, self.0, row);
    }
}

struct Step<'a>(&'a Options);

impl Job for Step<'_> {
    type Given = i64;

    #[inline(always)]
    fn run(&self, table: &mut Table, number: &i64, row: &mut Rows<'_>) {
        table.step(numbered(*number, self.0.rules.kingdom_size()), self.0, row);
    }
}

/// Some games, what is given for each of them, and where to write.
struct Work<'a, T> {
    tables: &'a mut [Table],
    given: &'a [T],
    rows: Rows<'a>,
}

/// How many games a thread takes at once: a few pieces for each, so that one that is held up does not
/// hold up all.
fn piece_for(pool: &ThreadPool, games: usize) -> usize {
    games.div_ceil(4 * pool.current_num_threads()).max(FEW)
}

/// Does a job with every game, on every thread of the pool.
fn share<J: Job>(pool: &Option<ThreadPool>, widths: &Widths, work: Work<'_, J::Given>, job: &J) {
    match pool {
        None => run_on_best(OneByOne { widths, work, job }),
        Some(pool) => {
            let piece = piece_for(pool, work.tables.len());
            pool.install(|| in_pieces(piece, widths, work, job));
        }
    }
}

fn in_pieces<J: Job>(piece: usize, widths: &Widths, work: Work<'_, J::Given>, job: &J) {
    if work.tables.len() <= piece {
        return run_on_best(OneByOne { widths, work, job });
    }
    let half = work.tables.len() / 2;
    let (tables, other_tables) = work.tables.split_at_mut(half);
    let (given, other_given) = work.given.split_at(half);
    let (rows, other_rows) = work.rows.split(half, widths);
    rayon::join(
        || in_pieces(piece, widths, Work { tables, given, rows }, job),
        || in_pieces(piece, widths, Work { tables: other_tables, given: other_given, rows: other_rows }, job),
    );
}

struct OneByOne<'a, J: Job> {
    widths: &'a Widths,
    work: Work<'a, J::Given>,
    job: &'a J,
}

impl<J: Job> Task for OneByOne<'_, J> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Cpu) {
        let mut rest = self.work.rows;
        for (table, given) in self.work.tables.iter_mut().zip(self.work.given) {
            let (mut row, others) = rest.split(1, self.widths);
            self.job.run(table, given, &mut row);
            rest = others;
        }
    }
}

struct Samples<'a> {
    tables: &'a mut [Table],
    numbers: &'a mut [i64],
}

impl Task for Samples<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, cpu: impl Cpu) {
        for (table, number) in self.tables.iter_mut().zip(self.numbers) {
            *number = table.sample(cpu).map_or(0, |number| number as i64);
        }
    }
}
