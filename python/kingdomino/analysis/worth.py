"""The worth of each domino of a line to every kingdom. The engine computes it (crates/search/src/value/worth.rs)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from pydantic import TypeAdapter

from kingdomino import _core
from kingdomino._core import Position


@dataclass(frozen=True, slots=True)
class DominoWorth:
    """The worth of a domino of the line being claimed to every kingdom.

    domino: its number.
    seat: the seat of the king on it, or None.
    gains: for every seat, how many more points its kingdom can expect with the domino than without it; None if the
        domino fits nowhere.
    """

    domino: int
    seat: int | None
    gains: tuple[float | None, ...]


def worth(position: Position) -> tuple[DominoWorth, ...]:
    """Return the worth of each domino of the line being claimed to every kingdom, lowest number first; nothing if no
    line is being claimed, and in the opening round.

    Each kingdom first gets the dominoes under its kings. The networks predict its score with and without the domino,
    at the best place; after the last line, the gain is the domino's own points. Other players' claims do not count: a
    search knows more, but takes longer. This takes some milliseconds.
    """
    return _found().validate_json(_core.worth(position))


@cache
def _found() -> TypeAdapter[tuple[DominoWorth, ...]]:
    return TypeAdapter(tuple[DominoWorth, ...])
