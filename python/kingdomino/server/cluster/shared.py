"""One of several processes on one PostgreSQL database."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Final, Self

from kingdomino.server.cluster.jobs import Jobs
from kingdomino.server.cluster.messages import Alive, Chosen, Leaving, read
from kingdomino.server.cluster.remote_bots import RemoteBots
from kingdomino.server.settings import Settings
from kingdomino.server.storage import StorageError, Store
from kingdomino.server.tables.bots.bot_runner import BotRunner
from kingdomino.server.tables.core.clock import Clock
from kingdomino.server.tables.core.peers import LimitUsage, PeerHandler, PeerMessage
from kingdomino.server.tasks import end_tasks
from kingdomino.server.telemetry import Telemetry

__all__ = ["SILENT", "Shared"]

_log = logging.getLogger(__name__)
_BEAT: Final = 1.0  # seconds between two heartbeats
SILENT: Final = 15.0
"""Seconds without a heartbeat until a process counts as dead."""


class Shared:
    """Exchanges messages with the other processes, and distributes the bots' turns among them.

    Every process sends a heartbeat each second, with the turns that it is choosing. So the others notice when it dies,
    and know which turns are in progress.
    """

    is_alone = False
    outage = round(1000 * SILENT)

    def __init__(
        self,
        store: Store,
        here: BotRunner,
        jobs: Jobs,
        key: bytes,
        settings: Settings,
        clock: Clock,
        telemetry: Telemetry,
        hear_usage: Callable[[LimitUsage], None],
        thinks: bool,
    ) -> None:
        self.process = secrets.token_hex(8)
        self.bots = RemoteBots(here, jobs.ask, key, settings.bot_timeout, clock, telemetry)
        self.threads = here.threads
        self._store, self._here, self._jobs, self._clock, self._hear_usage = (
            store,
            here,
            jobs,
            clock,
            hear_usage,
        )
        self._thinks = thinks
        self._tables: PeerHandler | None = None
        self._outbox: asyncio.Queue[PeerMessage] = asyncio.Queue()
        self._heard: dict[str, float] = {}  # time of the last heartbeat, by process
        self._beaten = clock.time()
        self._tasks: set[asyncio.Task[None]] = set()

    @classmethod
    async def open(
        cls,
        store: Store,
        here: BotRunner,
        key: bytes,
        settings: Settings,
        clock: Clock,
        telemetry: Telemetry,
        hear_usage: Callable[[LimitUsage], None] = lambda _: None,
        *,
        thinks: bool = True,
    ) -> Self:
        """Connect to the queue of jobs; with ``thinks`` this process runs jobs, too. Raises `StorageError`."""
        jobs = await Jobs.open(settings.url, telemetry)
        return cls(store, here, jobs, key, settings, clock, telemetry, hear_usage, thinks)

    async def start(self, tables: PeerHandler | None) -> None:
        """Start to receive, to send, and to run jobs."""
        self._tables = tables
        await self._store.listen(self._hear, self._catch_up)
        if self._thinks:
            self._jobs.work(self._here, self._answer)
        self._run(self._tell_for_ever(), "telling other processes")
        self._run(self._beat_for_ever(), "sending heartbeats")

    async def stop(self) -> None:
        """Announce the end to the others, and stop running jobs."""
        await end_tasks(self._tasks)
        if self._tables is not None:
            self.tell(Leaving(process=self.process))
        await self._send_outbox()
        await self._jobs.close()

    def tell(self, message: PeerMessage) -> None:
        """Send a message in the background; messages keep their order."""
        self._outbox.put_nowait(message)

    def beat(self) -> None:
        """Send a heartbeat, and notice processes without one for too long, perhaps including this one."""
        now = self._clock.time()
        serves = self._tables is not None
        self.tell(Alive(process=self.process, requests=self._jobs.doing, serves=serves))
        for process in [one for one, heard in self._heard.items() if heard < now - SILENT]:
            self._forget(process)
        if self._beaten < now - SILENT:  # this process was suspended: the others think that it is dead
            self._catch_up()
        self._beaten = now

    async def _beat_for_ever(self) -> None:
        while True:
            try:
                self.beat()
            except Exception:  # without heartbeats this process would seem dead
                _log.exception("a heartbeat failed")
            await asyncio.sleep(_BEAT)

    async def _tell_for_ever(self) -> None:
        while True:
            await self._send_outbox(await self._outbox.get())

    async def _send_outbox(self, *first: PeerMessage) -> None:
        messages = [*first]
        while not self._outbox.empty():
            messages.append(self._outbox.get_nowait())
        with suppress(StorageError):  # the others lose these, as if we were cut off
            await self._store.tell([message.model_dump_json() for message in messages])

    async def _answer(self, request: str, actions: list[str], failed: bool) -> None:
        """Send the chosen turn to the process that asked. Raises `StorageError`."""
        chosen = Chosen(process=self.process, request=request, actions=tuple(actions), failed=failed)
        await self._store.tell([chosen.model_dump_json()])

    def _hear(self, text: str) -> None:
        try:
            message = read(text)
        except ValueError:  # a message of a later version
            return
        if isinstance(message, Chosen | Alive):
            self.bots.hear(message)
        if message.process == self.process or isinstance(message, Chosen):
            return
        if isinstance(message, Alive) and not message.serves:  # a worker writes to no table
            return
        self._heard[message.process] = self._clock.time()
        if isinstance(message, Leaving):
            self._forget(message.process)
        elif isinstance(message, LimitUsage):
            self._hear_usage(message)
        elif self._tables is not None and not isinstance(message, Alive):
            self._tables.hear(message)

    def _run(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Run a coroutine in the background."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _forget(self, process: str) -> None:
        """Handle the end of another process."""
        self._heard.pop(process, None)
        if self._tables is not None:
            self._tables.forget(process)

    def _catch_up(self) -> None:
        """Recover after messages may have been lost."""
        self._run(self.bots.ask_again(), "asking for bots' turns again")
        if self._tables is not None:
            self._tables.catch_up()
