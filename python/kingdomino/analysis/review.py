"""Judges every decision of a game, and separates luck from skill.

Luck and skill add up, as in GNU Backgammon. The luck of an event is the value after it minus the value expected before
it: that at the event before, less what the decisions since then lost. So where the evaluation errs, the error is part
of the luck.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean
from threading import Event

from kingdomino._core import Action, Game, Position, Record, Rules, Search, derive_seed
from kingdomino.analysis.judge import (
    DEFAULT_LIMIT,
    Pieces,
    finished,
    judging,
    mean,
    scaled,
    searching,
    value_of,
)
from kingdomino.analysis.levels import level_of
from kingdomino.analysis.values import Decision, Evaluation, Luck, Review, SeatReview
from kingdomino.bots import Limit
from kingdomino.errors import KingdominoError
from kingdomino.events import Claimed, Discarded, Finished, KingDrawn, LineRevealed, Placed, RoundBegan

_FIRST_PASS = 1 / 4
_OPENINGS = 16
"""Sampled starts of a game."""


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
    threads: decisions that are judged at once, 1 or more.
    stop: once another thread has set it, what is known so far is returned soon: within some 0.1 s for each thread that
        shares a processor.

    An unfinished record is reviewed as far as it goes. Raises `KingdominoError` for a seed out of range, and for no
    thread.
    """
    *_, last = _grown(record, (limit,), seed, threads, stop or Event())
    return last


def reviews(
    record: Record,
    limit: Limit = DEFAULT_LIMIT,
    *,
    seed: int = 0,
    threads: int = 1,
    stop: Event | None = None,
) -> Generator[Review, None, None]:
    """Yield the review as it grows: a first pass with a quarter of the limit, then one with all of it.

    The first review has no decision yet. In the first pass each has one decision more than the one before; in the
    second, one decision more has its final judgement. The last is what `review` returns. Closing the generator stops
    the work. The arguments are those of `review`.
    """
    yield from _grown(record, _passes(limit), seed, threads, stop or Event())


def _passes(limit: Limit) -> tuple[Limit, ...]:
    return scaled(limit, _FIRST_PASS), limit


def _steps(story: _Story, passes: Sequence[Limit]) -> list[tuple[int, Limit]]:
    """The steps of a review after the one that values the start: the decision that each judges, and its limit."""
    return [(ply, limit) for limit in passes for ply in range(len(story.actions))]


def _grown(record: Record, passes: Sequence[Limit], seed: int, threads: int, stop: Event) -> Iterator[Review]:
    if threads < 1:
        raise KingdominoError(f"{threads} is not a number of threads (1 or more)")
    story = _Story.of(record)
    steps = _steps(story, passes)
    review = _assembled(story, passes[-1], finished(_starting(story, passes[-1], seed, stop)), [])
    yield review
    abandoned = Event()  # and not `stop`, which is the caller's and may serve for the next review

    def judge_step(ply: int, limit: Limit) -> Decision:
        return finished(_judging(story, ply, limit, seed, stop), abandoned)

    with ThreadPoolExecutor(threads, "review") as pool:
        futures: list[Future[Decision]] = []
        try:
            futures += [pool.submit(judge_step, *step) for step in steps]
            for future in futures:
                decision = future.result()
                if stop.is_set():
                    return
                review = _with(review, decision, story)
                yield review
        finally:
            abandoned.set()
            for future in futures:
                future.cancel()


class Reviewing:
    """A review that is made step by step, in small pieces, and that can be put aside and taken up again.

    The steps are those of `reviews`: the start of the game, every decision with a quarter of the limit, and every
    decision with all of it.
    """

    def __init__(
        self,
        record: Record,
        limit: Limit = DEFAULT_LIMIT,
        *,
        seed: int = 0,
        known: Review | None = None,
        steps_made: int = 0,
    ) -> None:
        """Begin a review, or go on with one.

        record, limit, seed: as in `review`.
        known, steps_made: the last review and the number of steps made, if it was begun before with the same record,
            limit and seed.

        Raises `KingdominoError`.
        """
        self._story, self._limit, self._seed = _Story.of(record), limit, seed
        self.review = known
        """The review so far; None before the first step."""
        self.steps_made = steps_made
        """How many steps have been made."""
        self._order = _steps(self._story, _passes(limit))
        self.steps = 1 + len(self._order)
        """How many steps there are."""

    def pieces(self, stop: Event) -> Iterator[Review | None]:
        """Make the steps that are left, in pieces of some 0.1 s: give the review after each step, and None after each
        piece within one.

        It ends when all steps are made, and once ``stop`` is set: then the step that was begun is still to be made.
        """
        while (number := self.steps_made) < self.steps:
            review = yield from self._step(number, stop)
            if stop.is_set():
                return
            self.review, self.steps_made = review, number + 1
            yield review

    def _step(self, number: int, stop: Event) -> Pieces[Review]:
        story, review = self._story, self.review
        if review is None:
            start = yield from _starting(story, self._limit, self._seed, stop)
            return _assembled(story, self._limit, start, [])
        ply, limit = self._order[number - 1]
        return _with(review, (yield from _judging(story, ply, limit, self._seed, stop)), story)


