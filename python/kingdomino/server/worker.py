"""A process that only runs jobs: it chooses the turns of slow bots for servers on the same database."""

from __future__ import annotations

import asyncio
import logging
import signal

from kingdomino.server import log
from kingdomino.server.settings import Settings
from kingdomino.server.storage import StorageError, Store
from kingdomino.server.tables.bots.bot_runner import BotRunner
from kingdomino.server.tables.core.clock import Clock
from kingdomino.server.telemetry import Telemetry, Traces, serving

_log = logging.getLogger(__name__)


def work(settings: Settings, *, level: int = logging.INFO) -> int:
    """Run jobs until SIGTERM or Ctrl-C. Return the exit status, 0. Raises `StorageError` if it cannot start."""
    log.configure(level, as_json=settings.log == "json")
    telemetry = Telemetry(traces=Traces.from_environment("kingdomino-worker"))
    try:
        with serving(settings.metrics, telemetry.metrics) as metrics:
            asyncio.run(_work(settings, telemetry, metrics))
    finally:
        telemetry.traces.close()
    _log.info("ended")
    return 0


async def _work(settings: Settings, telemetry: Telemetry, metrics: str | None) -> None:
    ended = asyncio.Event()
    opening = asyncio.create_task(Store.open(settings.url, waits=True, telemetry=telemetry))

    def end() -> None:
        ended.set()
        opening.cancel()

    for sign in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(sign, end)
    try:
        store = await opening
    except asyncio.CancelledError:  # while the database was away
        return
    try:
        if not store.is_shared:
            raise StorageError("a worker needs postgresql://…; with SQLite the server runs all jobs itself")
        from kingdomino.server.cluster.shared import Shared

        bots = BotRunner(settings.bot_threads, settings.think, settings.bot_timeout, telemetry)
        key = await store.table_key(settings.cookies.since_ms)
        cluster = await Shared.open(store, bots, key, settings, Clock(), telemetry)
        try:
            await cluster.start(None)
            print("Ready. Press Ctrl-C to end it.", flush=True)
            if metrics is not None:
                print(f"Metrics are at {metrics}", flush=True)
            await ended.wait()
        finally:
            await cluster.stop()
    finally:
        await store.close()
