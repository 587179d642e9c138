"""Routes for those who watch over the server: whether it lives, and whether it can do its work."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from fastapi import APIRouter, Request

from kingdomino.server.http import schemas
from kingdomino.server.http.dependencies import Answer
from kingdomino.server.http.openapi import refusals
from kingdomino.server.tables.clock import Clock
from kingdomino.server.tables.refusals import Refusal
from kingdomino.server.tables.registry import Registry

router = APIRouter(tags=["reference"])
_KEPT: Final = 1.0  # seconds for which an answer is valid
_LONGEST: Final = 1.0  # seconds for a write


class Readiness:
    """Whether the database can be written: tried at most once a second, by one write at a time."""

    def __init__(self, write: Callable[[], Awaitable[None]], clock: Clock) -> None:
        self._write, self._clock = write, clock
        self._trial: asyncio.Task[bool] | None = None
        self._began = 0.0

    async def check(self) -> bool:
        """Give the answer of the last second, or try. Waits a second at most."""
        trial, age = self._trial, self._clock.time() - self._began
        if trial is None or (trial.done() and age >= _KEPT):
            self._began = self._clock.time()
            trial = self._trial = asyncio.create_task(self._try())
        elif not trial.done() and age >= _LONGEST:
            return False
        await asyncio.wait({trial}, timeout=_LONGEST)
        return trial.done() and trial.result()

    async def _try(self) -> bool:
        try:
            await self._write()
        except OSError:  # such as a StorageError
            return False
        return True


@router.get("/health", response_model=schemas.Health)
async def health(request: Request) -> Answer:
    """Check that the server lives. It asks nothing of the database."""
    registry: Registry = request.app.state.registry
    return Answer(schemas.Health(status="ok", tables=len(registry)))


@router.get("/ready", response_model=schemas.Ready, responses=refusals("storage"))
async def ready(request: Request) -> Answer:
    """Check that the server can write to its database."""
    readiness: Readiness = request.app.state.readiness
    if not await readiness.check():
        raise Refusal("storage", "the database cannot be written")
    return Answer(schemas.Ready(status="ready"))
