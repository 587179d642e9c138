//! The values that JavaScript sees.

use std::collections::BTreeMap;

use kingdomino_rules as engine;
use kingdomino_table::{LineEntry, Rules, Xy, xy};
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// The left or right half of a domino.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct End {
    /// Its terrain, like `wheat`.
    pub terrain: String,
    /// Its crowns.
    pub crowns: u8,
}

/// A domino.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Domino {
    /// 1 to 48.
    pub number: u8,
    /// Its left end.
    pub left: End,
    /// Its right end.
    pub right: End,
}

impl From<engine::Domino> for Domino {
    fn from(domino: engine::Domino) -> Domino {
        let [left, right] =
            domino.ends().map(|end| End { terrain: end.terrain.name().into(), crowns: end.crowns });
        Domino { number: domino.number(), left, right }
    }
}

/// A covered square. The castle's terrain is `castle`.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Square {
    /// Where it is.
    pub at: Xy,
    /// Its terrain.
    pub terrain: String,
    /// Its crowns.
    pub crowns: u8,
}

/// Connected squares of one terrain.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Territory {
    /// Its terrain.
    pub terrain: String,
    /// Its squares.
    pub squares: Vec<Xy>,
    /// Its crowns.
    pub crowns: u32,
    /// Its points: squares times crowns.
    pub score: u32,
}

/// The points of a kingdom.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Score {
    /// The sum.
    pub total: u32,
    /// The points of its territories.
    pub territories: u32,
    /// Harmony's points.
    pub harmony: u32,
    /// Middle Kingdom's points.
    pub middle_kingdom: u32,
}

impl From<&engine::Score> for Score {
    fn from(score: &engine::Score) -> Score {
        let engine::Score { territories, harmony, middle_kingdom } = *score;
        Score { total: score.total(), territories, harmony, middle_kingdom }
    }
}

/// A kingdom and its points.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Kingdom {
    /// Its text, row by row from the top.
    pub text: String,
    /// Its covered squares, the castle included.
    pub squares: Vec<Square>,
    /// Its territories.
    pub territories: Vec<Territory>,
    /// Its points under the rules.
    pub score: Score,
}

impl Kingdom {
    /// A kingdom under these rules.
    pub fn of(kingdom: &engine::Kingdom, rules: &engine::Rules) -> Kingdom {
        let territory = |territory: engine::Territory| Territory {
            terrain: territory.terrain.name().into(),
            squares: kingdom.squares_in(&territory).map(xy).collect(),
            crowns: territory.crowns,
            score: territory.score(),
        };
        let covered = |at: engine::Square| {
            if (at.x, at.y) == (0, 0) {
                return Some(Square { at: xy(at), terrain: "castle".into(), crowns: 0 });
            }
            let (terrain, crowns) = kingdom.get(at)?;
            Some(Square { at: xy(at), terrain: terrain.name().into(), crowns })
        };
        Kingdom {
            text: kingdom.to_string(),
            squares: kingdom.rows().flatten().filter_map(covered).collect(),
            territories: kingdom.territories().map(territory).collect(),
            score: Score::from(&kingdom.score(rules)),
        }
    }
}

/// Everything that all players can see.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Position {
    /// Its text.
    pub text: String,
    /// The facts of its rules set.
    pub rules: Rules,
    /// `claim`, `place`, `chance` (something hidden is due) or `over`.
    #[cfg_attr(test, ts(type = "\"claim\" | \"place\" | \"chance\" | \"over\""))]
    pub phase: String,
    /// The chance event that is due: `line` or `king`.
    #[cfg_attr(test, ts(type = "\"line\" | \"king\" | null"))]
    pub due: Option<String>,
    /// The seat to move.
    pub to_move: Option<usize>,
    /// The round: 0 is the opening.
    pub round: usize,
    /// How many turns of the round are over.
    pub turn: usize,
    /// The domino to be placed.
    pub domino: Option<u8>,
    /// Whether it fits somewhere.
    pub fits: bool,
    /// The line from which players place; in the opening, the line from which they claim.
    pub line: Vec<LineEntry>,
    /// The line that is being claimed after the opening.
    pub next_line: Vec<LineEntry>,
    /// One kingdom per seat.
    pub kingdoms: Vec<Kingdom>,
    /// By seat, whether a discard has made Harmony impossible; false under rules without it.
    pub harmony_lost: Vec<bool>,
    /// The unseen dominoes.
    pub unseen: Vec<u8>,
    /// How many of them are still to be revealed.
    pub in_deck: usize,
    /// The kings that are still to be drawn in a random opening, one entry per king.
    pub kings_to_draw: Vec<usize>,
    /// The legal actions.
    pub actions: Vec<String>,
    /// Placements that a search does not list: each has an equal one, up to symmetry, that it lists instead.
    pub representatives: BTreeMap<String, String>,
    /// How the game ended.
    pub outcome: Option<Outcome>,
}

