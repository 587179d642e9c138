//! `kingdomino.photo`: pictures from Python.

use kingdomino_photo as photo;
use kingdomino_rules as engine;
use numpy::{PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};

use crate::arguments::Size;
use crate::errors::{Error, Result};
use crate::kingdom::Kingdom;
use crate::values;

/// A picture: the bytes of a file, or an array.
pub(crate) enum Source {
    File(Vec<u8>),
    Pixels { height: usize, width: usize, channels: usize, bytes: Vec<u8> },
}

impl<'py> FromPyObject<'_, 'py> for Source {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = value.cast::<PyBytes>() {
            return Ok(Source::File(bytes.as_bytes().to_vec()));
        }
        let array: PyReadonlyArray3<'py, u8> = value.extract().map_err(|_| {
            Error::Type("a picture is a path, bytes, or an array (height, width, 3 or 4) of uint8".into())
        })?;
        let &[height, width, channels] = array.shape() else { unreachable!("the array has three axes") };
        let bytes = array.as_array().iter().copied().collect();
        Ok(Source::Pixels { height, width, channels, bytes })
    }
}

impl Source {
    fn picture(self) -> std::result::Result<photo::Picture, Wrong> {
        match self {
            Source::File(bytes) => photo::Picture::decode(&bytes).map_err(Wrong::Picture),
            Source::Pixels { height, width, channels, bytes } => {
                photo::Picture::from_pixels(width, height, channels, &bytes).ok_or(Wrong::Shape)
            }
        }
    }
}

/// The fault of a picture.
enum Wrong {
    Picture(photo::PictureError),
    Shape,
}

impl From<photo::PictureError> for Wrong {
    fn from(error: photo::PictureError) -> Wrong {
        Wrong::Picture(error)
    }
}

impl From<Wrong> for Error {
    fn from(wrong: Wrong) -> Error {
        match wrong {
            Wrong::Picture(error) => Error::Picture(error),
            Wrong::Shape => Error::Value(
                "the array is no picture: its shape is (height, width, 3 or 4), with 1 to 50 million pixels"
                    .into(),
            ),
        }
    }
}

/// Examples of the squares of one box, from `kingdomino.photo.teach`. Immutable, hashable, comparable and picklable.
///
/// `Taught()` has none. `Taught.from_bytes` reads what `to_bytes` writes.
#[pyclass(frozen, eq, hash, module = "kingdomino.photo")]
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Taught(photo::Taught);

#[pymethods]
impl Taught {
    #[new]
    fn new() -> Taught {
        Taught::default()
    }

    /// Return the examples as bytes, 129 for each direction of a square.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_bytes())
    }

    /// Return the examples whose bytes `to_bytes` wrote. Raises KingdominoError for others.
    #[classmethod]
    fn from_bytes(_: &Bound<'_, PyType>, data: &[u8]) -> Result<Taught> {
        let taught = photo::Taught::from_bytes(data);
        taught.map(Taught).ok_or_else(|| Error::Value("these bytes are no examples of squares".into()))
    }

    fn __repr__<'py>(&self, py: Python<'py>) -> PyResult<String> {
        if self.0 == photo::Taught::default() {
            return Ok("Taught()".into());
        }
        Ok(format!("Taught.from_bytes({})", self.to_bytes(py).repr()?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((slf.get_type().getattr("from_bytes")?, (slf.get().to_bytes(slf.py()),)))
    }
}

/// Return the reading of a picture, for `kingdomino.photo.read`: a kingdom or None, the corners, and for each square its content,
/// probability, two other contents, and whether it is doubtful. The table is None.
#[pyfunction]
#[pyo3(signature = (picture, size, corners, taught))]
pub(crate) fn photo_read<'py>(
    py: Python<'py>,
    picture: Source,
    size: Size,
    corners: Option<[(f64, f64); 4]>,
    taught: Option<&Taught>,
) -> Result<(Option<Kingdom>, photo::Corners, Bound<'py, PyTuple>)> {
    let taught = taught.map(|taught| &taught.0);
    let reading = py.detach(|| Ok::<_, Wrong>(photo::read(&picture.picture()?, size.0, corners, taught)?))?;
    let content = |content| match content {
        photo::Content::End(engine::End { terrain, crowns }) => {
            values::square(py, Some((terrain, crowns))).map(Some)
        }
        photo::Content::Castle => values::square(py, None).map(Some),
        photo::Content::Empty => Ok(None),
    };
    let squares = reading.squares.iter().map(|square| {
        let [second, third] = square.others;
        let others = (content(second)?, content(third)?);
        Ok((content(square.content)?, square.probability, others, square.is_doubtful))
    });
    let squares = PyTuple::new(py, squares.collect::<PyResult<Vec<_>>>()?)?;
    Ok((reading.kingdom.map(Kingdom), reading.corners, squares))
}

/// Return the examples with the squares of a picture added, for `kingdomino.photo.teach`. The table is None.
#[pyfunction]
#[pyo3(signature = (picture, squares, size, corners, taught))]
pub(crate) fn photo_teach(
    py: Python<'_>,
    picture: Source,
    squares: Vec<Option<(String, u8)>>,
    size: Size,
    corners: Option<[(f64, f64); 4]>,
    taught: &Taught,
) -> Result<Taught> {
    let content = |square: Option<(String, u8)>| match square {
        None => Ok(photo::Content::Empty),
        Some((name, _)) if name == "castle" => Ok(photo::Content::Castle),
        Some((name, crowns)) => Ok(photo::Content::End(engine::End { terrain: name.parse()?, crowns })),
    };
    let contents =
        squares.into_iter().map(content).collect::<std::result::Result<Vec<_>, engine::ParseError>>()?;
    let expected = (size.0.squares() as usize).pow(2);
    if contents.len() != expected {
        return Err(Error::Value(format!("{} squares are given: there are {expected}", contents.len())));
    }
    let mut taught = taught.0.clone();
    py.detach(|| Ok::<_, Wrong>(taught.teach(&picture.picture()?, size.0, corners, &contents)?))?;
    Ok(Taught(taught))
}
