"""`Store`: writes the logs of all tables and reads them again."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from sqlalchemy import (
    Executable,
    Row,
    Select,
    Table,
    Update,
    bindparam,
    delete,
    event,
    insert,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from kingdomino.server.storage import migrate, schema
from kingdomino.server.storage.archive import Archive, Entry, lock
from kingdomino.server.storage.connecting import (
    ALONE,
    LOCK_WAIT,
    Away,
    StorageError,
    as_we_use_it,
    make_file,
    parse,
    raise_open,
    reason,
)
from kingdomino.server.storage.files import OpenFiles
from kingdomino.server.storage.history import History, Result
from kingdomino.server.storage.identities import Identities
from kingdomino.server.storage.news import News, Sender, answers, limits_of
from kingdomino.server.storage.reviews import Reviews
from kingdomino.server.storage.sessions import Sessions
from kingdomino.server.telemetry import Telemetry

__all__ = ["Conflict", "Entry", "StorageError", "Store", "TableRow"]

_log = logging.getLogger(__name__)
_DRIVERS: Final = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+psycopg"}
_T = TypeVar("_T")
_Insert: TypeAlias = sqlite.Insert | postgresql.Insert
_UPSERTS: Final[dict[str, Callable[[Table], _Insert]]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}
_RETRY: Final = 2.0  # seconds until a database that is away is tried again
_REFUSALS: Final = 2
_READERS: Final = 4  # connections
_BATCH: Final = 256  # appends in one transaction; more would delay the first of them
_SERVER: Final = "server"  # the name of its heartbeat
_DEADLOCKS: Final = ("40001", "40P01")  # PostgreSQL's states
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


class Conflict(StorageError):  # noqa: N818  (the answer to a second submission, not a failure)
    """The table's log already has this number or this ply. Nothing was written."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """What is stored to find a table without replaying it.

    Attributes:
        id: the table's.
        state: ``waiting``, ``drawing``, ``playing``, ``between``, ``over`` or ``closed``.
        public: whether the lobby shows it.
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
        history: the games that the users have played.
        reviews: what the decisions of finished games cost.
        identities: the users' links and passkeys, and the tables that know them.
        sessions: the keys of cookies, and those that are worth nothing.
        archive: the logs of tables that are over.
    """

    def __init__(self, url: URL, telemetry: Telemetry) -> None:
        self._telemetry = telemetry
        backend = url.get_backend_name()
        self._url = url
        self._name = url.set(drivername=backend).render_as_string(hide_password=True)
        upsert = _UPSERTS[backend]
        self._set_table, self._set_seat, self._set_user, self._set_heartbeat, self._set_settings = (
            _setting(upsert, table)
            for table in (schema.tables, schema.seats, schema.users, schema.heartbeats, schema.settings)
        )
        self._make_key = upsert(schema.keys).on_conflict_do_nothing()
        self._add_user_table = upsert(schema.user_tables).on_conflict_do_nothing()
        self.identities = Identities(self._reading, self._transact)
        self.sessions = Sessions(self._reading, self._transact)
        self.history = History(self._reading, self._transact, upsert)
        self.reviews = Reviews(self._reading, self._transact, upsert)
        self.archive = Archive(self._reading, self._transact, upsert)
        self._writer = _engine(url, connections=1, writes=True)
        self._reader = _engine(url, connections=_READERS, writes=False)
        self._files: OpenFiles | None = None
        for engine in (self._writer, self._reader):  # opening what is not there would create it
            event.listen(engine.sync_engine, "do_connect", lambda *_: self._check_files())
        self._queue: asyncio.Queue[_Append | None] = asyncio.Queue()
        self._batch: list[_Append] = []
        self._task: asyncio.Task[None] | None = None
        self._news: News | None = None
        self._sender: Sender | None = None

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        waits: bool = False,
        telemetry: Telemetry | None = None,
    ) -> Store:
        """Open a database; create it, or migrate it to the newest schema, if necessary.

        ``url`` is ``sqlite:///FILE`` or ``postgresql://USER:PASSWORD@HOST/DATABASE``. With ``waits`` it waits for a
        database that is away, but not for one that answers and refuses twice, as it does a wrong password. Raises
        `StorageError`.
        """
        is_told, refusals = False, 0
        while True:
            try:
                return await cls._open(url, telemetry or Telemetry())
            except Away as away:
                refusals = refusals + 1 if await asyncio.to_thread(answers, url) else 0
                if not waits or refusals == _REFUSALS:
                    raise
                if not (is_told or refusals):
                    _log.warning("%s; waiting for it", away)
                    is_told = True
            await asyncio.sleep(_RETRY)

    @classmethod
    async def _open(cls, url: str, telemetry: Telemetry) -> Store:
        parsed = parse(url, _DRIVERS)
        if parsed.get_backend_name() == "sqlite":
            make_file(parsed)
        store = cls(parsed, telemetry)
        try:
            async with store._writer.begin() as connection:
                if store.is_shared:
                    await connection.execute(ALONE)
                await connection.run_sync(migrate.upgrade)
            if store.is_shared:
                store._sender = Sender(parsed)
            else:
                store._files = OpenFiles(Path(parsed.database or ""))
        except BaseException as error:  # also if it is cancelled
            await store._dispose()
            raise_open(store._name, error)
        store._task = asyncio.create_task(store._write(), name="store")
        return store

    async def close(self) -> None:
        """Write what is queued, then close the database. A later append raises `StorageError`."""
        if self._news is not None:
            await self._news.stop()
        if self._task is not None:
            task, self._task = self._task, None
            self._queue.put_nowait(None)
            await task
            if self._sender is not None:
                await self._sender.close()
            await self._dispose()

    def backlog(self) -> tuple[int, float]:
        """Say how many appends wait to be committed, and for how many seconds the oldest of them has."""
        batch = self._batch  # another thread may ask
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
        """Add to the log of the table ``row.id``, all or nothing; it is durable when this returns.

        Without ``reseats`` the row must have the same users as before: comparing them would take a third of a move's
        time. ``results`` are added to the lists of games. ``message`` is told to all processes (see `listen`) after
        that. A caller that is cancelled while it waits has its entries written nonetheless. Raises `Conflict` if a
        number or a ply is in the log already, and `StorageError` if the database fails. Nothing was written then,
        unless the connection broke just as the database confirmed; only reading the log tells.
        """
        if self._task is None:
            raise StorageError(f"{self._name} is closed")
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        append = _Append(tuple(entries), row, reseats, tuple(results), message, done, time.monotonic())
        with self._telemetry.traces.span("commit", table=row.id, events=len(append.entries)):
            self._queue.put_nowait(append)
            await done
        for entry in append.entries:
            self._telemetry.metrics.events.labels(entry.kind).inc()

    @property
    def is_shared(self) -> bool:
        """Whether other processes may serve the same database."""
        return self._url.get_backend_name() == "postgresql"

    async def listen(self, hear: Callable[[str], None], missed: Callable[[], None]) -> None:
        """Call ``hear`` with what any process tells from now on (this one, too), until the store is closed.

        ``missed`` is called after a gap in which something may have been lost. Nothing if the database is not shared.
        """
        if self.is_shared:
            self._news = News(self._url, hear, missed)
            await self._news.ready()

    async def tell(self, messages: Sequence[str]) -> None:
        """Send messages to all processes that listen, in this order: at most 8,000 bytes each.

        Raises `StorageError`; then they may be lost.
        """
        if self._sender is not None and messages:
            await self._sender.send(messages)

    async def rewrite(
        self, table: str, change: Callable[[Sequence[Entry]], Iterable[Entry]], old: str, new: str | None
    ) -> None:
        """Change entries that are in a log, so that they name the user ``new`` (or none) in place of ``old``.

        ``change`` gets the log with its secrets and gives the entries that change. Nothing else changes the log in
        the meantime: two users may be forgotten at the same time.
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

        await self._transact(work)

    async def correct(self, table: str, number: int, results: Sequence[Result]) -> bool:
        """Update the results of a table where they are still in a list.

        Gives false, and changes nothing, if the log goes on after the entry ``number``, from which they follow.
        """

        async def work(connection: AsyncConnection) -> bool:
            if not await self._ends(connection, table, number):
                return False
            await self.history.correct(connection, results)
            return True

        return await self._transact(work)

    async def entries(
        self,
        table: str,
        after: int = 0,
        limit: int | None = None,
        secrets: bool = False,
        kinds: Sequence[str] | None = None,
        within: AsyncConnection | None = None,
    ) -> list[Entry]:
        """Give a table's log from after the entry ``after``, in order (only these kinds of entries); with its secrets
        only on request. ``within`` is the connection of a transaction.
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
        async with nullcontext(within) if within is not None else self._reading() as connection:
            found = [Entry(*row) for row in await connection.execute(query)]
            if found and found[0].number == after + 1:
                return found
            packed = await self.archive.read(connection, table, after)
        chosen = [entry for entry in packed if kinds is None or entry.kind in kinds]
        if not secrets:
            chosen = [replace(entry, secret=None, users=()) for entry in chosen]
        return [*chosen, *found][:limit]

    async def _ends(self, connection: AsyncConnection, table: str, number: int) -> bool:
        """Lock a table, and say whether its log ends with this entry."""
        await lock(connection, table)
        return not await self.entries(table, number, limit=1, within=connection)

    async def table(self, table: str) -> TableRow | None:
        """Find a table by its id."""
        return await self._first(select(schema.tables).where(schema.tables.c.id == table))

    async def by_code(self, code: str) -> TableRow | None:
        """Find a table by its code; the newest if there are two."""
        return await self._first(_newest(select(schema.tables).where(schema.tables.c.code == code), 1))

    async def due(self, now: int, limit: int) -> list[str]:
        """Give the ids of the tables that are due, the longest first."""
        due = schema.tables.c.due
        query = select(schema.tables.c.id).where(due <= now).order_by(due, schema.tables.c.id).limit(limit)
        async with self._reading() as connection:
            return list(await connection.scalars(query))

    async def set_due(self, table: str, due: int | None, number: int | None = None) -> bool:
        """Set when a table is due.

        With a ``number``, gives false and changes nothing if the log goes on after that entry: what was added since
        has said when the table is due.
        """

        async def work(connection: AsyncConnection) -> bool:
            if number is not None and not await self._ends(connection, table, number):
                return False
            await connection.execute(update(schema.tables).where(schema.tables.c.id == table).values(due=due))
            return True

        return await self._transact(work)

    async def heartbeat(self, at: int) -> None:
        """Record that a server runs."""
        await self._execute(self._set_heartbeat, {"name": _SERVER, "at": at})

    async def try_writing(self, at: int) -> None:
        """Write something that has no other purpose. Raises `StorageError`."""
        await self._execute(self._set_heartbeat, {"name": "ready", "at": at})

    async def resume(self, now: int, outage: int) -> None:
        """Record that a server runs; let all tables be due later by the time in which none ran.

        A gap of at most ``outage`` milliseconds is none: another server may run, and record it less often.
        """

        async def work(connection: AsyncConnection) -> None:
            gap = now - (await connection.scalar(_LAST_HEARTBEAT) or now)
            if abs(gap) > outage:
                await connection.execute(_postponed(gap))
            await connection.execute(self._set_heartbeat, {"name": _SERVER, "at": now})

        await self._transact(work)

    async def follow_jump(self, now: int, jump: int) -> None:
        """Record that a server runs; let all tables be due later by the jump of the system's clock.

        Every server of a machine follows the jump, but the first moves the tables. The others find its heartbeat, which
        is nearer to ``now`` than to ``now - jump``.
        """

        async def work(connection: AsyncConnection) -> None:
            last = await connection.scalar(_LAST_HEARTBEAT) or now
            if abs(last - (now - jump)) < abs(last - now):
                await connection.execute(_postponed(jump))
            await connection.execute(self._set_heartbeat, {"name": _SERVER, "at": now})

        await self._transact(work)

    async def public(self, states: Sequence[str], since: int, limit: int, skip: int = 0) -> list[TableRow]:
        """Return the public tables in one of these states that have changed since then, the last first.

        ``skip``: how many of them are left out before.
        """
        tables = schema.tables.c
        these = (tables.public, tables.state.in_(states), tables.updated >= since)
        return await self._rows(_newest(select(schema.tables).where(*these), limit).offset(skip))

    async def unfinished(self, tables: Sequence[str]) -> set[str]:
        """Return which of these tables wait or are played at."""
        if not tables:
            return set()
        columns = schema.tables.c
        is_over = columns.state.in_(("over", "closed"))
        query = select(columns.id).where(columns.id.in_(tables), ~is_over)
        async with self._reading() as connection:
            return set(await connection.scalars(query))

    async def of_user(self, user: str, limit: int, states: Sequence[str] | None = None) -> list[TableRow]:
        """Give the tables (in one of these states) where this user has a seat, the newest change first."""
        tables = schema.tables.c
        theirs = select(schema.seats.c.table_id).where(schema.seats.c.user_id == user)
        query = select(schema.tables).where(tables.id.in_(theirs))
        return await self._rows(
            _newest(query if states is None else query.where(tables.state.in_(states)), limit)
        )

    async def user(self, user: str) -> str | None:
        """Give a user's name."""
        async with self._reading() as connection:
            return await connection.scalar(select(schema.users.c.name).where(schema.users.c.id == user))

    async def name_user(self, user: str, name: str) -> None:
        """Set a user's name."""
        await self._execute(self._set_user, {"id": user, "name": name})

    async def settings(self, user: str) -> str | None:
        """Give a user's settings: JSON text, opaque to the store."""
        async with self._reading() as connection:
            query = select(schema.settings.c.body).where(schema.settings.c.user_id == user)
            return await connection.scalar(query)

    async def set_settings(self, user: str, body: str) -> None:
        """Replace a user's settings."""
        await self._execute(self._set_settings, {"user_id": user, "body": body})

    async def table_key(self, since: int = 0) -> bytes:
        """Give the key from which the secrets of tables follow: 32 random bytes.

        It is made once for each database, and again for each time ``since`` which older keys are worth nothing.
        """
        name = f"tables {since}" if since else "cookies"  # the first one has signed cookies, too
        await self._execute(self._make_key, {"name": name, "value": secrets.token_bytes(32)})
        async with self._reading() as connection:
            query = select(schema.keys.c.value).where(schema.keys.c.name == name)
            key: bytes = (await connection.execute(query)).scalar_one()
        return key

    # Reading.

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self._reader.connect() as connection:
                yield connection
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            raise StorageError(f"{self._name}: {reason(error)}") from error

    async def _first(self, query: Select[Any]) -> TableRow | None:
        return next(iter(await self._rows(query)), None)

    async def _rows(self, query: Select[Any]) -> list[TableRow]:
        async with self._reading() as connection:
            rows = (await connection.execute(query)).all()
            seated = await _seated(connection, [row.id for row in rows]) if rows else {}
        users: dict[str, list[tuple[int, str]]] = {row.id: [] for row in rows}
        for (table, seat), user in seated.items():
            users[table].append((seat, user))
        return [_table_row(row, users[row.id]) for row in rows]

    # Writing.

    @asynccontextmanager
    async def _writing(self) -> AsyncIterator[AsyncConnection]:
        """One transaction. A connection that has failed is not used again."""
        begun, result = time.perf_counter(), "failed"
        try:
            self._check_files()
            async with self._writer.connect() as connection:
                try:
                    async with connection.begin():
                        yield connection
                    self._check_files()  # what was committed to a file that nobody finds again is not stored
                    result = "committed"
                except IntegrityError:
                    result = "conflict"
                    raise
                except Exception:
                    await connection.invalidate()
                    raise
        finally:
            seconds = time.perf_counter() - begun
            self._telemetry.metrics.commit_seconds.labels(result).observe(seconds)

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
        """Commit these together, or one by one if that fails because of one of them. Wakes the callers."""
        try:
            await self._in_transaction(lambda connection: self._insert(connection, batch))
        except Exception as error:  # whatever it is, later appends must still be written
            if len(batch) > 1 and not _is_outage(error):
                for append in batch:
                    await self._commit([append])
                return
            self._post(batch)  # the connection may have broken just as the database confirmed
            for append in batch:
                if not append.done.done():
                    append.done.set_exception(self._failure(append, error))
        else:
            self._post(batch)
            for append in batch:
                if not append.done.done():
                    append.done.set_result(None)

    def _post(self, batch: Iterable[_Append]) -> None:
        """Tell all processes of these appends. They find out whether there is anything to read."""
        messages = [append.message for append in batch if append.message]
        if self._sender is not None and messages:
            self._sender.post(messages)

    async def _insert(self, connection: AsyncConnection, batch: Iterable[_Append]) -> None:
        rows = {append.row.id: append.row for append in batch}  # the last one of each table
        await connection.execute(self._set_table, [_columns(row) for _, row in sorted(rows.items())])
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
        """Make the users of these tables those of their rows."""
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
            failure = StorageError(f"{self._name}: {reason(error)}")
        failure.__cause__ = error
        return failure

    async def _execute(self, statement: Executable, values: Mapping[str, object]) -> None:
        await self._transact(lambda connection: connection.execute(statement, values))

    async def _transact(self, work: Callable[[AsyncConnection], Awaitable[_T]]) -> _T:
        """Do some work in one transaction. Raises `StorageError`."""
        try:
            # A caller that is cancelled must not break the connection.
            return await asyncio.shield(self._in_transaction(work))
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            raise StorageError(f"{self._name}: {reason(error)}") from error

    async def _in_transaction(self, work: Callable[[AsyncConnection], Awaitable[_T]]) -> _T:
        """Do some work in one transaction; again in another one if PostgreSQL ended the first so that others go on."""
        try:
            async with self._writing() as connection:
                return await work(connection)
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) not in _DEADLOCKS:
                raise
        async with self._writing() as connection:
            return await work(connection)

    def _check_files(self) -> None:
        """Raise `StorageError` if the files of an SQLite database were removed or replaced."""
        if self._files is not None:
            self._files.check()

    async def _dispose(self) -> None:
        if self._files is not None:
            self._files.close()  # not as the last connection, which would write the log back in the event loop
        await self._writer.dispose()
        await self._reader.dispose()


