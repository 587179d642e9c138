"""Collections of records: files, folders, and the games of arena runs.

    >>> import kingdomino as kd
    >>> text = kd.Record.from_game(kd.Game(seed=7), ["Ida", "Oskar"]).to_text()
    >>> [record.players for record in kd.games.parse(text + text)]
    [('Ida', 'Oskar'), ('Ida', 'Oskar')]

A list of them is filtered like any list: ``[record for record in kd.games.read("games/") if "Ida" in record.players]``.
`rows` makes a table of the results, which pandas and Polars take.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import Final, TypedDict

from kingdomino._core import Record
from kingdomino.bots import record_tag, without_seed
from kingdomino.errors import BotError, RecordError

__all__ = ["Row", "parse", "read", "rows"]

_UTF_8: Final = "utf-8-sig"  # UTF-8 with or without the mark that Windows puts first
_FIRST_WORD: Final = "kingdomino-record "
_SUFFIXES: Final = (".txt", ".json", ".jsonl")


class Row(TypedDict):
    """The result of one seat in a finished game.

    game: the number of the record, from 0. file: its name, or `None` for a record that was not read from one here.
    rules: the text of the rules. seed: `None` if it is unknown. player: `None` if the record has no names. bot: the
    canonical spec string without the seed, the same in every game; `None` for a person. tags: those of the record.
    score, harmony, middle_kingdom: points. place: from 1. share: of the victory, 1/k if k share it. margin: the score
    minus the best opponent's.
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


def read(*paths: str | PathLike[str]) -> Iterator[Record]:
    """Read the records in files and folders, one at a time.

    A file whose name ends in ``.jsonl`` has a record in JSON on each line; or it is the store of an arena run, whose
    games are read. Any other file is read as `parse` reads its text. In a folder, and the folders in it, all files
    whose names end in ``.txt``, ``.json`` or ``.jsonl`` are read, by name.

    Raises `OSError`, or `RecordError` with the file's name and, in ``.jsonl``, the number of the line.
    """
    return (record for _, record in _read(paths))


def parse(text: str) -> list[Record]:
    """Read the records in a text, one after the other; there is at least one. Raises `RecordError`.

    A text that begins with ``{`` is one record in JSON.
    """
    if text.lstrip().startswith("{"):
        return [Record.from_json(text)]
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines) if line.lstrip().startswith(_FIRST_WORD)]
    if not starts or any(map(str.strip, lines[: starts[0]])):
        starts.insert(0, 0)
    ends = [*starts[1:], len(lines)]
    return [_parse(lines[start:end], start) for start, end in zip(starts, ends, strict=True)]


def _parse(lines: list[str], before: int) -> Record:
    """Read the record in these lines; an error counts the lines before them, too."""
    try:
        return Record.parse("\n".join(lines))
    except RecordError as error:
        if error.number is None:
            raise
        number = before + error.number
        message = f"line {number}: {str(error).removeprefix(f'line {error.number}: ')}"
        fault = error.fault and error.fault._replace(sentence=message)
        raise RecordError(message, fault, number, error.refusal) from None


def _read(paths: Iterable[str | PathLike[str]]) -> Iterator[tuple[Path, Record]]:
    for path in map(Path, paths):
        for file in _files(path):
            for record in _lines(file) if file.suffix == ".jsonl" else _texts(file):
                yield file, record


def rows(records: Iterable[Record] | str | PathLike[str]) -> Iterator[Row]:
    """Return the results of the finished games among these, a row for each seat.

    records: records, or the name of a file or a folder, which is read as `read` reads it.

    >>> import kingdomino as kd
    >>> game, greedy = kd.Game(seed=7), kd.bots.make("greedy")
    >>> while not game.is_over:
    ...     game.play(greedy.choose(game.position))
    >>> [(row["seat"], row["score"], row["margin"]) for row in rows([kd.Record.from_game(game)])]
    [(0, 29, -5), (1, 34, 5)]
    """
    found: Iterable[tuple[Path | None, Record]]
    found = (
        _read([records]) if isinstance(records, str | PathLike) else ((None, record) for record in records)
    )
    for number, (file, record) in enumerate(found):
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
    """Return the spec of the bot in a seat, the same in every game. A spec that nobody can read stays as it is."""
    spec = record.tags.get(record_tag(seat))
    try:
        return spec and without_seed(spec)
    except BotError:
        return spec


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.rglob("*") if file.suffix in _SUFFIXES and file.is_file())


def _texts(file: Path) -> list[Record]:
    try:
        return parse(read_text(file))
    except RecordError as error:
        raise _named(str(file), error) from None


def read_text(file: Path) -> str:
    """Read a text file. Raises `OSError`, or `RecordError`."""
    try:
        return file.read_text(encoding=_UTF_8)
    except UnicodeDecodeError:
        raise RecordError("not a text file") from None


def _lines(file: Path) -> Iterator[Record]:
    """Read one record a line. An arena run that was killed leaves half a line, and names it when it is resumed.

    If it is killed again while it writes that, there are several half lines in a row.
    """
    half, is_store = 0, False
    with file.open(encoding=_UTF_8, errors="surrogateescape") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            value = _object(line)
            if value is None:
                half = half or number
                continue
            is_store |= "plan" in value
            if half and "cut" not in value:
                raise _not_json(file, half)
            half = 0
            if "record" in value or not is_store:
                yield _record(value.get("record", value), f"{file}, line {number}")
    if half and not is_store:
        raise _not_json(file, half)


def _object(line: str) -> dict[str, object] | None:
    """Read an object; None if the line is not one."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _record(value: object, where: str) -> Record:
    try:
        return Record.from_json(json.dumps(value))
    except RecordError as error:
        raise _named(where, error) from None


def _named(where: str, error: RecordError) -> RecordError:
    """Give the same error, with where the record is."""
    return RecordError(f"{where}: {error}", error.fault, error.number, error.refusal)


def _not_json(file: Path, line: int) -> RecordError:
    return RecordError(f"{file}, line {line}: not an object in JSON")
