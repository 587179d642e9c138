//! Writes training data for the networks from self-play: `lessons RULES GAMES SEED PLAYOUTS FILE`.
//!
//! A row is one kingdom at one reveal: its features, its final score, and the number of lines still to come, all as
//! little-endian 32-bit floats. In most games the first decisions are made by a noisy policy, so that all kinds of
//! kingdoms occur; rows are taken from the decisions after that. `tools/learn.py` reads these files.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use kingdomino_rules::random::{Stream, derive};
use kingdomino_rules::{Game, Rules, Stage};
use kingdomino_search::{Limit, Search, TreeOptions, choose_with_noise, features_of_kingdoms};

/// The largest standard deviation of the noise, in points; the smallest is 1.
const MOST_NOISE: usize = 12;

/// The work on endings that a decision includes: solving them all would take most of the time, and teach little.
const FIRST_ENDINGS: u32 = 1 << 14;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rules, games, seed, playouts, file] = arguments.as_slice() else {
        eprintln!("usage: lessons RULES GAMES SEED PLAYOUTS FILE");
        return ExitCode::from(2);
    };
    let (Ok(rules), Ok(games), Ok(seed), Ok(playouts)) =
        (rules.parse::<Rules>(), games.parse::<u64>(), seed.parse::<u64>(), playouts.parse::<u64>())
    else {
        eprintln!("{rules:?} is not a rules set, or another argument is not a number");
        return ExitCode::from(2);
    };
    let file = match File::create(file) {
        Ok(file) => Mutex::new(BufWriter::new(file)),
        Err(error) => {
            eprintln!("{file}: {error}");
            return ExitCode::from(2);
        }
    };
    let next = AtomicU64::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= games {
                        return;
                    }
                    let rows = lessons_of_game(rules, derive(seed, "lessons", number), playouts);
                    let bytes: Vec<u8> = rows.into_iter().flat_map(f32::to_le_bytes).collect();
                    let mut file = file.lock().expect("no thread panics with the file");
                    file.write_all(&bytes).expect("the disk has room");
                    drop(file);
                    if number % 1000 == 999 {
                        eprintln!("{} of {games} games", number + 1);
                    }
                }
            });
        }
    });
    ExitCode::SUCCESS
}

/// The rows of one game.
fn lessons_of_game(rules: Rules, seed: u64, playouts: u64) -> Vec<f32> {
    let limit = Limit { playouts: Some(playouts), ..Limit::default() };
    let options = TreeOptions { first_endings: FIRST_ENDINGS, ..TreeOptions::of(&rules) };
    let mut random = Stream::new(seed, "lessons", 0);
    let noise = 1.0 + random.below(100 * (MOST_NOISE - 1)) as f64 / 100.0;
    let plies = rules.rounds() * rules.total_kings() * 2;
    let noisy_until = if random.below(4) == 0 { 0 } else { random.below(plies) };
    let mut game = Game::new(rules, derive(seed, "deal", 0));
    let mut seen = Vec::new();
    let mut ply = 0;
    while !game.position().is_over() {
        let position = *game.position();
        let seed = derive(seed, "ply", ply as u64);
        let action = if ply < noisy_until {
            choose_with_noise(&position, noise, seed)
        } else {
            let mut search = Search::new(&position, options, seed);
            search.run(&limit, 1, &mut || true);
            search.best()
        };
        let action = action.expect("a seat is to move");
        let mut after = position;
        after.play(action).expect("the action is legal");
        game.play(action).expect("the action is legal");
        ply += 1;
        if after.stage() == Stage::Reveal && after.round() > 0 && ply >= noisy_until {
            seen.push((after.lines_to_come(), features_of_kingdoms(&after)));
        }
    }
    let outcome = game.position().outcome().expect("the game is over");
    let mut rows = Vec::new();
    for (lines, kingdoms) in seen {
        for (features, score) in kingdoms.iter().zip(&outcome.scores) {
            rows.extend_from_slice(features);
            rows.extend([score.total() as f32, lines as f32]);
        }
    }
    rows
}