impl From<&engine::Position> for Position {
    fn from(position: &engine::Position) -> Position {
        let rules = *position.rules();
        let phase = match position.stage() {
            engine::Stage::Claim => "claim",
            engine::Stage::Place => "place",
            engine::Stage::Reveal | engine::Stage::Draw => "chance",
            engine::Stage::Over => "over",
        };
        let due = match position.stage() {
            engine::Stage::Reveal => Some("line"),
            engine::Stage::Draw => Some("king"),
            _ => None,
        };
        let (actions, distinct) = (position.legal_actions(), position.distinct_actions());
        let others = actions.iter().filter(|action| !distinct.contains(action));
        let representatives =
            others.map(|action| (action.to_string(), position.equivalent(*action).to_string())).collect();
        let is_placed_by =
            |seat: usize| position.domino().map(|domino| position.kingdoms()[seat].has_placement(domino));
        Position {
            text: position.to_string(),
            rules: rules.into(),
            phase: phase.into(),
            due: due.map(Into::into),
            to_move: position.to_move(),
            round: position.round(),
            turn: position.turn(),
            domino: position.domino().map(engine::Domino::number),
            fits: position.to_move().and_then(is_placed_by).unwrap_or(false),
            line: position.slots().into_iter().map(LineEntry::from).collect(),
            next_line: position.next_slots().into_iter().map(LineEntry::from).collect(),
            kingdoms: position.kingdoms().iter().map(|kingdom| Kingdom::of(kingdom, &rules)).collect(),
            harmony_lost: (0..rules.players()).map(|seat| position.harmony_lost(seat)).collect(),
            unseen: position.unseen().into_iter().map(engine::Domino::number).collect(),
            in_deck: position.dominoes_to_come(),
            kings_to_draw: position.kings_to_draw().into_iter().collect(),
            actions: actions.iter().map(ToString::to_string).collect(),
            representatives,
            outcome: position.outcome().as_ref().map(Outcome::from),
        }
    }
}

/// The result of a game. Lists have one entry per seat unless noted.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Outcome {
    /// The points.
    pub scores: Vec<Score>,
    /// The places, from 1; tied seats share one.
    pub places: Vec<usize>,
    /// The seats from first to last.
    pub ranking: Vec<usize>,
    /// The seats that won.
    pub winners: Vec<usize>,
    /// The rule that decided between first and second place.
    pub decided_by: String,
    /// The rule that puts a seat behind the previous one in the ranking; null for the first.
    pub behind_by: Vec<Option<String>>,
    /// The squares of the largest territories.
    pub largest_territories: Vec<u32>,
    /// The crowns, where they can break a tie.
    pub crowns: Vec<u32>,
}

impl From<&engine::Outcome> for Outcome {
    fn from(outcome: &engine::Outcome) -> Outcome {
        Outcome {
            scores: outcome.scores.iter().map(Score::from).collect(),
            places: outcome.places.to_vec(),
            ranking: outcome.ranking.to_vec(),
            winners: outcome.winners.to_vec(),
            decided_by: outcome.decided_by.name().into(),
            behind_by: outcome.behind_by.iter().map(|rule| rule.map(|rule| rule.name().into())).collect(),
            largest_territories: outcome.largest_territories.to_vec(),
            crowns: outcome.crowns.to_vec(),
        }
    }
}

/// Why an action is refused: a code, its facts, and the sentence made from them.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Refusal {
    /// The code, like `taken`.
    pub code: String,
    /// The sentence.
    pub message: String,
    /// The refused domino, or the domino to place first.
    pub domino: Option<u8>,
    /// The seat that has claimed it.
    pub seat: Option<usize>,
    /// The square that is taken.
    pub square: Option<Xy>,
    /// The width that the kingdom would have.
    pub width: Option<u8>,
    /// The height that the kingdom would have.
    pub height: Option<u8>,
    /// The domino's terrains. None of them touches it there.
    pub terrains: Vec<String>,
    /// The dominoes on offer.
    pub line: Vec<u8>,
}

impl From<&engine::Refusal> for Refusal {
    fn from(refusal: &engine::Refusal) -> Refusal {
        let facts = refusal.facts();
        Refusal {
            code: refusal.code().into(),
            message: refusal.to_string(),
            domino: facts.domino.map(engine::Domino::number),
            seat: facts.seat,
            square: facts.square.map(xy),
            width: facts.width,
            height: facts.height,
            terrains: facts.terrains.iter().map(|terrain| terrain.name().into()).collect(),
            line: facts.line.iter().map(|domino| domino.number()).collect(),
        }
    }
}

/// One thing that is wrong with a set-up or a record: a code, the sentence, and the facts that belong to the code
/// (docs/formats/position.md).
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Fault {
    /// The code, like `line_length`.
    pub code: String,
    /// The sentence.
    pub sentence: String,
    /// Whose king, turn or kingdom it is.
    pub seat: Option<usize>,
    /// The square.
    #[cfg_attr(test, ts(type = "[number, number] | null"))]
    pub square: Option<(i64, i64)>,
    /// The row and the column of a grid, from 1.
    #[cfg_attr(test, ts(type = "[number, number] | null"))]
    pub place: Option<(usize, usize)>,
    /// The dominoes.
    pub dominoes: Vec<u8>,
    /// The wrong number.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub found: Option<i64>,
    /// The right number, or the highest.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub expected: Option<i64>,
}

impl From<&engine::Fault> for Fault {
    fn from(fault: &engine::Fault) -> Fault {
        let engine::FaultFacts { seat, square, place, dominoes, found, expected, .. } = fault.facts();
        Fault {
            code: fault.code().into(),
            sentence: fault.to_string(),
            seat,
            square,
            place,
            dominoes: dominoes.into_iter().map(engine::Domino::number).collect(),
            found,
            expected,
        }
    }
}

/// The value of one possible line, one entry per seat.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct SampledLine {
    /// Its dominoes.
    pub dominoes: Vec<u8>,
    /// Win probabilities.
    pub win_rates: Vec<f64>,
    /// Expected margins: own score minus the best opponent's.
    pub mean_margin: Vec<f64>,
}

/// The decisions of a record.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct RecordPositions {
    /// The text of the position before each action, and of the last one.
    pub positions: Vec<String>,
    /// The actions.
    pub actions: Vec<String>,
    /// The players' names, one per seat, or empty.
    pub players: Vec<String>,
    /// Further facts about the game, like its date.
    pub tags: BTreeMap<String, String>,
}
