"""Record files: one game, or the games of a Dynasty one after the other."""

from pathlib import Path

import kingdomino as kd


def read_records(path: Path) -> list[kd.Record]:
    """Read the records in a file; there is at least one.

    A file that begins with ``{`` is JSON. A text file may contain several records, each of which begins with the
    same line as the first. Raises `OSError`, or `RecordError` with the file's name.
    """
    try:
        text = path.read_text(encoding="utf-8").strip()
    except UnicodeDecodeError:
        raise kd.RecordError(f"{path}: not a text file") from None
    try:
        if text.startswith("{"):
            return [kd.Record.from_json(text)]
        return [kd.Record.parse(record) for record in _records(text)]
    except kd.KingdominoError as error:
        raise kd.RecordError(f"{path}: {error}") from error


def reason(error: Exception) -> str:
    """Say what was wrong in one line: ``game.txt: No such file or directory``."""
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split())


def _records(text: str) -> list[str]:
    first, *_ = lines = text.splitlines() or [""]
    starts = [number for number, line in enumerate(lines) if line == first]
    ends = [*starts[1:], len(lines)]
    return ["\n".join(lines[start:end]) for start, end in zip(starts, ends, strict=True)]
