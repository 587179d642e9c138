//! The calls of a page that studies: reviews, puzzles, scores and photographs.

use std::cell::RefCell;

use kingdomino_rules as engine;
use kingdomino_search as search;
use kingdomino_search::{puzzle, review};
use kingdomino_table::Placements;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

use super::play::{dynasty_of, grow_on};
use super::{Arguments, Failure, Held, Result, Seed, argument, parsed, positioned, to_json};
use crate::photo::{self, Corners, Pixels, Reading};
use crate::scores::{self, Arrangement, Grid, Scored, TableKingdom};
use crate::setup::{Checked, SetUp, SetUpSquare};
use crate::values::{Outcome, SampledLine};

/// Steps of the solver for a line that is sampled, a millisecond or two each; without a solution it is searched.
const SOLVING_A_LINE: u32 = 32;

/// Work on a part of a review.
enum Work {
    Judging(Box<review::Judging>),
    Starting(Box<review::Starting>),
}

/// The result of work.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Found {
    /// The judgement of a decision.
    pub decision: Option<review::Decision>,
    /// The value before the first event of a game.
    pub start: Option<review::Value>,
}

/// Reads the story of a record.
fn story(record: &str) -> Result<review::Story> {
    Ok(review::Story::new(&engine::Record::read(record)?))
}

thread_local! {
    static WORKS: RefCell<Held<Work>> = const { RefCell::new(Held::new()) };
}

pub(super) fn number_from(first: u32) {
    WORKS.with_borrow_mut(|works| works.last = first);
}

fn keep(work: Work) -> u32 {
    WORKS.with_borrow_mut(|works| works.keep(work))
}

fn forget(work: u32) {
    WORKS.with_borrow_mut(|works| works.all.remove(&work));
}

fn policy(name: &str) -> Result<search::Policy> {
    match name {
        "random" => Ok(search::Policy::Random),
        "greedy" => Ok(search::Policy::Greedy),
        "tuned" => Ok(search::Policy::Tuned),
        "gprd" => Ok(search::Policy::Gprd),
        "fg" => Ok(search::Policy::Fg),
        _ => Err(Failure::new(format!("there is no policy {name:?}"))),
    }
}

