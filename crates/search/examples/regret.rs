//! Measures the regret of a search in solved positions: `regret SEEDS OPTIONS FILE…`.
//!
//! The files are written by the example `truth`. Each position is searched with SEEDS different seeds. OPTIONS are
//! those of `king` in the example `versus`, like `playouts=500,lines=0.8`. Prints means with their 95% intervals.

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use kingdomino_rules::random::derive;
use kingdomino_rules::{Position, Rules};
use kingdomino_search::Search;
use serde_json::Value;

mod common;

/// The regret of one choice in win probability and in points, then the errors of both values, expected minus true.
type Row = [f64; 4];

fn rows(truth: &Value, seeds: u64, options: &str) -> Option<Vec<Row>> {
    let position: Position = truth["position"].as_str()?.parse().ok()?;
    let (options, limit) = common::search_options(options, position.rules())?;
    let seat = position.to_move()?;
    let actions = truth["actions"].as_array()?;
    let best = |column: usize| {
        let values = actions.iter().filter_map(|action| action[column].as_f64());
        values.fold(f64::NEG_INFINITY, f64::max)
    };
    (0..seeds)
        .map(|seed| {
            let mut search = Search::new(&position, options, derive(seed, "regret", 0));
            search.run(&limit, 1, &mut || true);
            let chosen = search.analysis().actions.swap_remove(0);
            let name = chosen.action.to_string();
            let truly = actions.iter().find(|action| action[0].as_str() == Some(&name))?;
            let (win, margin) = (truly[1].as_f64()?, truly[2].as_f64()?);
            Some([
                best(1) - win,
                best(2) - margin,
                chosen.win_rates[seat] - win,
                chosen.mean_margin[seat] - margin,
            ])
        })
        .collect()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seeds, options, files @ ..] = arguments.as_slice() else {
        eprintln!("usage: regret SEEDS OPTIONS FILE…");
        return ExitCode::from(2);
    };
    let Ok(seeds) = seeds.parse::<u64>() else { return ExitCode::from(2) };
    if common::search_options(options, &Rules::default()).is_none() {
        eprintln!("unknown options: {options}");
        return ExitCode::from(2);
    }
    let mut lines = Vec::new();
    for file in files {
        match std::fs::read_to_string(file) {
            Ok(text) => lines.extend(text.lines().map(str::to_string)),
            Err(error) => {
                eprintln!("{file}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(line) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let truth: Value = serde_json::from_str(line).expect("a line of JSON");
                    let rows =
                        rows(&truth, seeds, options).expect("a position with its actions, and options");
                    found.lock().expect("no thread panics").push(rows);
                }
            });
        }
    });
    let found = found.into_inner().expect("no thread panics");
    // Each position counts once, however many seeds there are.
    let means: Vec<Row> = found
        .iter()
        .map(|rows| std::array::from_fn(|i| rows.iter().map(|row| row[i]).sum::<f64>() / rows.len() as f64))
        .collect();
    let n = means.len() as f64;
    let all = |i: usize| {
        let mean = means.iter().map(|row| row[i]).sum::<f64>() / n;
        let square = means.iter().map(|row| (row[i] - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let worst = found.iter().flatten().map(|row| row[i]).fold(f64::NEG_INFINITY, f64::max);
        let absolute = found.iter().flatten().map(|row| row[i].abs()).sum::<f64>() / (n * seeds as f64);
        (mean, 1.96 * (square / n).sqrt(), worst, absolute)
    };
    let [(win, win_by, worst_win, _), (points, points_by, worst_points, _)] = [0, 1].map(all);
    let [(bias, _, _, error), (margin_bias, _, _, margin_error)] = [2, 3].map(all);
    println!(
        "{n} positions: regret {:.2}% ± {:.2} (worst {:.1}), {points:.3} ± {points_by:.3} points (worst {worst_points:.1}); \
         win probability wrong by {:+.2}%, absolutely {:.2}; margin by {margin_bias:+.2}, absolutely {margin_error:.2}",
        100.0 * win,
        100.0 * win_by,
        100.0 * worst_win,
        100.0 * bias,
        100.0 * error,
    );
    ExitCode::SUCCESS
}
