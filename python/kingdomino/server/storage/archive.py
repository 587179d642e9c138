"""`Archive`: the logs of tables that are over, each in one row, and the deletion of old tables."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from sqlalchemy import Select, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from kingdomino.server.storage import schema
from kingdomino.server.storage.history import Reading, Transact, Upsert

__all__ = ["Archive", "Entry", "Packing"]

_EVENTS, _ARCHIVES, _TABLES = schema.events.c, schema.archives.c, schema.tables.c
_ENDED: Final = ("over", "closed")
_UNPACKED: Final = 32
"""Logs that are remembered as they were unpacked last, since clients read a log in parts."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of a table's log.

    Attributes:
        number: its place in the log, from 1.
        ply: the decision, if it is one; unique in the table.
        at: milliseconds since 1970.
        kind: the event's kind.
        body: the event as JSON text, exactly as clients get it.
        secret: JSON text that never leaves the server. It is in no repr.
        users: the ids of the users in the secret; not read back.
    """

    number: int
    ply: int | None
    at: int
    kind: str
    body: str
    secret: str | None = field(default=None, repr=False)
    users: tuple[str, ...] = field(default=(), repr=False, compare=False)


class Packing(NamedTuple):
    """How the log of a table is written in one row. ``unpack`` gives the same log; both take the table's id first."""

    pack: Callable[[str, Sequence[Entry]], bytes]
    unpack: Callable[[str, bytes], list[Entry]]


class Archive:
    """Packs logs and reads them again. Made by `Store`, with its connections."""

    def __init__(self, reading: Reading, transact: Transact, upsert: Upsert, packing: Packing) -> None:
        self._reading, self._transact, self._pack = reading, transact, packing.pack
        self._unpack = lru_cache(maxsize=_UNPACKED)(packing.unpack)
        statement = upsert(schema.archives)
        values = {name: statement.excluded[name] for name in ("number", "body")}
        self._set = statement.on_conflict_do_update(index_elements=["table_id"], set_=values)

    async def read(self, connection: AsyncConnection, table: str, after: int = 0) -> list[Entry]:
        """Give the part of a log that is packed, from after the entry ``after``, with its secrets."""
        query = select(_ARCHIVES.body).where(_ARCHIVES.table_id == table, _ARCHIVES.number > after)
        body = await connection.scalar(query)
        if body is None:
            return []
        entries = await asyncio.to_thread(self._unpack, table, body)
        return entries[after:]

    async def compact(self, table: str) -> bool:
        """Pack a log. Gives false, and changes nothing, if it changes in the meantime."""
        async with self._reading() as connection:
            rows = await _rows(connection, table)
            packed = await self.read(connection, table)
        if not rows:
            return False
        entries = [*packed, *rows]
        body = await asyncio.to_thread(self._pack, table, entries)

        async def work(connection: AsyncConnection) -> bool:
            await lock(connection, table)
            if await _rows(connection, table) != rows or await self.read(connection, table) != packed:
                return False
            row = {"table_id": table, "number": entries[-1].number, "body": body}
            await connection.execute(self._set, row)
            await connection.execute(delete(schema.events).where(_EVENTS.table_id == table))
            return True

        return bool(await self._transact(work))

    async def replace(self, connection: AsyncConnection, table: str, changed: Sequence[Entry]) -> None:
        """Change entries of a log that are packed, within a transaction that has locked the table."""
        packed = await self.read(connection, table)
        new = {entry.number: entry for entry in changed if entry.number <= len(packed)}
        if not new:
            return
        entries = [new.get(entry.number, entry) for entry in packed]
        body = await asyncio.to_thread(self._pack, table, entries)
        row = {"table_id": table, "number": len(entries), "body": body}
        await connection.execute(self._set, row)

    async def to_compact(self, before: int, limit: int, after: str = "") -> list[str]:
        """Give the ids, after this one, of tables that ended before a time and whose logs are not packed wholly."""
        has_rows = select(_EVENTS.number).where(_EVENTS.table_id == _TABLES.id).exists()
        return await self._ids(_ended(before).where(has_rows, _TABLES.id > after), limit)

    async def ended(self, before: int, limit: int) -> list[str]:
        """Give the ids of tables that ended before a time."""
        return await self._ids(_ended(before), limit)

    async def delete(self, table: str) -> None:
        """Delete a table: its log, its reviews, and its line in the lists of its players."""
        results, reviews = schema.results.c, schema.reviews.c

        async def work(connection: AsyncConnection) -> None:
            await lock(connection, table)
            for column in (_EVENTS.table_id, _ARCHIVES.table_id, schema.seats.c.table_id):
                await connection.execute(delete(column.table).where(column == table))
            await connection.execute(delete(schema.user_tables).where(schema.user_tables.c.table_id == table))
            mine = (results.game_id == table, ~results.imported)
            await connection.execute(delete(schema.results).where(*mine))
            await connection.execute(delete(schema.reviews).where(reviews.game_id == table))
            await connection.execute(delete(schema.tables).where(_TABLES.id == table))

        await self._transact(work)

    async def _ids(self, query: Select[tuple[str]], limit: int) -> list[str]:
        async with self._reading() as connection:
            return list(await connection.scalars(query.order_by(_TABLES.id).limit(limit)))


async def lock(connection: AsyncConnection, table: str) -> None:
    """Let no other transaction change the table until this one ends."""
    await connection.execute(select(_TABLES.id).where(_TABLES.id == table).with_for_update())


async def _rows(connection: AsyncConnection, table: str) -> list[Entry]:
    columns = (_EVENTS.number, _EVENTS.ply, _EVENTS.at, _EVENTS.kind, _EVENTS.body, _EVENTS.secret)
    query = select(*columns).where(_EVENTS.table_id == table).order_by(_EVENTS.number)
    return [Entry(*row) for row in await connection.execute(query)]


def _ended(before: int) -> Select[tuple[str]]:
    return select(_TABLES.id).where(_TABLES.state.in_(_ENDED), _TABLES.updated < before)
