"""The input of a command: a position, a kingdom or a record, from a text, a file or stdin."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeVar

import kingdomino as kd
from kingdomino.cli.files import parse_records, read_text
from kingdomino.display import SEAT_NAMES, distinct

_T = TypeVar("_T")
_Kind = Literal["position", "record", "kingdom"]
# Allow what the engine ignores around a text.
_KINDS: Final[dict[_Kind, re.Pattern[str]]] = {
    "position": re.compile(r"[\s\ufeff]*kd1\b"),
    "record": re.compile(r"[\s\ufeff]*(kingdomino-record\b|\{)"),
    "kingdom": re.compile(r"[\s\ufeff]*[wflgsm0-9./]*C[wflgsm0-9./]*[\s\ufeff]*\Z"),
}


@dataclass(frozen=True)
class Source:
    """A position with a seat to move, the players' names, and the action that was played, if known."""

    position: kd.Position
    names: list[str]
    played: kd.Action | None = None


def read(given: str, ply: int | None = None) -> Source:
    """Read a position, or a record at a ply (default: its last position).

    ``given`` is as for `load`. Raise `KingdominoError`, with the name of the file, or `OSError`.
    """
    found, where = load(given)
    if isinstance(found, kd.Record):
        return _at(found, where, ply)
    if isinstance(found, kd.Kingdom):
        raise kd.KingdominoError(
            f"{where}: a kingdom alone has nothing to choose; give a position or a record"
        )
    refuse_ply(ply, where)
    return Source(_with_choice(found, where), list(SEAT_NAMES[: found.rules.players]))


def load(given: str) -> tuple[kd.Position | kd.Record | kd.Kingdom, str]:
    """Return a position, a kingdom or the last record of a file, and the name of its source for messages.

    ``given`` is a text, the name of a file, or ``-`` for stdin. Raise `KingdominoError`, with the name of the file, or
    `OSError`.
    """
    if not given.strip():
        raise kd.KingdominoError(
            "this is empty: give the name of a file, the text of a position, or - to read from stdin"
        )
    text, where, kind = given, "", _kind(given)
    if kind is None or (kind == "kingdom" and Path(given).exists()):
        text, where = read_text(given)
        kind = _kind(text)
    where = where or str(kind)
    if kind == "record":
        return parse_records(text, where)[-1], where
    if kind == "position":
        return _named(where, kd.Position.parse, text), where
    if kind == "kingdom":
        return _named(where, _kingdom, text), where
    raise kd.RecordError(f"{where}: neither a position ('kd1 …'), a kingdom ('w1C/…') nor a record")


def _kind(text: str) -> _Kind | None:
    """Guess the kind of a text from its beginning."""
    return next((kind for kind, looks in _KINDS.items() if looks.match(text)), None)


def _kingdom(text: str) -> kd.Kingdom:
    """Read a kingdom of either size, which the text does not name."""
    try:
        return kd.Kingdom.parse(text)
    except kd.SetupError:
        return kd.Kingdom.parse(text, size=7)


def refuse_ply(ply: int | None, where: str) -> None:
    """Raise `KingdominoError` for a ply of a position."""
    if ply is not None:
        raise kd.KingdominoError(f"{where}: --ply is for records, and this is a position")


def check_ply(ply: int, count: int, where: str) -> None:
    """Raise `RecordError` unless ``ply`` is below ``count``, the number of decisions."""
    if ply >= count:
        raise kd.RecordError(f"{where}: there is no decision {ply}, only 0 to {count - 1}")


def _named(where: str, parse: Callable[[str], _T], text: str) -> _T:
    try:
        return parse(text)
    except kd.KingdominoError as error:
        raise kd.KingdominoError(f"{where}: {error}") from error


def _at(record: kd.Record, where: str, ply: int | None) -> Source:
    positions, actions = record.positions(), record.actions()
    if ply is None:
        if record.outcome() is not None:
            raise kd.RecordError(
                f"{where}: this game is over; choose a decision with --ply (0 to {len(actions) - 1})"
            )
        ply = len(actions)
    check_ply(ply, len(positions), where)
    names = distinct(record.players or SEAT_NAMES[: record.rules.players])
    played = actions[ply] if ply < len(actions) else None
    return Source(_with_choice(positions[ply], where), names, played)


def _with_choice(position: kd.Position, where: str) -> kd.Position:
    if position.is_over:
        raise kd.KingdominoError(f"{where}: the game is over, so there is nothing to choose")
    if position.to_move is None:
        due = "line is to be revealed" if position.due == "line" else "king is to be drawn"
        raise kd.KingdominoError(f"{where}: the next {due}, so there is no choice to make")
    return position
