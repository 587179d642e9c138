//! The parts of events and of tables.

use kingdomino_rules as engine;
use serde::Serialize;

/// A square of a kingdom, from the castle at (0, 0): x to the right, y up.
pub type Xy = (i8, i8);

/// The place of a square.
pub const fn xy(square: engine::Square) -> Xy {
    (square.x, square.y)
}

/// Connected squares of one terrain.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct KingdomTerritory {
    /// Its terrain.
    #[cfg_attr(feature = "ts", ts(type = "Terrain"))]
    pub terrain: engine::Terrain,
    /// Its squares.
    pub squares: Vec<Xy>,
    /// Its crowns.
    pub crowns: u32,
    /// Its points: squares times crowns.
    pub points: u32,
}

/// A kingdom's points. `total` includes the bonuses only at the end of the game; until then they can be lost.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct KingdomScore {
    /// The points that count now.
    pub total: u32,
    /// The territories; those with the most points come first.
    pub territories: Vec<KingdomTerritory>,
    /// Harmony's points.
    pub harmony: u32,
    /// Middle Kingdom's points.
    pub middle_kingdom: u32,
    /// Whether a discard has made Harmony impossible; false under rules without it.
    pub harmony_lost: bool,
}

impl KingdomScore {
    /// The score of a seat's kingdom, during the game or at its end.
    pub fn of(position: &engine::Position, seat: engine::Seat, is_final: bool) -> KingdomScore {
        let kingdom = &position.kingdoms()[seat];
        let score = kingdom.score(position.rules());
        let territory = |territory: engine::Territory| {
            let mut squares: Vec<Xy> = kingdom.squares_in(&territory).map(xy).collect();
            squares.sort_unstable();
            KingdomTerritory {
                terrain: territory.terrain,
                squares,
                crowns: territory.crowns,
                points: territory.score(),
            }
        };
        let mut territories: Vec<_> = kingdom.territories().map(territory).collect();
        territories.sort_by(|one, other| {
            let by_size = other.points.cmp(&one.points).then(other.squares.len().cmp(&one.squares.len()));
            by_size.then_with(|| one.squares.cmp(&other.squares))
        });
        KingdomScore {
            total: if is_final { score.total() } else { score.territories },
            territories,
            harmony: score.harmony,
            middle_kingdom: score.middle_kingdom,
            harmony_lost: position.harmony_lost(seat),
        }
    }
}

/// A rules set with its facts.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Rules {
    /// The rules set in words, like `2.second.random.harmony.middle`.
    pub text: String,
    /// The number of players, 2 to 4.
    pub players: usize,
    /// `first` or `second`.
    #[cfg_attr(feature = "ts", ts(type = "\"first\" | \"second\""))]
    pub edition: &'static str,
    /// Whether two players build kingdoms of 7×7.
    pub mighty_duel: bool,
    /// Whether a full kingdom earns points.
    pub harmony: bool,
    /// Whether a castle in the middle earns points.
    pub middle_kingdom: bool,
    /// How the first claims are ordered: `random` or `snake`.
    #[cfg_attr(feature = "ts", ts(type = "\"random\" | \"snake\""))]
    pub opening: &'static str,
    /// The most squares of a kingdom's side.
    pub size: i8,
    /// The kings of each player.
    pub kings: usize,
    /// The number of lines in a game.
    pub rounds: usize,
    /// The dominoes of a line.
    pub line: usize,
    /// The dominoes in play.
    pub dominoes: usize,
    /// The points for Harmony; 0 without it.
    pub harmony_points: u16,
    /// The points for Middle Kingdom; 0 without it.
    pub middle_kingdom_points: u16,
    /// The seats of the kings in the opening.
    pub to_draw: Vec<usize>,
    /// The order of claims for each seat that may be drawn first; empty if all kings are drawn.
    pub snake: Vec<Vec<usize>>,
    /// The score of a lone castle.
    pub castle: KingdomScore,
}

