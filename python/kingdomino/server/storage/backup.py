"""Save a whole database to one file, and restore SQLite or PostgreSQL from it (docs/formats/backup.md)."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, TypeAlias

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from sqlalchemy import Connection, LargeBinary, Table, func, insert, select

from kingdomino.server.storage import migrate
from kingdomino.server.storage.connecting import StorageError
from kingdomino.server.storage.offline import changing, reading

__all__ = ["Backup", "Progress", "check", "restore", "save"]

_FORMAT: Final = "kingdomino-backup"
_VERSION: Final = 1
_PLAYED: Final = ("tables", "users", "results", "records")
"""Tables that show whether a database is in use."""
_AT_ONCE: Final = 500
"""Rows in one statement."""

Progress: TypeAlias = Callable[[int], object]
"""Called with the number of rows done so far."""


class Backup(NamedTuple):
    """The contents of a backup: its schema, when it was made, and the number of rows by table."""

    revision: str
    made: datetime
    rows: dict[str, int]

    @property
    def total(self) -> int:
        """The number of all rows."""
        return sum(self.rows.values())


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Header(_Line):
    format: str
    version: int
    revision: str
    made: datetime


class _Heading(_Line):
    table: str
    columns: tuple[str, ...]


class _End(_Line):
    rows: dict[str, int]
    sha256: str


_LINE: Final[TypeAdapter[_Heading | _End | list[Any]]] = TypeAdapter(_Heading | _End | list[Any])


def save(url: str, file: Path, *, overwrite: bool = False, progress: Progress = lambda _: None) -> Backup:
    """Write a snapshot of a database to a file that only its owner can read.

    Raises `StorageError` or another `OSError`, and leaves ``file`` as it was.
    """
    with reading(url) as connection, _new_file(file, overwrite) as raw:
        revision = migrate.current(connection)
        if revision is None:
            raise StorageError("this database is empty")
        made = datetime.now(UTC).replace(microsecond=0)
        rows: dict[str, int] = {}
        with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
            writer = _Writer(packed)
            writer.write(_Header(format=_FORMAT, version=_VERSION, revision=revision, made=made))
            for table in _tables(connection):
                writer.write(_Heading(table=table.name, columns=tuple(column.name for column in table.c)))
                binary = [isinstance(column.type, LargeBinary) for column in table.c]
                rows[table.name] = 0
                found = connection.execution_options(yield_per=_AT_ONCE).execute(select(table))
                for some in found.partitions():
                    for row in some:
                        pairs = zip(row, binary, strict=True)
                        writer.write([_text(value) if is_binary else value for value, is_binary in pairs])
                    rows[table.name] += len(some)
                    progress(sum(rows.values()))
            writer.write(_End(rows=rows, sha256=writer.digest))
    return Backup(revision, made, rows)


def check(file: Path) -> Backup:
    """Read a whole backup. Raises `StorageError` if this version cannot restore it."""
    header, rows, heading, logs = _header(file), dict[str, int](), None, _Logs()
    if header.revision not in migrate.revisions():
        raise StorageError(f"{file}: this backup was made by a newer version of this program")
    for line in _lines(file):
        if isinstance(line, _Heading):
            heading, rows[line.table] = line, 0
        elif isinstance(line, _End):
            if line.rows != rows:
                raise _damaged(file)
            if gap := logs.gap():
                raise StorageError(f"{file}: the log of the table {gap} is not whole")
            return Backup(header.revision, header.made, rows)
        elif heading is None or len(line) != len(heading.columns):
            raise _damaged(file)
        else:
            rows[heading.table] += 1
            logs.note(heading, line)
    raise StorageError(f"{file}: the end of this backup is missing")


def restore(
    url: str,
    file: Path,
    *,
    replace: bool = False,
    progress: Progress = lambda _: None,
    moved: Callable[[Path], object] = lambda _: None,
) -> Backup:
    """Fill a database from a backup, and bring it to the newest schema; all or nothing.

    Unless ``replace`` is true, refuse a database in use. With it, replace also a database of a newer version, and move
    a corrupt SQLite file aside; ``moved`` is called with its new name. No server may run. Raises `StorageError` or
    another `OSError`.
    """
    backup = check(file)
    with changing(url, moved if replace else None) as connection:
        try:
            migrate.current(connection)
        except migrate.NewerDatabase:
            if not replace:
                raise
        old = _tables(connection)
        if not replace and any(_count(connection, table) for table in old if table.name in _PLAYED):
            raise StorageError("this database is not empty; --replace deletes what is in it")
        migrate.recreate(connection, backup.revision)
        done, tables = 0, {table.name: table for table in _tables(connection)}
        if unknown := backup.rows.keys() - tables.keys():
            raise StorageError(f"{file}: this backup has an unknown table: {min(unknown)}")
        for table, rows in _batches(file, tables):
            connection.execute(insert(table), rows)
            progress(done := done + len(rows))
        if {name: _count(connection, tables[name]) for name in backup.rows} != backup.rows:
            raise _damaged(file)
        migrate.upgrade(connection)
    return backup


class _Logs:
    """Counts the entries of logs, which are numbered from 1. An archive has all entries up to its ``number``."""

    def __init__(self) -> None:
        self._entries, self._last = Counter[str](), Counter[str]()

    def note(self, heading: _Heading, row: list[Any]) -> None:
        """Count a row, if it belongs to a log."""
        if heading.table in ("events", "archives"):
            values = dict(zip(heading.columns, row, strict=True))
            table, number = values["table_id"], values["number"]
            self._entries[table] += number if heading.table == "archives" else 1
            self._last[table] = max(self._last[table], number)

    def gap(self) -> str | None:
        """Return a table whose log has a gap, if any."""
        return next((table for table, last in self._last.items() if last != self._entries[table]), None)


class _Writer:
    """Writes lines and computes their digest."""

    def __init__(self, file: IO[bytes] | gzip.GzipFile) -> None:
        self._file, self._sum = file, hashlib.sha256()

    @property
    def digest(self) -> str:
        """The SHA-256 of all lines so far."""
        return self._sum.hexdigest()

    def write(self, line: _Line | list[Any]) -> None:
        """Write a line."""
        text = line.model_dump_json() if isinstance(line, _Line) else json.dumps(line, ensure_ascii=False)
        data = f"{text}\n".encode()
        self._sum.update(data)
        self._file.write(data)


@contextmanager
def _new_file(file: Path, overwrite: bool) -> Iterator[IO[bytes]]:
    """Write a file under a temporary name, and rename it when it is completely on disk."""
    if file.exists() and not overwrite:
        raise FileExistsError(f"{file} exists; --force overwrites it")
    part = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as raw:  # noqa: PTH123
            yield raw
            raw.flush()
            os.fsync(raw.fileno())
        part.replace(file)
        _sync(file.parent)
    finally:
        part.unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    """Flush a folder's names to the disk, if the system can."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _header(file: Path) -> _Header:
    try:
        with gzip.open(file) as packed:
            header = _Header.model_validate_json(packed.readline())
    except (gzip.BadGzipFile, zlib.error, EOFError, ValidationError):
        raise StorageError(f"{file}: this is not a backup of Kingdomino") from None
    if header.format != _FORMAT:
        raise StorageError(f"{file}: this is not a backup of Kingdomino")
    if header.version > _VERSION:
        raise StorageError(f"{file}: this backup was made by a newer version of this program")
    return header


