"""What the analysis board shows of a search, action by action."""

from __future__ import annotations

import math
from threading import Event
from typing import Annotated, Final, Literal

from pydantic import Field

import kingdomino as kd
from kingdomino.server.study.queue import STEP, Step
from kingdomino.server.tables.core.events import Model
from kingdomino.server.tables.core.refusals import Refusal, RefusalBody

_MOST_NODES: Final = 2**18
"""Of a search tree, which then takes 40 MB. A search that has made so many playouts ends."""
_TWO: Final = 2
_SURE: Final = 4_000
"""With two players the error counts at most so many playouts: after 8,000, values spread over seeds as much as those of
4,000 independent games would, and after more playouts not much less (docs/evidence/search.md)."""


class Value(Model):
    """What an action is worth to the seat to move; `null` where it has not been tried yet.

    ``error`` is about the standard error of ``win``: 0 if the analysis is exact. ``line``: the action and how it may go
    on.
    """

    action: str
    playouts: int
    win: float | None
    score: float | None
    margin: float | None
    error: float | None
    line: tuple[str, ...]


class AheadMessage(Model):
    """Others are being served first: so many are ahead, 0 if this analysis is the next."""

    type: Literal["ahead"] = "ahead"
    ahead: int


class AnalysisMessage(Model):
    """Every legal action, the best first. ``exact``: the position is worked out to the end."""

    type: Literal["analysis"] = "analysis"
    seat: int
    playouts: int
    exact: bool
    actions: tuple[Value, ...]


class EndMessage(Model):
    """The analysis is as deep as it gets here."""

    type: Literal["end"] = "end"


class RefusedMessage(Model):
    """The analysis is refused; nothing more comes."""

    type: Literal["refused"] = "refused"
    refusal: RefusalBody


AnalysisStream = Annotated[
    AheadMessage | AnalysisMessage | EndMessage | RefusedMessage, Field(discriminator="type")
]


def search(position: kd.Position) -> Step[kd.Analysis]:
    """Give the steps of a search that deepens until the position is worked out or the tree is full.

    Raises `Refusal` if there is nothing to decide.
    """
    if position.to_move is None:
        raise Refusal("illegal_action", "there is nothing to decide in this position")
    searched = kd.Search(position)
    ended = kd.Stop.LIMIT

    def step(stop: Event) -> kd.Analysis | None:
        nonlocal ended
        if ended in (kd.Stop.SOLVED, kd.Stop.FULL) or searched.playouts >= _MOST_NODES:
            return None
        ended = searched.run(time=STEP, nodes=_MOST_NODES, stop=stop)
        return searched.analysis()

    return step


def message(analysis: kd.Analysis) -> AnalysisMessage:
    """Write an analysis from the side of the seat to move."""
    return AnalysisMessage(
        seat=analysis.seat,
        playouts=analysis.playouts,
        exact=analysis.exact,
        actions=tuple(_value(one, analysis) for one in analysis.actions),
    )


def _value(one: kd.ActionAnalysis, analysis: kd.Analysis) -> Value:
    win, score, margin = (
        figures[analysis.seat] for figures in (one.win_rates, one.mean_scores, one.mean_margin)
    )
    is_known = not math.isnan(win)
    most = _SURE if len(one.win_rates) == _TWO else math.inf
    error = 0.0 if analysis.exact else math.sqrt(max(win * (1 - win), 0.0) / min(max(one.playouts, 1), most))
    return Value(
        action=str(one.action),
        playouts=one.playouts,
        win=win if is_known else None,
        score=score if is_known else None,
        margin=margin if is_known else None,
        error=error if is_known else None,
        line=tuple(map(str, one.line)),
    )
