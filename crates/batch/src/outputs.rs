//! The caller's buffers: a row for each game.

use kingdomino_rules::{Action, Rules};

use crate::environment::Options;
use crate::observation::Shape;

/// Where a batch writes. Every slice has one row a game, one game after the other.
#[derive(Debug)]
pub struct Outputs<'a> {
    /// The bytes of each observation, as the seat to move sees it.
    pub bytes: &'a mut [u8],
    /// The words of each observation.
    pub words: &'a mut [i16],
    /// The legal mask, one entry for each action number.
    pub mask: &'a mut [i8],
    /// The rewards of this step: one per seat, or only the learner's.
    pub rewards: &'a mut [f32],
    /// Whether the game has just ended. All other fields except `rewards` and the final ones then show the next game.
    pub done: &'a mut [bool],
    /// The seat to move.
    pub seat: &'a mut [u8],
    /// The scores of the game that has just ended; else unchanged.
    pub scores: &'a mut [i16],
    /// The bytes of the last observation of the game that has just ended; else unchanged.
    pub final_bytes: &'a mut [u8],
    /// The words of that observation.
    pub final_words: &'a mut [i16],
    /// The seat that saw it: the learner's, or else the last that moved.
    pub final_seat: &'a mut [u8],
}

/// The outputs of every step in a row.
pub(crate) struct OutputRow<'a> {
    pub(crate) bytes: &'a mut [u8],
    pub(crate) words: &'a mut [i16],
    pub(crate) mask: &'a mut [i8],
    pub(crate) rewards: &'a mut [f32],
    pub(crate) done: &'a mut bool,
    pub(crate) seat: &'a mut u8,
}

/// The outputs at the end of a game.
pub(crate) struct FinalOutput<'a> {
    pub(crate) rewards: &'a mut [f32],
    pub(crate) scores: &'a mut [i16],
    pub(crate) bytes: &'a mut [u8],
    pub(crate) words: &'a mut [i16],
    pub(crate) seat: &'a mut u8,
}

/// The length of each row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Widths {
    shape: Shape,
    mask: usize,
    rewards: usize,
    players: usize,
}

impl Widths {
    pub(crate) fn of(options: &Options) -> Widths {
        let rules: &Rules = &options.rules;
        Widths {
            shape: Shape::of(options.form, rules),
            mask: Action::count(rules.kingdom_size()),
            rewards: options.rewarded(),
            players: rules.players(),
        }
    }
}

/// Splits off the first `count` elements.
#[inline(always)]
pub(crate) fn take<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (front, rest) = std::mem::take(slice).split_at_mut(count);
    *slice = rest;
    front
}

/// The same for a shared slice.
#[inline(always)]
pub(crate) fn front<'a, T>(slice: &mut &'a [T], count: usize) -> &'a [T] {
    let (front, rest) = slice.split_at(count);
    *slice = rest;
    front
}

/// One row.
#[inline(always)]
fn part<T>(slice: &mut [T], row: usize, width: usize) -> &mut [T] {
    &mut slice[row * width..][..width]
}

impl<'a> Outputs<'a> {
    /// Splits the first rows off.
    #[inline(always)]
    pub(crate) fn take(&mut self, rows: usize, widths: &Widths) -> Outputs<'a> {
        let Shape { bytes, words } = widths.shape;
        Outputs {
            bytes: take(&mut self.bytes, rows * bytes),
            words: take(&mut self.words, rows * words),
            mask: take(&mut self.mask, rows * widths.mask),
            rewards: take(&mut self.rewards, rows * widths.rewards),
            done: take(&mut self.done, rows),
            seat: take(&mut self.seat, rows),
            scores: take(&mut self.scores, rows * widths.players),
            final_bytes: take(&mut self.final_bytes, rows * bytes),
            final_words: take(&mut self.final_words, rows * words),
            final_seat: take(&mut self.final_seat, rows),
        }
    }
}

/// Where one game writes.
pub(crate) struct Output<'r, 'a> {
    pub(crate) outputs: &'r mut Outputs<'a>,
    pub(crate) row: usize,
    pub(crate) widths: &'r Widths,
}

impl Output<'_, '_> {
    /// The row that every step writes.
    #[inline(always)]
    pub(crate) fn row(&mut self) -> OutputRow<'_> {
        let Output { outputs, row, widths } = self;
        OutputRow {
            bytes: part(outputs.bytes, *row, widths.shape.bytes),
            words: part(outputs.words, *row, widths.shape.words),
            mask: part(outputs.mask, *row, widths.mask),
            rewards: part(outputs.rewards, *row, widths.rewards),
            done: &mut outputs.done[*row],
            seat: &mut outputs.seat[*row],
        }
    }

    /// The row that the end of a game writes.
    pub(crate) fn final_row(&mut self) -> FinalOutput<'_> {
        let Output { outputs, row, widths } = self;
        FinalOutput {
            rewards: part(outputs.rewards, *row, widths.rewards),
            scores: part(outputs.scores, *row, widths.players),
            bytes: part(outputs.final_bytes, *row, widths.shape.bytes),
            words: part(outputs.final_words, *row, widths.shape.words),
            seat: &mut outputs.final_seat[*row],
        }
    }
}