calls! {
    /// Read a photographed kingdom of `size` squares a side; `taught` are the examples of `teach_photo`. Without a reading,
    /// `problem` says why there is none.
    read_photo { pixels: Pixels, size: u8, corners: Option<Corners>, taught: Option<String> } -> Reading {
        photo::read(&pixels, size, corners, taught.as_deref())
    }

    /// Return the corners of a photographed kingdom of `size` squares a side; null if it is not found.
    find_photo { pixels: Pixels, size: u8, taught: Option<String> } -> Option<Corners> {
        photo::find(&pixels, size, taught.as_deref())
    }

    /// Return examples for `read_photo`: the contents of a picture's squares, row by row, like `w1`, `C` and `.`;
    /// `taught` are earlier ones.
    teach_photo { pixels: Pixels, size: u8, corners: Option<Corners>, squares: Vec<String>, taught: Option<String> } -> String {
        photo::teach(&pixels, size, corners, &squares, taught.as_deref())
    }

    /// Check the set-up of a position.
    check_setup { setup: SetUp } -> Checked { Ok(setup.check()?) }

    /// Score the kingdoms of a real table, even impossible ones, and return the doubts. `edition` is `first` or `second`.
    score_kingdoms {
        size: u8,
        edition: String,
        harmony: bool,
        middle_kingdom: bool,
        kingdoms: Vec<TableKingdom>
    } -> Scored { scores::score(size, &edition, (harmony, middle_kingdom), &kingdoms) }

    /// Search for the best kingdom of some dominoes, placed in any order, in this many steps of some microseconds: a lower
    /// bound. With a kingdom, use the dominoes of one of its tilings: the result is never worse than the kingdom.
    best_arrangement {
        kingdom: Option<String>,
        dominoes: Vec<u8>,
        rules: String,
        steps: u32,
        seed: Seed
    } -> Arrangement { scores::best_arrangement(kingdom.as_deref(), &dominoes, &parsed(&rules)?, steps, seed.0) }

    /// Return the outcome of a Dynasty, `total` or `best`, whose games have these points, one per seat.
    dynasty_outcome { dynasty: String, games: Vec<Vec<u32>> } -> Outcome { scores::dynasty(dynasty_of(&dynasty)?, &games) }

    /// Read a kingdom from a person's text: rows of letters or words, or the text of a kingdom, with the castle anywhere.
    read_grid { text: String, size: u8 } -> Grid { scores::read_grid(&text, size) }

    /// Return the placements of a domino in a real kingdom; null if the rules do not let it grow.
    placements { size: u8, squares: Vec<SetUpSquare>, domino: u8 } -> Option<Placements> {
        scores::placements(size, &squares, parsed(&domino.to_string())?)
    }

    /// Sample a line if one is due, and return its value after a short search.
    sample_line { position: String, seed: Seed, playouts: u32 } -> SampledLine {
        let position = positioned(&position)?;
        if position.stage() != engine::Stage::Reveal {
            return Err(Failure::new("no line is due"));
        }
        let sampled = position.sample(seed.0);
        let options = search::TreeOptions::of(position.rules());
        let mut search = search::Search::new(&sampled, options, seed.0);
        search.solve(SOLVING_A_LINE);
        grow_on(&mut search, playouts, None);
        let best = search.analysis().actions.swap_remove(0);
        let dominoes = position.unseen().without(sampled.unseen());
        Ok(SampledLine {
            dominoes: dominoes.into_iter().map(engine::Domino::number).collect(),
            win_rates: best.win_rates,
            mean_margin: best.mean_margin,
        })
    }

    /// Return the action that a policy chooses: random, greedy, tuned, gprd or fg. Noise, in points, is for tuned.
    choose { position: String, policy: String, seed: Seed, noise: Option<f64> } -> String {
        let position = positioned(&position)?;
        let policy = self::policy(&policy)?;
        let action = match (policy, noise) {
            (search::Policy::Tuned, Some(noise)) if noise > 0.0 => {
                search::choose_with_noise(&position, noise, seed.0)
            }
            (_, Some(noise)) if noise > 0.0 => return Err(Failure::new("only the policy tuned can have noise")),
            _ => search::choose(&position, policy, seed.0),
        };
        action.map(|action| action.to_string()).ok_or_else(|| Failure::new("no seat is to move"))
    }

    /// Play a position to its end n times, each time with a newly sampled deck, and return the statistics.
    playouts { position: String, n: u32, policy: String, seed: Seed } -> search::PlayoutResult {
        let (position, policy) = (positioned(&position)?, self::policy(&policy)?);
        let result = search::playouts(&position, n.into(), policy, 1, seed.0, &mut || true);
        result.ok_or_else(|| Failure::new("it was stopped"))
    }

    /// Begin to judge a decision of a record, as a review with this seed does, and return the number of the work; of
    /// another action in its place, if one is named. It stays in memory until it is complete or dropped.
    judge_ply { record: String, ply: usize, playouts: u32, seed: Seed, action: Option<String> } -> u32 {
        let story = story(&record)?;
        if ply >= story.plies() {
            return Err(Failure::new(format!("there is no decision {ply}")));
        }
        let judging = match action {
            None => story.judging(ply, playouts.into(), seed.0),
            Some(action) => {
                let action = parsed(&action)?;
                story
                    .judging_another(ply, action, playouts.into(), seed.0)
                    .map_err(|refusal| Failure::illegal(&refusal, action))?
            }
        };
        Ok(keep(Work::Judging(Box::new(judging))))
    }

    /// Begin to judge an action in a position, and return the number of the work.
    judge { position: String, action: String, playouts: u32, seed: Seed } -> u32 {
        let (position, action) = (positioned(&position)?, parsed(&action)?);
        let judging = review::Judging::new(&position, action, 0, playouts.into(), seed.0);
        let judging = judging.map_err(|refusal| Failure::illegal(&refusal, action))?;
        Ok(keep(Work::Judging(Box::new(judging))))
    }

    /// Begin to find the value before the first event of a record, and return the number of the work.
    judge_start { record: String, playouts: u32, seed: Seed } -> u32 {
        Ok(keep(Work::Starting(Box::new(story(&record)?.starting(playouts.into(), seed.0)))))
    }

    /// Work on for at most this many playouts, or some steps of the solver of endings, and return the result once the work is
    /// complete.
    work { work: u32, playouts: u32 } -> Option<Found> {
        let found = WORKS.with_borrow_mut(|works| match works.all.get_mut(&work) {
            Some(Work::Judging(judging)) => {
                judging.step(playouts.into());
                let decision = judging.decision().cloned();
                Ok(decision.map(|decision| Found { decision: Some(decision), start: None }))
            }
            Some(Work::Starting(starting)) => {
                starting.step(playouts.into());
                Ok(starting.value().map(|start| Found { decision: None, start: Some(start) }))
            }
            None => Err(Failure::new("this work is over")),
        })?;
        if found.is_some() {
            forget(work);
        }
        Ok(found)
    }

    /// Drop unfinished work.
    drop_work { work: u32 } -> () {
        forget(work);
        Ok(())
    }

    /// Return the review of the first decisions of a record, as they were judged; `start` is the value before its first
    /// event.
    review { record: String, start: review::Value, decisions: Vec<review::Decision> } -> review::Review {
        Ok(story(&record)?.assemble(&start, &decisions))
    }

    /// Return the sums of a player's costs over many games of a rules set; `games` has one list of decisions per game.
    summary { rules: String, games: Vec<Vec<review::DecisionCost>> } -> review::Summary {
        Ok(review::Summary::of(&games, Some(&parsed::<engine::Rules>(&rules)?)))
    }

    /// Return a hint: an action, and why a tempting other one is worse.
    hint { position: String, action: String } -> review::Hint {
        let (position, action) = (positioned(&position)?, parsed(&action)?);
        review::hint(&position, action).map_err(|refusal| Failure::illegal(&refusal, action))
    }

    /// Return the worth of each domino of the line being claimed to every kingdom; empty if no line is being claimed,
    /// and in the opening round.
    worth { position: String } -> Vec<search::DominoWorth> { Ok(search::worth(&positioned(&position)?)) }

    /// Read a file of puzzles (docs/formats/puzzles.md).
    read_puzzles { text: String } -> Vec<puzzle::Puzzle> {
        puzzle::Puzzle::read(&text).map_err(Failure::new)
    }

    /// Return the index of a day's puzzle, of this many. `date` is like `2026-03-01`.
    daily_puzzle { date: String, puzzles: usize } -> usize {
        puzzle::daily(&date, puzzles).map_err(Failure::new)
    }
}
