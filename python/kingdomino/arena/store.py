"""The store: every game of a run, one line of JSON each, in a file that is only appended to.

docs/formats/arena.md describes the lines. A run that was killed may leave half a line. When the run is resumed, it
ends that line and names it on the next one, so nothing is ever removed. If it is killed while it writes that, half
of one more line is left, and the next run names the first of them.
"""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import sha256
from io import FileIO
from pathlib import Path
from typing import Any, NoReturn

from filelock import FileLock, Timeout

import kingdomino as kd
from kingdomino.arena import plan as plans
from kingdomino.arena import play
from kingdomino.arena.plan import Plan
from kingdomino.arena.play import Game
from kingdomino.arena.schedule import Fixture, first_block, numbered
from kingdomino.display import counted
from kingdomino.machine import available_cores, processor

FILE = "games.jsonl"
"""The name of the store in the folder of a run."""
FORMAT = "kingdomino-arena 1"
_CHECK = b',"check":"'
_WHOLE = re.compile(b"(.*)" + _CHECK + b'(.{16})"}\n?', re.DOTALL)
"""A line that was written to its end: what the checksum is of, and the checksum."""


@dataclass(frozen=True, slots=True)
class RunInfo:
    """What results depend on besides the plan: date (UTC), command, versions, machine. No user or host name.

    A run that is stopped and resumed has one for each part. `commit` names the commit that the program was built from;
    None if that is not known, as in stores from before it was recorded.
    """

    date: str
    command: str
    on: str
    jobs: int | None
    version: str
    python: str
    system: str
    processor: str
    cores: int
    commit: str | None = None

    @classmethod
    def of_this_machine(cls, command: str, on: str, jobs: int | None, commit: str | None) -> RunInfo:
        """Describe a run that starts now in this process."""
        return cls(
            date=datetime.now(UTC).date().isoformat(),
            command=command,
            on=on,
            jobs=jobs,
            version=kd.__version__,
            python=platform.python_version(),
            system=f"{platform.system()} {platform.machine()}",
            processor=processor(),
            cores=available_cores(),
            commit=commit,
        )

    @property
    def build(self) -> str:
        """The version and the commit: ``0.1.0 (3f2c1a9b8d7e)``, or the version alone."""
        return f"{self.version} ({self.commit})" if self.commit else self.version


@dataclass(frozen=True, slots=True)
class Stored:
    """The contents of a store: the plan, the information on each part of the run, and the games by number."""

    plan: Plan
    runs: tuple[RunInfo, ...]
    games: Mapping[int, Game]


class Writer:
    """A store that is open for writing. `games` are all games so far, by number."""

    def __init__(self, file: FileIO, info: RunInfo, games: Mapping[int, Game]) -> None:
        self._file = file
        self._run_line = to_line({"run": asdict(info)})
        self.games = dict(games)

    def append(self, game: Game) -> None:
        """Write a game; before the first one, the information on the run.

        Raises `ArenaError` when it cannot be written, like on a full disk. The games before it are kept.
        """
        try:
            _write(self._file, self._run_line + to_line(play.to_mapping(game)))
        except OSError as error:
            raise kd.ArenaError(
                f"{self._file.name}: {error.strerror}; the {counted(len(self.games), 'game')} before are kept, "
                "and the run can be resumed"
            ) from error
        self._run_line = b""
        self.games[game.fixture.number] = game


def read(path: Path) -> Stored:
    """Read a store; half a line at its end is ignored. Raises `OSError`, or `ArenaError` with the line number."""
    return _read(path)[0]


@contextmanager
def open_to_write(path: Path, plan: Plan, info: RunInfo) -> Iterator[Writer]:
    """Create a store, or resume one with the same plan and the same build of the program.

    A store that does not say its commit, because it is older than that entry, may be resumed with any commit of the
    same version. The plan's name and note may be others; those in the store stay. Raises `OSError`, or `ArenaError`
    when another run is writing to it, when its plan is different (the message says in which keys), when it was begun
    with another build, and when it is damaged.
    """
    with _locked(path), path.open("ab", buffering=0) as file:
        games: Mapping[int, Game] = {}
        if file.tell() == 0:
            _write(file, to_line({"format": FORMAT, "plan": plans.to_mapping(plan)}))
        else:
            stored, repair = _read(path)
            _check_same(path, stored, plan, info)
            _write(file, repair)
            games = stored.games
        yield Writer(file, info, games)
        os.fsync(file.fileno())


