"""Rate limits of the API, for each session and for all sessions of one address.

`Usage` counts in `Buckets`, and `RateLimit` refuses. The servers of one database exchange their counts.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kingdomino.server import pools
from kingdomino.server.http.identity import known_user
from kingdomino.server.http.refusing import refuse
from kingdomino.server.pools import Memory, Owner, Rates, network_of
from kingdomino.server.settings import Limits, Rate
from kingdomino.server.tables.core.peers import LimitUsage
from kingdomino.server.tables.core.refusals import Refusal

__all__ = ["Buckets", "RateLimit", "Usage", "address_of", "is_limited", "owner_of", "report_for_ever"]

_CODE: Final = "/api/code"
_WRONG: Final = (403, 404)  # statuses of a wrong guess; any other: it was right, or not checked
_PART: Final = 4
"""A process reports a client's usage once it reaches a quarter of the limit."""
_BEAT: Final = 1.0
"""Seconds between two reports of a process."""
_VALID: Final = 5.0
"""Seconds for which another process's count of sockets is valid; it reports every second."""
_IN_MESSAGE: Final = 60
"""Clients in one message: PostgreSQL limits it to 8,000 bytes."""


def address_of(scope: Scope) -> str:
    """Return the network of the client (`pools.network_of`)."""
    return network_of(scope["client"][0] if scope.get("client") else "")


def owner_of(scope: Scope) -> Owner:
    """Return who makes a request. All clients of a network without a session count as one person."""
    network = address_of(scope)
    return Owner(known_user(scope) or f"at {network}", network)


def is_limited(path: str) -> bool:
    """Whether the limits apply to a path."""
    return path.startswith(("/api/", "/t/", "/docs", "/openapi.json", "/health", "/ready"))


class Buckets:
    """Token buckets, one for each key: ``rate.at_once`` tokens, refilled at ``rate.a_second``.

    Several processes may each have a bucket of the same key. A process deducts its own use at once, and the
    others' use when they report it. This may leave a bucket in debt, so that all processes together allow no more than
    one would, except for a burst.
    """

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._filled: Memory[str, tuple[float, float]] = Memory(pools.REMEMBERED)  # tokens, and when
        self._unreported: Counter[str] = Counter()
        self._due: set[str] = set()  # keys with enough use to report

    def take(self, key: str, network: str | None = None, number: int = 1) -> float:
        """Take tokens and return 0; if there are too few, return the seconds until there are enough.

        The key counts against the memory quota of ``network``. To take more tokens than a bucket holds, the bucket must
        be full; it is then in debt.
        """
        now = self._clock()
        level = self._level(key, now)
        if level < (wanted := min(number, self._rate.at_once)):
            self._put(key, level, now, network)
            return (wanted - level) / self._rate.a_second
        self._put(key, level - number, now, network)
        self._note(key, number)
        return 0.0

    def give_back(self, key: str, number: int = 1) -> None:
        """Put tokens back."""
        now = self._clock()
        self._put(key, min(self._level(key, now) + number, self._rate.at_once), now)
        self._note(key, -number)

    def take_unreported(self) -> dict[str, int]:
        """Return the tokens taken here since the last call, for keys with at least a quarter of a burst."""
        taken = {key: self._unreported.pop(key, 0) for key in self._due}
        self._due.clear()
        return taken

    def deduct(self, taken: Mapping[str, int]) -> None:
        """Deduct the tokens that other processes have given out."""
        now = self._clock()
        for key, number in taken.items():
            self._put(key, min(self._level(key, now) - number, self._rate.at_once), now)

    def _note(self, key: str, number: int) -> None:
        self._unreported[key] += number
        if abs(self._unreported[key]) * _PART >= self._rate.at_once:
            self._due.add(key)

    def _level(self, key: str, now: float) -> float:
        level, since = self._filled.get(key) or (float(self._rate.at_once), now)
        return min(level + (now - since) * self._rate.a_second, self._rate.at_once)

    def _put(self, key: str, level: float, now: float, network: str | None = None) -> None:
        forgotten = self._filled.put(key, (level, now), network)
        if forgotten is not None:
            self._unreported.pop(forgotten, None)


