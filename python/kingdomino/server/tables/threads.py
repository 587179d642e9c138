"""Work in threads: how it is begun, and whose work comes next when there are fewer threads than work."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Final, NamedTuple, TypeAlias, TypeVar

_REMEMBERED: Final = 20_000  # addresses, persons and tables; the one served longest ago is forgotten first

T = TypeVar("T")


class Share(NamedTuple):
    """On whose behalf work is done: an address, one of its persons, and one of that person's tables or jobs.

    The address comes first, because anyone can have many sessions.
    """

    address: str
    person: str
    work: str


_Prefix: TypeAlias = tuple[str, ...]


class FairOrder:
    """Orders work by who was served longest ago: first the address, then the person, then the table or job."""

    def __init__(self) -> None:
        self._count = 0
        self._served: OrderedDict[_Prefix, int] = OrderedDict()

    def key(self, share: Share) -> tuple[int, ...]:
        """Give a sort key; the work with the lowest one comes next."""
        return tuple(self._served.get(prefix, 0) for prefix in _prefixes(share))

    def serve(self, share: Share) -> None:
        """Take note that this work begins."""
        self._count += 1
        for prefix in _prefixes(share):
            self._served[prefix] = self._count
            self._served.move_to_end(prefix)
        while len(self._served) > _REMEMBERED:
            self._served.popitem(last=False)


def _prefixes(share: Share) -> tuple[_Prefix, ...]:
    return share[:1], share[:2], share


def in_thread(name: str, work: Callable[[], T], end: Callable[[T | None, Exception | None], None]) -> None:
    """Do some work in a new thread; then call ``end`` in the event loop, with its result or with what it raised.

    It is a daemon thread, so that work that never ends does not keep the server alive.
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
    except RuntimeError as error:  # there are as many threads as the system allows
        loop.call_soon(end, None, error)
