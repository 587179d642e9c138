//! Puts judged decisions together: the luck between them, and the sums of each seat.
//!
//! Luck and skill add up, as in GNU Backgammon. The luck of an event is the value after it minus the value expected before
//! it: the value after the previous event, less the cost of the decisions since then. So an error of the evaluation is part
//! of the luck.

use kingdomino_rules::{Rules, Seat};

use super::level::Level;
use super::parts::whole;
use super::story::Story;
use super::values::{Account, Decision, Luck, Review, SeatReview, Value};

impl Story {
    /// The review of the decisions judged so far, which must be the first ones of the game, in order. `start` is the
    /// value before the first event.
    pub fn assemble(&self, start: &Value, judged: &[Decision]) -> Review {
        let mut decisions = judged[..judged.len().min(self.plies())].to_vec();
        if let Some(result) = &self.result
            && decisions.len() == self.plies()
        {
            self.end(&mut decisions, result);
        }
        let (mut start, mut expected, mut luck) = (start.clone(), start.clone(), Vec::new());
        for (decision, turn) in decisions.iter().zip(&self.turns) {
            if let Some(brought) = &turn.chance {
                let change = &decision.before - &expected;
                luck.push(Luck {
                    ply: decision.ply,
                    line: brought.line.clone(),
                    king: brought.king,
                    win_rates: change.win_rates,
                    points: change.mean_margin,
                });
            }
            if decision.ply == 0 && turn.chance.is_none() {
                // The game begins with a decision.
                start = decision.before.clone();
            }
            if decision.ply == 0 || turn.chance.is_some() {
                expected = decision.before.clone();
            }
            expected = &expected - &(&decision.before - &decision.after);
        }
        let rules = self.initial.rules();
        let result = self.result.as_ref().filter(|_| decisions.len() == self.plies());
        let seats = (0..rules.players()).map(|seat| {
            let mut one = seat_review(seat, rules, &decisions, &luck);
            one.account =
                result.map(|result| account(&one, start.mean_margin[seat], result.mean_margin[seat]));
            one
        });
        let seats = seats.collect();
        Review { plies: self.plies(), start, result: self.result.clone(), decisions, luck, seats }
    }

    /// Sets the values of the decisions after the last chance event, so that they lead to the result.
    fn end(&self, decisions: &mut [Decision], result: &Value) {
        let mut after = result.clone();
        for (decision, turn) in decisions.iter_mut().zip(&self.turns).rev() {
            let before = &after + &(&decision.before - &decision.after);
            (decision.before, decision.after) = (before.clone(), after);
            after = before;
            if turn.chance.is_some() {
                break;
            }
        }
    }
}

fn seat_review(seat: Seat, rules: &Rules, decisions: &[Decision], luck: &[Luck]) -> SeatReview {
    let own = || decisions.iter().filter(|decision| decision.seat == seat);
    let others = || decisions.iter().filter(|decision| decision.seat != seat);
    let free = || own().filter(|decision| decision.choices > 1);
    let count = free().count();
    let received = |figure: fn(&Value) -> &[f64]| {
        others().map(|decision| figure(&decision.after)[seat] - figure(&decision.before)[seat]).sum()
    };
    SeatReview {
        seat,
        decisions: count,
        cost: own().map(|decision| decision.cost).sum(),
        cost_points: own().map(|decision| decision.cost_points).sum(),
        luck: luck.iter().map(|one| one.win_rates[seat]).sum(),
        luck_points: luck.iter().map(|one| one.points[seat]).sum(),
        received: received(|value| &value.win_rates),
        received_points: received(|value| &value.mean_margin),
        accuracy: (count > 0).then(|| free().map(Decision::accuracy).sum::<f64>() / count as f64),
        level: Level::of(&free().map(|decision| decision.cost_points).collect::<Vec<_>>(), rules),
        account: None,
    }
}

fn account(sums: &SeatReview, start: f64, margin: f64) -> Account {
    let margin = libm::round(margin) as i32;
    let play = sums.received_points - sums.cost_points;
    let parts = whole(&[start, play, sums.luck_points], margin);
    let (start, play, luck) = (parts[0], parts[1], parts[2]);
    let decisions = whole(&[-sums.cost_points, sums.received_points], play);
    Account { margin, start, play, cost: -decisions[0], received: decisions[1], luck }
}
