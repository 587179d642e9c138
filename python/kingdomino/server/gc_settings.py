"""Garbage collector settings.

By default Python searches all of its memory whenever a quarter has been added. With 500 tables that play, this stops
every answer for some 0.4 seconds every 20, and finds next to nothing: what a table lets go of is freed at once. Here
objects that have lived for a while are set aside, unsearched. All of them are searched when they have doubled in
number, and once an hour.
"""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

_A_WHILE: Final = 2.0  # seconds
_AN_HOUR: Final = int(3600 / _A_WHILE)  # in whiles
_FEW: Final = 200_000  # objects: so many more are always let come, which takes some 50 MB and 0.1 s


@asynccontextmanager
async def collecting_seldom() -> AsyncIterator[None]:
    """Set aside what lives, again and again, until the end of the context."""
    task = asyncio.create_task(_collect())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        gc.unfreeze()


async def _collect() -> None:
    while True:
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        most = 2 * gc.get_freeze_count() + _FEW
        for _ in range(_AN_HOUR):
            await asyncio.sleep(_A_WHILE)
            gc.freeze()
            if gc.get_freeze_count() > most:
                break
