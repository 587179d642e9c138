//! Policies: decisions without search.

mod best;
mod full_greedy;
mod gains;
mod glance;
mod greedy;
mod greedy_placement;
mod lost_squares;
mod misfits;
mod noisy;
mod outline_preference;
mod random;
mod remaining;
mod tuned;
mod weights;

use kingdomino_rules::random::{Stream, hash_text};
use kingdomino_rules::{Action, Domino, Position, Rules, Spot, Stage};

use crate::cpu::{Cpu, Task, run_on_best};

pub(crate) use self::full_greedy::FullGreedy;
pub(crate) use self::gains::{GainTable, Points};
pub(crate) use self::glance::Glance;
pub(crate) use self::greedy::Greedy;
pub(crate) use self::greedy_placement::GreedyPlacement;
pub(crate) use self::lost_squares::lost_squares;
pub use self::noisy::choose_with_noise;
pub(crate) use self::outline_preference::{holes_around_castle, score_with_middle_kingdom};
pub(crate) use self::random::Random;
pub(crate) use self::remaining::Remaining;
pub(crate) use self::tuned::{POINT, Potential, Tuned, Valuation, Weighted};
pub use self::weights::Weights;

/// How seats decide.
#[allow(clippy::large_enum_variant)] // it is copied once for hundreds of playouts
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Policy {
    /// Uniformly among the legal actions.
    Random,
    /// The placement with the highest score now; the claim whose domino then fits best.
    Greedy,
    /// The same with regard to dominoes still to come; see [`Weights`].
    Tuned,
    /// The published player GPRD: greedy placements, random claims (Gedda, Lagerkvist and Butler, 2018).
    Gprd,
    /// The published player FG: greedy for placement and claim together (same source).
    Fg,
    /// Tuned, with different weights for each seat.
    Weighted([Weights; Rules::MOST]),
}

/// Decides for the seat to move. Each game needs a new one, since it caches facts about the kingdoms.
pub(crate) trait Decide {
    /// Where to place this domino in the kingdom of the seat to move; `None` if it fits nowhere.
    fn place(
        &mut self,
        position: &Position,
        domino: Domino,
        random: &mut Stream,
        cpu: impl Cpu,
    ) -> Option<Spot>;

    /// The place in the offered line of the domino to claim.
    fn claim(&mut self, position: &Position, random: &mut Stream, cpu: impl Cpu) -> usize;
}

/// The action that a policy chooses; `None` if no seat is to move. It depends only on the position and the seed.
pub fn choose(position: &Position, policy: Policy, seed: u64) -> Option<Action> {
    let counter = match policy {
        // These use no random numbers, and hashing the position would take longer than their choice.
        Policy::Greedy | Policy::Tuned | Policy::Weighted(_) => 0,
        Policy::Random | Policy::Gprd | Policy::Fg => hash_text(position),
    };
    let random = Stream::new(seed, "choose", counter);
    run_on_best(Choice { position, policy, random })
}

struct Choice<'a> {
    position: &'a Position,
    policy: Policy,
    random: Stream,
}

impl Choice<'_> {
    #[inline(always)]
    fn decide(mut self, cpu: impl Cpu, mut seats: impl Decide) -> Option<Action> {
        let position = self.position;
        match (position.stage(), position.domino()) {
            (Stage::Claim, _) => {
                let place = seats.claim(position, &mut self.random, cpu);
                Some(Action::Claim(position.offered().domino(place)))
            }
            (_, Some(domino)) => {
                let spot = seats.place(position, domino, &mut self.random, cpu);
                Some(spot.map_or(Action::Discard, |spot| Action::Place(spot.into())))
            }
            _ => None,
        }
    }
}

impl Task for Choice<'_> {
    type Output = Option<Action>;

    #[inline(always)]
    fn run(self, cpu: impl Cpu) -> Option<Action> {
        match self.policy {
            Policy::Random => self.decide(cpu, Random),
            Policy::Greedy => self.decide(cpu, Greedy::default()),
            Policy::Gprd => self.decide(cpu, GreedyPlacement::default()),
            Policy::Fg => self.decide(cpu, FullGreedy::default()),
            Policy::Tuned => {
                let weights = Weights::of(self.position.rules());
                self.decide(cpu, Tuned::new(weights))
            }
            Policy::Weighted(weights) => self.decide(cpu, Weighted::new(weights)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingdomino_rules::Game;

    #[test]
    fn choices_are_legal_and_depend_on_seed_and_position_only() {
        for policy in [Policy::Random, Policy::Greedy, Policy::Gprd, Policy::Fg] {
            let mut game = Game::new(Rules::default(), 11);
            while !game.position().is_over() {
                let action = choose(game.position(), policy, 1).expect("a seat is to move");
                assert_eq!(choose(game.position(), policy, 1), Some(action));
                game.play(action).expect("the choice is legal");
            }
            assert_eq!(choose(game.position(), policy, 1), None);
        }
    }
}
