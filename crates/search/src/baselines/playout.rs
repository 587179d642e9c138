//! The playout policies of the published searches.

use kingdomino_rules::random::Stream;
use kingdomino_rules::{Domino, Position, Seat, Spot};

use crate::cpu::Cpu;
use crate::policies::{Decide, FullGreedy, Random};

/// Which turns of a playout are full greedy; the others are random.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BaselinePlayout {
    /// None.
    Random,
    /// All: the paper's FG.
    Fg,
    /// The turns of the searching seat: the paper's PG, player-greedy.
    Pg,
    /// A random quarter: the paper's EG, ε-greedy with ε = 0.75.
    Eg,
}

/// Decides for each turn whether it is greedy or random.
#[derive(Debug)]
pub(super) struct MixedPolicy {
    playout: BaselinePlayout,
    /// The searching seat.
    own: Seat,
    /// Whether the current turn is full greedy; `None` before its first decision.
    greedy: Option<bool>,
    full_greedy: FullGreedy,
}

impl MixedPolicy {
    #[inline(always)]
    pub(super) fn new(playout: BaselinePlayout, own: Seat) -> MixedPolicy {
        MixedPolicy { playout, own, greedy: None, full_greedy: FullGreedy::default() }
    }

    #[inline(always)]
    fn is_greedy(&self, position: &Position, random: &mut Stream) -> bool {
        match self.playout {
            BaselinePlayout::Random => false,
            BaselinePlayout::Fg => true,
            BaselinePlayout::Pg => position.to_move() == Some(self.own),
            BaselinePlayout::Eg => random.below(4) == 0,
        }
    }
}

impl Decide for MixedPolicy {
    #[inline(always)]
    fn place(
        &mut self,
        position: &Position,
        domino: Domino,
        random: &mut Stream,
        cpu: impl Cpu,
    ) -> Option<Spot> {
        let greedy = self.is_greedy(position, random);
        self.greedy = (!position.offered().is_empty()).then_some(greedy);
        if greedy {
            return self.full_greedy.place(position, domino, random, cpu);
        }
        self.full_greedy.forget(position, domino);
        Random.place(position, domino, random, cpu)
    }

    #[inline(always)]
    fn claim(&mut self, position: &Position, random: &mut Stream, cpu: impl Cpu) -> usize {
        let greedy = self.greedy.take().unwrap_or_else(|| self.is_greedy(position, random));
        if greedy {
            self.full_greedy.claim(position, random, cpu)
        } else {
            Random.claim(position, random, cpu)
        }
    }
}
