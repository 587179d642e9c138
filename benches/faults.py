"""Breaks sites whose processes share PostgreSQL, checks that nothing is lost, writes docs/evidence/faults.md.

`python -m benches.faults` from the root of the repository, as root: it mounts a small disk for the database and cuts
the network to it. Without these permissions it omits the faults that need them. People and bots play without end
at two servers and a worker. The benchmark injects one fault after the other, at random moments. Several such sites run
side by side, because most of the time is spent waiting. A round begins when all clients are connected again, including
spectators, who are admitted last. After every fault the log of every table in play is read from the database and
compared with what the clients sent, got, and had confirmed.

A file keeps every finished round, so an interrupted run continues with the next one.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import random
import signal
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Annotated, Final

import psycopg
import typer
import uvloop
from pydantic import BaseModel
from rich.console import Console
from rich.progress import Progress, TimeElapsedColumn

import kingdomino as kd
from benches import network
from benches.network import Network
from benches.recorder import Recorder, is_game
from benches.run import machine, write_page
from benches.tables import CLIENTS, Json, Server, Table, create_all, percentile
from kingdomino.cli.version import version_text
from kingdomino.server.settings import Settings
from tools.disk import fill, small_disk
from tools.postgresql import PostgreSQL, programs

PAGE: Final = Path(__file__).parents[1] / "docs" / "evidence" / "faults.md"
KEPT: Final = Path(__file__).parent / "faults.part.jsonl"
_LIMIT: Final = 10.0
"""Seconds within which every table must continue after the repair."""
_GIVEN_UP: Final = 60.0
"""Seconds after which the run stops waiting for a table."""
_COMING: Final = 300.0
"""Seconds within which all clients must be connected before a round."""
_STOPPED: Final = 20.0  # seconds
_SHORT: Final = (0.2, 3.0)  # seconds that a short fault lasts
_LONG: Final = (6.0, 20.0)  # seconds of a cut: connections are given up after 8 to 11
_FULL: Final = (2.0, 5.0)
_PAUSE: Final = 0.1  # seconds before a bot's move
_THINK: Final = 0.15  # seconds that a person takes for a turn, on average
_OF_CROWD: Final = 25.0  # the same where 2,000 clients follow 500 tables
_MOST_TURNS: Final = 30
"""The most acknowledged turns to wait for before each fault, once every table has continued."""
_LONGEST_DELAY: Final = 0.05  # seconds after the last of these turns
_LONGEST_WAIT: Final = 5.0  # seconds after which a client asks another server
_DISK: Final = 320  # MB
_SLOW: Final = {"kind": "bot", "bot": "king:playouts=20"}
"""A bot whose turns are jobs for the worker."""
_QUICK: Final = {"kind": "bot", "bot": "greedy"}
_MIXED: Final = 20
"""Of this many tables every second one has a slow bot: a server allows 12 for one address."""
_SERVERS: Final = 2
_WORKER: Final = 2  # the number of its process and of its link
_OURS: Final = 3  # the link of this program
_POSTGRESQL: Final = {"max_wal_size": "64MB", "min_wal_size": "32MB", "shared_buffers": "64MB"}

FAULTS: Final = {
    "a server is killed": 8,
    "a server gets SIGTERM": 2,
    "the worker is killed": 4,
    "PostgreSQL is killed": 6,
    "a server is stopped for 20 s": 3,
    "the worker is stopped for 20 s": 2,
    "PostgreSQL is stopped for 20 s": 3,
    "the disk is full": 6,
    "a server is cut off": 6,
    "the network is cut": 5,
}
"""The faults of a site, and how many of 48 rounds have each."""
RESTART: Final = "all are killed and started again, with 2,000 sockets"
_OF_RESTARTS: Final = 25  # one round in this many


class Round(BaseModel):
    """The results of one round. Times in seconds.

    Attributes:
        round: its number, from 1.
        fault: the injected fault.
        held: how long the fault lasted.
        continued: time from the repair until every table had continued.
        acknowledged: turns that the server confirmed since the round before.
        events: events that clients got since then.
        unanswered: turns under way when the fault began.
        busy: the machine's load.
        problems: lost or duplicated events, and tables that did not continue.
    """

    round: int
    fault: str
    held: float
    continued: float
    acknowledged: int
    events: int
    unanswered: int
    busy: float
    problems: tuple[str, ...]


class Whole(BaseModel):
    """The result of the final comparison of all tables at a site."""

    tables: int
    games: int
    events: int
    resent: int
    problems: tuple[str, ...]


class Players(Recorder):
    """Clients that expect faults: they repeat an unanswered request, at the next server."""

    def __init__(self, seed: int, think: float) -> None:
        super().__init__(seed, think)
        self._hurry = asyncio.Event()

    def hurry(self) -> None:
        """End all thinking pauses now."""
        self._hurry.set()
        self._hurry = asyncio.Event()

    async def thought(self) -> None:
        """Think, unless `hurry` ends the pause."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self.think * self.random.uniform(0.5, 1.5)):
                await self._hurry.wait()

    def disconnected(self, what: str, life: int) -> None:
        """Accept a broken connection: faults cause them."""

    def is_sent_again(self, status: int, answer: object) -> bool:
        """Return whether the server refused because of its database."""
        del answer
        return status in (500, 503)


