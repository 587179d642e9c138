//! Kingdoms of a real table: their points, the winner, and doubts.

use kingdomino_rules as engine;
use kingdomino_search as search;
use kingdomino_table::{Placements, Xy, xy};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use crate::calls::{Failure, Result, parsed};
use crate::setup::SetUpSquare;
use crate::values::{Fault, Kingdom, Outcome, Score, Square, Territory};

/// The content of a square. The frame is arbitrary: x to the right, y up.
#[derive(Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct TableSquare {
    /// To the right.
    pub x: i8,
    /// Upwards.
    pub y: i8,
    /// Its terrain, or `castle`.
    #[cfg_attr(test, ts(type = "Terrain | \"castle\""))]
    pub terrain: String,
    /// Its crowns, 0 to 3.
    pub crowns: u8,
}

/// A kingdom on a real table.
#[derive(Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct TableKingdom {
    /// Its squares. The castle may be missing.
    pub squares: Vec<TableSquare>,
    /// The known dominoes.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<u8>>"))]
    pub dominoes: Vec<u8>,
}

/// Something that cannot be: a code, the sentence, the squares, and the facts that belong to the code
/// (docs/formats/position.md).
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Doubt {
    /// The code, like `no_tiling`.
    pub code: String,
    /// The sentence.
    pub sentence: String,
    /// The squares of this kingdom that it concerns; none where it concerns all of them.
    pub squares: Vec<Xy>,
    /// The terrain that it concerns.
    #[cfg_attr(test, ts(type = "Terrain | null"))]
    pub terrain: Option<engine::Terrain>,
    /// The crowns on each of the squares.
    pub crowns: Option<u8>,
    /// The dominoes.
    pub dominoes: Vec<u8>,
    /// The wrong number; the number of squares on the whole table, if there are too many.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub found: Option<i64>,
    /// The right number, or the highest.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub expected: Option<i64>,
}

impl From<&engine::Doubt> for Doubt {
    fn from(doubt: &engine::Doubt) -> Doubt {
        let facts = doubt.fault.facts();
        Doubt {
            code: doubt.fault.code().into(),
            sentence: doubt.fault.to_string(),
            squares: doubt.squares.iter().map(|square| xy(*square)).collect(),
            terrain: facts.terrain,
            crowns: facts.crowns,
            dominoes: facts.dominoes.into_iter().map(engine::Domino::number).collect(),
            found: facts.found,
            expected: facts.expected,
        }
    }
}

/// A kingdom of a real table, with its facts.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ScoredKingdom {
    /// Its text, row by row from the top; null if it is no kingdom: the castle, the box or a connection is missing.
    pub text: Option<String>,
    /// Its territories.
    pub territories: Vec<Territory>,
    /// Its points.
    pub score: Score,
    /// How many squares Harmony still lacks.
    pub missing: usize,
    /// The doubts.
    pub doubts: Vec<Doubt>,
    /// Whether dominoes can make it, each used at most once; null if that would take too long to find out.
    pub can_be_built: Option<bool>,
}

/// The kingdoms of a real table.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Scored {
    /// The kingdoms, in their order.
    pub kingdoms: Vec<ScoredKingdom>,
    /// The winners, and the deciding rule; null for one kingdom.
    pub outcome: Option<Outcome>,
}

impl TableKingdom {
    fn layout(&self, size: engine::KingdomSize) -> Result<engine::Layout> {
        let mut layout = engine::Layout::new(size);
        for TableSquare { x, y, terrain, crowns } in &self.squares {
            let square = engine::Square::new(*x, *y);
            let added = if terrain == "castle" {
                layout.add_castle(square)
            } else {
                layout.add(square, engine::End { terrain: parsed(terrain)?, crowns: *crowns })
            };
            added.map_err(Failure::new)?;
        }
        for number in &self.dominoes {
            let domino = engine::Domino::new(*number);
            layout.use_domino(domino.ok_or_else(|| Failure::new("dominoes are 1 to 48"))?);
        }
        Ok(layout)
    }
}

/// Scores the kingdoms of a real table under these rules. The bonuses are Harmony and Middle Kingdom.
pub(crate) fn score(
    size: u8,
    edition: &str,
    bonuses: (bool, bool),
    kingdoms: &[TableKingdom],
) -> Result<Scored> {
    let size = sized(size)?;
    let duel = if size == engine::KingdomSize::Seven { ".duel" } else { "" };
    let rules: engine::Rules = parsed(&format!("2.{edition}.random{duel}"))?;
    let rules = rules.with_bonuses(bonuses.0, bonuses.1);
    if kingdoms.is_empty() || kingdoms.len() > engine::Rules::MOST {
        return Err(Failure::new("a table has 1 to 4 kingdoms"));
    }
    let layouts = kingdoms.iter().map(|kingdom| kingdom.layout(size)).collect::<Result<Vec<_>>>()?;
    let territory = |territory: engine::LayoutTerritory| Territory {
        terrain: territory.terrain.name().into(),
        squares: territory.squares.iter().map(|square| xy(*square)).collect(),
        crowns: territory.crowns,
        score: territory.score(),
    };
    let scored = layouts.iter().zip(engine::Layout::check(&layouts)).map(|(layout, check)| ScoredKingdom {
        text: layout.kingdom().map(|kingdom| kingdom.to_string()),
        territories: layout.territories().into_iter().map(territory).collect(),
        score: Score::from(&layout.score(&rules)),
        missing: layout.squares_missing(),
        doubts: check.doubts.iter().map(Doubt::from).collect(),
        can_be_built: check.can_be_built,
    });
    let outcome = (layouts.len() > 1).then(|| Outcome::from(&engine::Outcome::of_layouts(&rules, &layouts)));
    Ok(Scored { kingdoms: scored.collect(), outcome })
}

