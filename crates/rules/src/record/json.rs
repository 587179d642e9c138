//! The JSON form of a record: the same content as the text (docs/formats/record.md).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::input::fault::{Fault, Part};
use crate::input::parse_error::ParseError;
use crate::input::pasted;
use crate::record::annotation::Annotation;
use crate::record::text::{ANNOTATED, FORMAT};
use crate::record::{Draft, Entry, GameResult, Place, Record, RecordError, Written};
use crate::values::action::Action;
use crate::values::domino::{Domino, DominoSet};
use crate::values::line::Seat;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Json {
    format: String,
    rules: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    players: Vec<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    tags: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    opening: Vec<Seat>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deck: Option<Vec<u8>>,
    events: Vec<JsonEvent>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    comments: BTreeMap<usize, String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    annotations: BTreeMap<usize, Annotation>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<GameResult>,
}

#[derive(Serialize, Deserialize)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "an event is {\"line\": [numbers]} or {\"seat\": number, \"action\": text}"
)]
enum JsonEvent {
    Line { line: Vec<u8> },
    Ply { seat: Seat, action: String },
}

impl Record {
    /// The record as one JSON object on one line.
    pub fn to_json(&self) -> String {
        let draft = &self.draft;
        let numbers = |dominoes: &[Domino]| dominoes.iter().map(|domino| domino.number()).collect();
        let events = draft.entries.iter().map(|entry| match &entry.event {
            Written::Line(line) => JsonEvent::Line { line: line.into_iter().map(Domino::number).collect() },
            Written::Ply(seat, action) => JsonEvent::Ply { seat: *seat, action: action.to_string() },
        });
        let json = Json {
            format: draft.format().into(),
            rules: draft.rules.to_string(),
            seed: draft.seed,
            players: draft.players.clone(),
            tags: draft.tags.clone(),
            start: draft.start.as_ref().map(ToString::to_string),
            opening: draft.opening.clone(),
            deck: draft.deck.as_deref().map(numbers),
            events: events.collect(),
            comments: draft.comments.clone(),
            annotations: self.annotations().map(|(ply, annotation)| (ply, annotation.clone())).collect(),
            result: draft.result.clone(),
        };
        // Serialising fails only for maps with keys other than strings, which this has not.
        serde_json::to_string(&json).unwrap_or_default()
    }

    /// Reads the JSON form and checks it by replaying it. The error names the event or the field that is wrong.
    pub fn from_json(text: &str) -> Result<Record, RecordError> {
        let text = pasted::trim(text);
        // The derived code would accept an array of all fields too.
        if text.starts_with('[') {
            return Err(RecordError::field("JSON", Fault::Array));
        }
        let json: Json = serde_json::from_str(text).map_err(|error| {
            let error = ParseError::new(text, error.to_string());
            RecordError::field("JSON", Fault::NotJson { error })
        })?;
        if json.format != FORMAT && json.format != ANNOTATED {
            let fault = Fault::Format { text: json.format, plain: FORMAT, annotated: ANNOTATED };
            return Err(RecordError::field("format", fault));
        }
        if json.format == FORMAT && !json.annotations.is_empty() {
            return Err(RecordError::field("format", Fault::Annotations { annotated: ANNOTATED }));
        }
        let dominoes = |numbers: &[u8]| -> Result<Vec<Domino>, Fault> {
            let domino = |number: &u8| Domino::new(*number).ok_or(Fault::NoDomino { number: *number });
            numbers.iter().map(domino).collect()
        };
        let mut entries = Vec::new();
        for (index, event) in json.events.iter().enumerate() {
            let wrong = |fault: Fault| RecordError::new(Part::Event(index + 1), fault);
            let event = match event {
                JsonEvent::Line { line: numbers } => {
                    let line: DominoSet = dominoes(numbers).map_err(wrong)?.into_iter().collect();
                    if line.len() != numbers.len() {
                        return Err(wrong(Fault::TwiceInLine));
                    }
                    Written::Line(line)
                }
                JsonEvent::Ply { seat, action } => {
                    let action: Action = action.parse().map_err(|error: ParseError| wrong(error.into()))?;
                    Written::Ply(*seat, action)
                }
            };
            entries.push(Entry { place: Place(index + 1), event });
        }
        let start = json.start.map(|start| start.parse()).transpose();
        let draft = Draft {
            rules: json.rules.parse().map_err(|error: ParseError| RecordError::field("rules", error))?,
            seed: json.seed,
            players: json.players,
            tags: json.tags,
            start: start.map_err(|faults| RecordError::field("start", Fault::Start { faults }))?,
            opening: json.opening,
            deck: json
                .deck
                .map(|deck| dominoes(&deck))
                .transpose()
                .map_err(|fault| RecordError::field("deck", fault))?,
            entries,
            comments: json.comments,
            annotations: json.annotations.into_iter().map(|(ply, one)| (ply, one.into())).collect(),
            result: json.result,
        };
        draft.check(Part::Event)
    }
}
