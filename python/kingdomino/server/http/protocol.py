"""Limits of a connection, below the application, for servers without a proxy, as on a home network.

uvicorn has no options for them: it collects headers without a limit, and waits without a limit for the rest of a
request and for a client that does not read. These classes extend its protocols through the documented methods of
asyncio's protocols and callbacks of httptools. Beyond these they use only uvicorn's attributes ``cycle``, ``headers``,
``parser`` and ``url`` of a connection, and ``conn`` and ``handshake_complete`` of a socket.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from kingdomino.server import pools
from kingdomino.server.pools import network_of
from kingdomino.server.settings import Settings

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent

__all__ = ["LARGEST_FRAMES", "BoundedHttp", "BoundedSocket", "Connections"]

LARGEST_ADDRESS: Final = 8000
LARGEST_HEADERS: Final = 32 * 1024
"""Bytes of all headers of a request."""
MOST_HEADERS: Final = 100
SMALL_PIECE: Final = 64
MOST_SMALL_PIECES: Final = 500
"""Pieces of a body with less than `SMALL_PIECE` bytes: each costs as much time as a large one."""
LARGEST_FRAMES: Final = 4096
"""Bytes that a client may send over a socket within `_FRAMES_TIME`: only pongs and the close are needed."""
REQUEST_TIME: Final = 30.0
"""Seconds for a request to arrive."""
READING_TIME: Final = 60.0
"""Seconds for a client to read pending data, less than a megabyte."""
_FRAMES_TIME: Final = 10.0


class _TooMuchError(Exception):
    """Stops the parser; uvicorn then answers with status 400 and closes the connection."""


class _BoundedWriting(asyncio.Protocol):
    """Aborts a connection whose client does not read. Otherwise even closing it waits for the client."""

    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    _reading: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask the transport to report any data that it cannot send at once."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(0)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timeout."""
        self._stop_reading()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Start the timeout."""
        super().pause_writing()
        self._reading = self.loop.call_later(READING_TIME, self.transport.abort)

    def resume_writing(self) -> None:
        """Cancel the timeout: the write buffer is drained."""
        self._stop_reading()
        super().resume_writing()

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None


class Connections:
    """Counts the open connections of each network, except sockets and connections of trusted proxies."""

    def __init__(self, settings: Settings) -> None:
        self._most = pools.connections(settings.limits).of_network
        self._trusted = [ip_network(name) for name in settings.trusted_proxies]
        self._open = Counter[str]()

    @contextmanager
    def counted(self, host: str) -> Iterator[bool]:
        """Count a connection from an address, and yield whether its network is within its quota."""
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
    """uvicorn's protocol for HTTP, with limits. The application's state must have ``connections``."""

    _arriving: asyncio.TimerHandle | None = None
    _unparsed = 0  # bytes since the parser last called back
    _size = 0  # bytes of headers
    _small_pieces = 0  # of the body

    def __init__(self, *arguments: Any, **more: Any) -> None:  # noqa: ANN401  (uvicorn's)
        super().__init__(*arguments, **more)
        self._counted = ExitStack()

    # asyncio's protocol.

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request, or close the connection if its network has too many."""
        super().connection_made(transport)
        host = (transport.get_extra_info("peername") or ("",))[0]
        connections: Connections = self.config.app.state.connections  # type: ignore[union-attr]
        if self._counted.enter_context(connections.counted(host)):
            self._expect_request()
        else:
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection's resources."""
        self._release()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse received data."""
        self._unparsed += len(data)
        if self._arriving is None:
            self._expect_request()
        super().data_received(data)
        if self.transport.get_protocol() is not self:  # upgraded to a socket, which has limits of its own
            self._release()
            self._stop_reading()
        elif self._unparsed > LARGEST_HEADERS:
            self.transport.close()
        if self.transport.is_closing():
            self.parser = None  # type: ignore[assignment]  # frees an unfinished header before the next connection reads

    # httptools' callbacks.

    def on_message_begin(self) -> None:
        """Begin a request. Refuse pipelining, which neither browsers nor proxies use."""
        if self.cycle is not None and not self.cycle.response_complete:  # type: ignore[redundant-expr]  # None at first
            raise _TooMuchError
        super().on_message_begin()
        self._size = self._small_pieces = 0

    def on_url(self, url: bytes) -> None:
        """Append to the URL."""
        if len(self.url) + len(url) > LARGEST_ADDRESS:
            raise _TooMuchError
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header, or a trailer of a body."""
        self._unparsed = 0
        self._size += len(name) + len(value)
        if len(self.headers) >= MOST_HEADERS or self._size > LARGEST_HEADERS:
            raise _TooMuchError
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Start the application, or a socket if the client has read all earlier answers."""
        if self.parser.should_upgrade() and self.transport.get_write_buffer_size():
            raise _TooMuchError
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Append to the body."""
        self._small_pieces += len(body) < SMALL_PIECE
        if self._small_pieces > MOST_SMALL_PIECES:
            raise _TooMuchError
        super().on_body(body)
        self._unparsed = 0

    def on_message_complete(self) -> None:
        """Cancel the timeout: the request is complete. uvicorn limits the pause until the next one."""
        super().on_message_complete()
        self._unparsed = 0
        self._stop_arriving()

    def _expect_request(self) -> None:
        self._arriving = self.loop.call_later(REQUEST_TIME, self.transport.close)

    def _stop_arriving(self) -> None:
        if self._arriving is not None:
            self._arriving.cancel()
            self._arriving = None

    def _release(self) -> None:
        self._stop_arriving()
        self._counted.close()


class BoundedSocket(_BoundedWriting, WebSocketsSansIOProtocol):
    """uvicorn's protocol for WebSockets, with a limit on what a client may send."""

    _since: float | None = None
    _received = 0

    def data_received(self, data: bytes) -> None:
        """Parse the request for the socket, then its frames."""
        now = self.loop.time()
        if self._since is None:
            self._since = now
            super().data_received(data)
            if self.conn.handshake_exc is not None:  # uvicorn would wait for ever
                self.transport.close()
            return
        if now - self._since > _FRAMES_TIME:
            self._since, self._received = now, 0
        self._received += len(data)
        if self._received <= LARGEST_FRAMES:
            super().data_received(data)
        else:
            self.transport.close()

    async def send(self, message: ASGISendEvent) -> None:
        """Send a message. Treat a refusal of the socket as a completed handshake, so that uvicorn logs no error."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body"):
            self.handshake_complete = True
