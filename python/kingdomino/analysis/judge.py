"""Judges one decision: its cost against the best action. The engine does the work (crates/search/src/review)."""

from __future__ import annotations

from functools import cache
from threading import Event

from pydantic import TypeAdapter

from kingdomino._core import Action, Judging, Position
from kingdomino.analysis.values import Decision
from kingdomino.bots import Limit

DEFAULT_LIMIT = Limit(playouts=12_000)
"""For one decision: about half a second on one core, in the Mighty Duel two seconds."""


def judge(
    position: Position,
    action: Action | str,
    limit: Limit = DEFAULT_LIMIT,
    *,
    ply: int = 0,
    seed: int = 0,
    stop: Event | None = None,
) -> Decision:
    """Judge a decision: the cost of the action against the best one, and the alternatives.

    action: a legal action, or its text.
    limit: the limit. With playouts alone, position, action, limit and seed determine the judgement.
    ply: the number of the decision in its game, for the result.
    seed: 0 to 2**64 - 1.
    stop: another thread may set it to get a rougher judgement within some 20 ms.

    Raises `KingdominoError` if no seat is to move, and `IllegalActionError`.
    """
    judging = Judging(position, action, limit.playouts, ply=ply, seed=seed)
    judging.run(time=limit.time, stop=stop)
    return _decisions().validate_json(judging.decision())


@cache
def _decisions() -> TypeAdapter[Decision]:
    return TypeAdapter(Decision)
