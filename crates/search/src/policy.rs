//! How the seats decide in a playout, and the uniformly random way.

use kingdomino_rules::random::Stream;
use kingdomino_rules::{Domino, Position, Spot};

use crate::cpu::Cpu;

/// Decides for whichever seat is to move. A new one is made for every game: it may remember what it
/// has found out about the kingdoms.
pub(crate) trait Decide {
    /// Where this domino goes in the kingdom of the seat to move; `None` where it fits nowhere.
    fn place(
        &mut self,
        position: &Position,
        domino: Domino,
        random: &mut Stream,
        cpu: impl Cpu,
    ) -> Option<Spot>;

    /// The place, in the line on offer, of the domino to claim.
    fn claim(&mut self, position: &Position, random: &mut Stream, cpu: impl Cpu) -> usize;
}

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
