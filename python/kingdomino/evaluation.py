"""The results of a search, action by action. The engine builds these values."""

from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from kingdomino._core import Action

_HEAD = ("action", "win", "score", "margin", "playouts")


class ActionAnalysis(NamedTuple):
    """The evaluation of one legal action. ``win_rates``, ``mean_scores`` and ``mean_margin`` have one entry a seat.

    playouts: how many went through this action; 0 if the evaluation is exact, or if the search has not tried the
        action, in which case all figures are NaN.
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


class Analysis(NamedTuple):
    """The evaluation of a position: every legal action, the best first.

    playouts: how many were made in all.
    exact: True if the figures are those of the game's end when every seat plays to win, and not estimates.
    seat: the seat to move.

    ``str`` is a table of the figures of the seat to move. A notebook shows the same table.
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
