"""Sheds load: what the server cannot do in time it refuses at once, before anything has been done.

Running games go on longest, new ones are refused before them, and spectators first, with everything that can wait.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from typing import Final, NamedTuple, TypeAlias

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kingdomino.server import pools
from kingdomino.server.http.identity import known_user
from kingdomino.server.http.limits import owner_of
from kingdomino.server.http.refusing import refuse
from kingdomino.server.pools import Owner
from kingdomino.server.settings import Overload
from kingdomino.server.tables.core.refusals import Refusal
from kingdomino.server.tables.core.registry import Registry
from kingdomino.server.telemetry import Metrics

__all__ = ["BEAT", "LoadShedding", "Pressure", "may_refuse"]

BEAT: Final = 0.1
"""Seconds between two looks at the event loop."""
_BEATS: Final = 5
"""The event loop counts as late after this many times in a row: once is a pause, as for collecting garbage."""
_TABLE: Final = re.compile(r"(/api/tables|/t)/(?P<table>[^/]+)(?P<rest>/.*)?")
_NEW_GAME: Final = re.compile(r"(/seats|/rematch|/start)")
_PAST: Final = re.compile(r"/(events|record|picture)")
_THOUGHT: Final = re.compile(r"/api/(analysis|reviews)/(.*/)?(socket|cost)|/api/tables/[^/]+/(hint|cost)")
_CONSTANT: Final = ("/api/dominoes", "/api/bots")
_STARTS: Final = ("http.response.start", "websocket.http.response.start", "websocket.send", "websocket.close")

Backlog: TypeAlias = Callable[[], tuple[int, float]]
"""How many writes wait for the database, and for how many seconds the oldest of them has."""


class _Rank(NamedTuple):
    """How important a request is: the pressure from which it is refused, and when its client may try again."""

    refused_from: float
    wait: int  # seconds


_GAME: Final = _Rank(1.0, 1)
_NEW: Final = _Rank(0.5, 5)
_OTHER: Final = _Rank(0.25, 10)


class Pressure:
    """How much the server has to do: 1 is the most that it can do in time.

    The highest of four measures counts, each relative to its setting. ``requests`` are those that are being answered.
    """

    def __init__(
        self,
        settings: Overload,
        backlog: Backlog,
        time: Callable[[], float],
        metrics: Metrics | None = None,
    ) -> None:
        """Measure with this clock, in seconds."""
        self._metrics = metrics or Metrics()
        self._metrics.pressure.set_function(self.__float__)
        self._metrics.requests_running.set_function(lambda: self.requests)
        self._metrics.writes_waiting.set_function(lambda: backlog()[0])
        self._metrics.write_wait.set_function(lambda: backlog()[1])
        self._settings, self._backlog, self._time = settings, backlog, time
        self._late: deque[float] = deque([0.0], _BEATS)
        self._next: float | None = None
        self._quota = pools.requests(settings)
        self.requests = 0
        self._of_network = Counter[str]()

    def has_room(self, owner: Owner) -> bool:
        """Whether a network has not used up its share of the requests that are being answered."""
        return self._of_network[owner.network] < (self._quota.of_network or math.inf)

    @contextmanager
    def answering(self, owner: Owner) -> Iterator[None]:
        """Count a request while it is being answered."""
        self.requests += 1
        self._of_network[owner.network] += 1
        try:
            yield
        finally:
            self.requests -= 1
            self._of_network[owner.network] -= 1
            if not self._of_network[owner.network]:
                del self._of_network[owner.network]

    @property
    def lag(self) -> float:
        """Seconds by which the event loop has been late several times in a row."""
        return min(self._late) if len(self._late) == _BEATS else 0.0

    def __float__(self) -> float:
        writes, wait = self._backlog()
        most = self._settings
        measures = (
            (self.lag, most.lag),
            (self.requests, most.requests),
            (writes, most.writes),
            (wait, most.write_wait),
        )
        return max(measure / limit for measure, limit in measures)

    def beat(self) -> None:
        """Note how late the event loop is. To be called every `BEAT` seconds."""
        now = self._time()
        if self._next is not None:
            late = max(0.0, now - self._next)
            self._late.append(late)
            self._metrics.lag.observe(late)
        self._next = now + BEAT

    @asynccontextmanager
    async def measured(self) -> AsyncIterator[None]:
        """Watch the event loop until the context ends."""

        async def beat_for_ever() -> None:
            while True:
                self.beat()
                await asyncio.sleep(BEAT)

        task = asyncio.create_task(beat_for_ever(), name="measuring the event loop")
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


class LoadShedding:
    """ASGI middleware: refuses requests with status 503 while the pressure is too high for them.

    It must be inside of what reads bodies and identities: a slow client is not load.
    """

    def __init__(self, app: ASGIApp, *, has_quotas: bool = True) -> None:
        """``has_quotas``: whether one network may only have its share of the requests that are being answered."""
        self._app, self._has_quotas = app, has_quotas

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        rank = None if scope["type"] == "lifespan" else _rank(scope)
        if rank is None:
            return await self._app(scope, receive, send)
        pressure: Pressure = scope["app"].state.pressure
        if float(pressure) >= rank.refused_from:
            wait = rank.wait
            refusal = Refusal("busy", f"the server has too much to do; try again in {wait} s", wait=wait)
            return await refuse(scope, send, refusal)
        if _THOUGHT.fullmatch(scope["path"]):  # it waits in a queue of its own
            return await self._app(scope, receive, send)
        owner = owner_of(scope)
        if self._has_quotas and not pressure.has_room(owner):
            refusal = Refusal("busy", "too much is asked from your address; try again in 1 s", wait=1)
            return await refuse(scope, send, refusal)
        with ExitStack() as answering:
            answering.enter_context(pressure.answering(owner))

            async def watch(message: Message) -> None:
                if message["type"] in _STARTS:
                    answering.close()
                await send(message)

            await self._app(scope, receive, watch)
        return None


def may_refuse(path: str) -> bool:
    """Whether requests to a path are refused, with the code `busy`, if there is too much to do."""
    return path.startswith(("/api/", "/t/", "/docs", "/openapi.json")) and path not in _CONSTANT


def _rank(scope: Scope) -> _Rank | None:
    """Rank a request. `None` is for what costs next to nothing: most pages, the files and the checks."""
    path: str = scope["path"]
    if not may_refuse(path):
        return None
    found = _TABLE.fullmatch(path)
    if found is None:
        return _NEW if scope.get("method", "GET") not in ("GET", "HEAD") and _begins(path) else _OTHER
    if _THOUGHT.fullmatch(path):
        return _OTHER
    if scope.get("method") == "POST" and _NEW_GAME.fullmatch(found["rest"] or ""):
        return _NEW
    registry: Registry = scope["app"].state.registry
    if found["table"] not in registry and _PAST.fullmatch(found["rest"] or ""):
        return _OTHER  # most tables in the store are over, and their players wait for nothing
    known = known_user(scope)  # a new client has an id already, but no seat anywhere
    return _GAME if registry.may_play(found["table"], known) else _OTHER


def _begins(path: str) -> bool:
    """Whether a request that changes something leads to a game."""
    return path in ("/api/tables", "/api/code", "/api/link", "/api/passkey", "/api/me")
