"""Several processes on one database: their messages and their common queue of jobs.

`join` returns the port that tables know (`kingdomino.server.tables.core.peers.Cluster`): `Alone` for a process that has
its database to itself, otherwise `Shared`.
"""

from collections.abc import Callable

from kingdomino.server.cluster.alone import Alone
from kingdomino.server.settings import Settings
from kingdomino.server.storage import Store
from kingdomino.server.tables.bots.bot_runner import BotRunner
from kingdomino.server.tables.core.clock import Clock
from kingdomino.server.tables.core.peers import Cluster, LimitUsage
from kingdomino.server.telemetry import Telemetry

__all__ = ["join"]


async def join(
    store: Store,
    key: bytes,
    settings: Settings,
    clock: Clock,
    telemetry: Telemetry,
    hear_usage: Callable[[LimitUsage], None],
) -> Cluster:
    """Join the processes that serve this database. Raises `StorageError`.

    ``hear_usage`` gets what clients have used of limits at other processes.
    """
    here = BotRunner(settings.bot_threads, settings.think, settings.bot_timeout, telemetry)
    if not store.is_shared:
        return Alone(here)
    from kingdomino.server.cluster.shared import Shared  # only where PostgreSQL's driver is installed

    return await Shared.open(store, here, key, settings, clock, telemetry, hear_usage, thinks=settings.thinks)
