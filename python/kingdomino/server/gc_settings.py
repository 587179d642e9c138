"""Garbage collector settings.

By default Python runs a full collection whenever the number of objects has grown by a quarter. With 500 tables in play
this stops the server for about 0.4 of every 20 seconds, and frees almost nothing, because reference counts free most
objects. So we freeze objects that have survived for a while, which excludes them from collections, and run a full
collection when the number of memory blocks in use has doubled, and once an hour.
"""

import asyncio
import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from kingdomino.server.tasks import end_tasks

_INTERVAL: Final = 2.0  # seconds between freezes
_AN_HOUR: Final = int(3600 / _INTERVAL)  # in intervals
_ALLOWANCE: Final = 600_000  # additional blocks: 200,000 objects, 0.1 s to collect


@asynccontextmanager
async def rare_collections() -> AsyncIterator[None]:
    """Freeze surviving objects at intervals until the context ends."""
    task = asyncio.create_task(_collect())
    try:
        yield
    finally:
        await end_tasks((task,))
        gc.unfreeze()


async def _collect() -> None:
    while True:
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        # gc.get_freeze_count would walk through all objects.
        most = 2 * sys.getallocatedblocks() + _ALLOWANCE
        for _ in range(_AN_HOUR):
            await asyncio.sleep(_INTERVAL)
            gc.freeze()
            if sys.getallocatedblocks() > most:
                break
