//! How many points are lost by placements: `hindsight RULES GAMES SEED PLAYOUTS`.
//!
//! The search plays itself. Then a wide beam search places each seat's dominoes again, in the same order but with all
//! of them known. The difference of the two scores estimates the points that better placements could gain. Repeating
//! this from the kingdom before each placement shows in which round they were lost.

use std::collections::HashSet;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use kingdomino_rules::random::derive;
use kingdomino_rules::{Action, Domino, Game, Kingdom, Rules, Terrain};
use kingdomino_search::{Limit, Search, TreeOptions};

/// Kingdoms that are kept after each domino.
const WIDTH: usize = 600;
/// Weights of squares and crowns to come, in tenths. All are tried; the best arrangement counts.
const POTENTIAL_WEIGHTS: [i32; 3] = [0, 2, 5];

/// A kingdom, and the dominoes still to be placed in it.
struct Step {
    kingdom: Kingdom,
    dominoes: Vec<Domino>,
    round: usize,
}

/// The highest score for placing these dominoes in this order that the beam search finds.
fn best_score(rules: &Rules, step: &Step) -> i32 {
    let best = POTENTIAL_WEIGHTS.into_iter().map(|weight| {
        let mut beam = vec![step.kingdom];
        for (number, domino) in step.dominoes.iter().enumerate() {
            let rest = &step.dominoes[number + 1..];
            let mut seen = HashSet::new();
            let mut next = Vec::new();
            for kingdom in &beam {
                let placements = kingdom.placements(*domino);
                if placements.is_empty() && seen.insert(*kingdom) {
                    next.push((potential(rules, kingdom, rest, weight) - 40, *kingdom));
                }
                for placement in placements.iter() {
                    let mut after = *kingdom;
                    after.place_unchecked(*domino, placement);
                    if seen.insert(after) {
                        next.push((potential(rules, &after, rest, weight), after));
                    }
                }
            }
            next.sort_by_key(|(potential, _)| std::cmp::Reverse(*potential));
            next.truncate(WIDTH);
            beam = next.into_iter().map(|(_, kingdom)| kingdom).collect();
        }
        beam.iter().map(|kingdom| kingdom.score(rules).total() as i32).max().unwrap_or(0)
    });
    best.max().unwrap_or(0)
}

/// The score of a kingdom now and what these dominoes may add, in tenths of a point.
fn potential(rules: &Rules, kingdom: &Kingdom, rest: &[Domino], weight: i32) -> i32 {
    let mut potential = 10 * i32::from(kingdom.territory_score());
    for terrain in Terrain::ALL {
        let (mut squares, mut crowns) = (0, 0);
        for end in rest.iter().flat_map(|domino| domino.ends()).filter(|end| end.terrain == terrain) {
            squares += 1;
            crowns += i32::from(end.crowns);
        }
        for territory in kingdom.territories_of(terrain) {
            potential +=
                weight * (territory.crowns as i32 * squares + territory.bits.count_ones() as i32 * crowns);
        }
    }
    let outline = kingdom.outline();
    if rules.middle_kingdom && outline.can_be_centred() {
        potential += 100;
    }
    potential - 20 * outline.holes().count_ones() as i32
}

/// For each seat, the points lost by placements in each round; the last entry is its score.
fn game(rules: Rules, seed: u64, playouts: u64) -> Vec<Vec<i32>> {
    let limit = Limit { playouts: Some(playouts), ..Limit::default() };
    let mut game = Game::new(rules, derive(seed, "deal", 0));
    let mut steps: Vec<Vec<Step>> = (0..rules.players()).map(|_| Vec::new()).collect();
    let mut ply = 0;
    while let Some(seat) = game.position().to_move() {
        let position = *game.position();
        let mut search = Search::new(&position, TreeOptions::of(&rules), derive(seed, "ply", ply));
        search.run(&limit, 1, &mut || true);
        let action = search.best().expect("a seat is to move");
        if let (Some(domino), Action::Place(_) | Action::Discard) = (position.domino(), action) {
            let (kingdom, round) = (position.kingdoms()[seat], position.round());
            steps[seat].iter_mut().for_each(|step| step.dominoes.push(domino));
            steps[seat].push(Step { kingdom, dominoes: vec![domino], round });
        }
        game.play(action).expect("the choice is legal");
        ply += 1;
    }
    let scores = game.position().scores();
    steps
        .into_iter()
        .zip(scores)
        .map(|(steps, score)| {
            let score = score.total() as i32;
            let mut lost = vec![0; rules.rounds() + 2];
            // A score that can be reached later could also be reached before.
            let mut later = score;
            for step in steps.iter().rev() {
                let best = best_score(&rules, step).max(later);
                lost[step.round] += best - later;
                later = best;
            }
            lost[rules.rounds() + 1] = score;
            lost
        })
        .collect()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rules, games, seed, playouts] = arguments.as_slice() else {
        eprintln!("usage: hindsight RULES GAMES SEED PLAYOUTS");
        return ExitCode::from(2);
    };
    let (Ok(rules), Ok(games), Ok(seed), Ok(playouts)) =
        (rules.parse::<Rules>(), games.parse::<u64>(), seed.parse::<u64>(), playouts.parse::<u64>())
    else {
        return ExitCode::from(2);
    };
    let (next, found) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= games {
                        return;
                    }
                    let seats = game(rules, derive(seed, "hindsight", number), playouts);
                    found.lock().expect("no thread panics").extend(seats);
                }
            });
        }
    });
    let found = found.into_inner().expect("no thread panics");
    let mean =
        |column: usize| found.iter().map(|row| f64::from(row[column])).sum::<f64>() / found.len() as f64;
    let by_round: Vec<f64> = (1..=rules.rounds()).map(mean).collect();
    let rounds: Vec<String> = by_round.iter().map(|lost| format!("{lost:.2}")).collect();
    // One line of JSON.
    println!(
        "{{\"rules\": \"{rules}\", \"games\": {games}, \"score\": {:.2}, \"lost\": {:.2}, \"by_round\": [{}]}}",
        mean(rules.rounds() + 1),
        by_round.iter().sum::<f64>(),
        rounds.join(", ")
    );
    ExitCode::SUCCESS
}
