//! The feature `serde`.
#![cfg(feature = "json")]

use std::fmt::{Debug, Display};

use kingdomino_rules::{Action, Game, Placement, Position, Record, Rules, Terrain};
use serde::{Serialize, de::DeserializeOwned};

fn is_its_text<T: Display + Debug + PartialEq + Serialize + DeserializeOwned>(value: &T) {
    let json = serde_json::to_value(value).expect("a text");
    assert_eq!(json, serde_json::Value::String(value.to_string()));
    assert_eq!(&serde_json::from_value::<T>(json).expect("its own text"), value);
}

#[test]
fn values_are_serialised_as_their_text() {
    let mut game = Game::new(Rules::default(), 7);
    for _ in 0..10 {
        let action = game.position().legal_actions()[0];
        is_its_text(&action);
        game.play(action).expect("the action is legal");
    }
    is_its_text(game.position());
    is_its_text(game.position().rules());
    is_its_text(&"1,0>2,0".parse::<Placement>().expect("a placement"));
    is_its_text(&Terrain::Lake);
    let record = Record::new(&game, true, vec![], Default::default(), Default::default()).expect("a record");
    is_its_text(&record);
}

#[test]
fn a_text_that_cannot_be_read_is_an_error_that_says_why() {
    let error = serde_json::from_str::<Action>("\"claim 49\"").expect_err("no such domino");
    assert!(error.to_string().starts_with("action \"claim 49\": there is no domino \"49\""), "{error}");
    assert!(serde_json::from_str::<Position>("17").is_err());
    assert!(serde_json::from_str::<Rules>("\"5.second.random\"").is_err());
}

#[test]
fn a_record_in_json_is_an_object() {
    let error = Record::from_json("[]").expect_err("not an object");
    assert_eq!(error.to_string(), "JSON: a record is an object ({…}), not an array");
}
