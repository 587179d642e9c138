"""A lock on an SQLite file: one server at a time runs the tables in it.

The system releases the lock however the server ends. A file beside it holds the server's address, for a second server
that is started. Other databases are not locked.
"""

import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from filelock import FileLock, Timeout
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

__all__ = ["DatabaseLock", "Locked", "sqlite_file"]


class Locked(OSError):  # noqa: N818  (another server is at work)
    """Another server has this database. ``address`` is where it serves; empty if that is not known."""

    def __init__(self, database: Path, address: str) -> None:
        super().__init__(f"{database} is in use by another server{address and ' at '}{address}")
        self.address = address


class DatabaseLock:
    """The lock on a database; a context manager that releases it at the end.

    A symbolic link is followed to the file. A hard link is another name of the same file, so on Linux the file itself
    is locked as well, in a way that SQLite does not see. (On other systems SQLite would.)
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
        address.unlink(missing_ok=True)  # of a server that was killed

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


def sqlite_file(url: str) -> Path | None:
    """Return the file of an SQLite database, links followed; `None` for other databases."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        return None  # opening it says what is wrong
    is_file = parsed.get_backend_name() == "sqlite" and parsed.database not in (None, "", ":memory:")
    return Path(parsed.database or "").resolve() if is_file else None
