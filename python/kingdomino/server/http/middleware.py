"""Middleware: security headers, and checks of origins and bodies.

Each is plain ASGI; `add` wraps an application in all of it, including `hosts` and `limits`. It refuses a request before
any route runs.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kingdomino.server.http.hosts import HostCheck
from kingdomino.server.http.limits import RateLimit, Usage, is_limited
from kingdomino.server.http.refusing import refuse
from kingdomino.server.http.root_path import RootPath
from kingdomino.server.log import RequestLog
from kingdomino.server.settings import Settings
from kingdomino.server.tables.core.refusals import Refusal
from kingdomino.server.telemetry import Telemetry

__all__ = [
    "POLICY",
    "BodyLimit",
    "OriginCheck",
    "SecurityHeaders",
    "ServerErrors",
    "add",
    "may_refuse",
]

_log = logging.getLogger(__name__)

LARGEST_BODY: Final = 64 * 1024
_SAFE: Final = ("GET", "HEAD", "OPTIONS")
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
POLICY: Final = (
    "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "  # the engine
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
_PART_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_HEADERS: Final = _PART_HEADERS | {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(self), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_PARTS: Final = (".css", ".i8", ".js", ".json", ".wasm", ".woff2")
"""Endings of the files that a browser only loads for a document. A first visit has 85, so their headers are few."""
_WORKER: Final = "worker.js"
"""The end of a worker's file, whose policy the worker follows."""


def add(app: Starlette, settings: Settings, usage: Usage, telemetry: Telemetry) -> None:
    """Wrap an application in all middleware. Only the root path is outside the request log.

    ``usage`` counts what clients use.
    """
    app.add_middleware(BodyLimit)
    if settings.limits.enforced:
        app.add_middleware(RateLimit, usage=usage)
    app.add_middleware(OriginCheck)
    app.add_middleware(HostCheck, hosts=(*settings.hosts, settings.host))
    app.add_middleware(ServerErrors)
    app.add_middleware(SecurityHeaders, hsts=settings.hsts)
    app.add_middleware(RequestLog, telemetry=telemetry)
    if settings.root_path:
        app.add_middleware(RootPath, root_path=settings.root_path)


def may_refuse(method: str, path: str) -> Iterator[str]:
    """List the codes with which the middleware may refuse a request."""
    yield from ("failed", "too_large", "bad_request", "other_host")
    if method not in _SAFE:
        yield from ("other_origin", "not_json")
    if is_limited(path):
        yield "too_often"


class SecurityHeaders:
    """Adds headers that stop the browser from loading anything from other sites and from sending a referrer.

    Browsers do not cache answers of the API. They cache files, but revalidate them before each use. A route may set a
    header itself.
    """

    def __init__(self, app: ASGIApp, hsts: int = 0) -> None:
        self._app = app
        self._hsts = (("Strict-Transport-Security", f"max-age={hsts}"),) if hsts else ()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        path = scope["path"]
        caching = "no-store" if path.startswith("/api/") else "no-cache"
        is_part = path.startswith("/static/") and path.endswith(_PARTS) and not path.endswith(_WORKER)
        common = _PART_HEADERS if is_part else _HEADERS
        secure = self._hsts if scope.get("scheme") in ("https", "wss") else ()

        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                for name, value in (*common.items(), *secure, ("Cache-Control", caching)):
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)
        return None


class ServerErrors:
    """Logs unexpected errors and answers with status 500, without details."""

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
                raise  # closes the connection, so that the client sees that the answer is incomplete
            await refuse(scope, send, Refusal("failed", "something went wrong on the server"))
        return None


class OriginCheck:
    """Lets only our own pages, and programs (which send no origin), change things or open sockets."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] == "lifespan" or (scope["type"] == "http" and scope["method"] in _SAFE):
            return await self._app(scope, receive, send)
        headers = Headers(scope=scope)
        if not _is_own(headers):
            refusal = Refusal("other_origin", "the request comes from a page of another site")
            return await refuse(scope, send, refusal)
        return await self._app(scope, receive, send)


class BodyLimit:
    """Reads each body whole, and passes on only JSON of at most `LARGEST_BODY` bytes."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        headers = Headers(scope=scope)
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > LARGEST_BODY:
            return await refuse(scope, send, _TOO_LARGE)
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
                return await refuse(scope, send, _TOO_LARGE)
        if not _is_text(body):
            return await refuse(scope, send, Refusal("bad_request", "the body is not UTF-8"))
        if body and headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return await refuse(scope, send, Refusal("not_json", "the body must be application/json"))
        whole: Message | None = {"type": "http.request", "body": bytes(body), "more_body": False}

        async def receive_whole() -> Message:
            nonlocal whole
            if whole is None:
                return await receive()
            message, whole = whole, None
            return message

        return await self._app(scope, receive_whole, send)


_TOO_LARGE: Final = Refusal("too_large", f"a body has at most {LARGEST_BODY} bytes")


def _is_text(body: bytearray) -> bool:
    """Whether a body is UTF-8 without zero bytes: with them, the JSON parser would take UTF-16 and UTF-32 as well."""
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in body


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
