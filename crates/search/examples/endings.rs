//! Solves endings from games of the tuned policy and prints the times: `endings RULES POSITIONS SEED`.

use std::process::ExitCode;
use std::time::Instant;

use kingdomino_rules::{Game, Rules};
use kingdomino_search::{Policy, choose, ending};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rules, positions, seed] = arguments.as_slice() else { return ExitCode::from(2) };
    let (Ok(rules), Ok(positions), Ok(seed)) =
        (rules.parse::<Rules>(), positions.parse::<usize>(), seed.parse::<u64>())
    else {
        return ExitCode::from(2);
    };
    for lines in [0, 1] {
        let (mut times, mut unsolved) = (Vec::new(), 0);
        for number in 0.. {
            if times.len() == positions {
                break;
            }
            let mut game = Game::new(rules, seed + number);
            while !game.position().is_over() {
                let position = game.position();
                if ending::is_ending(position) && position.lines_to_come() == lines {
                    let begin = Instant::now();
                    unsolved += u32::from(ending::solve(position).is_none());
                    times.push(begin.elapsed().as_secs_f64() * 1e3);
                    break;
                }
                let action = choose(position, Policy::Tuned, 1).expect("not over");
                game.play(action).expect("legal");
            }
            if number as usize > 3 * positions {
                break;
            }
        }
        times.sort_by(f64::total_cmp);
        if let Some(worst) = times.last() {
            println!(
                "{rules}, {lines} lines to come: {} positions, median {:.3} ms, p99 {:.2} ms, worst {worst:.1} ms, {unsolved} not solved",
                times.len(),
                times[times.len() / 2],
                times[times.len() * 99 / 100],
            );
        }
    }
    ExitCode::SUCCESS
}
