"""`Store`: writes the logs of all tables and reads them again."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, Update, bindparam, delete, insert, select, update
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

from kingdomino.server.storage import schema
from kingdomino.server.storage.archive import ENDED, Archive, Entry, lock
from kingdomino.server.storage.connecting import StorageError, Unreachable, parse, reason
from kingdomino.server.storage.database import Database
from kingdomino.server.storage.history import History, Result
from kingdomino.server.storage.identities import Identities
from kingdomino.server.storage.news import Receiver, Sender, answers
from kingdomino.server.storage.sessions import Sessions
from kingdomino.server.telemetry import Telemetry

__all__ = ["Conflict", "Entry", "StorageError", "Store", "TableRow"]

_log = logging.getLogger(__name__)
_DRIVERS: Final = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+psycopg"}
_RETRY: Final = 2.0
"""Delay before connecting again to a database that is away, in seconds."""
_REFUSALS: Final = 2
"""Refused connections in a row until we give up opening a store."""
_BATCH: Final = 256
"""Appends in one transaction. More would delay the first of them."""
_SERVER: Final = "server"
"""The name of the servers' heartbeat."""
_TABLES: Final = schema.tables.c
_LAST_HEARTBEAT: Final = (
    select(schema.heartbeats.c.at).where(schema.heartbeats.c.name == _SERVER).with_for_update()
)
_FREE_SEAT: Final = delete(schema.seats).where(
    schema.seats.c.table_id == bindparam("of_table"), schema.seats.c.seat == bindparam("of_seat")
)
_REWRITE: Final = (
    update(schema.events)
    .where(
        schema.events.c.table_id == bindparam("of_table"), schema.events.c.number == bindparam("of_number")
    )
    .values(body=bindparam("new_body"), secret=bindparam("new_secret"))
)


