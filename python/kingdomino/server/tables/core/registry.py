"""All tables of this process: those in memory, and those in the store."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Collection, Coroutine, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from typing import Any, NamedTuple

import kingdomino as kd
from kingdomino.server import pools
from kingdomino.server.pools import Owner
from kingdomino.server.settings import Settings
from kingdomino.server.storage import Conflict, Entry, StorageError, Store, TableRow
from kingdomino.server.tables.bots.bot_list import slow_bots
from kingdomino.server.tables.bots.threads import off_loop
from kingdomino.server.tables.core import events
from kingdomino.server.tables.core.actor import Services, TableActor, due, replay, row
from kingdomino.server.tables.core.clock import Clock
from kingdomino.server.tables.core.commands import Transaction, created
from kingdomino.server.tables.core.peers import Asking, Cluster, Opened, TableMessage
from kingdomino.server.tables.core.refusals import STATUS, Refusal
from kingdomino.server.tables.core.state import Seat, State
from kingdomino.server.tables.people import secrets
from kingdomino.server.tables.people.codes import Language, new_code
from kingdomino.server.tables.people.lobby import Lobby
from kingdomino.server.tasks import end_tasks
from kingdomino.server.telemetry import Telemetry

_log = logging.getLogger(__name__)
_SWEEP = 5.0
_MOST_WOKEN = 100  # tables in one sweep
_LATER = 300_000  # milliseconds until another attempt to wake a table
_JUMP = 1000  # milliseconds; a smaller difference between the clocks is no jump
_CODES_TRIED = 50  # of 266 million
_SETTLED = 60.0  # seconds after the last request for a table until none is in progress


class _Running(NamedTuple):
    """The figures of a table in use, or being created, that count against limits."""

    owner: Owner
    slow_bots: int


class Registry:
    """Creates tables, loads them when they are requested or due, and removes unused ones from memory."""

    def __init__(
        self,
        store: Store,
        key: bytes,
        settings: Settings,
        clock: Clock,
        cluster: Cluster,
        telemetry: Telemetry,
    ) -> None:
        self.store = store
        self.settings = settings
        self.clock = clock
        self.cluster = cluster
        self._quota = pools.tables(settings)
        self._services = Services(store, cluster, key, settings, clock, telemetry)
        self.lobby = Lobby(store, settings, cluster)
        self._swept: tuple[int, float] | None = None  # time of the last sweep, on both clocks
        self._live: dict[str, TableActor] = {}
        self._coming: dict[str, _Running] = {}  # tables being created
        telemetry.metrics.tables.set_function(self.__len__)
        for code in STATUS:
            telemetry.metrics.refusals.labels(code)
        for kind in events.KINDS:
            telemetry.metrics.events.labels(kind)
        self._loading: dict[str, asyncio.Task[TableActor]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start the sweeps. Time during which no server ran does not count against players."""
        await self.store.resume(self.clock.now(), self.cluster.outage)
        await self.cluster.start(self)
        await self.sweep()
        self.run(self._sweep_for_ever(), "sweeping tables")

    async def stop(self) -> None:
        """End every task; the tables stay in the store."""
        await end_tasks((*self._tasks, *self._loading.values()))
        for actor in self._live.values():
            actor.stop()
        self._live.clear()
        await self.cluster.stop()

    def run(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Run a coroutine in the background, at most until the server stops."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def __len__(self) -> int:
        return len(self._live)

    def __contains__(self, table: str) -> bool:
        return table in self._live

    async def table(self, table: str) -> TableActor:
        """Find a table, in memory or in the store. Raises `Refusal`."""
        if actor := self._live.get(table):
            actor.used = self.clock.time()
            return actor
        loading = self._loading.get(table)
        if loading is None:
            loading = self._loading[table] = asyncio.create_task(self._load(table))
            loading.add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(loading)

    async def stored(self, table: str) -> TableRow:
        """Find a table in the store, without loading it. Raises `Refusal`."""
        row = await self.store.table(table) if secrets.is_table_id(table) else None
        if row is None:
            raise Refusal("no_table", "there is no such table")
        return row

    def may_play(self, table: str, user: str | None) -> bool:
        """Whether an identity may have a seat at a table or be its host: always true if the table is not in memory."""
        actor = self._live.get(table)
        if user is None or actor is None:
            return user is not None
        return user == actor.state.host or bool(actor.state.seats_of(user))

    def drop(self, table: str) -> None:
        """Remove a deleted or unused table from memory."""
        if actor := self._live.pop(table, None):
            actor.stop()

    def disconnect(self, digests: Collection[str]) -> None:
        """Disconnect users, given by their digests, from the tables in memory. Clients that may return reconnect."""
        for actor in self._live.values():
            actor.disconnect(digests)

    async def create(
        self,
        rules: kd.Rules,
        seats: Sequence[Seat],
        owner: Owner,
        *,
        dynasty: events.Dynasty | None = None,
        seconds: int | None = None,
        public: bool = False,
        language: Language = "en",
        rematch_of: str | None = None,
        start: kd.Position | None = None,
    ) -> TableActor:
        """Create a table; the first game begins at once if no seat is free. ``owner`` is its host.

        With ``start`` its only game begins at this position, in which a seat must be to move.

        A table has only one rematch: if its table already exists, return that. Raises `Refusal`.
        """
        table = secrets.rematch_id(self._services.key, rematch_of) if rematch_of else secrets.new_table_id()
        if rematch_of and await self.store.table(table) is not None:
            return await self.table(table)
        is_listed = self.lobby.opening(table, owner) if public else nullcontext()
        async with self._room(table, _Running(owner, slow_bots(seats))), is_listed:
            transaction = Transaction(State(table), self.clock.now())
            users = {seat: entry.user for seat, entry in enumerate(seats) if entry.user is not None}
            digests = {seat: entry.digest for seat, entry in enumerate(seats) if entry.digest is not None}
            waiting = any(seat.is_free for seat in seats)
            code = await self._free_code(language) if waiting else None
            host = owner.person
            first = created(rules, dynasty, seconds, public, seats, host, transaction.at, start)
            transaction.create(
                first, events.CreatedSecret(host=host, users=users, code=code, digests=digests)
            )
            state = transaction.state
            stored = row(
                state, due(state, state.turn.left if state.turn else None, transaction.at, self.settings)
            )
            try:
                await self.store.append(transaction.entries, stored)
            except Conflict:
                return await self.table(table)
            return self._add(state, stored.due, owner.network)

    async def sweep(self) -> None:
        """Wake the tables that are due, and remove from memory those unused for a while."""
        now, time = self.clock.now(), self.clock.time()
        if self._swept is not None:
            before, then = self._swept
            jump = now - before - round(1000 * (time - then))
            if abs(jump) > _JUMP:
                await self._follow_jump(before, jump)
        self._swept = now, time
        await self.store.heartbeat(now)
        for actor in list(self._live.values()):
            with suppress(Exception):  # the actor has logged it; the next sweep tries again
                await actor.settle()
        for table in await self.store.due(now, _MOST_WOKEN):
            try:
                await (await self.table(table)).wake()
            except Exception:  # a damaged table must not hold up the others
                _log.exception("a table could not be woken", extra={"table": table})
                with suppress(StorageError):
                    await self.store.set_due(table, now + _LATER)
        for table, actor in list(self._live.items()):
            if actor.is_quiet and actor.used < time - self.settings.idle:
                actor.stop()
                del self._live[table]

    async def _follow_jump(self, before: int, ms: int) -> None:
        """Shift all due times with the system's clock. ``before`` was its time at our last heartbeat."""
        # If no other process has written a heartbeat since, the store finds ours, however short the jump was.
        await self.store.follow_jump(before + ms, ms)
        for actor in self._live.values():
            actor.due = actor.due and actor.due + ms

    # Messages from other processes.

    def hear(self, message: TableMessage) -> None:
        """Pass a message to the lobby or to its table."""
        if isinstance(message, Opened):
            self.lobby.hear(message)
        elif actor := self._live.get(message.table):
            actor.hear(message)

    def forget(self, process: str) -> None:
        """Handle the end of another process. It may have stored events without announcing them."""
        for actor in self._live.values():
            actor.forget(process)
            actor.catch_up()

    def catch_up(self) -> None:
        """Read the events that tables in memory may have missed, and exchange their followers again."""
        for actor in self._live.values():
            actor.catch_up()
            asking = Asking(process=self.cluster.process, table=actor.state.id)
            self.cluster.tell(asking)
            actor.hear(asking)

    async def _free_code(self, language: Language) -> str:
        """Generate a code that no waiting table has."""
        for _ in range(_CODES_TRIED):
            if await self.store.by_code(code := new_code(language)) is None:
                return code
        raise RuntimeError("no free code was found")

    async def _load(self, table: str) -> TableActor:
        stored, entries = await self.stored(table), await self.store.entries(table, secrets=True)
        state = await off_loop(_replayed, table, entries)
        actor = self._add(state, stored.due)
        actor.catch_up()  # with events since the log was read
        self.cluster.tell(Asking(process=self.cluster.process, table=table))
        return actor

    def _add(self, state: State, due: int | None, address: str = "") -> TableActor:
        """Add a table to memory, unless another request has just loaded it."""
        if actor := self._live.get(state.id):
            actor.address = actor.address or address
            return actor
        self._make_room()
        actor = self._live[state.id] = TableActor(state, self._services, due, address)
        return actor

    def _make_room(self) -> None:
        """Remove unused tables from memory until one more fits. They stay in the store.

        Finished ones go first, then those with the fewest people, and among these the ones unused for longest.
        """
        excess = len(self._live) + 1 - self.settings.max_tables
        if excess <= 0:
            return
        unused = [one for one in self._live.values() if self._is_unused(one)]
        unused.sort(key=lambda one: (not one.state.is_over, len(one.state.people()), one.used))
        for actor in unused[:excess]:
            self.drop(actor.state.id)

    def _is_unused(self, actor: TableActor) -> bool:
        """Whether a table can leave memory: nobody follows it, and no request can still be using it."""
        return actor.is_quiet and actor.used < self.clock.time() - _SETTLED

    @asynccontextmanager
    async def _room(self, table: str, new: _Running) -> AsyncIterator[None]:
        """Count a table while it is being created. Raises `Refusal` if there are too many tables or slow bots."""
        running = [one for coming, one in self._coming.items() if coming != table]
        running += [
            _Running(Owner(actor.state.host or "", actor.address), actor.slow_bots)
            for actor in self._live.values()
            if not actor.state.is_over and not self._is_unused(actor)
        ]
        if new.slow_bots:
            self._check_slow_bots(new, running)
        scope = self._quota.exceeded(new.owner, [(one.owner, 1) for one in running])
        if scope is not None:
            reason = {
                "person": f"you can have {self._quota.of_person} tables in use; finish or close one first",
                "network": f"one address can have {self._quota.of_network} tables in use; finish or close one first",
                "all": "this server has no room for another table; try again later",
            }[scope]
            raise Refusal("too_many_tables", reason)
        self._coming[table] = new
        try:
            yield
        finally:
            self._coming.pop(table, None)  # two requests may create the same rematch

    def _check_slow_bots(self, new: _Running, running: Sequence[_Running]) -> None:
        """Refuse more slow bots than the limits allow. All bots of tables in use count."""
        limits = self.settings.slow_bots
        if new.slow_bots > limits.of_table:
            raise Refusal("too_many_bots", f"a table can have {limits.of_table} slow bots")
        quota = pools.slow_bots(limits, self.cluster.threads)
        scope = quota.exceeded(new.owner, [(one.owner, one.slow_bots) for one in running], new.slow_bots)
        if scope is not None:
            reason = {
                "person": f"at your tables, {quota.of_person} slow bots can play at once",
                "network": f"for one address, {quota.of_network} slow bots can play at once",
                "all": f"on this server, {quota.total} slow bots can play at once",
            }[scope]
            raise Refusal("too_many_bots", f"{reason}; wait for a game to end, or choose a quicker bot")

    async def _sweep_for_ever(self) -> None:
        while True:
            await asyncio.sleep(_SWEEP)
            try:
                await self.sweep()
            except Exception:  # the next sweep may succeed
                _log.exception("the sweep of tables failed")


def _replayed(table: str, entries: Sequence[Entry]) -> State:
    state = State(table)
    replay(state, entries)
    return state
