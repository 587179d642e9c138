"""A server in this process whose clock the test moves, so that no test waits for minutes."""

from __future__ import annotations

import asyncio
import socket
import threading
from pathlib import Path
from typing import Final

import uvicorn
from support.clients import Clock

from kingdomino.server.http.app import create_app
from kingdomino.server.settings import Limits, Overload, Settings

TIMEOUT: Final = 30.0


class ClockedServer:
    """A server with a database of its own, bots that do not pause, and no limits; a context manager."""

    def __init__(self, folder: Path) -> None:
        self._clock = Clock()
        settings = Settings(
            database=f"sqlite:///{folder / 'tables.db'}",
            pause=0,
            bot_threads=1,
            limits=Limits(enforced=False),
            overload=Overload(lag=60, write_wait=60),  # a busy test machine must not refuse requests
        )
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._app = create_app(settings, self._clock)
        self._server = uvicorn.Server(
            uvicorn.Config(self._app, log_config=None, ws_per_message_deflate=False)
        )
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> ClockedServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(TIMEOUT)

    def pass_by(self, seconds: float) -> None:
        """Let time pass on the server."""

        async def pass_by() -> None:
            self._clock.pass_by(seconds)

        asyncio.run_coroutine_threadsafe(pass_by(), self._loop).result(TIMEOUT)

    def until_followed_by(self, table: str, clients: int) -> None:
        """Wait until this many clients follow a table."""

        async def wait() -> None:
            actor = await self._app.state.registry.table(table)
            while len(actor._subscribers) != clients:  # noqa: SLF001 - reported only as time passes
                await asyncio.sleep(0.01)

        asyncio.run_coroutine_threadsafe(wait(), self._loop).result(TIMEOUT)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._server.serve([self._listener]))
