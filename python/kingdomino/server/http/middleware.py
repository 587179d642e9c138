"""Middleware: headers of every answer, other origins, rate limits, bodies that are too large or not JSON.

Each is plain ASGI; `add` puts them around an application. They refuse before anything is read, stored or asked of a
table.
"""

from __future__ import annotations

import json
import logging
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from ipaddress import IPv6Address, ip_address
from typing import Final
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kingdomino.server.log import RequestLog
from kingdomino.server.settings import Limits, Rate, Settings
from kingdomino.server.tables.refusals import Refusal

__all__ = [
    "BodyLimit",
    "Buckets",
    "OriginCheck",
    "RateLimit",
    "SecurityHeaders",
    "ServerErrors",
    "add",
    "address_of",
    "may_refuse",
]

_log = logging.getLogger(__name__)

LARGEST_BODY: Final = 64 * 1024
_SAFE: Final = ("GET", "HEAD", "OPTIONS")
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_ADDRESSES: Final = 20_000  # to remember; the one that has been idle longest is forgotten first
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def add(app: Starlette, settings: Settings) -> None:
    """Put all of it around an application, with the request log outermost."""
    app.add_middleware(BodyLimit)
    if settings.limits is not None:
        app.add_middleware(RateLimit, limits=settings.limits)
    app.add_middleware(OriginCheck)
    app.add_middleware(ServerErrors)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(RequestLog)


def may_refuse(method: str, path: str) -> Iterator[str]:
    """List the codes with which the middleware may refuse a request."""
    yield from ("failed", "too_large")
    if method not in _SAFE:
        yield from ("other_origin", "not_json")
    if _is_limited(path):
        yield "too_often"


class SecurityHeaders:
    """Adds headers that stop the browser from loading anything from other sites and from sending a referrer.

    Answers of the API are not cached. Files are, and the browser revalidates them before each use. A route may set a
    header itself.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        caching = "no-store" if scope["path"].startswith("/api/") else "no-cache"

        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                for name, value in (*_HEADERS.items(), ("Cache-Control", caching)):
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)
        return None


class ServerErrors:
    """Logs unexpected errors and answers them with status 500, without details."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        started = False

        async def watch(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, watch)
        except Exception:
            _log.exception("a request failed", extra={"method": scope["method"], "path": scope["path"]})
            if started:
                raise  # the client must see that the answer is incomplete
            await _refuse(scope, send, Refusal("failed", "something went wrong on the server"))
        return None


class OriginCheck:
    """Lets only our own pages, and programs (which send no origin), change anything or open a socket."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] == "lifespan" or (scope["type"] == "http" and scope["method"] in _SAFE):
            return await self._app(scope, receive, send)
        headers = Headers(scope=scope)
        if not _is_own(headers):
            refusal = Refusal("other_origin", "the request comes from a page of another site")
            return await _refuse(scope, send, refusal)
        return await self._app(scope, receive, send)


class Buckets:
    """Token buckets, one for each address: ``rate.at_once`` tokens, refilled at ``rate.a_second``."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._clock = rate, clock
        self._filled: OrderedDict[str, tuple[float, float]] = OrderedDict()  # how full, and when that was

    def take(self, address: str) -> float:
        """Take a token and give 0; if the bucket is empty, give the seconds until it has one."""
        now = self._clock()
        level = self._level(address, now)
        self._put(address, level - 1 if level >= 1 else level, now)
        return 0.0 if level >= 1 else (1 - level) / self._rate.a_second

    def give_back(self, address: str) -> None:
        """Put a token back."""
        now = self._clock()
        self._put(address, min(self._level(address, now) + 1, self._rate.at_once), now)

    def _level(self, address: str, now: float) -> float:
        level, since = self._filled.get(address, (float(self._rate.at_once), now))
        return min(level + (now - since) * self._rate.a_second, self._rate.at_once)

    def _put(self, address: str, level: float, now: float) -> None:
        self._filled[address] = (level, now)
        self._filled.move_to_end(address)
        if len(self._filled) > _ADDRESSES:
            self._filled.popitem(last=False)