class Conflict(StorageError):  # noqa: N818  (expected with several processes, not a failure)
    """The table's log already has this number or this ply. Nothing was written."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """The stored summary of a table; reading it does not replay the log.

    Attributes:
        id: the table's.
        state: ``waiting``, ``drawing``, ``playing``, ``between``, ``over`` or ``closed``.
        public: whether the lobby lists it.
        updated: milliseconds since 1970.
        due: when the server must look at the table, in milliseconds since 1970; `None`: never.
        summary: JSON text, opaque to the store.
        code: four words, while the table waits.
        users: the seats and user ids of the people.
    """

    id: str
    state: str
    public: bool
    updated: int
    due: int | None
    summary: str
    code: str | None = field(repr=False)
    users: tuple[tuple[int, str], ...] = field(repr=False)


class _Append(NamedTuple):
    entries: tuple[Entry, ...]
    row: TableRow
    reseats: bool
    results: tuple[Result, ...]
    message: str | None
    done: asyncio.Future[None]
    at: float


class Store:
    """All tables' logs, the users' names and games, and the server's key. Made by `Store.open`.

    Attributes:
        is_shared: whether other processes may serve the same database.
        history: the games that the users have played.
        identities: the users' links and passkeys, and the tables that mention them.
        sessions: the keys of cookies, and the users whose cookies are revoked.
        archive: the logs of tables that are over.
    """

    def __init__(self, url: URL, telemetry: Telemetry) -> None:
        self._telemetry = telemetry
        self._database = database = Database(url, telemetry)
        self.is_shared = database.is_shared
        self._set_table, self._set_seat, self._set_user, self._set_heartbeat, self._set_settings = map(
            database.upsert,
            (schema.tables, schema.seats, schema.users, schema.heartbeats, schema.settings),
        )
        self._make_key = database.insert(schema.keys).on_conflict_do_nothing()
        self._add_user_table = database.insert(schema.user_tables).on_conflict_do_nothing()
        self.identities = Identities(database)
        self.sessions = Sessions(database)
        self.history = History(database)
        self.archive = Archive(database)
        self._queue: asyncio.Queue[_Append | None] = asyncio.Queue()
        self._batch: list[_Append] = []
        self._task: asyncio.Task[None] | None = None
        self._receiver: Receiver | None = None
        self._sender: Sender | None = None

    @classmethod
    async def open(cls, url: str, *, waits: bool = False, telemetry: Telemetry | None = None) -> Store:
        """Open a database; create it, or migrate it to the newest schema, if necessary.

        ``url`` is ``sqlite:///FILE`` or ``postgresql://USER:PASSWORD@HOST/DATABASE``. With ``waits``, wait for an
        unreachable database, unless it answers and refuses twice, for example because of a wrong password. Raises
        `StorageError`.
        """
        has_warned, refusals = False, 0
        while True:
            try:
                return await cls._open(url, telemetry or Telemetry())
            except Unreachable as error:
                refusals = refusals + 1 if await asyncio.to_thread(answers, url) else 0
                if not waits or refusals == _REFUSALS:
                    raise
                if not (has_warned or refusals):
                    _log.warning("%s; waiting for it", error)
                    has_warned = True
            await asyncio.sleep(_RETRY)

    @classmethod
    async def _open(cls, url: str, telemetry: Telemetry) -> Store:
        parsed = parse(url, _DRIVERS)
        store = cls(parsed, telemetry)
        await store._database.open()
        if store.is_shared:
            store._sender = Sender(parsed)
        store._task = asyncio.create_task(store._write(), name="store")
        return store

    async def close(self) -> None:
        """Write the queued appends, then close the database. A later append raises `StorageError`."""
        if self._receiver is not None:
            await self._receiver.stop()
        if self._task is not None:
            task, self._task = self._task, None
            self._queue.put_nowait(None)
            await task
            if self._sender is not None:
                await self._sender.close()
            await self._database.dispose()

    def backlog(self) -> tuple[int, float]:
        """Return how many appends wait to be committed, and the seconds for which the oldest has waited."""
        batch = self._batch  # this may run in another thread
        if not batch:
            return self._queue.qsize(), 0.0
        return len(batch) + self._queue.qsize(), time.monotonic() - batch[0].at

    async def append(
        self,
        entries: Sequence[Entry],
        row: TableRow,
        reseats: bool = True,
        results: Sequence[Result] = (),
        message: str | None = None,
    ) -> None:
        """Add to the log of the table ``row.id``, all or nothing. The entries are durable when this returns.

        Without ``reseats`` the row must have the same users as before: comparing them would take a third of a move's
        time. ``results`` are added to the lists of games. Afterwards all processes get the ``message`` (see `listen`).
        The entries are written even if the caller is cancelled while it waits. Raises `Conflict` if the log already has
        a number or a ply, and `StorageError` if the database fails. Nothing was written then, unless the connection
        broke just as the database confirmed; only the log shows which.
        """
        if self._task is None:
            raise StorageError(f"{self._database.name} is closed")
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        append = _Append(tuple(entries), row, reseats, tuple(results), message, done, time.monotonic())
        with self._telemetry.traces.span("commit", table=row.id, events=len(append.entries)):
            self._queue.put_nowait(append)
            await done
        for entry in append.entries:
            self._telemetry.metrics.events.labels(entry.kind).inc()

    async def listen(self, hear: Callable[[str], None], missed: Callable[[], None]) -> None:
        """Call ``hear`` with every message of any process (this one, too), until the store is closed.

        ``missed`` is called after a gap in which messages may have been lost. Does nothing if the database is not
        shared.
        """
        if self.is_shared:
            self._receiver = Receiver(self._database.url, hear, missed)
            await self._receiver.ready()

    async def tell(self, messages: Sequence[str]) -> None:
        """Send messages to all processes that listen, in this order: at most 8,000 bytes each.

        Raises `StorageError`; then they may be lost.
        """
        if self._sender is not None and messages:
            await self._sender.send(messages)

    async def rewrite(
        self, table: str, change: Callable[[Sequence[Entry]], Iterable[Entry]], old: str, new: str | None
    ) -> None:
        """Change entries of a log so that they name the user ``new`` (or no one) instead of ``old``.

        ``change`` gets the log with its secrets and returns the changed entries. The log is locked meanwhile: two users
        may be deleted at once.
        """
        known = schema.user_tables.c

        async def work(connection: AsyncConnection) -> None:
            await lock(connection, table)
            entries = list(change(await self.entries(table, secrets=True, within=connection)))
            if entries:
                await connection.execute(_REWRITE, [_rewritten(table, entry) for entry in entries])
                await self.archive.replace(connection, table, entries)
            await connection.execute(
                delete(schema.user_tables).where(known.user_id == old, known.table_id == table)
            )
            if new is not None:
                await connection.execute(self._add_user_table, {"user_id": new, "table_id": table})

        await self._database.transact(work)

    async def correct(self, table: str, number: int, results: Sequence[Result]) -> bool:
        """Update the results of a table where they are still in a list, and return true.

        Return false, and change nothing, if the log has entries after ``number``, from which they were computed.
        """

        async def work(connection: AsyncConnection) -> bool:
            if not await self._ends(connection, table, number):
                return False
            await self.history.correct(connection, results)
            return True

        return await self._database.transact(work)

    async def entries(
        self,
        table: str,
        after: int = 0,
        limit: int | None = None,
        secrets: bool = False,
        kinds: Sequence[str] | None = None,
        within: AsyncConnection | None = None,
    ) -> list[Entry]:
        """Return a table's log from after the entry ``after``, in order, with its secrets only on request.

        ``kinds`` selects kinds of entries. ``within`` is the connection of a transaction.
        """
        columns = schema.events.c
        secret = (columns.secret,) if secrets else ()
        query = (
            select(columns.number, columns.ply, columns.at, columns.kind, columns.body, *secret)
            .where(columns.table_id == table, columns.number > after)
            .order_by(columns.number)
            .limit(limit)
        )
        if kinds is not None:
            query = query.where(columns.kind.in_(kinds))
        async with nullcontext(within) if within is not None else self._database.reading() as connection:
            found = [Entry(*row) for row in await connection.execute(query)]
            if found and found[0].number == after + 1:
                return found
            archived = await self.archive.read(connection, table, after)
        chosen = [entry for entry in archived if kinds is None or entry.kind in kinds]
        if not secrets:
            chosen = [replace(entry, secret=None) for entry in chosen]
        return [*chosen, *found][:limit]

    async def _ends(self, connection: AsyncConnection, table: str, number: int) -> bool:
        """Lock a table, and return whether its log ends with this entry."""
        await lock(connection, table)
        return not await self.entries(table, number, limit=1, within=connection)

    async def table(self, table: str) -> TableRow | None:
        """Find a table by its id."""
        return await self._first(select(schema.tables).where(_TABLES.id == table))

    async def by_code(self, code: str) -> TableRow | None:
        """Find a table by its code; the newest if there are two."""
        return await self._first(_newest(select(schema.tables).where(_TABLES.code == code), 1))

    async def due(self, now: int, limit: int) -> list[str]:
        """Return the ids of the tables that are due, the most overdue first."""
        query = select(_TABLES.id).where(_TABLES.due <= now).order_by(_TABLES.due, _TABLES.id).limit(limit)
        return await self._database.scalars(query)

    async def set_due(self, table: str, due: int | None, number: int | None = None) -> bool:
        """Set when a table is due, and return true.

        With a ``number``, return false and change nothing if the log has later entries, which have set another time.
        """

        async def work(connection: AsyncConnection) -> bool:
            if number is not None and not await self._ends(connection, table, number):
                return False
            await connection.execute(update(schema.tables).where(_TABLES.id == table).values(due=due))
            return True

        return await self._database.transact(work)

    async def heartbeat(self, at: int) -> None:
        """Record that a server runs."""
        await self._database.execute(self._set_heartbeat, {"name": _SERVER, "at": at})

    async def try_writing(self, at: int) -> None:
        """Write an unused row. Raises `StorageError`."""
        await self._database.execute(self._set_heartbeat, {"name": "ready", "at": at})

    async def resume(self, now: int, outage: int) -> None:
        """Record that a server runs, and postpone all tables' due times by the time in which no server ran.

        Ignore a gap of at most ``outage`` milliseconds, because another server may record its heartbeat less often.
        """

        async def work(connection: AsyncConnection) -> None:
            gap = now - (await connection.scalar(_LAST_HEARTBEAT) or now)
            if abs(gap) > outage:
                await connection.execute(_postponed(gap))
            await connection.execute(self._set_heartbeat, {"name": _SERVER, "at": now})

        await self._database.transact(work)

    async def follow_jump(self, now: int, jump: int) -> None:
        """Record that a server runs, and shift all tables' due times by a jump of the system's clock.

        Every server of a machine notices the jump, but only the first shifts the times. The others find its heartbeat,
        which is nearer to ``now`` than to ``now - jump``.
        """

        async def work(connection: AsyncConnection) -> None:
            last = await connection.scalar(_LAST_HEARTBEAT) or now
            if abs(last - (now - jump)) < abs(last - now):
                await connection.execute(_postponed(jump))
            await connection.execute(self._set_heartbeat, {"name": _SERVER, "at": now})

        await self._database.transact(work)

    async def public(self, states: Sequence[str], since: int, limit: int, skip: int = 0) -> list[TableRow]:
        """Return the public tables in one of these states that have changed since then, latest first.

        Skip the first ``skip`` of them.
        """
        these = (_TABLES.public, _TABLES.state.in_(states), _TABLES.updated >= since)
        return await self._rows(_newest(select(schema.tables).where(*these), limit).offset(skip))

    async def unfinished(self, tables: Sequence[str]) -> set[str]:
        """Return which of these tables are unfinished."""
        if not tables:
            return set()
        is_over = _TABLES.state.in_(ENDED)
        query = select(_TABLES.id).where(_TABLES.id.in_(tables), ~is_over)
        return set(await self._database.scalars(query))

    async def of_user(self, user: str, limit: int, states: Sequence[str] | None = None) -> list[TableRow]:
        """Return the tables (in one of these states) where this user has a seat, last changed first."""
        theirs = select(schema.seats.c.table_id).where(schema.seats.c.user_id == user)
        query = select(schema.tables).where(_TABLES.id.in_(theirs))
        return await self._rows(
            _newest(query if states is None else query.where(_TABLES.state.in_(states)), limit)
        )

    async def user(self, user: str) -> str | None:
        """Return a user's name."""
        return await self._database.scalar(select(schema.users.c.name).where(schema.users.c.id == user))

    async def name_user(self, user: str, name: str) -> None:
        """Set a user's name."""
        await self._database.execute(self._set_user, {"id": user, "name": name})

    async def settings(self, user: str) -> str | None:
        """Return a user's settings: JSON text, opaque to the store."""
        query = select(schema.settings.c.body).where(schema.settings.c.user_id == user)
        return await self._database.scalar(query)

    async def set_settings(self, user: str, body: str) -> None:
        """Replace a user's settings."""
        await self._database.execute(self._set_settings, {"user_id": user, "body": body})

    async def table_key(self, since: int = 0) -> bytes:
        """Return the key for the secrets of tables: 32 random bytes, created once for each database.

        Each value of ``since`` has its own key, which replaces all earlier ones.
        """
        name = f"tables {since}" if since else "cookies"  # the key of a database also signs its first cookies
        await self._database.execute(self._make_key, {"name": name, "value": secrets.token_bytes(32)})
        ((key,),) = await self._database.rows(select(schema.keys.c.value).where(schema.keys.c.name == name))
        return bytes(key)

    # Reading.

    async def _first(self, query: Select[Any]) -> TableRow | None:
        return next(iter(await self._rows(query)), None)

    async def _rows(self, query: Select[Any]) -> list[TableRow]:
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).mappings().all()
            seated = await _seated(connection, [row["id"] for row in rows]) if rows else {}
        users: dict[str, list[tuple[int, str]]] = {row["id"]: [] for row in rows}
        for (table, seat), user in seated.items():
            users[table].append((seat, user))
        return [TableRow(**row, users=tuple(users[row["id"]])) for row in rows]

    # Writing.

    async def _write(self) -> None:
        """Commit batch after batch, until `None` is queued."""
        while (first := await self._queue.get()) is not None:
            batch = [first]
            while len(batch) < _BATCH and not self._queue.empty():
                append = self._queue.get_nowait()
                if append is None:
                    self._queue.put_nowait(None)
                    break
                batch.append(append)
            self._batch = batch
            await self._commit(batch)
            self._batch = []

    async def _commit(self, batch: Sequence[_Append]) -> None:
        """Commit a batch together, or one by one if that fails. Wake the callers."""
        failure: Exception | None = None
        try:
            await self._database.attempt(lambda connection: self._insert(connection, batch))
        except Exception as error:  # later appends must still be written
            if len(batch) > 1 and not _is_outage(error):
                for append in batch:
                    await self._commit([append])
                return
            failure = error
        # Also after a failure: the connection may have broken just as the database confirmed. The processes that get a
        # message find out whether there is anything to read.
        messages = [append.message for append in batch if append.message]
        if self._sender is not None and messages:
            self._sender.post(messages)
        for append in batch:
            if append.done.done():
                continue
            if failure is None:
                append.done.set_result(None)
            else:
                append.done.set_exception(self._failure(append, failure))

    async def _insert(self, connection: AsyncConnection, batch: Iterable[_Append]) -> None:
        rows = {append.row.id: append.row for append in batch}  # the last one of each table
        await connection.execute(
            self._set_table, [schema.values(schema.tables, row) for _, row in sorted(rows.items())]
        )
        if reseated := {append.row.id for append in batch if append.reseats}:
            await self._reseat(connection, [rows[table] for table in reseated])
        if entries := [_event(append.row.id, entry) for append in batch for entry in append.entries]:
            await connection.execute(insert(schema.events), entries)
        named = {
            (user, append.row.id) for append in batch for entry in append.entries for user in entry.users
        }
        if named:
            rows_of_users = [{"user_id": user, "table_id": table} for user, table in sorted(named)]
            await connection.execute(self._add_user_table, rows_of_users)
        await self.history.add(connection, [result for append in batch for result in append.results])

    async def _reseat(self, connection: AsyncConnection, rows: Sequence[TableRow]) -> None:
        """Update the seats of these tables from their rows."""
        seated = await _seated(connection, [row.id for row in rows])
        wanted = {(row.id, seat): user for row in rows for seat, user in row.users}
        if changed := [key for key, user in wanted.items() if seated.get(key) != user]:
            inserted = [{"table_id": key[0], "seat": key[1], "user_id": wanted[key]} for key in changed]
            await connection.execute(self._set_seat, inserted)
        if freed := seated.keys() - wanted.keys():
            await connection.execute(_FREE_SEAT, [{"of_table": key[0], "of_seat": key[1]} for key in freed])

    def _failure(self, append: _Append, error: Exception) -> StorageError:
        if isinstance(error, IntegrityError):
            failure: StorageError = Conflict(f"{append.row.id}: this number or this ply is taken")
        else:
            failure = StorageError(f"{self._database.name}: {reason(error)}")
        failure.__cause__ = error
        return failure


