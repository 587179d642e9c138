"""A process that does the jobs of a shared server, and only those: it chooses the turns of slow bots."""

from __future__ import annotations

import asyncio
import logging
import secrets
import signal

from kingdomino.server import log
from kingdomino.server.settings import Settings
from kingdomino.server.storage import StorageError, Store
from kingdomino.server.tables.bot_runner import BotRunner

_log = logging.getLogger(__name__)


def work(settings: Settings, *, level: int = logging.INFO) -> int:
    """Do jobs until SIGTERM or Ctrl-C. Gives the exit status 0. Raises `StorageError` if it cannot start."""
    log.configure(level, as_json=settings.log == "json")
    asyncio.run(_work(settings))
    return 0


async def _work(settings: Settings) -> None:
    ended = asyncio.Event()
    for sign in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(sign, ended.set)
    store = await Store.open(settings.url, waits=True)
    try:
        if not store.is_shared:
            raise StorageError(
                "jobs are done by the server itself with SQLite: a worker needs postgresql://…"
            )
        from kingdomino.server.jobs import Jobs

        jobs = await Jobs.open(settings.url)
        try:
            bots = BotRunner(settings.bot_threads, settings.think, settings.bot_timeout)
            jobs.work(store, bots, secrets.token_hex(8))
            print("Ready to think. Ctrl-C ends it.", flush=True)
            await ended.wait()
        finally:
            await jobs.close()
    finally:
        await store.close()
    _log.info("ended")
