"""A real server on loopback that measures its event loop, and clients that send bytes of any kind."""

from __future__ import annotations

import asyncio
import gc
import json
import select
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from kingdomino.server import run
from kingdomino.server.http.app import create_app
from kingdomino.server.settings import Settings

TIMEOUT: Final = 60.0


class WatchedServer:
    """A server as ``kingdomino serve`` runs it, in a thread of its own; a context manager.

    `busiest` is the loop's longest work without a pause, in seconds of processor time, so that other
    processes on the machine do not count.
    """

    def __init__(self, settings: Settings) -> None:
        self.app = create_app(settings)
        self.busiest = 0.0
        self._listener = run.bound("127.0.0.1", 0)
        self._listener.listen()
        self.port: int = self._listener.getsockname()[1]
        self._config = run.configured(self.app, settings)
        self._server = run.Server(self._config)
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> WatchedServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
        self._thread.join(TIMEOUT)

    def end(self) -> None:
        """End the server as SIGTERM does."""
        self._server.should_exit = True

    def until_closed(self) -> None:
        """Wait until the server accepts no new connections."""
        with suppress(ConnectionError):
            while True:
                self.connect().__exit__()

    def until_left(self) -> None:
        """Wait until the server has no connections."""
        end = time.monotonic() + TIMEOUT
        while self._server.server_state.connections:
            assert time.monotonic() < end, "a connection stays"
            time.sleep(0.01)

    def connect(self, address: str = "127.0.0.1") -> Client:
        """Open a connection from a loopback address."""
        return Client(self.port, address)

    def send(self, data: bytes) -> Answer:
        """Send bytes over a new connection, and read the answer until the server closes it."""
        with self.connect() as client:
            client.send(data)
            return client.answer()

    def _run(self) -> None:
        async def main() -> None:
            async with self.app.router.lifespan_context(self.app):
                gc.collect()
                gc.freeze()
                watching = asyncio.create_task(self._watch())
                await self._server.serve([self._listener])
                watching.cancel()
                gc.unfreeze()

        with asyncio.Runner(loop_factory=self._config.get_loop_factory()) as runner:
            runner.run(main())

    async def _watch(self) -> None:
        while True:
            before = time.thread_time()
            await asyncio.sleep(0.001)
            self.busiest = max(self.busiest, time.thread_time() - before)


class Answer(bytes):
    """A server's output: answers with their headers and bodies."""

    @property
    def status(self) -> int:
        """The status of the first answer; 0 if the server closed the connection without one."""
        return int(self.split(b" ", 2)[1]) if self.startswith(b"HTTP/1.1 ") else 0

    @property
    def code(self) -> str:
        """The code of a refusal."""
        code: str = json.loads(self.partition(b"\r\n\r\n")[2])["code"]
        return code


class Client:
    """A connection; a context manager."""

    def __init__(self, port: int, address: str = "127.0.0.1", buffer: int = 0) -> None:
        """Connect from an address. ``buffer`` is the number of bytes that may wait unread."""
        self._socket = socket.socket()
        self._socket.settimeout(TIMEOUT)
        if buffer:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        try:
            self._socket.bind((address, 0))
            self._socket.connect(("127.0.0.1", port))
        except OSError:
            self._socket.close()
            raise

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def send(self, data: bytes) -> None:
        """Send bytes, until the server closes the connection."""
        with suppress(ConnectionError):
            self._socket.sendall(data)

    def read(self) -> bytes:
        """Read the next bytes; nothing if the connection has ended."""
        try:
            return self._socket.recv(65536)
        except ConnectionError:
            return b""

    def has_ended(self, seconds: float) -> bool:
        """Wait for bytes for some seconds, and return whether the server has closed the connection."""
        readable, _, _ = select.select([self._socket], [], [], seconds)
        return bool(readable) and not self.read()

    def answer(self) -> Answer:
        """Read until the server closes the connection."""
        return Answer(b"".join(iter(self.read, b"")))

    def until(self, wanted: Callable[[bytes], bool]) -> Answer:
        """Read until the bytes satisfy the condition, or the server closes the connection."""
        data = b""
        while not wanted(data) and (more := self.read()):
            data += more
        return Answer(data)
