//! The uniformly random policy.

use kingdomino_rules::random::Stream;
use kingdomino_rules::{Domino, Position, Spot};

use super::Decide;
use crate::cpu::Cpu;

/// Uniformly among the legal actions.
#[derive(Debug, Default)]
pub(crate) struct Random;

impl Decide for Random {
    #[inline(always)]
    fn place(
        &mut self,
        position: &Position,
        domino: Domino,
        random: &mut Stream,
        cpu: impl Cpu,
    ) -> Option<Spot> {
        let placements = position.own_kingdom_unchecked().placements(domino);
        let (board, bit) =
            cpu.choose_of_boards(placements.boards(), |count| random.below(count as usize) as u32)?;
        Some(placements.spot(board, bit))
    }

    #[inline(always)]
    fn claim(&mut self, position: &Position, random: &mut Stream, cpu: impl Cpu) -> usize {
        cpu.choose_of_four(position.offered().free(), |count| random.below(count as usize) as u32)
    }
}
