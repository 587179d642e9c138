//! Judges one decision: its cost against the best action.
//!
//! A search finds the best actions of a position. Then several independent trees compare them with the one played, with
//! equal numbers of playouts and the same random numbers (common random numbers). The spread of the
//! differences between trees gives the sampling error of a cost. Deeper trees would change the cost, too, which no sample
//! shows: that part of the stated error comes from a measurement.

use std::time::Duration;

use kingdomino_rules::random::derive;
use kingdomino_rules::{Action, Position, Refusal, Seat};

use super::growing::{Growing, share};
use super::level::mean_and_error;
use super::parts::{of_ending, parts};
use super::reasons::{Theme, why};
use super::values::{Alternative, Decision, Value};
use crate::analysis::Analysis;
use crate::composition::Composition;

/// The number of trees that compare actions. Few and deep: a small tree sees little of the players' later chances after
/// an action, and overestimates costs.
const TREES: usize = 3;
/// The parts of the work, each with the same share: the search for the best actions, and each tree.
const PARTS: u32 = 1 + TREES as u32;
/// How many of the best actions to compare with the one played.
const BEST: usize = 3;
/// The errors that a difference must exceed to count.
const CERTAIN: f64 = 2.0;
/// The effect of 50 times the playouts beside the sampling error: on the win probability and the points with `MEASURED`
/// playouts, both in the Mighty Duel, and a share of the cost (docs/evidence/review.md, "Errors").
const DEPTH: f64 = 0.0105;
const DEPTH_POINTS: f64 = 0.42;
const DEPTH_DUEL: f64 = 0.0125;
const DEPTH_POINTS_DUEL: f64 = 1.5;
const DEPTH_SHARE: f64 = 0.1;
/// More playouts change less, by the square root of their number. Below a quarter, the sampling error is the larger one.
const MEASURED: f64 = 12_000.0;
const LEAST_MEASURED: f64 = 3_000.0;
/// Below this win probability, or this near to 1, a game is decided.
const DECIDED: f64 = 0.02;
/// The value of a point of margin in win probability, for ranking actions.
const POINT: f64 = 0.01;

/// The judgement of one decision, which is made in steps.
#[derive(Clone, Debug)]
pub struct Judging {
    ply: usize,
    position: Position,
    seat: Seat,
    action: Action,
    /// The playouts of each part of the work.
    playouts: u64,
    seed: u64,
    /// The current part of the work.
    growing: Growing,
    /// The result of the search for the best actions.
    found: Option<Analysis>,
    /// The best actions, and the one played.
    compared: Vec<Action>,
    /// The comparisons so far.
    samples: Vec<Analysis>,
    /// The composition of the final scores after the compared actions, over all comparisons.
    compositions: Vec<(Action, Composition)>,
    decision: Option<Decision>,
}

impl Judging {
    /// The judgement of an action in a position. Both, the playouts and the seed determine it. Refuses an illegal
    /// action.
    ///
    /// `ply`: the number of the decision in its game, for the result.
    pub fn new(
        position: &Position,
        action: Action,
        ply: usize,
        playouts: u64,
        seed: u64,
    ) -> Result<Judging, Refusal> {
        position.check(action)?;
        let each = share(playouts, 1.0 / f64::from(PARTS));
        Ok(Judging {
            ply,
            position: *position,
            seat: position.to_move_unchecked(),
            action: position.canonical(action),
            playouts: each,
            seed,
            growing: Growing::best(position, each, seed).showing(action),
            found: None,
            compared: Vec::new(),
            samples: Vec::new(),
            compositions: Vec::new(),
            decision: None,
        })
    }

    /// Makes at most this many playouts, or solves an ending for some 10 ms. Returns whether the judgement is complete.
    pub fn step(&mut self, playouts: u64) -> bool {
        self.growing.solve() && self.advance(playouts, None, &mut || true)
    }

    /// Does the rest of the work. The judgement is rougher if the time runs out before the end, or if `keep_going`, called
    /// every few milliseconds, returns false.
    pub fn run(&mut self, time: Option<Duration>, keep_going: &mut dyn FnMut() -> bool) {
        let each = time.map(|time| time / PARTS);
        while !self.advance(u64::MAX, each, keep_going) {}
    }

    /// The judgement, once it is complete.
    pub const fn decision(&self) -> Option<&Decision> {
        self.decision.as_ref()
    }

