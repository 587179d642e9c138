"""A folder of backups: the newest of each of the last days and weeks, and whether the last attempt failed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final, NamedTuple

from kingdomino.server.storage.backup import Backup, Told, check, save
from kingdomino.server.storage.connecting import StorageError

__all__ = ["Saved", "has_failed", "kept", "newest", "save_generation"]

_NAME: Final = "kingdomino-%Y%m%dT%H%M%SZ.backup"
_FAILED: Final = "failed"
"""The file that says why the last attempt failed."""
_DAYS: Final = 7
_WEEKS: Final = 4


class Saved(NamedTuple):
    """A new backup, and how many older ones were deleted."""

    file: Path
    backup: Backup
    deleted: int


def save_generation(url: str, folder: Path, told: Told = lambda _: None) -> Saved:
    """Write a backup into a folder, then delete those that are not `kept`.

    Nothing is deleted before the new one has been read again from the disk and found whole. Other files in the folder
    are left alone. Raises `StorageError` or another `OSError`, and notes that it failed.
    """
    now = datetime.now(UTC).replace(microsecond=0)
    file = folder / now.strftime(_NAME)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        backup = _save_whole(url, file, told)
    except OSError as error:
        with suppress(OSError):  # perhaps it failed because nothing can be written there
            (folder / _FAILED).write_text(f"{error}\n", encoding="utf-8")
        raise
    (folder / _FAILED).unlink(missing_ok=True)
    files = _files(folder)
    old = (
        files.keys() - kept(files) - {now}
    )  # the new one stays even if the others are from a wrong clock's future
    for made in old:
        files[made].unlink()
    return Saved(file, backup, len(old))


def _save_whole(url: str, file: Path, told: Told) -> Backup:
    """Write a backup and read it again. Raises `StorageError` or another `OSError`; then there is no file."""
    backup, is_whole = save(url, file, told=told), False
    try:
        is_whole = check(file) == backup
    finally:
        if not is_whole:
            file.unlink()
    if not is_whole:
        raise StorageError(f"{file}: this was not what had been written")
    return backup


def kept(made: Iterable[datetime]) -> set[datetime]:
    """Return which of these backups stay: the newest of each of the last 7 days and 4 weeks that have one."""
    days: dict[date, datetime] = {}
    weeks: dict[tuple[int, int], datetime] = {}
    for moment in sorted(made, reverse=True):
        days.setdefault(moment.date(), moment)
        year, week, _ = moment.isocalendar()
        weeks.setdefault((year, week), moment)
    return {*list(days.values())[:_DAYS], *list(weeks.values())[:_WEEKS]}


def newest(folder: Path) -> datetime | None:
    """Return when the newest backup in a folder was made; `None`: there is none, or no such folder."""
    return max(_files(folder), default=None)


def has_failed(folder: Path) -> bool:
    """Return whether the last attempt to write a backup into a folder has failed."""
    return (folder / _FAILED).exists()


def _files(folder: Path) -> dict[datetime, Path]:
    """Return the backups in a folder by the time that their names say."""
    files = {}
    with suppress(OSError):
        for name in os.listdir(folder):  # noqa: PTH208
            with suppress(ValueError):
                files[datetime.strptime(name, _NAME).replace(tzinfo=UTC)] = folder / name
    return files
