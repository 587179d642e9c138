//! A set-up of a position, which may be impossible.

use kingdomino_rules as engine;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use crate::values::{Fault, Position};

/// A covered square, from the castle at (0, 0).
#[derive(Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct SetUpSquare {
    /// To the right.
    pub x: i8,
    /// Upwards.
    pub y: i8,
    /// Its terrain.
    #[cfg_attr(test, ts(type = "Terrain"))]
    pub terrain: engine::Terrain,
    /// Its crowns.
    pub crowns: u8,
}

/// A domino of a line.
#[derive(Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct SetUpKing {
    /// Its number.
    pub domino: u8,
    /// The seat whose king is on it.
    pub seat: Option<usize>,
}

/// A set-up of a position.
#[derive(Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct SetUp {
    /// The rules set in words.
    pub rules: String,
    /// The round: 0 is the opening.
    pub round: usize,
    /// How many turns of the round are over, from the lowest domino of the line on.
    pub finished: usize,
    /// Whether the next seat has placed its domino and claims now.
    pub settled: bool,
    /// The seat that claims in round 0; later the line determines it.
    pub seat: usize,
    /// The line that is being placed.
    pub line: Vec<SetUpKing>,
    /// The line that is being claimed.
    pub next_line: Vec<SetUpKing>,
    /// The unseen dominoes.
    pub unseen: Vec<u8>,
    /// The squares of each kingdom.
    pub kingdoms: Vec<Vec<SetUpSquare>>,
}

/// The result of a set-up: a position, or faults that make it impossible.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Checked {
    /// The position.
    pub position: Option<Position>,
    /// All faults.
    pub faults: Vec<Fault>,
}

impl SetUp {
    /// The position, or all faults.
    pub fn check(&self) -> Result<Checked, engine::Faults> {
        let rules: engine::Rules = self.rules.parse()?;
        let mut faults: Vec<_> = self.impossible_ends().map(|fault| Fault::from(&fault)).collect();
        let position = self.text(&rules).parse::<engine::Position>();
        if let Err(found) = &position {
            faults.extend(found.list().iter().map(Fault::from));
        }
        let position = position.ok().filter(|_| faults.is_empty());
        Ok(Checked { position: position.as_ref().map(Position::from), faults })
    }

    /// Squares that no domino has. A position allows them, for studies; a player who taps squares has made a mistake.
    fn impossible_ends(&self) -> impl Iterator<Item = engine::Fault> {
        let squares = self
            .kingdoms
            .iter()
            .enumerate()
            .flat_map(|(seat, kingdom)| kingdom.iter().map(move |one| (seat, one)));
        squares.filter_map(|(seat, &SetUpSquare { x, y, terrain, crowns })| {
            let fault = engine::Fault::NoSuchEnd { terrain, crowns };
            let square = engine::Part::Square(x.into(), y.into());
            (engine::End { terrain, crowns }.count() == 0)
                .then(|| fault.at(square).at(engine::Part::Kingdom(seat)))
        })
    }

    /// The text of the position, which may be impossible.
    fn text(&self, rules: &engine::Rules) -> String {
        let acting = self.line.get(self.finished).and_then(|king| king.seat).unwrap_or(0);
        let (stage, line, next_line) = if self.round == 0 {
            (format!("claim:{}", self.seat), line(&self.next_line, 0), "-".into())
        } else {
            let is_last = self.round == rules.rounds() && self.finished == self.line.len();
            let stage = match (is_last, self.settled) {
                (true, _) => "over".into(),
                (false, true) => format!("claim:{acting}"),
                (false, false) => format!("place:{acting}"),
            };
            (stage, line(&self.line, self.finished), line(&self.next_line, 0))
        };
        let unseen: engine::DominoSet =
            self.unseen.iter().filter_map(|number| engine::Domino::new(*number)).collect();
        let kingdoms: Vec<_> = self.kingdoms.iter().map(|squares| kingdom(squares)).collect();
        format!("kd1 {rules} {} {stage} {line} {next_line} {unseen} {}", self.round, kingdoms.join(";"))
    }
}

/// The text of a line, lowest first.
fn line(kings: &[SetUpKing], finished: usize) -> String {
    let mut kings: Vec<_> = kings.iter().collect();
    kings.sort_by_key(|king| king.domino);
    let entry = |(place, king): (usize, &&SetUpKing)| {
        let done = if place < finished { "*" } else { "" };
        let seat = king.seat.map(|seat| format!("@{seat}")).unwrap_or_default();
        format!("{done}{}{seat}", king.domino)
    };
    let entries: Vec<_> = kings.iter().enumerate().map(entry).collect();
    if entries.is_empty() { "-".into() } else { entries.join(",") }
}

/// The text of a kingdom, row by row from the top.
fn kingdom(squares: &[SetUpSquare]) -> String {
    let range = |coordinate: fn(&SetUpSquare) -> i8| {
        // The castle is at 0.
        squares.iter().map(coordinate).fold(0..=0, |range, at| at.min(*range.start())..=at.max(*range.end()))
    };
    let (across, up) = (range(|square| square.x), range(|square| square.y));
    let square = |x, y| match squares.iter().rfind(|square| (square.x, square.y) == (x, y)) {
        _ if (x, y) == (0, 0) => "C".into(),
        None => ".".into(),
        Some(SetUpSquare { terrain, crowns: 0, .. }) => terrain.letter().to_string(),
        Some(SetUpSquare { terrain, crowns, .. }) => format!("{}{crowns}", terrain.letter()),
    };
    let rows = up.rev().map(|y| across.clone().map(|x| square(x, y)).collect::<String>());
    rows.collect::<Vec<_>>().join("/")
}
