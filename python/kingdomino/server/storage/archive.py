"""`Archive`: the logs of tables that are over, each compressed in one row, and the deletion of old tables."""

from __future__ import annotations

import asyncio
import bz2
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from kingdomino.server.storage import schema
from kingdomino.server.storage.database import Database

__all__ = ["Archive", "Entry"]

_EVENTS, _ARCHIVES, _TABLES = schema.events.c, schema.archives.c, schema.tables.c
ENDED: Final = ("over", "closed")
"""The states of tables that have ended."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of a table's log.

    Attributes:
        number: its place in the log, from 1.
        ply: the decision, if it is one; unique in the table. Only written, never read back.
        at: milliseconds since 1970.
        kind: the event's kind.
        body: the event as JSON text, exactly as clients get it, including ``number``, ``at`` and ``kind``.
        secret: JSON text that never leaves the server. The repr omits it.
        users: the ids of the users in the secret. Only written, never read back.
    """

    number: int
    ply: int | None = field(compare=False)
    at: int
    kind: str
    body: str
    secret: str | None = field(default=None, repr=False)
    users: tuple[str, ...] = field(default=(), repr=False, compare=False)


class Archive:
    """Compresses logs and reads them again."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._set = database.upsert(schema.archives)

    async def read(self, connection: AsyncConnection, table: str, after: int = 0) -> list[Entry]:
        """Return the archived entries of a log after the entry ``after``, with their secrets."""
        query = select(_ARCHIVES.body).where(_ARCHIVES.table_id == table, _ARCHIVES.number > after)
        body = await connection.scalar(query)
        entries = [] if body is None else await asyncio.to_thread(_unpacked, body)
        return [entry for entry in entries if entry.number > after]

    async def compact(self, table: str) -> bool:
        """Compress the rows of a log into one. Return whether it had any."""

        async def work(connection: AsyncConnection) -> bool:
            await lock(connection, table)
            query = select(_EVENTS.body, _EVENTS.secret).where(_EVENTS.table_id == table)
            added = [_entry(*row) for row in await connection.execute(query.order_by(_EVENTS.number))]
            if not added:
                return False
            await self._write(connection, table, [*await self.read(connection, table), *added])
            await connection.execute(delete(schema.events).where(_EVENTS.table_id == table))
            return True

        return await self._database.transact(work)

    async def replace(self, connection: AsyncConnection, table: str, changed: Sequence[Entry]) -> None:
        """Change archived entries of a log, within a transaction that has locked the table."""
        entries = await self.read(connection, table)
        new = {entry.number: entry for entry in changed}
        if any(entry.number in new for entry in entries):
            await self._write(connection, table, [new.get(entry.number, entry) for entry in entries])

    async def ended(self, before: int, limit: int, after: str = "", *where: ColumnElement[bool]) -> list[str]:
        """Return the ids of tables that ended before a time, sorted, starting after this id."""
        these = (_TABLES.state.in_(ENDED), _TABLES.updated < before, _TABLES.id > after, *where)
        query = select(_TABLES.id).where(*these).order_by(_TABLES.id).limit(limit)
        return await self._database.scalars(query)

    async def to_compact(self, before: int, limit: int, after: str = "") -> list[str]:
        """Like `ended`, for tables whose log is not compressed yet."""
        return await self.ended(
            before, limit, after, select(_EVENTS.number).where(_EVENTS.table_id == _TABLES.id).exists()
        )

    async def delete(self, table: str) -> None:
        """Delete a table with its log, also from its players' lists."""
        results = schema.results.c

        async def work(connection: AsyncConnection) -> None:
            await lock(connection, table)
            for column in (_EVENTS.table_id, _ARCHIVES.table_id, schema.seats.c.table_id):
                await connection.execute(delete(column.table).where(column == table))
            await connection.execute(delete(schema.user_tables).where(schema.user_tables.c.table_id == table))
            mine = (results.game_id == table, ~results.imported)
            await connection.execute(delete(schema.results).where(*mine))
            await connection.execute(delete(schema.tables).where(_TABLES.id == table))

        await self._database.transact(work)

    async def _write(self, connection: AsyncConnection, table: str, entries: Sequence[Entry]) -> None:
        body = await asyncio.to_thread(_packed, entries)
        await connection.execute(self._set, {"table_id": table, "number": entries[-1].number, "body": body})


async def lock(connection: AsyncConnection, table: str) -> None:
    """Lock a table until the transaction ends."""
    await connection.execute(select(_TABLES.id).where(_TABLES.id == table).with_for_update())


def _packed(entries: Sequence[Entry]) -> bytes:
    """Compress a log: its bodies and secrets, from which everything else follows."""
    rows = [(entry.body, entry.secret) for entry in entries]
    return bz2.compress(json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode())


def _unpacked(packed: bytes) -> list[Entry]:
    return [_entry(*row) for row in json.loads(bz2.decompress(packed))]


def _entry(body: str, secret: str | None) -> Entry:
    event = json.loads(body)
    return Entry(event["number"], None, event["at"], event["kind"], body, secret)