def _engine(url: URL, *, connections: int, writes: bool) -> AsyncEngine:
    """Connect on demand. Error messages have no values: some of them are decks."""
    if url.get_backend_name() != "sqlite":
        try:
            return create_async_engine(
                url,
                pool_size=connections,
                max_overflow=0,
                pool_pre_ping=True,
                hide_parameters=True,
                connect_args=limits_of(url),
            )
        except ModuleNotFoundError as error:
            raise StorageError(f"{error.name} is missing: pip install 'kingdomino[postgresql]'") from error
    engine = create_async_engine(
        url,
        pool_size=connections,
        max_overflow=0,
        hide_parameters=True,
        pool_reset_on_return=None,  # every transaction ends where it began
        # The driver begins no transactions: a reader needs none, and a writer's takes its lock at once.
        connect_args={"isolation_level": None, "timeout": LOCK_WAIT},
    )

    as_we_use_it(engine.sync_engine, writes=writes)
    return engine


def _is_outage(error: Exception) -> bool:
    """Whether the database failed, rather than what was to be written."""
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    return isinstance(error, OperationalError | InterfaceError | OSError | TimeoutError)


def _postponed(ms: int) -> Update:
    due = schema.tables.c.due
    return update(schema.tables).where(due.is_not(None)).values(due=due + ms)


def _newest(query: Select[Any], limit: int | None = None) -> Select[Any]:
    return query.order_by(schema.tables.c.updated.desc(), schema.tables.c.id).limit(limit)


async def _seated(connection: AsyncConnection, tables: Sequence[str]) -> dict[tuple[str, int], str]:
    """Give the users of the seats at these tables."""
    columns = schema.seats.c
    query = select(schema.seats).where(columns.table_id.in_(tables)).order_by(columns.seat)
    return {(row.table_id, row.seat): row.user_id for row in await connection.execute(query)}


def _setting(upsert: Callable[[Table], _Insert], table: Table) -> Executable:
    """Insert a row, or update the row with the same key."""
    statement = upsert(table)
    values = {column.name: statement.excluded[column.name] for column in table.c if not column.primary_key}
    return statement.on_conflict_do_update(index_elements=list(table.primary_key), set_=values)


def _table_row(row: Row[Any], users: Iterable[tuple[int, str]]) -> TableRow:
    return TableRow(row.id, row.state, row.public, row.updated, row.due, row.summary, row.code, tuple(users))


def _columns(row: TableRow) -> dict[str, object]:
    return {column.name: getattr(row, column.name) for column in schema.tables.c}


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