def _is_outage(error: Exception) -> bool:
    """Return whether the database failed, rather than the rows that were to be written."""
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    return isinstance(error, OperationalError | InterfaceError | OSError | TimeoutError)


def _postponed(ms: int) -> Update:
    return update(schema.tables).where(_TABLES.due.is_not(None)).values(due=_TABLES.due + ms)


def _newest(query: Select[Any], limit: int | None = None) -> Select[Any]:
    return query.order_by(_TABLES.updated.desc(), _TABLES.id).limit(limit)


async def _seated(connection: AsyncConnection, tables: Sequence[str]) -> dict[tuple[str, int], str]:
    """Return the users of the seats at these tables."""
    columns = schema.seats.c
    query = select(schema.seats).where(columns.table_id.in_(tables)).order_by(columns.seat)
    return {(row.table_id, row.seat): row.user_id for row in await connection.execute(query)}


def _event(table: str, entry: Entry) -> dict[str, object]:
    return {
        "table_id": table,
        "number": entry.number,
        "ply": entry.ply,
        "at": entry.at,
        "kind": entry.kind,
        "body": entry.body,
        "secret": entry.secret,
    }


def _rewritten(table: str, entry: Entry) -> dict[str, object]:
    return {"of_table": table, "of_number": entry.number, "new_body": entry.body, "new_secret": entry.secret}
