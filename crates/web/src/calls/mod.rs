//! The functions that JavaScript can call.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::str::FromStr;

use kingdomino_rules as engine;
use serde::de::{self, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
#[cfg(test)]
use ts_rs::TS;

use crate::values::{Fault, Refusal};

/// Why a call has no answer.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Failure {
    /// The fault, as a sentence.
    pub message: String,
    /// The refusal, if it refuses an action.
    pub refusal: Option<Box<Refusal>>,
    /// All faults of a position or a record.
    pub faults: Vec<Fault>,
    /// Where a record is wrong: the number of the line of text or of the event, from 1.
    pub number: Option<usize>,
    /// Whether the call itself is wrong: JavaScript of another version made it.
    pub is_misuse: bool,
}

impl Failure {
    pub(crate) fn new(why: impl Display) -> Failure {
        let message = why.to_string();
        Failure { message, refusal: None, faults: Vec::new(), number: None, is_misuse: false }
    }

    fn illegal(refusal: &engine::Refusal, action: engine::Action) -> Failure {
        Failure { refusal: Some(Box::new(refusal.into())), ..Failure::new(format!("{action}: {refusal}")) }
    }

    pub(crate) fn misuse(why: impl Display) -> Failure {
        Failure { is_misuse: true, ..Failure::new(why) }
    }
}

impl From<engine::Faults> for Failure {
    fn from(faults: engine::Faults) -> Failure {
        Failure { faults: faults.list().iter().map(Fault::from).collect(), ..Failure::new(faults) }
    }
}

impl From<engine::RecordError> for Failure {
    fn from(error: engine::RecordError) -> Failure {
        Failure {
            refusal: error.refusal().map(|refusal| Box::new(refusal.into())),
            faults: vec![error.fault().into()],
            number: error.number(),
            ..Failure::new(error)
        }
    }
}

pub(crate) type Result<T> = std::result::Result<T, Failure>;

/// The most faults of a text in an answer. A short text can have thousands: `1-48,1-48,…`.
const MOST_FAULTS: usize = 20;

/// Reads a position from its text. The failure has every fault.
fn positioned(text: &str) -> Result<engine::Position> {
    text.parse().map_err(|faults: engine::Faults| {
        let mut failure = Failure::from(faults);
        failure.faults.truncate(MOST_FAULTS);
        failure
    })
}

/// Reads a value from its text.
pub(crate) fn parsed<T: FromStr<Err: Display>>(text: &str) -> Result<T> {
    text.parse().map_err(Failure::new)
}

/// A seed: a whole number up to 2^64 - 1, as a string where a number of JavaScript does not hold all its digits.
#[derive(Clone, Copy)]
#[cfg_attr(test, derive(TS), ts(type = "number | string"))]
pub struct Seed(u64);

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Seed, D::Error> {
        struct Digits;
        impl Visitor<'_> for Digits {
            type Value = Seed;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a seed, 0 to 2^64 - 1")
            }
            fn visit_u64<E: de::Error>(self, seed: u64) -> std::result::Result<Seed, E> {
                Ok(Seed(seed))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> std::result::Result<Seed, E> {
                text.parse().map(Seed).map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_any(Digits)
    }
}

/// Takes an argument of a call; a missing one is null.
fn argument<'a, T: Deserialize<'a>>(arguments: &mut Arguments<'a>, name: &str) -> Result<T> {
    let json = arguments.remove(name).map_or("null", RawValue::get);
    serde_json::from_str(json).map_err(|why| Failure::misuse(format!("the argument {name}: {why}")))
}

fn to_json(answer: &impl Serialize) -> Result<String> {
    serde_json::to_string(answer).map_err(Failure::new)
}

/// The arguments of a call, by name.
type Arguments<'a> = BTreeMap<&'a str, &'a RawValue>;

