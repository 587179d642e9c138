"""Runs a server in this process.

On SIGTERM and Ctrl-C it refuses new connections, closes sockets with code 1012 (service restart), writes the queue for
the database, and ends.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import signal
import socket
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Final

import uvicorn
from fastapi import FastAPI

from kingdomino.server import log
from kingdomino.server.gc_settings import rare_collections
from kingdomino.server.http.app import create_app
from kingdomino.server.http.protocol import LARGEST_FRAMES, BoundedHttp, BoundedSocket
from kingdomino.server.settings import DEFAULT_PORT, Settings
from kingdomino.server.storage.files import DatabaseLock, Locked, sqlite_file
from kingdomino.server.telemetry import Telemetry, Traces, serving

__all__ = ["LAST_REQUEST_TIME", "Server", "bound", "configured", "serve"]

LAST_REQUEST_TIME: Final = 0.5
"""Seconds that an idle connection stays open when the server ends: a proxy may just be sending a request."""
_LARGEST_READ: Final = 64 * 1024
"""Size of a connection's receive buffer in the system, in bytes. It bounds a single read, before our limits apply."""
_BACKLOG: Final = 4096
"""Connections that may wait to be accepted, as many as Linux allows: more than one address may open at once."""
_SHUTDOWN_TIMEOUT: Final = 5  # seconds for requests in progress
_ANYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}
_log = logging.getLogger(__name__)


def serve(settings: Settings, *, open_browser: bool = False, level: int = logging.INFO) -> int:
    """Serve until SIGTERM or Ctrl-C; print the address when it is ready. Return the exit status, 0.

    With ``open_browser``, open the home page in a browser; take another port if the default is taken; and if another
    server uses the database, open that one instead. Raises `OSError` (also `StorageError` and `Locked`) if the server
    cannot start.
    """
    log.configure(level, as_json=settings.log == "json")
    telemetry = Telemetry(traces=Traces.from_environment("kingdomino"))
    try:
        with (
            DatabaseLock(settings.url) as lock,
            serving(settings.metrics, telemetry.metrics) as metrics,
            _bind(settings, or_elsewhere=open_browser) as listener,
        ):
            address = _address(settings.host, listener, settings.root_path)
            lock.write_address(address)

            def ready() -> None:
                _welcome(settings, listener, address, metrics)
                if open_browser:
                    _open_browser(address)

            _run(create_app(settings, telemetry=telemetry), settings, listener, ready)
    except Locked as locked:
        if not (open_browser and locked.address):
            raise
        print(f"Kingdomino is already open at {locked.address}", flush=True)
        webbrowser.open(locked.address)
    finally:
        telemetry.traces.close()
    return 0


class Server(uvicorn.Server):
    """uvicorn's server, with a callback for when it is ready.

    ``opening`` is the task that opens the application with PostgreSQL, until it is done: the database may be away for
    a while. With SQLite it is `None`. That takes moments, and its threads must not outlive the event loop.
    """

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None] = lambda: None) -> None:
        super().__init__(config)
        self._ready = ready
        self.opening: asyncio.Task[Any] | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End on a signal."""
        if self.opening is not None and not self.should_exit:
            self.opening.get_loop().call_soon_threadsafe(self.opening.cancel)
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen."""
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening, answer the last requests, and end."""
        for server in self.servers:
            server.close()
        for listener in sockets or ():
            listener.close()
        self.server_state.default_headers = [*self.server_state.default_headers, (b"connection", b"close")]
        end = time.monotonic() + LAST_REQUEST_TIME
        while self.server_state.connections and time.monotonic() < end:
            await asyncio.sleep(0.05)
        await super().shutdown(sockets)


def configured(app: FastAPI, settings: Settings) -> uvicorn.Config:
    """Configure uvicorn: set its limits, and use only our log."""
    return uvicorn.Config(
        app,
        http=BoundedHttp,
        ws=BoundedSocket,
        lifespan="off",  # we enter it ourselves, to get its errors
        log_config=None,
        access_log=False,  # ours omits queries
        server_header=False,
        forwarded_allow_ips=list(settings.trusted_proxies),
        backlog=_BACKLOG,
        ws_max_size=LARGEST_FRAMES,
        ws_per_message_deflate=False,  # some 40 KB a socket, for messages of 1 KB
        timeout_graceful_shutdown=_SHUTDOWN_TIMEOUT,
    )


def _run(app: FastAPI, settings: Settings, listener: socket.socket, ready: Callable[[], None]) -> None:
    config = configured(app, settings)
    server = Server(config, ready)

    async def main() -> None:
        if sqlite_file(settings.url) is None:
            server.opening = asyncio.current_task()
        if server.should_exit:
            return
        async with app.router.lifespan_context(app), rare_collections():
            server.opening = None
            if server.should_exit:
                return
            # Listen only now: until then the system refuses connections, so that a proxy tries another server.
            with _port_named(settings):
                listener.listen()
            await server.serve([listener])

    _allow_many_sockets()
    with (
        _ended_by_signals(server),
        asyncio.Runner(loop_factory=config.get_loop_factory()) as runner,
        suppress(asyncio.CancelledError),
    ):
        runner.run(main())
    _log.info("ended")


@contextmanager
def _ended_by_signals(server: uvicorn.Server) -> Iterator[None]:
    """Let SIGTERM and Ctrl-C end the server cleanly before uvicorn handles them, and afterwards.

    When uvicorn has shut down, it raises the signal again, which would kill the process.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {sign: signal.signal(sign, server.handle_exit) for sign in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for sign, handler in before.items():
            signal.signal(sign, handler)


def _bind(settings: Settings, *, or_elsewhere: bool) -> socket.socket:
    """Bind the port. With ``or_elsewhere`` bind a free one if the default port is in use."""
    with _port_named(settings):
        try:
            return bound(settings.host, settings.port)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and or_elsewhere and settings.port == DEFAULT_PORT:
                return bound(settings.host, 0)
            raise


def bound(host: str, port: int) -> socket.socket:
    """Return a socket that is bound to a port but does not listen yet. Connections inherit its small buffer."""
    family, kind, protocol, _, address = socket.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _LARGEST_READ)
        listener.bind(address)
    except OSError:
        listener.close()
        raise
    return listener


@contextmanager
def _port_named(settings: Settings) -> Iterator[None]:
    """Add the port to errors."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        if error.errno == errno.EADDRINUSE:
            reason = "this port is taken; --port 0 takes a free one"
        raise OSError(f"{settings.host}, port {settings.port}: {reason}") from error


def _address(host: str, listener: socket.socket, root_path: str) -> str:
    host = _ANYWHERE.get(host, host)
    port: int = listener.getsockname()[1]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{root_path}/"


def _welcome(settings: Settings, listener: socket.socket, address: str, metrics: str | None) -> None:
    print(f"Kingdomino is open at {address}")
    if settings.host in _ANYWHERE and (here := _address_in_network()):
        print(f"On other devices of this network: {_address(here, listener, settings.root_path)}")
    if metrics is not None:
        print(f"Metrics are at {metrics}")
    print("Press Ctrl-C to end it. All games are saved.", flush=True)


def _address_in_network() -> str | None:
    """Return the address from which this machine would send, without sending anything."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        address: str = probe.getsockname()[0]
        return address
    return None


def _open_browser(address: str) -> None:
    """Open a browser in a thread, because the server must be free to answer it."""
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _allow_many_sockets() -> None:
    """Raise the limit on open files as far as possible: each client that follows a table has a socket."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
