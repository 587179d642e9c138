"""Reviews of finished games: each is computed once, stored, and streamed to everyone who looks at it meanwhile.

The thinking is a job of the first who asked. When that person goes, it becomes the job of the next; when all have gone
it is put aside, and taken up where it was by the next person who asks. It is stored every few decisions, so a server
that is stopped in the middle goes on as well.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from threading import Event
from typing import Final, NamedTuple

import kingdomino as kd
from kingdomino._core import Story
from kingdomino.analysis import Decision, Evaluation, Luck, Review, SeatReview
from kingdomino.analysis.judge import decisions
from kingdomino.analysis.review import passes, seed_of
from kingdomino.analysis.values import evaluations
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


class Reviewing:
    """A review that is made step by step: the start of the game, every decision with a quarter of the playouts, and
    every decision with all of them. It can be put aside between two pieces and taken up again.
    """

    def __init__(
        self, record: kd.Record, playouts: int, known: Review | None = None, steps_made: int = 0
    ) -> None:
        """Begin a review, or go on with one: ``known`` is the last review and ``steps_made`` the number of steps
        made, if it was begun before with the same record and playouts.
        """
        self._story, self._playouts = Story(record), playouts
        self.review, self.steps_made = known, steps_made
        each = (limit.playouts or 1 for limit in passes(Limit(playouts=playouts)))
        self._order = [(ply, count) for count in each for ply in range(self._story.plies)]
        self.steps = 1 + len(self._order)
        """How many steps there are."""

    def pieces(self, stop: Event) -> Iterator[Review | None]:
        """Make the steps that are left: give the review after each step, and None after each piece within one.

        It ends when all steps are made, and once ``stop`` is set: then the step that was begun is still to be made.
        """
        story = self._story
        while self.steps_made < self.steps:
            if self.review is None:
                start, judged = story.start(None, self._playouts, _SEED, stop), list[str]()
            else:
                start = evaluations().dump_json(self.review.start).decode()
                judged = [decisions().dump_json(one).decode() for one in self.review.decisions]
                ply, playouts = self._order[self.steps_made - 1]
                judging = story.judging(ply, playouts, _SEED)
                while not stop.is_set() and not judging.step(hints.PIECE):
                    yield None
                if stop.is_set():
                    return
                judged[ply : ply + 1] = [judging.decision()]
            if stop.is_set():
                return
            self.review = Review.from_json(story.assemble(start, judged))
            self.steps_made += 1
            yield self.review


class Reviews:
    """Computes the reviews of finished games, each once."""

    def __init__(self, storage: Storage, queue: Queue, playouts: int) -> None:
        """Think in this queue, with so many playouts for each decision."""
        self._storage, self._queue, self._playouts = storage, queue, playouts
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
        return hints.cost(position, action, ply, self._playouts, seed_of(_SEED, ply))

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
                return Reviewing(record, self._playouts, known, stored.steps)
        return Reviewing(record, self._playouts)

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
