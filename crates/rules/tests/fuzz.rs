//! Reading any text never panics, and damage to a valid text is found or harmless.
#![cfg(feature = "json")]

use kingdomino_rules::random::Stream;
use kingdomino_rules::{
    Action, Domino, Game, Kingdom, KingdomSize, Placement, Position, Record, Rules, Terrain,
};
use proptest::prelude::*;

fn read_everything(text: &str) {
    let _ = text.parse::<Terrain>();
    let _ = text.parse::<Domino>();
    let _ = text.parse::<Placement>();
    let _ = text.parse::<Rules>();
    let _ = text.parse::<Action>();
    let _ = Kingdom::parse(text, KingdomSize::Five);
    let _ = Kingdom::parse(text, KingdomSize::Seven);
    if let Ok(position) = text.parse::<Position>() {
        assert_eq!(position.to_string(), text.trim());
        // A position that can be read can be played to its end.
        let mut game = Game::sampled(position, 1);
        while let Some(action) = game.position().legal_actions().first() {
            let action = *action;
            game.play(action).expect("the first legal action is legal");
        }
        assert!(game.position().is_over());
    }
    for record in [text.parse::<Record>(), Record::from_json(text)].into_iter().flatten() {
        assert_eq!(record.to_string().parse(), Ok(record.clone()));
        assert_eq!(Record::from_json(&record.to_json()), Ok(record.clone()));
        let _ = record.positions();
        let _ = record.replay();
    }
}

#[test]
fn however_long_a_text_is_its_faults_are_few() {
    let text = "x".repeat(50_000);
    assert_eq!(Kingdom::parse(&text, KingdomSize::Seven).expect_err("no kingdom").list().len(), 1);
    for word in [2, 3, 4, 5, 6, 7] {
        let mut words: Vec<_> = "kd1 2.second.random 0 claim:0 1,2,3,4 - 5-48 C;C".split(' ').collect();
        words[word] = &text;
        let faults = words.join(" ").parse::<Position>().expect_err("no position");
        assert_eq!(faults.list().len(), 1);
    }
}

/// The texts of a random position in a game: the position, and the game's record in both forms.
fn valid_texts(seed: u64) -> Vec<String> {
    let mut random = Stream::new(seed, "fuzz", 0);
    let rules =
        ["2.second.random", "2.first.snake.duel", "3.first.random", "3.second.random", "4.second.random"];
    let rules: Rules = rules[random.below(rules.len())].parse().expect("a rules set");
    let mut game = Game::new(rules, seed);
    for _ in 0..random.below(100) {
        let actions = game.position().legal_actions();
        if let Some(action) = actions.get(random.below(actions.len().max(1))) {
            game.play(*action).expect("the action is legal");
        }
    }
    let record = Record::new(&game, true, vec![], Default::default(), Default::default()).expect("a record");
    vec![game.position().to_string(), record.to_string(), record.to_json()]
}

/// Damages a text: characters are lost, inserted or changed, or the end is cut off.
fn damage(text: &str, random: &mut Stream) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(3) {
        let place = random.below(characters.len().max(1)).min(characters.len());
        let symbols: Vec<char> = "0123456789 ,>@*-/.;:Cwflgsm\n\"{}é".chars().collect();
        match random.below(4) {
            0 => characters.truncate(place),
            1 if !characters.is_empty() => drop(characters.remove(place)),
            2 => characters.insert(place, symbols[random.below(symbols.len())]),
            _ if !characters.is_empty() => characters[place] = symbols[random.below(symbols.len())],
            _ => {}
        }
    }
    characters.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_without_panic(text in "\\PC*") {
        read_everything(&text);
    }

    #[test]
    fn damaged_texts_are_read_without_panic(seed in any::<u64>()) {
        let mut random = Stream::new(seed, "damage", 0);
        for text in valid_texts(seed) {
            read_everything(&text);
            read_everything(&damage(&text, &mut random));
        }
    }
}
