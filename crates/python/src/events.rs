//! `kingdomino.Events`.

use kingdomino_rules as engine;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PySequence, PyString, PyTuple};

use crate::values;

/// The events that one action caused, in order: an immutable sequence, equal to any sequence of the same events. They
/// are made as they are read, so they cost nothing in a program that ignores them.
#[pyclass(frozen, sequence, module = "kingdomino")]
pub(crate) struct Events {
    pub(crate) events: engine::Events,
    /// How the game ended, if it did.
    pub(crate) outcome: Option<Box<engine::Outcome>>,
}

impl Events {
    fn tuple<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        values::events(py, &self.events, self.outcome.as_deref())
    }
}

#[pymethods]
impl Events {
    const fn __len__(&self) -> usize {
        self.events.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.tuple(py)?.as_any().get_item(index)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.tuple(py)?.try_iter()
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match other.cast::<PySequence>() {
            Ok(items) if !other.is_instance_of::<PyString>() => self.tuple(py)?.eq(items.to_tuple()?),
            _ => Ok(false),
        }
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.tuple(py)?.hash()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.tuple(py)?.repr()?.to_string())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyTuple>,))> {
        let py = slf.py();
        Ok((py.get_type::<PyTuple>().into_any(), (slf.get().tuple(py)?,)))
    }
}
