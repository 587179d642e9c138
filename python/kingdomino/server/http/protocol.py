"""The limits of a connection, below the application: headers, pipelined requests, pieces of a body, frames of a socket.

uvicorn's own protocols collect headers without a limit, in time that grows with the square of their length. All
limits here hold while bytes are parsed, so nothing that a client sends keeps the event loop busy.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from kingdomino.server import pools
from kingdomino.server.pools import network_of
from kingdomino.server.settings import Settings

if TYPE_CHECKING:
    from uvicorn._types import ASGI3Application, ASGISendEvent

__all__ = ["BoundedHttp", "BoundedSocket", "Connections"]

LARGEST_HEADERS: Final = 32 * 1024
"""Bytes of the address, and of all headers of a request with their names."""
LARGEST_HEADER: Final = 8000
"""Bytes of the address, or of one header with its name; websockets takes no longer ones."""
MOST_HEADERS: Final = 100
MOST_PIPELINED: Final = 16
"""Requests that a client may send before the first of them is answered."""
MOST_PIECES: Final = 1000
"""Headers and parts of a body that may come in one read from the connection."""
LARGEST_FRAMES: Final = 4096
"""Bytes that a client may send over a socket within `_FRAMES_TIME`: all are ignored but pongs and the end."""
HEADERS_TIME: Final = 10.0
"""Seconds in which the headers of a request must be here."""
BODY_TIME: Final = 30.0
"""Seconds after the headers in which the body must be here."""
ANSWER_TIME: Final = 60.0
"""Seconds in which a client must read what waits to be sent: less than a megabyte."""
LAST_REQUEST_TIME: Final = 0.5
"""Seconds that an idle connection has for a last request when the server ends."""
_FRAMES_TIME: Final = 10.0
_FIELDS: Final = b"content-type: application/json\r\nconnection: close\r\ncontent-length: %d\r\n\r\n"
_HEADERS: Final = (
    f"there are more than {MOST_HEADERS} headers, one of more than {LARGEST_HEADER} bytes, or all have more than "
    f"{LARGEST_HEADERS}"
)


class _TooMuchError(Exception):
    """Stops the parser; the client is told why."""


class _BoundedWriting(asyncio.Protocol):
    """Ends a connection whose client does not read. uvicorn waits for it without a limit, also to close."""

    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    _reading: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let the transport tell of every byte that it could not send at once."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(0)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the time."""
        self._stop_reading()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Give the client time to read."""
        super().pause_writing()
        self._reading = self.loop.call_later(ANSWER_TIME, self.transport.abort)

    def resume_writing(self) -> None:
        """Know that the client has read everything."""
        self._stop_reading()
        super().resume_writing()

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None


class Connections:
    """Counts the open connections of each network that are no sockets. A trusted proxy has those of its clients."""

    def __init__(self, settings: Settings) -> None:
        self._most = pools.connections(settings.limits).of_network
        self._trusted = [ip_network(name) for name in settings.trusted_proxies]
        self._open = Counter[str]()

    @contextmanager
    def counted(self, host: str) -> Iterator[bool]:
        """Count a connection of an address. Gives whether its network has not used up its share."""
        if self._most is None or self._is_trusted(host):
            yield True
            return
        network = network_of(host)
        self._open[network] += 1
        try:
            yield self._open[network] <= self._most
        finally:
            self._open[network] -= 1
            if not self._open[network]:
                del self._open[network]

    def _is_trusted(self, host: str) -> bool:
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._trusted)


class BoundedHttp(_BoundedWriting, HttpToolsProtocol):
    """uvicorn's protocol with limits. A client that passes one is answered with 400, 408, 414 or 431, and closed."""

    counting: ClassVar[Connections | None] = None
    """What counts the connections of each network; `sharing` gives a class that has one."""

    @classmethod
    def sharing(cls, connections: Connections) -> type[Self]:
        """Return this protocol with a share of the connections for each network."""
        return type(cls.__name__, (cls,), {"counting": connections})

    def __init__(self, *arguments: Any, **more: Any) -> None:  # noqa: ANN401  (they are uvicorn's)
        super().__init__(*arguments, **more)
        self._running: RequestResponseCycle | None = None
        self._refusal: tuple[int, str] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._begun = False
        self._ends = False
        self._in_headers = True
        self._unparsed = 0  # bytes of a header that has not ended
        self._size = 0  # bytes of all headers that have
        self._pieces = 0
        self._counted = ExitStack()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Give the client time for its first request, unless its network has too many connections."""
        super().connection_made(transport)
        host = (transport.get_extra_info("peername") or ("",))[0]
        if self.counting is not None and not self._counted.enter_context(self.counting.counted(host)):
            transport.close()
            return
        self._give_time(HEADERS_TIME)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the time."""
        self._stop_timer()
        self._counted.close()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse what a read has brought."""
        self._pieces = 0
        self._unparsed += len(data)
        super().data_received(data)
        if self.transport.is_closing() or self.transport.get_protocol() is not self:  # it is a socket now
            return
        if self._in_headers and self._unparsed > LARGEST_HEADERS:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, _HEADERS)
            self.send_400_response()
        elif self._is_idle and self._timer is None and self.timeout_keep_alive_task is None:
            self._give_time(HEADERS_TIME)  # empty lines before a request stop uvicorn's timer

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to the socket's protocol."""
        if not self._is_idle:  # an answer that waits for the client to read would never hear of it again
            self._refuse(HTTPStatus.BAD_REQUEST, "the request before has not been answered yet")
            self.send_400_response()
            return
        self._stop_timer()
        self._stop_reading()
        self._counted.close()  # sockets have a limit of their own
        super().handle_websocket_upgrade()
        if self.flow.write_paused:  # by an answer before
            self.transport.get_protocol().pause_writing()

    def send_400_response(self, msg: str = "the request is not HTTP") -> None:
        """Say what is wrong with the request, unless an earlier one is being answered; and close."""
        self._stop_timer()
        running = self._running
        if running is None or running.response_complete or not running.response_started:
            status, reason = self._refusal or (HTTPStatus.BAD_REQUEST, msg)
            body = json.dumps({"code": "bad_request", "reason": reason}).encode()
            self.transport.write(STATUS_LINE[status] + _FIELDS % len(body) + body)
        if running is not None:
            running.disconnected = True  # it must not write any more
        self.transport.close()

    def shutdown(self) -> None:
        """End with the next answer. A proxy may just be sending a request on a connection that is idle here."""
        self._ends = True
        if self._is_idle:
            self.loop.call_later(LAST_REQUEST_TIME, self._end_idle)
        else:
            super().shutdown()

    # What the parser finds.

    def on_message_begin(self) -> None:
        """Begin a request."""
        super().on_message_begin()
        self._begun = self._in_headers = True
        self._unparsed = self._size = 0
        if len(self.pipeline) >= MOST_PIPELINED:
            raise self._refuse(HTTPStatus.BAD_REQUEST, "too many requests before the first is answered")
        if self._timer is None:
            self._give_time(HEADERS_TIME)

    def on_url(self, url: bytes) -> None:
        """Take the address, or a part of it."""
        super().on_url(url)
        if len(self.url) > LARGEST_HEADER:
            raise self._refuse(HTTPStatus.REQUEST_URI_TOO_LONG, "the address is too long")

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take one header; also one that follows a body."""
        self._count_piece()
        super().on_header(name, value)
        size = len(name) + len(value)
        self._size += size
        self._unparsed = 0
        if len(self.headers) > MOST_HEADERS or size > LARGEST_HEADER:
            raise self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, _HEADERS)
        if self._size + len(self.url) > LARGEST_HEADERS:
            raise self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, _HEADERS)

    def on_headers_complete(self) -> None:
        """Begin to answer."""
        self._in_headers = False
        self._give_time(BODY_TIME)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        self._count_piece()
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Know that the request is whole."""
        self._stop_timer()
        super().on_message_complete()

    def _count_piece(self) -> None:
        self._pieces += 1
        if self._pieces > MOST_PIECES:
            raise self._refuse(HTTPStatus.BAD_REQUEST, "the request has too many small pieces")

    def _refuse(self, status: HTTPStatus, reason: str) -> _TooMuchError:
        self._refusal = status, reason
        return _TooMuchError()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._running = cycle
        if self._ends:
            cycle.keep_alive = False
        super()._start_asgi_task(cycle, app)

    @property
    def _is_idle(self) -> bool:
        return self._running is None or self._running.response_complete

    # The time.

    def _end_idle(self) -> None:
        if self._is_idle:
            self.transport.close()

    def _give_time(self, seconds: float) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self._end_late)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end_late(self) -> None:
        self._timer = None
        if self.transport.is_closing():
            return
        if self._begun:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, "the request took too long to arrive")
            self.send_400_response()
        else:
            self.transport.close()


