//! Builds the values of `kingdomino.values` and `kingdomino.evaluation`.

use kingdomino_rules as engine;
use kingdomino_search as search;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyFrozenSet, PyTuple};

use crate::action::Action;

type Object<'py> = PyResult<Bound<'py, PyAny>>;

/// The classes of `kingdomino.values`, and the values that are built once.
struct Values {
    /// The six of `engine::Terrain::ALL`, then the castle.
    terrains: Py<PyTuple>,
    dominoes: Py<PyTuple>,
    /// Each terrain with 0, 1, 2 and 3 crowns, then the castle.
    squares: Py<PyTuple>,
    placement: Py<PyAny>,
    territory: Py<PyAny>,
    score: Py<PyAny>,
    outcome: Py<PyAny>,
    prospects: Py<PyAny>,
    slot: Py<PyAny>,
    refusal: Py<PyAny>,
    refusal_code: Py<PyAny>,
    fault: Py<PyAny>,
    doubt: Py<PyAny>,
    playout_result: Py<PyAny>,
}

impl Values {
    fn get(py: Python<'_>) -> PyResult<&'static Values> {
        static VALUES: PyOnceLock<Values> = PyOnceLock::new();
        VALUES.get_or_try_init(py, || {
            let module = py.import("kingdomino.values")?;
            let class = |name: &str| module.getattr(name);
            let member = class("Terrain")?;
            let names = engine::Terrain::ALL.iter().map(|terrain| terrain.name()).chain(["castle"]);
            let terrains: Vec<_> = names.map(|name| member.call1((name,))).collect::<PyResult<_>>()?;
            let terrains = PyTuple::new(py, terrains)?;

            let (domino, end) = (class("Domino")?, class("End")?);
            let dominoes = engine::Domino::all().map(|number| {
                let [left, right] = number
                    .ends()
                    .map(|half| end.call1((terrains.get_item(half.terrain as usize)?, half.crowns)));
                domino.call1((number.number(), left?, right?))
            });
            let square = class("Square")?;
            let squares = (0..=4 * engine::Terrain::ALL.len())
                .map(|index| square.call1((terrains.get_item(index / 4)?, index % 4)));
            Ok(Values {
                squares: PyTuple::new(py, squares.collect::<PyResult<Vec<_>>>()?)?.unbind(),
                dominoes: PyTuple::new(py, dominoes.collect::<PyResult<Vec<_>>>()?)?.unbind(),
                terrains: terrains.unbind(),
                placement: class("Placement")?.unbind(),
                territory: class("Territory")?.unbind(),
                score: class("Score")?.unbind(),
                outcome: class("Outcome")?.unbind(),
                prospects: class("Prospects")?.unbind(),
                slot: class("Slot")?.unbind(),
                refusal: class("Refusal")?.unbind(),
                refusal_code: class("RefusalCode")?.unbind(),
                fault: class("Fault")?.unbind(),
                doubt: class("Doubt")?.unbind(),
                playout_result: class("PlayoutResult")?.unbind(),
            })
        })
    }
}

/// All 48 dominoes, lowest first. Every domino in Python is one of these objects.
pub(crate) fn all_dominoes(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    Ok(Values::get(py)?.dominoes.bind(py).clone())
}

pub(crate) fn domino(py: Python<'_>, domino: engine::Domino) -> Object<'_> {
    Values::get(py)?.dominoes.bind(py).get_item(domino.index())
}

pub(crate) fn dominoes(
    py: Python<'_>,
    dominoes: impl IntoIterator<Item = engine::Domino>,
) -> PyResult<Bound<'_, PyTuple>> {
    let dominoes = dominoes.into_iter().map(|number| domino(py, number));
    PyTuple::new(py, dominoes.collect::<PyResult<Vec<_>>>()?)
}

pub(crate) fn domino_set(py: Python<'_>, set: engine::DominoSet) -> PyResult<Bound<'_, PyFrozenSet>> {
    PyFrozenSet::new(py, dominoes(py, set)?)
}

/// The (x, y) of a square.
pub(crate) const fn coordinates(square: engine::Square) -> (i8, i8) {
    (square.x, square.y)
}

/// A covered square; `None` stands for the castle.
pub(crate) fn square(py: Python<'_>, covered: Option<(engine::Terrain, u8)>) -> Object<'_> {
    let (index, crowns) =
        covered.map_or((engine::Terrain::ALL.len(), 0), |(terrain, crowns)| (terrain as usize, crowns));
    Values::get(py)?.squares.bind(py).get_item(4 * index + usize::from(crowns))
}

pub(crate) fn placement(py: Python<'_>, placement: engine::Placement) -> Object<'_> {
    let engine::Placement { left, right } = placement;
    Values::get(py)?.placement.bind(py).call1((coordinates(left), coordinates(right)))
}

pub(crate) fn territory<'py>(
    py: Python<'py>,
    kingdom: &engine::Kingdom,
    territory: &engine::Territory,
) -> Object<'py> {
    let values = Values::get(py)?;
    let terrain = values.terrains.bind(py).get_item(territory.terrain as usize)?;
    let squares = PyFrozenSet::new(py, kingdom.squares_in(territory).map(coordinates))?;
    values.territory.bind(py).call1((terrain, squares, territory.crowns))
}

pub(crate) fn score(py: Python<'_>, score: engine::Score) -> Object<'_> {
    let engine::Score { territories, harmony, middle_kingdom } = score;
    Values::get(py)?.score.bind(py).call1((score.total(), territories, harmony, middle_kingdom))
}

/// The dominoes of a line with their kings.
pub(crate) fn slots(py: Python<'_>, slots: engine::Slots) -> PyResult<Bound<'_, PyTuple>> {
    let class = Values::get(py)?.slot.bind(py);
    let slots =
        slots.into_iter().map(|slot| class.call1((domino(py, slot.domino)?, slot.seat, slot.is_done)));
    PyTuple::new(py, slots.collect::<PyResult<Vec<_>>>()?)
}

/// The classes of `kingdomino.events`, in the order of `engine::Event`.
fn event_classes(py: Python<'_>) -> PyResult<&'static [Py<PyAny>; 7]> {
    static CLASSES: PyOnceLock<[Py<PyAny>; 7]> = PyOnceLock::new();
    CLASSES.get_or_try_init(py, || {
        let module = py.import("kingdomino.events")?;
        let class = |name: &str| module.getattr(name).map(Bound::unbind);
        Ok([
            class("LineRevealed")?,
            class("KingDrawn")?,
            class("Claimed")?,
            class("Placed")?,
            class("Discarded")?,
            class("RoundBegan")?,
            class("Finished")?,
        ])
    })
}

/// An event, of a game with this outcome if it is over.
pub(crate) fn event<'py>(
    py: Python<'py>,
    event: engine::Event,
    ended: Option<&engine::Outcome>,
) -> Object<'py> {
    let [revealed, drawn, claimed, placed, discarded, began, finished] = event_classes(py)?;
    match event {
        engine::Event::LineRevealed(line) => revealed.bind(py).call1((dominoes(py, line)?,)),
        engine::Event::KingDrawn(seat) => drawn.bind(py).call1((seat,)),
        engine::Event::Claimed(seat, number) => claimed.bind(py).call1((seat, domino(py, number)?)),
        engine::Event::Placed(seat, number, at) => {
            placed.bind(py).call1((seat, domino(py, number)?, placement(py, at)?))
        }
        engine::Event::Discarded(seat, number) => discarded.bind(py).call1((seat, domino(py, number)?)),
        engine::Event::RoundBegan(round) => began.bind(py).call1((round,)),
        engine::Event::Finished => {
            finished.bind(py).call1((ended.map(|ended| outcome(py, ended)).transpose()?,))
        }
    }
}

/// The events, in order, of a game with this outcome if it is over.
pub(crate) fn events<'py>(
    py: Python<'py>,
    events: &[engine::Event],
    ended: Option<&engine::Outcome>,
) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, events.iter().map(|each| event(py, *each, ended)).collect::<PyResult<Vec<_>>>()?)
}

