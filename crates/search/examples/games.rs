//! Plays whole games and prints the speed: `games RULES POLICY CHUNKS`, 256 games a chunk, one thread.
//!
//! `benches/run.py` runs it under Valgrind, which counts instructions: the same number on a busy machine as on a quiet
//! one.

use std::process::ExitCode;
use std::time::Instant;

use kingdomino_rules::{Game, Rules};
use kingdomino_search::{Policy, playouts};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rules, policy, chunks] = arguments.as_slice() else {
        eprintln!(
            "usage: games RULES random|greedy|tuned|gprd|fg CHUNKS (like: games 2.second.random random 100)"
        );
        return ExitCode::from(2);
    };
    let policy = match policy.as_str() {
        "greedy" => Policy::Greedy,
        "tuned" => Policy::Tuned,
        "gprd" => Policy::Gprd,
        "fg" => Policy::Fg,
        "random" => Policy::Random,
        _ => {
            eprintln!("{policy:?} is not a policy (random, greedy, tuned, gprd or fg)");
            return ExitCode::from(2);
        }
    };
    let (Ok(rules), Ok(chunks)) = (rules.parse::<Rules>(), chunks.parse::<u64>()) else {
        eprintln!("{rules:?} is not a rules set, or {chunks:?} is not a number");
        return ExitCode::from(2);
    };
    let start = *Game::new(rules, 1).position();
    let begin = Instant::now();
    for seed in 0..chunks {
        playouts(&start, 256, policy, 1, seed, &mut || true);
    }
    println!("{:.0} games a second", 256.0 * chunks as f64 / begin.elapsed().as_secs_f64());
    ExitCode::SUCCESS
}
