//! Files in tests/data that Rust and Python both read: perft counts and playthroughs.

use std::fs;
use std::path::PathBuf;

use kingdomino_rules::{Game, Record, Rules};

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name)
}

/// Deeper counts are Python's to check: it is one engine, and a debug build is slow.
const MOST: u64 = 200_000;

#[test]
fn perft_counts_are_those_of_the_file() {
    let text = fs::read_to_string(data("perft.txt")).expect("tests/data/perft.txt is there");
    let mut lines = 0;
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let [depth, count, seed, rules] =
            line.split_whitespace().collect::<Vec<_>>().try_into().expect("depth count seed rules");
        let count: u64 = count.parse().expect("a count");
        let rules: Rules = rules.parse().expect("a rules set");
        if count <= MOST {
            let game = Game::new(rules, seed.parse().expect("a seed"));
            assert_eq!(game.perft(depth.parse().expect("a depth")), count, "{line}");
            lines += 1;
        }
    }
    assert!(lines > 0);
}

#[test]
fn playthroughs_read_back_as_they_are_written() {
    let mut files = 0;
    for entry in fs::read_dir(data("playthroughs")).expect("tests/data/playthroughs is there") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a text file");
        // A playthrough may tell more than a record; the record in it begins with its first line.
        let Some(start) = text.find("kingdomino-record") else { continue };
        if start == 0 {
            let record: Record = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert_eq!(record.to_string(), text, "{}", path.display());
            files += 1;
        }
    }
    assert!(files > 0);
}