    fn advance(
        &mut self,
        playouts: u64,
        time: Option<Duration>,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> bool {
        if self.decision.is_none() && self.growing.step(playouts, time, keep_going) {
            self.complete_part(keep_going);
        }
        self.decision.is_some()
    }

    /// Takes the results of a part of the work and begins the next one.
    fn complete_part(&mut self, keep_going: &mut dyn FnMut() -> bool) {
        let Some(found) = &self.found else {
            let found = self.growing.analysis();
            self.compared = found.actions.iter().take(BEST).map(|one| one.action).collect();
            if !self.compared.contains(&self.action) {
                self.compared.push(self.action);
            }
            if found.exact {
                self.samples.push(found.clone());
                self.decision = Some(self.judge(&found));
            } else {
                self.compare();
            }
            self.found = Some(found);
            return;
        };
        let sample = self.growing.whole_analysis(keep_going);
        for (one, composition) in self.growing.compositions() {
            match self.compositions.iter_mut().find(|(action, _)| *action == one) {
                Some((_, sum)) => *sum = sum.merge(&composition),
                None => self.compositions.push((one, composition)),
            }
        }
        self.samples.push(sample);
        if self.samples.len() == TREES {
            self.decision = Some(self.judge(found));
        } else {
            self.compare();
        }
    }

    /// Begins the next comparison.
    fn compare(&mut self) {
        let seed = derive(self.seed, "compare", self.samples.len() as u64);
        self.growing = Growing::comparing(&self.compared, &self.position, self.playouts, seed);
    }

    /// The values of one of the actions, one for each comparison.
    fn values_of(&self, action: Action) -> Vec<Value> {
        let value =
            |sample: &Analysis| sample.actions.iter().find(|one| one.action == action).map(Value::from);
        self.samples.iter().filter_map(value).collect()
    }

    /// The composition of the deciding seat's score after one of the actions.
    fn composition_of(&self, action: Action) -> Composition {
        let known = self.compositions.iter().find(|(other, _)| *other == action);
        known.map_or_else(|| of_ending(&self.position, action), |(_, composition)| *composition)
    }

    fn judge(&self, found: &Analysis) -> Decision {
        let Judging { seat, action, .. } = *self;
        let values: Vec<_> = self.compared.iter().map(|action| (*action, self.values_of(*action))).collect();
        let values =
            |action: Action| values.iter().find(|one| one.0 == action).map_or(&[][..], |(_, values)| values);
        let sampled = |worse: Action, better: Action, by: &dyn Fn(&Value) -> f64| {
            let pairs = values(worse).iter().zip(values(better));
            Loss::of(&pairs.map(|(worse, better)| by(better) - by(worse)).collect::<Vec<_>>())
        };
        let playouts = found.playouts + self.samples.iter().map(|sample| sample.playouts).sum::<u64>();
        let certain = found.exact || found.actions.len() == 1;
        let depth = (MEASURED / (playouts as f64).max(LEAST_MEASURED)).sqrt();
        let (depth_chance, depth_points) = if self.position.rules().mighty_duel() {
            (depth * DEPTH_DUEL, depth * DEPTH_POINTS_DUEL)
        } else {
            (depth * DEPTH, depth * DEPTH_POINTS)
        };
        let loss = |worse: Action, better: Action, by: &dyn Fn(&Value) -> f64, depth: f64| {
            let sampled = sampled(worse, better, by);
            if certain { sampled } else { sampled.with_depth(depth) }
        };
        let chance = |value: &Value| value.win_rates[seat];
        let points = |value: &Value| value.mean_margin[seat];
        let losses = |worse: Action, better: Action| {
            (loss(worse, better, &chance, depth_chance), loss(worse, better, &points, depth_points))
        };

        let first = self.compared[0];
        let mut best = first;
        if !found.exact {
            for other in &self.compared[1..] {
                let both = |value: &Value| chance(value) + POINT * points(value);
                if sampled(best, *other, &both).counted() > 0.0 {
                    best = *other;
                }
            }
        }
        let (lost, lost_points) = losses(action, best);
        if lost.counted() == 0.0 && lost_points.counted() == 0.0 {
            best = action;
        }
        let mean = |action: Action| Value::mean(values(action));
        let order = |action: Action| found.actions.iter().position(|one| one.action == action);
        let line =
            |action: Action| order(action).map(|index| found.actions[index].line.clone()).unwrap_or_default();
        let mut alternatives: Vec<_> = self
            .compared
            .iter()
            .map(|action| {
                let (lost, lost_points) = losses(*action, best);
                let (cost, cost_points) = (lost.counted(), lost_points.counted());
                Alternative { action: *action, value: mean(*action), cost, cost_points, line: line(*action) }
            })
            .collect();
        alternatives.sort_by(|one, other| {
            let key = |one: &Alternative| one.cost + POINT * one.cost_points;
            (one.action != best).cmp(&(other.action != best)).then(key(one).total_cmp(&key(other)))
        });

        let (after, difference) = (mean(action), &mean(best) - &mean(action));
        let parts = if lost_points.counted() > 0.0 {
            let (of_action, of_best) = (self.composition_of(action), self.composition_of(best));
            parts(seat, self.position.rules(), (&after, &of_action), (&mean(best), &of_best))
        } else {
            Vec::new()
        };
        let why = why(&self.position, action, best, &parts).unwrap_or_default();
        let mut place = 1 + alternatives.iter().take_while(|one| one.action != action).count();
        if place == alternatives.len() {
            // There may be others between it and the best.
            place = place.max(1 + order(action).unwrap_or_default());
        }
        let mut before = after.clone();
        if lost.counted() > 0.0 {
            before.win_rates = (&before + &difference).win_rates;
        }
        if lost_points.counted() > 0.0 {
            let higher = &before + &difference;
            (before.mean_scores, before.mean_margin) = (higher.mean_scores, higher.mean_margin);
        }
        Decision {
            ply: self.ply,
            seat,
            round: self.position.round(),
            action,
            best,
            choices: found.actions.len(),
            place,
            before,
            after,
            cost: lost.counted(),
            cost_points: lost_points.counted(),
            decided: chance(&mean(best)) < DECIDED || chance(&mean(action)) > 1.0 - DECIDED,
            error: lost.error,
            error_points: lost_points.error,
            exact: found.exact,
            playouts,
            line: line(best),
            theme: why.as_ref().map(Theme::of),
            why,
            parts,
            alternatives,
        }
    }
}

/// A mean loss over independent trees, and its error.
#[derive(Clone, Copy, Debug)]
struct Loss {
    mean: f64,
    error: f64,
}

impl Loss {
    fn of(losses: &[f64]) -> Loss {
        let (mean, error) = mean_and_error(losses);
        Loss { mean, error }
    }

