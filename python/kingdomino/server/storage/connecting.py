"""How to name and open a database, and the errors if that fails."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NoReturn

from sqlalchemy import Connection, Engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from kingdomino.server.storage import migrate

__all__ = [
    "LOCK_WAIT",
    "MIGRATION_LOCK",
    "StorageError",
    "Unreachable",
    "configure_sqlite",
    "parse",
    "raise_storage_error",
    "reason",
]

_STARTING: Final = ("57P01", "57P02", "57P03")
"""PostgreSQL's codes: shutting down, crashed, starting."""
LOCK_WAIT: Final = 5.0
"""How long SQLite waits for another program that writes to the file, in seconds."""
MIGRATION_LOCK: Final = text("SELECT pg_advisory_xact_lock(hashtext('kingdomino migration'))")
"""Lock a PostgreSQL database for the one process that migrates it."""


class StorageError(OSError):
    """The database cannot be opened, read or written."""


class Unreachable(StorageError):  # noqa: N818  (it may come back)
    """The database cannot be reached at the moment."""


def parse(url: str, drivers: Mapping[str, str]) -> URL:
    """Parse the URL of a database, and set the driver for its kind. Raises `StorageError`."""
    try:
        parsed = make_url(url)
        backend = parsed.get_backend_name()
    except SQLAlchemyError:
        raise StorageError("name a database like sqlite:///FILE or postgresql://HOST/NAME") from None
    if backend not in drivers:
        raise StorageError(f"{backend} is not supported: use sqlite or postgresql")
    if backend == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise StorageError("sqlite needs a file: sqlite:///FILE")
    return parsed.set(drivername=drivers[backend])


def configure_sqlite(engine: Engine, *, writes: bool) -> None:
    """Make SQLite write durably and check foreign keys. With ``writes`` a transaction locks the file at once."""

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


def raise_storage_error(name: str, error: BaseException) -> NoReturn:
    """Raise the `StorageError` for an error of the database; raise any other error as it is."""
    if isinstance(error, migrate.ForeignDatabase | migrate.NewerDatabase):
        raise StorageError(f"{name}: {error}") from error
    if isinstance(error, SQLAlchemyError | OSError | TimeoutError):
        kind = Unreachable if _is_unreachable(error) else StorageError
        raise kind(f"{name}: {reason(error)}") from error
    raise error


def _is_unreachable(error: Exception) -> bool:
    """Return whether PostgreSQL did not answer, or is starting or stopping."""
    state = getattr(getattr(error, "orig", None), "sqlstate", "")
    return isinstance(error, OperationalError) and (state is None or state in _STARTING)


def reason(error: Exception) -> str:
    """Return the database's message without the statement."""
    return " ".join(str(getattr(error, "orig", None) or error).split())
