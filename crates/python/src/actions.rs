//! `kingdomino.Actions`.

use kingdomino_rules as engine;
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PySequence, PySlice, PyString};

use crate::action::Action;
use crate::arguments::{Decision, shown};
use crate::errors::{Error, Result};

/// The legal actions of a position, each once: an immutable sequence. It is equal to any sequence of the same
/// actions.
///
/// `action in actions` takes an action or its text, in constant time. A domino with two equal ends can be placed on
/// two squares in two ways; only one is in the sequence, but `Position.is_legal` accepts both.
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

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>> {
        if index.is_instance_of::<PySlice>() {
            return Ok(self.list(py)?.as_any().get_item(index)?);
        }
        let length = self.actions.len();
        let from_start = match index.extract::<isize>() {
            Ok(from_end) if from_end < 0 => length.checked_add_signed(from_end),
            Ok(from_start) => usize::try_from(from_start).ok(),
            Err(error) if error.is_instance_of::<PyOverflowError>(py) => None,
            Err(_) => return Err(Error::Type(format!("{} is neither an index nor a slice", shown(index)))),
        };
        let action = from_start.and_then(|index| self.actions.get(index)).ok_or_else(|| {
            PyIndexError::new_err(format!("there is no action {} ({length} are legal)", shown(index)))
        })?;
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

    /// The index of one of the actions, or of the one with this text. Raises ValueError for another action.
    fn index(&self, action: Decision) -> PyResult<usize> {
        let place = self.actions.iter().position(|legal| *legal == action.0);
        place.ok_or_else(|| PyValueError::new_err(format!("{} is not one of the legal actions", action.0)))
    }

    /// 1 for one of the actions or its text, else 0.
    fn count(&self, action: &Bound<'_, PyAny>) -> Result<usize> {
        self.__contains__(action).map(usize::from)
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        if let Ok(other) = other.cast::<Actions>() {
            return Ok(self.actions == other.get().actions);
        }
        match other.cast::<PySequence>() {
            Ok(items) if !other.is_instance_of::<PyString>() && items.len()? == self.actions.len() => {
                self.list(py)?.eq(items.to_list()?)
            }
            _ => Ok(false),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.list(py)?.repr()?.to_string())
    }
}
