"""Judges every decision of a game, and separates luck from skill.

The engine does the work (crates/search/src/review).
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event

from kingdomino._core import Record, Story, derive_seed
from kingdomino.analysis.judge import DEFAULT_LIMIT
from kingdomino.analysis.values import Review
from kingdomino.bots import Limit
from kingdomino.errors import KingdominoError

_FIRST_PASS = 1 / 4


def review(
    record: Record,
    limit: Limit = DEFAULT_LIMIT,
    *,
    seed: int = 0,
    threads: int = 1,
    stop: Event | None = None,
) -> Review:
    """Judge every decision of a record, and the luck between them.

    limit: the limit for each decision. With playouts alone, record, limit and seed determine the review.
    seed: 0 to 2**64 - 1.
    threads: how many decisions to judge at once, 1 or more.
    stop: another thread may set it to get the review so far, within about 0.1 s for each thread that shares a
        processor.

    Reviews an unfinished record as far as it goes. Raises `KingdominoError` for a seed out of range, and for no
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
    second, one decision more has its final judgement. The last equals the result of `review`, which has the same
    arguments. Closing the generator stops the work.
    """
    yield from _grown(record, passes(limit), seed, threads, stop or Event())


def passes(limit: Limit) -> tuple[Limit, Limit]:
    """Return the limits of the two passes."""
    time = None if limit.time is None else limit.time * _FIRST_PASS
    playouts = None if limit.playouts is None else max(1, round(limit.playouts * _FIRST_PASS))
    return Limit(time, playouts), limit


def seed_of(seed: int, ply: int) -> int:
    """Return the seed with which a review judges a decision."""
    return derive_seed(seed, "review", ply)


class _Either:
    """An event that is set when one of some events is."""

    def __init__(self, *events: Event) -> None:
        self._events = events

    def is_set(self) -> bool:
        return any(event.is_set() for event in self._events)


def _grown(record: Record, passes: Sequence[Limit], seed: int, threads: int, stop: Event) -> Iterator[Review]:
    if threads < 1:
        raise KingdominoError(f"{threads} is not a number of threads (1 or more)")
    story, last = Story(record), passes[-1]
    start = story.start(last.time, last.playouts, seed, stop)
    decisions: list[str] = []
    yield Review.from_json(story.assemble(start, decisions))
    abandoned = Event()  # and not `stop`, which is the caller's and may serve for the next review

    def judge(ply: int, limit: Limit) -> str:
        judging = story.judging(ply, limit.playouts, seed)
        judging.run(time=limit.time, stop=_Either(stop, abandoned))
        return judging.decision()

    steps = [(ply, limit) for limit in passes for ply in range(story.plies)]
    with ThreadPoolExecutor(threads, "review") as pool:
        futures: list[Future[str]] = []
        try:
            futures += [pool.submit(judge, *step) for step in steps]
            for (ply, _), future in zip(steps, futures, strict=True):
                decision = future.result()
                if stop.is_set():
                    return
                decisions[ply : ply + 1] = [decision]
                yield Review.from_json(story.assemble(start, decisions))
        finally:
            abandoned.set()
            for future in futures:
                future.cancel()
