"""`Database`: the connections of a store to SQLite or PostgreSQL, and its transactions."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

from sqlalchemy import ColumnElement, Executable, Row, Select, Table, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.sql.selectable import TypedReturnsRows

from kingdomino.server.storage import migrate
from kingdomino.server.storage.connecting import (
    LOCK_WAIT,
    MIGRATION_LOCK,
    StorageError,
    configure_sqlite,
    raise_storage_error,
    reason,
)
from kingdomino.server.storage.files import OpenFiles, make_file
from kingdomino.server.storage.news import limits_of
from kingdomino.server.telemetry import Telemetry

__all__ = ["Database"]

Insert: TypeAlias = sqlite.Insert | postgresql.Insert
_T = TypeVar("_T")
_READERS: Final = 4
"""Connections that only read. One more writes."""
_DEADLOCKS: Final = ("40001", "40P01")
"""PostgreSQL's codes for deadlocks and serialization failures."""


class Database:
    """An open database.

    Attributes:
        url: its address.
        name: the same without a password, for messages.
        is_shared: whether other processes may serve it, too.
        insert: the statement that inserts into a table.
    """

    def __init__(self, url: URL, telemetry: Telemetry) -> None:
        """Connect on demand."""
        backend = url.get_backend_name()
        self.url, self.is_shared = url, backend == "postgresql"
        self.name = url.set(drivername=backend).render_as_string(hide_password=True)
        self.insert: Callable[[Table], Insert] = postgresql.insert if self.is_shared else sqlite.insert
        self._seconds = telemetry.metrics.commit_seconds
        self._writer = _engine(url, connections=1, writes=True)
        self._reader = _engine(url, connections=_READERS, writes=False)
        self._files: OpenFiles | None = None
        self._transactions: set[asyncio.Future[Any]] = set()
        for engine in (self._writer, self._reader):  # SQLite would create a missing file
            event.listen(engine.sync_engine, "do_connect", lambda *_: self._check_files())

    async def open(self) -> None:
        """Create or migrate the tables. From then on, refuse to work with replaced files. Raises `StorageError`."""
        if not self.is_shared:
            make_file(self.url)
        try:
            async with self._writer.begin() as connection:
                if self.is_shared:
                    await connection.execute(MIGRATION_LOCK)
                await connection.run_sync(migrate.upgrade)
            if not self.is_shared:
                self._files = OpenFiles(Path(self.url.database or ""))
        except BaseException as error:  # includes cancellation
            await self.dispose()
            raise_storage_error(self.name, error)

    async def dispose(self) -> None:
        """Disconnect, after the transactions of cancelled callers."""
        await asyncio.gather(*self._transactions, return_exceptions=True)
        if self._files is not None:
            self._files.close()  # before the last connection, which would write the log back and block the event loop
        await self._writer.dispose()
        await self._reader.dispose()

    def upsert(self, table: Table, where: Callable[[Insert], ColumnElement[bool]] | None = None) -> Insert:
        """Return a statement that inserts a row, or updates the row with the same key if ``where`` is true."""
        statement = self.insert(table)
        values = {
            column.name: statement.excluded[column.name] for column in table.c if not column.primary_key
        }
        condition = where(statement) if where is not None else None
        return statement.on_conflict_do_update(
            index_elements=list(table.primary_key), set_=values, where=condition
        )

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """Connect to read. Raises `StorageError`."""
        try:
            async with self._reader.connect() as connection:
                yield connection
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            raise StorageError(f"{self.name}: {reason(error)}") from error

    async def scalar(self, query: TypedReturnsRows[_T]) -> _T | None:
        """Return the first column of a query's first row, or `None`."""
        async with self.reading() as connection:
            return await connection.scalar(query)

    async def scalars(self, query: TypedReturnsRows[_T]) -> list[_T]:
        """Return the first column of a query."""
        async with self.reading() as connection:
            return list(await connection.scalars(query))

    async def rows(self, query: Select[*tuple[Any, ...]]) -> Sequence[Row[*tuple[Any, ...]]]:
        """Return the rows of a query."""
        async with self.reading() as connection:
            return (await connection.execute(query)).all()

    async def execute(self, statement: Executable, values: Mapping[str, object] | None = None) -> None:
        """Execute one statement in a transaction. Raises `StorageError`."""
        await self.transact(lambda connection: connection.execute(statement, values))

    async def transact(self, work: Callable[[AsyncConnection], Awaitable[_T]]) -> _T:
        """Do some work in one transaction, also if the caller is cancelled. Raises `StorageError`."""
        # A cancelled caller would break the connection. The event loop alone does not keep a task alive.
        transaction = asyncio.ensure_future(self.attempt(work))
        self._transactions.add(transaction)
        transaction.add_done_callback(self._transactions.discard)
        try:
            return await asyncio.shield(transaction)
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            raise StorageError(f"{self.name}: {reason(error)}") from error

    async def attempt(self, work: Callable[[AsyncConnection], Awaitable[_T]]) -> _T:
        """Do some work in one transaction, and again if that ended in a deadlock. Raises the database's errors."""
        try:
            async with self.writing() as connection:
                return await work(connection)
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) not in _DEADLOCKS:
                raise
        async with self.writing() as connection:
            return await work(connection)

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """Begin a transaction, and commit it at the end. A connection that has failed is not used again."""
        begun, result = time.perf_counter(), "failed"
        try:
            self._check_files()
            async with self._writer.connect() as connection:
                try:
                    async with connection.begin():
                        yield connection
                    self._check_files()  # a commit to a replaced file would be lost
                    result = "committed"
                except IntegrityError:
                    result = "conflict"
                    raise
                except Exception:
                    await connection.invalidate()
                    raise
        finally:
            self._seconds.labels(result).observe(time.perf_counter() - begun)

    def _check_files(self) -> None:
        if self._files is not None:
            self._files.check()


def _engine(url: URL, *, connections: int, writes: bool) -> AsyncEngine:
    """Create an engine, which connects on demand. Its errors contain no values, because some are decks."""
    if url.get_backend_name() == "postgresql":
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
        pool_reset_on_return=None,  # every transaction is over when its connection returns
        # The driver begins no transactions: a reader needs none, and a writer's takes its lock at once.
        connect_args={"isolation_level": None, "timeout": LOCK_WAIT},
    )
    configure_sqlite(engine.sync_engine, writes=writes)
    return engine
