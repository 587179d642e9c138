//! MCE: flat Monte Carlo evaluation.

use kingdomino_rules::random::Stream;
use kingdomino_rules::{Position, Seat};

use super::Sampler;
use super::playout::{BaselinePlayout, MixedPolicy};
use super::turn::{Turn, list};
use crate::cpu::Cpu;
use crate::playouts::playout;
use crate::terminal::TerminalValue;

/// Each playout starts with a random legal turn. The best turn has the highest mean of own / (own + best opponent's
/// score) over its playouts.
#[derive(Debug)]
pub(super) struct FlatMonteCarlo {
    root: Position,
    own: Seat,
    playout: BaselinePlayout,
    random: Stream,
    turns: Vec<(Turn, Mean)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    sum: f64,
    playouts: u32,
}

impl FlatMonteCarlo {
    pub(super) fn new(
        root: &Position,
        own: Seat,
        playout: BaselinePlayout,
        random: Stream,
    ) -> FlatMonteCarlo {
        let mut turns = Vec::new();
        list(root, &mut turns);
        let turns = turns.into_iter().map(|turn| (turn, Mean::default())).collect();
        FlatMonteCarlo { root: *root, own, playout, random, turns }
    }
}

impl Sampler for FlatMonteCarlo {
    #[inline(always)]
    fn sample(&mut self, cpu: impl Cpu) {
        let at = self.random.below(self.turns.len());
        let (turn, mean) = &mut self.turns[at];
        let mut position = self.root;
        turn.play(&mut position);
        let kings = position.kings_to_draw();
        playout(&mut position, &mut MixedPolicy::new(self.playout, self.own), kings, &mut self.random, cpu);
        mean.sum += share(&TerminalValue::of(&position), self.own);
        mean.playouts += 1;
    }

    fn best(&self) -> Option<Turn> {
        let mean = |mean: &Mean| mean.sum / f64::from(mean.playouts);
        let tried = self.turns.iter().filter(|(_, mean)| mean.playouts > 0);
        // Among equals the first; `max_by` returns the last.
        tried.rev().max_by(|(_, one), (_, other)| mean(one).total_cmp(&mean(other))).map(|(turn, _)| *turn)
    }
}

/// The seat's score divided by the sum of its own and the best opponent's; one half if both are 0.
#[inline(always)]
fn share(value: &TerminalValue, seat: Seat) -> f64 {
    let own = value.totals[seat & 3];
    let both = 2 * own - value.margins[seat & 3];
    if both == 0 { 0.5 } else { own as f64 / both as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_playout_is_worth_the_own_share_of_both_scores() {
        let value = |own: i64, opponent: i64| TerminalValue {
            totals: [own, opponent, 0, 0],
            margins: [own - opponent, opponent - own, 0, 0],
            victories: [0; 4],
        };
        assert_eq!(share(&value(60, 40), 0), 0.6);
        assert_eq!(share(&value(60, 40), 1), 0.4);
        assert_eq!(share(&value(0, 0), 0), 0.5);
    }
}
