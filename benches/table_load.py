"""Measures the table's server under load and writes a section of docs/evidence/table.md.

`python -m benches.table_load` from the root of the repository: how many rows SQLite commits here, how much
memory an idle table takes, how soon moves reach the other clients when many tables play at people's pace, and
how many moves a second the server handles when no player pauses.
"""

import asyncio
import os
import platform
import shutil
import sqlite3
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer
import uvloop
from rich.console import Console
from rich.progress import Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table as Shown

import kingdomino as kd
from benches import hostile
from benches.tables import (
    AT_ONCE,
    CLIENTS,
    PEOPLE,
    PLAYERS,
    Client,
    Http,
    Json,
    Play,
    Server,
    Table,
    create_all,
    machine_seconds,
    percentile,
    surroundings,
    write_section,
)
from kingdomino._core import DEBUG
from kingdomino.cli.version import version_text
from kingdomino.server.settings import Settings

_HALF = 6
"""The round at which a table stops: half of its dominoes are placed, as at an average table."""
_BATCH = 256
"""Rows per batch: as many appends as the server commits together."""
_ROUNDS = 5
_PART = 10.0
"""Seconds of each part; the report also gives the worst part."""
_TIMEOUT = 30.0  # seconds for half of a game
_SETTLE = 2.0
"""Seconds to wait before reading memory or beginning a measurement."""


class Load(Play):
    """Measures how long moves take, and counts them."""

    def __init__(self, seed: int, think: float, *, looks: bool) -> None:
        super().__init__(seed, think, looks=looks)
        self.sent: dict[tuple[str, int], float] = {}
        self.counts: Counter[str] = Counter()
        self.delays: list[tuple[float, float]] = []  # when the move was sent, and how long it took
        self.answers: list[float] = []
        self.lags: list[float] = []
        self.measures = False

    def posted(self, table: str, ply: int, seat: int, actions: Sequence[str]) -> None:
        """Start the clock. A client sends a placement and its claim together, so the first is enough."""
        del seat, actions
        if self.measures:
            self.sent[table, ply] = time.perf_counter()

    def acknowledged(self, table: str, ply: int, number: int) -> None:
        """Record how long the answer took."""
        del number
        if start := self.sent.get((table, ply)):
            self.answers.append(time.perf_counter() - start)

    def received(self, client: Client, event: Json, at: float) -> None:
        """Record how long a person's move took to reach the other clients."""
        if self.measures:
            self.counts["events"] += 1
            if client.place == CLIENTS - 1:
                self.counts["rows"] += 1
                self.counts[event.get("by", "")] += 1
        if event.get("by") == "person" and client.place != event["seat"]:
            start = self.sent.get((client.table.id, event["ply"]))
            if start is not None:
                self.delays.append((start, at - start))

    async def measure(self, seconds: float, server: Server, step: Callable[[float], object]) -> "LoadResult":
        """Measure for this long, then wait for unfinished moves."""
        before = server.seconds, sum(os.times()[:2]), machine_seconds()
        self.measures, begin = True, time.perf_counter()
        while (passed := time.perf_counter() - begin) < seconds:
            asleep = time.perf_counter()
            await asyncio.sleep(0.05)
            self.lags.append(time.perf_counter() - asleep - 0.05)
            step(time.perf_counter() - begin - passed)
        self.measures = False
        after = server.seconds, sum(os.times()[:2]), machine_seconds()
        served, asked, busy = ((end - start) / passed for start, end in zip(before, after, strict=True))
        await asyncio.sleep(_SETTLE)
        return LoadResult(
            passed, f"server {served:.0%} of a core, clients {asked:.0%}, others {busy - served - asked:.0%}"
        )


@dataclass(frozen=True)
class LoadResult:
    """How long moves took, and the processor time used meanwhile."""

    seconds: float
    cores: str


