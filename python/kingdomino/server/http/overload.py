"""Load shedding: refuses at once the requests that the server cannot answer in time.

As the load grows it refuses spectators first, with everything else that can wait; then new games; running games last.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
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
from kingdomino.server.tasks import end_tasks
from kingdomino.server.telemetry import Metrics

__all__ = ["BEAT", "LoadShedding", "Pressure", "may_refuse"]

BEAT: Final = 0.1
"""Seconds between two measurements of the event loop."""
_BEATS: Final = 5
"""The event loop counts as late after this many late beats in a row: a single one may be garbage collection."""
_TABLE: Final = re.compile(r"(/api/tables|/t)/(?P<table>[^/]+)(?P<rest>/.*)?")
_NEW_GAME: Final = re.compile(r"(/seats|/rematch|/start)")
_PAST: Final = re.compile(r"/(events|record|picture)")
_CONSTANT: Final = ("/api/dominoes", "/api/bots")
_STARTS: Final = ("http.response.start", "websocket.http.response.start", "websocket.send", "websocket.close")

Backlog: TypeAlias = Callable[[], tuple[int, float]]
"""The number of writes that wait for the database, and the age of the oldest in seconds."""


class _Rank(NamedTuple):
    """The rank of a request: the pressure that refuses it, and the seconds until its client may try again."""

    refused_from: float
    wait: int  # seconds


_GAME: Final = _Rank(1.0, 1)
_NEW: Final = _Rank(0.5, 5)
_OTHER: Final = _Rank(0.25, 10)


class Pressure:
    """The server's load, relative to the most that it can handle in time.

    It is the highest of four measures, each relative to its setting. ``requests`` are those in progress.
    """

    def __init__(
        self,
        settings: Overload,
        backlog: Backlog,
        time: Callable[[], float],
        metrics: Metrics | None = None,
    ) -> None:
        """``time`` returns seconds."""
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
        """Whether a network may have another request in progress."""
        return self._of_network[owner.network] < (self._quota.of_network or math.inf)

    @contextmanager
    def answering(self, owner: Owner) -> Iterator[None]:
        """Count a request while it is in progress."""
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
        """The smallest delay of the event loop in the last `_BEATS` beats, in seconds."""
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
        """Record how late the event loop is. To be called every `BEAT` seconds."""
        now = self._time()
        if self._next is not None:
            late = max(0.0, now - self._next)
            self._late.append(late)
            self._metrics.lag.observe(late)
        self._next = now + BEAT

    @asynccontextmanager
    async def measured(self) -> AsyncIterator[None]:
        """Measure the event loop until the context ends."""

        async def beat_for_ever() -> None:
            while True:
                self.beat()
                await asyncio.sleep(BEAT)

        task = asyncio.create_task(beat_for_ever(), name="measuring the event loop")
        try:
            yield
        finally:
            await end_tasks((task,))


class LoadShedding:
    """ASGI middleware: refuses requests with status 503 while the pressure is too high for them.

    It must run after the middleware that reads bodies and identities, because a slow client is not load.
    """

    def __init__(self, app: ASGIApp, *, has_quotas: bool = True) -> None:
        """``has_quotas``: whether to limit the requests in progress of each network."""
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
    """Whether an overloaded server refuses requests to a path, with the code `busy`."""
    return path.startswith(("/api/", "/t/", "/docs", "/openapi.json")) and path not in _CONSTANT


def _rank(scope: Scope) -> _Rank | None:
    """Rank a request. `None` if it costs next to nothing: most pages, files and health checks."""
    path: str = scope["path"]
    if not may_refuse(path):
        return None
    found = _TABLE.fullmatch(path)
    if found is None:
        return _NEW if scope.get("method", "GET") not in ("GET", "HEAD") and _begins(path) else _OTHER
    if scope.get("method") == "POST" and _NEW_GAME.fullmatch(found["rest"] or ""):
        return _NEW
    registry: Registry = scope["app"].state.registry
    if found["table"] not in registry and _PAST.fullmatch(found["rest"] or ""):
        return _OTHER  # most stored tables are over, and no player waits there
    known = known_user(scope)  # scope["user"] would include new clients, who have no seat anywhere
    return _GAME if registry.may_play(found["table"], known) else _OTHER


def _begins(path: str) -> bool:
    """Whether a request that changes something leads to a new game."""
    return path in ("/api/tables", "/api/code", "/api/link", "/api/passkey", "/api/me")
