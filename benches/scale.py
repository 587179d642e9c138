"""Measures many tables on SQLite, and on PostgreSQL under one and two servers; writes docs/evidence/scale.md.

`python -m benches.scale` from the root of the repository. PostgreSQL is Debian's, started in a temporary
folder with its own settings (every commit reaches the disk). People and bots play as in `benches.table_load`;
with several servers each table's clients use different ones, so that every event passes through PostgreSQL.
"""

import asyncio
import platform
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Final

import psycopg
import typer
import uvloop
from rich.console import Console
from rich.progress import Progress

import kingdomino as kd
from benches.run import machine, write_page
from benches.table_load import Load
from benches.tables import (
    CLIENTS,
    Server,
    Table,
    create_all,
    machine_seconds,
    percentile,
    processor_seconds,
)
from kingdomino.cli.version import version_text
from kingdomino.server.cluster.messages import read
from kingdomino.server.settings import Settings
from kingdomino.server.tables.core.peers import Changed
from tools.postgresql import PostgreSQL, programs

PAGE: Final = Path(__file__).parents[1] / "docs" / "evidence" / "scale.md"
_SEED: Final = 1
"""The seed of people's choices and pauses."""
_SETTLE: Final = 3.0  # seconds
_EVENTS: Final = 1500
_LISTENERS: Final = 21
_COUNTERS: Final = """
SELECT (SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_user_tables)::bigint,
       (SELECT wal_bytes FROM pg_stat_wal)::bigint,
       (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database())::bigint
"""


@dataclass(frozen=True)
class Setting:
    """A way to serve a load."""

    name: str
    servers: int
    workers: int
    shared: bool


@dataclass(frozen=True)
class Measured:
    """Figures of one load, times in seconds.

    ``spent`` is processor seconds a second, by kind of process; ``ended`` is the time from SIGTERM until the
    first server is gone.
    """

    actions: float
    delays: tuple[float, ...]
    spent: dict[str, float]
    rows: float
    bytes: float
    commits: float
    busy: int
    ended: float
    faults: tuple[str, ...]


SETTINGS: Final = (
    Setting("SQLite, 1 server", 1, 0, shared=False),
    Setting("PostgreSQL, 1 server and 1 worker", 1, 1, shared=True),
    Setting("PostgreSQL, 2 servers and 1 worker", 2, 1, shared=True),
)


@asynccontextmanager
async def _served(
    setting: Setting, folder: Path, url: str | None, pause: float
) -> AsyncIterator[list[Server]]:
    """Start the processes one after the other: the first prepares the database."""
    async with AsyncExitStack() as stack:
        kinds = ["serve"] * setting.servers + ["worker"] * setting.workers
        yield [
            await stack.enter_async_context(
                Server(folder, pause, name=f"{kind}-{number}", url=url, command=kind)  # type: ignore[arg-type]
            )
            for number, kind in enumerate(kinds)
        ]


class _Costs:
    """PostgreSQL's counters since the start."""

    def __init__(self, cluster: PostgreSQL | None, url: str | None) -> None:
        self._cluster, self._url = cluster, url
        self._before = self._read()

    def since(self) -> tuple[float, float, float, float]:
        """Return processor seconds, rows, bytes of the write-ahead log, and commits."""
        seconds, rows, size, commits = (
            now - before for now, before in zip(self._read(), self._before, strict=True)
        )
        return seconds, rows, size, commits

    def _read(self) -> tuple[float, float, float, float]:
        if self._cluster is None or self._url is None:
            return 0, 0, 0, 0
        seconds = _database_seconds(self._cluster)
        with psycopg.connect(self._url) as connection:
            found = connection.execute(_COUNTERS.encode()).fetchone()
        assert found is not None
        return (seconds, *found)


async def measure(
    setting: Setting, folder: Path, cluster: PostgreSQL | None, tables: int, think: float, seconds: float
) -> Measured:
    """Measure this number of tables. ``think`` is a person's seconds per turn; 0 means no pauses."""
    url = None
    if cluster is not None:
        name = f"bench_{time.time_ns()}"
        cluster.execute(f"CREATE DATABASE {name}")
        url = cluster.url_of(name)
    play = Load(_SEED, think, looks=think > 0)
    async with _served(setting, folder, url, Settings().pause if think else 0) as servers:
        play.addresses = [server.address for server in servers if server.address]
        play.up.set()
        created = [Table(play) for _ in range(tables)]
        await create_all(created, lambda: None)
        play.begun.set()
        await asyncio.sleep(_SETTLE + think)
        costs, before, begin = _Costs(cluster, url), [server.seconds for server in servers], machine_seconds()
        load = await play.measure(seconds, servers[0], lambda _: None)
        in_servers = sum(server.seconds for server in servers) - sum(before)
        database, rows, size, commits = costs.since()
        busy = machine_seconds() - begin
        following = sum(table.following for table in created)
        # Without pauses the server may ask spectators to come again later.
        if think and following != CLIENTS * tables:
            play.fault(f"{following} sockets of {CLIENTS * tables} were open")
        faults = [*play.faults, *(line for server in servers for line in server.complaints)]
        signalled = time.monotonic()
        await servers[0].end(signal.SIGTERM)
        ended = time.monotonic() - signalled
        await asyncio.gather(*(table.leave() for table in created))
    actions = play.counts["person"] + play.counts["bot"]
    seconds_of = {
        "servers and workers": in_servers,
        "PostgreSQL": database,
        "others": busy - in_servers - database,
    }
    return Measured(
        actions / load.seconds,
        tuple(delay for _, delay in play.delays),
        {name: used / load.seconds for name, used in seconds_of.items()},
        rows / max(actions, 1),
        size / max(actions, 1),
        commits / max(actions, 1),
        play.busy,
        ended,
        tuple(faults),
    )


