"""The store: every game of a run, one line of JSON each, only ever appended to.

The first line holds the format and the plan; then come the facts of each stretch of the run, and the
games in the order in which they ended. Each line carries a checksum of its own. A run that was killed may
leave half a line: whoever goes on ends that line and names it on the next, so that nothing is ever
taken away (docs/formats/arena.md).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from filelock import FileLock, Timeout

import kingdomino as kd
from kingdomino.arena import plan_file, played
from kingdomino.arena.facts import Facts
from kingdomino.arena.plan import Plan
from kingdomino.arena.played import Game
from kingdomino.arena.schedule import Fixture, schedule

FORMAT = "kingdomino-arena 1"
_CHECK = b',"check":"'


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
    return _read(path)[0]


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
            stored, mending = _read(path)
            _check_same(path, stored, plan, facts)
            file.write(mending)
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


def _read(path: Path) -> tuple[Stored, bytes]:
    """Read a store, and give what has to be written first by whoever goes on with it."""
    reader = _Reader(path)
    number, line = 0, b""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            reader.take(number, _unseal(line.removesuffix(b"\n")))
    if reader.plan is None:
        raise kd.ArenaError(f"{path}: line 1 is cut off, and no game is here: delete it to begin again")
    mending = b""
    if not line.endswith(b"\n"):
        mending = b"\n" + (seal({"cut": number}) if reader.damaged else b"")
    elif reader.damaged:
        reader.refuse(reader.damaged)
    return Stored(reader.plan, tuple(reader.facts), reader.games), mending


class _Reader:
    """Takes one line after the other. `damaged` is the number of the last line if that was no whole one."""

    def __init__(self, path: Path) -> None:
        self.plan: Plan | None = None
        self.facts: list[Facts] = []
        self.games: dict[int, Game] = {}
        self.damaged = 0
        self._path = path
        self._fixtures: list[Fixture] = []

    def take(self, number: int, line: dict[str, Any] | None) -> None:
        """Take what a line holds, or nothing where it is damaged. Raises `ArenaError`."""
        if self.damaged and line != {"cut": self.damaged}:
            self.refuse(self.damaged)
        self.damaged = 0 if line is not None else number
        if line is None:
            return
        try:
            if self.plan is None:
                self._begin(line)
            else:
                self._add(line)
        except KeyError as error:
            raise kd.ArenaError(f"{self._path}, line {number}: {error} is missing") from error
        except (TypeError, ValueError, AttributeError) as error:
            raise kd.ArenaError(f"{self._path}, line {number}: {error}") from error

    def refuse(self, number: int) -> NoReturn:
        """Say that a line is damaged."""
        what = "damaged, its checksum is another one" if self.plan else "damaged, or no store of an arena"
        raise kd.ArenaError(f"{self._path}, line {number}: {what}")

    def _begin(self, line: dict[str, Any]) -> None:
        if line["format"] != FORMAT:
            raise ValueError(f"format {line['format']!r}; this program reads {FORMAT!r}")
        self.plan = plan_file.from_mapping(line["plan"])
        self._fixtures = list(schedule(self.plan))

    def _add(self, line: dict[str, Any]) -> None:
        if "run" in line:
            self.facts.append(Facts(**line["run"]))
        elif "game" in line:
            number = line["game"]
            if number in self.games:
                raise ValueError(f"game {number} is here for the second time")
            if not 0 <= number < len(self._fixtures):
                raise ValueError(f"the plan has no game {number}")
            self.games[number] = played.from_mapping(line, self._fixtures[number])
        elif "cut" not in line:
            raise ValueError("neither a run nor a game")


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