/// A domino and where it lies.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Laid {
    /// Its number.
    pub domino: u8,
    /// The text of its placement, like `1,0>2,0`.
    pub placement: String,
}

/// The best kingdom found for some dominoes.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Arrangement {
    /// The kingdom and its points.
    pub kingdom: Kingdom,
    /// Its dominoes, in an order in which the rules allow them.
    pub dominoes: Vec<Laid>,
}

/// The most steps of one search for an arrangement: some seconds.
const MOST_STEPS: u32 = 1_000_000;

/// Searches for the best kingdom of the dominoes of a kingdom; without one, of these.
pub(crate) fn best_arrangement(
    kingdom: Option<&str>,
    dominoes: &[u8],
    rules: &engine::Rules,
    steps: u32,
    seed: u64,
) -> Result<Arrangement> {
    let mut search = match kingdom {
        None => {
            let named = dominoes.iter().map(|number| engine::Domino::new(*number)).collect::<Option<_>>();
            let named = named.ok_or_else(|| Failure::new("dominoes are 1 to 48"))?;
            search::Arrangement::new(named, rules, seed)
        }
        Some(text) => {
            let kingdom = engine::Kingdom::parse(text, rules.kingdom_size()).map_err(Failure::from)?;
            search::Arrangement::of_kingdom(&kingdom, rules, seed)
                .ok_or_else(|| Failure::new(engine::Fault::NoTiling))?
        }
    };
    search.run(steps.min(MOST_STEPS), &mut || true);
    let (kingdom, tiling) = search.best();
    let laid = tiling
        .iter()
        .map(|(domino, placement)| Laid { domino: domino.number(), placement: placement.to_string() });
    Ok(Arrangement { kingdom: Kingdom::of(kingdom, rules), dominoes: laid.collect() })
}

/// The outcome of a Dynasty whose games have these points.
pub(crate) fn dynasty(kind: engine::Dynasty, games: &[Vec<u32>]) -> Result<Outcome> {
    let players = games.first().map_or(0, Vec::len);
    if !(2..=engine::Rules::MOST).contains(&players) || games.iter().any(|game| game.len() != players) {
        return Err(Failure::new("each game has the points of the same 2 to 4 players"));
    }
    let rules = parsed(&format!("{players}.second.random"))?;
    let points = |total: &u32| engine::Score { territories: *total, ..engine::Score::default() };
    let outcomes: Vec<_> = games
        .iter()
        .map(|game| engine::Outcome::of_totals(&game.iter().map(points).collect::<Vec<_>>()))
        .collect();
    Ok(Outcome::from(&engine::Outcome::of_totals(&kind.scores(&rules, &outcomes))))
}

/// The reading of a kingdom's text.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Grid {
    /// Its squares, the lowest and leftmost ones at 0; empty if there are faults.
    pub squares: Vec<Square>,
    /// All faults.
    pub faults: Vec<Fault>,
}

/// Reads a kingdom from a person's text.
pub(crate) fn read_grid(text: &str, size: u8) -> Result<Grid> {
    let mut grid = engine::Grid::new([]);
    grid.add_text(text);
    Ok(match grid.layout(sized(size)?) {
        Ok(layout) => {
            let square = |(at, end): (engine::Square, Option<engine::End>)| Square {
                at: xy(at),
                terrain: end.map_or("castle", |end| end.terrain.name()).into(),
                crowns: end.map_or(0, |end| end.crowns),
            };
            Grid { squares: layout.squares().map(square).collect(), faults: Vec::new() }
        }
        Err(faults) => Grid { squares: Vec::new(), faults: faults.list().iter().map(Fault::from).collect() },
    })
}

/// The placements of a domino in a kingdom; `None` if the rules do not let it grow.
pub(crate) fn placements(
    size: u8,
    squares: &[SetUpSquare],
    domino: engine::Domino,
) -> Result<Option<Placements>> {
    let mut setup = engine::KingdomSetup::new();
    for square in squares {
        setup.add(square.x.into(), square.y.into(), square.terrain.name(), square.crowns.into());
    }
    Ok(setup.validate(sized(size)?).ok().map(|kingdom| Placements::of(&kingdom, domino)))
}

pub(crate) fn sized(size: u8) -> Result<engine::KingdomSize> {
    engine::KingdomSize::from_squares(size.into())
        .ok_or_else(|| Failure::new(engine::Fault::Size { text: size.to_string() }))
}
