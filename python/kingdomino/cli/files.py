"""Record files: one game, or the games of a Dynasty one after the other."""

import sys
from errno import ENOTDIR
from pathlib import Path

import kingdomino as kd


def read_text(given: Path | str) -> tuple[str, str]:
    """Read a file, or stdin for the text ``-``. The second value names it in messages.

    Raises `OSError`, or `RecordError` with the file's name.
    """
    where = "stdin" if given == "-" else str(given)
    try:
        text = sys.stdin.read() if given == "-" else kd.games.read_text(Path(given))
    except (kd.RecordError, UnicodeDecodeError):
        raise kd.RecordError(f"{where}: not a text file") from None
    return text, where


def read_records(path: Path) -> list[kd.Record]:
    """Read the records in a file; there is at least one. Raises `OSError`, or `RecordError` with the file's name."""
    return parse_records(*read_text(path))


def parse_records(text: str, where: str) -> list[kd.Record]:
    """Read the records in a text; there is at least one.

    Raises `RecordError`, which begins with ``where``.
    """
    try:
        return kd.games.parse(text)
    except kd.KingdominoError as error:
        raise kd.RecordError(f"{where}: {error}") from error


def check_folders(*files: Path | str | None) -> None:
    """Raise `NotADirectoryError` unless each file has a folder: better before the work than when it is written."""
    for file in files:
        folder = Path(file or ".").parent
        if not folder.is_dir():
            raise NotADirectoryError(ENOTDIR, "no such folder", str(folder))


def reason(error: Exception) -> str:
    """Say what was wrong in one line: ``game.txt: No such file or directory``."""
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split())
