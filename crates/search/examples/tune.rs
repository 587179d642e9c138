//! Tunes the weights of the tuned policy by matches: `tune RULES GENERATIONS SEED [WEIGHT…]`.
//!
//! An evolution strategy with a diagonal covariance matrix (Ros and Hansen, "A Simple Modification in CMA-ES Achieving
//! Linear Time and Space Complexity", 2008, in its simplest form). In each generation, candidates around the mean play
//! the same deals, in every seat, against the best weights so far. The mean moves to the candidates with the best
//! margins.

use std::process::ExitCode;

use kingdomino_rules::random::Stream;
use kingdomino_rules::{Game, Rules};
use kingdomino_search::{Policy, Weights, playouts};

const CANDIDATES: usize = 16;
const PARENTS: usize = 6;
/// Deals that each candidate plays in a generation.
const DEALS: u64 = 1024;
/// Deals for comparing two means.
const TRIAL: u64 = 16_384;

/// The mean margin and the win rate of `one` against copies of `others`, each deal played from every seat.
fn margin(rules: &Rules, one: Weights, others: Weights, deals: u64, seed: u64) -> (f64, f64) {
    let start = *Game::new(*rules, 1).start();
    let (mut margin, mut wins) = (0.0, 0.0);
    for seat in 0..rules.players() {
        let mut seats = [others; Rules::MOST];
        seats[seat] = one;
        let result = playouts(&start, deals, Policy::Weighted(seats), 2, seed, &mut || true);
        let result = result.expect("it was not stopped");
        margin += result.mean_margin[seat];
        wins += result.win_rates[seat];
    }
    let seats = rules.players() as f64;
    (margin / seats, wins / seats)
}

/// The given weights, or without any the tuned ones.
fn weights(given: &[String], rules: &Rules) -> Option<Weights> {
    if given.is_empty() {
        return Some(Weights::of(rules));
    }
    let numbers: Vec<i32> = given.iter().map(|text| text.parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok().map(Weights::from_array)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (Some(Ok(rules)), Some(Ok(generations)), Some(Ok(seed))) = (
        arguments.first().map(|text| text.parse::<Rules>()),
        arguments.get(1).map(|text| text.parse::<u64>()),
        arguments.get(2).map(|text| text.parse::<u64>()),
    ) else {
        eprintln!("usage: tune RULES GENERATIONS SEED [WEIGHT…] (like: tune 2.second.random 100 1)");
        return ExitCode::from(2);
    };
    let Some(begin) = weights(&arguments[3..], &rules) else {
        eprintln!("{:?} are not {} whole numbers", &arguments[3..], Weights::COUNT);
        return ExitCode::from(2);
    };
    let mut random = Stream::new(seed, "tune", 0);
    let mut mean = begin.to_array().map(f64::from);
    let mut spread = if begin == Weights::of(&rules) { SPREAD } else { SPREAD.map(|spread| spread / 2.0) };
    let mut best = begin;
    let rounded = |point: &[f64; Weights::COUNT]| Weights::from_array(point.map(|x| x.round() as i32));
    for generation in 0..generations {
        let mut candidates: Vec<(f64, [f64; Weights::COUNT])> = (0..CANDIDATES)
            .map(|_| {
                let point = std::array::from_fn(|i| mean[i] + spread[i] * random.normal());
                let (margin, _) = margin(&rules, rounded(&point), best, DEALS, seed + 1 + generation);
                (margin, point)
            })
            .collect();
        candidates.sort_by(|one, other| other.0.total_cmp(&one.0));
        let parents = &candidates[..PARENTS];
        for i in 0..Weights::COUNT {
            let before = mean[i];
            mean[i] = parents.iter().map(|(_, point)| point[i]).sum::<f64>() / PARENTS as f64;
            let square = |(_, point): &(f64, [f64; Weights::COUNT])| (point[i] - before).powi(2);
            let variance = parents.iter().map(square).sum::<f64>() / PARENTS as f64;
            spread[i] = (0.8 * spread[i].powi(2) + 0.2 * variance).sqrt().max(0.3);
        }
        if generation % 8 == 7 {
            let seed = seed + 1_000_000 + generation;
            let (gain, wins) = margin(&rules, rounded(&mean), best, TRIAL, seed);
            let (whole, whole_wins) = margin(&rules, rounded(&mean), begin, TRIAL, seed);
            println!(
                "{generation}: {gain:+.2} ({:.1}%) against the best, {whole:+.2} ({:.1}%) against the first: {:?}",
                100.0 * wins,
                100.0 * whole_wins,
                rounded(&mean).to_array()
            );
            let (same, _) = margin(&rules, best, best, TRIAL, seed);
            if gain > same {
                best = rounded(&mean);
            }
        }
    }
    println!("{best:#?}");
    ExitCode::SUCCESS
}

/// The standard deviations of the first candidates.
const SPREAD: [f64; Weights::COUNT] =
    [8.0, 8.0, 64.0, 64.0, 4.0, 4.0, 8.0, 8.0, 64.0, 32.0, 64.0, 32.0, 16.0, 16.0, 32.0, 64.0];
