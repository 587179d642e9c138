"""Reviews of finished games: each is computed once, stored, and streamed to everyone who looks at it meanwhile.

The thinking is a job of the first who asked. When that person goes, it becomes the job of the next; when all have gone
it is put aside, and taken up where it was by the next person who asks. It is stored every few decisions, so a server
that is stopped in the middle goes on as well.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final, NamedTuple

import kingdomino as kd
from kingdomino.analysis import Decision, Luck, Review, SeatReview
from kingdomino.analysis.review import Reviewing, seed_of
from kingdomino.analysis.values import Evaluation
from kingdomino.bots import Limit
from kingdomino.server.storage import StorageError
from kingdomino.server.storage.reviews import GameKey, StoredReview
from kingdomino.server.storage.reviews import Reviews as Storage
from kingdomino.server.study import hints
from kingdomino.server.study.queue import Ahead, Queue, Step, in_pieces
from kingdomino.server.tables.core.events import Model
from kingdomino.server.tables.core.refusals import Refusal, RefusalBody

_log = logging.getLogger(__name__)
_SEED: Final = 0
_STORED_EVERY: Final = 8
"""Steps after which a review is stored; so many are lost at most if the server is killed."""


class ReviewNews(Model):
    """What is new of a review.

    ``ahead``: how many are being served first; null while it is this review's turn. ``steps_made`` of ``steps``: each
    decision is judged twice, at first roughly. ``decisions``: those that are new or have changed. The others replace
    what came before; they are null as long as nothing is known. ``refusal``: why it does not go on; nothing more comes.
    """

    ahead: int | None = None
    steps_made: int = 0
    steps: int = 0
    plies: int = 0
    start: Evaluation | None = None
    result: Evaluation | None = None
    decisions: tuple[Decision, ...] = ()
    luck: tuple[Luck, ...] | None = None
    seats: tuple[SeatReview, ...] | None = None
    refusal: RefusalBody | None = None


class Progress(NamedTuple):
    """A review so far, and how many are ahead of it in the line (`None`: it is being computed)."""

    review: Review | None
    steps_made: int
    steps: int
    ahead: int | None

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return 0 < self.steps == self.steps_made

    def news(self, before: Progress | None) -> ReviewNews:
        """Say what is new since an earlier one."""
        review = self.review
        if review is None:
            return ReviewNews(ahead=self.ahead, steps_made=self.steps_made, steps=self.steps)
        known = before.review.decisions if before and before.review else ()
        new = (one for one in review.decisions if one.ply >= len(known) or known[one.ply] != one)
        return ReviewNews(
            ahead=self.ahead,
            steps_made=self.steps_made,
            steps=self.steps,
            plies=review.plies,
            start=review.start,
            result=review.result,
            decisions=tuple(new),
            luck=review.luck,
            seats=review.seats,
        )


class Reviews:
    """Computes the reviews of finished games, each once."""

    def __init__(self, storage: Storage, queue: Queue, playouts: int) -> None:
        """Think in this queue, with so many playouts for each decision."""
        self._storage, self._queue, self._limit = storage, queue, Limit(playouts=playouts)
        self._works: dict[GameKey, _Work] = {}

    async def follow(
        self, game: GameKey, record: kd.Record, person: str, address: str
    ) -> AsyncGenerator[Progress]:
        """Give the review of a game as it grows; that of its ``record``.

        Close the generator (`contextlib.aclosing`) to follow it no longer. Raises `Refusal` and `StorageError`.
        """
        work = self._works.get(game)
        if work is None:
            work = self._works[game] = _Work(record)
            work.task = asyncio.create_task(self._run(game, work), name=f"review of {game.id}")
        watcher = _Watcher(person, address)
        work.watchers.append(watcher)
        told: Progress | None = None
        try:
            while told is None or not told.is_over:
                if watcher.failure:
                    raise watcher.failure
                if work.progress is not None and work.progress != told:
                    told = work.progress
                    yield told
                else:
                    watcher.news.clear()
                    await watcher.news.wait()
        finally:
            work.watchers.remove(watcher)
            watcher.leave()

    async def stop(self) -> None:
        """Store what is known of every review. The queue must have been stopped."""
        tasks = [work.task for work in self._works.values() if work.task]
        for work in self._works.values():
            for watcher in work.watchers:
                watcher.leave()
        await asyncio.gather(*tasks, return_exceptions=True)

    def cost(self, position: kd.Position, action: kd.Action, ply: int) -> Step[hints.Cost]:
        """Give the steps that say what another action would have cost, against the same actions and on the same
        sampled decks as in the review.
        """
        return hints.cost(position, action, ply, self._limit, seed_of(_SEED, ply))

    async def _run(self, game: GameKey, work: _Work) -> None:
        """Compute a review as long as anyone follows it."""
        reviewing = None
        try:
            reviewing = await self._load(game, work.record)
            work.tell(_progress(reviewing))
            while reviewing.steps_made < reviewing.steps and (watcher := work.next_watcher):
                watcher.thinking = asyncio.create_task(self._think(game, work, reviewing, watcher))
                try:
                    await watcher.thinking
                except asyncio.CancelledError:
                    if not watcher.has_left:
                        raise
                except Refusal as refusal:
                    watcher.fail(refusal)
        except StorageError as error:
            for watcher in work.watchers:
                watcher.fail(error)
        except Exception:
            _log.exception("the review of %s failed", game.id)
            for watcher in work.watchers:
                watcher.fail(Refusal("failed", "the review failed"))
        finally:
            del self._works[game]
            if reviewing is not None and not work.is_stored:
                await self._store(game, reviewing)

    async def _think(self, game: GameKey, work: _Work, reviewing: Reviewing, watcher: _Watcher) -> None:
        thinking = self._queue.think(watcher.person, watcher.address, in_pieces(reviewing.pieces))
        async with aclosing(thinking) as thoughts:
            async for thought in thoughts:
                if isinstance(thought, Ahead):
                    work.tell(_progress(reviewing, thought.jobs))
                    continue
                work.is_stored = False
                if reviewing.steps_made % _STORED_EVERY == 0 or reviewing.steps_made == reviewing.steps:
                    await self._store(game, reviewing)
                    work.is_stored = True
                work.tell(_progress(reviewing))

    async def _load(self, game: GameKey, record: kd.Record) -> Reviewing:
        stored = await self._storage.get(game)
        if stored is not None:
            try:
                known = Review.from_json(stored.body)
            except kd.ParseError:  # an older version of the program wrote it: it is made again
                await self._storage.remove(game)
            else:
                return Reviewing(record, known.limit, seed=_SEED, known=known, steps_made=stored.steps)
        return Reviewing(record, self._limit, seed=_SEED)

    async def _store(self, game: GameKey, reviewing: Reviewing) -> None:
        review = reviewing.review
        if review is None:
            return
        try:
            await self._storage.put(game, StoredReview(reviewing.steps_made, review.to_json()))
        except StorageError:
            _log.warning("the review of %s could not be stored", game.id, exc_info=True)


class _Work:
    """A review that is being computed, and those who follow it."""

    def __init__(self, record: kd.Record) -> None:
        self.record = record
        self.watchers: list[_Watcher] = []
        self.progress: Progress | None = None
        self.task: asyncio.Task[None] | None = None
        self.is_stored = True

    @property
    def next_watcher(self) -> _Watcher | None:
        """The one whose job the review is now."""
        able = (watcher for watcher in self.watchers if not watcher.has_left and not watcher.failure)
        return next(able, None)

    def tell(self, progress: Progress) -> None:
        """Tell everyone how far it is."""
        self.progress = progress
        for watcher in self.watchers:
            watcher.news.set()


class _Watcher:
    """One who follows a review."""

    def __init__(self, person: str, address: str) -> None:
        self.person, self.address = person, address
        self.news = asyncio.Event()
        self.failure: Exception | None = None
        self.thinking: asyncio.Task[None] | None = None
        self.has_left = False

    def leave(self) -> None:
        """Give up the share of the computer's time that this one has."""
        self.has_left = True
        if self.thinking:
            self.thinking.cancel()

    def fail(self, failure: Exception) -> None:
        """Say why it does not go on."""
        self.failure = failure
        self.news.set()


def _progress(reviewing: Reviewing, ahead: int | None = None) -> Progress:
    return Progress(reviewing.review, reviewing.steps_made, reviewing.steps, ahead)
