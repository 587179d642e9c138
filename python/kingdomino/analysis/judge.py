"""Judges one decision: what it cost against the best action.

A search finds the best actions of a position. They are then compared with the one played, each with the same number of
playouts and the same random numbers (common random numbers), in several independent trees. The spread of the
differences between trees gives the standard error of a cost.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from threading import Event
from time import monotonic
from typing import TypeAlias, TypeVar

from kingdomino._core import Action, Position, Search, derive_seed
from kingdomino.analysis.values import Alternative, Decision, Evaluation
from kingdomino.analysis.why import CostParts, why
from kingdomino.bots import Limit
from kingdomino.errors import KingdominoError
from kingdomino.evaluation import Analysis, Stop

DEFAULT_LIMIT = Limit(playouts=12_000)
"""For one decision: about half a second on one core, in the Mighty Duel two seconds."""
_SEARCHED = 0.25
"""The share of the limit that finds the best actions."""
_BEST = 3
"""The best actions that are compared with the one played."""
_TREES = 3
"""Few and deep: a small tree sees little of what the players can still make of an action, and overestimates costs."""
_CERTAIN = 2.0
"""The standard errors that a difference must exceed to count."""
_POINT = 0.01
"""The win probability that a point of margin is worth where actions are ranked."""
_FIRST_PIECE = 16
"""Playouts of the first piece of a search, which tells how long they take."""
_PIECE = 500
"""The most playouts in a piece of a search."""
_PIECE_TIME = 0.1
"""Seconds that a piece should take: before large endings, 500 playouts take longer. Solving an ending is one piece."""

T = TypeVar("T")
Pieces: TypeAlias = Generator[None, None, T]
"""Work in pieces of some 0.1 s, so that its thread can serve others in between; returns the result."""


def judge(
    position: Position,
    action: Action | str,
    limit: Limit = DEFAULT_LIMIT,
    *,
    ply: int = 0,
    seed: int = 0,
    stop: Event | None = None,
) -> Decision:
    """Judge a decision: what the action costs against the best one, and what else there was.

    action: a legal action, or its text.
    limit: the limit on the thought. With playouts alone, the judgement follows from position, action, limit and seed.
    ply: the number of the decision in its game, for the result.
    seed: 0 to 2**64 - 1.
    stop: once another thread has set it, a rougher judgement is returned within some 20 ms.

    Raises `KingdominoError` where no seat is to move, and `IllegalActionError`.
    """
    return finished(judging(position, action, limit, ply=ply, seed=seed, stop=stop or Event()))


def judging(
    position: Position, action: Action | str, limit: Limit, *, ply: int, seed: int, stop: Event
) -> Pieces[Decision]:
    """Judge a decision as `judge` does, in pieces."""
    seat = position.to_move
    if seat is None:
        raise KingdominoError("no seat is to move: there is no decision to judge")
    action = position.canonical(action)
    found = yield from searching(Search(position, seed), scaled(limit, _SEARCHED), stop)
    order = [one.action for one in found.actions]
    compared = list(dict.fromkeys([*order[:_BEST], action]))
    samples = [found] if found.exact else (yield from _sampling(position, compared, limit, seed, stop))
    values = {one: [value_of(sample, one) for sample in samples] for one in compared}

    def loss(one: Action, other: Action, by: Callable[[Evaluation], float]) -> _Loss:
        """What the seat loses with one action in place of the other."""
        pairs = zip(values[one], values[other], strict=True)
        return _Loss.of([by(b) - by(a) for a, b in pairs])

    def chance(value: Evaluation) -> float:
        return value.win_rates[seat]

    def points(value: Evaluation) -> float:
        return value.mean_margin[seat]

    best = order[0]
    if not found.exact:
        for other in compared[1:]:
            if loss(best, other, lambda value: chance(value) + _POINT * points(value)).counted:
                best = other
    lost, lost_points = loss(action, best, chance), loss(action, best, points)
    if not lost.counted and not lost_points.counted:
        best = action
    means = {one: mean(values[one]) for one in compared}
    costs = {one: (loss(one, best, chance), loss(one, best, points)) for one in compared}
    after, difference = means[action], means[best] - means[action]
    nothing = (0.0,) * len(after.win_rates)
    alternatives = sorted(
        (Alternative(one, means[one], *(cost.counted for cost in costs[one])) for one in compared),
        key=lambda one: (one.action != best, one.cost + _POINT * one.cost_points),
    )
    own = difference.mean_scores[seat]
    parts = CostParts(own, difference.mean_margin[seat] - own)
    place = 1 + [one.action for one in alternatives].index(action)
    if place == len(alternatives):  # there may be others between it and the best
        place = max(place, 1 + order.index(action))
    return Decision(
        ply=ply,
        seat=seat,
        action=action,
        best=best,
        choices=len(order),
        place=place,
        before=after
        + Evaluation(
            difference.win_rates if lost.counted else nothing,
            difference.mean_scores if lost_points.counted else nothing,
            difference.mean_margin if lost_points.counted else nothing,
        ),
        after=after,
        cost=lost.counted,
        cost_points=lost_points.counted,
        error=lost.error,
        error_points=lost_points.error,
        exact=found.exact,
        playouts=found.playouts + sum(sample.playouts for sample in samples),
        line=found.actions[order.index(best)].line,
        why=why(position, action, best, parts) if best != action else None,
        alternatives=tuple(alternatives),
    )


def _sampling(
    position: Position, actions: Sequence[Action], limit: Limit, seed: int, stop: Event
) -> Pieces[list[Analysis]]:
    each = scaled(limit, (1 - _SEARCHED) / _TREES)
    samples = []
    for tree in range(_TREES):
        search = Search(position, derive_seed(seed, "compare", tree), actions=actions)
        found = yield from searching(search, each, stop)
        # Each has a value, even where the search was stopped at once or the limit is lower than their number.
        while not found.exact and not all(one.playouts for one in found.actions):
            search.run(playouts=len(actions), stop=stop)
            found = search.analysis()
        samples.append(found)
    return samples


def finished(pieces: Pieces[T], abandoned: Event | None = None) -> T:
    """Do all of the work. Raises `CancelledError` between two pieces once ``abandoned`` is set."""
    while not (abandoned and abandoned.is_set()):
        try:
            next(pieces)
        except StopIteration as end:
            result: T = end.value
            return result
    raise CancelledError


def searching(search: Search, limit: Limit, stop: Event) -> Pieces[Analysis]:
    """Search until the limit is reached, in pieces, and give the results.

    One tree grows, so the results follow from the playouts, however they are divided into pieces.
    """
    time, playouts, most = limit.time, limit.playouts, _FIRST_PIECE
    while True:
        known, began = search.playouts, monotonic()
        ended = search.run(
            time=None if time is None else min(time, _PIECE_TIME),
            playouts=most if playouts is None else min(playouts, most),
            stop=stop,
        )
        made, took = search.playouts - known, monotonic() - began
        most = max(1, min(_PIECE, int(made * _PIECE_TIME / max(took, 1e-6))))
        time = None if time is None else time - took
        playouts = None if playouts is None else playouts - made
        is_over = (time is not None and time <= 0) or (playouts is not None and playouts <= 0)
        if is_over or ended is not Stop.LIMIT or stop.is_set():  # a short piece may end before it is stopped
            break
        yield
    return search.analysis()


@dataclass(frozen=True, slots=True)
class _Loss:
    """A mean loss over independent trees, and its standard error."""

    mean: float
    error: float

    @classmethod
    def of(cls, losses: Sequence[float]) -> _Loss:
        return cls(fmean(losses), stdev(losses) / sqrt(len(losses)) if len(losses) > 1 else 0.0)

    @property
    def counted(self) -> float:
        """The loss; 0 if it is negative or within the noise."""
        return self.mean if self.mean > _CERTAIN * self.error else 0.0


def scaled(limit: Limit, share: float) -> Limit:
    """Return a share of a limit."""
    return Limit(
        None if limit.time is None else limit.time * share,
        None if limit.playouts is None else max(1, round(limit.playouts * share)),
    )


def value_of(analysis: Analysis, action: Action) -> Evaluation:
    """Return the value of one of the actions."""
    one = next(one for one in analysis.actions if one.action == action)
    return Evaluation(one.win_rates, one.mean_scores, one.mean_margin)


def mean(values: Sequence[Evaluation]) -> Evaluation:
    """Return the mean of some values."""

    def each(figures: Iterator[tuple[float, ...]]) -> tuple[float, ...]:
        return tuple(map(fmean, zip(*figures, strict=True)))

    return Evaluation(
        each(value.win_rates for value in values),
        each(value.mean_scores for value in values),
        each(value.mean_margin for value in values),
    )
