"""What a command looks at: a position, from its text, a file or stdin, or a record at one of its plies."""

from __future__ import annotations

from dataclasses import dataclass

import kingdomino as kd
from kingdomino.cli.files import parse_records, read_text
from kingdomino.display import SEAT_NAMES, distinct

_POSITION = "kd1"


@dataclass(frozen=True)
class Source:
    """A position where a seat is to move, the players' names, and the action that was played there, if known."""

    position: kd.Position
    names: list[str]
    played: kd.Action | None = None


def read(given: str, ply: int | None = None) -> Source:
    """Read a position, or a record at a ply (default: where the game has got to).

    ``given`` is as for `load`. Raises `KingdominoError`, with the name of the file, or `OSError`.
    """
    found, where = load(given)
    if isinstance(found, kd.Record):
        return _at(found, where, ply)
    refuse_ply(ply, where)
    return Source(_with_choice(found, where), list(SEAT_NAMES[: found.rules.players]))


def load(given: str) -> tuple[kd.Position | kd.Record, str]:
    """Read a position or a record, of several the last. The second value names its source in messages.

    ``given`` is the text of a position, the name of a file with a position or a record, or ``-`` for stdin. Raises
    `KingdominoError`, with the name of the file, or `OSError`.
    """
    if given.startswith(f"{_POSITION} "):
        return _position(given, "position"), "position"
    text, where = read_text(given)
    begins = text.lstrip()  # an error in a record counts the lines before it
    if begins.startswith(_POSITION):
        return _position(begins.rstrip(), where), where
    if not begins.startswith(("{", "kingdomino-record")):
        raise kd.RecordError(f"{where}: neither a position ('{_POSITION} …') nor a record")
    return parse_records(text, where)[-1], where


def refuse_ply(ply: int | None, where: str) -> None:
    """Raise `KingdominoError` if a ply is given for a position."""
    if ply is not None:
        raise kd.KingdominoError(f"{where}: --ply is for records, and this is a position")


def check_ply(ply: int, count: int, where: str) -> None:
    """Raise `RecordError` unless a record with so many decisions has this one."""
    if ply >= count:
        raise kd.RecordError(f"{where}: there is no decision {ply}, only 0 to {count - 1}")


def _position(text: str, where: str) -> kd.Position:
    try:
        return kd.Position.parse(text)
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