def news_costs(cluster: PostgreSQL) -> tuple[float, float]:
    """Measure the cost of sending every event to every process, in processor seconds per event.

    Returns the cost in a receiving process, and in PostgreSQL for each such process.
    """
    costs = {few: _listened(cluster, few) for few in (1, _LISTENERS)}
    of_process = costs[_LISTENERS][0] / _LISTENERS
    return of_process, (costs[_LISTENERS][1] - costs[1][1]) / (_LISTENERS - 1)


def _listened(cluster: PostgreSQL, listeners: int) -> tuple[float, float]:
    """Send events to processes, one per transaction; return seconds per event here and in PostgreSQL."""
    with ExitStack() as stack:
        listening = [
            stack.enter_context(psycopg.connect(cluster.url_of(), autocommit=True)) for _ in range(listeners)
        ]
        for connection in listening:
            connection.execute("LISTEN kingdomino")
        telling = stack.enter_context(psycopg.connect(cluster.url_of(), autocommit=True))
        before = _database_seconds(cluster)
        for number in range(_EVENTS):
            message = Changed(process=16 * "0", table=12 * "0", number=number).model_dump_json()
            telling.execute("SELECT pg_notify('kingdomino', %s)", (message,))
        begin = time.process_time()
        for connection in listening:
            for notification in connection.notifies(stop_after=_EVENTS):
                read(notification.payload)
        here = time.process_time() - begin
        return here / _EVENTS, (_database_seconds(cluster) - before) / _EVENTS


def _database_seconds(cluster: PostgreSQL) -> float:
    """Return the processor time of PostgreSQL's current processes."""
    main = cluster.pid
    children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
    return sum(map(processor_seconds, map(int, children)))


def _programs() -> Path:
    found = programs()
    if found is None:
        raise SystemExit("PostgreSQL is not installed: apt-get install postgresql")
    return found


def _postgresql_version() -> str:
    """Return PostgreSQL's version, like ``15.18``; exit before any measurement if it is not installed."""
    output = subprocess.check_output([_programs() / "postgres", "--version"], text=True)
    return output.split()[2]


@contextmanager
def _cluster(setting: Setting, folder: Path) -> Iterator[PostgreSQL | None]:
    """Run PostgreSQL if a setting needs it."""
    if not setting.shared:
        yield None
        return
    with PostgreSQL(folder / "postgresql", _programs(), durable=True).running() as cluster:
        yield cluster


def _table(paced: dict[str, Measured], quick: dict[str, Measured], tables: int) -> list[str]:
    first = next(iter(quick.values()))
    lines = [
        f"| {tables} tables × {CLIENTS} clients | " + " | ".join(paced) + " |",
        "|---|" + "---|" * len(paced),
    ]

    def add(name: str, figures: list[str]) -> None:
        lines.append(f"| {name} | " + " | ".join(figures) + " |")

    add(
        "people's pace: a move to its event at the other clients, median, p99 (ms; target p99 < 250)",
        [f"{_ms(one.delays, 50)}, **{_ms(one.delays, 99)}**" for one in paced.values()],
    )
    add("people's pace: actions a second", [f"{one.actions:,.0f}" for one in paced.values()])
    add("people's pace: cores used", [_cores(one) for one in paced.values()])
    add(
        "no pauses: durable actions a second (target: 0.6 of SQLite's)",
        [f"{one.actions:,.0f} (**{one.actions / first.actions:.2f}**)" for one in quick.values()],
    )
    add(
        "no pauses: the same delay, median, p99 (ms)",
        [f"{_ms(one.delays, 50)}, {_ms(one.delays, 99)}" for one in quick.values()],
    )
    add("no pauses: cores used", [_cores(one) for one in quick.values()])
    add(
        f"people's pace, {tables * CLIENTS:,} sockets in all: from SIGTERM until a server is gone (s; target 10)",
        [f"{one.ended:.1f}" for one in paced.values()],
    )
    later = [f"{one.busy:,}" for one in quick.values()]
    add("no pauses: requests refused with a time to wait", later)
    for name, of in (("people's pace", paced), ("no pauses", quick)):
        add(
            f"{name}: what an action costs PostgreSQL",
            [
                f"{one.rows:.1f} rows, {one.bytes / 1024:.1f} KB of log, {one.commits:.2f} commits, "
                f"{1000 * _database_cost(one):.2f} ms"
                if one.commits
                else "–"
                for one in of.values()
            ],
        )
    faults = [fault for one in (*paced.values(), *quick.values()) for fault in one.faults]
    lines += ["", f"Errors of clients, warnings and errors of processes: {len(faults)}.", *faults[:3]]
    return lines


