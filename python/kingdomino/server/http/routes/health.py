"""Health checks: whether the server runs, and whether it can write to its database."""

from __future__ import annotations

import asyncio
import math
import shutil
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Final, Literal

from fastapi import APIRouter, Request

from kingdomino.server.http import schemas
from kingdomino.server.http.dependencies import Answer
from kingdomino.server.http.openapi import refusals
from kingdomino.server.settings import Settings
from kingdomino.server.storage.files import sqlite_file
from kingdomino.server.storage.generations import has_failed, newest
from kingdomino.server.tables.core.clock import Clock
from kingdomino.server.tables.core.refusals import Refusal
from kingdomino.server.tables.core.registry import Registry
from kingdomino.server.telemetry import Metrics

router = APIRouter(tags=["reference"])
_KEPT: Final = 1.0  # seconds for which an answer is valid
_LONGEST: Final = 1.0  # seconds for a write
_WATCHED: Final = 10.0  # seconds between two checks by the server itself


class Readiness:
    """Whether the server can write to the database. Tries at most once a second, one write at a time."""

    def __init__(self, write: Callable[[], Awaitable[None]], clock: Clock) -> None:
        self._write, self._clock = write, clock
        self._trial: asyncio.Task[bool] | None = None
        self._began = 0.0

    async def check(self) -> bool:
        """Return the answer of the last second, or try. Wait a second at most."""
        trial, age = self._trial, self._clock.time() - self._began
        if trial is None or (trial.done() and age >= _KEPT):
            self._began = self._clock.time()
            trial = self._trial = asyncio.create_task(self._try())
        elif not trial.done() and age >= _LONGEST:
            return False
        await asyncio.wait({trial}, timeout=_LONGEST)
        return trial.done() and trial.result()

    async def watch(self, metrics: Metrics) -> None:
        """Check periodically, so that the metrics are current even if no client asks."""
        while True:
            await asyncio.sleep(_WATCHED)
            metrics.unready.set(not await self.check())

    async def _try(self) -> bool:
        try:
            await self._write()
        except OSError:  # includes StorageError
            return False
        return True


def observe_files(metrics: Metrics, settings: Settings, clock: Clock) -> None:
    """Add metrics of the disks' free space and the newest backup's age, computed when they are read."""
    folders: dict[str, Path] = {}
    if (database := sqlite_file(settings.url)) is not None:
        folders["database"] = database.parent
    if settings.backups is not None:
        folder = folders["backups"] = Path(settings.backups)
        metrics.backup_age.set_function(partial(_age, folder, clock))
        metrics.backup_failed.set_function(partial(has_failed, folder))
    for of, folder in folders.items():
        metrics.disk_free.labels(of).set_function(partial(_disk, folder, "free"))
        metrics.disk_size.labels(of).set_function(partial(_disk, folder, "total"))


def _age(folder: Path, clock: Clock) -> float:
    made = newest(folder)
    return math.inf if made is None else clock.now() / 1000 - made.timestamp()


def _disk(folder: Path, what: Literal["free", "total"]) -> float:
    """Return the total bytes of a folder's disk, or those free for us."""
    try:
        return float(getattr(shutil.disk_usage(folder), what))
    except OSError:  # the folder does not exist
        return 0


@router.get("/health", response_model=schemas.Health)
async def health(request: Request) -> Answer:
    """Check that the server runs, without using the database."""
    registry: Registry = request.app.state.registry
    return Answer(schemas.Health(status="ok", tables=len(registry)))


@router.get("/ready", response_model=schemas.Ready, responses=refusals("storage"))
async def ready(request: Request) -> Answer:
    """Check that the server can write to its database."""
    readiness: Readiness = request.app.state.readiness
    if not await readiness.check():
        raise Refusal("storage", "the database cannot be written")
    return Answer(schemas.Ready(status="ready"))
