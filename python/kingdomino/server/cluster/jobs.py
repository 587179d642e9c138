"""The queue of jobs for all processes on one database, in PostgreSQL, run by procrastinate.

A job is a turn that a bot has to choose. It contains only a position. The process that runs it sends the answer to all
others, and the process that asked adds it to the table's log. If a process dies, another runs its jobs. Heartbeats
(`Alive`) list the jobs in progress, so that no process asks again and no stand-in chooses.
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
from kingdomino.server.tasks import end_tasks
from kingdomino.server.telemetry import Telemetry
from kingdomino.server.telemetry.traces import parse_parent

__all__ = ["Jobs"]

_log = logging.getLogger(__name__)
_QUEUE: Final = "turns"
_HEARTBEAT: Final = 1.0  # seconds between a worker's heartbeats
_DEAD: Final = 3.0  # seconds without one until others get its jobs
_POLL: Final = 1.0
"""Seconds between two polls for jobs: after an outage of the database a worker gets no notices."""
_RETRY: Final = 1.0  # seconds
_CONNECTIONS: Final = 4
_AT_ONCE: Final = 2
"""Jobs that a process takes for each thread: enough to keep its threads busy, and the rest is left to others."""
_MOST: Final = 64  # jobs of one process, so that one message of 8,000 bytes can list them
_ENDING: Final = 3.0  # seconds for the jobs in progress when the process ends


Answer: TypeAlias = Callable[[str, list[str], bool], Awaitable[None]]
"""Sends the actions for a request, and whether a stand-in chose them. Raises `StorageError`."""


async def _unanswered(*_: object) -> None:
    raise AssertionError("this process runs no jobs")


class Jobs:
    """The queue of a shared database. Made by `Jobs.open`."""

    def __init__(self, url: str, telemetry: Telemetry) -> None:
        self._telemetry = telemetry
        # Queueing a job notifies, so it must not wait for the disk (see `Sender`). The asker repeats a lost job.
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
        """Stop running jobs, and disconnect."""
        await end_tasks(self._tasks)
        await self._app.close_async()

    async def ask(self, turn: Choose) -> bool:
        """Queue a turn to choose. Return true, and do not queue it again, if it still waits in the queue.

        Jobs of one table have no common lock: a job of a dead process would block the next one.
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
        """The requests that this process has taken: their bots think here, or wait for a thread."""
        return tuple(self._doing)

    def work(self, bots: BotRunner, answer: Answer) -> None:
        """Start to run jobs in this process, and answer each."""
        self._bots, self._answer = bots, answer
        self._tasks = [
            asyncio.create_task(self._work_for_ever(bots), name="jobs"),
            asyncio.create_task(self._retry_for_ever(), name="jobs of dead processes"),
        ]

    async def _do(self, turn: dict[str, object]) -> None:
        """Choose a turn and send it to all processes."""
        assert self._bots is not None
        try:
            asked = Choose.model_validate(turn)
        except ValueError:
            return _log.error("another version asked for a bot's turn")
        if asked.request in self._doing:  # asked again while it waits here for a thread
            return None
        self._doing.add(asked.request)
        try:
            await self._choose_and_answer(self._bots, asked)
        except Exception:  # procrastinate would log the whole job, including the bot's seed
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
            except StorageError:  # retry: the asker waits for it
                _log.warning("a bot's turn could not be sent", exc_info=True)
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
        """Return the jobs of dead processes to the queue."""
        while True:
            await asyncio.sleep(_RETRY)
            with suppress(ConnectorException):  # another process was faster, or the database is away
                for job in await self._app.job_manager.get_stalled_jobs(seconds_since_heartbeat=_DEAD):
                    await self._app.job_manager.retry_job(job)
