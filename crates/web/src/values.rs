//! The values that JavaScript sees.

use kingdomino_rules as engine;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// A square of a kingdom, from the castle at (0, 0): x to the right, y up.
pub type Xy = (i8, i8);

pub(crate) const fn xy(square: engine::Square) -> Xy {
    (square.x, square.y)
}

/// What follows from a rules set.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Rules {
    /// The rules set in words, like `2.second.random.harmony.middle`.
    pub text: String,
    /// The number of players, 2 to 4.
    pub players: usize,
    /// `first` or `second`.
    pub edition: String,
    /// Whether two players build kingdoms of 7×7.
    pub mighty_duel: bool,
    /// Whether a full kingdom earns points.
    pub harmony: bool,
    /// Whether a castle in the middle earns points.
    pub middle_kingdom: bool,
    /// How the first claims are ordered: `random` or `snake`.
    pub opening: String,
    /// The most squares of a kingdom's side.
    pub size: i8,
    /// The kings of each player.
    pub kings: usize,
    /// The number of lines that are played.
    pub rounds: usize,
    /// The dominoes of a line.
    pub line_length: usize,
    /// The dominoes in play.
    pub dominoes: usize,
    /// What Harmony earns; 0 without it.
    pub harmony_points: u16,
    /// What Middle Kingdom earns; 0 without it.
    pub middle_kingdom_points: u16,
}

impl From<engine::Rules> for Rules {
    fn from(rules: engine::Rules) -> Rules {
        Rules {
            text: rules.to_string(),
            players: rules.players(),
            edition: match rules.edition {
                engine::Edition::First => "first",
                engine::Edition::Second => "second",
            }
            .into(),
            mighty_duel: rules.mighty_duel(),
            harmony: rules.harmony,
            middle_kingdom: rules.middle_kingdom,
            opening: match rules.opening() {
                engine::Opening::Random => "random",
                engine::Opening::Snake => "snake",
            }
            .into(),
            size: rules.kingdom_size().squares(),
            kings: rules.kings(),
            rounds: rules.rounds(),
            line_length: rules.line_length(),
            dominoes: rules.dominoes_in_play(),
            harmony_points: rules.harmony_points(),
            middle_kingdom_points: rules.middle_kingdom_points(),
        }
    }
}

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

/// A domino of a line.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Slot {
    /// Its number.
    pub domino: u8,
    /// The seat that claimed it; null while it is free.
    pub seat: Option<usize>,
    /// Whether it has been placed or discarded.
    pub is_done: bool,
}

impl From<engine::Slot> for Slot {
    fn from(slot: engine::Slot) -> Slot {
        Slot { domino: slot.domino.number(), seat: slot.seat, is_done: slot.is_done }
    }
}

/// What everyone at the table can see.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Position {
    /// Its text.
    pub text: String,
    /// What follows from its rules set.
    pub rules: Rules,
    /// `claim`, `place`, `chance` (something hidden is due) or `over`.
    #[cfg_attr(test, ts(type = "\"claim\" | \"place\" | \"chance\" | \"over\""))]
    pub phase: String,
    /// What is due: `line` or `king`.
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
    pub line: Vec<Slot>,
    /// The line that is being claimed after the opening.
    pub next_line: Vec<Slot>,
    /// One kingdom a seat.
    pub kingdoms: Vec<Kingdom>,
    /// The unseen dominoes.
    pub unseen: Vec<u8>,
    /// How many of them are still to be revealed.
    pub in_deck: usize,
    /// The kings that are still to be drawn in a random opening, one entry a king.
    pub kings_to_draw: Vec<usize>,
    /// The legal actions.
    pub actions: Vec<String>,
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
            line: position.slots().into_iter().map(Slot::from).collect(),
            next_line: position.next_slots().into_iter().map(Slot::from).collect(),
            kingdoms: position.kingdoms().iter().map(|kingdom| Kingdom::of(kingdom, &rules)).collect(),
            unseen: position.unseen().into_iter().map(engine::Domino::number).collect(),
            in_deck: position.lines_to_come() * rules.line_length(),
            kings_to_draw: position.kings_to_draw().into_iter().collect(),
            actions: position.legal_actions().iter().map(ToString::to_string).collect(),
            outcome: position.outcome().as_ref().map(Outcome::from),
        }
    }
}

/// How a game ended. Lists have one entry a seat unless they say otherwise.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Outcome {
    /// The points.
    pub scores: Vec<Score>,
    /// The places, from 1; equals share one.
    pub places: Vec<usize>,
    /// The seats from first to last.
    pub ranking: Vec<usize>,
    /// The seats that won.
    pub winners: Vec<usize>,
    /// What decided between first and second place.
    pub decided_by: String,
    /// By rank: what puts a seat behind the one before it; null for the first.
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

/// Something that happened in a game.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// A line was revealed.
    LineRevealed {
        /// Its dominoes, lowest first.
        dominoes: Vec<u8>,
    },
    /// A king was drawn, which claims next.
    KingDrawn {
        /// Whose.
        seat: usize,
    },
    /// A domino was claimed.
    Claimed {
        /// By whom.
        seat: usize,
        /// Its number.
        domino: u8,
    },
    /// A domino was placed.
    Placed {
        /// By whom.
        seat: usize,
        /// Its number.
        domino: u8,
        /// The square of its left end.
        left: Xy,
        /// The square of its right end.
        right: Xy,
    },
    /// A domino that fitted nowhere was discarded.
    Discarded {
        /// By whom.
        seat: usize,
        /// Its number.
        domino: u8,
    },
    /// A round began.
    RoundBegan {
        /// Its number, from 1.
        round: usize,
    },
    /// The game ended.
    Finished {},
}

impl From<engine::Event> for Event {
    fn from(event: engine::Event) -> Event {
        match event {
            engine::Event::LineRevealed(line) => {
                Event::LineRevealed { dominoes: line.into_iter().map(engine::Domino::number).collect() }
            }
            engine::Event::KingDrawn(seat) => Event::KingDrawn { seat },
            engine::Event::Claimed(seat, domino) => Event::Claimed { seat, domino: domino.number() },
            engine::Event::Placed(seat, domino, engine::Placement { left, right }) => {
                Event::Placed { seat, domino: domino.number(), left: xy(left), right: xy(right) }
            }
            engine::Event::Discarded(seat, domino) => Event::Discarded { seat, domino: domino.number() },
            engine::Event::RoundBegan(round) => Event::RoundBegan { round },
            engine::Event::Finished => Event::Finished {},
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
    /// The domino that is refused, or that must be placed first.
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
    /// The dominoes.
    pub dominoes: Vec<u8>,
    /// The number that is wrong.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub found: Option<i64>,
    /// The right number, or the highest.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub expected: Option<i64>,
}

impl From<&engine::Fault> for Fault {
    fn from(fault: &engine::Fault) -> Fault {
        let engine::FaultFacts { seat, square, dominoes, found, expected } = fault.facts();
        Fault {
            code: fault.code().into(),
            sentence: fault.to_string(),
            seat,
            square,
            dominoes: dominoes.into_iter().map(engine::Domino::number).collect(),
            found,
            expected,
        }
    }
}

/// What one line that may come is worth, one entry a seat.
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
    /// The players' names, one a seat, or empty.
    pub players: Vec<String>,
}
