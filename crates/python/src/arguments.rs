//! Reading what a call from Python hands over: numbers, texts, dominoes, placements, actions.
//!
//! A value of the right kind that cannot be (domino 99, seat -1) is a `KingdominoError`; only a value
//! of the wrong kind (a domino that is a list) is a `TypeError`.

use kingdomino_rules as engine;
use pyo3::exceptions::{PyOverflowError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString, PyTuple};
use pyo3::{Borrowed, FromPyObject};

use crate::action::Action;
use crate::errors::{Error, Result};
use crate::values;

/// How a value is shown in a message: its repr, kept short.
pub(crate) fn shown(value: &Bound<'_, PyAny>) -> String {
    const LONGEST: usize = 60;
    let Ok(text) = value.repr() else {
        // Python writes no number of more than 4300 digits; anything else may refuse to be shown too.
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

/// A whole number; `None` where `T` does not reach, and for a bool, which counts nothing.
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
        Err(error) => Err(error.into()),
    }
}

/// A whole number in this range, or a sentence that says what was expected.
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

/// Declares a kind of argument: what it holds, how it is read.
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
    /// A seed: any whole number of 64 bits.
    Seed(u64),
    |value| counted(value, .., "a seed (a whole number from 0 to 2**64 - 1)")
);

argument!(
    /// A seat; that the game has it is for the caller to see.
    Seat(usize),
    |value| counted(value, .., "a seat (they are numbered from 0)")
);

argument!(
    /// A number of plies.
    Plies(usize),
    |value| counted(value, .., "a number of plies (0 or more)")
);

argument!(
    /// How many threads work together.
    Threads(usize),
    |value| counted(value, 1..=1024, "a number of threads (1 to 1024)")
);

argument!(
    /// The side of the largest box of a kingdom.
    Size(engine::KingdomSize),
    |value| {
        let size = whole(value)?.and_then(engine::KingdomSize::from_squares);
        size.ok_or_else(|| Error::fault(format!("a kingdom is 5 or 7 squares wide, not {}", shown(value))))
    }
);

argument!(
    /// A text. Python strings may hold halves of characters, which nothing can write down.
    Text(String),
    |value| {
        let text = value.cast::<PyString>().map_err(PyErr::from)?;
        match text.to_cow() {
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

/// Both items of a pair; `wrong` is what is said of anything else.
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

/// `(x, y)` of a square that may lie anywhere; `None` where no number of 64 bits can say where.
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
