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
        let placements = position.own_kingdom().placements(domino);
        let count = placements.len();
        if count == 0 {
            return None;
        }
        let n = random.below(count) as u32;
        Some(placements.nth(n, |bits, n| cpu.select(bits, n)))
    }

    #[inline(always)]
    fn claim(&mut self, position: &Position, random: &mut Stream, cpu: impl Cpu) -> usize {
        let free = u64::from(position.offered().free());
        let n = random.below(free.count_ones() as usize) as u32;
        cpu.select(free, n).trailing_zeros() as usize
    }
}
