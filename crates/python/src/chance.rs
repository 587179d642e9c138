//! `Position.chance_outcomes`.

use kingdomino_rules as engine;
use pyo3::prelude::*;

use crate::shared::Shared;
use crate::values;

/// The chance events possible in a position: a collection of pairs (event, probability), made as they are read.
#[pyclass(frozen, module = "kingdomino")]
pub(crate) struct ChanceOutcomes(pub(crate) engine::Position);

/// An iterator over the outcomes.
#[pyclass(frozen, module = "kingdomino")]
struct ChanceIterator(Shared<Box<dyn Iterator<Item = (engine::Chance, f64)> + Send + Sync>>);

#[pymethods]
impl ChanceOutcomes {
    fn __len__(&self) -> usize {
        self.0.chance_outcomes().len()
    }

    fn __iter__(&self) -> ChanceIterator {
        ChanceIterator(Shared::new(Box::new(self.0.chance_outcomes())))
    }

    fn __repr__(&self) -> String {
        format!("Position.parse('{}').chance_outcomes()", self.0)
    }
}

#[pymethods]
impl ChanceIterator {
    const fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<(Bound<'py, PyAny>, f64)>> {
        let next = self.0.with(Iterator::next);
        next.map(|(chance, probability)| Ok((values::event(py, chance.into(), None)?, probability)))
            .transpose()
    }
}
