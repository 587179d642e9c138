"""Limits of what one session, and all sessions of one address, may ask of the API.

All counting is in `Buckets`.
"""

from __future__ import annotations

import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from typing import Final, NamedTuple

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kingdomino.server.http.identity import known_user
from kingdomino.server.http.refusing import refuse
from kingdomino.server.settings import Limits, Rate
from kingdomino.server.tables.refusals import Refusal

__all__ = ["Buckets", "RateLimit", "address_of", "is_limited"]

_REMEMBERED: Final = 20_000  # sessions, and addresses; the one that has been idle longest is forgotten first
_EVERYONE: Final = "everyone"
_CODE: Final = "/api/code"


def address_of(scope: Scope) -> str:
    """The client: an IPv4 address, or the network of an IPv6 one, which may have 2^64 addresses."""
    host: str = scope["client"][0] if scope.get("client") else ""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return host
    return str(address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64))


def is_limited(path: str) -> bool:
    """Whether the limits hold for a path."""
    return path.startswith(("/api/", "/docs", "/openapi.json", "/health", "/ready"))


class _Client(NamedTuple):
    """Who asks. Clients without a session share one with all others of their address."""

    session: str
    address: str

    @classmethod
    def of(cls, scope: Scope) -> _Client:
        address = address_of(scope)
        return cls(known_user(scope) or f"at {address}", address)


class Buckets:
    """Token buckets, one for each key: ``rate.at_once`` tokens, refilled at ``rate.a_second``."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._filled: OrderedDict[str, tuple[float, float]] = OrderedDict()  # how full, and when that was

    def take(self, key: str) -> float:
        """Take a token and give 0; if the bucket is empty, give the seconds until it has one."""
        now = self._clock()
        level = self._level(key, now)
        self._put(key, level - 1 if level >= 1 else level, now)
        return 0.0 if level >= 1 else (1 - level) / self._rate.a_second

    def give_back(self, key: str) -> None:
        """Put a token back."""
        now = self._clock()
        self._put(key, min(self._level(key, now) + 1, self._rate.at_once), now)

    def _level(self, key: str, now: float) -> float:
        level, since = self._filled.get(key, (float(self._rate.at_once), now))
        return min(level + (now - since) * self._rate.a_second, self._rate.at_once)

    def _put(self, key: str, level: float, now: float) -> None:
        self._filled[key] = (level, now)
        self._filled.move_to_end(key)
        if len(self._filled) > _REMEMBERED:
            self._filled.popitem(last=False)


class _Allowance:
    """How often each session may do something, and all sessions of an address together."""

    def __init__(self, rate: Rate, of_address: int, clock: Callable[[], float]) -> None:
        self._sessions = Buckets(rate, clock)
        self._addresses = Buckets(Rate(rate.a_second * of_address, rate.at_once * of_address), clock)

    def take(self, client: _Client) -> float:
        """Take a token of the session and of the address and give 0, or give the seconds to wait."""
        if wait := self._sessions.take(client.session):
            return wait
        if wait := self._addresses.take(client.address):
            self._sessions.give_back(client.session)
        return wait

    def give_back(self, client: _Client) -> None:
        """Put the tokens back."""
        self._sessions.give_back(client.session)
        self._addresses.give_back(client.address)


class RateLimit:
    """Limits how much one session, and one address, may ask of the API.

    A guess (three words, the secret of a seat or a link, a passkey) costs a token only if it was wrong, so a whole
    class can join at once. Wrong words are also limited for everyone together: there are only two million.
    """

    def __init__(self, app: ASGIApp, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._play, self._guess, self._create, self._files = (
            _Allowance(rate, limits.of_address, clock)
            for rate in (limits.play, limits.guess, limits.create, limits.files)
        )
        self._codes = Buckets(limits.codes, clock)
        self._sockets: Counter[str] = Counter()
        self._most = (limits.sockets, limits.sockets * limits.of_address)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] == "lifespan" or not is_limited(scope["path"]):
            return await self._app(scope, receive, send)
        client = _Client.of(scope)
        if wait := self._play.take(client):
            return await _refuse_flood(scope, send, wait)
        if scope["type"] == "websocket":
            return await self._socket(client, scope, receive, send)
        if scope["method"] == "POST" and _is_guess(scope["path"]):
            return await self._guessing(client, scope, receive, send)
        if scope["method"] == "POST" and _creates(scope["path"]) and (wait := self._create.take(client)):
            return await _refuse_flood(scope, send, wait)
        if _is_file(scope["method"], scope["path"]) and (wait := self._files.take(client)):
            return await _refuse_flood(scope, send, wait)
        return await self._app(scope, receive, send)

    async def _socket(self, client: _Client, scope: Scope, receive: Receive, send: Send) -> None:
        if any(self._sockets[key] >= most for key, most in zip(client, self._most, strict=True)):
            return await _refuse_flood(scope, send, 1)
        self._sockets.update(client)
        try:
            await self._app(scope, receive, send)
        finally:
            for key in client:
                self._sockets[key] -= 1
                if not self._sockets[key]:
                    del self._sockets[key]
        return None

    async def _guessing(self, client: _Client, scope: Scope, receive: Receive, send: Send) -> None:
        is_code = scope["path"] == _CODE
        if wait := self._guess.take(client):
            return await _refuse_flood(scope, send, wait)
        if is_code and (wait := self._codes.take(_EVERYONE)):
            self._guess.give_back(client)
            return await _refuse_flood(scope, send, wait)

        async def watch(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                self._guess.give_back(client)
                if is_code:
                    self._codes.give_back(_EVERYONE)
            await send(message)

        await self._app(scope, receive, watch)
        return None


def _is_guess(path: str) -> bool:
    is_seat = path.startswith("/api/tables/") and path.endswith("/seats")
    return is_seat or path in (_CODE, "/api/link", "/api/passkey")


def _creates(path: str) -> bool:
    is_rematch = path.startswith("/api/tables/") and path.endswith("/rematch")
    return is_rematch or path in ("/api/tables", "/api/me/link", "/api/me/passkeys")


def _is_file(method: str, path: str) -> bool:
    """Whether a request makes the server read or write many games."""
    if method == "POST":
        return path in ("/api/me/games", "/api/records")
    return path == "/api/me/records"


async def _refuse_flood(scope: Scope, send: Send, wait: float) -> None:
    reason = f"too many requests; try again in {max(1, math.ceil(wait))} s"
    await refuse(scope, send, Refusal("too_often", reason, wait=wait))