class Site:
    """Two servers, a worker, PostgreSQL, and tables with endless games."""

    def __init__(self, folder: Path, number: int, seed: int, tables: int, think: float, pause: float) -> None:
        self._folder, self._chance = folder, random.Random(f"{seed} {number}")
        self.play = Players(seed, think)
        self.tables = [
            Table(self.play, bots=(_QUICK, _SLOW if n % 2 and n < _MIXED else _QUICK)) for n in range(tables)
        ]
        self._pause = pause
        self.play.addresses = [""] * _SERVERS
        self._net = Network(number, 4) if network.is_permitted() else None
        self._acknowledged = self._events = 0
        self.processes: list[Server] = []

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Site]:
        """Start everything, and create the tables."""
        found = programs()
        assert found is not None
        disk = self._folder / "disk"
        async with AsyncExitStack() as stack:
            namespace = stack.enter_context(self._net.laid()).namespace if self._net else None
            disk.mkdir()
            if _may_mount():  # in memory, which is enough: these faults end processes, not the machine
                stack.enter_context(small_disk(disk, _DISK))
            host = "127.0.0.1" if self._net is None else self._net.address(_OURS)
            self.database = PostgreSQL(
                disk / "data", found, durable=True, host=host, namespace=namespace, options=_POSTGRESQL
            )
            await asyncio.to_thread(self.database.start)
            stack.push_async_callback(asyncio.to_thread, self._stop_database)
            self.database.execute("CREATE DATABASE tables")
            for number in range(_SERVERS + 1):
                server = Server(
                    self._folder,
                    self._pause,
                    name=f"process-{number}",
                    url=self.database.url_of("tables", self._net.address(number) if self._net else None),
                    command="serve" if number < _SERVERS else "worker",
                )
                self.processes.append(server)
                stack.push_async_callback(server.end, signal.SIGKILL)
            await self.start(0)  # the first server prepares the database
            await asyncio.gather(*map(self.start, range(1, _SERVERS + 1)))
            self.play.up.set()
            self.play.begun.set()
            await create_all(self.tables, lambda: None)
            self.play.longest_wait = _LONGEST_WAIT
            for table in self.tables:
                stack.push_async_callback(table.leave)
            yield self

    def _stop_database(self) -> None:
        if self.database.is_running:
            self.database.send(signal.SIGCONT)  # an interrupted run may have left it stopped
            self.database.stop("immediate")

    async def start(self, number: int) -> None:
        """Start a process and wait until it is ready."""
        server = self.processes[number]
        await server.start()
        await server.until_ready()
        if number < _SERVERS:
            self.play.addresses[number] = server.address

    async def end(self, *numbers: int, sign: signal.Signals = signal.SIGKILL) -> None:
        """End processes at the same time."""
        self.play.life += 1
        await asyncio.gather(*(self.processes[number].end(sign) for number in numbers))

    async def round(self, number: int, fault: str) -> Round:
        """Inject a fault at a random moment, wait until every table has continued, and compare all logs."""
        play, chance = self.play, self._chance
        if fault != RESTART:
            await self._spread()
        await self._until_all_follow()
        wanted = play.acknowledgements + chance.randint(0, min(_MOST_TURNS, len(self.tables)))
        while play.acknowledgements < wanted:
            await play.next_change()
        await asyncio.sleep(chance.uniform(0, _LONGEST_DELAY))
        begin, unanswered, busy = time.monotonic(), len(play.open), os.getloadavg()[0]
        async with self._broken(fault):
            held = time.monotonic() - begin
            play.hurry()
            continued = await self._until_all_continue()
        problems = list(play.faults)
        play.faults.clear()
        if continued > _LIMIT:
            problems.append(f"a table went on after {continued:.1f} s")
        await self._compare([table.id for table in self.tables], running=True)
        problems += play.faults
        play.faults.clear()
        events, acknowledged = sum(map(len, play.events.values())), play.acknowledgements
        result = Round(
            round=number,
            fault=fault,
            held=held,
            continued=continued,
            acknowledged=acknowledged - self._acknowledged,
            events=events - self._events,
            unanswered=unanswered,
            busy=busy,
            problems=tuple(problems),
        )
        self._acknowledged, self._events = acknowledged, events
        return result

    async def whole(self) -> Whole:
        """Compare all tables since the start, and replay finished games."""
        for table in self.tables:
            await table.leave()
        names = [name for table in self.tables for name in table.ids]
        logs = await self._compare(names, running=False)
        games = {name: log for name, log in logs.items() if any(e["kind"] == "deck_revealed" for e in log)}
        for name, log in games.items():
            if not is_game(name, log):
                self.play.fault(f"{name}: the log is not a game with the deck that was committed to")
        return Whole(
            tables=len(logs),
            games=len(games),
            events=sum(map(len, logs.values())),
            resent=self.play.stored_unanswered,
            problems=tuple(self.play.faults),
        )

    @asynccontextmanager
    async def _broken(self, fault: str) -> AsyncIterator[None]:
        """Inject a fault, wait, and repair it. While a dead process is missing, the others must do its work."""
        chance = self._chance
        number = chance.randrange(_SERVERS)
        match fault:
            case "a server is killed":
                await self.end(number)
                yield
                await self.start(number)
            case "a server gets SIGTERM":
                await self.end(number, sign=signal.SIGTERM)
                yield
                await self.start(number)
            case "the worker is killed":
                await self.end(_WORKER)
                yield
                await self.start(_WORKER)
            case "PostgreSQL is killed":
                self.database.send(signal.SIGKILL)
                await asyncio.sleep(chance.uniform(*_SHORT))
                await self._start_database()
                yield
            case "a server is stopped for 20 s":
                await self._stopped(self.processes[number].send)
                yield
            case "the worker is stopped for 20 s":
                await self._stopped(self.processes[_WORKER].send)
                yield
            case "PostgreSQL is stopped for 20 s":
                await self._stopped(self.database.send)
                yield
            case "the disk is full":
                await self._fill_disk()
                yield
            case "a server is cut off":
                await self._cut(number)
                yield
            case "the network is cut":
                await self._cut(*range(_SERVERS + 1))
                yield
            case _:
                self.database.send(signal.SIGKILL)
                await self.end(*range(_SERVERS + 1))
                await self._start_database()
                await asyncio.gather(*map(self.start, range(_SERVERS + 1)))
                yield

    async def _stopped(self, send: Callable[[signal.Signals], None]) -> None:
        send(signal.SIGSTOP)
        await asyncio.sleep(_STOPPED)
        send(signal.SIGCONT)

    async def _cut(self, *links: int) -> None:
        assert self._net is not None
        for link in links:
            self._net.cut(link)
        await asyncio.sleep(self._chance.uniform(*self._chance.choice((_SHORT, _LONG))))
        for link in links:
            self._net.mend(link)

    async def _fill_disk(self) -> None:
        """Fill the disk. PostgreSQL may crash, and cannot start again until there is room."""
        filler = self._folder / "disk" / "filler"
        await asyncio.to_thread(fill, filler)
        if self._chance.random() < 0.5:  # the log needs a new file now
            with suppress(psycopg.Error):
                await asyncio.to_thread(self.database.execute, "SELECT pg_switch_wal()")
        await asyncio.sleep(self._chance.uniform(*_FULL))
        filler.unlink()
        if not self.database.is_running:
            await self._start_database()

    async def _start_database(self) -> None:
        while self.database.is_running:
            await asyncio.sleep(0.02)
        await asyncio.to_thread(self.database.start)

    async def _spread(self) -> None:
        """Give every client one of the servers, as a proxy would."""
        for table in self.tables:
            for client in table.clients:
                if self._chance.random() < 0.5:
                    await client.move(self._chance.randrange(_SERVERS))

    async def _until_all_follow(self) -> None:
        """Wait until all clients are connected."""
        end = time.monotonic() + _COMING
        while missing := [table for table in self.tables if table.following < CLIENTS]:
            if time.monotonic() > end:
                problems = [f"{len(missing)} tables have too few clients, the first {missing[0].id}"]
                raise SystemExit("; ".join([*problems, *self.play.faults[:3]]))
            await asyncio.sleep(0.05)

    async def _until_all_continue(self) -> float:
        """Wait until every table has a new event or the next game. Return the seconds."""
        begin = time.monotonic()
        before = {table: (table.id, self.play.last(table.id)) for table in self.tables}

        def waits(table: Table) -> bool:
            name, number = before[table]
            return table.id == name and self.play.last(name) == number

        while waiting := [table for table in before if waits(table)]:
            if time.monotonic() - begin > _GIVEN_UP:
                for table in waiting:
                    self.play.fault(
                        f"{table.id} does not go on after {before[table][1]}; {table.following} sockets are open"
                    )
                break
            with suppress(TimeoutError):
                async with asyncio.timeout(0.1):
                    await self.play.next_change()
        return time.monotonic() - begin

    async def _compare(self, names: Sequence[str], *, running: bool) -> dict[str, list[Json]]:
        """Read tables from the database, and compare them with the clients' knowledge."""
        known = {name: self.play.last(name) for name in names}
        query = "SELECT table_id, body FROM events WHERE table_id = ANY(%s) ORDER BY table_id, number"

        def read() -> list[tuple[str, str]]:
            with psycopg.connect(self.database.url_of("tables")) as connection:
                return connection.execute(query.encode(), (list(names),)).fetchall()

        logs: dict[str, list[Json]] = {name: [] for name in names}
        for name, body in await asyncio.to_thread(read):
            logs[name].append(json.loads(body))
        for name, log in logs.items():
            self.play.check(name, log, *([known[name]] if running else ()))
        return logs


