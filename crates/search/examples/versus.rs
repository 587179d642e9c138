//! Two ways of playing against each other, in every rotation of the seats:
//! `versus RULES BLOCKS SEED ONE OTHER`, where ONE takes one seat and OTHER all others.
//!
//! A way is `random`, `greedy`, `tuned`, `gprd`, `fg`, or `king`, `mce`, `uct` with `:KEY=VALUE,…`.

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use kingdomino_rules::random::derive;
use kingdomino_rules::{Action, Game, Position, Rules};
use kingdomino_search::{
    Baseline, BaselinePlayout, Limit, Policy, Search, TreeOptions, choose, choose_by_playouts,
};

mod common;

#[derive(Clone, Copy)]
enum Way {
    Policy(Policy),
    King(TreeOptions, Limit),
    Field(Baseline, BaselinePlayout, Limit),
}

fn way(text: &str, rules: &Rules) -> Option<Way> {
    let (name, options) = text.split_once(':').unwrap_or((text, ""));
    Some(match name {
        "random" => Way::Policy(Policy::Random),
        "greedy" => Way::Policy(Policy::Greedy),
        "tuned" => Way::Policy(Policy::Tuned),
        "gprd" => Way::Policy(Policy::Gprd),
        "fg" => Way::Policy(Policy::Fg),
        "mce" | "uct" => {
            let (mut playout, mut limit, mut exploration) = (BaselinePlayout::Fg, Limit::default(), 0.6);
            for option in options.split(',').filter(|option| !option.is_empty()) {
                match option.split_once('=')? {
                    ("playouts", value) => limit.playouts = Some(value.parse().ok()?),
                    ("time", value) => limit.time = Some(Duration::from_secs_f64(value.parse().ok()?)),
                    ("c", value) => exploration = value.parse().ok()?,
                    ("playout", "random") => playout = BaselinePlayout::Random,
                    ("playout", "fg") => playout = BaselinePlayout::Fg,
                    ("playout", "pg") => playout = BaselinePlayout::Pg,
                    ("playout", "eg") => playout = BaselinePlayout::Eg,
                    _ => return None,
                }
            }
            Way::Field(if name == "mce" { Baseline::Mce } else { Baseline::Uct(exploration) }, playout, limit)
        }
        "king" => {
            let (options, limit) = common::search_options(options, rules)?;
            Way::King(options, limit)
        }
        _ => return None,
    })
}

fn decide(way: Way, position: &Position, seed: u64) -> Action {
    match way {
        Way::Policy(policy) => choose(position, policy, seed),
        Way::King(options, limit) => {
            let mut search = Search::new(position, options, seed);
            search.run(&limit, 1, &mut || true);
            search.best()
        }
        Way::Field(player, playout, limit) => {
            choose_by_playouts(position, player, playout, &limit, seed, &mut || true)
        }
    }
    .expect("the game is not over")
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rules, blocks, seed, one, other] = arguments.as_slice() else {
        eprintln!("usage: versus RULES BLOCKS SEED ONE OTHER");
        return ExitCode::from(2);
    };
    let (Ok(rules), Ok(blocks), Ok(seed)) =
        (rules.parse::<Rules>(), blocks.parse::<u64>(), seed.parse::<u64>())
    else {
        return ExitCode::from(2);
    };
    let (Some(one), Some(other)) = (way(one, &rules), way(other, &rules)) else {
        eprintln!("no such way");
        return ExitCode::from(2);
    };
    let next = AtomicU64::new(0);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let block = next.fetch_add(1, Ordering::Relaxed);
                    if block >= blocks {
                        return;
                    }
                    let (mut wins, mut margins, mut scores) = (0.0, 0.0, 0.0);
                    for seat in 0..rules.players() {
                        let mut game = Game::new(rules, derive(seed, "deal", block));
                        let mut ply = 0;
                        while let Some(to_move) = game.position().to_move() {
                            let way = if to_move == seat { one } else { other };
                            let action =
                                decide(way, game.position(), derive(seed, "ply", block * 1000 + ply));
                            game.play(action).expect("legal");
                            ply += 1;
                        }
                        let outcome = game.position().outcome().expect("over");
                        if outcome.winners.contains(&seat) {
                            wins += 1.0 / outcome.winners.len() as f64;
                        }
                        let own = f64::from(outcome.scores[seat].total());
                        let best = outcome.scores.iter().enumerate().filter(|(other, _)| *other != seat);
                        let best = best.map(|(_, score)| f64::from(score.total())).fold(0.0, f64::max);
                        margins += own - best;
                        scores += own;
                    }
                    let seats = rules.players() as f64;
                    results.lock().expect("no panic").push((wins / seats, margins / seats, scores / seats));
                }
            });
        }
    });
    let results = results.into_inner().expect("no panic");
    let n = results.len() as f64;
    let show = |values: Vec<f64>| {
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
        (mean, 1.96 * (variance / n).sqrt())
    };
    let (wins, wins_by) = show(results.iter().map(|result| result.0).collect());
    let (margin, margin_by) = show(results.iter().map(|result| result.1).collect());
    let (score, _) = show(results.iter().map(|result| result.2).collect());
    println!(
        "{blocks} blocks: wins {:.1}% ± {:.1}, margin {margin:+.2} ± {margin_by:.2}, score {score:.1}",
        100.0 * wins,
        100.0 * wins_by
    );
    ExitCode::SUCCESS
}