/// One score for each seat.
pub(crate) fn scores<'py>(py: Python<'py>, scores: &[engine::Score]) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, scores.iter().map(|value| score(py, *value)).collect::<PyResult<Vec<_>>>()?)
}

/// Bounds on the future of this seat's kingdom.
pub(crate) fn prospects<'py>(
    py: Python<'py>,
    position: &engine::Position,
    seat: engine::Seat,
) -> Object<'py> {
    let prospects = position.prospects(seat);
    let (rules, kingdom) = (position.rules(), &position.kingdoms()[seat]);
    let growing = prospects.growing().map(|one| territory(py, kingdom, &one));
    Values::get(py)?.prospects.bind(py).call1((
        domino_set(py, prospects.dominoes())?,
        prospects.placements(),
        PyFrozenSet::new(py, prospects.fillable().map(coordinates))?,
        PyTuple::new(py, growing.collect::<PyResult<Vec<_>>>()?)?,
        rules.harmony_points() > 0 && prospects.can_be_filled(),
        rules.middle_kingdom_points() > 0 && prospects.can_be_centred(),
    ))
}

/// Why an action is not legal.
pub(crate) fn refusal<'py>(py: Python<'py>, refusal: &engine::Refusal) -> Object<'py> {
    let values = Values::get(py)?;
    let facts = refusal.facts();
    let terrain = |terrain: engine::Terrain| values.terrains.bind(py).get_item(terrain as usize);
    values.refusal.bind(py).call1((
        values.refusal_code.bind(py).call1((refusal.code(),))?,
        refusal.to_string(),
        facts.domino.map(|number| domino(py, number)).transpose()?,
        facts.seat,
        facts.square.map(coordinates),
        facts.width,
        facts.height,
        PyTuple::new(py, facts.terrains.into_iter().map(terrain).collect::<PyResult<Vec<_>>>()?)?,
        dominoes(py, facts.line)?,
    ))
}

