"""The queue of what people want to know: in turn, fair, bounded, and ended at once when no one waits for it.

The steps are fakes: the test lets each of them end. Nothing here waits for a time.
"""

import asyncio
import os
import sys
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

import pytest
from support.clients import TIMEOUT, Clock

from kingdomino.server.settings import Study
from kingdomino.server.study.queue import Ahead, Queue, in_pieces
from kingdomino.server.tables.core.refusals import Refusal

STUDY = Study(threads=1, taking_turns=2, jobs=6, jobs_of_address=4, jobs_of_person=2, longest=5)
T = TypeVar("T")
Step: TypeAlias = Callable[[threading.Event], Any]


@pytest.fixture
def queue(clock: Clock) -> Queue:
    """Give a queue with one thread, which two jobs share."""
    return Queue(STUDY, clock)


def at_once(_: threading.Event) -> str:
    """Make a step that takes no time."""
    return "thought"


@asynccontextmanager
async def thinking(
    queue: Queue, person: str = "ida", address: str = "a", step: Step = at_once
) -> AsyncIterator[AsyncGenerator[Any, None]]:
    """Open a job. It is in the queue after its first thought, or when it is told how many are ahead."""
    async with aclosing(queue.think(person, address, step)) as thoughts:
        yield thoughts


async def soon(work: Awaitable[T]) -> T:
    """Wait for something that must happen."""
    async with asyncio.timeout(TIMEOUT):
        return await work


async def test_a_job_gives_what_each_step_knows_until_one_has_nothing_more(queue: Queue) -> None:
    steps = iter(["one", "two", None, "never"])
    async with thinking(queue, step=lambda _: next(steps)) as thoughts:
        assert [thought async for thought in thoughts] == ["one", "two"]
    assert len(queue) == 0


async def test_a_thought_in_pieces_is_given_when_it_is_known(queue: Queue) -> None:
    def think(_: threading.Event) -> Iterator[str | None]:
        yield from (None, None, "one", None, "two", None)

    async with thinking(queue, step=in_pieces(think)) as thoughts:
        assert [thought async for thought in thoughts] == ["one", "two"]


async def test_another_job_thinks_between_two_pieces(queue: Queue) -> None:
    pieces: list[str] = []

    def begin(name: str) -> Step:
        def think(_: threading.Event) -> Iterator[str | None]:
            for _piece in range(3):
                pieces.append(name)
                yield None
            yield name

        return in_pieces(think)

    async with (
        thinking(queue, "ida", "a", begin("ida")) as one,
        thinking(queue, "ann", "b", begin("ann")) as other,
    ):
        assert set(await soon(asyncio.gather(anext(one), anext(other)))) == {"ida", "ann"}
    assert pieces == ["ida", "ann"] * 3


async def test_a_job_ends_when_it_has_thought_for_its_time(queue: Queue, clock: Clock) -> None:
    def slow(_: threading.Event) -> str:
        clock.pass_by(2)
        return "thought"

    async with thinking(queue, step=slow) as thoughts:
        assert len([thought async for thought in thoughts]) == 3


async def test_only_so_many_jobs_take_turns_and_the_others_hear_how_many_are_ahead(queue: Queue) -> None:
    async with AsyncExitStack() as stack:
        jobs = [await stack.enter_async_context(thinking(queue, f"p{n}", f"a{n}")) for n in range(5)]
        first = [await soon(anext(job)) for job in jobs]
        assert first == ["thought", "thought", Ahead(0), Ahead(1), Ahead(2)]
        await jobs[0].aclose()
        assert [await soon(anext(job)) for job in jobs[2:]] == ["thought", Ahead(0), Ahead(1)]


async def test_the_line_is_fair_to_addresses_then_to_persons(queue: Queue) -> None:
    """Someone with many sessions, or many pages, does not keep a newcomer waiting."""
    async with AsyncExitStack() as stack:
        who = [("ida", "a"), ("ida", "a"), ("other", "a"), ("oskar", "b"), ("sorrel", "c")]
        jobs = [await stack.enter_async_context(thinking(queue, *one)) for one in who]
        first = [await soon(anext(job)) for job in jobs]
        assert first == ["thought", "thought", "thought", "thought", Ahead(0)]
        assert [await soon(anext(jobs[number])) for number in (1, 2)] == [Ahead(2), Ahead(1)]
        await jobs[3].aclose()
        waiting = [await soon(anext(jobs[number])) for number in (1, 2, 4)]
        assert waiting == [Ahead(1), Ahead(0), "thought"]


