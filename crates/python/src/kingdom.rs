//! `kingdomino.Kingdom`.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use kingdomino_rules as engine;
use kingdomino_search as search;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyMapping, PyString, PyTuple, PyType};

use crate::arguments::{
    Domino, List, MOST_ITEMS, Placement, Seed, Size, Text, argument, coordinates, counted, no_others, pair,
    shown, whole,
};
use crate::errors::{Error, Result};
use crate::long::interruptible;
use crate::rules::Rules;
use crate::values;

argument!(
    /// A number of tilings.
    Ways(usize),
    |value| counted(value, .., "a number of tilings (0 or more)")
);

argument!(
    /// A number of steps.
    Steps(u32),
    |value| counted(value, .., "a number of steps (0 or more)")
);

/// Iterates over a part of a grid.
fn iterated<'py>(value: &Bound<'py, PyAny>, what: &str) -> Result<Bound<'py, PyIterator>> {
    value.try_iter().map_err(|_| Error::Type(format!("{} is not a sequence of {what}", shown(value))))
}

/// Adds a square to a grid: None, a text, or its terrain and crowns.
fn add_square(grid: &mut engine::Grid, square: &Bound<'_, PyAny>) -> Result<()> {
    if square.is_none() {
        grid.add("", None);
    } else if square.is_instance_of::<PyString>() {
        grid.add(&square.extract::<Text>()?.0, None);
    } else {
        let wrong = || format!("{} is not a square of a grid (like \"w2\" or (\"wheat\", 2))", shown(square));
        let [terrain, crowns] = pair(square, &wrong)?;
        let crowns = whole::<i64>(&crowns)?.map_or_else(|| shown(&crowns), |crowns| crowns.to_string());
        grid.add(&terrain.extract::<Text>()?.0, Some(&crowns));
    }
    Ok(())
}

/// The best kingdom found for these dominoes in this many steps of a search, and its tiling. With a kingdom, the search has
/// its dominoes, and begins at it.
///
/// Releases the interpreter's lock; Ctrl-C stops it. Raises KingdominoError for a domino that is given twice, and for a
/// kingdom that no dominoes make.
#[pyfunction]
pub(crate) fn best_arrangement<'py>(
    py: Python<'py>,
    kingdom: Option<&Kingdom>,
    dominoes: List<Domino>,
    rules: &Rules,
    steps: Steps,
    seed: Seed,
) -> Result<(Kingdom, Bound<'py, PyTuple>)> {
    let mut search = if let Some(kingdom) = kingdom {
        let found = py.detach(|| search::Arrangement::of_kingdom(&kingdom.0, &rules.0, seed.0));
        found.ok_or_else(|| Error::Value("no dominoes make this kingdom, each used once".into()))?
    } else {
        let mut given = engine::DominoSet::EMPTY;
        if let Some(domino) = dominoes.0.iter().map(|domino| domino.0).find(|domino| !given.insert(*domino)) {
            return Err(engine::Fault::GivenTwice { domino }.into());
        }
        search::Arrangement::new(given, &rules.0, seed.0)
    };
    interruptible(py, |keep_going| search.run(steps.0, keep_going).then_some(()))?;
    let (kingdom, tiling) = search.best();
    Ok((Kingdom(*kingdom), values::tiling(py, tiling)?))
}

/// One player's squares, the castle at (0, 0). Immutable, hashable, comparable, picklable.
///
/// `Kingdom(size)` is the castle alone; `size` is the largest width and height, in squares: 5, or 7 in the Mighty
/// Duel. Squares are (x, y) relative to the castle, x to the right, y up. Equal kingdoms have the same squares and
/// size.
///
/// Raises SetupError for any other size.
#[pyclass(frozen, eq, hash, module = "kingdomino")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Kingdom(pub(crate) engine::Kingdom);

#[pymethods]
impl Kingdom {
    #[new]
    #[pyo3(signature = (size = Size(engine::KingdomSize::Five), **unknown), text_signature = "(size=5)")]
    fn new(size: Size, unknown: Option<&Bound<'_, PyDict>>) -> Result<Kingdom> {
        no_others::<Kingdom>(unknown)?;
        Ok(Kingdom(engine::Kingdom::new(size.0)))
    }

