"""How a database is named, opened and locked, and what is said if that fails."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, NoReturn

from sqlalchemy import Connection, Engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from kingdomino.server.storage import migrate

__all__ = [
    "ALONE",
    "LOCK_WAIT",
    "Away",
    "StorageError",
    "as_we_use_it",
    "make_file",
    "parse",
    "raise_open",
    "reason",
]

_STARTING: Final = ("57P01", "57P02", "57P03")  # PostgreSQL's states: shutting down, crashed, starting
LOCK_WAIT: Final = 5.0
"""Seconds that SQLite waits for another program that writes to the file."""
ALONE: Final = text("SELECT pg_advisory_xact_lock(hashtext('kingdomino migration'))")
"""Held by the one process that migrates a PostgreSQL database."""


class StorageError(OSError):
    """The database cannot be opened, read or written."""


class Away(StorageError):  # noqa: N818  (it may come back)
    """The database cannot be reached now."""


def parse(url: str, drivers: Mapping[str, str]) -> URL:
    """Read the URL of a database, and name the driver of its kind. Raises `StorageError`."""
    try:
        parsed = make_url(url)
        backend = parsed.get_backend_name()
    except SQLAlchemyError:
        raise StorageError("a database is named like sqlite:///FILE or postgresql://HOST/NAME") from None
    if backend not in drivers:
        raise StorageError(f"{backend} is not supported: use sqlite or postgresql")
    if backend == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise StorageError("sqlite needs a file: sqlite:///FILE")
    return parsed.set(drivername=drivers[backend])


def make_file(url: URL) -> None:
    """Create an SQLite file that only its owner can read: it holds decks and keys. An older one becomes so.

    A file that cannot be opened is refused here: the driver would do it in a thread that outlives its event loop. So is
    the database of another program, before we change how it is written. Raises `StorageError`.
    """
    file = Path(url.database or "")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
        with closing(sqlite3.connect(file)) as connection:  # fails for a folder, which must stay as it is
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        for name in (file.name, f"{file.name}-wal", f"{file.name}-shm"):
            with suppress(FileNotFoundError, PermissionError):  # it may belong to someone else
                file.with_name(name).chmod(0o600)
    except OSError as error:
        raise StorageError(f"{file}: {error.strerror}") from error
    except sqlite3.Error as error:
        raise StorageError(f"{file}: {error}") from error
    if tables and "alembic_version" not in tables:
        raise StorageError(f"{file}: {migrate.FOREIGN}")


def as_we_use_it(engine: Engine, *, writes: bool) -> None:
    """Let an SQLite database write durably and check its keys; let a transaction lock it at once if it ``writes``."""

    def prepare(connection: DBAPIConnection, _: object) -> None:
        cursor = connection.cursor()
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    event.listen(engine, "connect", prepare)
    if writes:
        event.listen(engine, "begin", begin)


def raise_open(name: str, error: BaseException) -> NoReturn:
    """Raise what a database's failure is to its user."""
    if isinstance(error, migrate.ForeignDatabase | migrate.NewerDatabase):
        raise StorageError(f"{name}: {error}") from error
    if isinstance(error, SQLAlchemyError | OSError | TimeoutError):
        kind = Away if _is_away(error) else StorageError
        raise kind(f"{name}: {reason(error)}") from error
    raise error


def _is_away(error: Exception) -> bool:
    """Whether PostgreSQL did not answer, or said that it is starting or stopping."""
    state = getattr(getattr(error, "orig", None), "sqlstate", "")
    return isinstance(error, OperationalError) and (state is None or state in _STARTING)


def reason(error: Exception) -> str:
    """Give the database's message without the statement."""
    return " ".join(str(getattr(error, "orig", None) or error).split())
