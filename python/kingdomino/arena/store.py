"""The store: every game of a run, one line of JSON each, only ever appended to.

The first line holds the format and the plan; then come the facts of each stretch of the run, and the
games in the order in which they ended. Each line carries a checksum of its own. A run that was killed may
leave half a line: whoever goes on ends that line and names it on the next, so that nothing is ever
taken away (docs/formats/arena.md). Imports `plan_file`, `played`, `schedule`, `facts` and filelock.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from filelock import FileLock, Timeout

import kingdomino as kd
from kingdomino.arena import plan_file, played
from kingdomino.arena.facts import Facts
from kingdomino.arena.plan import Plan
from kingdomino.arena.played import Game
from kingdomino.arena.schedule import schedule

FORMAT = "kingdomino-arena 1"
_CHECK = b',"check":"'

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Stored:
    """What a store holds: the plan, the facts of each stretch, and the games by number."""

    plan: Plan
    facts: tuple[Facts, ...]
    games: Mapping[int, Game]


class Writer:
    """A store that is open for writing. `games` are all so far, by number."""

    def __init__(self, file: BinaryIO, facts: Facts, games: Mapping[int, Game]) -> None:
        self._file = file
        self._begin = seal({"run": facts.to_mapping()})
        self.games = dict(games)

    def append(self, game: Game) -> None:
        """Write a game down, the first after the facts. It is with the system before this returns."""
        self._file.write(self._begin + seal(played.to_mapping(game)))
        self._file.flush()
        self._begin = b""
        self.games[game.fixture.number] = game


def read(path: Path) -> Stored:
    """Read a store; half a line at its end is passed over.

    Raises `OSError`, or `ArenaError` which names the line.
    """
    return _interpret(path, _lines(path))


@contextmanager
def open_to_write(path: Path, plan: Plan, facts: Facts) -> Iterator[Writer]:
    """Begin a store, or go on with one of the same plan and the same version of the program.

    Raises `OSError`, or `ArenaError` when somebody else is writing to it, when its plan is another one
    (it says which keys differ), and for a damaged store.
    """
    with _locked(path), path.open("ab") as file:
        games: Mapping[int, Game] = {}
        if file.tell() == 0:
            file.write(seal({"format": FORMAT, "plan": plan_file.to_mapping(plan)}))
        else:
            stored = _interpret(path, lines := _lines(path))
            _check_same(path, stored, plan, facts)
            file.write(_mending(path, len(lines)))
            games = stored.games
        yield Writer(file, facts, games)
        os.fsync(file.fileno())


def seal(mapping: Mapping[str, Any]) -> bytes:
    """Write one line, with a checksum: the first 16 digits of the SHA-256 of all that stands before it."""
    body = json.dumps(mapping, ensure_ascii=False, separators=(",", ":"))[:-1].encode()
    return body + _CHECK + _digest(body) + b'"}\n'


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    try:
        with FileLock(path.with_name(f"{path.name}.lock"), timeout=0):
            yield
    except Timeout:
        raise kd.ArenaError(f"{path}: another run is writing to it") from None


def _unseal(line: bytes) -> dict[str, Any] | None:
    """Give what a line holds, or nothing where it is not as it was written."""
    body = line[: line.rfind(_CHECK)]
    if line != body + _CHECK + _digest(body) + b'"}':
        return None
    mapping: dict[str, Any] = json.loads(body + b"}")
    return mapping


def _digest(body: bytes) -> bytes:
    return sha256(body).hexdigest()[:16].encode()


def _lines(path: Path) -> list[dict[str, Any] | None]:
    """Read the lines; nothing stands for a damaged one. Half a line at the end is left out."""
    *whole, rest = path.read_bytes().split(b"\n")
    lines = [_unseal(line) for line in whole]
    if rest and (last := _unseal(rest)) is not None:
        lines.append(last)  # only its end is missing
    return lines


def _mending(path: Path, sound: int) -> bytes:
    """Give what has to be written first where the file does not end with a whole line."""
    *whole, rest = path.read_bytes().split(b"\n")
    if not rest:
        return b""
    return b"\n" if sound > len(whole) else b"\n" + seal({"cut": sound + 1})


def _interpret(path: Path, lines: list[dict[str, Any] | None]) -> Stored:
    if not lines:
        raise kd.ArenaError(f"{path}: line 1 is cut off, and no game is here: delete it to begin again")
    facts: list[Facts] = []
    games: dict[int, Game] = {}
    plan = _at(path, 1, partial(_plan, lines[0]))
    fixtures = list(schedule(plan))

    def take(line: dict[str, Any]) -> None:
        if "run" in line:
            facts.append(Facts(**line["run"]))
        elif "game" in line:
            number = line["game"]
            if number in games:
                raise ValueError(f"game {number} is here for the second time")
            if not 0 <= number < len(fixtures):
                raise ValueError(f"the plan has no game {number}")
            games[number] = played.from_mapping(line, fixtures[number])
        elif "cut" not in line:
            raise ValueError("neither a run nor a game")

    for number, line in enumerate(lines[1:], 2):
        if line is not None:
            _at(path, number, partial(take, line))
        elif lines[number : number + 1] != [{"cut": number}]:
            raise kd.ArenaError(f"{path}, line {number}: damaged, its checksum is another one")
    return Stored(plan, tuple(facts), games)


def _plan(line: dict[str, Any] | None) -> Plan:
    if line is None:
        raise ValueError("damaged, or no store of an arena")
    if line["format"] != FORMAT:
        raise ValueError(f"format {line['format']!r}; this program reads {FORMAT!r}")
    return plan_file.from_mapping(line["plan"])


def _at(path: Path, number: int, read: Callable[[], Value]) -> Value:
    try:
        return read()
    except KeyError as error:
        raise kd.ArenaError(f"{path}, line {number}: {error} is missing") from error
    except (TypeError, ValueError, AttributeError) as error:
        raise kd.ArenaError(f"{path}, line {number}: {error}") from error


def _check_same(path: Path, stored: Stored, plan: Plan, facts: Facts) -> None:
    if differ := plan_file.differences(stored.plan, plan):
        raise kd.ArenaError(
            f"{path}: it holds games of another plan, which differs in {', '.join(differ)}; "
            "choose another folder with --out"
        )
    if stored.facts and stored.facts[-1].version != facts.version:
        raise kd.ArenaError(
            f"{path}: it was begun with kingdomino {stored.facts[-1].version}, and this is {facts.version}: "
            "games of two versions do not mix"
        )
