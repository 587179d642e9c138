"""Collections of records: files, folders, and the games of arena runs.

    >>> import kingdomino as kd
    >>> text = kd.Record.from_game(kd.Game(seed=7), ["Ida", "Oskar"]).to_text()
    >>> [record.players for record in kd.games.parse(text + text)]
    [('Ida', 'Oskar'), ('Ida', 'Oskar')]

Filter records like any list: ``[record for record in kd.games.read("games/") if "Ida" in record.players]``. `rows`
returns a table of the results for pandas or Polars. A faulty record need not stop `read`:

    >>> faults = []
    >>> records = kd.games.read("games/", on_error=faults.append)  # or on_error="skip"
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import IO, Final, Literal, TypeAlias, TypedDict

from kingdomino._core import Record
from kingdomino.bots import record_tag, without_seed
from kingdomino.errors import BotError, KingdominoError, RecordError

__all__ = ["OnError", "Row", "parse", "read", "rows"]

OnError: TypeAlias = Literal["raise", "skip"] | Callable[[RecordError], object]
"""How `read` handles a faulty record."""

_UTF_8: Final = "utf-8-sig"  # UTF-8 with or without the mark that Windows puts first
_SUFFIXES: Final = (".txt", ".json", ".jsonl")
_COMPRESSED: Final = ".gz"
_DAMAGED: Final = (EOFError, zlib.error, gzip.BadGzipFile)


class Row(TypedDict):
    """The result of one seat in a finished game.

    game: the number of the record, from 0. file: its file, or `None` if it was not read from one. rules: the text of
    the rules. seed: `None` if unknown. player: `None` if the record has no names. bot: the canonical spec string
    without the seed, the same in every game; `None` for a person. tags: the record's. score, harmony, middle_kingdom:
    points. place: from 1. share: of the victory, 1/k if k seats share it. margin: the score minus the best opponent's.
    """

    game: int
    file: str | None
    rules: str
    seed: int | None
    seat: int
    player: str | None
    bot: str | None
    tags: dict[str, str]
    score: int
    harmony: int
    middle_kingdom: int
    place: int
    share: float
    margin: int


def read(*paths: str | PathLike[str], on_error: OnError = "raise") -> Iterator[Record]:
    """Return the records in files and folders, one at a time.

    A file ending in ``.jsonl`` has a record in JSON on each line, or is the store of an arena run. `parse` reads the
    text of any other file. Each may be compressed, with the ending ``.gz``. In a folder and its subfolders, read all
    files ending in ``.txt``, ``.json`` or ``.jsonl``, with or without ``.gz``, by name.

    on_error: how to handle a faulty record, or a file that is not text. "raise" raises `RecordError`; "skip" skips the
    record; a function is called with the error before going on. The error has ``file``, and ``record`` and ``line`` if
    known.

    Raises `OSError` for a file that cannot be opened, and `KingdominoError` for another ``on_error``.
    """
    if not callable(on_error) and on_error not in ("raise", "skip"):
        raise KingdominoError(f"on_error is 'raise', 'skip' or a function, not {on_error!r}")
    return (record for _, record in _read(paths, on_error))


def parse(text: str) -> list[Record]:
    """Return the records in a text, at least one. Raises `RecordError`.

    Each is in one of the two forms of `Record.parse`; in JSON, each is on one line.
    """
    return [_parse(part, before) for before, part in Record.split(text)]


def _parse(text: str, before: int) -> Record:
    """Parse the record in a text. Line numbers in errors include the ``before`` lines."""
    try:
        return Record.parse(text)
    except RecordError as error:
        if not before or error.number is None:
            raise
        return Record.parse("\n" * before + text)  # raises the same error with the right number


def _read(paths: Iterable[str | PathLike[str]], on_error: OnError) -> Iterator[tuple[Path, Record]]:
    for path in map(Path, paths):
        for file in _files(path):
            for found in _found(file):
                if isinstance(found, Record):
                    yield file, found
                elif on_error == "raise":
                    raise found
                elif callable(on_error):
                    on_error(found)


def rows(records: Iterable[Record] | str | PathLike[str]) -> Iterator[Row]:
    """Return the results of the finished games among these, a row for each seat.

    records: records, or the name of a file or a folder for `read`.

    >>> import kingdomino as kd
    >>> game, greedy = kd.Game(seed=7), kd.bots.make("greedy")
    >>> while not game.is_over:
    ...     _ = game.play(greedy.choose(game.position))
    >>> [(row["seat"], row["score"], row["margin"]) for row in rows([kd.Record.from_game(game)])]
    [(0, 29, -5), (1, 34, 5)]
    """
    found: Iterable[tuple[Path | None, Record]]
    found = (
        _read([records], "raise")
        if isinstance(records, str | PathLike)
        else ((None, record) for record in records)
    )
    for number, (file, record) in enumerate(found):
        if not isinstance(record, Record):
            raise TypeError(f"rows takes records or the name of a file or folder, not {record!r} among them")
        outcome = record.outcome()
        if outcome is None:
            continue
        for seat, score in enumerate(outcome.scores):
            yield Row(
                game=number,
                file=None if file is None else str(file),
                rules=record.rules.to_text(),
                seed=record.seed,
                seat=seat,
                player=record.players[seat] if record.players else None,
                bot=_bot(record, seat),
                tags=record.tags,
                score=score.total,
                harmony=score.harmony,
                middle_kingdom=score.middle_kingdom,
                place=outcome.places[seat],
                share=outcome.shares[seat],
                margin=outcome.margins[seat],
            )


def _bot(record: Record, seat: int) -> str | None:
    """Return the spec of the bot in a seat without its seed. An invalid spec stays as it is."""
    spec = record.tags.get(record_tag(seat))
    try:
        return spec and without_seed(spec)
    except BotError:
        return spec


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.rglob("*") if _form(file) in _SUFFIXES and file.is_file())


def _form(file: Path) -> str:
    """Return the ending of the name, ignoring `.gz`."""
    return (file.with_suffix("") if file.suffix == _COMPRESSED else file).suffix


def _open(file: Path, errors: str | None = None) -> IO[str]:
    if file.suffix == _COMPRESSED:
        return gzip.open(file, "rt", encoding=_UTF_8, errors=errors)
    return file.open(encoding=_UTF_8, errors=errors)


def _found(file: Path) -> Iterator[Record | RecordError]:
    """Read a file: yield its records, and the errors of faulty ones."""
    try:
        yield from _lines(file) if _form(file) == ".jsonl" else _texts(file)
    except _DAMAGED:
        yield _located(_damaged(), file)


def _texts(file: Path) -> Iterator[Record | RecordError]:
    try:
        text = read_text(file)
    except RecordError as error:
        yield _located(error, file)
        return
    for number, (before, part) in enumerate(Record.split(text), 1):
        try:
            yield _parse(part, before)
        except RecordError as error:
            # In JSON the number counts events, not lines.
            is_line = error.number is not None and not part.lstrip().startswith("{")
            yield _located(error, file, number, error.number if is_line else before + 1, says_line=is_line)


def read_text(file: Path) -> str:
    """Read a text file. Raises `OSError`, or `RecordError`."""
    try:
        with _open(file) as opened:
            return opened.read()
    except UnicodeDecodeError:
        raise RecordError("not a text file") from None
    except _DAMAGED:
        raise _damaged() from None


def _lines(file: Path) -> Iterator[Record | RecordError]:
    """Read one record per line. Skip incomplete lines of an arena run that was killed and resumed (see arena.store)."""
    halves, is_store, count = list[int](), False, 0
    with _open(file, errors="surrogateescape") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            value = _object(line)
            if value is None:
                halves.append(number)
                continue
            is_store |= "plan" in value
            if "cut" not in value:
                for half in halves:
                    count += 1
                    yield _no_object(file, count, half)
            halves = []
            if "record" in value or not is_store:
                count += 1
                yield _record(value.get("record", value), file, count, number)
    if not is_store:
        for half in halves:
            count += 1
            yield _no_object(file, count, half)


def _object(line: str) -> dict[str, object] | None:
    """Parse a JSON object; None if the line is not one."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _record(value: object, file: Path, number: int, line: int) -> Record | RecordError:
    try:
        return Record.from_json(json.dumps(value))
    except RecordError as error:
        return _located(error, file, number, line)


def _no_object(file: Path, number: int, line: int) -> RecordError:
    return _located(RecordError("not an object in JSON"), file, number, line)


def _damaged() -> RecordError:
    return RecordError("not a whole gzip file")


def _located(
    error: RecordError,
    file: Path,
    record: int | None = None,
    line: int | None = None,
    *,
    says_line: bool = False,
) -> RecordError:
    """Return the same error with the record's place. ``says_line``: its sentence already has the line."""
    where = str(file) if line is None or says_line else f"{file}, line {line}"
    located = RecordError(f"{where}: {error}", error.fault, error.number, error.refusal)
    located.file, located.record, located.line = str(file), record, line
    return located
