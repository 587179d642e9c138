"""What each domino of a line would bring every kingdom. The engine works it out (crates/search/src/value/worth.rs)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from pydantic import TypeAdapter

from kingdomino import _core
from kingdomino._core import Position


@dataclass(frozen=True, slots=True)
class DominoWorth:
    """What a domino of the line being claimed would bring every kingdom.

    domino: its number.
    seat: the seat whose king stands on it; else None.
    gains: for every seat, how many points its kingdom may expect more with the domino than without it; None if the
        domino would fit nowhere.
    """

    domino: int
    seat: int | None
    gains: tuple[float | None, ...]


def worth(position: Position) -> tuple[DominoWorth, ...]:
    """Return what each domino of the line being claimed would bring every kingdom, lowest number first; nothing where
    no line is being claimed, and in the opening round.

    Each kingdom also gets the dominoes that its kings already stand on. The networks predict its score with and without
    the domino, at the best place; once no line is to come, the points are those of now. Who claims what else does not
    count: a search knows more, but takes its time. This takes some milliseconds.
    """
    return _found().validate_json(_core.worth(position))


@cache
def _found() -> TypeAdapter[tuple[DominoWorth, ...]]:
    return TypeAdapter(tuple[DominoWorth, ...])
