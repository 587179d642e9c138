"""The lobby: unfinished public tables, with a quota for each network.

The database contains no addresses. So each process remembers which network opened each public table, and announces it
to the others. Tables from before a restart count for the person who sits there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, Literal, TypeAlias

from kingdomino.server import pools
from kingdomino.server.pools import Memory, Owner
from kingdomino.server.settings import Settings
from kingdomino.server.storage import Store, TableRow
from kingdomino.server.tables.core.peers import Cluster, Opened
from kingdomino.server.tables.core.refusals import Refusal

__all__ = ["Lobby"]

_List: TypeAlias = Literal["open", "watch"]
_STATES: Final[dict[_List, tuple[str, ...]]] = {"open": ("waiting",), "watch": ("playing", "between")}
_LISTED_FOR: Final = 3_600_000  # milliseconds after the last event; later the players are probably gone
_MOST_PAGES: Final = 10
"""Pages to read from the database: more tables than the quotas of 20 networks."""


class Lobby:
    """Lists the public tables, and limits how many each network may open."""

    def __init__(self, store: Store, settings: Settings, cluster: Cluster) -> None:
        self._store, self._cluster = store, cluster
        self._quota, self._places = pools.public_tables(settings), pools.lobby(settings)
        self._owners: Memory[str, Owner] = Memory(pools.REMEMBERED)
        self._coming = set[str]()  # tables being created

    @asynccontextmanager
    async def opening(self, table: str, owner: Owner) -> AsyncIterator[None]:
        """Count a public table even while it is being created. Raises `Refusal` if its owner has too many."""
        await self._forget_ended(owner.network)
        known = self._owners.of_network(owner.network)
        held = [(one, 1) for key in known if key != table and (one := self._owners.get(key))]
        scope = self._quota.exceeded(owner, held)
        if scope is not None:
            most, whose = self._quota.of_person, "you"
            if scope == "network":
                most, whose = self._quota.of_network, "one address"
            reason = f"{whose} can have {most} public tables; finish one first, or invite by a link"
            raise Refusal("too_many_tables", reason)
        self._owners.put(table, owner, owner.network)
        self._coming.add(table)
        try:
            yield
        except BaseException:
            self._owners.pop(table)
            raise
        finally:
            self._coming.discard(table)
        process = self._cluster.process
        self._cluster.tell(Opened(process=process, table=table, person=owner.person, network=owner.network))

    def hear(self, message: Opened) -> None:
        """Record a public table that another process has created."""
        self._owners.put(message.table, Owner(message.person, message.network), message.network)

    async def list(self, which: _List, now: int, network: str) -> list[TableRow]:
        """Return the newest tables of a list, limited for each network except the visitor's own."""
        shown, of_network = list[TableRow](), Counter[str]()
        for page in range(_MOST_PAGES):
            since, skip = now - _LISTED_FOR, page * pools.LISTED
            rows = await self._store.public(_STATES[which], since, pools.LISTED, skip)
            for row in rows:
                known = self._owners.get(row.id)
                whose = known.network if known else f"person {min(row.users, default=None)}"
                of_network[whose] += 1
                if (
                    whose == network
                    or self._places.of_network is None
                    or of_network[whose] <= self._places.of_network
                ):
                    shown.append(row)
            if len(rows) < pools.LISTED or len(shown) >= pools.LISTED:
                break
        return shown[: pools.LISTED]

    async def _forget_ended(self, network: str) -> None:
        """Drop a network's finished tables, including tables that ended at another process."""
        known = self._owners.of_network(network)
        for table in set(known) - await self._store.unfinished(known) - self._coming:
            self._owners.pop(table)
