//! `kingdomino.Rules`.

use kingdomino_rules as engine;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use pyo3::{Borrowed, FromPyObject};

use crate::arguments::{Text, argument, option, shown, whole};
use crate::errors::{Error, Result};

/// A rules set. Immutable, hashable, comparable, picklable.
///
/// players: 2 to 4.
/// edition: "first" or "second". They differ in the game of three (first: 36 dominoes in lines of
///     three; second: all 48 in lines of four, of which one is left over) and in the tie-break.
/// mighty_duel: the game of two with all 48 dominoes and kingdoms of 7x7.
/// harmony: 5 points more for a kingdom that fills its whole square.
/// middle_kingdom: 10 points more for a castle in the middle of its kingdom.
/// opening: "random", each king is drawn; or "snake", for two players: one of them claims first and
///     fourth, the other second and third.
///
/// Raises RulesError for an option that does not exist and for options that do not go together.
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
    /// How many play.
    Players(i64),
    |value| whole(value)?.ok_or_else(|| {
        Error::Rules(format!("there is no game for {} players (2 to 4 can play)", shown(value)))
    })
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
    /// Those that were handed over, or the default.
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
            mighty_duel = false,
            harmony = false,
            middle_kingdom = false,
            opening = Opening(engine::Opening::Random),
        ),
        text_signature = "(players=2, edition='second', mighty_duel=False, harmony=False, \
                          middle_kingdom=False, opening='random')"
    )]
    fn new(
        players: Players,
        edition: Edition,
        mighty_duel: bool,
        harmony: bool,
        middle_kingdom: bool,
        opening: Opening,
    ) -> Result<Rules> {
        let rules = engine::Rules::new(players.0, edition.0, mighty_duel, opening.0)
            .map_err(|faults| Error::Rules(faults.to_string()))?;
        Ok(Rules(rules.with_bonuses(harmony, middle_kingdom)))
    }

    /// The rules set with this text, like "2.second.random.duel.harmony.middle": the players, the edition,
    /// the opening, then the options that apply. Raises ParseError.
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

    /// The text that `parse` reads.
    fn to_text(&self) -> String {
        self.0.to_string()
    }

    /// How many play: 2 to 4.
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

    /// Whether it is the game of two with all dominoes and kingdoms of 7x7.
    #[getter]
    const fn mighty_duel(&self) -> bool {
        self.0.mighty_duel()
    }

    /// Whether a kingdom without a gap scores 5 points more.
    #[getter]
    const fn harmony(&self) -> bool {
        self.0.harmony
    }

    /// Whether a castle in the middle scores 10 points more.
    #[getter]
    const fn middle_kingdom(&self) -> bool {
        self.0.middle_kingdom
    }

    /// How the kings come up in the opening round: "random" or "snake".
    #[getter]
    const fn opening(&self) -> &'static str {
        match self.0.opening() {
            engine::Opening::Random => "random",
            engine::Opening::Snake => "snake",
        }
    }

    /// How many squares wide and tall a kingdom may become: 5, or 7 in the Mighty Duel.
    #[getter]
    const fn kingdom_size(&self) -> i8 {
        self.0.kingdom_size().squares()
    }

    /// How many dominoes a line has: 4, or 3 for three players in the first edition.
    #[getter]
    const fn line_length(&self) -> usize {
        self.0.line_length()
    }

    /// How many kings each player has: 2 in the game of two, else 1.
    #[getter]
    const fn kings(&self) -> usize {
        self.0.kings()
    }

    /// How many lines a game has: 6 in the game of two on 5x5, else 12.
    #[getter]
    const fn rounds(&self) -> usize {
        self.0.rounds()
    }

    /// How many dominoes come up in a game: 24, 36 or 48.
    #[getter]
    const fn dominoes_in_play(&self) -> usize {
        self.0.dominoes_in_play()
    }

    /// How many decisions a game has. Discards count too.
    #[getter]
    const fn plies(&self) -> usize {
        self.0.plies()
    }

    /// What Harmony is worth: 5 points, or 0 without that bonus.
    #[getter]
    const fn harmony_points(&self) -> u16 {
        self.0.harmony_points()
    }

    /// What Middle Kingdom is worth: 10 points, or 0 without that bonus.
    #[getter]
    const fn middle_kingdom_points(&self) -> u16 {
        self.0.middle_kingdom_points()
    }

    /// How many action numbers there are: 373 for 5x5 and 725 for 7x7; they count from 0.
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
