"""All tables of this process: those in memory, and those in the store."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence

import kingdomino as kd
from kingdomino.server.settings import Settings
from kingdomino.server.storage import Store
from kingdomino.server.tables import events, secrets
from kingdomino.server.tables.actor import Services, TableActor, now, replay, row
from kingdomino.server.tables.bot_runner import BotRunner
from kingdomino.server.tables.codes import new_code
from kingdomino.server.tables.commands import Transaction, created
from kingdomino.server.tables.refusals import Refusal
from kingdomino.server.tables.state import Seat, State

_log = logging.getLogger(__name__)
_SWEEP = 30.0
_CODES_TRIED = 50  # of two million


class Registry:
    """Creates tables, finds them, and removes unused ones from memory."""

    def __init__(self, store: Store, key: bytes, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        bots = BotRunner(settings.bot_threads, settings.think)
        self._services = Services(store, bots, key, settings.pause)
        self._live: dict[str, TableActor] = {}
        self._loading: dict[str, asyncio.Task[TableActor]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Start to load every unfinished table in the background, so that bots play on."""
        unfinished = await self.store.unfinished()
        self._tasks = [
            asyncio.create_task(self._load_all(unfinished), name="loading tables"),
            asyncio.create_task(self._sweep(), name="sweeping tables"),
        ]

    async def stop(self) -> None:
        """End every task; the tables stay in the store."""
        for task in (*self._tasks, *self._loading.values()):
            task.cancel()
        await asyncio.gather(*self._tasks, *self._loading.values(), return_exceptions=True)
        for actor in self._live.values():
            actor.stop()
        self._live.clear()

    def __len__(self) -> int:
        return len(self._live)

    async def table(self, table: str) -> TableActor:
        """Find a table, in memory or in the store. Raises `Refusal`."""
        if actor := self._live.get(table):
            actor.used = time.monotonic()
            return actor
        if not secrets.is_table_id(table):
            raise Refusal("no_table", "there is no such table")
        loading = self._loading.get(table)
        if loading is None:
            loading = self._loading[table] = asyncio.create_task(self._load(table))
            loading.add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(loading)

    async def create(
        self,
        rules: kd.Rules,
        seats: Sequence[Seat],
        host: str,
        *,
        dynasty: events.Dynasty | None = None,
        seconds: int | None = None,
        public: bool = False,
    ) -> TableActor:
        """Create a table; the first game begins at once if no seat is free. Raises `Refusal`."""
        if len(self._live) >= self.settings.max_tables:
            raise Refusal("too_many_tables", "this server has no room for another table; try again later")
        transaction = Transaction(State(secrets.new_table_id()), now())
        users = {seat: entry.user for seat, entry in enumerate(seats) if entry.user is not None}
        waiting = any(seat.is_free for seat in seats)
        code = await self._free_code() if waiting else None
        first = created(rules, dynasty, seconds, public, seats, transaction.at)
        transaction.create(first, events.CreatedSecret(host=host, users=users, code=code))
        await self.store.append(transaction.entries, row(transaction.state))
        return self._add(transaction.state)

    async def _free_code(self) -> str:
        """Generate a code that no waiting table has."""
        for _ in range(_CODES_TRIED):
            if await self.store.by_code(code := new_code()) is None:
                return code
        raise RuntimeError("no free code was found")

    async def _load_all(self, tables: Sequence[str]) -> None:
        for table in tables:
            try:
                await self.table(table)
            except Exception:  # one damaged table must not keep the others from going on
                _log.exception("a table could not be loaded", extra={"table": table})

    async def _load(self, table: str) -> TableActor:
        entries = await self.store.entries(table, secrets=True)
        if not entries:
            raise Refusal("no_table", "there is no such table")
        state = State(table)
        replay(state, entries)
        return self._add(state)

    def _add(self, state: State) -> TableActor:
        actor = self._live[state.id] = TableActor(state, self._services)
        return actor

    async def _sweep(self) -> None:
        """Remove tables that have not been used for a while from memory."""
        while True:
            await asyncio.sleep(_SWEEP)
            horizon = time.monotonic() - self.settings.idle
            for table, actor in list(self._live.items()):
                if actor.is_quiet and actor.used < horizon:
                    actor.stop()
                    del self._live[table]
