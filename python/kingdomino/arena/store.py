"""The store: an append-only file with every game of a run, one JSON line each.

docs/formats/arena.md describes the lines. A killed run may leave an incomplete line. A resumed run ends that line and
writes its number on the next one, so it never removes anything. If it is killed while writing that, there are several
incomplete lines, and the next run writes the number of the first.
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
"""A complete line: the checked part, and the checksum."""


@dataclass(frozen=True, slots=True)
class RunInfo:
    """Conditions of a run besides the plan: date (UTC), command, versions, machine. No user or host name.

    A resumed run has one for each part. `commit` is the commit of the build; None if unknown.
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
        """Describe a run in this process that starts now."""
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
        """Write a game; before the first one, write the information on the run.

        Raises `ArenaError` if that fails, for example on a full disk. Earlier games are safe.
        """
        try:
            _write(self._file, self._run_line + to_line(play.to_mapping(game)))
        except OSError as error:
            raise kd.ArenaError(
                f"{self._file.name}: {error.strerror}; {counted(len(self.games), 'game')} are safe, "
                "and you can resume the run"
            ) from error
        self._run_line = b""
        self.games[game.fixture.number] = game


def read(path: Path) -> Stored:
    """Read a store, ignoring an incomplete last line. Raises `OSError`, or `ArenaError` with the line number."""
    return _read(path)[0]


@contextmanager
def open_to_write(path: Path, plan: Plan, info: RunInfo) -> Iterator[Writer]:
    """Create a store, or resume one with the same plan and the same build of the program.

    Any build of the same version can resume a store without a commit. The plan's name and note may differ; the store
    keeps its own. Raises `OSError`, or `ArenaError` if another run is writing to the store, if its plan differs (the
    message lists the keys), if another build started it, or if it is damaged.
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
    """Write all of it, without a buffer: after a failed write, closing a buffer would raise another error."""
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
    """Read a store. Also return what a resumed run must write first, to end an incomplete line."""
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
    """Parses lines in order. `half` is the number of an incomplete line that no `cut` has named yet, or 0."""

    def __init__(self, path: Path) -> None:
        self.plan: Plan | None = None
        self.runs: list[RunInfo] = []
        self.games: dict[int, Game] = {}
        self.half = 0
        self._path = path
        self._first: tuple[Fixture, ...] = ()

    def take(self, number: int, line: bytes) -> None:
        """Parse a line. After an incomplete line its `cut` line may be incomplete, too. Raises `ArenaError`."""
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
            f"{path}: its games have another plan, which differs in {', '.join(differ)}; "
            "choose another folder with --out"
        )
    if not stored.runs:
        return
    last = stored.runs[-1]
    if last.version != info.version or last.commit not in (None, info.commit):
        raise kd.ArenaError(
            f"{path}: the run started with kingdomino {last.build}, and this is {info.build}: "
            "a run cannot mix two builds"
        )
