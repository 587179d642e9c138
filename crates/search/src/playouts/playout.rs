//! One playout: plays a position to its end and samples hidden lines on the way.

use kingdomino_rules::random::{Stream, multiply};
use kingdomino_rules::{DominoSet, Kings, Position, Stage};

use crate::cpu::Cpu;
use crate::policies::Decide;

/// Plays the position to its end; `kings` are those still to be drawn.
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
        // Both decisions of a turn in sequence, rather than a loop over stages, keep the hot values in registers.
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

/// A random next line, each possible one equally likely.
#[inline(always)]
pub(crate) fn sample_line(position: &Position, random: &mut Stream, cpu: impl Cpu) -> DominoSet {
    draw_line(position.unseen(), position.rules().line_length(), random, cpu)
}

/// A random line of `length` unseen dominoes, each possible one equally likely. One random word is enough for all its
/// dominoes (Brackett-Rozinsky and Lemire, "Batched Ranged Random Integer Generation", 2024), since 48·47·46·45 is far
/// below 2^64.
#[inline(always)]
pub(crate) fn draw_line(unseen: DominoSet, length: usize, random: &mut Stream, cpu: impl Cpu) -> DominoSet {
    let mut word = random.word();
    let line = cpu.choose_some(unseen.bits(), length as u32, |count| {
        let (chosen, rest) = multiply(word, u64::from(count));
        word = rest;
        chosen as u32
    });
    DominoSet::from_bits(line)
}

/// Removes a random king from those still to be drawn and returns its seat.
#[inline(always)]
pub(crate) fn sample_king(kings: &mut Kings, random: &mut Stream) -> usize {
    kings.swap_remove(random.below(kings.len()))
}
