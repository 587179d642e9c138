"""Record files, of one game or of all games of a Dynasty, and messages about files."""

import sys
from errno import ENOTDIR
from pathlib import Path

import kingdomino as kd


def read_text(given: Path | str) -> tuple[str, str]:
    """Return the text of a file, or of stdin for ``-``, and its name for messages.

    Raise `OSError`, or `RecordError` with the file's name.
    """
    where = "stdin" if given == "-" else str(given)
    try:
        text = sys.stdin.read() if given == "-" else kd.games.read_text(Path(given))
    except (kd.RecordError, UnicodeDecodeError):
        raise kd.RecordError(f"{where}: not a text file") from None
    return text, where


def read_records(path: Path) -> list[kd.Record]:
    """Return the records in a file, at least one. Raise `OSError`, or `RecordError` with the file's name."""
    return parse_records(*read_text(path))


def parse_records(text: str, where: str) -> list[kd.Record]:
    """Return the records in a text, at least one. Raise `RecordError`, beginning with ``where``."""
    try:
        return kd.games.parse(text)
    except kd.KingdominoError as error:
        raise kd.RecordError(f"{where}: {error}") from error


def check_folders(*files: Path | str | None) -> None:
    """Raise `NotADirectoryError` unless each file's folder exists: refuse before the work, not after it."""
    for file in files:
        folder = Path(file or ".").parent
        if not folder.is_dir():
            raise NotADirectoryError(ENOTDIR, "no such folder", str(folder))


def reason(error: Exception) -> str:
    """Return an error's message on one line: ``game.txt: No such file or directory``."""
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split())