def _may_mount() -> bool:
    return os.geteuid() == 0


def _plan(rounds: int, seed: int) -> dict[int, str]:
    """Return the fault of each round, without faults that are not permitted here."""
    left_out = [] if network.is_permitted() else ["a server is cut off", "the network is cut"]
    left_out += [] if _may_mount() else ["the disk is full"]
    bag = [fault for fault, times in FAULTS.items() if fault not in left_out for _ in range(times)]
    chance, plan, left = random.Random(seed), {}, list[str]()
    for number in range(1, rounds + 1):
        if number % _OF_RESTARTS == 0:
            plan[number] = RESTART
            continue
        if not left:
            left = chance.sample(bag, len(bag))
        plan[number] = left.pop()
    return plan


class Kept:
    """The file with the finished rounds."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.rounds: dict[int, Round] = {}
        self.wholes: list[Whole] = []
        if file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                self._take(line)

    def keep(self, result: Round | Whole) -> None:
        """Add a result."""
        line = result.model_dump_json()
        with self._file.open("a", encoding="utf-8") as file:
            print(line, file=file)
        self._take(line)

    @property
    def problems(self) -> list[str]:
        """All problems found."""
        by_round = sorted(self.rounds.items())
        found = [f"round {n}, {one.fault}: {text}" for n, one in by_round for text in one.problems]
        return [*found, *(text for whole in self.wholes for text in whole.problems)]

    def _take(self, line: str) -> None:
        if "round" in json.loads(line):
            result = Round.model_validate_json(line)
            self.rounds[result.round] = result
        else:
            self.wholes.append(Whole.model_validate_json(line))


async def _run(
    folder: Path, plan: Mapping[int, str], kept: Kept, sites: int, tables: int, crowd: int, seed: int,
    step: Callable[[], object],
) -> None:  # fmt: skip
    """Run the missing rounds: many on small sites side by side, then the restarts of a large one."""
    todo = {number: fault for number, fault in plan.items() if number not in kept.rounds}
    small = iter([number for number, fault in todo.items() if fault != RESTART])
    large = iter([number for number, fault in todo.items() if fault == RESTART])

    async def play(number: int, numbers: Iterator[int], tables: int, think: float, pause: float) -> None:
        first = next(numbers, None)
        if first is None:
            return
        place = folder / f"site-{number}"
        place.mkdir()
        # Two runs that each do half of the rounds must not choose the same moments.
        async with Site(place, number, seed + first, tables, think, pause).open() as site:
            for one in chain([first], numbers):
                kept.keep(await site.round(one, todo[one]))
                step()
            kept.keep(await site.whole())

    async with asyncio.TaskGroup() as group:
        for number in range(sites):
            group.create_task(play(number, small, tables, _THINK, _PAUSE))
    await play(sites, large, crowd, _OF_CROWD, Settings().pause)


def _report(kept: Kept, rounds: int, seed: int, sites: int, tables: int, crowd: int) -> str:
    done = list(kept.rounds.values())
    acknowledged = sum(one.acknowledged for one in done)
    slow = [one for one in done if one.continued > _LIMIT]
    lost = [text for text in kept.problems if "went on after" not in text and "does not go on" not in text]
    worst = max((one.continued for one in done), default=0.0)
    busy = [one.busy for one in done]
    text = f"""# Faults

