//! Files in tests/data that Rust and Python both read: perft counts and playthroughs.

use std::fs;
use std::path::PathBuf;

use kingdomino_rules::{Game, Record, Rules};

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name)
}

/// Higher counts are left to the Python tests of the same engine, since a debug build is slow.
const MOST: u64 = 200_000;

#[test]
fn perft_counts_equal_the_file() {
    let text = fs::read_to_string(data("perft.txt")).expect("tests/data/perft.txt is there");
    let mut lines = 0;
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let [depth, count, seed, rules] =
            line.split_whitespace().collect::<Vec<_>>().try_into().expect("depth count seed rules");
        let count: u64 = count.parse().expect("a count");
        let rules: Rules = rules.parse().expect("a rules set");
        if count <= MOST {
            let game = Game::new(rules, seed.parse().expect("a seed"));
            let depth = depth.parse().expect("a depth");
            assert_eq!(game.perft(depth, &mut || true), Some(count), "{line}");
            lines += 1;
        }
    }
    assert!(lines > 0);
}

/// The same seed and the same actions give the same game in Rust: decks, opening orders, positions.
#[test]
fn playthroughs_are_reproduced() {
    let mut files = 0;
    for entry in fs::read_dir(data("playthroughs")).expect("tests/data/playthroughs is there") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a text file");
        let header = |key: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(key));
            line.unwrap_or_else(|| panic!("{}: no line begins with {key:?}", path.display()))
        };
        let rules: Rules = header("rules ").parse().expect("a rules set");
        let mut game = Game::new(rules, header("seed ").parse().expect("a seed"));
        let words = |numbers: Vec<String>| numbers.join(" ");
        assert_eq!(words(game.deck().iter().map(ToString::to_string).collect()), header("deck "));
        assert_eq!(words(game.kings().iter().map(ToString::to_string).collect()), header("opening "));
        for line in text.lines() {
            if line.starts_with("kd1 ") {
                assert_eq!(game.position().to_string(), line, "{}", path.display());
            } else if let Some(action) = line.strip_prefix("> ") {
                game.play(action.parse().expect("an action")).expect("a legal action");
            }
        }
        assert!(game.position().is_over(), "{}", path.display());
        // Python wrote the record at the end; Rust writes the same bytes.
        let record =
            Record::new(&game, true, vec![], Default::default(), Default::default()).expect("a record");
        assert!(text.ends_with(&record.to_string()), "{}", path.display());
        files += 1;
    }
    assert!(files > 0);
}
