"""Transactions on a whole database, to save it or to restore it."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, create_engine, event, inspect, select
from sqlalchemy.exc import SQLAlchemyError

from kingdomino.server.storage import migrate, schema
from kingdomino.server.storage.connecting import (
    LOCK_WAIT,
    MIGRATION_LOCK,
    StorageError,
    configure_sqlite,
    parse,
    raise_storage_error,
)
from kingdomino.server.storage.files import FILES, DatabaseLock, make_file, sqlite_file
from kingdomino.server.storage.news import CONNECTION

__all__ = ["changing", "reading"]

_DRIVERS: Final = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg"}
_ALIVE: Final = 15_000
"""How long a server counts as running after its last heartbeat, in milliseconds."""


@contextmanager
def reading(url: str) -> Iterator[Connection]:
    """Read a snapshot of a database, while servers may write to it. Raises `StorageError`."""
    parsed = parse(url, _DRIVERS)
    if parsed.get_backend_name() == "sqlite" and not Path(parsed.database or "").is_file():
        raise StorageError(f"{parsed.database}: there is no such database")
    with _connected(url, writes=False) as connection:
        yield connection


@contextmanager
def changing(url: str, aside: Callable[[Path], object] | None = None) -> Iterator[Connection]:
    """Change a database in one transaction, while no server runs. Raises `StorageError` or `Locked`.

    With ``aside``, move a corrupt SQLite file aside for a new one, and call ``aside`` with its new name. If the
    transaction fails, move the file back.
    """
    with ExitStack() as stack:
        stack.enter_context(DatabaseLock(url))  # of an SQLite file
        if aside is not None and (file := sqlite_file(url)) is not None:
            stack.enter_context(_corrupt_aside(file, aside))
        connection = stack.enter_context(_connected(url, writes=True))
        if connection.dialect.name == "postgresql":
            connection.execute(MIGRATION_LOCK)
            _check_no_server(connection)
        yield connection


@contextmanager
def _corrupt_aside(file: Path, aside: Callable[[Path], object]) -> Iterator[None]:
    """Move a file with its log aside if SQLite finds it corrupt, and back if the block fails."""
    if _is_sound(file):
        yield
        return
    corrupt = file.with_name(f"{file.name}.corrupt-{datetime.now(UTC):%Y%m%dT%H%M%SZ}")
    _rename(file, corrupt)
    try:
        yield
    except BaseException:
        for ending in FILES:
            file.with_name(f"{file.name}{ending}").unlink(missing_ok=True)
        _rename(corrupt, file)
        raise
    aside(corrupt)


def _is_sound(file: Path) -> bool:
    """Return whether SQLite's check of a whole file finds no fault. Raises `StorageError` if it cannot run now."""
    if not file.exists():
        return True
    try:
        # Read-only: closing would write the log into a file that somebody may want to repair.
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, timeout=LOCK_WAIT)) as connection:
            return bool(connection.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",))
    except sqlite3.OperationalError as error:  # locked, or not readable
        raise StorageError(f"{file}: {error}") from error
    except sqlite3.DatabaseError:
        return False


def _rename(file: Path, to: Path) -> None:
    """Rename a database's files."""
    for ending in FILES:
        with suppress(FileNotFoundError):
            file.with_name(f"{file.name}{ending}").rename(to.with_name(f"{to.name}{ending}"))


@contextmanager
def _connected(url: str, *, writes: bool) -> Iterator[Connection]:
    """Connect, begin a transaction, and commit it at the end."""
    parsed = parse(url, _DRIVERS)
    is_file = parsed.get_backend_name() == "sqlite"
    name = parsed.set(drivername=parsed.get_backend_name()).render_as_string(hide_password=True)
    try:
        if is_file:
            make_file(parsed)
            arguments: dict[str, object] = {"isolation_level": None, "timeout": LOCK_WAIT}
            engine = create_engine(parsed, hide_parameters=True, connect_args=arguments)
            configure_sqlite(engine, writes=writes)
            if not writes:  # otherwise the driver would read each table at a different moment
                event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
        else:
            level = "READ COMMITTED" if writes else "REPEATABLE READ"
            # Without the server's time limits, because a copy may pause for long between two statements.
            engine = create_engine(
                parsed, hide_parameters=True, connect_args=dict(CONNECTION), isolation_level=level
            )
        try:
            with engine.begin() as connection:
                if not is_file and not writes:
                    connection.exec_driver_sql("SET TRANSACTION READ ONLY")
                yield connection
        finally:
            engine.dispose()
    except ModuleNotFoundError as error:
        raise StorageError(f"{error.name} is missing: pip install 'kingdomino[postgresql]'") from error
    except (SQLAlchemyError, migrate.ForeignDatabase, migrate.NewerDatabase) as error:
        raise_storage_error(name, error)


def _check_no_server(connection: Connection) -> None:
    if not inspect(connection).has_table(schema.heartbeats.name):
        return
    beats = schema.heartbeats.c
    at = connection.scalar(select(beats.at).where(beats.name == "server"))
    if at is not None and abs(time.time_ns() // 1_000_000 - at) < _ALIVE:
        seconds = _ALIVE // 1000
        raise StorageError(f"a server runs on this database; end it, and try again {seconds} s later")