@pytest.mark.parametrize("address", ["a", "b"])
async def test_a_newcomer_need_not_wait_for_someones_second_job(queue: Queue, address: str) -> None:
    async def think_on() -> None:
        async with thinking(queue) as thoughts:
            async for _ in thoughts:
                pass

    tasks = [asyncio.create_task(think_on()) for _ in range(2)]
    while len(queue) < 2:
        await asyncio.sleep(0)
    async with thinking(queue, "oskar", address) as thoughts:
        assert await soon(anext(thoughts)) == "thought"
        assert not any(task.done() for task in tasks)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_jobs_share_a_thread_step_by_step(clock: Clock) -> None:
    """The two jobs of one address have together as many turns as the one of another."""
    order: list[str] = []
    going = threading.Event()

    def named(name: str) -> Step:
        def step(_: threading.Event) -> str:
            going.wait(TIMEOUT)
            order.append(name)
            return name

        return step

    queue = Queue(replace(STUDY, taking_turns=3), clock)

    async def consume(person: str, address: str, name: str) -> None:
        async with thinking(queue, person, address, named(name)) as thoughts:
            async for _ in thoughts:
                if len(order) >= 12:
                    return

    tasks = [
        asyncio.create_task(consume(*one))
        for one in (("ida", "a", "I"), ("ida", "a", "J"), ("oskar", "b", "O"))
    ]
    while len(queue) < 3:
        await asyncio.sleep(0)
    going.set()
    await soon(asyncio.gather(*tasks))
    assert sorted("".join(order[2:10])) == sorted("IJIJOOOO")


@pytest.mark.parametrize(
    ("who", "code"),
    [
        ([("ida", "a")] * 2, "too_often"),
        ([(f"p{n}", "a") for n in range(4)], "too_often"),
        ([(f"p{n}", f"a{n}") for n in range(6)], "busy"),
    ],
)
async def test_the_jobs_of_a_person_an_address_and_all_are_bounded(
    queue: Queue, who: list[tuple[str, str]], code: str
) -> None:
    async with AsyncExitStack() as stack:
        for one in who:
            await soon(anext(await stack.enter_async_context(thinking(queue, *one))))
        with pytest.raises(Refusal) as refused:
            await anext(queue.think("ida", "a", at_once))
        assert refused.value.code == code
        assert (refused.value.wait is not None) == (code == "too_often")
    async with thinking(queue) as thoughts:
        assert await soon(anext(thoughts)) == "thought"


def until_stopped(begun: threading.Event) -> Step:
    """Make a step that thinks until it is stopped."""

    def step(stop: threading.Event) -> str:
        begun.set()
        assert stop.wait(TIMEOUT)
        return "stopped"

    return step


async def test_a_job_that_nobody_waits_for_is_stopped_and_its_thread_is_free(queue: Queue) -> None:
    begun = threading.Event()

    async def wait() -> None:
        async with thinking(queue, step=until_stopped(begun)) as thoughts:
            await anext(thoughts)

    task = asyncio.create_task(wait())
    await asyncio.to_thread(begun.wait, TIMEOUT)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert len(queue) == 0
    async with thinking(queue, "oskar") as thoughts:
        assert await soon(anext(thoughts)) == "thought"


async def test_a_stopped_queue_ends_every_job_at_once_and_refuses_others(queue: Queue) -> None:
    begun = threading.Event()
    async with AsyncExitStack() as stack:
        jobs = [
            await stack.enter_async_context(thinking(queue, f"p{n}", step=until_stopped(begun)))
            for n in range(3)
        ]
        tasks = [asyncio.ensure_future(anext(job)) for job in jobs]
        await asyncio.to_thread(begun.wait, TIMEOUT)
        assert await soon(tasks[2]) == Ahead(0)
        queue.stop()
        for task in (tasks[0], tasks[1], asyncio.ensure_future(anext(jobs[2]))):
            with pytest.raises(Refusal, match="shutting down"):
                await soon(task)
    with pytest.raises(Refusal, match="shutting down"):
        await anext(queue.think("ida", "a", at_once))


async def test_a_step_that_fails_ends_only_its_own_job(queue: Queue) -> None:
    def bad(_: threading.Event) -> str:
        raise ValueError("a mistake")

    async with thinking(queue) as good:
        with pytest.raises(ValueError, match="a mistake"):
            await anext(queue.think("oskar", "b", bad))
        assert await soon(anext(good)) == "thought"


async def test_a_thread_that_could_not_be_started_ends_only_its_own_job(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_more(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", no_more)
        with pytest.raises(RuntimeError, match="new thread"):
            await soon(anext(queue.think("oskar", "b", at_once)))
    async with thinking(queue) as thoughts:
        assert await soon(anext(thoughts)) == "thought"


@pytest.mark.skipif(sys.platform != "linux", reason="threads have a priority of their own only on Linux")
async def test_steps_have_the_lowest_priority(queue: Queue) -> None:
    def priority(_: threading.Event) -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    before = os.getpriority(os.PRIO_PROCESS, 0)
    async with thinking(queue, step=priority) as thoughts:
        assert await soon(anext(thoughts)) == 19
    assert os.getpriority(os.PRIO_PROCESS, 0) == before
