//! Steps many games with the caller's own actions and prints how fast: `steps RULES GAMES STEPS THREADS`.
//!
//! The caller chooses a random legal action of each mask between two steps. Only the steps are timed. Small enough to
//! run under Valgrind, which counts instructions (`--toggle-collect='*Batch*step*'`).

use std::process::ExitCode;
use std::time::{Duration, Instant};

use kingdomino_batch::{Batch, Form, Illegal, Options, Outputs, Reward, Shape};
use kingdomino_rules::random::Stream;
use kingdomino_rules::{Action, Rules};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Result<Vec<usize>, _> = arguments.iter().skip(1).map(|text| text.parse()).collect();
    let (Some(Ok(rules)), Ok(&[games, steps, threads])) =
        (arguments.first().map(|text| text.parse::<Rules>()), numbers.as_deref())
    else {
        eprintln!("usage: steps RULES GAMES STEPS THREADS (like: steps 2.second.random 1024 1000 1)");
        return ExitCode::from(2);
    };
    let players = rules.players();
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
    let count = Action::count(rules.kingdom_size());
    let mut mask = vec![0; games * count];
    let (mut rewards, mut scores) = (vec![0.0; games * players], vec![0; games * players]);
    let (mut seat, mut final_seat) = (vec![0; games], vec![0; games]);
    let (mut done, mut actions) = (vec![false; games], vec![0; games]);
    let seeds: Vec<u64> = (0..games as u64).collect();
    let Ok(mut batch) = Batch::new(options, &seeds, threads) else {
        eprintln!("the system cannot start {threads} threads");
        return ExitCode::FAILURE;
    };
    let (mut random, mut legal) = (Stream::new(0, "steps", 0), Vec::new());
    let mut times: Vec<Duration> = Vec::with_capacity(steps);
    for step in 0..=steps {
        let outputs = Outputs {
            bytes: &mut bytes,
            words: &mut words,
            mask: &mut mask,
            rewards: &mut rewards,
            done: &mut done,
            seat: &mut seat,
            scores: &mut scores,
            final_bytes: &mut final_bytes,
            final_words: &mut final_words,
            final_seat: &mut final_seat,
        };
        if step == 0 {
            batch.reset(Some(&seeds), outputs);
        } else {
            let begin = Instant::now();
            if let Err(error) = batch.step(&actions, outputs) {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
            times.push(begin.elapsed());
        }
        for (action, mask) in actions.iter_mut().zip(mask.chunks_exact(count)) {
            *action = any_legal(mask, &mut legal, &mut random);
        }
    }
    times.sort_unstable();
    let speed = |time: &Duration| games as f64 / time.as_secs_f64();
    if let (Some(best), Some(median)) = (times.first(), times.get(times.len() / 2)) {
        println!("{:.0} plies a second in the median step, {:.0} in the fastest", speed(median), speed(best));
    }
    ExitCode::SUCCESS
}

/// The number of a random legal action; `legal` is memory to work in.
fn any_legal(mask: &[i8], legal: &mut Vec<usize>, random: &mut Stream) -> i64 {
    legal.clear();
    for (chunk, numbers) in mask.chunks(16).enumerate() {
        // Few are legal, so most of these are empty.
        if numbers.contains(&1) {
            let numbers = numbers.iter().enumerate().filter(|(_, legal)| **legal == 1);
            legal.extend(numbers.map(|(number, _)| 16 * chunk + number));
        }
    }
    legal[random.below(legal.len())] as i64
}
