//! A game from its record: the start, and every decision with the random event before it.

use std::time::Duration;

use kingdomino_rules::random::derive;
use kingdomino_rules::{Action, Chance, Domino, Event, Position, Record, Refusal, Seat, Stage};

use super::growing::{Growing, share};
use super::judge::Judging;
use super::values::Value;
use crate::terminal::TerminalValue;

/// Sampled starts of a game.
const OPENINGS: u32 = 16;

/// A record as decisions and the chance events before them.
#[derive(Clone, Debug)]
pub struct Story {
    pub(super) initial: Position,
    pub(super) turns: Vec<Turn>,
    pub(super) result: Option<Value>,
}

/// A decision, and the random event before it.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    position: Position,
    action: Action,
    pub(super) chance: Option<Brought>,
}

/// A revealed line, and the seat of the king drawn after it; one of them may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Brought {
    pub(super) line: Vec<u8>,
    pub(super) king: Option<Seat>,
}

impl Story {
    /// The story of a record.
    pub fn new(record: &Record) -> Story {
        let initial = record.initial_position();
        let (mut position, mut turns, mut brought) = (initial, Vec::new(), Brought::default());
        for event in record.events() {
            let had_choice = position.chance_outcomes().len() > 1;
            match event {
                Event::LineRevealed(line) => {
                    if had_choice {
                        brought.line = line.into_iter().map(Domino::number).collect();
                    }
                    position.apply_unchecked(Chance::Line(line));
                }
                Event::KingDrawn(seat) => {
                    if had_choice {
                        brought.king = Some(seat);
                    }
                    position.apply_unchecked(Chance::King(seat));
                }
                Event::RoundBegan(_) | Event::Finished => {}
                Event::Claimed(..) | Event::Placed(..) | Event::Discarded(..) => {
                    let Some(action) = event.action() else { continue };
                    let chance = Some(std::mem::take(&mut brought)).filter(|one| *one != Brought::default());
                    turns.push(Turn { position, action, chance });
                    position.play_unchecked(action);
                }
            }
        }
        let players = position.rules().players();
        let result = position.is_over().then(|| Value::of(&TerminalValue::of(&position), players));
        Story { initial, turns, result }
    }

    /// The number of decisions.
    pub const fn plies(&self) -> usize {
        self.turns.len()
    }

    /// The judgement of a decision with this many playouts. `seed`: the seed of the review. Panics if the record has no
    /// such decision.
    pub fn judging(&self, ply: usize, playouts: u64, seed: u64) -> Judging {
        self.judging_another(ply, self.turns[ply].action, playouts, seed)
            .expect("the actions of a record are legal")
    }

    /// The same for another action in its place, with the same random numbers. Refuses an illegal one. Panics as
    /// `judging`.
    pub fn judging_another(
        &self,
        ply: usize,
        action: Action,
        playouts: u64,
        seed: u64,
    ) -> Result<Judging, Refusal> {
        Judging::new(&self.turns[ply].position, action, ply, playouts, judging_seed(seed, ply))
    }

    /// The value before the first event, with this many playouts; `seed` is the review's.
    pub fn starting(&self, playouts: u64, seed: u64) -> Starting {
        let initial = self.initial;
        let samples = if initial.to_move().is_none() { OPENINGS } else { 1 };
        let playouts = share(playouts, 1.0 / f64::from(samples));
        let known = self.result.clone().filter(|_| initial.is_over());
        let growing = known.is_none().then(|| opening(&initial, playouts, seed, 0));
        Starting { initial, seed, samples, playouts, growing, values: known.into_iter().collect() }
    }
}

/// The value before the first event of a game: the mean over some samples of that event. It is computed in steps.
#[derive(Clone, Debug)]
pub struct Starting {
    initial: Position,
    seed: u64,
    samples: u32,
    /// The playouts of each sample.
    playouts: u64,
    /// The current sample; `None` after the last.
    growing: Option<Growing>,
    values: Vec<Value>,
}

impl Starting {
    /// Makes at most this many playouts, or solves an ending for some 10 ms. Returns whether the value is known.
    pub fn step(&mut self, playouts: u64) -> bool {
        self.growing.as_mut().is_none_or(Growing::solve) && self.advance(playouts, None, &mut || true)
    }

    /// Does the rest of the work. The value is rougher if the time runs out before the end, or if `keep_going`, called every
    /// few milliseconds, returns false.
    pub fn run(&mut self, time: Option<Duration>, keep_going: &mut dyn FnMut() -> bool) {
        let each = time.map(|time| time / self.samples);
        while !self.advance(u64::MAX, each, keep_going) {}
    }