/// Declares calls: the dispatch and the declarations for TypeScript both come from this list.
macro_rules! calls {
    ($($(#[doc = $doc:literal])* $name:ident { $($field:ident: $type:ty),* } -> $answer:ty $body:block)*) => {
        /// Answers a call in JSON; `None` if it is not one of these.
        pub(super) fn dispatch(name: &str, arguments: &mut Arguments<'_>) -> Option<Result<String>> {
            match name {
                $(stringify!($name) => Some((|| {
                    $(let $field: $type = argument(arguments, stringify!($field))?;)*
                    if let Some(name) = arguments.keys().next() {
                        return Err(Failure::misuse(format!("there is no argument {name}")));
                    }
                    let answer = || -> Result<$answer> { $body };
                    to_json(&answer()?)
                })()),)*
                _ => None,
            }
        }

        #[cfg(test)]
        pub(super) fn declarations() -> Vec<String> {
            vec![$({
                let fields: Vec<String> = vec![
                    $(format!(
                        "{}{}: {}",
                        stringify!($field),
                        if <$type as TS>::inline(&Default::default()).ends_with("| null") { "?" } else { "" },
                        <$type as TS>::name(&Default::default())
                    )),*
                ];
                let doc = [$($doc.trim()),*].join(" ");
                let answer = <$answer as TS>::name(&Default::default());
                format!("  /** {doc} */\n  {}: {{ arguments: {{ {} }}; answer: {answer} }};", stringify!($name), fields.join("; "))
            }),*]
        }
    };
}

mod play;
#[cfg(feature = "study")]
mod study;

/// The handles of JavaScript, by number.
struct Held<T> {
    last: u32,
    all: BTreeMap<u32, T>,
}

impl<T> Held<T> {
    const fn new() -> Held<T> {
        Held { last: 0, all: BTreeMap::new() }
    }

    /// Keeps it, and returns its number.
    fn keep(&mut self, one: T) -> u32 {
        self.last += 1;
        self.all.insert(self.last, one);
        self.last
    }
}

/// Numbers new handles from here on: after a failure, an old number must not name a new search.
pub fn number_from(first: u32) {
    play::number_from(first);
    #[cfg(feature = "study")]
    study::number_from(first);
}

fn dispatch(name: &str, mut arguments: Arguments<'_>) -> Result<String> {
    let answered = play::dispatch(name, &mut arguments);
    #[cfg(feature = "study")]
    let answered = answered.or_else(|| study::dispatch(name, &mut arguments));
    answered.unwrap_or_else(|| Err(Failure::misuse(format!("there is no call {name:?}"))))
}

/// A call: its name and its arguments.
#[derive(Deserialize)]
struct Call<'a> {
    name: &'a str,
    #[serde(borrow)]
    arguments: Arguments<'a>,
}

/// Answers a call in JSON: `{"answer": …}` or `{"failure": …}`.
pub fn answer(call: &[u8]) -> String {
    let answered = serde_json::from_slice::<Call<'_>>(call)
        .map_err(Failure::new)
        .and_then(|call| dispatch(call.name, call.arguments));
    match answered {
        Ok(answer) => format!(r#"{{"answer":{answer}}}"#),
        Err(failure) => format!(r#"{{"failure":{}}}"#, to_json(&failure).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use base64::Engine as _;
    use kingdomino_search::{self as search, puzzle, review};
    use kingdomino_table as table;

    use crate::{photo, scores, setup, values};

    /// The declarations for TypeScript.
    fn declared() -> String {
        let values: Vec<String> = [
            table::KingdomTerritory::decl(&Default::default()),
            table::KingdomScore::decl(&Default::default()),
            table::Rules::decl(&Default::default()),
            values::End::decl(&Default::default()),
            values::Domino::decl(&Default::default()),
            values::Square::decl(&Default::default()),
            values::Territory::decl(&Default::default()),
            values::Score::decl(&Default::default()),
            values::Kingdom::decl(&Default::default()),
            table::LineEntry::decl(&Default::default()),
            values::Position::decl(&Default::default()),
            values::Outcome::decl(&Default::default()),
            table::TerrainSquare::decl(&Default::default()),
            table::BareKingdom::decl(&Default::default()),
            table::Start::decl(&Default::default()),
            table::Event::decl(&Default::default()),
            table::Turn::decl(&Default::default()),
            table::Step::decl(&Default::default()),
            table::MatchResult::decl(&Default::default()),
            table::Totals::decl(&Default::default()),
            values::Refusal::decl(&Default::default()),
            values::Fault::decl(&Default::default()),
            values::RecordPositions::decl(&Default::default()),
            values::SampledLine::decl(&Default::default()),
            table::TerritoryGain::decl(&Default::default()),
            table::PlacementChoice::decl(&Default::default()),
            table::RefusedPlacements::decl(&Default::default()),
            table::ClaimChoice::decl(&Default::default()),
            table::Choices::decl(&Default::default()),
            table::Placements::decl(&Default::default()),
            setup::SetUpSquare::decl(&Default::default()),
            setup::SetUpKing::decl(&Default::default()),
            scores::TableSquare::decl(&Default::default()),
            scores::TableKingdom::decl(&Default::default()),
            scores::Doubt::decl(&Default::default()),
            scores::ScoredKingdom::decl(&Default::default()),
            scores::Scored::decl(&Default::default()),
            scores::Laid::decl(&Default::default()),
            scores::Arrangement::decl(&Default::default()),
            scores::Grid::decl(&Default::default()),
            photo::Pixels::decl(&Default::default()),
            photo::ReadSquare::decl(&Default::default()),
            photo::Reading::decl(&Default::default()),
            setup::SetUp::decl(&Default::default()),
            setup::Checked::decl(&Default::default()),
            search::ActionAnalysis::decl(&Default::default()),
            search::Analysis::decl(&Default::default()),
            search::ActionSums::decl(&Default::default()),
            search::TreeSums::decl(&Default::default()),
            search::PlayoutResult::decl(&Default::default()),
            search::DominoWorth::decl(&Default::default()),
            review::Value::decl(&Default::default()),
            review::Reason::decl(&Default::default()),
            review::Theme::decl(&Default::default()),
            review::Alternative::decl(&Default::default()),
            review::Source::decl(&Default::default()),
            review::CostPart::decl(&Default::default()),
            review::Decision::decl(&Default::default()),
            review::Luck::decl(&Default::default()),
            review::Level::decl(&Default::default()),
            review::Account::decl(&Default::default()),
            review::DecisionCost::decl(&Default::default()),
            review::Estimate::decl(&Default::default()),
            review::ThemeSum::decl(&Default::default()),
            review::Summary::decl(&Default::default()),
            review::SeatReview::decl(&Default::default()),
            review::Review::decl(&Default::default()),
            review::Hint::decl(&Default::default()),
            puzzle::Puzzle::decl(&Default::default()),
            play::LevelMove::decl(&Default::default()),
            study::Found::decl(&Default::default()),
            Seed::decl(&Default::default()),
            play::Game::decl(&Default::default()),
            Failure::decl(&Default::default()),
        ]
        .map(|value| format!("export {value}\n"))
        .into();
        format!(
            "// Written by a test of crates/web from the types of Rust; do not edit.\n\nexport type Terrain = {};\n\n{}\n/** The calls of a page that plays, by name. */\nexport interface PlayCalls {{\n{}\n}}\n\n/** All calls, by name. */\nexport interface Calls extends PlayCalls {{\n{}\n}}\n",
            engine::Terrain::ALL.map(|terrain| format!("{:?}", terrain.name())).join(" | "),
            values.join("\n"),
            play::declarations().join("\n\n"),
            study::declarations().join("\n\n"),
        )
    }

    /// Run with `WRITE=1` to write them.
    #[test]
    fn the_declarations_match_the_types() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("js/calls.d.ts");
        if std::env::var_os("WRITE").is_some() {
            std::fs::write(&path, declared()).expect("the file can be written");
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), declared());
    }

    #[test]
    fn a_call_that_cannot_be_answered_says_why() {
        for (call, why) in [
            ("", "EOF while parsing"),
            (r#"{"name":"dance","arguments":{}}"#, "there is no call \"dance\""),
            (r#"{"name":"rules","arguments":{}}"#, "the argument rules: invalid type: null"),
            (r#"{"name":"rules","arguments":{"rules":"2.second"}}"#, "the opening is missing"),
            (r#"{"name":"analysis","arguments":{"search":7}}"#, "this search was freed"),
        ] {
            let answered = answer(call.as_bytes());
            assert!(
                answered.starts_with(r#"{"failure":"#) && answered.contains(&why.replace('"', "\\\"")),
                "{answered}"
            );
        }
    }

    /// Calls, and reads the answer.
    fn ask(name: &str, arguments: serde_json::Value) -> serde_json::Value {
        let call = serde_json::json!({ "name": name, "arguments": arguments });
        let answered = answer(call.to_string().as_bytes());
        serde_json::from_str(&answered).expect("JSON")
    }

    #[test]
    fn every_position_of_a_game_can_be_set_up_again() {
        for rules in ["2.second.random.harmony", "4.second.random", "2.first.snake.duel"] {
            let mut game = engine::Game::new(rules.parse().expect("rules"), 5);
            while let Some(action) = game.position().legal_actions().first().copied() {
                let shown = ask("position", serde_json::json!({ "position": game.position().to_string() }));
                let shown = &shown["answer"];
                let is_opening = shown["round"] == 0;
                let kings = |line: &serde_json::Value| -> Vec<serde_json::Value> {
                    let slots = line.as_array().expect("a line").iter();
                    slots
                        .map(|slot| serde_json::json!({ "domino": slot["domino"], "seat": slot["seat"] }))
                        .collect()
                };
                let squares = |kingdom: &serde_json::Value| -> Vec<serde_json::Value> {
                    let all = kingdom["squares"].as_array().expect("squares").iter();
                    let land = all.filter(|square| square["terrain"] != "castle");
                    land.map(|one| {
                        let (x, y) = (&one["at"][0], &one["at"][1]);
                        serde_json::json!({ "x": x, "y": y, "terrain": one["terrain"], "crowns": one["crowns"] })
                    })
                    .collect()
                };
                let kingdoms: Vec<_> =
                    shown["kingdoms"].as_array().expect("kingdoms").iter().map(squares).collect();
                let (line, next_line) = (kings(&shown["line"]), kings(&shown["next_line"]));
                let setup = serde_json::json!({
                    "rules": rules, "round": shown["round"], "finished": if is_opening { &shown["round"] } else { &shown["turn"] },
                    "settled": shown["phase"] == "claim" && !is_opening, "seat": shown["to_move"],
                    "line": if is_opening { &next_line } else { &line },
                    "next_line": if is_opening { &line } else { &next_line },
                    "unseen": shown["unseen"], "kingdoms": kingdoms,
                });
                let checked = ask("check_setup", serde_json::json!({ "setup": setup }));
                assert_eq!(checked["answer"], serde_json::json!({ "position": shown, "faults": [] }));
                let choices = &ask("choices", serde_json::json!({ "position": shown["text"] }))["answer"];
                let listed = choices["placements"].as_array().expect("placements").len()
                    + choices["claims"].as_array().expect("claims").len();
                assert_eq!(listed.max(1), shown["actions"].as_array().expect("actions").len());
                if let Some(domino) = choices["domino"].as_u64() {
                    let kingdom = &kingdoms[choices["seat"].as_u64().expect("a seat") as usize];
                    let table = serde_json::json!({
                        "size": game.position().rules().kingdom_size().squares(), "squares": kingdom, "domino": domino,
                    });
                    let alone = &ask("placements", table)["answer"];
                    for key in ["placements", "refused"] {
                        assert_eq!(alone[key], choices[key]);
                    }
                }
                game.play(action).expect("legal");
            }
        }
    }

    #[test]
    fn all_faults_come_at_once_with_their_facts() {
        let square = |x, y, terrain, crowns| serde_json::json!({ "x": x, "y": y, "terrain": terrain, "crowns": crowns });
        let setup = serde_json::json!({
            "rules": "2.second.random", "round": 1, "finished": 0, "settled": false, "seat": 0, "next_line": [],
            "line": [{ "domino": 9, "seat": 0 }, { "domino": 3, "seat": null }],
            "unseen": [3], "kingdoms": [[square(1, 0, "wheat", 3), square(4, 4, "lake", 0)], []],
        });
        let checked = ask("check_setup", serde_json::json!({ "setup": setup }));
        let faults = checked["answer"]["faults"].as_array().expect("faults").clone();
        let codes: Vec<_> = faults.iter().map(|fault| fault["code"].as_str().expect("a code")).collect();
        assert_eq!(codes[..2], ["no_such_end", "unconnected"]);
        assert!(codes.contains(&"shown_and_unseen") && codes.contains(&"unseen_count"), "{codes:?}");
        assert_eq!(
            (&faults[0]["seat"], &faults[0]["square"], &faults[0]["found"]),
            (&0.into(), &[1, 0].into(), &3.into())
        );
        let parsed =
            ask("position", serde_json::json!({ "position": "kd1 2.second.random 0 claim:7 - - 1-48 C;C" }));
        assert!(!parsed["failure"]["faults"].as_array().expect("faults").is_empty());
    }

    #[test]
    fn kingdoms_of_a_real_table_are_scored_with_doubts() {
        let square = |x, y, terrain, crowns| serde_json::json!({ "x": x, "y": y, "terrain": terrain, "crowns": crowns });
        let kingdom = |squares: &[serde_json::Value]| serde_json::json!({ "squares": squares });
        let first = kingdom(&[
            square(3, 3, "castle", 0),
            square(3, 4, "mine", 3),
            square(4, 4, "wheat", 0),
            square(2, 3, "wheat", 0),
            square(1, 3, "wheat", 0),
        ]);
        let second = kingdom(&[square(0, 0, "castle", 0), square(1, 0, "mine", 3), square(2, 0, "mine", 0)]);
        let arguments = |kingdoms: &[&serde_json::Value], size: i8| {
            serde_json::json!({
                "size": size, "edition": "first", "harmony": true, "middle_kingdom": true, "kingdoms": kingdoms,
            })
        };
        let scored = &ask("score_kingdoms", arguments(&[&first, &second], 5))["answer"];
        let [one, other] = &scored["kingdoms"].as_array().expect("kingdoms")[..] else { panic!("{scored}") };
        assert_eq!(one["text"], "..m3w/wwC.");
        assert_eq!((&one["score"]["total"], &one["can_be_built"]), (&3.into(), &true.into()));
        assert_eq!((&other["score"]["total"], &other["can_be_built"]), (&6.into(), &false.into()));
        let codes: Vec<_> =
            other["doubts"].as_array().expect("doubts").iter().map(|doubt| &doubt["code"]).collect();
        assert_eq!(codes, ["end_count", "no_tiling"]);
        assert_eq!(other["doubts"][0]["squares"], serde_json::json!([[1, 0]]));
        assert_eq!(
            (&scored["outcome"]["places"], &scored["outcome"]["winners"]),
            (&serde_json::json!([2, 1]), &serde_json::json!([1]))
        );
        let alone = &ask("score_kingdoms", arguments(&[&second], 7))["answer"];
        assert_eq!(
            (&alone["outcome"], &alone["kingdoms"][0]["score"]["total"]),
            (&serde_json::Value::Null, &6.into())
        );
        for (size, kingdom) in [
            (6, &first),
            (5, &kingdom(&[square(99, 0, "lake", 0)])),
            (5, &kingdom(&[square(0, 0, "lake", 4)])),
        ] {
            assert!(ask("score_kingdoms", arguments(&[kingdom], size))["failure"]["message"].is_string());
        }
    }

    #[test]
    fn the_best_arrangement_of_a_kingdom_is_legal_and_never_worse() {
        let text = "w1wwff/wwf1fl/ggCll/g1ssl1l/wwwl1f";
        let ask_for = |kingdom: serde_json::Value, dominoes: &[u8]| {
            let arguments = serde_json::json!({
                "kingdom": kingdom, "dominoes": dominoes, "rules": "2.second.random", "steps": 100, "seed": 1,
            });
            ask("best_arrangement", arguments)
        };
        let rules = engine::Rules::default();
        for (kingdom, dominoes) in
            [(serde_json::Value::Null, vec![1, 48]), ("C".into(), vec![]), ("m3w/.C".into(), vec![])]
        {
            let best = &ask_for(kingdom, &dominoes)["answer"];
            let mut again = engine::Kingdom::new(rules.kingdom_size());
            for laid in best["dominoes"].as_array().expect("dominoes") {
                let number = laid["domino"].as_u64().expect("a number");
                let domino = engine::Domino::new(number as u8).expect("a domino");
                let placement =
                    laid["placement"].as_str().and_then(|text| text.parse().ok()).expect("a placement");
                assert_eq!(again.check(domino, placement), Ok(()));
                again.place_unchecked(domino, placement);
            }
            assert_eq!(best["kingdom"]["text"], again.to_string());
        }
        assert!(ask_for(text.replace("w1", "w3").into(), &[])["failure"]["message"].is_string());
        assert!(ask_for(serde_json::Value::Null, &[49])["failure"]["message"].is_string());
    }

    #[test]
    fn a_photograph_is_read_as_it_was_taught() {
        // 25 squares of 20 pixels, each of one colour.
        let castle = 12;
        let rgba = |light: u8| -> String {
            let pixel = |place: usize| {
                let (row, column) = (place / 100 / 20, place % 100 / 20);
                let square = 5 * row + column;
                [light, if square == castle { 0 } else { light }, light / 2, 255]
            };
            let bytes: Vec<u8> = (0..100 * 100).flat_map(pixel).collect();
            base64::prelude::BASE64_STANDARD.encode(bytes)
        };
        let pixels = |light: u8| serde_json::json!({ "width": 100, "height": 100, "rgba": rgba(light) });
        let corners = serde_json::json!([[0, 0], [100, 0], [100, 100], [0, 100]]);
        let squares: Vec<&str> = (0..25).map(|square| if square == castle { "C" } else { "w" }).collect();
        let taught = ask(
            "teach_photo",
            serde_json::json!({ "pixels": pixels(200), "size": 5, "corners": corners, "squares": squares }),
        )["answer"]
            .clone();
        assert_eq!(taught.as_str().map(str::len), Some(4 * 25 * 129 / 3 * 4));
        let read = |pixels: serde_json::Value, taught: &serde_json::Value| {
            ask("read_photo", serde_json::json!({ "pixels": pixels, "size": 5, "taught": taught }))
        };
        let answer = &read(pixels(160), &taught)["answer"];
        assert_eq!(answer["squares"][castle]["content"], "C");
        assert_eq!(answer["problem"], serde_json::Value::Null);
        assert_eq!(read(pixels(2), &"of another version".into())["answer"]["problem"], "too_dark");
        let half = serde_json::json!({ "width": 100, "height": 50, "rgba": rgba(90) });
        assert_eq!(read(half, &taught)["failure"]["is_misuse"], true);
    }

    #[test]
    fn a_pasted_grid_is_read_with_all_its_faults() {
        let read =
            |text: &str| ask("read_grid", serde_json::json!({ "text": text, "size": 5 }))["answer"].clone();
        let squares = read("wheat 1, castle\nocean, .");
        assert_eq!(squares["squares"].as_array().map(Vec::len), Some(3));
        assert_eq!(
            squares["squares"][0],
            serde_json::json!({ "at": [0, 0], "terrain": "lake", "crowns": 0 })
        );
        let faults = read("w4, desert\nC, C");
        let sentences: Vec<_> =
            faults["faults"].as_array().expect("faults").iter().map(|fault| &fault["sentence"]).collect();
        assert_eq!(sentences[0], "row 1, column 1: 4 crowns (a square has 0 to 3)");
        assert_eq!(sentences.len(), 2);
        assert_eq!(faults["faults"][0]["place"], serde_json::json!([1, 1]));
    }

    #[test]
    fn a_kingdom_of_a_real_table_may_not_grow() {
        let placements = |squares: serde_json::Value, domino: u8| {
            ask("placements", serde_json::json!({ "size": 5, "squares": squares, "domino": domino }))
        };
        let square = |x: i8, y: i8| serde_json::json!({ "x": x, "y": y, "terrain": "wheat", "crowns": 0 });
        let too_wide = placements(serde_json::json!([square(-3, 0), square(3, 0)]), 19);
        assert_eq!(too_wide["answer"], serde_json::Value::Null);
        assert!(placements(serde_json::json!([]), 48)["answer"].is_object());
        assert!(placements(serde_json::json!([]), 49)["failure"]["message"].is_string());
    }

    #[test]
    fn a_dynasty_on_a_real_table_has_an_outcome() {
        let games = serde_json::json!([[30, 40], [50, 45], [10, 20]]);
        let outcome = |dynasty: &str| {
            ask("dynasty_outcome", serde_json::json!({ "dynasty": dynasty, "games": games }))["answer"]
                .clone()
        };
        let points =
            |outcome: &serde_json::Value| [0, 1].map(|seat| outcome["scores"][seat]["total"].as_u64());
        assert_eq!(points(&outcome("total")), [Some(90), Some(105)]);
        assert_eq!(
            (points(&outcome("best")), &outcome("best")["winners"]),
            ([Some(50), Some(45)], &serde_json::json!([0]))
        );
        let uneven = serde_json::json!({ "dynasty": "total", "games": [[1, 2], [3]] });
        assert!(ask("dynasty_outcome", uneven)["failure"]["message"].is_string());
    }

    #[test]
    fn a_record_is_read_into_its_decisions() {
        let mut game = engine::Game::new(engine::Rules::default(), 7);
        while let Some(action) = game.position().legal_actions().first().copied() {
            game.play(action).expect("legal");
        }
        let names = vec!["Ida".into(), "Oskar".into()];
        let record =
            engine::Record::new(&game, false, names, BTreeMap::new(), BTreeMap::new()).expect("a record");
        let read = &ask("read_record", serde_json::json!({ "record": record.to_string() }))["answer"];
        let positions = read["positions"].as_array().expect("positions");
        assert_eq!(positions.len(), record.actions().len() + 1);
        assert_eq!(read["players"], serde_json::json!(["Ida", "Oskar"]));
        let labels = serde_json::json!({
            "record": record.to_string(), "players": ["Ann", "Bert"], "tags": { "bot-1": "king", "date": "2026-11-21" },
        });
        let labelled = &ask("label_record", labels)["answer"];
        let again = &ask("read_record", serde_json::json!({ "record": labelled }))["answer"];
        assert_eq!(again["players"], serde_json::json!(["Ann", "Bert"]));
        assert_eq!(again["tags"], serde_json::json!({ "bot-1": "king", "date": "2026-11-21" }));
        assert_eq!(again["actions"], read["actions"]);
        let refused =
            ask("read_record", serde_json::json!({ "record": record.to_string().replace("claim", "place") }));
        assert!(refused["failure"]["number"].is_number() && !refused["failure"]["faults"][0].is_null());
    }

    #[test]
    fn a_due_line_is_sampled_with_its_value() {
        let mut game = engine::Game::new(engine::Rules::default(), 7);
        while game.position().round() < 1 {
            let action = game.position().legal_actions()[0];
            game.play(action).expect("legal");
        }
        let record = engine::Record::new(&game, false, Vec::new(), BTreeMap::new(), BTreeMap::new())
            .expect("a record");
        let mut position = record.positions().pop().expect("a position");
        if position.stage() != engine::Stage::Reveal {
            let before = record.positions();
            position = before[before.len() - 2];
            position.play(record.actions()[before.len() - 2]).expect("legal");
        }
        let arguments = serde_json::json!({ "position": position.to_string(), "seed": 3, "playouts": 20 });
        let line = ask("sample_line", arguments.clone());
        assert_eq!(line, ask("sample_line", arguments), "the same seed gives the same line");
        assert_eq!(line["answer"]["dominoes"].as_array().expect("dominoes").len(), 4);
        assert_eq!(line["answer"]["win_rates"].as_array().expect("rates").len(), 2);
    }
}
