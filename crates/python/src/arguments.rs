//! Reading arguments from Python: numbers, texts, dominoes, placements, actions.
//!
//! A value of the right type that does not exist (domino 99, seat -1) is a `KingdominoError`; a value of the wrong
//! type (a domino that is a list) is a `TypeError`. The message shows the value; PyO3 adds a note with the name of
//! the argument.

use kingdomino_rules as engine;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PySequence, PyString, PyTuple};
use pyo3::{Borrowed, FromPyObject, PyTypeInfo};

use crate::action::Action;
use crate::errors::{Error, Result};
use crate::values;

/// A value in a message: its repr, shortened.
pub(crate) fn shown(value: &Bound<'_, PyAny>) -> String {
    const LONGEST: usize = 60;
    let Ok(text) = value.repr() else {
        // Python refuses to write numbers of more than 4300 digits, and any class may have a faulty __repr__.
        let number = value.is_instance_of::<PyInt>();
        return if number { "(a number of thousands of digits)" } else { "(a value that cannot be shown)" }
            .into();
    };
    let text = text.to_string_lossy();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.into_owned(),
    }
}

/// A whole number; `None` if it does not fit into `T`, and for a bool.
pub(crate) fn whole<'py, T>(value: &Bound<'py, PyAny>) -> Result<Option<T>>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    if value.is_instance_of::<PyBool>() {
        return Ok(None);
    }
    match value.extract::<T>() {
        Ok(number) => Ok(Some(number)),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => Ok(None),
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => {
            Err(Error::Type(format!("{} is not a whole number", shown(value))))
        }
        Err(error) => Err(error.into()),
    }
}

/// A number in this range; `what` was expected, for the message.
pub(crate) fn measured(
    value: &Bound<'_, PyAny>,
    range: impl std::ops::RangeBounds<f64>,
    what: &str,
) -> Result<f64> {
    match value.extract::<f64>() {
        Ok(number) if range.contains(&number) => Ok(number),
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => {
            Err(Error::Type(format!("{} is not a number", shown(value))))
        }
        _ => Err(Error::Value(format!("{} is not {what}", shown(value)))),
    }
}

/// A whole number in this range; `what` was expected, for the message.
pub(crate) fn counted<'py, T>(
    value: &Bound<'py, PyAny>,
    range: impl std::ops::RangeBounds<T>,
    what: &str,
) -> Result<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr> + PartialOrd,
{
    let number = whole(value)?.filter(|number| range.contains(number));
    number.ok_or_else(|| Error::Value(format!("{} is not {what}", shown(value))))
}

