"""Compresses and deletes old tables (docs/guides/hosting.md)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from kingdomino.server.settings import Retention
from kingdomino.server.tables.core.registry import Registry

__all__ = ["retain", "sweep"]

_log = logging.getLogger(__name__)
_DAY: Final = 24 * 3600 * 1000
_EVERY: Final = 3600.0
"""Seconds between two sweeps."""
_SOON: Final = 60.0
"""Seconds until the first one."""
_AT_ONCE: Final = 100
"""Ids of tables in one query."""
_PAUSE: Final = 0.05
"""Seconds between two tables, so that players' writes go first."""


async def retain(registry: Registry, settings: Retention) -> None:
    """Compact and delete old tables until cancelled."""
    await asyncio.sleep(_SOON)
    while True:
        try:
            await sweep(registry, settings, _PAUSE)
        except Exception:  # the next sweep may succeed
            _log.exception("the sweep of old tables failed")
        await asyncio.sleep(_EVERY)


async def sweep(registry: Registry, settings: Retention, pause: float = 0) -> None:
    """Delete the oldest tables, and compact younger ones, by the settings.

    If a table cannot be deleted or compacted, leave it as it is and go on with the others.
    """
    archive, now = registry.store.archive, registry.clock.now()

    async def delete(table: str) -> bool:
        await archive.delete(table)
        registry.drop(table)
        return True

    async def each(
        find: Callable[[int, int, str], Awaitable[list[str]]],
        days: int | None,
        change: Callable[[str], Awaitable[bool]],
        failure: str,
    ) -> int:
        """Change each table that ended at least this many days ago; return the number of changed tables."""
        changed, last = 0, ""
        while days is not None and (tables := await find(now - days * _DAY, _AT_ONCE, last)):
            for table in tables:
                try:
                    changed += await change(table)
                except Exception:
                    _log.exception(failure, extra={"table": table})
                await asyncio.sleep(pause)
            last = tables[-1]
        return changed

    deleted = await each(archive.ended, settings.delete_after, delete, "a table could not be deleted")
    compacted = await each(
        archive.to_compact, settings.compact_after, archive.compact, "a log could not be compacted"
    )
    if deleted or compacted:
        _log.info("old tables", extra={"compacted": compacted, "deleted": deleted})