impl From<engine::Rules> for Rules {
    fn from(rules: engine::Rules) -> Rules {
        let snake = (0..rules.players()).filter_map(|first| rules.snake_order(first));
        let first = engine::Position::new(rules);
        Rules {
            text: rules.to_string(),
            players: rules.players(),
            edition: match rules.edition {
                engine::Edition::First => "first",
                engine::Edition::Second => "second",
            },
            mighty_duel: rules.mighty_duel(),
            harmony: rules.harmony,
            middle_kingdom: rules.middle_kingdom,
            opening: match rules.opening() {
                engine::Opening::Random => "random",
                engine::Opening::Snake => "snake",
            },
            size: rules.kingdom_size().squares(),
            kings: rules.kings(),
            rounds: rules.rounds(),
            line: rules.line_length(),
            dominoes: rules.dominoes_in_play(),
            harmony_points: rules.harmony_points(),
            middle_kingdom_points: rules.middle_kingdom_points(),
            to_draw: first.kings_to_draw().into_iter().collect(),
            snake: snake.map(|order| order.into_iter().collect()).collect(),
            castle: KingdomScore::of(&first, 0, false),
        }
    }
}

/// A domino of a line.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LineEntry {
    /// Its number.
    pub domino: u8,
    /// The seat that claimed it; null while it is free.
    pub seat: Option<usize>,
    /// Whether it was placed or discarded, or never claimed.
    pub done: bool,
}

impl From<engine::Slot> for LineEntry {
    fn from(slot: engine::Slot) -> LineEntry {
        LineEntry { domino: slot.domino.number(), seat: slot.seat, done: slot.is_done }
    }
}

/// A covered square of a kingdom, without the castle.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct TerrainSquare {
    /// How far to the right of the castle.
    pub x: i8,
    /// How far above it.
    pub y: i8,
    /// Its terrain.
    #[cfg_attr(feature = "ts", ts(type = "Terrain"))]
    pub terrain: engine::Terrain,
    /// Its crowns.
    pub crowns: u8,
}

/// A kingdom whose squares are known, but not its dominoes.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct BareKingdom {
    /// Its squares.
    pub squares: Vec<TerrainSquare>,
    /// Its points.
    pub score: KingdomScore,
}

/// The position from which a game begins, and its parts.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Start {
    /// Its text.
    pub position: String,
    /// The round: 0 is the opening.
    pub round: usize,
    /// The line from which players place; empty in the opening.
    pub line: Vec<LineEntry>,
    /// The line that is being claimed.
    pub next_line: Vec<LineEntry>,
    /// One kingdom per seat.
    pub kingdoms: Vec<BareKingdom>,
    /// The unseen dominoes.
    pub unseen: Vec<u8>,
    /// How many of them are in the deck.
    pub in_deck: usize,
    /// The seats of the kings still to be drawn.
    pub to_draw: Vec<usize>,
}

impl From<&engine::Position> for Start {
    fn from(position: &engine::Position) -> Start {
        let line = |slots: engine::Slots| slots.into_iter().map(LineEntry::from).collect::<Vec<_>>();
        let (mut line, mut next_line) = (line(position.slots()), line(position.next_slots()));
        if position.round() == 0 {
            (line, next_line) = (Vec::new(), line);
        }
        let covered = |kingdom: &engine::Kingdom, at: engine::Square| {
            let (terrain, crowns) = kingdom.get(at)?;
            Some(TerrainSquare { x: at.x, y: at.y, terrain, crowns })
        };
        let kingdom = |(seat, kingdom): (engine::Seat, &engine::Kingdom)| BareKingdom {
            squares: kingdom.rows().flatten().filter_map(|at| covered(kingdom, at)).collect(),
            score: KingdomScore::of(position, seat, position.is_over()),
        };
        Start {
            position: position.to_string(),
            round: position.round(),
            line,
            next_line,
            kingdoms: position.kingdoms().iter().enumerate().map(kingdom).collect(),
            unseen: numbers(position.unseen()),
            in_deck: position.dominoes_to_come(),
            to_draw: position.kings_to_draw().into_iter().collect(),
        }
    }
}

pub(crate) fn numbers(dominoes: impl IntoIterator<Item = engine::Domino>) -> Vec<u8> {
    dominoes.into_iter().map(engine::Domino::number).collect()
}
