//! `kingdomino.Kingdom`.

use kingdomino_rules as engine;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyType};

use crate::arguments::{Domino, Placement, Size, Text, coordinates, no_others, pair, shown, whole};
use crate::errors::{Error, Result};
use crate::rules::Rules;
use crate::values;

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

    /// The kingdom with these squares: (x, y) -> (terrain, crowns), without the castle.
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
            setup.add(x, y, &terrain, crowns);
        }
        Ok(Kingdom(setup.validate(size.0)?))
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
