//! The caller's memory: a row for each game.

use kingdomino_rules::{Action, Rules};

use crate::observation::Shape;
use crate::table::Options;

/// Where a batch writes. Every slice has one row a game, one game after the other.
#[derive(Debug)]
pub struct Rows<'a> {
    /// The bytes of each observation: what the seat to move sees.
    pub bytes: &'a mut [u8],
    /// Its words.
    pub words: &'a mut [i16],
    /// The legal mask, one entry for each action number.
    pub mask: &'a mut [i8],
    /// Rewards of what was just done: of every seat, or of the one that learns.
    pub rewards: &'a mut [f32],
    /// Whether the game has just ended; everything above then belongs to a new one.
    pub done: &'a mut [bool],
    /// The seat to move.
    pub seat: &'a mut [u8],
    /// The points of every seat at the end of the game that has just ended; else what was there.
    pub scores: &'a mut [i16],
    /// The bytes of the last observation of the game that has just ended; else what was there.
    pub final_bytes: &'a mut [u8],
    /// Its words.
    pub final_words: &'a mut [i16],
}

/// One of them.
pub(crate) struct Row<'a> {
    pub(crate) bytes: &'a mut [u8],
    pub(crate) words: &'a mut [i16],
    pub(crate) mask: &'a mut [i8],
    pub(crate) rewards: &'a mut [f32],
    pub(crate) done: &'a mut bool,
    pub(crate) seat: &'a mut u8,
    pub(crate) scores: &'a mut [i16],
    pub(crate) final_bytes: &'a mut [u8],
    pub(crate) final_words: &'a mut [i16],
}

/// How long the rows are.
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

/// Takes so many off the front.
#[inline(always)]
pub(crate) fn take<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (front, rest) = std::mem::take(slice).split_at_mut(count);
    *slice = rest;
    front
}

impl<'a> Rows<'a> {
    /// Takes the first rows off.
    #[inline(always)]
    pub(crate) fn take(&mut self, rows: usize, widths: &Widths) -> Rows<'a> {
        let Shape { bytes, words } = widths.shape;
        Rows {
            bytes: take(&mut self.bytes, rows * bytes),
            words: take(&mut self.words, rows * words),
            mask: take(&mut self.mask, rows * widths.mask),
            rewards: take(&mut self.rewards, rows * widths.rewards),
            done: take(&mut self.done, rows),
            seat: take(&mut self.seat, rows),
            scores: take(&mut self.scores, rows * widths.players),
            final_bytes: take(&mut self.final_bytes, rows * bytes),
            final_words: take(&mut self.final_words, rows * words),
        }
    }

    /// Takes the first row off.
    #[inline(always)]
    pub(crate) fn next(&mut self, widths: &Widths) -> Row<'a> {
        let Rows { bytes, words, mask, rewards, done, seat, scores, final_bytes, final_words } =
            self.take(1, widths);
        let (done, seat) = (&mut done[0], &mut seat[0]);
        Row { bytes, words, mask, rewards, done, seat, scores, final_bytes, final_words }
    }
}