    /// The kingdom with these squares: (x, y) -> (terrain, crowns), with or without the castle, like `squares`.
    ///
    /// Terrains have the names of `Terrain`, or common other names like "field"; crowns are 0 to 3. Kingdoms that no
    /// game can produce are accepted, too.
    ///
    /// Raises SetupError, whose `faults` lists everything that is wrong: unknown terrains, impossible crowns, a box
    /// that is too large, squares that are not connected to the castle.
    #[classmethod]
    #[pyo3(
        signature = (squares, size = Size(engine::KingdomSize::Five)),
        text_signature = "($cls, squares, size=5)"
    )]
    fn from_squares(_: &Bound<'_, PyType>, squares: &Bound<'_, PyMapping>, size: Size) -> Result<Kingdom> {
        let mut setup = engine::KingdomSetup::new();
        for item in squares.items()? {
            let (square, content) = item.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
            let wrong =
                || format!("{} is not a terrain and its crowns (like (\"wheat\", 1))", shown(&content));
            let [terrain, crowns] = pair(&content, &wrong)?;
            let Text(terrain) = terrain.extract()?;
            let Some((x, y)) = coordinates(&square)? else {
                setup.fault(engine::Fault::FarSquare { text: shown(&square) });
                continue;
            };
            let Some(crowns) = whole(&crowns)? else {
                let fault = engine::Fault::Crowns { text: shown(&crowns) };
                setup.fault(fault.at(engine::Part::Square(x, y)));
                continue;
            };
            if (x, y, terrain.as_str(), crowns) != (0, 0, "castle", 0) {
                setup.add(x, y, &terrain, crowns);
            }
        }
        Ok(Kingdom(setup.validate(size.0)?))
    }

    /// The kingdom in this grid: rows from the top, with the castle anywhere and empty rows and columns around it.
    ///
    /// rows: a text, or a sequence of rows. A text has lines, or rows joined by "/"; it may be what `to_text` or `str`
    ///     returns. A row is a text or a sequence of squares. A row's text is letters and crowns ("w2ff"), words with spaces
    ///     between them, or anything between commas, semicolons, bars or tabs. A square is a text ("w2", "wheat 2", "castle",
    ///     "." for an empty one), None, or (terrain, crowns). `squares` of a kingdom is also taken.
    /// names: your own words or letters, and the usual word for each: {"P": "grassland"}; "" is an empty square.
    /// size: the largest width and height, 5 or 7.
    ///
    /// Terrains have the names of `Terrain`, their first letters w, f, l, g, s and m, or other usual names, in any case and
    /// also in the plural: field; wood; water, sea, ocean; grass, plain, pasture, meadow, garden; bog, marsh, village;
    /// mountain, cave. The castle is "castle" or "c". Kingdoms that no dominoes make are accepted, too (`doubts`).
    ///
    /// Raises SetupError, whose `faults` lists everything that is wrong, with row and column from 1.
    #[classmethod]
    #[pyo3(
        signature = (rows, names = None, size = Size(engine::KingdomSize::Five)),
        text_signature = "($cls, rows, names=None, size=5)"
    )]
    fn from_grid(
        class: &Bound<'_, PyType>,
        rows: &Bound<'_, PyAny>,
        names: Option<BTreeMap<String, String>>,
        size: Size,
    ) -> Result<Kingdom> {
        if let Ok(squares) = rows.cast::<PyMapping>() {
            return Kingdom::from_squares(class, squares, size);
        }
        let mut grid = engine::Grid::new(names.unwrap_or_default());
        if rows.is_instance_of::<PyString>() {
            grid.add_text(&rows.extract::<Text>()?.0);
            return Ok(Kingdom(grid.kingdom(size.0)?));
        }
        let mut count = 0;
        for row in iterated(rows, "rows")? {
            let row = row?;
            if row.is_instance_of::<PyString>() {
                grid.add_row(row.extract::<Text>()?.0.trim());
            } else {
                for square in iterated(&row, "squares")? {
                    count += 1;
                    if count > MOST_ITEMS {
                        return Err(Error::Value(format!("a grid has at most {MOST_ITEMS} squares")));
                    }
                    add_square(&mut grid, &square?)?;
                }
            }
            grid.end_row();
        }
        Ok(Kingdom(grid.kingdom(size.0)?))
    }

    /// The kingdom with this text, like "w1ff/.C.": rows from the top; "." is empty, "C" the castle, a terrain its
    /// first letter, then its crowns. Raises SetupError with all faults.
    #[classmethod]
    #[pyo3(
        signature = (text, size = Size(engine::KingdomSize::Five)),
        text_signature = "($cls, text, size=5)"
    )]
    fn parse(_: &Bound<'_, PyType>, text: Text, size: Size) -> Result<Kingdom> {
        Ok(Kingdom(engine::Kingdom::parse(&text.0, size.0)?))
    }

    /// The text that `parse` reads.
    fn to_text(&self) -> String {
        self.0.to_string()
    }

    /// The largest width and height, in squares: 5 or 7.
    #[getter]
    const fn size(&self) -> i8 {
        self.0.size().squares()
    }

    /// The covered squares: (x, y) -> Square(terrain, crowns), including the castle, from the top row down.
    #[getter]
    fn squares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let squares = PyDict::new(py);
        for square in self.0.rows().flatten().filter(|square| self.0.covers(*square)) {
            squares.set_item(values::coordinates(square), values::square(py, self.0.get(square))?)?;
        }
        Ok(squares)
    }

    /// The smallest box around all squares: its lowest corner, (min x, min y), and its highest.
    #[getter]
    fn r#box(&self) -> ((i8, i8), (i8, i8)) {
        let (low, high) = self.0.corners();
        (values::coordinates(low), values::coordinates(high))
    }

    /// The box of the squares that one more domino can reach: up to two beyond each side of `box`, as far as the size
    /// allows; its lowest corner, (min x, min y), and its highest.
    #[getter]
    const fn reach(&self) -> ((i8, i8), (i8, i8)) {
        let (low, high) = self.0.reach();
        (values::coordinates(low), values::coordinates(high))
    }

    /// The crowns on all its squares.
    #[getter]
    const fn crowns(&self) -> u32 {
        self.0.total_crowns()
    }

    /// Every legal placement of a domino (or of the one with this number), each once: a domino with two equal ends
    /// appears in one orientation only. Raises KingdominoError.
    ///
    /// Source: rulebooks, "connecting": at least one end must touch the castle or its own terrain.
    fn placements<'py>(&self, py: Python<'py>, domino: Domino) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.0.placements(domino.0).iter().map(|placement| values::placement(py, placement)).collect()
    }

    /// The most points that placing a domino (or the one with this number) now adds to the territories; None if it
    /// fits nowhere. Raises KingdominoError.
    fn best_gain(&self, domino: Domino) -> Option<u16> {
        self.0.best_gain(domino.0)
    }

    /// The Refusal that says why this domino may not be placed there; None if it may. Placements are given as for
    /// `Action.place`. Raises KingdominoError for an unknown domino and for squares far from the castle.
    fn refusal<'py>(
        &self,
        py: Python<'py>,
        domino: Domino,
        placement: Placement,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let refusal = self.0.check(domino.0, placement.0).err();
        refusal.map(|misfit| values::refusal(py, &misfit.into())).transpose()
    }

    /// The kingdom with this domino added. Raises IllegalActionError with the refusal.
    fn place(&self, domino: Domino, placement: Placement) -> Result<Kingdom> {
        let check = self.0.check(domino.0, placement.0);
        check.map_err(|misfit| Error::illegal(misfit.into(), engine::Action::Place(placement.0)))?;
        let mut kingdom = self.0;
        kingdom.place_unchecked(domino.0, placement.0);
        Ok(Kingdom(kingdom))
    }

    /// Its territories, terrain by terrain: the largest sets of connected squares of one terrain. The castle
    /// belongs to none.
    fn territories<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.0.territories().map(|territory| values::territory(py, &self.0, &territory)).collect()
    }

    /// Its score in points, as if the game ended now: for each territory its squares times its crowns, and the
    /// bonuses of the rules. Without rules there are no bonuses.
    #[pyo3(signature = (rules=None))]
    fn score<'py>(&self, py: Python<'py>, rules: Option<&Rules>) -> PyResult<Bound<'py, PyAny>> {
        values::score(py, self.0.score(&Rules::given(rules)))
    }

    /// The ways in which the 48 dominoes can make it, each domino used at most once; at most `limit` ways.
    ///
    /// A tiling is a tuple of (domino, placement), in an order in which the rules allow them, if there is one. Equal dominoes
    /// stand for each other: the lowest are used, and exchanging them is no other way. The rule that a domino connects to
    /// its terrain leaves no tiling out, because kingdoms on real tables break it.
    ///
    /// Releases the interpreter's lock; Ctrl-C stops it. Raises KingdominoError for a negative limit.
    #[pyo3(signature = (limit = Ways(10)), text_signature = "($self, limit=10)")]
    fn tilings<'py>(&self, py: Python<'py>, limit: Ways) -> Result<Vec<Bound<'py, PyTuple>>> {
        let kingdom = self.0;
        let tilings = interruptible(py, |keep_going| {
            let (mut tilings, mut is_stopped) = (Vec::new(), false);
            if limit.0 > 0 {
                kingdom.each_tiling(|tiling| {
                    tilings.push(tiling);
                    is_stopped = !keep_going();
                    if is_stopped || tilings.len() == limit.0 {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                });
            }
            (!is_stopped).then_some(tilings)
        })?;
        Ok(tilings.iter().map(|tiling| values::tiling(py, tiling)).collect::<PyResult<_>>()?)
    }

    /// Whether the 48 dominoes can make it, each used at most once: whether it has `tilings`.
    fn can_be_built(&self, py: Python<'_>) -> bool {
        py.detach(|| self.0.can_be_built())
    }

    /// The doubts about it as a real kingdom: squares that no domino has, or more of them than all dominoes have
    /// together, an odd number of squares, squares that no dominoes make. A list of Doubt, empty for the kingdom of a game.
    fn doubts<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let checks = py.detach(|| engine::Layout::check(&[engine::Layout::from(&self.0)]));
        checks.iter().flat_map(|check| &check.doubts).map(|doubt| values::doubt(py, doubt)).collect()
    }

    /// The picture that a notebook shows: `kingdomino.svg.kingdom(self)`.
    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("kingdomino.svg")?.call_method1("kingdom", (slf,))
    }

    /// The board that a terminal shows: `kingdomino.text.kingdom(self)`.
    fn __str__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("kingdomino.text")?.call_method1("kingdom", (slf,))
    }

    fn __repr__(&self) -> String {
        format!("Kingdom.parse('{}', size={})", self.0, self.size())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String, i8))> {
        let kingdom = slf.get();
        Ok((slf.get_type().getattr("parse")?, (kingdom.to_text(), kingdom.size())))
    }
}
