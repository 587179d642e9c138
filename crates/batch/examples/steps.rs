//! Steps many games at random and prints how fast: `steps RULES GAMES STEPS THREADS`.
//!
//! Everything that a learner is given is written: observation, mask, rewards. Small enough to run under
//! Valgrind, which counts instructions.

use std::process::ExitCode;
use std::time::Instant;

use kingdomino_batch::{Batch, Form, Illegal, Options, Outputs, Reward, Shape};
use kingdomino_rules::{Action, Rules};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<usize> = arguments.iter().skip(1).filter_map(|text| text.parse().ok()).collect();
    let (Some(Ok(rules)), [games, steps, threads]) =
        (arguments.first().map(|text| text.parse::<Rules>()), numbers.as_slice())
    else {
        eprintln!("usage: steps RULES GAMES STEPS THREADS (like: steps 2.second.random 1024 1000 1)");
        return ExitCode::from(2);
    };
    let (games, players) = (*games, rules.players());
    let options = Options {
        rules,
        form: Form::Planes,
        reward: Reward::Rank,
        illegal: Illegal::Refuse,
        opponents: Vec::new(),
        seat: None,
    };
    let shape = Shape::of(options.form, &rules);
    let (mut bytes, mut final_bytes) = (vec![0; games * shape.bytes], vec![0; games * shape.bytes]);
    let (mut words, mut final_words) = (vec![0; games * shape.words], vec![0; games * shape.words]);
    let mut mask = vec![0; games * Action::count(rules.kingdom_size())];
    let (mut rewards, mut scores) = (vec![0.0; games * players], vec![0; games * players]);
    let (mut done, mut seat, mut actions) = (vec![false; games], vec![0; games], vec![0; games]);
    let seeds: Vec<u64> = (0..games as u64).collect();
    let Ok(mut batch) = Batch::new(options, &seeds, *threads) else {
        eprintln!("the system gives no {threads} threads");
        return ExitCode::FAILURE;
    };
    let begin = Instant::now();
    for _ in 0..*steps {
        batch.sample(&mut actions);
        let rows = Outputs {
            bytes: &mut bytes,
            words: &mut words,
            mask: &mut mask,
            rewards: &mut rewards,
            done: &mut done,
            seat: &mut seat,
            scores: &mut scores,
            final_bytes: &mut final_bytes,
            final_words: &mut final_words,
        };
        if let Err(error) = batch.step(&actions, rows) {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    println!("{:.0} plies a second", (games * steps) as f64 / begin.elapsed().as_secs_f64());
    ExitCode::SUCCESS
}
