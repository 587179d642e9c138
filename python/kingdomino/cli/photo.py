"""Kingdoms in photographs, for ``kingdomino score``."""

from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer
from rich.console import Console

import kingdomino as kd

CornersOption: TypeAlias = Annotated[
    tuple[str, str, str, str] | None,
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


def read_kingdom(
    file: Path, size: int, corners: tuple[str, str, str, str] | None, console: Console
) -> kd.Kingdom:
    """Read a kingdom, and print the squares to check. Raises KingdominoError and OSError."""
    points = None if corners is None else [_point(corner) for corner in corners]
    reading = kd.photo.read(file, size, points)
    for square in reading.doubtful:
        console.print(
            f"check row {square.row + 1} column {square.column + 1}: {_named(square.square)} "
            f"({square.probability:.0%}), or {_named(square.other)}",
            markup=False,
        )
    if reading.kingdom is None:
        raise kd.KingdominoError(f"{file}: no kingdom of real dominoes looks like this: give it as text")
    return reading.kingdom


def _point(text: str) -> tuple[float, float]:
    try:
        x, y = text.split(",")
        return float(x), float(y)
    except ValueError:
        raise kd.KingdominoError(f"{text!r} is no corner (like 120,80)") from None


def _named(square: kd.Square | None) -> str:
    if square is None:
        return "empty"
    return f"{square.terrain} {square.crowns}" if square.crowns else str(square.terrain)
