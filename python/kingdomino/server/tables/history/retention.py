"""How long the tables of games that are over are kept, and in which form (docs/guides/hosting.md)."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from kingdomino.server.settings import Retention
from kingdomino.server.tables.core.registry import Registry

__all__ = ["retain", "sweep"]

_log = logging.getLogger(__name__)
_DAY: Final = 24 * 3600 * 1000
_EVERY: Final = 3600.0
"""Seconds between two sweeps. With a shared database that is also the time until the first: servers of the version
before may run on until then, and know nothing of packed logs."""
_SOON: Final = 60.0
_AT_ONCE: Final = 100
"""Tables whose ids are read together."""
_PAUSE: Final = 0.05
"""Seconds between two tables: the players' writes come first."""


async def retain(registry: Registry, settings: Retention) -> None:
    """Compact and delete old tables until cancelled."""
    await asyncio.sleep(_EVERY if registry.store.is_shared else _SOON)
    while True:
        try:
            await sweep(registry, settings, _PAUSE)
        except Exception:  # the next sweep may succeed
            _log.exception("old tables could not be swept")
        await asyncio.sleep(_EVERY)


async def sweep(registry: Registry, settings: Retention, pause: float = 0) -> None:
    """Compact the tables that are old enough, and delete those that are older.

    A table where that fails, as a log that cannot be read, stays as it is and does not keep the others.
    """
    archive, now = registry.store.archive, registry.clock.now()
    deleted = compacted = 0
    if settings.delete_after is not None:
        before, failed = now - settings.delete_after * _DAY, set[str]()
        while tables := sorted(set(await archive.ended(before, _AT_ONCE + len(failed))) - failed):
            for table in tables:
                try:
                    await archive.delete(table)
                except Exception:
                    _log.exception("a table could not be deleted", extra={"table": table})
                    failed.add(table)
                else:
                    registry.drop(table)
                    deleted += 1
                await asyncio.sleep(pause)
    if settings.compact_after is not None:
        before, place = now - settings.compact_after * _DAY, ""
        while tables := await archive.to_compact(before, _AT_ONCE, place):
            for table in tables:
                try:
                    compacted += await archive.compact(table)
                except Exception:
                    _log.exception("a log could not be packed", extra={"table": table})
                await asyncio.sleep(pause)
            place = tables[-1]
    if deleted or compacted:
        _log.info("old tables", extra={"compacted": compacted, "deleted": deleted})