class RateLimit:
    """Limits how much one address may ask of the API.

    A guess (three words, the secret of a seat or a link, a passkey) costs a token only if it was wrong, so a whole
    class can join at once.
    """

    def __init__(self, app: ASGIApp, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._play = Buckets(limits.play, clock)
        self._guess = Buckets(limits.guess, clock)
        self._create = Buckets(limits.create, clock)
        self._files = Buckets(limits.files, clock)
        self._sockets: Counter[str] = Counter()
        self._most_sockets = limits.sockets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] == "lifespan" or not _is_limited(scope["path"]):
            return await self._app(scope, receive, send)
        address = address_of(scope)
        if wait := self._play.take(address):
            return await _refuse_flood(scope, send, wait)
        if scope["type"] == "websocket":
            return await self._socket(address, scope, receive, send)
        if scope["method"] == "POST" and _is_guess(scope["path"]):
            return await self._guessing(address, scope, receive, send)
        if scope["method"] == "POST" and _creates(scope["path"]) and (wait := self._create.take(address)):
            return await _refuse_flood(scope, send, wait)
        if _is_file(scope["method"], scope["path"]) and (wait := self._files.take(address)):
            return await _refuse_flood(scope, send, wait)
        return await self._app(scope, receive, send)

    async def _socket(self, address: str, scope: Scope, receive: Receive, send: Send) -> None:
        if self._sockets[address] >= self._most_sockets:
            return await _refuse_flood(scope, send, 1)
        self._sockets[address] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]
        return None

    async def _guessing(self, address: str, scope: Scope, receive: Receive, send: Send) -> None:
        if wait := self._guess.take(address):
            return await _refuse_flood(scope, send, wait)

        async def watch(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                self._guess.give_back(address)
            await send(message)

        await self._app(scope, receive, watch)
        return None


class BodyLimit:
    """Lets only JSON bodies of at most `LARGEST_BODY` bytes through, and reads them whole first."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        headers = Headers(scope=scope)
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > LARGEST_BODY:
            return await _refuse(scope, send, _TOO_LARGE)
        if scope["method"] in _SAFE:
            return await self._app(scope, receive, send)
        body, more = bytearray(), True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > LARGEST_BODY:
                return await _refuse(scope, send, _TOO_LARGE)
        if body and headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return await _refuse(scope, send, Refusal("not_json", "the body must be application/json"))
        whole: Message | None = {"type": "http.request", "body": bytes(body), "more_body": False}

        async def receive_whole() -> Message:
            nonlocal whole
            if whole is None:
                return await receive()
            message, whole = whole, None
            return message

        return await self._app(scope, receive_whole, send)


_TOO_LARGE: Final = Refusal("too_large", f"a body has at most {LARGEST_BODY} bytes")


def _is_own(headers: Headers) -> bool:
    if headers.get("sec-fetch-site") == "cross-site":
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        parts = urlsplit(origin)
        asked = urlsplit(f"{parts.scheme}://{headers.get('host', '')}")
        default = _DEFAULT_PORTS.get(parts.scheme)
        ours = (asked.hostname, asked.port or default)
        return parts.hostname is not None and (parts.hostname, parts.port or default) == ours
    except ValueError:  # not a port
        return False


def _is_limited(path: str) -> bool:
    return path.startswith("/api/")


def _is_guess(path: str) -> bool:
    is_seat = path.startswith("/api/tables/") and path.endswith("/seats")
    return is_seat or path in ("/api/code", "/api/link", "/api/passkey")


def _creates(path: str) -> bool:
    is_rematch = path.startswith("/api/tables/") and path.endswith("/rematch")
    return is_rematch or path in ("/api/tables", "/api/me/link", "/api/me/passkeys")


def _is_file(method: str, path: str) -> bool:
    """Whether a request makes the server read or write many games."""
    if method == "POST":
        return path in ("/api/me/games", "/api/records")
    return path == "/api/me/records"


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


async def _refuse_flood(scope: Scope, send: Send, wait: float) -> None:
    reason = f"too many requests from this address; try again in {max(1, math.ceil(wait))} s"
    await _refuse(scope, send, Refusal("too_often", reason, wait=wait))


async def _refuse(scope: Scope, send: Send, refusal: Refusal) -> None:
    """Answer in the application's place. The rest of the request is not read, so the connection ends."""
    kind = "http.response"
    if scope["type"] == "websocket":
        if "websocket.http.response" not in scope.get("extensions", {}):
            return await send({"type": "websocket.close", "code": 1008, "reason": refusal.code})
        kind = "websocket.http.response"
    body = json.dumps(refusal.json()).encode()
    fields = [
        ("content-type", "application/json"),
        ("content-length", str(len(body))),
        ("connection", "close"),
        *refusal.headers.items(),
    ]
    raw = [(name.lower().encode(), value.encode()) for name, value in fields]
    await send({"type": f"{kind}.start", "status": refusal.status, "headers": raw})
    await send({"type": f"{kind}.body", "body": body})
    return None
