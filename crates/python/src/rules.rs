//! `kingdomino.Rules`.

use kingdomino_rules as engine;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use pyo3::{Borrowed, FromPyObject};

use crate::arguments::{Flag, Seat, Text, argument, no_others, option, shown, whole};
use crate::errors::{Error, Result};

/// A rules set. Immutable, hashable, comparable, picklable.
///
/// players: 2 to 4.
/// edition: "first" or "second". They differ with three players (first: 36 dominoes in lines of three; second: all
///     48 in lines of four, with one left unclaimed) and in the tie-breaks.
/// mighty_duel: the two-player game with all 48 dominoes and kingdoms of 7x7.
/// harmony: 5 points more for a kingdom that fills its largest box.
/// middle_kingdom: 10 points more for a castle in the middle of its kingdom.
/// opening: "random": each king is drawn; "snake", for two players: one claims first and fourth, the other second
///     and third.
///
/// Raises RulesError for an unknown option, or for a combination that no rules set has.
///
/// Source: the rulebooks of both editions; the snake opening is common practice.
#[pyclass(frozen, eq, hash, module = "kingdomino")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Rules(pub(crate) engine::Rules);

/// The names of the options, in the order of the constructor.
const NAMES: [&str; 6] = ["players", "edition", "mighty_duel", "harmony", "middle_kingdom", "opening"];
const EDITIONS: [(&str, engine::Edition); 2] =
    [("first", engine::Edition::First), ("second", engine::Edition::Second)];
const OPENINGS: [(&str, engine::Opening); 2] =
    [("random", engine::Opening::Random), ("snake", engine::Opening::Snake)];

argument!(
    /// A number of players.
    Players(i64),
    |value| whole(value)?.ok_or_else(|| Error::Rules(engine::Fault::Players { text: shown(value) }.to_string()))
);

argument!(
    /// The name of an edition.
    Edition(engine::Edition),
    |value| option(value, "edition", EDITIONS, Error::Rules)
);

argument!(
    /// The name of an opening.
    Opening(engine::Opening),
    |value| option(value, "opening", OPENINGS, Error::Rules)
);

impl Rules {
    /// These rules, or the default.
    pub(crate) fn given(rules: Option<&Rules>) -> engine::Rules {
        rules.map_or_else(engine::Rules::default, |rules| rules.0)
    }
}