    /// Includes the effect of deeper trees.
    fn with_depth(self, depth: f64) -> Loss {
        let share = DEPTH_SHARE * self.mean;
        let error = (self.error * self.error + depth * depth + share * share).sqrt();
        Loss { error, ..self }
    }

    /// The loss; 0 if it is negative or within the error.
    fn counted(self) -> f64 {
        if self.mean > CERTAIN * self.error { self.mean } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(position: &Position, action: &str, playouts: u64) -> Decision {
        let action = action.parse().expect("an action");
        let mut judging = Judging::new(position, action, 0, playouts, 1).expect("it is legal");
        while !judging.step(100) {}
        judging.decision().expect("it is complete").clone()
    }

    #[test]
    fn an_action_that_is_equivalent_to_the_best_one_costs_nothing() {
        let text = "kd1 2.second.random.harmony.middle 1 place:1 1@1,16@1,42@0,46@0 5,11,43,44 \
            2-4,6-10,12-15,17-41,45,47-48 C;C";
        let position: Position = text.parse().expect("a position");
        let found: Vec<_> = ["place 1,0>2,0", "place 0,1>0,2", "place -2,0>-1,0"]
            .map(|action| judged(&position, action, 4_000))
            .into_iter()
            .collect();
        for one in &found {
            assert_eq!((&one.after, one.cost, one.place), (&found[0].after, found[0].cost, found[0].place));
            assert_eq!(one.choices, 2);
            let alternatives: Vec<_> = one.alternatives.iter().map(|other| other.action).collect();
            assert!(alternatives.len() == 2 && alternatives.contains(&one.action), "{alternatives:?}");
            assert!(one.cost > 0.0 || (one.best == one.action && one.line[0] == one.action));
            let mut after = position;
            for action in &one.line {
                after.play(*action).expect("the line is legal");
            }
        }
    }
}
