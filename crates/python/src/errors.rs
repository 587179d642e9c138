//! Maps the engine's errors to the classes of `kingdomino.errors`.

use kingdomino_photo as photo;
use kingdomino_rules as engine;
use kingdomino_rules::{Fault, Faults, ParseError, RecordError, Refusal};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use crate::action::Action;
use crate::values;

/// An error of a call from Python.
pub(crate) enum Error {
    /// A wrong value: KingdominoError.
    Value(String),
    /// Unknown options, or a combination that no rules set has: RulesError.
    Rules(String),
    /// An illegal action: IllegalActionError with the message, the refusal and the action.
    Illegal(String, Option<Refusal>, Option<engine::Action>),
    /// An unreadable text: ParseError.
    Parse(ParseError),
    /// A set-up with faults: SetupError.
    Setup(Faults),
    /// A record that contradicts itself or the rules: RecordError.
    Record(RecordError),
    /// A picture that cannot be read: PictureError.
    Picture(photo::PictureError),
    /// A value of the wrong type: TypeError.
    Type(String),
    /// Raised by Python.
    Raised(PyErr),
}

/// The result of a call from Python.
pub(crate) type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An illegal action.
    pub(crate) fn illegal(refusal: Refusal, action: engine::Action) -> Error {
        Error::Illegal(refusal.to_string(), Some(refusal), Some(action))
    }
}

/// A bot was asked where no seat is to move.
pub(crate) fn nothing_to_choose(position: &engine::Position) -> Error {
    let why = if position.is_over() { "the game is over" } else { "no seat is to move" };
    Error::Value(format!("{why}: there is nothing to choose"))
}

impl From<ParseError> for Error {
    fn from(error: ParseError) -> Error {
        Error::Parse(error)
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Error {
        Error::Setup(fault.into())
    }
}

impl From<Faults> for Error {
    fn from(faults: Faults) -> Error {
        Error::Setup(faults)
    }
}

impl From<RecordError> for Error {
    fn from(error: RecordError) -> Error {
        Error::Record(error)
    }
}

impl From<PyErr> for Error {
    fn from(error: PyErr) -> Error {
        Error::Raised(error)
    }
}

impl From<Error> for PyErr {
    fn from(error: Error) -> PyErr {
        Python::attach(|py| match Classes::get(py) {
            Ok(classes) => classes.raise(py, error),
            Err(missing) => missing,
        })
    }
}

/// The classes of `kingdomino.errors`.
struct Classes {
    value: Py<PyType>,
    rules: Py<PyType>,
    illegal: Py<PyType>,
    parse: Py<PyType>,
    setup: Py<PyType>,
    record: Py<PyType>,
    picture: Py<PyType>,
}

impl Classes {
    fn get(py: Python<'_>) -> PyResult<&'static Classes> {
        static CLASSES: PyOnceLock<Classes> = PyOnceLock::new();
        CLASSES.get_or_try_init(py, || {
            let module = py.import("kingdomino.errors")?;
            let class = |name: &str| PyResult::Ok(module.getattr(name)?.cast_into::<PyType>()?.unbind());
            Ok(Classes {
                value: class("KingdominoError")?,
                rules: class("RulesError")?,
                illegal: class("IllegalActionError")?,
                parse: class("ParseError")?,
                setup: class("SetupError")?,
                record: class("RecordError")?,
                picture: class("PictureError")?,
            })
        })
    }

    fn raise(&self, py: Python<'_>, error: Error) -> PyErr {
        let (class, message) = match error {
            Error::Value(message) => (&self.value, message),
            Error::Rules(message) => (&self.rules, message),
            Error::Illegal(message, refusal, action) => {
                let refusal = refusal.map(|refusal| values::refusal(py, &refusal)).transpose();
                return match refusal {
                    Ok(refusal) => PyErr::from_type(
                        self.illegal.bind(py).clone(),
                        (message, refusal.map(Bound::unbind), action.map(Action)),
                    ),
                    Err(error) => error,
                };
            }
            Error::Parse(error) => {
                let class = self.parse.bind(py).clone();
                return PyErr::from_type(class, (error.to_string(), error.text().to_owned(), error.offset()));
            }
            Error::Record(error) => {
                let refusal = error.refusal().map(|refusal| values::refusal(py, refusal)).transpose();
                return match (values::fault(py, error.fault()), refusal) {
                    (Ok(fault), Ok(refusal)) => PyErr::from_type(
                        self.record.bind(py).clone(),
                        (error.to_string(), fault.unbind(), error.number(), refusal.map(Bound::unbind)),
                    ),
                    (Err(error), _) | (_, Err(error)) => error,
                };
            }
            Error::Setup(faults) => {
                return match values::faults(py, &faults) {
                    Ok(list) => {
                        PyErr::from_type(self.setup.bind(py).clone(), (faults.to_string(), list.unbind()))
                    }
                    Err(error) => error,
                };
            }
            Error::Picture(error) => {
                let class = self.picture.bind(py).clone();
                return PyErr::from_type(class, (error.to_string(), error.code()));
            }
            Error::Type(message) => return PyTypeError::new_err(message),
            Error::Raised(error) => return error,
        };
        PyErr::from_type(class.bind(py).clone(), (message,))
    }
}

/// The work stopped early, but no event and no exception stopped it.
pub(crate) fn stopped() -> Error {
    Error::Raised(PyRuntimeError::new_err("the work stopped before its end"))
}
