"""All tables of this process: those in memory, and those in the store."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

import kingdomino as kd
from kingdomino.server.settings import Settings
from kingdomino.server.storage import StorageError, Store
from kingdomino.server.tables import events, secrets
from kingdomino.server.tables.actor import Services, TableActor, due, replay, row
from kingdomino.server.tables.bot_runner import BotRunner
from kingdomino.server.tables.clock import Clock
from kingdomino.server.tables.codes import Language, new_code
from kingdomino.server.tables.commands import Transaction, created
from kingdomino.server.tables.refusals import Refusal
from kingdomino.server.tables.state import Seat, State

_log = logging.getLogger(__name__)
_SWEEP = 15.0
_MOST_WOKEN = 100  # tables in one sweep
_JUMP = 1000  # milliseconds; the clocks may differ by less without one having been set
_CODES_TRIED = 50  # of two million


class Registry:
    """Creates tables, loads them when they are asked for or due, and removes unused ones from memory."""

    def __init__(self, store: Store, key: bytes, settings: Settings, clock: Clock) -> None:
        self.store = store
        self.settings = settings
        self.clock = clock
        bots = BotRunner(settings.bot_threads, settings.think)
        self._services = Services(store, bots, key, settings, clock)
        self._swept: tuple[int, float] | None = None  # when, on both clocks
        self._live: dict[str, TableActor] = {}
        self._loading: dict[str, asyncio.Task[TableActor]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin to sweep. The time in which no server ran costs no player anything."""
        now, last = self.clock.now(), await self.store.last_heartbeat()
        if last is not None:
            await self.store.postpone(now - last)
        await self.sweep()
        self._tasks = [asyncio.create_task(self._sweep_for_ever(), name="sweeping tables")]

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
            actor.used = self.clock.time()
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
        language: Language = "en",
    ) -> TableActor:
        """Create a table; the first game begins at once if no seat is free. Raises `Refusal`."""
        if len(self._live) >= self.settings.max_tables:
            raise Refusal("too_many_tables", "this server has no room for another table; try again later")
        transaction = Transaction(State(secrets.new_table_id()), self.clock.now())
        users = {seat: entry.user for seat, entry in enumerate(seats) if entry.user is not None}
        waiting = any(seat.is_free for seat in seats)
        code = await self._free_code(language) if waiting else None
        first = created(rules, dynasty, seconds, public, seats, host, transaction.at)
        transaction.create(first, events.CreatedSecret(host=host, users=users, code=code))
        state = transaction.state
        stored = row(
            state, due(state, state.turn.left if state.turn else None, transaction.at, self.settings)
        )
        await self.store.append(transaction.entries, stored)
        return self._add(state, stored.due)

    async def sweep(self) -> None:
        """Wake the tables that are due, and remove those from memory that have not been used for a while."""
        now, time = self.clock.now(), self.clock.time()
        if self._swept is not None:
            before, then = self._swept
            jump = now - before - round(1000 * (time - then))
            if abs(jump) > _JUMP:
                await self._follow_jump(jump)
        self._swept = now, time
        await self.store.heartbeat(now)
        for table in await self.store.due(now, _MOST_WOKEN):
            try:
                await (await self.table(table)).wake()
            except Exception:  # one damaged table must not keep the others from going on
                _log.exception("a table could not be woken", extra={"table": table})
        for table, actor in list(self._live.items()):
            if actor.is_quiet and actor.used < time - self.settings.idle:
                actor.stop()
                del self._live[table]

    async def _follow_jump(self, ms: int) -> None:
        """Move what is due with the system's clock."""
        await self.store.postpone(ms)
        for actor in self._live.values():
            actor.due = actor.due and actor.due + ms

    async def _free_code(self, language: Language) -> str:
        """Generate a code that no waiting table has."""
        for _ in range(_CODES_TRIED):
            if await self.store.by_code(code := new_code(language)) is None:
                return code
        raise RuntimeError("no free code was found")

    async def _load(self, table: str) -> TableActor:
        stored, entries = await self.store.table(table), await self.store.entries(table, secrets=True)
        if stored is None:
            raise Refusal("no_table", "there is no such table")
        state = State(table)
        replay(state, entries)
        return self._add(state, stored.due)

    def _add(self, state: State, due: int | None) -> TableActor:
        actor = self._live[state.id] = TableActor(state, self._services, due)
        return actor

    async def _sweep_for_ever(self) -> None:
        while True:
            await asyncio.sleep(_SWEEP)
            try:
                await self.sweep()
            except StorageError:
                _log.exception("the tables could not be swept")
