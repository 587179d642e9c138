"""What a search has found out, action by action. The engine builds these values."""

from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from kingdomino._core import Action

_HEAD = ("action", "win", "score", "margin", "playouts")


class ActionAnalysis(NamedTuple):
    """One legal action, and how the games went in which it was played. Tuples have one entry a seat.

    ``playouts`` is how many went through it: 0 if the answer is exact, or if the search has not tried the action yet
    (then the figures are NaN). ``win_rates`` are win probabilities; a shared victory counts 1/k. Scores and margins
    (a score minus the best opponent's) are in points. ``line`` is the action and what is most likely to follow.
    """

    action: Action
    playouts: int
    win_rates: tuple[float, ...]
    mean_scores: tuple[float, ...]
    mean_margin: tuple[float, ...]
    line: tuple[Action, ...]


class Analysis(NamedTuple):
    """Every legal action of a position, the best first.

    ``playouts`` is how many were made in all, ``seat`` the seat to move. ``exact`` means that the figures are how the
    game ends if every player seeks their own victory, and not estimates. ``str`` is a table of what the actions mean
    for the seat to move; a notebook shows the same table.
    """

    actions: tuple[ActionAnalysis, ...]
    playouts: int
    exact: bool
    seat: int

    def _rows(self) -> Iterator[tuple[str, ...]]:
        for one in self.actions:
            win, score, margin = (
                figures[self.seat] for figures in (one.win_rates, one.mean_scores, one.mean_margin)
            )
            yield str(one.action), f"{win:.1%}", f"{score:.1f}", f"{margin:+.1f}", f"{one.playouts:,}"

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
