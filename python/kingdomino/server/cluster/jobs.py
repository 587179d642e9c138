"""Jobs that any process of a shared server may do: PostgreSQL is their queue, and procrastinate runs it.

A job is a turn that a bot has to choose. It holds a position and nothing else. The process that does it tells all
others the answer, and the process that asked adds it to the table's log. If a process dies, another does its jobs.
Signs of life (`Alive`) name the jobs under way, so that nobody asks for them again and no stand-in chooses.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, Self, TypeAlias

from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException

import kingdomino as kd
from kingdomino.server.cluster.messages import Choose
from kingdomino.server.storage import StorageError, conninfo
from kingdomino.server.tables.bots.bot_runner import BotRunner
from kingdomino.server.tables.bots.threads import WorkOwner
from kingdomino.server.telemetry import Telemetry
from kingdomino.server.telemetry.traces import parse_parent

__all__ = ["Jobs"]

_log = logging.getLogger(__name__)
_QUEUE: Final = "turns"
_HEARTBEAT: Final = 1.0  # seconds between the signs of life of a worker
_DEAD: Final = 3.0  # seconds without one after which its jobs are given to others
_POLL: Final = 1.0
"""Seconds until a worker looks for jobs by itself: after an outage of the database it hears of none."""
_RETRY: Final = 1.0  # seconds
_CONNECTIONS: Final = 4
_AT_ONCE: Final = 2
"""Jobs that one process takes for each of its threads: no thread waits for the database, and others get the rest."""
_MOST: Final = 64  # jobs that one process takes: a message of 8,000 bytes names them all
_ENDING: Final = 3.0  # seconds for the jobs under way when the process ends


Answer: TypeAlias = Callable[[str, list[str], bool], Awaitable[None]]
"""Sends the actions for a request, and whether a stand-in chose them. Raises `StorageError`."""


async def _unanswered(*_: object) -> None:
    raise AssertionError("this process does no jobs")


class Jobs:
    """The queue of a shared database. Made by `Jobs.open`."""

    def __init__(self, url: str, telemetry: Telemetry) -> None:
        self._telemetry = telemetry
        # Queueing a job notifies, so it must not wait for the disk (see `Sender`). A lost job is asked for again.
        pool = PsycopgConnector(conninfo=conninfo(url, durable=False), min_size=1, max_size=_CONNECTIONS)
        self._app = App(connector=pool)
        self._tasks: list[asyncio.Task[None]] = []
        self._choose = self._app.task(name="choose", queue=_QUEUE, pass_context=False)(self._do)
        self._bots: BotRunner | None = None
        self._answer: Answer = _unanswered
        self._doing: set[str] = set()

    @classmethod
    async def open(cls, url: str, telemetry: Telemetry | None = None) -> Self:
        """Connect to the database. Raises `StorageError`."""
        jobs = cls(url, telemetry or Telemetry())
        try:
            await jobs._app.open_async()
        except ConnectorException as error:
            raise StorageError(f"the queue of jobs cannot be opened: {error}") from error
        return jobs

    async def close(self) -> None:
        """Do no more jobs, and disconnect."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._app.close_async()

    async def ask(self, turn: Choose) -> bool:
        """Let a process choose a turn. One that still waits in the queue is not queued again: then this gives true.

        The jobs of a table share no lock: a job of a dead process would hold up the next one.
        """
        try:
            job = turn.model_dump(mode="json", exclude_none=True)
            await self._choose.configure(queueing_lock=turn.request).defer_async(turn=job)
        except AlreadyEnqueued:
            return True
        except ConnectorException as error:
            raise StorageError("a job could not be queued") from error
        return False

    @property
    def doing(self) -> tuple[str, ...]:
        """The requests of the jobs that this process has taken: their bots think here, or wait for a thread."""
        return tuple(self._doing)

    def work(self, bots: BotRunner, answer: Answer) -> None:
        """Begin to do jobs in this process, and answer each."""
        self._bots, self._answer = bots, answer
        self._tasks = [
            asyncio.create_task(self._work_for_ever(bots), name="jobs"),
            asyncio.create_task(self._retry_for_ever(), name="jobs of dead processes"),
        ]

    async def _do(self, turn: dict[str, object]) -> None:
        """Choose a turn and tell it to all."""
        assert self._bots is not None
        try:
            asked = Choose.model_validate(turn)
        except ValueError:
            return _log.error("a bot's turn was asked for by another version")
        if asked.request in self._doing:  # it was asked for again, and waits here for a thread
            return None
        self._doing.add(asked.request)
        try:
            await self._choose_and_answer(self._bots, asked)
        except Exception:  # it would be logged with the whole job, and so with the bot's seed
            _log.exception("a bot's turn could not be chosen", extra={"bot": asked.bot})
        finally:
            self._doing.discard(asked.request)
        return None

    async def _choose_and_answer(self, bots: BotRunner, asked: Choose) -> None:
        position = kd.Position.parse(asked.position)
        traces = self._telemetry.traces
        with traces.continued("job", parse_parent(asked.trace), table=asked.share[-1], bot=asked.bot):
            actions, failed = await bots.turn(asked.bot, asked.seed, position, WorkOwner(*asked.share))
        while True:
            try:
                return await self._answer(asked.request, list(map(str, actions)), failed)
            except StorageError:  # the one that asked would wait in vain
                _log.warning("a bot's turn could not be told", exc_info=True)
            await asyncio.sleep(_RETRY)

    async def _work_for_ever(self, bots: BotRunner) -> None:
        while True:
            try:
                await self._app.run_worker_async(
                    queues=[_QUEUE],
                    concurrency=min(_AT_ONCE * bots.threads, _MOST),
                    delete_jobs="always",
                    install_signal_handlers=False,
                    shutdown_graceful_timeout=_ENDING,
                    fetch_job_polling_interval=_POLL,
                    update_heartbeat_interval=_HEARTBEAT,
                    stalled_worker_timeout=_DEAD,
                )
            except (ConnectorException, OSError):
                _log.exception("the queue of jobs failed")
            await asyncio.sleep(_RETRY)

    async def _retry_for_ever(self) -> None:
        """Put the jobs of processes that have died back into the queue."""
        while True:
            await asyncio.sleep(_RETRY)
            with suppress(ConnectorException):  # another process may have done it, or the database is away
                for job in await self._app.job_manager.get_stalled_jobs(seconds_since_heartbeat=_DEAD):
                    await self._app.job_manager.retry_job(job)