@dataclass(frozen=True, slots=True)
class _Chance:
    """A line that was revealed, and the seat whose king was drawn after it; one of them may be missing."""

    line: tuple[int, ...]
    king: int | None


@dataclass(frozen=True, slots=True)
class _Story:
    """A game as its record tells it: where it begins, every decision, and what chance brought before it (None:
    nothing).
    """

    rules: Rules
    initial: Position
    positions: tuple[Position, ...]
    actions: tuple[Action, ...]
    chance: tuple[_Chance | None, ...]
    result: Evaluation | None

    @classmethod
    def of(cls, record: Record) -> _Story:
        """Read a record in one pass over its events."""
        initial, actions = record.initial_position, record.actions()
        position, positions, chance = initial, list[Position](), list[_Chance | None]()
        line: tuple[int, ...] = ()
        king: int | None = None
        for event in record.events():
            match event:
                case LineRevealed():
                    had_choice = len(position.chance_outcomes()) > 1
                    line = tuple(domino.number for domino in event.line) if had_choice else ()
                    position = position.reveal(event.line)
                case KingDrawn():
                    king = event.seat if len(position.chance_outcomes()) > 1 else None
                    position = position.draw(event.seat)
                case Claimed() | Placed() | Discarded():
                    chance.append(_Chance(line, king) if line or king is not None else None)
                    line, king = (), None
                    positions.append(position)
                    position = position.play(actions[len(positions) - 1])
                case RoundBegan() | Finished():
                    pass
        return cls(record.rules, initial, tuple(positions), actions, tuple(chance), _result(record))


def _result(record: Record) -> Evaluation | None:
    outcome = record.outcome()
    if outcome is None:
        return None
    return Evaluation(
        outcome.shares,
        tuple(float(score.total) for score in outcome.scores),
        tuple(map(float, outcome.margins)),
    )


def _judging(story: _Story, ply: int, limit: Limit, seed: int, stop: Event) -> Pieces[Decision]:
    position, action = story.positions[ply], story.actions[ply]
    return judging(position, action, limit, ply=ply, seed=seed_of(seed, ply), stop=stop)


def seed_of(seed: int, ply: int) -> int:
    """The seed with which a review judges a decision."""
    return derive_seed(seed, "review", ply)


def _starting(story: _Story, limit: Limit, seed: int, stop: Event) -> Pieces[Evaluation]:
    """The value before the first event: the mean over some that chance may bring."""
    initial, rules = story.initial, story.rules
    if initial.is_over and story.result is not None:
        return story.result
    samples = _OPENINGS if initial.due else 1
    values: list[Evaluation] = []
    while len(values) < samples and not (values and stop.is_set()):
        game = Game.from_position(initial, derive_seed(seed, "opening", len(values)))
        analysis = yield from searching(Search(game.position, seed), scaled(limit, 1 / samples), stop)
        values.append(value_of(analysis, analysis.actions[0].action))
    found = mean(values)
    if initial.due == "line" and not initial.round:  # all seats are alike
        seats = rules.players
        return Evaluation(
            (1 / seats,) * seats, (fmean(found.mean_scores),) * seats, (fmean(found.mean_margin),) * seats
        )
    return found


def _with(review: Review, decision: Decision, story: _Story) -> Review:
    """The review with one decision more, or judged again."""
    decisions = [*review.decisions]
    decisions[decision.ply : decision.ply + 1] = [decision]
    return _assembled(story, review.limit, review.start, decisions)


def _assembled(story: _Story, limit: Limit, start: Evaluation, judged: Sequence[Decision]) -> Review:
    """Add the luck between the decisions judged so far, and the sums."""
    decisions: list[Decision] = []
    luck: list[Luck] = []
    expected = start
    for block in _blocks(story, judged):
        if story.result is not None and block[-1].ply == len(story.actions) - 1:
            block = _ended(block, story.result)
        first = block[0]
        event = story.chance[first.ply]
        if event is None:  # the game begins with a decision
            start = first.before
        else:
            change = first.before - expected
            luck.append(Luck(first.ply, event.line, event.king, change.win_rates, change.mean_margin))
        expected = first.before
        for decision in block:
            expected -= decision.before - decision.after
        decisions += block
    seats = tuple(_seat_review(seat, story.rules, decisions, luck) for seat in range(story.rules.players))
    return Review(limit, len(story.actions), start, story.result, tuple(decisions), tuple(luck), seats)


def _blocks(story: _Story, decisions: Sequence[Decision]) -> Iterator[list[Decision]]:
    """Split the decisions where chance comes between them."""
    starts = [
        decision.ply for decision in decisions if story.chance[decision.ply] is not None or not decision.ply
    ]
    for first, end in pairwise([*starts, len(decisions)]):
        yield [*decisions[first:end]]


def _ended(block: Sequence[Decision], result: Evaluation) -> list[Decision]:
    """Return the last decisions with values that lead to the result."""
    ended = []
    for decision in reversed(block):
        before = result + (decision.before - decision.after)
        ended.append(replace(decision, before=before, after=result))
        result = before
    return ended[::-1]


def _seat_review(seat: int, rules: Rules, decisions: Sequence[Decision], luck: Sequence[Luck]) -> SeatReview:
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
        level=level_of([decision.cost_points for decision in free], rules),
    )
