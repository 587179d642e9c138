//! `kingdomino.Actions`.

use kingdomino_rules as engine;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PySlice, PyString};

use crate::action::Action;
use crate::arguments::Decision;
use crate::errors::Result;

/// The legal actions of a position, each once: an immutable sequence. It is equal to any other sequence of the same
/// actions.
///
/// `action in actions` takes an action or its text and costs the same for any number of actions. Of the two ways to
/// place a domino whose ends are alike, only one is in the sequence; `Position.is_legal` accepts both.
#[pyclass(frozen, sequence, module = "kingdomino")]
pub(crate) struct Actions {
    position: engine::Position,
    actions: engine::Actions,
}

impl Actions {
    pub(crate) fn of(position: &engine::Position) -> Actions {
        Actions { position: *position, actions: position.legal_actions() }
    }

    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.actions.iter().map(|action| Action(*action)))
    }
}

#[pymethods]
impl Actions {
    fn __len__(&self) -> usize {
        self.actions.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if index.is_instance_of::<PySlice>() {
            return self.list(py)?.as_any().get_item(index);
        }
        let index: isize = index.extract()?;
        let from_start = if index < 0 {
            self.actions.len().checked_add_signed(index)
        } else {
            usize::try_from(index).ok()
        };
        let action = from_start.and_then(|index| self.actions.get(index));
        let action = action.ok_or_else(|| PyIndexError::new_err("there is no such action"))?;
        Ok(Bound::new(py, Action(*action))?.into_any())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.list(py)?.try_iter()
    }

    /// Whether it is one of the actions, or the text of one. Raises ParseError for a text that is not an action.
    fn __contains__(&self, action: &Bound<'_, PyAny>) -> Result<bool> {
        if !action.is_instance_of::<Action>() && !action.is_instance_of::<PyString>() {
            return Ok(false);
        }
        let action = action.extract::<Decision>()?.0;
        Ok(self.position.check(action).is_ok() && self.position.canonical(action) == action)
    }

    /// The place of an action, or of the one with this text, in the sequence. Raises ValueError if it is not legal.
    fn index(&self, action: Decision) -> PyResult<usize> {
        let action = self.position.canonical(action.0);
        let place = self.actions.iter().position(|legal| *legal == action);
        place.ok_or_else(|| PyValueError::new_err(format!("{action} is not one of the legal actions")))
    }

    /// 1 for a legal action, or its text, else 0.
    fn count(&self, action: &Bound<'_, PyAny>) -> Result<usize> {
        self.__contains__(action).map(usize::from)
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        if let Ok(other) = other.cast::<Actions>() {
            return Ok(self.actions == other.get().actions);
        }
        let others: Vec<_> = if other.is_instance_of::<PyString>() {
            return Ok(false);
        } else {
            match other.try_iter() {
                Ok(items) => items.collect::<PyResult<_>>()?,
                Err(_) => return Ok(false),
            }
        };
        self.list(py)?.eq(PyList::new(py, others)?)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.list(py)?.repr()?.to_string())
    }
}
