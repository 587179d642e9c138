"""Shares the computer's time among the people who want to know what is best: hints, reviews.

A job thinks in short steps, one thread a step. Few jobs take turns; the others wait in line and are told how many are
ahead of them. Both are fair: first by address, because anyone can have many sessions, then by person. So a job that has
begun waits again, between two steps, when someone comes who has fewer. Everything is bounded: the jobs of a person, of
a network and of all, and the time that a job thinks. When there is no room for another job, the last one in line
leaves. On Linux these threads have the lowest priority, so that the bots of running games go first.
"""

import asyncio
import os
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from enum import Enum
from functools import partial
from itertools import chain, count
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from kingdomino.machine import available_cores
from kingdomino.server import pools
from kingdomino.server.pools import Owner
from kingdomino.server.settings import Study
from kingdomino.server.tables.bots.threads import FairOrder, WorkOwner, in_thread
from kingdomino.server.tables.core.clock import Clock
from kingdomino.server.tables.core.refusals import Refusal
from kingdomino.server.telemetry import Metrics

STEP: Final = 0.2
"""Seconds that a step should take. Other jobs wait for the thread until then."""
_LOWEST: Final = 19  # nice
_LATER: Final = 10.0  # seconds


class Thinking(Enum):
    """What a step gives that is not finished: the next one goes on."""

    THINKING = "thinking"


T = TypeVar("T")
Step: TypeAlias = Callable[[threading.Event], T | Thinking | None]
"""Thinks for at most about `STEP` seconds in a thread, or until the event is set. Gives what it knows by then, if it is
new; `None` if there was nothing left to think about.
"""


def in_pieces(think: Callable[[threading.Event], Iterator[T | None]]) -> Step[T]:
    """Give the steps of a thought in pieces: ``think`` gives what is new after each of them, or None."""
    pieces: Iterator[T | None] | None = None

    def step(stop: threading.Event) -> T | Thinking | None:
        nonlocal pieces
        pieces = pieces or think(stop)
        try:
            thought = next(pieces)
        except StopIteration:
            return None
        return Thinking.THINKING if thought is None else thought

    return step


class Ahead(NamedTuple):
    """How many jobs are ahead in the line; 0: this one is next."""

    jobs: int


