"""Kingdoms in photographs, for ``kingdomino score``."""

from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer
from rich.console import Console

import kingdomino as kd

Four: TypeAlias = tuple[str, str, str, str]
Corners: TypeAlias = Annotated[
    Four | None,
    typer.Option(
        "--corners",
        metavar="X,Y X,Y X,Y X,Y",
        help="The kingdom's corners in a photograph, in pixels: top left, top right, bottom right, bottom left.",
    ),
]
_SUFFIXES: Final = {".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".avif"}


def is_picture(given: str) -> bool:
    """Return whether this is the name of a picture."""
    return Path(given).suffix.lower() in _SUFFIXES and "\n" not in given


def read_kingdom(file: Path, size: int, corners: Four | None, console: Console) -> kd.Kingdom:
    """Read the kingdom in a picture, and print the squares to check. Raise `KingdominoError` or `OSError`."""
    points = None if corners is None else [_point(corner) for corner in corners]
    try:
        reading = kd.photo.read(file, size, points)
    except kd.PictureError as error:
        raise kd.PictureError(f"{file}: {error}", error.code) from error
    for square in reading.doubtful:
        console.print(
            f"check row {square.row + 1} column {square.column + 1}: {_named(square.square)} "
            f"({square.probability:.0%}), or {_named(square.others[0])}",
            markup=False,
        )
    if reading.kingdom is None:
        # Raises an error with the fault, row and column.
        squares = [square.square for square in reading.squares]
        return kd.Kingdom.from_grid(
            [squares[at : at + size] for at in range(0, len(squares), size)], size=size
        )
    return reading.kingdom


def _point(text: str) -> tuple[float, float]:
    try:
        x, y = map(float, text.split(","))
    except ValueError:
        raise kd.KingdominoError(f"{text!r} is no corner, like 120,80") from None
    return x, y


def _named(square: kd.Square | None) -> str:
    if square is None:
        return "empty"
    return f"{square.terrain} {square.crowns}" if square.crowns else str(square.terrain)