- Turns that were acknowledged: **{acknowledged:,}**; lost or doubled: **{len(lost)}**
- Rounds in which every table went on by itself within {_LIMIT:.0f} s after the cure: **{len(done) - len(slow)} of {len(done)}**
- From the cure until the last table had gone on: median **{_s(done, 50)} s**, longest **{worst:.1f} s**

Written by `python -m benches.faults --rounds {rounds} --seed {seed}`: {len(done)} of {rounds} rounds were made. Two servers and a worker share PostgreSQL, whose data
is on a small disk of its own and which each process reaches through a virtual network link of its own. Two people, two bots and two
spectators play at every table without end; at every second table one bot is slow, so that its turns are jobs. At a random
moment one fault is made, and cured after the time in the table. A client whose request is not answered sends it again to
the other server. When every table has gone on, all logs are read from the database and compared with what the clients
sent, got, and had confirmed.

| fault | rounds | it lasted (s) | until all tables went on: median, longest (s; required ≤ {_LIMIT:.0f}) | turns under way |
|---|---|---|---|---|
{_rows(done)}

The time begins when the fault is over: the process continues, PostgreSQL runs again, the disk has room, the link is
restored. A server or a worker that was killed or got SIGTERM is started again only when every table has gone on: the
others do its work. When all are killed, the time begins when the servers are ready.