class Queue:
    """Runs the steps of jobs in threads, job by job in turn."""

    def __init__(self, study: Study, clock: Clock, metrics: Metrics | None = None) -> None:
        """Keep within these limits; the clock measures how long a job thinks."""
        self._study, self._quota, self._clock = study, pools.jobs(study), clock
        self._threads = study.threads or max(1, available_cores() // 2)
        self._jobs: list[_Job] = []  # as they came
        self._numbers = count()
        self._order = FairOrder()
        self._running = 0
        self._stopped = False
        self._metrics = metrics or Metrics()
        for state, is_active in (("thinking", True), ("waiting", False)):
            self._metrics.study_jobs.labels(state).set_function(partial(self._count, is_active))

    async def think(self, person: str, address: str, step: Step[T]) -> AsyncGenerator[Ahead | T]:
        """Give `Ahead` whenever the job waits in line, and what each step gives, until one gives `None` or the time of
        the job is over.

        Close the generator (`contextlib.aclosing`) to end the job: that stops the step which is running. A step only
        begins when the one before it has been taken. Raises `Refusal`, and whatever a step raises.
        """
        job = self._enter(person, address)
        try:
            while job.used < self._study.longest:
                told = -1
                while job.refusal is None and not job.is_active:
                    self._check_open()
                    if job.ahead != told:
                        told = job.ahead
                        yield Ahead(told)
                    else:
                        job.news.clear()
                        await job.news.wait()
                if job.refusal is not None:
                    raise job.refusal
                thought = await self._run(job, step)
                if thought is None:
                    return
                if not isinstance(thought, Thinking):
                    yield thought
        finally:
            self._leave(job)

    def stop(self) -> None:
        """End every job at once; refuse others from now on."""
        self._stopped = True
        for job in self._jobs:
            job.stop.set()
            job.news.set()
            if job.answer is not None and not job.answer.done():
                job.answer.set_exception(_closing())

    def __len__(self) -> int:
        return len(self._jobs)

    def _count(self, is_active: bool) -> int:
        return sum(job.is_active == is_active for job in list(self._jobs))

    def _enter(self, person: str, address: str) -> "_Job":
        self._check_open()
        held = [(Owner(job.share.person, job.share.address), 1) for job in self._jobs]
        scope = self._quota.exceeded(Owner(person, address), held)
        if scope in ("person", "network"):
            reason = "enough is being thought about for you already; wait until some of it is finished"
            raise Refusal("too_often", reason, wait=_LATER)
        job = _Job(WorkOwner(address, person, str(next(self._numbers))))
        self._jobs.append(job)
        if scope == "all":
            last = _fair_line(self._jobs)[-1]
            last.refusal = Refusal("busy", "too many people are waiting for an answer; try again later")
            self._leave(last)
            if last is job:
                raise last.refusal
        self._share()
        return job

    def _leave(self, job: "_Job") -> None:
        """End a job: stop its step, and wake it if it waits."""
        job.stop.set()
        job.news.set()
        if job in self._jobs:
            self._jobs.remove(job)
        if job.refusal is not None and job.answer is not None and not job.answer.done():
            job.answer.set_exception(job.refusal)
        job.step = None
        self._share()

    def _check_open(self) -> None:
        if self._stopped:
            raise _closing()

    async def _run(self, job: "_Job", step: Step[T]) -> T | Thinking | None:
        self._check_open()
        answer: asyncio.Future[T | Thinking | None] = asyncio.get_running_loop().create_future()
        job.answer, job.step = answer, step
        self._share()
        return await answer

    def _share(self) -> None:
        """Let jobs out of the line, and begin steps, as far as there is room."""
        most = self._study.taking_turns * self._threads
        for ahead, job in enumerate(_fair_line(self._jobs), -most):
            job.is_active = ahead < 0
            job.ahead = max(0, ahead)
            job.news.set()
        while self._running < self._threads and not self._stopped:
            ready = [job for job in self._jobs if job.step is not None]
            if not ready:
                break
            self._begin(min(ready, key=lambda job: self._order.key(job.share)))

    def _begin(self, job: "_Job") -> None:
        step, answer = job.step, job.answer
        assert step is not None
        assert answer is not None
        self._order.serve(job.share)
        self._running += 1
        job.step = None
        began = self._clock.time()

        def end(thought: object, failure: Exception | None) -> None:
            self._running -= 1
            used = self._clock.time() - began
            job.used += used
            self._metrics.study_seconds.inc(max(0.0, used))
            if answer.done():  # the job has ended
                pass
            elif failure is not None:
                answer.set_exception(failure)
            else:
                answer.set_result(thought)
            self._share()

        def work() -> object:
            _lower_priority()
            return step(job.stop)

        in_thread("study", work, end)


class _Job:
    """What one person wants to know."""

    def __init__(self, share: WorkOwner) -> None:
        self.share = share
        self.stop = threading.Event()
        self.news = asyncio.Event()
        self.is_active = False
        self.ahead = 0
        self.refusal: Refusal | None = None  # why it has left the line
        self.used = 0.0  # seconds of thought
        self.step: Step[Any] | None = None  # to be begun
        self.answer: asyncio.Future[Any] | None = None


def _fair_line(jobs: Iterable[_Job]) -> list[_Job]:
    """Order the jobs: the first one of each address before the second of any, and at an address likewise by person."""
    return _in_turn(_in_turn(jobs, lambda job: job.share.person), lambda job: job.share.address)


def _in_turn(jobs: Iterable[_Job], owner: Callable[[_Job], str]) -> list[_Job]:
    rounds: defaultdict[int, list[_Job]] = defaultdict(list)
    before = Counter[str]()
    for job in jobs:
        rounds[before[owner(job)]].append(job)
        before[owner(job)] += 1
    return list(chain.from_iterable(rounds.values()))


def _closing() -> Refusal:
    return Refusal("busy", "the server is shutting down")


def _lower_priority() -> None:
    if sys.platform == "linux":  # elsewhere it would be that of the whole process
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LOWEST)