    /// The value, once it is known.
    pub fn value(&self) -> Option<Value> {
        if self.growing.is_some() {
            return None;
        }
        let mut mean = Value::mean(&self.values);
        if self.initial.stage() == Stage::Reveal && self.initial.round() == 0 {
            // All seats are alike.
            let players = self.initial.rules().players();
            mean.win_rates = vec![1.0 / players as f64; players];
            for points in [&mut mean.mean_scores, &mut mean.mean_margin] {
                *points = vec![points.iter().sum::<f64>() / players as f64; players];
            }
        }
        Some(mean)
    }

    fn advance(
        &mut self,
        playouts: u64,
        time: Option<Duration>,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> bool {
        let Some(growing) = &mut self.growing else { return true };
        if growing.step(playouts, time, keep_going) {
            self.values.extend(growing.analysis().actions.first().map(Value::from));
            let number = self.values.len() as u64;
            let next = || opening(&self.initial, self.playouts, self.seed, number);
            self.growing = (number < u64::from(self.samples)).then(next);
        }
        self.growing.is_none()
    }
}

/// The search in a sampled first position.
fn opening(initial: &Position, playouts: u64, seed: u64, number: u64) -> Growing {
    Growing::best(&initial.sample(derive(seed, "opening", number)), playouts, seed)
}

/// The seed with which a review judges a decision.
fn judging_seed(seed: u64, ply: usize) -> u64 {
    derive(seed, "review", ply as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::Review;
    use crate::{Policy, choose};
    use kingdomino_rules::{Game, Rules};

    /// The story of a game between weak players, of this many plies.
    fn story(rules: &str, plies: usize) -> Story {
        let mut game = Game::new(rules.parse::<Rules>().expect("a rules set"), 3);
        for ply in 0..plies {
            if game.position().is_over() {
                break;
            }
            let policy = if ply % 3 == 0 { Policy::Random } else { Policy::Tuned };
            let action = choose(game.position(), policy, ply as u64).expect("a seat is to move");
            game.play(action).expect("it is legal");
        }
        let record = Record::new(&game, false, vec![], Default::default(), Default::default());
        Story::new(&record.expect("it can be written"))
    }

    fn review(story: &Story, steps: u64) -> Review {
        let mut starting = story.starting(60, 1);
        while !starting.step(steps) {}
        let judged = |ply| {
            let mut judging = story.judging(ply, 60, 1);
            while !judging.step(steps) {}
            judging.decision().expect("it is complete").clone()
        };
        let decisions: Vec<_> = (0..story.plies()).map(judged).collect();
        story.assemble(&starting.value().expect("it is known"), &decisions)
    }

    #[test]
    fn a_review_does_not_depend_on_the_steps_and_survives_json() {
        let story = story("3.second.random.harmony.middle", 60);
        let whole = review(&story, u64::MAX);
        assert_eq!(whole.decisions.len(), 60);
        assert!(whole.decisions.iter().any(|one| one.exact) && whole.decisions.iter().any(|one| !one.exact));
        for one in &whole.decisions {
            let parts: f64 = one.parts.iter().map(|part| part.points).sum();
            assert!((parts - one.cost_points).abs() < 1e-9, "{one:?}");
            let whole: i32 = one.parts.iter().map(|part| part.whole).sum();
            assert_eq!(whole, one.cost_points.round() as i32, "{one:?}");
        }
        assert_eq!(review(&story, 7), whole);
        let json = serde_json::to_string(&whole).expect("JSON");
        assert_eq!(serde_json::from_str::<Review>(&json).expect("a review"), whole);
    }

    #[test]
    fn the_account_of_a_game_adds_up_to_its_margin() {
        for rules in ["2.second.random", "4.second.random.harmony"] {
            let whole = review(&story(rules, 100), u64::MAX);
            let result = whole.result.expect("it is over");
            for one in &whole.seats {
                let account = one.account.expect("it is complete");
                assert_eq!(account.margin, result.mean_margin[one.seat] as i32);
                assert_eq!(account.start + account.play + account.luck, account.margin);
                assert_eq!(account.received - account.cost, account.play);
                assert!((f64::from(account.luck) - one.luck_points).abs() <= 1.5, "{account:?} {one:?}");
            }
        }
    }

    #[test]
    fn work_that_is_stopped_at_once_has_a_result() {
        let story = story("2.second.random", 20);
        let mut starting = story.starting(u64::MAX, 1);
        starting.run(None, &mut || false);
        assert!(starting.value().is_some());
        let mut judging = story.judging(19, u64::MAX, 1);
        judging.run(None, &mut || false);
        assert!(judging.decision().expect("it is complete").playouts < 100);
    }
}