- {sum(one.events for one in done):,} events reached clients, and all are in the logs. Numbers and plies have no gap and no duplicate; all clients got
  the same events, each once; every person's action is what that person sent.
- {sum(one.unanswered for one in done):,} turns were under way when a fault began.
{_wholes(kept)}- {sites} sites of {tables} tables side by side; for the last kind one site of {crowd} tables with {CLIENTS * crowd:,} sockets, whose people take
  {_OF_CROWD:.0f} s for a turn and decide at once when the fault is over.
- Processes end or stop, and the machine does not: this does not test whether a commit survives a power cut. That is
  PostgreSQL's `fsync`.

Measured {time.strftime("%Y-%m-%d")} on {machine()}; load of the machine during the rounds: median {percentile(busy, 50):.1f}, most
{max(busy, default=0):.1f}; {version_text(kd.__version__)}, Python {platform.python_version()}, PostgreSQL {_version()}, psycopg {version("psycopg")},
procrastinate {version("procrastinate")}, uvicorn {version("uvicorn")}; seed {seed}.
"""  # noqa: E501
    if kept.problems:
        text += "\nNot as it must be:\n\n" + "".join(f"- {problem}\n" for problem in kept.problems)
    return text


def _wholes(kept: Kept) -> str:
    """Describe the last comparison of each site; an interrupted site has none."""
    tables, games = (sum(whole.tables for whole in kept.wholes), sum(whole.games for whole in kept.wholes))
    if not tables:
        return ""
    resent = sum(whole.resent for whole in kept.wholes)
    return f"""- At the end {tables:,} tables were compared again as a whole. {games:,} finished games were replayed by the engine:
  their decks match the commitments, and their scores the logs. {resent:,} turns that were sent again were in the log already
  and were refused as `stale_ply`: not only turns under way when a fault began, since people also decide while it lasts.
