"""Logs on stderr: one line an event, as ``key=value`` or as JSON.

A line has its time, level, logger, event, and the `FIELDS` passed with ``extra``. It contains nothing else of a record:
no bodies, queries or cookies, so that no secret leaks. Only a rate limit logs a client's address. Lines logged during a
request have its id, which the answer has in ``X-Request-Id``, and the id of its trace, if there is one.

>>> import logging
>>> record = logging.makeLogRecord({"name": "kingdomino.server.run", "levelname": "INFO", "created": 0})
>>> record.msg, record.table, record.deck = "picked up", "q3v7n2kd8wjm", [17, 4]
>>> Line().format(record)
'time=1970-01-01T00:00:00.000Z level=info at=server.run event="picked up" table=q3v7n2kd8wjm'
"""

import json
import logging
import re
import secrets
import sys
import time
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kingdomino.server.telemetry import Telemetry
from kingdomino.server.telemetry.traces import Span, current_trace

__all__ = ["FIELDS", "QUIET", "JsonLine", "Line", "RequestLog", "configure"]

FIELDS: Final = (
    "table",
    "bot",
    "method",
    "path",
    "status",
    "ms",
    "client",
    "compacted",
    "deleted",
)
"""The fields that ``extra`` may contain, in the order of a line."""

_log = logging.getLogger(__name__)
_PLAIN: Final = re.compile(r"[^\s\"=\\\x00-\x1f\x7f]+")
_TABLE: Final = re.compile(r"/(?:api/tables|t)/([a-z0-9]{12})(?:/|$)")
_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
QUIET: Final = ("/static/", "/manifest.webmanifest", "/sw.js", "/docs", "/health", "/ready", "/favicon.ico")


class _Request:
    """A request in progress; ``id`` is `None` afterwards, for tasks that outlive it."""

    def __init__(self) -> None:
        self.id: str | None = secrets.token_hex(6)


_request: ContextVar[_Request | None] = ContextVar("request", default=None)


class Line(logging.Formatter):
    """Formats a record as one line of ``key=value``."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record."""
        return " ".join(f"{name}={_quoted(str(value))}" for name, value in self.fields(record).items())

    def fields(self, record: logging.LogRecord) -> dict[str, object]:
        """Return the fields of a record's line."""
        moment = datetime.fromtimestamp(record.created, UTC)
        fields: dict[str, object] = {
            "time": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "at": record.name.removeprefix("kingdomino."),
            "event": record.getMessage(),
        }
        if (request := _request.get()) and request.id:
            fields["request"] = request.id
        if trace := current_trace():
            fields["trace"] = trace
        fields |= {name: vars(record)[name] for name in FIELDS if vars(record).get(name) is not None}
        if record.exc_info:
            fields["traceback"] = self.formatException(record.exc_info)
        return fields


class JsonLine(Line):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record."""
        return json.dumps(self.fields(record), default=str)


class RequestLog:
    """ASGI middleware: logs every answer with its status and its duration, and every socket when it ends.

    Requests are also counted and traced, by their routes.
    """

    def __init__(self, app: ASGIApp, telemetry: Telemetry | None = None) -> None:
        self._app = app
        self._telemetry = telemetry or Telemetry()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        status = 101 if scope["type"] == "websocket" else 500
        start, request = time.perf_counter(), _Request()
        begun: float | None = None  # when the answer began
        header = (b"x-request-id", str(request.id).encode())

        async def watch(message: Message) -> None:
            nonlocal status, begun
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                status, begun = message["status"], time.perf_counter()
                message["headers"] = [*message.get("headers", ()), header]
            await send(message)

        _request.set(request)  # uvicorn answers each request in a context of its own
        with self._span(scope, request) as span:
            try:
                await self._app(scope, receive, watch)
            finally:
                end = time.perf_counter()
                if span is not None:
                    self._count(scope, span, status, (begun or end) - start)
                self._log(scope, status, end - start)
                request.id = None
        return None

    def _span(self, scope: Scope, request: _Request) -> AbstractContextManager[Span | None]:
        """Trace a request, but not a socket, which lasts too long. Ignore the client's trace id."""
        if scope["type"] != "http":
            return nullcontext()
        return self._telemetry.traces.continued("request", None, request=request.id)

    def _count(self, scope: Scope, span: Span, status: int, seconds: float) -> None:
        metrics, route = self._telemetry.metrics, _route(scope)
        method = scope["method"] if scope["method"] in _METHODS else "other"
        metrics.requests.labels(method, route, status).inc()
        metrics.request_seconds.labels(method, route).observe(seconds)
        span.update_name(f"{method} {route}")
        span.set_attribute("http.request.method", method)
        span.set_attribute("http.route", route)
        span.set_attribute("http.response.status_code", status)

    def _log(self, scope: Scope, status: int, seconds: float) -> None:
        path: str = scope["path"]
        level = logging.DEBUG if path.startswith(QUIET) else logging.INFO
        if not _log.isEnabledFor(level):
            return
        table = _TABLE.match(path)
        extra = {
            "method": scope.get("method", "SOCKET"),
            "path": path[:200],
            "status": status,
            "ms": f"{seconds * 1000:.1f}",
            "table": table and table[1],
            "client": scope["client"][0] if status == 429 and scope.get("client") else None,
        }
        _log.log(level, "request", extra=extra)


def _route(scope: Scope) -> str:
    """Return the answering route: its path in the API, ``page`` for pages and files, ``none`` if there is none."""
    if "route" in scope:
        path: str = scope["route"].path
        return path
    return "page" if "endpoint" in scope else "none"


def configure(level: int = logging.INFO, *, as_json: bool = False) -> None:
    """Log to stderr: this package from ``level`` on, other packages from warnings on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLine() if as_json else Line())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("kingdomino").setLevel(level)


def _quoted(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)