/// Declares an argument type: its content and how it is read.
macro_rules! argument {
    ($(#[$doc:meta])* $name:ident($type:ty), $read:expr) => {
        $(#[$doc])*
        pub(crate) struct $name(pub(crate) $type);

        impl<'py> FromPyObject<'_, 'py> for $name {
            type Error = PyErr;

            fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
                let read: fn(&Bound<'py, PyAny>) -> Result<$type> = $read;
                Ok($name(read(&value)?))
            }
        }
    };
}
pub(crate) use argument;

argument!(
    /// A seed: a whole number of 64 bits.
    Seed(u64),
    |value| counted(value, .., "a seed (a whole number from 0 to 2**64 - 1)")
);

argument!(
    /// A seat, which a game may not have.
    Seat(usize),
    |value| counted(value, .., "a seat (they are numbered from 0)")
);

impl Seat {
    /// The seat, if games under these rules have it.
    pub(crate) fn under(&self, rules: &engine::Rules) -> Result<usize> {
        let fault = || Error::Value(format!("there is no seat {} (0 to {})", self.0, rules.players() - 1));
        Some(self.0).filter(|seat| *seat < rules.players()).ok_or_else(fault)
    }
}

argument!(
    /// A number of plies.
    Plies(usize),
    |value| counted(value, .., "a number of plies (0 or more)")
);

argument!(
    /// A number of threads.
    Threads(usize),
    |value| counted(value, 1..=1024, "a number of threads (1 to 1024)")
);

argument!(
    /// The side of the largest box of a kingdom.
    Size(engine::KingdomSize),
    |value| {
        let size = whole(value)?.and_then(engine::KingdomSize::from_squares);
        size.ok_or_else(|| engine::Fault::Size { text: shown(value) }.into())
    }
);

argument!(
    /// True or False.
    Flag(bool),
    |value| value.extract().map_err(|_| Error::Type(format!("{} is neither True nor False", shown(value))))
);

argument!(
    /// A text. Python strings may hold half a surrogate pair, which no encoding can write.
    Text(String),
    |value| {
        let text = value.cast::<PyString>();
        match text.map_err(|_| Error::Type(format!("{} is not a string", shown(value))))?.to_cow() {
            Ok(text) => Ok(text.into_owned()),
            Err(error) if error.is_instance_of::<PyUnicodeEncodeError>(value.py()) => Err(
                engine::ParseError::new(shown(value), format!("{} holds half a surrogate pair", shown(value))).into()
            ),
            Err(error) => Err(error.into()),
        }
    }
);

argument!(
    /// A domino, which must be one of the 48, or its number.
    Domino(engine::Domino),
    |value| {
        if value.is_instance_of::<PyTuple>() {
            let found = engine::Domino::all().zip(values::all_dominoes(value.py())?.iter());
            for (domino, known) in found {
                if value.eq(known)? {
                    return Ok(domino);
                }
            }
            return Err(Error::Value(format!("{} is not one of the 48 dominoes", shown(value))));
        }
        let domino = whole(value)?.and_then(engine::Domino::new);
        domino.ok_or_else(|| {
            Error::Value(format!("there is no domino {} (they are numbered 1 to 48)", shown(value)))
        })
    }
);

argument!(
    /// Two squares, each `(x, y)`, or the text of a placement.
    Placement(engine::Placement),
    |value| {
        if value.is_instance_of::<PyString>() {
            return Ok(value.extract::<Text>()?.0.parse()?);
        }
        let wrong = || format!("{} is not a placement (like \"1,0>2,0\" or ((1, 0), (2, 0)))", shown(value));
        let squares = pair(value, &wrong)?;
        let [left, right] = squares.each_ref().map(|square| {
            let [x, y] = pair(square, &wrong)?;
            match (whole(&x)?, whole(&y)?) {
                (Some(x), Some(y)) => Ok(engine::Square::new(x, y)),
                _ => Err(Error::Value(format!("{} is not a square near a castle", shown(square)))),
            }
        });
        Ok(engine::Placement { left: left?, right: right? })
    }
);

argument!(
    /// An action, or its text.
    Decision(engine::Action),
    |value| {
        if let Ok(action) = value.cast::<Action>() {
            return Ok(action.get().0);
        }
        if !value.is_instance_of::<PyString>() {
            let expected = "is neither an action nor the text of one (like \"claim 17\")";
            return Err(Error::Type(format!("{} {expected}", shown(value))));
        }
        Ok(value.extract::<Text>()?.0.parse()?)
    }
);

/// The most items in a sequence. No argument needs this many, but a range could fill the memory.
pub(crate) const MOST_ITEMS: usize = 4096;

/// A sequence, but not a string.
pub(crate) struct List<T>(pub(crate) Vec<T>);

impl<'py, T: FromPyObjectOwned<'py>> FromPyObject<'_, 'py> for List<T> {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match value.cast::<PySequence>() {
            Ok(items) if !value.is_instance_of::<PyString>() => {
                if items.len().map_or(true, |count| count > MOST_ITEMS) {
                    return Err(Error::Value(format!("{} is too long", shown(&value))).into());
                }
                value.extract().map(List)
            }
            _ => Err(Error::Type(format!("{} is not a sequence (like a list)", shown(&value))).into()),
        }
    }
}

/// Refuses unknown keyword arguments of a constructor. PyO3's own message would speak of `__new__`.
pub(crate) fn no_others<T: PyTypeInfo>(unknown: Option<&Bound<'_, PyDict>>) -> Result<()> {
    match unknown.and_then(|unknown| unknown.keys().iter().next()) {
        None => Ok(()),
        Some(name) => {
            let class = T::type_object(name.py());
            let signature = format!("{}{}", class.name()?, class.getattr("__text_signature__")?);
            Err(Error::Type(format!("{} has no argument {}: {signature}", class.name()?, shown(&name))))
        }
    }
}

/// Both items of a pair; `wrong` makes the message for anything else.
pub(crate) fn pair<'py>(
    value: &Bound<'py, PyAny>,
    wrong: &dyn Fn() -> String,
) -> Result<[Bound<'py, PyAny>; 2]> {
    let Ok(tuple) = value.cast::<PyTuple>() else { return Err(Error::Type(wrong())) };
    match tuple.len() {
        2 => Ok([tuple.get_item(0)?, tuple.get_item(1)?]),
        _ => Err(Error::Value(wrong())),
    }
}

/// The (x, y) of any square; `None` if they do not fit into 64 bits.
pub(crate) fn coordinates(value: &Bound<'_, PyAny>) -> Result<Option<(i64, i64)>> {
    let [x, y] = pair(value, &|| format!("{} is not a square (like (1, 0))", shown(value)))?;
    Ok(whole(&x)?.zip(whole(&y)?))
}

/// The option with this name; `error` makes the error for any other name.
pub(crate) fn option<T: Copy, const N: usize>(
    value: &Bound<'_, PyAny>,
    kind: &str,
    options: [(&str, T); N],
    error: fn(String) -> Error,
) -> Result<T> {
    let Text(name) = value.extract()?;
    match options.into_iter().find(|(known, _)| *known == name) {
        Some((_, option)) => Ok(option),
        None => {
            let names = options.map(|(known, _)| known);
            let (last, others) = names.split_last().unwrap_or((&"", &[]));
            Err(error(format!("there is no {kind} {name:?} ({} or {last})", others.join(", "))))
        }
    }
}