"""  # noqa: E501


def _rows(done: Sequence[Round]) -> str:
    rows = []
    for fault in (*FAULTS, RESTART):
        these = [one for one in done if one.fault == fault]
        held = [one.held for one in these]
        figures = (
            f"{len(these)} | {min(held):.1f} to {max(held):.1f} | {_s(these, 50)}, **{_s(these, 100)}** "
            f"| {sum(one.unanswered for one in these)}"
            if these
            else "0 | | | "
        )
        rows.append(f"| {fault} | {figures} |")
    return "\n".join(rows)


def _s(rounds: Sequence[Round], percent: float) -> str:
    return f"{percentile([one.continued for one in rounds], percent):.1f}"


def _version() -> str:
    found = programs()
    if found is None:
        raise SystemExit("PostgreSQL is not installed: apt-get install postgresql")
    return subprocess.check_output([found / "postgres", "--version"], text=True).split()[2]


def main(
    rounds: Annotated[int, typer.Option(min=1, help="Number of faults.")] = 200,
    sites: Annotated[int, typer.Option(min=1, max=8, help="Sites side by side.")] = 3,
    tables: Annotated[int, typer.Option(min=1, help="Tables of each site.")] = 8,
    crowd: Annotated[int, typer.Option(min=1, help="Tables where all are killed and started again.")] = 500,
    seed: Annotated[int, typer.Option(help="For people's choices, the faults and their moments.")] = 1,
    only: Annotated[str | None, typer.Option(help="Make only faults whose name contains this.")] = None,
    kept: Annotated[Path, typer.Option(help="The file of the rounds that are over.")] = KEPT,
    folder: Annotated[Path | None, typer.Option(help="Where the temporary databases are created.")] = None,
    dry: Annotated[bool, typer.Option("--dry", help="Print the result, and write no page.")] = False,
) -> None:
    """Inject one fault after the other, check that nothing is lost, and write docs/evidence/faults.md."""
    console = Console()
    _version()
    plan = {n: fault for n, fault in _plan(rounds, seed).items() if only is None or only in fault}
    found = Kept(kept)
    columns = (*Progress.get_default_columns(), TimeElapsedColumn())
    with (
        tempfile.TemporaryDirectory(prefix="faults-", dir=folder) as made,
        Progress(*columns, console=console) as progress,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        Path(made).chmod(0o755)  # PostgreSQL's user must enter it
        task = progress.add_task("faults", total=len(plan), completed=len(plan.keys() & found.rounds.keys()))
        with suppress(KeyboardInterrupt):  # then the page shows the progress
            runner.run(
                _run(Path(made), plan, found, sites, tables, crowd, seed, lambda: progress.advance(task))
            )
    text = _report(found, rounds, seed, sites, tables, crowd)
    console.print(text, markup=False, highlight=False, soft_wrap=True)
    if not dry:
        write_page(PAGE, text)
    if found.problems:
        raise SystemExit(1)


if __name__ == "__main__":
    typer.run(main)
