//! Invariants at every ply of random games under every rules set.
#![cfg(feature = "json")]

use std::collections::HashSet;

use kingdomino_rules::random::Stream;
use kingdomino_rules::{Action, Edition, Game, Opening, Position, Record, Rules};

fn every_rules_set() -> Vec<Rules> {
    let mut all = Vec::new();
    for players in 2..=4 {
        for edition in [Edition::First, Edition::Second] {
            for duel in [false, true] {
                for opening in [Opening::Random, Opening::Snake] {
                    let Ok(rules) = Rules::new(players, edition, duel, opening) else { continue };
                    for bonuses in 0..4 {
                        all.push(rules.with_bonuses(bonuses & 1 == 1, bonuses & 2 == 2));
                    }
                }
            }
        }
    }
    all
}

#[test]
fn the_options_that_go_together_make_48_rules_sets() {
    // Two players: editions × duel × openings × bonuses; three and four players: editions × bonuses.
    assert_eq!(every_rules_set().len(), 2 * 2 * 2 * 4 + 2 * (2 * 4));
}

fn check_position(position: &Position) {
    let size = position.rules().kingdom_size();
    let text = position.to_string();
    assert_eq!(text.parse::<Position>().as_ref(), Ok(position), "{text}");
    let actions = position.legal_actions();
    let mut numbers = HashSet::new();
    for action in &actions {
        assert_eq!(position.check(*action), Ok(()), "{action} in {text}");
        assert_eq!(action.to_string().parse(), Ok(*action));
        let number = action.number(size).expect("a legal action has a number");
        assert_eq!(Action::from_number(number, size), Some(*action));
        assert!(numbers.insert(number), "{action} is listed twice in {text}");
    }
    for number in 0..Action::count(size) {
        if let Some(action) = Action::from_number(number, size) {
            let legal = position.check(action).is_ok() && position.canonical(action) == action;
            assert_eq!(legal, numbers.contains(&number), "{action} in {text}");
        }
    }
}

#[test]
fn whole_games_keep_every_promise() {
    for (index, rules) in every_rules_set().into_iter().enumerate() {
        let seed = index as u64;
        let mut random = Stream::new(seed, "test", 0);
        let mut game = Game::new(rules, seed);
        let mut plies = 0;
        while !game.position().is_over() {
            check_position(game.position());
            let sampled = Game::sampled(*game.position(), seed);
            assert_eq!(sampled.position(), game.position());
            if plies % 7 == 0 {
                let record = Record::new(&game, true, vec![], Default::default(), Default::default())
                    .expect("a game has a record");
                assert_eq!(record.replay().as_ref(), Ok(&game));
            }
            let actions = game.position().legal_actions();
            let action = actions[random.below(actions.len())];
            let before = game.clone();
            game.play(action).expect("the action is legal");
            assert_eq!(game.undo(), Some(action));
            assert_eq!(game, before);
            game.play(action).expect("the action is legal");
            plies += 1;
        }
        check_position(game.position());
        // Every king claims once a line; every claimed domino is placed or discarded.
        assert_eq!(plies, 2 * rules.rounds() * rules.total_kings());
        let record = Record::new(&game, true, vec![], Default::default(), Default::default())
            .expect("a game has a record");
        assert_eq!(record.to_string().parse(), Ok(record.clone()));
        assert_eq!(Record::from_json(&record.to_json()), Ok(record.clone()));
        assert_eq!(record.replay(), Ok(game));
    }
}

#[test]
fn another_deck_gives_the_same_position_until_it_is_revealed() {
    let game = Game::new(Rules::default(), 1);
    let other = Game::sampled(*game.position(), 2);
    assert_eq!(game.position(), other.position());
    assert_ne!(game.deck()[4..], other.deck()[..]);
}
