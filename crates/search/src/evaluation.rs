//! Evaluations of positions: exact or expected results, and their utility for each seat.

use kingdomino_rules::Rules;

use crate::terminal::{TerminalValue, VICTORY};

/// The result of a game, or its expectation; each array has one entry per seat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// Scores in points.
    pub totals: [f32; Rules::MOST],
    /// Own score minus the best opponent's, in points.
    pub margins: [f32; Rules::MOST],
    /// Win probabilities; a victory shared by k counts 1/k.
    pub victories: [f32; Rules::MOST],
    /// The lead, in points, that makes a victory e times as likely; 0 if the result is known.
    temperature: f32,
}

impl From<TerminalValue> for Evaluation {
    #[inline(always)]
    fn from(value: TerminalValue) -> Evaluation {
        Evaluation {
            totals: value.totals.map(|total| total as f32),
            margins: value.margins.map(|margin| margin as f32),
            victories: value.victories.map(|parts| parts as f32 / VICTORY as f32),
            temperature: 0.0,
        }
    }
}

impl Evaluation {
    /// The evaluation for these expected scores, where a lead of `temperature` points makes a victory e times as
    /// likely. Unused seats have minus infinity.
    #[inline(always)]
    pub(crate) fn expected(totals: [f32; Rules::MOST], temperature: f32) -> Evaluation {
        let best = totals.into_iter().fold(f32::NEG_INFINITY, f32::max);
        let odds = totals.map(|total| libm::expf((total - best) / temperature));
        let all: f32 = odds.iter().sum();
        let mut margins = [0.0; Rules::MOST];
        for (seat, margin) in margins.iter_mut().enumerate() {
            let opponents = totals.iter().enumerate().filter(|(opponent, _)| *opponent != seat);
            *margin = totals[seat] - opponents.map(|(_, total)| *total).fold(f32::NEG_INFINITY, f32::max);
        }
        Evaluation { totals, margins, victories: odds.map(|odds| odds / all), temperature }
    }
}

/// How an evaluation becomes a number between 0 and 1: a mix of win probability and margin. The margin says more where
/// the game is not close.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Utility {
    /// The weight of the margin, 0 to 1.
    pub margin: f32,
    /// The margin, in points, that is worth half as much as an unlimited one.
    pub half: f32,
}

impl Utility {
    /// The utility for one seat.
    #[inline(always)]
    pub(crate) fn of(&self, evaluation: &Evaluation, seat: usize) -> f32 {
        let (margin, victory) = (evaluation.margins[seat & 3], evaluation.victories[seat & 3]);
        // An uncertain margin is worth less.
        let bent = 0.5 + 0.5 * margin / (margin.abs() + self.half + evaluation.temperature);
        victory + self.margin * (bent - victory)
    }
}

/// Sums over playouts and the expectations before them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct EvaluationSum {
    count: u64,
    totals: [f64; Rules::MOST],
    margins: [f64; Rules::MOST],
    victories: [f64; Rules::MOST],
}

/// The value of a leaf: what the network expects, with this weight, and the result of the playout after it, with the rest.
#[inline(always)]
pub(crate) fn leaf_value([expected, played]: [f32; 2], weight: f32) -> f64 {
    f64::from(weight * expected + (1.0 - weight) * played)
}

impl EvaluationSum {
    /// Adds one leaf, where the network has this weight.
    #[inline(always)]
    pub(crate) fn add(&mut self, [expected, played]: &[Evaluation; 2], weight: f32) {
        let add = |sums: &mut [f64; Rules::MOST], [expected, played]: [&[f32; Rules::MOST]; 2]| {
            for (sum, (expected, played)) in sums.iter_mut().zip(expected.iter().zip(played)) {
                *sum += leaf_value([*expected, *played], weight);
            }
        };
        self.count += 1;
        add(&mut self.totals, [&expected.totals, &played.totals]);
        add(&mut self.margins, [&expected.margins, &played.margins]);
        add(&mut self.victories, [&expected.victories, &played.victories]);
    }

    pub(crate) const fn count(&self) -> u64 {
        self.count
    }

    /// The sums of win probabilities, scores and margins of the first `players` seats.
    pub(crate) fn sums(&self, players: usize) -> [Vec<f64>; 3] {
        [self.victories, self.totals, self.margins].map(|sums| sums[..players].to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two(one: f32, other: f32, temperature: f32) -> Evaluation {
        Evaluation::expected([one, other, f32::NEG_INFINITY, f32::NEG_INFINITY], temperature)
    }

    #[test]
    fn equal_totals_have_equal_chances() {
        let evaluation = two(40.0, 40.0, 7.0);
        assert_eq!(evaluation.victories[..2], [0.5, 0.5]);
        assert_eq!(evaluation.margins[..2], [0.0, 0.0]);
        let four = Evaluation::expected([30.0; 4], 7.0);
        assert_eq!(four.victories, [0.25; 4]);
    }

    #[test]
    fn a_lead_of_one_temperature_makes_a_victory_e_times_as_likely() {
        let [ahead, behind, ..] = two(47.0, 40.0, 7.0).victories;
        assert!((ahead / behind - std::f32::consts::E).abs() < 1e-5, "{ahead} to {behind}");
    }

    #[test]
    fn an_uncertain_lead_is_worth_less() {
        let utility = Utility { margin: 0.9, half: 10.0 };
        let sure = utility.of(&two(50.0, 40.0, 3.0), 0);
        let unsure = utility.of(&two(50.0, 40.0, 8.0), 0);
        assert!(0.5 < unsure && unsure < sure && sure < 1.0);
        assert!((utility.of(&two(50.0, 40.0, 3.0), 1) - (1.0 - sure)).abs() < 1e-5);
    }
}
