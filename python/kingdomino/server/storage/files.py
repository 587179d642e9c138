"""The files of an SQLite database: made for their owner alone, locked by one server, and watched while it runs."""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Final, Self

from filelock import FileLock, Timeout
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from kingdomino.server.storage import migrate
from kingdomino.server.storage.connecting import StorageError

__all__ = ["FILES", "DatabaseLock", "Locked", "OpenFiles", "make_file", "sqlite_file"]

FILES: Final = ("", "-wal", "-shm")
"""Endings of the names of a database's files: the database, its log, and the index of the log."""


def sqlite_file(url: str) -> Path | None:
    """Return the file of an SQLite database, with links resolved; `None` for other databases."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        return None  # opening it raises an error
    is_file = parsed.get_backend_name() == "sqlite" and parsed.database not in (None, "", ":memory:")
    return Path(parsed.database or "").resolve() if is_file else None


def make_file(url: URL) -> None:
    """Create an SQLite file that only its owner can read, because it holds decks and keys. Restrict an existing one.

    Refuse a file that cannot be opened: the driver would fail in a thread that outlives its event loop. Refuse the
    database of another program before we change how it is written. Raises `StorageError`.
    """
    file = Path(url.database or "")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
        with closing(sqlite3.connect(file)) as connection:  # fails for a folder, which must stay as it is
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        for ending in FILES:
            with suppress(FileNotFoundError, PermissionError):  # it may belong to someone else
                file.with_name(f"{file.name}{ending}").chmod(0o600)
    except OSError as error:
        raise StorageError(f"{file}: {error.strerror}") from error
    except sqlite3.Error as error:
        raise StorageError(f"{file}: {error}") from error
    if tables and "alembic_version" not in tables:
        raise StorageError(f"{file}: {migrate.FOREIGN}")


class Locked(OSError):  # noqa: N818  (another server is at work)
    """Another server uses this database. ``address`` is where it serves, or empty if that is not known."""

    def __init__(self, database: Path, address: str) -> None:
        super().__init__(f"{database} is in use by another server{address and ' at '}{address}")
        self.address = address


class DatabaseLock:
    """The lock on an SQLite database; a context manager that releases it. Other databases are not locked.

    The system releases the lock however the server ends. A file beside the database has the server's address, for a
    second server. A symbolic link is resolved. A hard link is another name of the same file, so on Linux the file
    itself is locked as well, in a way that SQLite does not see. (On other systems SQLite would.)
    """

    def __init__(self, url: str) -> None:
        """Lock the database, or raise `Locked`."""
        self._address: Path | None = None
        self._locks = ExitStack()
        database = sqlite_file(url)
        if database is None:
            return
        database.parent.mkdir(parents=True, exist_ok=True)
        address = database.with_name(f"{database.name}.address")
        lock = FileLock(database.with_name(f"{database.name}.lock"), blocking=False, mode=0o600)
        try:
            self._locks.enter_context(lock)
            self._lock_file(database)
        except (Timeout, BlockingIOError):
            self._locks.close()
            known = address.read_text(encoding="utf-8") if address.exists() else ""
            raise Locked(database, known) from None
        self._address = address
        address.unlink(missing_ok=True)  # a killed server leaves it behind

    def write_address(self, address: str) -> None:
        """Write the address for a second server."""
        if self._address is not None:
            self._address.write_text(address, encoding="utf-8")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._address is not None:
            self._address.unlink(missing_ok=True)
        self._locks.close()

    def _lock_file(self, database: Path) -> None:
        if sys.platform != "linux":
            return
        import fcntl

        file = os.open(database, os.O_RDWR | os.O_CREAT, 0o600)
        self._locks.callback(os.close, file)
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class OpenFiles:
    """The files that this process has opened, until `close`, compared with the files that now have their names.

    If somebody removes or replaces a file, writes still succeed, and are lost when the process ends. SQLite deletes the
    log with the last connection and makes a new one with the next. A connection of our own keeps the log until the end,
    so only another program can have made a new log.
    """

    def __init__(self, database: Path) -> None:
        """Open the files of a database in WAL mode. Raises `StorageError`."""
        self._names = [database.with_name(f"{database.name}{ending}") for ending in FILES]
        try:
            self._keeper = sqlite3.connect(database, isolation_level=None)
            self._keeper.execute("SELECT count(*) FROM sqlite_master").fetchone()  # opens the log
        except sqlite3.Error as error:
            raise StorageError(str(error)) from error
        self._opened = [_identity(name) for name in self._names]

    def check(self) -> None:
        """Raise `StorageError` if a name does not lead to the open file."""
        for name, opened in zip(self._names, self._opened, strict=True):
            if _identity(name) != opened:
                raise StorageError(
                    f"{name.name} was removed or replaced; the server stores nothing until it is back"
                )

    def close(self) -> None:
        """Close the files."""
        self._keeper.close()


def _identity(file: Path) -> tuple[int, int] | None:
    """Return the device and the inode of a file; `None` if there is none."""
    try:
        found = os.stat(file)  # noqa: PTH116  (at every transaction; `Path.stat` takes twice as long)
    except OSError:
        return None
    return found.st_dev, found.st_ino
