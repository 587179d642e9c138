"""Puzzles: positions with one clearly best action (docs/formats/puzzles.md). The engine reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import PlainSerializer, PlainValidator, TypeAdapter

from kingdomino import _core
from kingdomino._core import Action, Position
from kingdomino.analysis.values import ActionText, Theme

PuzzleTheme: TypeAlias = Theme | Literal["ending"]
"""The theme of a puzzle: a review's, or an ending, in which no line is hidden any more."""

_PositionText = Annotated[
    Position,
    PlainValidator(lambda value: value if isinstance(value, Position) else Position.parse(value)),
    PlainSerializer(str, return_type=str),
]

HEADER: Final = "kingdomino puzzles 1"
"""The first line of a file of puzzles."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with one clearly best action.

    name: a short name, which stays when others are added.
    level: the lowest level of `king` that finds a solution, 1 to 8; 8 also if none does.
    cost: the cost of the best wrong action, in points.
    themes: its themes, at least one.
    solutions: the best action, and equivalent ones.
    """

    name: str
    level: int
    cost: float
    themes: tuple[PuzzleTheme, ...]
    solutions: tuple[ActionText, ...]
    position: _PositionText

    def is_solved_by(self, action: Action) -> bool:
        """Return whether the action is a solution."""
        return self.position.equivalent(action) == self.position.equivalent(self.solutions[0])


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """Return the puzzles that come with the library."""
    return parse((files("kingdomino") / "server/static/puzzles.txt").read_text("utf-8"))


def daily_puzzle(date: str) -> Puzzle:
    """Return a day's puzzle, the same for everyone with this version of the library.

    date: like ``2026-03-01``.

    Raises `ParseError`. No puzzle repeats before each has had its day.
    """
    return puzzles()[_core.daily_puzzle(date, len(puzzles()))]


def parse(text: str) -> tuple[Puzzle, ...]:
    """Return the puzzles in the text of a file, at least one. Raises `ParseError`."""
    return _adapter().validate_json(_core.read_puzzles(text))


def to_text(puzzles: Sequence[Puzzle]) -> str:
    """Return the text of a file with these puzzles."""
    return "\n".join([HEADER, *map(line_of, puzzles), f"end {len(puzzles)}", ""])


def line_of(puzzle: Puzzle) -> str:
    """Return the line of a file with this puzzle."""
    return "\t".join(
        [
            puzzle.name,
            str(puzzle.level),
            f"{puzzle.cost:.1f}",
            ",".join(puzzle.themes),
            puzzle.solutions[0].to_text(),
            puzzle.position.to_text(),
        ]
    )


@cache
def _adapter() -> TypeAdapter[tuple[Puzzle, ...]]:
    return TypeAdapter(tuple[Puzzle, ...])
