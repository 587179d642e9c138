"""The files of an open SQLite database, compared with what their names lead to now.

A process writes to the files that it has opened. Whoever removes or replaces them takes only their names: the writes
still succeed, and are gone with the process.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Final

from kingdomino.server.storage.connecting import StorageError

__all__ = ["FILES", "OpenFiles"]

FILES: Final = ("", "-wal", "-shm")
"""How the names of a database's files end: itself, its log, and the index of the log."""


class OpenFiles:
    """A database's files, open in this process until `close`.

    SQLite deletes the log with the last connection and makes a new one with the next. A connection of our own keeps the
    log until the end, so that another log is always somebody else's.
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
        """Raise `StorageError` if a name does not lead to the file that is open."""
        for name, opened in zip(self._names, self._opened, strict=True):
            if _identity(name) != opened:
                raise StorageError(f"{name.name} was removed or replaced; nothing is stored until it is back")

    def close(self) -> None:
        """Close the files."""
        self._keeper.close()


def _identity(file: Path) -> tuple[int, int] | None:
    """Return the device and the inode that a name leads to; `None` if it leads nowhere."""
    try:
        found = os.stat(file)  # noqa: PTH116  (at every transaction; `Path.stat` takes twice as long)
    except OSError:
        return None
    return found.st_dev, found.st_ino
