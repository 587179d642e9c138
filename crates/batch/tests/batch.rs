//! Batches: the number of threads changes nothing, and neither does a refused step.

mod common;

use common::{Memory, RULES, batch, options, play};
use kingdomino_batch::{Batch, Form, Illegal, Opponent, Shape, fields};
use kingdomino_rules::{Action, Refusal};
use kingdomino_search::Policy;

#[test]
fn the_fields_are_the_whole_vector() {
    for rules in RULES {
        let rules = options(rules, Form::Planes, Vec::new()).rules;
        let words: usize = fields(&rules).iter().map(|field| field.length).sum();
        assert_eq!(Shape::of(Form::Planes, &rules).words, words);
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for rules in RULES {
        let players = options(rules, Form::Planes, Vec::new()).rules.players();
        for opponents in [0, players - 1] {
            let options = options(
                rules,
                Form::Planes,
                vec![Opponent { policy: Policy::Greedy, seed: None }; opponents],
            );
            let [one, three] = [1, 3].map(|threads| {
                let mut memory = Memory::new(&options, 70);
                play(&mut batch(&options, 70, threads), &mut memory, 60, |_| ());
                memory
            });
            assert_eq!(one, three);
        }
    }
}

#[test]
fn one_illegal_action_refuses_the_whole_step() {
    let options = options("2.second.random", Form::Planes, Vec::new());
    // In a large batch the threads share the check too.
    for (threads, games) in [(1, 100), (2, 100), (2, 2000)] {
        let (mut batch, mut memory) = (batch(&options, games, threads), Memory::new(&options, games));
        let mut actions = vec![0; games];
        batch.sample(&mut actions);
        let first = games - 30;
        actions[first] = 48;
        actions[games - 1] = -1;
        let before = memory.clone();
        let started: Vec<_> = (0..games).filter_map(|row| batch.game(row).cloned()).collect();
        let refused = batch.step(&actions, memory.outputs()).expect_err("nothing can be discarded now");
        let expected = format!("game {first}: action 48 (discard): a domino must be claimed now");
        assert_eq!(refused.to_string(), expected);
        assert_eq!(memory, before);
        assert!(started.iter().enumerate().all(|(row, game)| batch.game(row) == Some(game)));
    }
}

/// The rules' own check.
fn check(batch: &Batch, row: usize, number: i64) -> Result<(), Refusal> {
    let position = *batch.game(row).expect("the row exists").position();
    let action = Action::from_number(number as usize, position.rules().kingdom_size());
    position.check(action.expect("an action number"))
}

#[test]
fn samples_differ_and_are_legal() {
    let options = options("2.second.random", Form::Compact, Vec::new());
    let (mut batch, mut memory) = (batch(&options, 100, 2), Memory::new(&options, 100));
    let mut differ = 0;
    for _ in 0..100 {
        let [mut first, mut second] = [vec![0; 100], vec![0; 100]];
        batch.sample(&mut first);
        batch.sample(&mut second);
        // All games are at the same ply, and the last claim of a line has only one choice.
        differ += usize::from(first != second);
        for (row, number) in first.iter().chain(&second).enumerate() {
            assert_eq!(check(&batch, row % 100, *number), Ok(()));
        }
        batch.step(&first, memory.outputs()).expect("all are legal");
    }
    assert!(differ > 70, "{differ}");
}

#[test]
fn an_illegal_action_may_end_the_game_instead() {
    let options = kingdomino_batch::Options {
        illegal: Illegal::End(-3.0),
        ..options("2.second.random", Form::Compact, vec![])
    };
    let (mut batch, mut memory) = (batch(&options, 3, 1), Memory::new(&options, 3));
    let mut actions = vec![0; 3];
    batch.sample(&mut actions);
    actions[1] = 400;
    let mover = batch.game(1).and_then(|game| game.position().to_move()).expect("a game begins");
    batch.step(&actions, memory.outputs()).expect("nothing is refused");
    assert_eq!(memory.done, [false, true, false]);
    let mut rewards = [0.0; 6];
    rewards[2 + mover] = -3.0;
    assert_eq!(memory.rewards, rewards);
}
