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

impl<'a> Rows<'a> {
    /// The first rows, and the others.
    pub(crate) fn split(self, rows: usize, widths: &Widths) -> (Rows<'a>, Rows<'a>) {
        let (bytes, words) = (rows * widths.shape.bytes, rows * widths.shape.words);
        let bytes_parts = self.bytes.split_at_mut(bytes);
        let words_parts = self.words.split_at_mut(words);
        let mask = self.mask.split_at_mut(rows * widths.mask);
        let rewards = self.rewards.split_at_mut(rows * widths.rewards);
        let done = self.done.split_at_mut(rows);
        let seat = self.seat.split_at_mut(rows);
        let scores = self.scores.split_at_mut(rows * widths.players);
        let final_bytes = self.final_bytes.split_at_mut(bytes);
        let final_words = self.final_words.split_at_mut(words);
        (
            Rows {
                bytes: bytes_parts.0,
                words: words_parts.0,
                mask: mask.0,
                rewards: rewards.0,
                done: done.0,
                seat: seat.0,
                scores: scores.0,
                final_bytes: final_bytes.0,
                final_words: final_words.0,
            },
            Rows {
                bytes: bytes_parts.1,
                words: words_parts.1,
                mask: mask.1,
                rewards: rewards.1,
                done: done.1,
                seat: seat.1,
                scores: scores.1,
                final_bytes: final_bytes.1,
                final_words: final_words.1,
            },
        )
    }
}
