"""The results of a search for each action, and annotations of records. The engine creates these values."""

import json
import math
from collections.abc import Iterator
from enum import StrEnum
from html import escape
from typing import Any, NamedTuple, Self

from kingdomino._core import Action
from kingdomino.errors import KingdominoError

_HEAD = ("action", "win", "score", "margin", "playouts")


_MOST_SEATS = 4
_FIGURES = ("win_rates", "mean_scores", "mean_margin")


class Stop(StrEnum):
    """Why a search stopped."""

    LIMIT = "limit"
    """It reached its limit of time or playouts."""
    STOPPED = "stopped"
    """The event `stop` was set, or `RunningSearch.stop` called."""
    FULL = "full"
    """The tree reached its limit of nodes; without another limit, this number of playouts also ends the search."""
    SOLVED = "solved"
    """The position is an ending, and its values are exact."""


class ActionAnalysis(NamedTuple):
    """The evaluation of a legal action and its equivalents. ``win_rates``, ``mean_scores`` and ``mean_margin`` have one
    entry a seat.

    playouts: how many went through this action; 0 if the evaluation is exact, or if there were none since the search
        reached this position; then all figures are NaN.
    win_rates: win probabilities, 0 to 1; a victory shared by k counts 1/k.
    mean_scores, mean_margin: in points; a margin is a score minus the best opponent's.
    line: the action and the most likely continuation.
    """

    action: Action
    playouts: int
    win_rates: tuple[float, ...]
    mean_scores: tuple[float, ...]
    mean_margin: tuple[float, ...]
    line: tuple[Action, ...]


class Annotation(NamedTuple):
    """The result of an analysis at a position of a record. Any part may be missing, but not all of them.

    win_rates: win probabilities with the best action, 0 to 1, one per seat, or ().
    mean_scores, mean_margin: with the best action, in points, one per seat, or (); a margin is a score minus the best
        opponent's.
    best: the best action, or None.
    cost: the win probability that the played action cost the seat to move, 0 to 1, or None.
    cost_points: the points that it cost this seat, or None; below 0 if it gained points.
    """

    win_rates: tuple[float, ...] = ()
    mean_scores: tuple[float, ...] = ()
    mean_margin: tuple[float, ...] = ()
    best: Action | None = None
    cost: float | None = None
    cost_points: float | None = None


class Analysis(NamedTuple):
    """The evaluation of a position: every legal action, best first. Equivalent placements share the entry of
    `Position.equivalent`.

    playouts: their total number.
    exact: True if the figures are not estimates, but the result when every seat plays to win.
    seat: the seat to move.

    ``str`` is a table of the figures of the seat to move, which notebooks also show. `from_json` reads exactly what
    `to_json` writes.
    """

    actions: tuple[ActionAnalysis, ...]
    playouts: int
    exact: bool
    seat: int

    def to_json(self) -> str:
        """Write the analysis as one JSON object on one line. Actions without playouts have no figures."""
        seats = len(self.actions[0].win_rates) if self.actions else 0
        whole = {"seat": self.seat, "seats": seats, "exact": self.exact, "playouts": self.playouts}
        return json.dumps(whole | {"actions": [*map(_to_dict, self.actions)]}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read the output of `to_json`. Raises `KingdominoError`."""
        try:
            return cls(*_parsed(json.loads(text)))
        except KingdominoError:
            raise
        except (ValueError, TypeError, LookupError, RecursionError, OverflowError) as error:
            raise KingdominoError(f"not an analysis in JSON: {type(error).__name__}: {error}") from None

    def _rows(self) -> Iterator[tuple[str, ...]]:
        for one in self.actions:
            given = (one.win_rates, ".1%"), (one.mean_scores, ".1f"), (one.mean_margin, "+.1f")
            figures = (_figure(numbers[self.seat], form) for numbers, form in given)
            yield str(one.action), *figures, f"{one.playouts:,}"

    def _summary(self) -> str:
        return "exact" if self.exact else f"{self.playouts:,} playouts"

    def __str__(self) -> str:
        rows = [_HEAD, *self._rows()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = (
            "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip()
            for row in rows
        )
        return "\n".join([f"seat {self.seat} to move, {self._summary()}", *lines])

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{word}</th>" for word in _HEAD)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in self._rows()
        )
        caption = f"<caption>Seat {self.seat} to move, {self._summary()}</caption>"
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _figure(number: float, form: str) -> str:
    return "–" if math.isnan(number) else format(number, form)


def _to_dict(one: ActionAnalysis) -> dict[str, object]:
    given: dict[str, object] = {"action": str(one.action), "playouts": one.playouts}
    # An engine may report only some figures.
    given |= {name: numbers for name in _FIGURES if not math.isnan((numbers := getattr(one, name))[0])}
    return given | {"line": [str(action) for action in one.line]}


def _parsed(whole: dict[str, Any]) -> tuple[tuple[ActionAnalysis, ...], int, bool, int]:
    seat, seats, exact = whole["seat"], whole["seats"], whole["exact"]
    if not (type(seat) is type(seats) is int and 0 <= seat < max(seats, 1) and seats <= _MOST_SEATS):
        raise ValueError(f"seat {seat!r} of {seats!r}")
    if type(exact) is not bool:
        raise TypeError(f"exact is true or false, not {exact!r}")
    return tuple(_from_dict(one, seats) for one in whole["actions"]), int(whole["playouts"]), exact, seat


def _from_dict(given: dict[str, Any], seats: int) -> ActionAnalysis:
    lists = (tuple(map(float, given.get(name, [math.nan] * seats))) for name in _FIGURES)
    win_rates, mean_scores, mean_margin = lists
    if {len(win_rates), len(mean_scores), len(mean_margin)} != {seats}:
        raise ValueError(f"one number for each of {seats} seats is needed")
    line = tuple(map(Action.parse, given["line"]))
    playouts = int(given["playouts"])
    return ActionAnalysis(Action.parse(given["action"]), playouts, win_rates, mean_scores, mean_margin, line)
