"""A lock on an SQLite file: one server at a time runs the tables in it.

The system releases the lock however the server ends. A file beside it holds the server's address, for a second server
that is started. Other databases are not locked.
"""

from pathlib import Path
from typing import Self

from filelock import FileLock, Timeout
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

__all__ = ["DatabaseLock", "Locked"]


class Locked(OSError):  # noqa: N818  (another server is at work)
    """Another server has this database. ``address`` is where it serves; empty if it does not serve yet."""

    def __init__(self, database: Path, address: str) -> None:
        super().__init__(f"{database} is in use by another server{address and ' at '}{address}")
        self.address = address


class DatabaseLock:
    """The lock on a database; a context manager that releases it at the end."""

    def __init__(self, url: str) -> None:
        """Lock the database, or raise `Locked`."""
        self._lock: FileLock | None = None
        database = _file(url)
        if database is None:
            return
        database.parent.mkdir(parents=True, exist_ok=True)
        self._address = database.with_name(f"{database.name}.address")
        lock = FileLock(database.with_name(f"{database.name}.lock"), blocking=False, mode=0o600)
        try:
            lock.acquire()
        except Timeout:
            address = self._address.read_text(encoding="utf-8") if self._address.exists() else ""
            raise Locked(database, address) from None
        self._lock = lock
        self._address.unlink(missing_ok=True)  # of a server that was killed

    def write_address(self, address: str) -> None:
        """Write the address for a second server."""
        if self._lock is not None:
            self._address.write_text(address, encoding="utf-8")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock is not None:
            self._address.unlink(missing_ok=True)
            self._lock.release()


def _file(url: str) -> Path | None:
    try:
        parsed = make_url(url)
    except ArgumentError:
        return None  # opening it says what is wrong
    is_file = parsed.get_backend_name() == "sqlite" and parsed.database not in (None, "", ":memory:")
    return Path(parsed.database or "") if is_file else None