#[pymethods]
impl Rules {
    #[new]
    #[pyo3(
        signature = (
            players = Players(2),
            edition = Edition(engine::Edition::Second),
            mighty_duel = Flag(false),
            harmony = Flag(false),
            middle_kingdom = Flag(false),
            opening = Opening(engine::Opening::Random),
            **unknown,
        ),
        text_signature = "(players=2, edition='second', mighty_duel=False, harmony=False, \
                          middle_kingdom=False, opening='random')"
    )]
    fn new(
        players: Players,
        edition: Edition,
        mighty_duel: Flag,
        harmony: Flag,
        middle_kingdom: Flag,
        opening: Opening,
        unknown: Option<&Bound<'_, PyDict>>,
    ) -> Result<Rules> {
        no_others::<Rules>(unknown)?;
        let rules = engine::Rules::new(players.0, edition.0, mighty_duel.0, opening.0)
            .map_err(|faults| Error::Rules(faults.to_string()))?;
        Ok(Rules(rules.with_bonuses(harmony.0, middle_kingdom.0)))
    }

    /// The rules set with this text, like "2.second.random.duel.harmony.middle": players, edition, opening, then
    /// the options that apply. Raises ParseError.
    #[classmethod]
    fn parse(_: &Bound<'_, PyType>, text: Text) -> Result<Rules> {
        Ok(Rules(text.0.parse()?))
    }

    /// The same rules with these options changed: `rules.replace(harmony=True)`. Raises RulesError.
    #[pyo3(signature = (**changes), text_signature = "($self, **changes)")]
    fn replace<'py>(
        slf: &Bound<'py, Self>,
        changes: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = PyDict::new(slf.py());
        for (name, value) in NAMES.into_iter().zip(slf.get().__getnewargs__(slf.py())?.iter()) {
            options.set_item(name, value)?;
        }
        for (name, value) in changes.into_iter().flatten() {
            if !options.contains(&name)? {
                let fault = format!("there is no option {} ({})", shown(&name), NAMES.join(", "));
                return Err(Error::Rules(fault).into());
            }
            options.set_item(name, value)?;
        }
        slf.get_type().call((), Some(&options))
    }

    /// Every rules set: players, editions, the Mighty Duel, openings and bonuses in every combination that exists.
    #[staticmethod]
    fn all() -> Vec<Rules> {
        engine::Rules::all().map(Rules).collect()
    }

    /// The order in which the kings claim in the snake opening if this seat's king is drawn first, like (0, 1, 1, 0);
    /// None if the kings are drawn one at a time. Raises KingdominoError for an unknown seat.
    fn snake_order<'py>(&self, py: Python<'py>, first: Seat) -> Result<Option<Bound<'py, PyTuple>>> {
        let order = self.0.snake_order(first.under(&self.0)?);
        Ok(order.map(|seats| PyTuple::new(py, seats)).transpose()?)
    }

    /// The text that `parse` reads.
    fn to_text(&self) -> String {
        self.0.to_string()
    }

    /// The number of players, 2 to 4.
    #[getter]
    pub(crate) const fn players(&self) -> usize {
        self.0.players()
    }

    /// "first" or "second".
    #[getter]
    const fn edition(&self) -> &'static str {
        match self.0.edition {
            engine::Edition::First => "first",
            engine::Edition::Second => "second",
        }
    }

    /// Whether this is the two-player game with all 48 dominoes and kingdoms of 7x7.
    #[getter]
    const fn mighty_duel(&self) -> bool {
        self.0.mighty_duel()
    }

    /// Whether a kingdom that fills its largest box scores 5 points more.
    #[getter]
    const fn harmony(&self) -> bool {
        self.0.harmony
    }

    /// Whether a castle in the middle of its kingdom scores 10 points more.
    #[getter]
    const fn middle_kingdom(&self) -> bool {
        self.0.middle_kingdom
    }

    /// The order of the kings in the opening round: "random" or "snake".
    #[getter]
    const fn opening(&self) -> &'static str {
        match self.0.opening() {
            engine::Opening::Random => "random",
            engine::Opening::Snake => "snake",
        }
    }

    /// The largest width and height of a kingdom, in squares: 5, or 7 in the Mighty Duel.
    #[getter]
    const fn size(&self) -> i8 {
        self.0.kingdom_size().squares()
    }

    /// The dominoes in a line: 4, or 3 with three players in the first edition.
    #[getter]
    const fn line_length(&self) -> usize {
        self.0.line_length()
    }

    /// The kings of each player: 2 with two players, else 1.
    #[getter]
    const fn kings(&self) -> usize {
        self.0.kings()
    }

    /// The lines in a game, and its rounds after the opening: 6 with two players on 5x5, else 12.
    #[getter]
    const fn rounds(&self) -> usize {
        self.0.rounds()
    }

    /// The dominoes in the deck of a game: 24, 36 or 48.
    #[getter]
    const fn dominoes(&self) -> usize {
        self.0.dominoes_in_play()
    }

    /// The number of decisions in a game, including discards.
    #[getter]
    const fn plies(&self) -> usize {
        self.0.plies()
    }

    /// The points for Harmony: 5, or 0 without that bonus.
    #[getter]
    const fn harmony_points(&self) -> u16 {
        self.0.harmony_points()
    }

    /// The points for Middle Kingdom: 10, or 0 without that bonus.
    #[getter]
    const fn middle_kingdom_points(&self) -> u16 {
        self.0.middle_kingdom_points()
    }

    /// The number of action numbers, which start at 0: 373 for 5x5, 725 for 7x7.
    #[getter]
    pub(crate) const fn action_count(&self) -> usize {
        engine::Action::count(self.0.kingdom_size())
    }

    pub(crate) fn __repr__(&self) -> String {
        let flag = |flag| if flag { "True" } else { "False" };
        format!(
            "Rules(players={}, edition='{}', mighty_duel={}, harmony={}, middle_kingdom={}, opening='{}')",
            self.players(),
            self.edition(),
            flag(self.mighty_duel()),
            flag(self.harmony()),
            flag(self.middle_kingdom()),
            self.opening()
        )
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let options = (self.mighty_duel(), self.harmony(), self.middle_kingdom(), self.opening());
        (self.players(), self.edition(), options.0, options.1, options.2, options.3).into_pyobject(py)
    }
}
