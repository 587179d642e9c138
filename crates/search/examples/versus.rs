//! A match between two players: `versus RULES BLOCKS SEED ONE OTHER`. ONE takes one seat, OTHER all others; each deal
//! is played with ONE in every seat.
//!
//! A player is `random`, `greedy`, `tuned`, `gprd`, `fg`, or `king`, `mce`, `uct` with `:KEY=VALUE,…`.

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
enum Player {
    Policy(Policy),
    King(TreeOptions, Limit),
    Baseline(Baseline, BaselinePlayout, Limit),
}

fn player(text: &str, rules: &Rules) -> Option<Player> {
    let (name, options) = text.split_once(':').unwrap_or((text, ""));
    Some(match name {
        "random" => Player::Policy(Policy::Random),
        "greedy" => Player::Policy(Policy::Greedy),
        "tuned" => Player::Policy(Policy::Tuned),
        "gprd" => Player::Policy(Policy::Gprd),
        "fg" => Player::Policy(Policy::Fg),
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
            Player::Baseline(
                if name == "mce" { Baseline::Mce } else { Baseline::Uct(exploration) },
                playout,
                limit,
            )
        }
        "king" => {
            let (options, limit) = common::search_options(options, rules)?;
            Player::King(options, limit)
        }
        _ => return None,
    })
}

fn decide(player: Player, position: &Position, seed: u64) -> Action {
    match player {
        Player::Policy(policy) => choose(position, policy, seed),
        Player::King(options, limit) => {
            let mut search = Search::new(position, options, seed);
            search.run(&limit, 1, &mut || true);
            search.best()
        }
        Player::Baseline(baseline, playout, limit) => {
            choose_by_playouts(position, baseline, playout, &limit, seed, &mut || true)
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
    let (Some(one), Some(other)) = (player(one, &rules), player(other, &rules)) else {
        eprintln!("unknown player");
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
                            let player = if to_move == seat { one } else { other };
                            let action =
                                decide(player, game.position(), derive(seed, "ply", block * 1000 + ply));
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