/// All faults of a set-up.
pub(crate) fn faults<'py>(py: Python<'py>, faults: &engine::Faults) -> PyResult<Bound<'py, PyTuple>> {
    let faults = faults.list().iter().map(|each| fault(py, each));
    PyTuple::new(py, faults.collect::<PyResult<Vec<_>>>()?)
}

pub(crate) fn fault<'py>(py: Python<'py>, fault: &engine::Fault) -> Object<'py> {
    let facts = fault.facts();
    Values::get(py)?.fault.bind(py).call1((
        fault.code(),
        fault.to_string(),
        facts.seat,
        facts.square,
        dominoes(py, facts.dominoes)?,
        facts.found,
        facts.expected,
    ))
}

/// Something in a kingdom on a real table that cannot be.
pub(crate) fn doubt<'py>(py: Python<'py>, doubt: &engine::Doubt) -> Object<'py> {
    let values = Values::get(py)?;
    let facts = doubt.fault.facts();
    let terrain = facts.terrain.map(|terrain| values.terrains.bind(py).get_item(terrain as usize));
    values.doubt.bind(py).call1((
        doubt.fault.code(),
        doubt.fault.to_string(),
        PyTuple::new(py, doubt.squares.iter().map(|square| coordinates(*square)))?,
        terrain.transpose()?,
        facts.crowns,
        facts.found,
        facts.expected,
    ))
}

/// Dominoes and their placements.
pub(crate) fn tiling<'py>(py: Python<'py>, tiling: &engine::Tiling) -> PyResult<Bound<'py, PyTuple>> {
    let pairs = tiling.iter().map(|(number, at)| Ok((domino(py, *number)?, placement(py, *at)?)));
    PyTuple::new(py, pairs.collect::<PyResult<Vec<_>>>()?)
}

pub(crate) fn outcome<'py>(py: Python<'py>, outcome: &engine::Outcome) -> Object<'py> {
    Values::get(py)?.outcome.bind(py).call1((
        scores(py, &outcome.scores)?,
        PyTuple::new(py, &outcome.places)?,
        PyTuple::new(py, &outcome.ranking)?,
        PyTuple::new(py, &outcome.winners)?,
        outcome.decided_by.name(),
        PyTuple::new(py, outcome.behind_by.iter().map(|rule| rule.map(engine::DecidedBy::name)))?,
        PyTuple::new(py, &outcome.largest_territories)?,
        PyTuple::new(py, &outcome.crowns)?,
    ))
}

pub(crate) fn playout_result<'py>(py: Python<'py>, result: &search::PlayoutResult) -> Object<'py> {
    Values::get(py)?.playout_result.bind(py).call1((
        result.n,
        PyTuple::new(py, &result.mean_scores)?,
        PyTuple::new(py, &result.mean_margin)?,
        PyTuple::new(py, &result.win_rates)?,
        PyTuple::new(py, &result.score_deviations)?,
        PyTuple::new(py, &result.margin_deviations)?,
    ))
}

/// The classes of `kingdomino.evaluation`. That module imports the engine, so its classes are looked up when first
/// needed.
fn analyses(py: Python<'_>) -> PyResult<&'static [Py<PyAny>; 4]> {
    static CLASSES: PyOnceLock<[Py<PyAny>; 4]> = PyOnceLock::new();
    CLASSES.get_or_try_init(py, || {
        let module = py.import("kingdomino.evaluation")?;
        let class = |name: &str| module.getattr(name).map(Bound::unbind);
        Ok([class("Analysis")?, class("ActionAnalysis")?, class("Annotation")?, class("Stop")?])
    })
}

pub(crate) fn analysis<'py>(py: Python<'py>, analysis: &search::Analysis, seat: engine::Seat) -> Object<'py> {
    let [whole, part, ..] = analyses(py)?;
    let actions = analysis.actions.iter().map(|known| {
        part.bind(py).call1((
            Action(known.action),
            known.playouts,
            PyTuple::new(py, &known.win_rates)?,
            PyTuple::new(py, &known.mean_scores)?,
            PyTuple::new(py, &known.mean_margin)?,
            PyTuple::new(py, known.line.iter().map(|action| Action(*action)))?,
        ))
    });
    let actions = PyTuple::new(py, actions.collect::<PyResult<Vec<_>>>()?)?;
    whole.bind(py).call1((actions, analysis.playouts, analysis.exact, seat))
}

/// Why a search stopped.
pub(crate) fn stop(py: Python<'_>, stop: search::Stop) -> Object<'_> {
    let [.., class] = analyses(py)?;
    class.bind(py).call1((stop.name(),))
}

pub(crate) fn annotation<'py>(py: Python<'py>, annotation: &engine::Annotation) -> Object<'py> {
    let [_, _, class, _] = analyses(py)?;
    class.bind(py).call1((
        PyTuple::new(py, &annotation.win_rates)?,
        PyTuple::new(py, &annotation.mean_scores)?,
        PyTuple::new(py, &annotation.mean_margin)?,
        annotation.best.map(Action),
        annotation.cost,
        annotation.cost_points,
    ))
}