class Allowance:
    """How often each person, and all people of a network together, may do something."""

    def __init__(self, rates: Rates, clock: Callable[[], float]) -> None:
        self.persons = Buckets(rates.of_person, clock) if rates.of_person is not None else None
        self.networks = Buckets(rates.of_network, clock)

    def take(self, owner: Owner, number: int = 1) -> float:
        """Take tokens from the person and from the network and return 0, or return the seconds to wait."""
        if self.persons is not None and (wait := self.persons.take(owner.person, owner.network, number)):
            return wait
        if (wait := self.networks.take(owner.network, owner.network, number)) and self.persons is not None:
            self.persons.give_back(owner.person, number)
        return wait

    def give_back(self, owner: Owner) -> None:
        """Put a token back."""
        if self.persons is not None:
            self.persons.give_back(owner.person)
        self.networks.give_back(owner.network)


class Usage:
    """The clients' usage of each limit, here and at other processes."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock`` returns seconds."""
        self._clock = clock
        self._is_enforced = limits.enforced
        self._rates = {name: Allowance(rates, clock) for name, rates in pools.rates(limits).items()}
        self.play, self.guess, self.create = (self._rates[name] for name in ("play", "guess", "create"))
        self.files, self.imports, self.codes = (self._rates[name] for name in ("files", "imports", "codes"))
        self._buckets: dict[str, Buckets] = {}
        for name, allowance in self._rates.items():
            self._buckets[f"{name} of address"] = allowance.networks
            if allowance.persons is not None:
                self._buckets[name] = allowance.persons
        most = pools.sockets(limits)
        self._most = (most.of_person or 0, most.of_network or 0)
        self._sockets: Counter[str] = Counter()
        self._elsewhere: defaultdict[str, dict[str, tuple[int, float]]] = defaultdict(dict)
        self._reported: set[str] = set()

    def has_room(self, owner: Owner) -> bool:
        """Whether a client may open another socket."""
        return all(
            self._sockets[key] + self._held_elsewhere(key) < most
            for key, most in zip(owner, self._most, strict=True)
        )

    @contextmanager
    def socket(self, owner: Owner) -> Iterator[None]:
        """Count a socket while it is open."""
        self._sockets.update(owner)
        try:
            yield
        finally:
            self._sockets.subtract(owner)
            for key in owner:
                if not self._sockets[key]:
                    del self._sockets[key]

    def reports(self, process: str) -> list[LimitUsage]:
        """Return the messages for the other processes: tokens taken since the last call, and clients with many sockets.

        Also drop counts of sockets that other processes no longer report. To be called every second.
        """
        for key in list(self._elsewhere):
            self._held_elsewhere(key)
        taken = [
            (name, key, number)
            for name, buckets in self._buckets.items()
            for key, number in buckets.take_unreported().items()
        ]
        many = {key: number for key, number in self._sockets.items() if number * _PART >= self._most[0]}
        sockets = [("sockets", key, many.get(key, 0)) for key in sorted(self._reported | many.keys())]
        self._reported = set(many)
        used = [*taken, *sockets]
        parts = (used[start : start + _IN_MESSAGE] for start in range(0, len(used), _IN_MESSAGE))
        return [LimitUsage(process=process, used=tuple(part)) for part in parts]

    def hear(self, message: LimitUsage) -> None:
        """Apply a report of another process."""
        until = self._clock() + _VALID
        for name, key, number in message.used:
            if name == "sockets" and number:
                self._elsewhere[key][message.process] = number, until
            elif name == "sockets":
                self._elsewhere.get(key, {}).pop(message.process, None)
            elif name in self._buckets:  # another version may have more limits
                self._buckets[name].deduct({key: number})

    def _held_elsewhere(self, key: str) -> int:
        """Count the sockets of a client at other processes."""
        if key not in self._elsewhere:
            return 0
        now = self._clock()
        held = {process: kept for process, kept in self._elsewhere[key].items() if kept[0] and kept[1] > now}
        if held:
            self._elsewhere[key] = held
        else:
            del self._elsewhere[key]
        return sum(number for number, _ in held.values())

    def take_guess(self, owner: Owner, *, is_code: bool) -> float:
        """Take the cost of a guess and return 0, or return the seconds to wait."""
        if wait := self.guess.take(owner):
            return wait
        if is_code and (wait := self.codes.take(owner)):
            self.guess.give_back(owner)
            return wait
        return 0.0

    def give_guess_back(self, owner: Owner, *, is_code: bool) -> None:
        """Refund a guess."""
        self.guess.give_back(owner)
        if is_code:
            self.codes.give_back(owner)

    def import_games(self, owner: Owner, number: int) -> None:
        """Take the cost of importing games. Raises `Refusal`."""
        if self._is_enforced and (wait := self.imports.take(owner, number)):
            raise _flood(wait)


