"""All tables of this process: those in memory, and those that wait in the store.

Imports `mailbox`, `state`, `story`, `storage`, `links`, `codes`, `settings`, `thinking`, `refusals`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Sequence
from typing import Literal

import kingdomino as kd
from kingdomino.server import links
from kingdomino.server.codes import new_code
from kingdomino.server.mailbox import Mailbox, Services, now, shelf
from kingdomino.server.refusals import Refusal
from kingdomino.server.settings import Settings
from kingdomino.server.state import Seat, State
from kingdomino.server.storage import Store
from kingdomino.server.story import Story, created
from kingdomino.server.thinking import Thinkers

_log = logging.getLogger(__name__)
_SWEEP = 30.0
_CODES_TRIED = 50  # of two million


class House:
    """Where tables are laid, found and put away."""

    def __init__(self, store: Store, key: bytes, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        thinkers = Thinkers(settings.bot_threads, settings.think)
        self._services = Services(store, thinkers, key, settings.pause)
        self._live: dict[str, Mailbox] = {}
        self._loading: dict[str, asyncio.Task[Mailbox]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Begin to pick up every table where it was, bots' turns included; what is asked for comes first."""
        unfinished = await self.store.unfinished()
        self._tasks = [
            asyncio.create_task(self._pick_up(unfinished), name="picking up"),
            asyncio.create_task(self._sweep(), name="sweeping"),
        ]

    async def close(self) -> None:
        """End every task; the tables stay in the store."""
        for task in (*self._tasks, *self._loading.values()):
            task.cancel()
        await asyncio.gather(*self._tasks, *self._loading.values(), return_exceptions=True)
        for mailbox in self._live.values():
            mailbox.stop()
        self._live.clear()

    def __len__(self) -> int:
        return len(self._live)

    async def table(self, table: str) -> Mailbox:
        """Find a table, in memory or in the store. Raises `Refusal`."""
        if mailbox := self._live.get(table):
            mailbox.used = time.monotonic()
            return mailbox
        if not links.is_table_id(table):
            raise Refusal("no_table", "there is no such table")
        loading = self._loading.get(table)
        if loading is None:
            loading = self._loading[table] = asyncio.create_task(self._load(table))
            loading.add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(loading)

    async def lay(
        self,
        rules: kd.Rules,
        seats: Sequence[Seat],
        host: str,
        *,
        dynasty: Literal["total", "best"] | None = None,
        seconds: int | None = None,
        public: bool = False,
    ) -> Mailbox:
        """Lay a new table; the first game begins at once when no seat is free. Raises `Refusal`."""
        if len(self._live) >= self.settings.max_tables:
            raise Refusal("too_many_tables", "all tables of this house are taken; try again later")
        users = {str(seat): entry.user for seat, entry in enumerate(seats) if entry.user is not None}
        waiting = any(seat.is_free for seat in seats)
        secret = {"host": host, "users": users, "code": await self._free_code() if waiting else None}
        story = Story(State(links.new_table_id()), now())
        story.create(created(rules, dynasty, seconds, public, seats), secret)
        await self.store.append(story.entries, shelf(story.state))
        return self._enter(story.state)

    async def _free_code(self) -> str:
        """Make up three words that no waiting table goes by."""
        for _ in range(_CODES_TRIED):
            if await self.store.by_code(code := new_code()) is None:
                return code
        raise RuntimeError("no free code was found")

    async def _pick_up(self, tables: Sequence[str]) -> None:
        for table in tables:
            try:
                await self.table(table)
            except Exception:  # one damaged table must not keep the others from going on
                _log.exception("a table could not be picked up", extra={"table": table})

    async def _load(self, table: str) -> Mailbox:
        entries = await self.store.entries(table, secrets=True)
        if not entries:
            raise Refusal("no_table", "there is no such table")
        state = State(table)
        for entry in entries:
            state.apply(json.loads(entry.body), json.loads(entry.secret) if entry.secret else None)
        return self._enter(state)

    def _enter(self, state: State) -> Mailbox:
        mailbox = self._live[state.id] = Mailbox(state, self._services)
        return mailbox

    async def _sweep(self) -> None:
        """Put tables away that nobody has looked at for a while."""
        while True:
            await asyncio.sleep(_SWEEP)
            horizon = time.monotonic() - self.settings.idle
            for table, mailbox in list(self._live.items()):
                if mailbox.is_quiet and mailbox.used < horizon:
                    mailbox.stop()
                    del self._live[table]