def _lines(file: Path) -> Iterator[_Heading | _End | list[Any]]:
    """Read the lines after the first. Raises `StorageError` if the file is damaged."""
    total = hashlib.sha256()
    try:
        with gzip.open(file) as packed:
            total.update(packed.readline())
            for data in packed:
                line = _LINE.validate_json(data)
                if isinstance(line, _End) and (line.sha256 != total.hexdigest() or packed.read(1)):
                    raise _damaged(file)
                total.update(data)
                yield line
    except (gzip.BadGzipFile, zlib.error, ValidationError):
        raise _damaged(file) from None
    except EOFError:
        raise StorageError(f"{file}: the end of this backup is missing") from None


def _damaged(file: Path) -> StorageError:
    return StorageError(f"{file}: this backup is damaged")


def _batches(file: Path, tables: dict[str, Table]) -> Iterator[tuple[Table, list[dict[str, Any]]]]:
    """Yield the rows of a checked backup in batches, each for one table."""
    table: Table | None = None
    columns: tuple[str, ...] = ()
    binary, rows = frozenset[str](), list[dict[str, Any]]()
    for line in _lines(file):
        if table is not None and rows and (not isinstance(line, list) or len(rows) == _AT_ONCE):
            yield table, rows
            rows = []
        if isinstance(line, _Heading):
            table, columns = tables[line.table], line.columns
            binary = frozenset(column.name for column in table.c if isinstance(column.type, LargeBinary))
        elif isinstance(line, list):
            pairs = zip(columns, line, strict=True)
            rows.append({name: _bytes(value) if name in binary else value for name, value in pairs})


def _tables(connection: Connection) -> list[Table]:
    """Return the tables that belong in a backup, each after the tables that it refers to.

    The header has the schema's version, and servers ask for their jobs again.
    """
    return [table for table in migrate.reflected(connection).sorted_tables if table.name != "alembic_version"]


def _count(connection: Connection, table: Table) -> int:
    return connection.scalar(select(func.count()).select_from(table)) or 0


def _text(value: bytes | None) -> str | None:
    return None if value is None else base64.b64encode(value).decode()


def _bytes(value: str | None) -> bytes | None:
    return None if value is None else base64.b64decode(value)
