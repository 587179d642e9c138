//! One playout: a position is played to its end, and hidden lines are sampled on the way.

use kingdomino_rules::random::Stream;
use kingdomino_rules::{DominoSet, Kings, Position, Stage};

use crate::cpu::Cpu;
use crate::policies::Decide;

/// Plays the position to its end; `kings` are those that are still to be drawn in it.
#[inline(always)]
pub(crate) fn playout(
    position: &mut Position,
    seats: &mut impl Decide,
    mut kings: Kings,
    random: &mut Stream,
    cpu: impl Cpu,
) {
    loop {
        play_round(position, seats, &mut kings, random, cpu);
        if position.is_over() {
            return;
        }
        position.reveal_unchecked(sample_line(position, random, cpu));
    }
}

/// Plays until a line is to be revealed, or to the end.
#[inline(always)]
pub(crate) fn play_round(
    position: &mut Position,
    seats: &mut impl Decide,
    kings: &mut Kings,
    random: &mut Stream,
    cpu: impl Cpu,
) {
    loop {
        // A turn is both decisions: asking for them in turn, not in a loop over stages, keeps the hot
        // values in registers.
        if let Some(domino) = position.domino() {
            match seats.place(position, domino, random, cpu) {
                Some(spot) => position.place_unchecked(spot),
                None => position.discard_unchecked(),
            }
        }
        if position.stage() == Stage::Claim {
            position.claim_unchecked(seats.claim(position, random, cpu));
        }
        match position.stage() {
            Stage::Place | Stage::Claim => {}
            Stage::Draw => position.draw_unchecked(sample_king(kings, random)),
            Stage::Reveal | Stage::Over => return,
        }
    }
}

/// A line that may come next.
#[inline(always)]
pub(crate) fn sample_line(position: &Position, random: &mut Stream, cpu: impl Cpu) -> DominoSet {
    draw_line(position.unseen(), position.rules().line_length(), random, cpu)
}

/// A line of so many of the unseen dominoes, each line as likely as the others. One random word serves all its
/// dominoes (Brackett-Rozinsky and Lemire, "Batched Ranged Random Integer Generation", 2024): 48·47·46·45 is far
/// below 2^64.
#[inline(always)]
pub(crate) fn draw_line(unseen: DominoSet, length: usize, random: &mut Stream, cpu: impl Cpu) -> DominoSet {
    let mut unseen = unseen.bits();
    let count = unseen.count_ones();
    let mut line = 0;
    let mut word = random.word();
    for drawn in 0..length as u32 {
        let product = u128::from(word) * u128::from(count - drawn);
        word = product as u64;
        let domino = cpu.select(unseen, (product >> 64) as u32);
        unseen ^= domino;
        line |= domino;
    }
    DominoSet::from_bits(line)
}

/// Any of the kings that are still to be drawn.
#[inline(always)]
pub(crate) fn sample_king(kings: &mut Kings, random: &mut Stream) -> usize {
    kings.swap_remove(random.below(kings.len()))
}