def _write(file: FileIO, content: bytes) -> None:
    """Write all of it. Without a buffer, since closing a buffer that could not be written raises another error."""
    rest = memoryview(content)
    while rest:
        rest = rest[file.write(rest) :]


def to_line(mapping: Mapping[str, Any]) -> bytes:
    """Write one line. It ends with a checksum: the first 16 digits of the SHA-256 of everything before it."""
    body = json.dumps(mapping, ensure_ascii=False, separators=(",", ":"))[:-1].encode()
    return body + _CHECK + _digest(body) + b'"}\n'


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    try:
        with FileLock(path.with_name(f"{path.name}.lock"), timeout=0):
            yield
    except Timeout:
        raise kd.ArenaError(f"{path}: another run is writing to it") from None


def _digest(body: bytes) -> bytes:
    return sha256(body).hexdigest()[:16].encode()


def _read(path: Path) -> tuple[Stored, bytes]:
    """Read a store. Return also what a resumed run must write first: the end of a half-written line."""
    reader = _Reader(path)
    line = b""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            reader.take(number, line)
    if reader.plan is None:
        raise kd.ArenaError(
            f"{path}: line 1 is cut off and there are no games: delete the file to start again"
        )
    repair = b"" if line.endswith(b"\n") else b"\n"
    if reader.half:
        repair += to_line({"cut": reader.half})
    return Stored(reader.plan, tuple(reader.runs), reader.games), repair


class _Reader:
    """Takes one line after another. `half` is the number of a half line that no `cut` has named yet, or 0."""

    def __init__(self, path: Path) -> None:
        self.plan: Plan | None = None
        self.runs: list[RunInfo] = []
        self.games: dict[int, Game] = {}
        self.half = 0
        self._path = path
        self._first: tuple[Fixture, ...] = ()

    def take(self, number: int, line: bytes) -> None:
        """Take a line. Half a line may be followed by half of the line that names it. Raises `ArenaError`."""
        found = _WHOLE.fullmatch(line)
        if found is None:
            if self.half and self.plan is None:
                self._refuse(self.half)
            self.half = self.half or number
            return
        body, check = found.groups()
        if check != _digest(body):
            self._refuse(number)
        try:
            mapping = json.loads(body + b"}")
            if self.half and mapping != {"cut": self.half}:
                self._refuse(self.half)
            self.half = 0
            if self.plan is None:
                self._begin(mapping)
            else:
                self._add(self.plan, mapping)
        except KeyError as error:
            raise kd.ArenaError(f"{self._path}, line {number}: {error} is missing") from error
        except (TypeError, ValueError, AttributeError) as error:
            raise kd.ArenaError(f"{self._path}, line {number}: {error}") from error

    def _refuse(self, number: int) -> NoReturn:
        """Raise the error for a damaged line."""
        what = "damaged: its checksum is wrong" if self.plan else "damaged, or not the store of an arena"
        raise kd.ArenaError(f"{self._path}, line {number}: {what}")

    def _begin(self, line: dict[str, Any]) -> None:
        if line["format"] != FORMAT:
            raise ValueError(f"format {line['format']!r}; this program reads {FORMAT!r}")
        self.plan = plans.from_mapping(line["plan"])
        self._first = first_block(self.plan)

    def _add(self, plan: Plan, line: dict[str, Any]) -> None:
        if "run" in line:
            self.runs.append(RunInfo(**line["run"]))
        elif "game" in line:
            number = line["game"]
            if number in self.games:
                raise ValueError(f"game {number} appears twice")
            if not 0 <= number < plan.blocks * len(self._first):
                raise ValueError(f"the plan has no game {number}")
            self.games[number] = play.from_mapping(line, numbered(self._first, number))
        elif "cut" not in line:
            raise ValueError("neither a run nor a game")


def _check_same(path: Path, stored: Stored, plan: Plan, info: RunInfo) -> None:
    if differ := plans.differences(stored.plan, plan):
        raise kd.ArenaError(
            f"{path}: its games were played by another plan, which differs in {', '.join(differ)}; "
            "choose another folder with --out"
        )
    if not stored.runs:
        return
    last = stored.runs[-1]
    if last.version != info.version or last.commit not in (None, info.commit):
        raise kd.ArenaError(
            f"{path}: it was begun with kingdomino {last.build}, and this is {info.build}: "
            "games of two builds do not mix"
        )