@dataclass
class Figures:
    """The results."""

    rows: list[tuple[str, str, str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def add(self, name: str, figure: str, target: str = "", reached: bool | None = None) -> None:
        """Add a row to the report."""
        verdict = "" if reached is None else "yes" if reached else "no"
        self.rows.append((name, figure, target, verdict))


class Bench:
    """All measurements, one after the other, in a temporary folder."""

    def __init__(self, folder: Path, seed: int, progress: Progress) -> None:
        self.folder, self.seed = folder, seed
        self.progress = progress
        self.figures = Figures()
        self.durable = 0.0

    async def prepare(self, tables: int) -> Path:
        """Play half of a game at each table and return the database. The next turn is a person's."""
        task = self.progress.add_task("tables in the middle of a game", total=tables)
        play = Load(self.seed, 0, looks=False)
        play.begun.set()
        turn = asyncio.Semaphore(AT_ONCE)

        async def play_half() -> None:
            async with turn, asyncio.timeout(_TIMEOUT):
                table = Table(play, halt_at=_HALF)
                await table.create()
                await table.halted.wait()
                await table.leave()
            self.progress.advance(task)

        async with Server(self._folder("half"), pause=0) as server:
            self._open(play, server)
            await asyncio.gather(*(play_half() for _ in range(tables)))
        self._blame(play, server)
        return server.database

    def sqlite(self, database: Path, seconds: float) -> None:
        """Measure how many rows a second SQLite commits, with one and with many rows per commit."""
        task = self.progress.add_task("SQLite alone", total=2 * _ROUNDS)
        copy = self._folder("sqlite") / "tables.db"
        shutil.copy(database, copy)
        figures: dict[int, list[float]] = {1: [], _BATCH: []}
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            events = connection.execute(
                "SELECT table_id, at, kind, body FROM events ORDER BY number"
            ).fetchall()
            number = 1000
            for _round in range(_ROUNDS):
                for batch, found in figures.items():
                    first, begin = number, time.perf_counter()
                    while (passed := time.perf_counter() - begin) < seconds / _ROUNDS:
                        connection.execute("BEGIN IMMEDIATE")
                        for _ in range(batch):
                            number += 1
                            table, at, kind, body = events[number % len(events)]
                            row = (table, number, number, at, kind, body)
                            connection.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, NULL)", row)
                        connection.execute("COMMIT")
                    found.append((number - first) / passed)
                    self.progress.advance(task)
        self.durable = statistics.median(figures[1])
        for batch, found in figures.items():
            name = "one row a commit" if batch == 1 else f"{batch} rows a commit"
            spread = f"{min(found):,.0f} to {max(found):,.0f}"
            self.figures.add(
                f"SQLite alone, {name}", f"{statistics.median(found):,.0f} rows a second ({spread})"
            )

    async def idle(self, database: Path) -> None:
        """Measure the memory of tables without clients."""
        task = self.progress.add_task("idle tables", total=2)
        empty = await self._at_rest(self._folder("empty"), [])
        self.progress.advance(task)
        folder = self._folder("idle")
        shutil.copy(database, folder / "tables.db")
        ids = _table_ids(database)
        tables, events = len(ids), _events(database) / len(ids)
        full = await self._at_rest(folder, ids)
        self.progress.advance(task)
        for name, one, other in zip(("resident", "proportional"), empty[:2], full[:2], strict=True):
            each = (other - one) / tables / 1024
            without, those = f"{one / 2**20:.1f} MB without tables", f"{other / 2**20:.1f} MB with {tables:,}"
            self.figures.add(
                f"memory of an idle table, {name}",
                f"{each:.1f} KB: {without}, {those}",
                "< 50 KB",
                each < 50,
            )
        self.figures.add(
            f"{tables:,} tables of {events:.0f} events loaded, each when it is asked for",
            f"{full[2]:.1f} s ({tables / full[2]:,.0f} a second)",
        )

    async def paced(self, tables: int, think: float, seconds: float) -> None:
        """Let many tables play at people's pace, and measure how soon moves reach the other clients."""
        name = f"{tables} tables at people's pace"
        task = self.progress.add_task(name, total=tables + think + seconds)
        play = Load(self.seed, think, looks=True)
        play.begun.set()
        pause = Settings().pause
        async with Server(self._folder("paced"), pause) as server:
            empty = server.memory
            created = await self._create(play, server, tables, task)
            await asyncio.sleep(_SETTLE + think)
            self.progress.advance(task, think)
            following, full = sum(table.following for table in created), server.memory
            result = await play.measure(seconds, server, lambda passed: self.progress.advance(task, passed))
            if following != CLIENTS * tables:
                play.fault(f"{following} sockets of {CLIENTS * tables} were open")
            await asyncio.gather(*(table.leave() for table in created))
            await asyncio.sleep(_SETTLE)
            left = server.memory
        self._blame(play, server)
        self._delays(play, result, f"{tables} × {CLIENTS} clients")
        turns = len(play.answers) / result.seconds
        bots = play.counts["bot"] / result.seconds
        events = play.counts["events"] / result.seconds
        self.figures.add(
            "meanwhile",
            f"{turns:,.0f} turns posted and {bots:,.0f} bots' actions a second, {events:,.0f} events a second "
            f"sent; {result.cores}",
        )
        for kind, one, other, after in zip(("resident", "proportional"), empty, full, left, strict=True):
            playing, quiet = ((memory - one) / tables / 1024 for memory in (other, after))
            self.figures.add(
                f"memory of a table that plays, with its {CLIENTS} clients, {kind}",
                f"{playing:.0f} KB; {quiet:.0f} KB when they have left",
            )
        self.figures.notes = [
            f"People's pace: a turn takes a person {think / 2:g} to {think * 1.5:g} s and a bot (greedy)",
            f"{pause:g} s; people ask for their choices as the page does. Two of the four clients watch.",
            "When a game is over the next begins.",
        ]

    async def saturated(self, tables: int, seconds: float) -> None:
        """Let players play without pauses, and measure moves per second."""
        task = self.progress.add_task("without pauses", total=tables + seconds)
        play = Load(self.seed, 0, looks=False)
        async with Server(self._folder("saturated"), pause=0) as server:
            created = await self._create(play, server, tables, task)
            play.begun.set()
            await asyncio.sleep(_SETTLE)
            result = await play.measure(seconds, server, lambda passed: self.progress.advance(task, passed))
            await asyncio.gather(*(table.leave() for table in created))
        self._blame(play, server)
        people, bots = play.counts["person"] / result.seconds, play.counts["bot"] / result.seconds
        rows = play.counts["rows"] / result.seconds
        delays = [delay for _, delay in play.delays]
        self.figures.add(
            f"durable actions, without pauses, {tables} tables",
            f"{people + bots:,.0f} a second ({people:,.0f} people's, {bots:,.0f} bots'), "
            f"{len(play.answers) / result.seconds:,.0f} turns posted",
        )
        self.figures.add(
            "the same as rows of events, and relative to SQLite with one row a commit",
            f"{rows:,.0f} a second, {rows / self.durable:.2f} times; {result.cores}",
        )
        self.figures.add(
            "from a move to its event at the other clients meanwhile",
            f"median {_ms(delays, 50)}, p99 {_ms(delays, 99)} ms; {play.busy:,} requests were asked to come later",
        )

    async def _create(self, play: Load, server: Server, number: int, task: TaskID) -> list[Table]:
        self._open(play, server)
        tables = [Table(play) for _ in range(number)]
        await create_all(tables, lambda: self.progress.advance(task))
        return tables

    async def _at_rest(self, folder: Path, tables: Sequence[str]) -> tuple[int, int, float]:
        """Start a server and request tables. Return its memory once all are loaded, and the seconds."""
        async with Server(folder, pause=0) as server:
            play = Load(self.seed, 0, looks=False)
            self._open(play, server)
            http, begin = Http(play), time.perf_counter()
            for table in tables:
                await http.ask("GET", f"/api/tables/{table}")
            passed = time.perf_counter() - begin
            await asyncio.sleep(_SETTLE)
            memory = server.memory
        self._blame(play, server)
        return *memory, passed

    def _delays(self, play: Load, result: LoadResult, name: str) -> None:
        delays = [delay for _, delay in play.delays]
        begin = min(start for start, _ in play.delays)
        parts: dict[int, list[float]] = {}
        last = max(0, int(result.seconds / _PART) - 1)
        for start, delay in play.delays:
            parts.setdefault(min(int((start - begin) / _PART), last), []).append(delay)
        worst = max(percentile(part, 99) for part in parts.values()) * 1e3
        p99 = percentile(delays, 99)
        self.figures.add(
            f"from a move posted to its event at the other clients, {name}",
            f"p99 {p99 * 1e3:.1f} ms; median {_ms(delays, 50)}, p90 {_ms(delays, 90)}, "
            f"p99.9 {_ms(delays, 99.9)}, longest {_ms(delays, 100)} ms; {len(delays):,} figures",
            "< 150 ms",
            p99 < 0.150,
        )
        self.figures.add(f"the same, p99 of the worst {_PART:g} seconds", f"{worst:.1f} ms")
        self.figures.add(
            "from a move posted to its answer",
            f"median {_ms(play.answers, 50)}, p99 {_ms(play.answers, 99)} ms",
        )
        self.figures.add(
            "of that, waiting in the clients' process",
            f"median {_ms(play.lags, 50)}, p99 {_ms(play.lags, 99)} ms",
        )

    def _open(self, play: Load, server: Server) -> None:
        play.addresses = [server.address]
        play.up.set()

    def _blame(self, play: Load, server: Server) -> None:
        self.figures.faults += play.faults + server.complaints

    def _folder(self, name: str) -> Path:
        folder = self.folder / name
        folder.mkdir()
        return folder


def _ms(seconds: Sequence[float], percent: float) -> str:
    return f"{percentile(seconds, percent) * 1e3:.1f}"


def _events(database: Path) -> int:
    with closing(sqlite3.connect(database)) as connection:
        count: int = connection.execute("SELECT count(*) FROM events").fetchone()[0]
        return count


def _table_ids(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as connection:
        return [row[0] for row in connection.execute("SELECT id FROM tables")]


def _versions() -> list[str]:
    names = ("fastapi", "uvicorn", "uvloop", "websockets", "SQLAlchemy", "aiosqlite")
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    return [
        f"- {version_text(kd.__version__)}, Python {platform.python_version()},",
        f"  SQLite {sqlite3.sqlite_version}, {versions}",
    ]


def _report(figures: Figures, around: str, seed: int) -> list[str]:
    faults = "none" if not figures.faults else f"{len(figures.faults)}, the first: {figures.faults[0]}"
    figures.add("errors of clients, warnings and errors of servers", faults, "none", not figures.faults)
    return [
        "Written by `python -m benches.table_load`. Every move is committed (WAL, `synchronous=FULL`) before it is",
        "sent. Times are measured in the clients' process, from just before the request is written until the event",
        "has been read from the other client's socket.",
        "",
        around,
        *_versions(),
        f"- tables of {PLAYERS}: {PEOPLE} people, {PLAYERS - PEOPLE} bots, {CLIENTS} sockets; seed {seed}",
        f"- measured: {time.strftime('%Y-%m-%d')}",
        "",
        "| what | figure | target | reached |",
        "|---|---|---|---|",
        *("| " + " | ".join(row) + " |" for row in figures.rows),
        "",
        *figures.notes,
    ]


async def _hostile(bench: Bench, before: Path | None, around: str) -> list[str]:
    """Measure innocent clients beside hostile ones, at this server and another checkout's."""
    servers = {"before": before, "now": None} if before else {"now": None}
    task = bench.progress.add_task("hostile clients", total=len(servers) * hostile.INPUTS)
    found = {
        name: await hostile.measure(bench.folder / name, code, lambda: bench.progress.advance(task))
        for name, code in servers.items()
    }
    return [
        f"Written by `python -m benches.table_load --hostile{' --before CHECKOUT' if before else ''}`.",
        "",
        around,
        *_versions(),
        f"- measured: {time.strftime('%Y-%m-%d')}",
        "",
        *hostile.report(found),
    ]


async def _run(bench: Bench, tables: int, idle: int, think: float, seconds: float, short: float) -> None:
    half = await bench.prepare(idle)
    bench.sqlite(half, short)
    await bench.idle(half)
    await bench.paced(tables, think, seconds)
    await bench.saturated(tables, short)


def main(
    tables: Annotated[int, typer.Option(min=1, help="Tables in play.")] = 500,
    seconds: Annotated[float, typer.Option(min=1, help="How long to measure at people's pace.")] = 120,
    think: Annotated[float, typer.Option(min=0.1, help="Seconds that a person takes for a turn.")] = 6,
    short: Annotated[
        float, typer.Option(min=1, help="How long to measure SQLite, and play without pauses.")
    ] = 30,
    idle: Annotated[int, typer.Option(min=1, help="Tables without clients.")] = 500,
    seed: Annotated[int, typer.Option(help="For people's choices and their time.")] = 1,
    folder: Annotated[Path | None, typer.Option(help="Where the temporary databases are created.")] = None,
    dry: Annotated[bool, typer.Option("--dry", help="Show the figures, and write no page.")] = False,
    only_hostile: Annotated[
        bool, typer.Option("--hostile", help="Measure beside hostile clients only.")
    ] = False,
    before: Annotated[
        Path | None, typer.Option(help="A checkout whose server is measured beside hostile clients, too.")
    ] = None,
) -> None:
    """Measure the table's server under load, and write the section of docs/evidence/table.md."""
    if DEBUG:
        raise SystemExit("this is a debug build of the engine: do not measure it")
    console = Console()
    columns = (*Progress.get_default_columns()[:-1], TimeRemainingColumn(elapsed_when_finished=True))
    with (
        tempfile.TemporaryDirectory(prefix="tables-", dir=folder) as made,
        Progress(TextColumn("{task.description:>32}"), *columns[1:], console=console) as progress,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        around = surroundings(Path(made))
        bench = Bench(Path(made), seed, progress)
        if not only_hostile:
            runner.run(_run(bench, tables, idle, think, seconds, short))
        beside = runner.run(_hostile(bench, before, around))
        lines = _report(bench.figures, around, seed)
    shown = Shown("what", "figure", "target", "reached")
    for row in bench.figures.rows:
        shown.add_row(*row)
    console.print(shown)
    for fault in bench.figures.faults[:10]:
        console.print(fault, markup=False)
    console.print("\n".join(beside), markup=False, soft_wrap=True)
    if not dry:
        write_section("Hostile clients", beside)
    if not (dry or only_hostile):
        write_section("Load", lines)
    if bench.figures.faults:
        raise SystemExit(1)


if __name__ == "__main__":
    typer.run(main)