async def report_for_ever(usage: Usage, process: str, send: Callable[[LimitUsage], None]) -> None:
    """Report to the other processes every second."""
    while True:
        await asyncio.sleep(_BEAT)
        for message in usage.reports(process):
            send(message)


class RateLimit:
    """ASGI middleware: limits the requests of each session and each address.

    A guess (a code, the secret of a seat or a link, a passkey) costs a token only if it is wrong, so a whole class can
    join at once. Wrong codes have a limit of their own for each network; the hosting guide gives the odds. They never
    count against another network: otherwise an attacker could keep its people from joining.
    """

    def __init__(self, app: ASGIApp, usage: Usage) -> None:
        self._app, self._usage = app, usage

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] == "lifespan" or not is_limited(scope["path"]):
            return await self._app(scope, receive, send)
        owner = owner_of(scope)
        if wait := self._usage.play.take(owner):
            return await _refuse_flood(scope, send, wait)
        if scope["type"] == "websocket":
            return await self._socket(owner, scope, receive, send)
        if scope["method"] == "POST" and _is_guess(scope["path"]):
            return await self._guessing(owner, scope, receive, send)
        if _creates(scope["method"], scope["path"]) and (wait := self._usage.create.take(owner)):
            return await _refuse_flood(scope, send, wait)
        if _is_file(scope["method"], scope["path"]) and (wait := self._usage.files.take(owner)):
            return await _refuse_flood(scope, send, wait)
        return await self._app(scope, receive, send)

    async def _socket(self, owner: Owner, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._usage.has_room(owner):
            return await _refuse_flood(scope, send, 1)
        with self._usage.socket(owner):
            await self._app(scope, receive, send)
        return None

    async def _guessing(self, owner: Owner, scope: Scope, receive: Receive, send: Send) -> None:
        is_code = scope["path"] == _CODE
        if wait := self._usage.take_guess(owner, is_code=is_code):
            return await _refuse_flood(scope, send, wait)

        async def watch(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] not in _WRONG:
                self._usage.give_guess_back(owner, is_code=is_code)
            await send(message)

        await self._app(scope, receive, watch)
        return None


def _is_guess(path: str) -> bool:
    is_seat = path.startswith("/api/tables/") and path.endswith("/seats")
    return is_seat or path in (_CODE, "/api/link", "/api/passkey")


def _creates(method: str, path: str) -> bool:
    """Whether a request makes the database grow, or leads to a request that does."""
    if method == "PUT":
        return path in ("/api/me", "/api/me/settings")
    at_table = ("/rematch", "/end", "/leave", "/return", "/secret")
    of_person = ("/api/me/link", "/api/me/passkeys", "/api/me/sign-out", "/api/me/forget")
    is_change = path.startswith("/api/tables/") and path.endswith(at_table)
    return method == "POST" and (is_change or path in ("/api/tables", *of_person))


def _is_file(method: str, path: str) -> bool:
    """Whether a request makes the server read or write whole games."""
    if method == "POST":
        return path in ("/api/me/games", "/api/records", "/api/verify")
    is_table = path.startswith("/api/tables/") and path.endswith(("/record", "/picture"))
    return is_table or path.startswith("/api/games/") or path in ("/api/me/records", "/api/me/data")


async def _refuse_flood(scope: Scope, send: Send, wait: float) -> None:
    await refuse(scope, send, _flood(wait))


def _flood(wait: float) -> Refusal:
    reason = f"too many requests; try again in {max(1, math.ceil(wait))} s"
    return Refusal("too_often", reason, wait=wait)
