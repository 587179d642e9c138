"""A lock on an SQLite file: one server at a time plays on its tables.

The lock is on a file beside the database, and the system releases it however the server ends. The file holds the
server's address, for a second one that is started. Other databases are not locked.
"""

import os
from pathlib import Path
from typing import Self

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

try:
    import fcntl
except ImportError:  # not on this system: then nothing is locked
    fcntl = None  # type: ignore[assignment]

__all__ = ["DatabaseLock", "Locked"]

_LONGEST_ADDRESS = 300


class Locked(OSError):  # noqa: N818  (another server is at work)
    """Another server has this database. ``address`` is where it serves, as far as it said."""

    def __init__(self, database: str, address: str) -> None:
        super().__init__(f"{database} is in use by another server{address and ' at '}{address}")
        self.address = address


class DatabaseLock:
    """The lock on a database; a context manager that releases it at the end."""

    def __init__(self, url: str) -> None:
        """Lock the database, or raise `Locked`."""
        self._lock: int | None = None
        database = _file(url)
        if database is None or fcntl is None:
            return
        file = database.with_name(f"{database.name}.lock")
        file.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            address = os.read(lock, _LONGEST_ADDRESS).decode(errors="replace").strip()
            os.close(lock)
            raise Locked(str(database), address) from None
        os.truncate(lock, 0)
        self._lock = lock

    def write_address(self, address: str) -> None:
        """Write the address for a second server."""
        if self._lock is not None:
            os.pwrite(self._lock, address.encode(), 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            os.close(self._lock)


def _file(url: str) -> Path | None:
    try:
        parsed = make_url(url)
    except ArgumentError:
        return None  # opening it says what is wrong
    is_file = parsed.get_backend_name() == "sqlite" and parsed.database not in (None, "", ":memory:")
    return Path(parsed.database or "") if is_file else None
