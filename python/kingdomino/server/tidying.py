"""When memory is searched for what nobody can reach any more.

By itself Python searches all of it whenever a quarter has been added: with 500 tables that play, some
0.4 seconds every 20, in which nobody is answered, and next to nothing is found, since what a table lets
go of is freed at once. Here everything that has lived for a while is set aside, unsearched; all of it is
searched when it has doubled, and once an hour. Imports the standard library only.
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
async def tidied_seldom() -> AsyncIterator[None]:
    """Set aside what lives, again and again, until the end of the context."""
    task = asyncio.create_task(_tidy())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        gc.unfreeze()


async def _tidy() -> None:
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
