"""Reads photographs of real kingdoms.

    >>> import kingdomino as kd
    >>> reading = kd.photo.read("kitchen.jpg")  # doctest: +SKIP
    >>> if reading.kingdom is not None:  # doctest: +SKIP
    ...     print(reading.kingdom.score().total, reading.doubtful)

A small network looks at each square. The reading is the most likely kingdom that the 48 dominoes can make, each used at
most once, with one castle. The network has learned the first edition's dominoes; `teach` shows it another box's.
"""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kingdomino._core import Kingdom, Taught, photo_read, photo_teach
from kingdomino.errors import PictureError
from kingdomino.values import Square

__all__ = ["Corners", "Picture", "PictureError", "ReadSquare", "Reading", "Taught", "read", "teach"]

Picture: TypeAlias = str | PathLike[str] | bytes | NDArray[np.uint8]
"""A path, the bytes of a JPEG, PNG or WebP file, or an array (height, width, 3 or 4) of colours (and opacity)."""
Corners: TypeAlias = Sequence[tuple[float, float]]
"""The kingdom's corners as (x, y) in pixels from the top left: top left, top right, bottom right, bottom left."""


class ReadSquare(NamedTuple):
    """The content of one square of a picture, and its probability."""

    row: int
    """From the top, 0 and more."""
    column: int
    """From the left, 0 and more."""
    square: Square | None
    """The terrain, or the castle, and the crowns; None for the table."""
    probability: float
    """The probability of this content, 0 to 1."""
    others: tuple[Square | None, Square | None]
    """The content in the most likely kingdom that differs here, and one more candidate."""
    is_doubtful: bool
    """Whether a person should check it."""


class Reading(NamedTuple):
    """The reading of a picture."""

    kingdom: Kingdom | None
    """The most likely kingdom; None if dominoes cannot make it, or if it falls apart."""
    squares: tuple[ReadSquare, ...]
    """All squares, row by row from the top."""
    corners: Corners
    """Where the kingdom is in the picture."""

    @property
    def doubtful(self) -> tuple[ReadSquare, ...]:
        """The squares that a person should check."""
        return tuple(square for square in self.squares if square.is_doubtful)


def read(
    picture: Picture, size: int = 5, corners: Corners | None = None, taught: Taught | None = None
) -> Reading:
    """Read the kingdom in a picture.

    size: the squares of a side, 5 or 7.
    corners: of the kingdom in the picture. By default they are found if the kingdom differs from its table and hardly a
        square is doubtful; otherwise the kingdom fills the picture.
    taught: examples from `teach`, for another edition.

    Takes a fraction of a second for any picture, and releases the interpreter's lock. The same picture gives the same
    reading on every machine.

    Raises PictureError for a file or a picture that cannot be read, OSError for a missing file, and KingdominoError for
    another size or array.
    """
    kingdom, found, squares = photo_read(_source(picture), size, _four(corners), taught)
    return Reading(
        kingdom,
        tuple(ReadSquare(number // size, number % size, *square) for number, square in enumerate(squares)),
        tuple(found),
    )


def teach(
    picture: Picture,
    squares: Sequence[Square | tuple[str, int] | None],
    size: int = 5,
    corners: Corners | None = None,
    taught: Taught | None = None,
) -> Taught:
    """Return examples for `read`: how the squares of this picture look.

    squares: the content of each square, row by row from the top: a terrain and its crowns, or None for the table.
    taught: earlier examples to extend. The result keeps the examples of about ten kingdoms.

    Raises as `read` does, ParseError for an unknown terrain, and KingdominoError for a wrong number of squares.
    """
    return photo_teach(_source(picture), list(squares), size, _four(corners), taught or Taught())


def _source(picture: Picture) -> bytes | NDArray[np.uint8]:
    """Read the bytes of a path."""
    return Path(picture).read_bytes() if isinstance(picture, str | PathLike) else picture


def _four(corners: Corners | None) -> list[tuple[float, float]] | None:
    """Check the number of corners."""
    if corners is None:
        return None
    points = [(float(x), float(y)) for x, y in corners]
    if len(points) != 4:
        raise PictureError(f"there are four corners, not {len(points)}", "corners")
    return points
