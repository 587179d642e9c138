//! A batch and the buffers that it writes into.

use kingdomino_batch::{Batch, Form, Illegal, Opponent, Options, Outputs, Reward, Shape};
use kingdomino_rules::{Action, Rules};

pub(crate) const RULES: [&str; 5] = [
    "2.second.random",
    "2.second.snake.duel.harmony.middle",
    "3.first.random",
    "3.second.random",
    "4.second.random",
];

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Memory {
    bytes: Vec<u8>,
    words: Vec<i16>,
    mask: Vec<i8>,
    pub(crate) rewards: Vec<f32>,
    pub(crate) done: Vec<bool>,
    seat: Vec<u8>,
    scores: Vec<i16>,
    final_bytes: Vec<u8>,
    final_words: Vec<i16>,
    final_seat: Vec<u8>,
}

impl Memory {
    pub(crate) fn new(options: &Options, games: usize) -> Memory {
        let (rules, shape) = (&options.rules, Shape::of(options.form, &options.rules));
        Memory {
            bytes: vec![0; games * shape.bytes],
            words: vec![0; games * shape.words],
            mask: vec![0; games * Action::count(rules.kingdom_size())],
            rewards: vec![0.0; games * options.rewarded()],
            done: vec![false; games],
            seat: vec![0; games],
            scores: vec![0; games * rules.players()],
            final_bytes: vec![0; games * shape.bytes],
            final_words: vec![0; games * shape.words],
            final_seat: vec![0; games],
        }
    }

    pub(crate) fn outputs(&mut self) -> Outputs<'_> {
        Outputs {
            bytes: &mut self.bytes,
            words: &mut self.words,
            mask: &mut self.mask,
            rewards: &mut self.rewards,
            done: &mut self.done,
            seat: &mut self.seat,
            scores: &mut self.scores,
            final_bytes: &mut self.final_bytes,
            final_words: &mut self.final_words,
            final_seat: &mut self.final_seat,
        }
    }
}

pub(crate) fn options(rules: &str, form: Form, opponents: Vec<Opponent>) -> Options {
    let rules: Rules = rules.parse().expect("a rules set");
    Options { rules, form, reward: Reward::Rank, illegal: Illegal::Refuse, opponents, seat: None }
}

pub(crate) fn batch(options: &Options, games: usize, threads: usize) -> Batch {
    let seeds: Vec<u64> = (0..games as u64).collect();
    Batch::new(options.clone(), &seeds, threads).expect("the system has threads")
}

/// Plays random actions in every game.
pub(crate) fn play(batch: &mut Batch, memory: &mut Memory, steps: usize, mut after: impl FnMut(&Memory)) {
    let mut actions = vec![0; batch.len()];
    for _ in 0..steps {
        batch.sample(&mut actions);
        batch.step(&actions, memory.outputs()).expect("random actions are legal");
        after(memory);
    }
}
