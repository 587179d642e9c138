"""Judges every decision of a game, and separates luck from skill.

A search finds the best actions of a position. They are then compared with the one played, each with the same number of
playouts on the same sampled decks (common random numbers), in several independent trees: the spread of the differences
between trees gives the standard error of a cost.

Values are chained so that luck and skill add up, as in GNU Backgammon. Between two chance events, what a decision lost
is the only difference between the values before and after it. Luck is the value after an event minus the expected value
before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from threading import Event

from kingdomino._core import DOMINOES, Action, Game, Position, Record, Rules, Search, derive_seed
from kingdomino.analysis.values import Alternative, Decision, Evaluation, Luck, Review, SeatReview
from kingdomino.bots import Limit
from kingdomino.evaluation import Analysis
from kingdomino.values import Domino

DEFAULT_LIMIT = Limit(playouts=12_000)
"""For each decision: about a fifth of a second on one core."""
_TREES = 6
_BEST = 3
"""The best actions that are compared with the one played."""
_SEARCHED = 0.4
"""The share of the limit that finds them."""
_FIRST_PASS = 1 / 4
_OPENINGS = 16
"""Sampled starts of a game."""
_CERTAIN = 2.0
"""The standard errors that a difference must exceed to count."""
_POINT = 0.01
"""The win probability that a point of margin is worth where actions are ranked."""


def review(
    record: Record,
    limit: Limit = DEFAULT_LIMIT,
    *,
    seed: int = 0,
    threads: int = 1,
    stop: Event | None = None,
) -> Review:
    """Judge every decision of a record, and the luck between them.

    limit: the limit on the thought for each decision. With playouts alone, the review follows from record, limit and
        seed.
    seed: 0 to 2**64 - 1.
    threads: decisions that are judged at once.
    stop: once another thread has set it, what is known so far is returned within some 20 ms.

    An unfinished record is reviewed as far as it goes. Raises `KingdominoError`.
    """
    *_, last = _passes(record, (limit,), seed, threads, stop or Event())
    return last


def reviews(
    record: Record,
    limit: Limit = DEFAULT_LIMIT,
    *,
    seed: int = 0,
    threads: int = 1,
    stop: Event | None = None,
) -> Iterator[Review]:
    """Give the review as it grows: a first pass with a quarter of the limit, then one with all of it.

    The first review has no decision yet. In the first pass each has one decision more than the one before; in the
    second, one decision more has its final judgement. The last is what `review` returns. Closing the iterator stops
    the work. The arguments are those of `review`.
    """
    yield from _passes(record, (_scaled(limit, _FIRST_PASS), limit), seed, threads, stop or Event())


def _passes(
    record: Record, limits: Sequence[Limit], seed: int, threads: int, stop: Event
) -> Iterator[Review]:
    story = _Story.of(record)
    judgements: list[_Judgement] = []
    start = _start(record.rules, limits[-1], seed, stop)
    yield _assembled(story, limits[-1], start, judgements)
    with ThreadPoolExecutor(threads, "review") as pool:
        futures: list[Future[_Judgement]] = []
        try:
            for limit in limits:
                futures = [
                    pool.submit(_judge, position, action, limit, derive_seed(seed, "review", ply), stop)
                    for ply, (position, action) in enumerate(zip(story.positions, story.actions, strict=True))
                ]
                for ply, future in enumerate(futures):
                    judgement = future.result()
                    if stop.is_set():
                        return
                    judgements[ply : ply + 1] = [judgement]
                    yield _assembled(story, limits[-1], start, judgements)
        finally:
            stop.set()
            for future in futures:
                future.cancel()


def _scaled(limit: Limit, share: float) -> Limit:
    return Limit(
        None if limit.time is None else limit.time * share,
        None if limit.playouts is None else max(1, round(limit.playouts * share)),
    )


@dataclass(frozen=True, slots=True)
class _Chance:
    """A line that was revealed, and the seat whose king was drawn after it; one of them may be missing."""

    line: tuple[int, ...]
    king: int | None


@dataclass(frozen=True, slots=True)
class _Story:
    """A game as its record tells it: every decision, and what chance brought before it (None: nothing)."""

    players: int
    positions: tuple[Position, ...]
    actions: tuple[Action, ...]
    chance: tuple[_Chance | None, ...]
    result: Evaluation | None

    @classmethod
    def of(cls, record: Record) -> _Story:
        """Read a record."""
        positions, actions, rules = record.positions(), record.actions, record.rules
        first = _Chance(
            _revealed(frozenset(DOMINOES), positions[0]),
            positions[0].to_move if rules.opening == "random" else None,
        )
        between = (
            _chance(before.play(action), after)
            for before, action, after in zip(positions, actions, positions[1:], strict=False)
        )
        chance = (first, *between)[: len(actions)]
        return cls(rules.players, tuple(positions[: len(actions)]), actions, chance, _result(record))


def _revealed(unseen: frozenset[Domino], after: Position) -> tuple[int, ...]:
    return tuple(sorted(domino.number for domino in unseen - after.unseen))


def _chance(before: Position, after: Position) -> _Chance | None:
    """What chance brought between these positions. None if it had no choice."""
    rules = before.rules
    if before.due == "line" and len(before.unseen) > rules.line_length:
        return _Chance(_revealed(before.unseen, after), None)
    kings_each = rules.line_length // rules.players
    owners = [*before.claims.values()]
    if before.due == "king" and sum(owners.count(seat) < kings_each for seat in range(rules.players)) > 1:
        return _Chance((), after.to_move)
    return None


def _result(record: Record) -> Evaluation | None:
    outcome = record.outcome
    if outcome is None:
        return None
    totals = [score.total for score in outcome.scores]
    return Evaluation(
        tuple(1 / len(outcome.winners) if seat in outcome.winners else 0.0 for seat in range(len(totals))),
        tuple(map(float, totals)),
        tuple(float(total - max(totals[:seat] + totals[seat + 1 :])) for seat, total in enumerate(totals)),
    )


@dataclass(frozen=True, slots=True)
class _Judgement:
    """The judgement of one decision, not yet chained with the others.

    played: the value after the action played.
    lost: the value of the best action minus that, for every seat; 0 where the mover's loss is within the noise.
    """

    played: Evaluation
    lost: Evaluation
    best: Action
    choices: int
    place: int
    error: float
    error_points: float
    exact: bool
    playouts: int
    line: tuple[Action, ...]
    alternatives: tuple[Alternative, ...]


def _judge(position: Position, action: Action, limit: Limit, seed: int, stop: Event) -> _Judgement:
    seat = _seat(position)
    found = _found(Search(position, seed), _scaled(limit, _SEARCHED), stop)
    order = [one.action for one in found.actions]
    compared = list(dict.fromkeys([*order[:_BEST], action]))
    samples = [found] if found.exact else list(_samples(position, compared, limit, seed, stop))
    values = {one: [_value(sample, one) for sample in samples] for one in compared}

    def gain(one: Action, other: Action, of: Callable[[Evaluation], float]) -> _Difference:
        return _Difference.between([of(a) - of(b) for a, b in zip(values[one], values[other], strict=True)])

    best = order[0]
    if not found.exact:
        for other in compared[1:]:
            if gain(
                other, best, lambda value: value.win_rates[seat] + _POINT * value.mean_margin[seat]
            ).counted:
                best = other
    means = {one: _mean(values[one]) for one in compared}
    costs = {
        one: (
            gain(best, one, lambda value: value.win_rates[seat]),
            gain(best, one, lambda value: value.mean_margin[seat]),
        )
        for one in compared
    }
    loss, loss_points = costs[action]
    is_best = not loss.counted and not loss_points.counted
    nothing = (0.0,) * len(means[best].win_rates)
    lost = _minus(means[best], means[action])
    alternatives = sorted(
        (Alternative(one, means[one], *(cost.counted for cost in costs[one])) for one in compared),
        key=lambda one: (one.action != best, one.cost + _POINT * one.cost_points),
    )
    return _Judgement(
        played=means[action],
        lost=Evaluation(
            lost.win_rates if loss.counted else nothing,
            lost.mean_scores if loss_points.counted else nothing,
            lost.mean_margin if loss_points.counted else nothing,
        ),
        best=action if is_best else best,
        choices=len(order),
        place=1 if is_best else max(2, order.index(action) + 1),
        error=loss.error,
        error_points=loss_points.error,
        exact=found.exact,
        playouts=found.playouts + sum(sample.playouts for sample in samples if not found.exact),
        line=found.actions[order.index(action if is_best else best)].line,
        alternatives=tuple(alternatives),
    )


def _seat(position: Position) -> int:
    assert position.to_move is not None  # only a record's last position has no decision
    return position.to_move


def _samples(
    position: Position, actions: Sequence[Action], limit: Limit, seed: int, stop: Event
) -> Iterator[Analysis]:
    each = _scaled(limit, (1 - _SEARCHED) / _TREES)
    for tree in range(_TREES):
        search = Search(position, derive_seed(seed, "compare", tree), actions=actions)
        yield _found(search, each, stop)


def _found(search: Search, limit: Limit, stop: Event) -> Analysis:
    """The results of a search in which every action was tried."""
    search.run(time=limit.time, playouts=limit.playouts, stop=stop)
    found = search.analysis()
    while not found.exact and not all(one.playouts for one in found.actions):
        search.run(playouts=len(found.actions))
        found = search.analysis()
    return found


@dataclass(frozen=True, slots=True)
class _Difference:
    """A mean difference and its standard error."""

    mean: float
    error: float

    @classmethod
    def between(cls, differences: Sequence[float]) -> _Difference:
        error = stdev(differences) / sqrt(len(differences)) if len(differences) > 1 else 0.0
        return cls(fmean(differences), error)

    @property
    def counted(self) -> float:
        """The difference; 0 if it is negative or within the noise."""
        return self.mean if self.mean > _CERTAIN * self.error else 0.0


def _value(analysis: Analysis, action: Action) -> Evaluation:
    one = next(one for one in analysis.actions if one.action == action)
    return Evaluation(one.win_rates, one.mean_scores, one.mean_margin)


def _mean(values: Sequence[Evaluation]) -> Evaluation:
    return _each(lambda *figures: fmean(figures), *values)


def _plus(one: Evaluation, other: Evaluation) -> Evaluation:
    return _each(lambda a, b: a + b, one, other)


def _minus(one: Evaluation, other: Evaluation) -> Evaluation:
    return _each(lambda a, b: a - b, one, other)


def _each(combine: Callable[..., float], *values: Evaluation) -> Evaluation:
    def combined(figures: Iterator[tuple[float, ...]]) -> tuple[float, ...]:
        return tuple(map(combine, *figures))

    return Evaluation(
        combined(value.win_rates for value in values),
        combined(value.mean_scores for value in values),
        combined(value.mean_margin for value in values),
    )


def _start(rules: Rules, limit: Limit, seed: int, stop: Event) -> Evaluation:
    """The value before the first line: the mean over some starts, each after its line and its first king."""
    each = _scaled(limit, 1 / _OPENINGS)
    values = []
    for number in range(_OPENINGS):
        game = Game(rules, seed=derive_seed(seed, "opening", number))
        analysis = _found(Search(game.position, seed), each, stop)
        values.append(_value(analysis, analysis.actions[0].action))
    mean = _mean(values)
    if rules.opening == "random":  # all seats are alike
        seats = rules.players
        return Evaluation(
            (1 / seats,) * seats, (fmean(mean.mean_scores),) * seats, (fmean(mean.mean_margin),) * seats
        )
    return mean


def _assembled(story: _Story, limit: Limit, start: Evaluation, judgements: Sequence[_Judgement]) -> Review:
    decisions: list[Decision] = []
    luck: list[Luck] = []
    is_finished = len(judgements) == len(story.actions)
    known = story.result if is_finished else None
    for ply in reversed(range(len(judgements))):
        judgement = judgements[ply]
        after = known or judgement.played
        before = _plus(after, judgement.lost)
        seat = _seat(story.positions[ply])
        decisions.append(_decision(ply, seat, story.actions[ply], before, after, judgement))
        known = before
        event = story.chance[ply]
        if event is not None:
            expected = judgements[ply - 1].played if ply else start
            change = _minus(before, expected)
            luck.append(Luck(ply, event.line, event.king, change.win_rates, change.mean_margin))
            known = None
    decisions.reverse()
    luck.reverse()
    seats = tuple(_seat_review(seat, decisions, luck) for seat in range(story.players))
    return Review(limit, len(story.actions), start, story.result, tuple(decisions), tuple(luck), seats)


def _decision(
    ply: int, seat: int, action: Action, before: Evaluation, after: Evaluation, judgement: _Judgement
) -> Decision:
    return Decision(
        ply=ply,
        seat=seat,
        action=action,
        best=judgement.best,
        choices=judgement.choices,
        place=judgement.place,
        before=before,
        after=after,
        cost=judgement.lost.win_rates[seat],
        cost_points=judgement.lost.mean_margin[seat],
        error=judgement.error,
        error_points=judgement.error_points,
        exact=judgement.exact,
        playouts=judgement.playouts,
        line=judgement.line,
        alternatives=judgement.alternatives,
    )


def _seat_review(seat: int, decisions: Sequence[Decision], luck: Sequence[Luck]) -> SeatReview:
    own = [decision for decision in decisions if decision.seat == seat]
    others = [decision for decision in decisions if decision.seat != seat]
    free = [decision for decision in own if decision.choices > 1]
    return SeatReview(
        seat=seat,
        decisions=len(free),
        cost=sum(decision.cost for decision in own),
        cost_points=sum(decision.cost_points for decision in own),
        luck=sum(one.win_rates[seat] for one in luck),
        luck_points=sum(one.points[seat] for one in luck),
        received=sum(decision.after.win_rates[seat] - decision.before.win_rates[seat] for decision in others),
        received_points=sum(
            decision.after.mean_margin[seat] - decision.before.mean_margin[seat] for decision in others
        ),
        accuracy=fmean(decision.accuracy for decision in free) if free else None,
    )