class BoundedSocket(_BoundedWriting, WebSocketsSansIOProtocol):
    """uvicorn's protocol, which takes only a few bytes from a client: ours send nothing but pongs and the end."""

    def __init__(self, *arguments: Any, **more: Any) -> None:  # noqa: ANN401  (they are uvicorn's)
        super().__init__(*arguments, **more)
        self._since, self._received = 0.0, 0

    def data_received(self, data: bytes) -> None:
        """Parse what a read has brought, unless it is too much."""
        if not self.handshake_initiated:
            super().data_received(data)
            if self.conn.handshake_exc is not None:  # uvicorn would wait for ever
                self.transport.write(STATUS_LINE[400] + b"connection: close\r\ncontent-length: 0\r\n\r\n")
                self.transport.close()
            return
        now = self.loop.time()
        if now - self._since > _FRAMES_TIME:
            self._since, self._received = now, 0
        self._received += len(data)
        if self._received <= LARGEST_FRAMES:
            super().data_received(data)
        elif not self.transport.is_closing():
            self._end(1008, "too many messages")

    async def send(self, message: ASGISendEvent) -> None:
        """Send, and know that an answer in place of a socket ends the handshake: uvicorn logs an error otherwise."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body"):
            self.handshake_complete = True

    def _end(self, code: int, reason: str) -> None:
        self.conn.fail(code, reason)
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.close()
