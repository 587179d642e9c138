"""A folder of backups: the newest of each of the last days and weeks, and whether the last attempt failed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final, NamedTuple

from kingdomino.server.storage.backup import Backup, Progress, check, save
from kingdomino.server.storage.connecting import StorageError

__all__ = ["SavedBackup", "has_failed", "newest", "save_generation", "to_keep"]

_NAME: Final = "kingdomino-%Y%m%dT%H%M%SZ.backup"
_FAILED: Final = "failed"
"""Name of the file with the error of the last attempt."""
_DAYS: Final = 7
_WEEKS: Final = 4


class SavedBackup(NamedTuple):
    """A new backup, and the number of older ones deleted."""

    file: Path
    backup: Backup
    deleted: int


def save_generation(url: str, folder: Path, progress: Progress = lambda _: None) -> SavedBackup:
    """Write a backup into a folder, read it again from the disk, then delete old ones except `to_keep`.

    Leaves other files in the folder alone. Raises `StorageError` or another `OSError`, and records the error.
    """
    now = datetime.now(UTC).replace(microsecond=0)
    file = folder / now.strftime(_NAME)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        backup = _save_whole(url, file, progress)
    except OSError as error:
        with suppress(OSError):  # the folder may be read-only
            (folder / _FAILED).write_text(f"{error}\n", encoding="utf-8")
        raise
    (folder / _FAILED).unlink(missing_ok=True)
    files = _files(folder)
    # The new one stays even if a wrong clock has dated the others in the future.
    old = files.keys() - to_keep(files) - {now}
    for made in old:
        files[made].unlink()
    return SavedBackup(file, backup, len(old))


def _save_whole(url: str, file: Path, progress: Progress) -> Backup:
    """Write a backup and read it again. Raises `StorageError` or another `OSError`, and then leaves no file."""
    backup, is_whole = save(url, file, progress=progress), False
    try:
        is_whole = check(file) == backup
    finally:
        if not is_whole:
            file.unlink()
    if not is_whole:
        raise StorageError(f"{file}: the file differs from what was written")
    return backup


def to_keep(made: Iterable[datetime]) -> set[datetime]:
    """Return the backups to keep: the newest of each of the last 7 days and 4 weeks that have one."""
    days: dict[date, datetime] = {}
    weeks: dict[tuple[int, int], datetime] = {}
    for moment in sorted(made, reverse=True):
        days.setdefault(moment.date(), moment)
        year, week, _ = moment.isocalendar()
        weeks.setdefault((year, week), moment)
    return {*list(days.values())[:_DAYS], *list(weeks.values())[:_WEEKS]}


def newest(folder: Path) -> datetime | None:
    """Return when the newest backup in a folder was made; `None` if there is none, or no such folder."""
    return max(_files(folder), default=None)


def has_failed(folder: Path) -> bool:
    """Return whether the last attempt to write a backup into a folder failed."""
    return (folder / _FAILED).exists()


def _files(folder: Path) -> dict[datetime, Path]:
    """Return the backups in a folder by the time in their names."""
    files = {}
    with suppress(OSError):
        for name in os.listdir(folder):  # noqa: PTH208
            with suppress(ValueError):
                files[datetime.strptime(name, _NAME).replace(tzinfo=UTC)] = folder / name
    return files
