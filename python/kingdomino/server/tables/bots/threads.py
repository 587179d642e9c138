"""Work in threads, and its fair order when there are fewer threads than work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Thread
from typing import Final, NamedTuple, ParamSpec, TypeAlias, TypeVar

from kingdomino.server.pools import REMEMBERED, Memory

_GAMES: Final = ThreadPoolExecutor(1, "games")
"""One thread: every additional one would delay the event loop, because they compete for the interpreter."""

P = ParamSpec("P")
T = TypeVar("T")


async def off_loop(work: Callable[P, T], *arguments: P.args, **more: P.kwargs) -> T:
    """Run work that takes milliseconds, such as reading a whole game, in a thread, and return its result.

    Calls run one after the other, in order.
    """
    return await asyncio.get_running_loop().run_in_executor(_GAMES, lambda: work(*arguments, **more))


class WorkOwner(NamedTuple):
    """For whom work is done: an address, a person there, and a table or job of that person.

    The address comes first, because anyone can have many sessions.
    """

    address: str
    person: str
    work: str


_Prefix: TypeAlias = tuple[str, ...]


class FairOrder:
    """Round robin: the address that was served longest ago is next; within it the person, then the table or job."""

    def __init__(self) -> None:
        self._count = 0
        self._served: Memory[_Prefix, int] = Memory(REMEMBERED)

    def key(self, owner: WorkOwner) -> tuple[int, ...]:
        """Return a sort key; the work with the lowest one comes next."""
        return tuple(self._served.get(prefix) or 0 for prefix in _prefixes(owner))

    def serve(self, owner: WorkOwner) -> None:
        """Record that work for this owner begins."""
        self._count += 1
        for prefix in reversed(_prefixes(owner)):  # the address last, so that it is evicted last
            self._served.put(prefix, self._count, owner.address)


def _prefixes(owner: WorkOwner) -> tuple[_Prefix, ...]:
    return owner[:1], owner[:2], owner


def in_thread(name: str, work: Callable[[], T], end: Callable[[T | None, Exception | None], None]) -> None:
    """Run work in a new thread; then call ``end`` in the event loop with its result or its exception.

    It is a daemon thread, so that endless work does not keep the server alive.
    """
    loop = asyncio.get_running_loop()

    def run() -> None:
        result, failure = None, None
        try:
            result = work()
        except BaseException as error:
            if isinstance(error, Exception) and not isinstance(error, StopIteration):
                failure = error
            else:  # it would end the thread, or could not be raised in the event loop
                failure = RuntimeError(f"it raised {type(error).__name__}")
                failure.__cause__ = error
        with suppress(RuntimeError):  # the server has stopped in the meantime
            loop.call_soon_threadsafe(end, result, failure)

    try:
        Thread(target=run, name=name, daemon=True).start()
    except RuntimeError as error:  # the system allows no more threads
        loop.call_soon(end, None, error)