def _first_figures(paced: dict[str, Measured], quick: dict[str, Measured]) -> list[str]:
    """Return the three main figures; one server and two share PostgreSQL."""
    first = next(iter(quick.values()))
    shared = [setting.name for setting in SETTINGS if setting.shared]
    delays = " and ".join(f"**{_ms(paced[name].delays, 99)} ms**" for name in shared)
    ratios = " and ".join(f"**{quick[name].actions / first.actions:.2f}**" for name in shared)
    costs = " and ".join(f"**{1000 * _database_cost(paced[name]):.2f} ms**" for name in shared)
    return [
        f"- People's pace, from a move to its event at the others, one and two servers: p99 {delays}",
        f"- Without pauses, actions a second relative to SQLite's, one and two servers: {ratios}",
        f"- People's pace, what an action costs PostgreSQL, one and two servers: {costs}",
    ]


def _database_cost(one: Measured) -> float:
    """Return PostgreSQL's processor seconds per action."""
    return one.spent["PostgreSQL"] / one.actions


def _cores(one: Measured) -> str:
    return ", ".join(f"{name} {used:.2f}" for name, used in one.spent.items() if used >= 0.005)


def _ms(seconds: tuple[float, ...], percent: float) -> str:
    return f"{percentile(seconds, percent) * 1e3:.0f}"


def main(
    tables: Annotated[int, typer.Option(min=1, help="Tables in play.")] = 500,
    seconds: Annotated[float, typer.Option(min=1, help="How long to measure each load.")] = 40,
    think: Annotated[float, typer.Option(min=0.1, help="Seconds that a person takes for a turn.")] = 6,
    folder: Annotated[Path | None, typer.Option(help="Where the temporary databases are created.")] = None,
    dry: Annotated[bool, typer.Option("--dry", help="Print the result, and write no page.")] = False,
) -> None:
    """Measure, and write docs/evidence/scale.md."""
    console = Console()
    database = _postgresql_version()
    paced: dict[str, Measured] = {}
    quick: dict[str, Measured] = {}
    with Progress(console=console) as progress:
        task = progress.add_task("loads", total=2 * len(SETTINGS))
        for setting in SETTINGS:
            for found, pace in ((paced, think), (quick, 0.0)):
                with tempfile.TemporaryDirectory(prefix="scale-", dir=folder) as made:
                    Path(made).chmod(0o755)  # the database's own user must be able to enter
                    with (
                        _cluster(setting, Path(made)) as cluster,
                        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
                    ):
                        found[setting.name] = runner.run(
                            measure(setting, Path(made), cluster, tables, pace, seconds)
                        )
                progress.advance(task)
    with tempfile.TemporaryDirectory(prefix="scale-", dir=folder) as made:
        Path(made).chmod(0o755)
        with PostgreSQL(Path(made, "postgresql"), _programs(), durable=True).running() as cluster:
            here, there = news_costs(cluster)
    lines = _table(paced, quick, tables)
    lines += [
        "",
        f"Telling every process of an event costs each process {1e6 * here:.0f} µs,",
        f"and PostgreSQL {1e6 * there:.0f} µs per process.",
    ]
    console.print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)
    if dry:
        return
    names = ("fastapi", "uvicorn", "SQLAlchemy", "psycopg", "procrastinate")
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    head = [
        "# Many processes",
        "",
        *_first_figures(paced, quick),
        "",
        "Written by `python -m benches.scale`. Two people, two greedy bots and two spectators play at every table;",
        f"people take {think:g} s for a turn on average, or no time at all. Servers, workers, PostgreSQL and the",
        f"clients share one machine. Every commit reaches the disk. Each load was measured for {seconds:g} s.",
        "",
        *lines,
        "",
        f"Measured {time.strftime('%Y-%m-%d')} on {machine()}; {version_text(kd.__version__)},",
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, PostgreSQL {database},",
        f"{versions}; seed {_SEED}.",
        "",
    ]
    write_page(PAGE, "\n".join(head))


if __name__ == "__main__":
    typer.run(main)
