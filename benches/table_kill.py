"""Kills the table's server repeatedly and checks that nothing is lost; writes a section of docs/evidence/table.md.

`python -m benches.table_kill` from the root of the repository. While people and bots play as fast as they
can, the server gets `kill -9` at random moments. A client without an answer sends the same turn to the next
server. After every start the benchmark compares the log of every table in play with the events that its
clients got and with the acknowledged turns. At the end it reads the database without the server, and replays
finished games.
"""

import asyncio
import json
import platform
import random
import signal
import sqlite3
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer
import uvloop
from rich.console import Console
from rich.progress import Progress

import kingdomino as kd
from benches.recorder import Recorder, is_game
from benches.tables import (
    Http,
    Server,
    Table,
    percentile,
    surroundings,
    write_section,
)
from kingdomino.cli.version import version_text

_PAUSE = 0.01
"""Seconds before a bot's move, and on average before a person's."""
_STARTING = 5
"""The test kills one in this many servers while it starts."""
_MOST_TURNS = 60
"""The most acknowledged turns to wait for before each kill, once every table has continued."""
_LONGEST_DELAY = 0.02
"""The longest further wait, in seconds, so that a kill may interrupt any step."""
_TIMEOUT = 30.0


@dataclass
class Tally:
    """Counts of events."""

    kills: int = 0
    starting: int = 0
    unanswered: int = 0
    logs: int = 0
    games: int = 0
    started: list[float] = field(default_factory=list)
    continued: list[float] = field(default_factory=list)


class KillTest:
    """A server that the test kills repeatedly, and its tables."""

    def __init__(self, folder: Path, tables: int, seed: int) -> None:
        self.server = Server(folder, _PAUSE)
        self.play = Recorder(seed, _PAUSE)
        self.tables = [Table(self.play) for _ in range(tables)]
        self.tally = Tally()
        self._chance = random.Random(seed + 1)  # kills do not depend on how often people choose
        self._http = Http(self.play)

    async def run(self, kills: int, step: Callable[[], object]) -> None:
        """Kill this number of times, or until the first fault; then check the whole database."""
        try:
            await self._start()
            self.play.begun.set()
            self.play.up.set()
            for table in self.tables:
                await table.create()
            while self.tally.kills < kills and not self.play.faults:
                await self._play_for_a_while()
                await self._kill()
                step()
                if self.tally.kills % _STARTING == 1 and self.tally.kills < kills:
                    await self._kill_starting()
                    step()
                await self._start()
                numbers = await self._check()
                self.play.up.set()
                await self._until_all_continue(numbers)
            await asyncio.gather(*(table.leave() for table in self.tables))
        finally:
            await self.server.end(signal.SIGTERM)
        self._read()
        self.play.faults += self.server.complaints

    async def _start(self) -> None:
        begin = time.perf_counter()
        await self.server.start()
        await self.server.until_ready()
        self.tally.started.append(time.perf_counter() - begin)
        self.play.addresses = [self.server.address]

    async def _play_for_a_while(self) -> None:
        """Wait for some acknowledged turns, and then for a random moment."""
        play = self.play
        wanted = play.acknowledgements + self._chance.randint(0, _MOST_TURNS)
        async with asyncio.timeout(_TIMEOUT):
            while play.acknowledgements < wanted:
                await play.next_change()
        await asyncio.sleep(self._chance.uniform(0, _LONGEST_DELAY))

    async def _kill(self) -> None:
        if self.play.up.is_set():
            self.tally.unanswered += len(self.play.open)
        self.play.up.clear()
        self.play.life += 1
        self.tally.kills += 1
        await self.server.end(signal.SIGKILL)

    async def _kill_starting(self) -> None:
        """Kill a server that is starting, or has just started."""
        await self.server.start()
        await asyncio.sleep(self._chance.uniform(0, 1.2 * percentile(self.tally.started, 50)))
        await self._kill()
        self.tally.starting += 1

    async def _check(self) -> dict[str, int]:
        """Compare the logs of the tables in play. Return the number of each table's last event."""
        numbers = {}
        for table in self.tables:
            status, answer = await self._http.ask("GET", f"/api/tables/{table.id}/events")
            if status != 200:
                self.play.fault(f"{table.id}: {status} {answer}")
                continue
            self.play.check(table.id, answer["events"])
            self.tally.logs += 1
            numbers[table.id] = len(answer["events"])
        return numbers

    async def _until_all_continue(self, numbers: Mapping[str, int]) -> None:
        """Wait for an event from every table."""
        begin = time.perf_counter()
        try:
            async with asyncio.timeout(_TIMEOUT):
                while any(table.clients[0].number <= numbers.get(table.id, 0) for table in self.tables):
                    await self.play.next_change()
        except TimeoutError:
            for table in self.tables:
                if table.clients[0].number <= numbers.get(table.id, 0):
                    self.play.fault(f"{table.id} has no event after {table.clients[0].number}")
        self.tally.continued.append(time.perf_counter() - begin)

    def _read(self) -> None:
        """Check all tables in the database, without a server."""
        with closing(sqlite3.connect(self.server.database)) as connection:
            for (answer,) in connection.execute("PRAGMA integrity_check"):
                if answer != "ok":
                    self.play.fault(f"SQLite: {answer}")
            for table in self.tables:
                for name in table.ids:
                    query = "SELECT body FROM events WHERE table_id = ? ORDER BY number"
                    log = [json.loads(body) for (body,) in connection.execute(query, (name,))]
                    self.play.check(name, log)
                    if log and any(event["kind"] == "deck_revealed" for event in log):
                        self.tally.games += 1
                        if not is_game(name, log):
                            self.play.fault(
                                f"{name}: the log is not a game with the deck that was committed to"
                            )


def _report(test: KillTest, around: str, seed: int) -> list[str]:
    play, tally = test.play, test.tally
    events = sum(map(len, play.events.values()))
    verdict = "nothing" if not play.faults else f"{len(play.faults)} faults, the first: {play.faults[0]}"
    median, longest = (percentile(tally.started, percent) for percent in (50, 100))
    continued = [f"{percentile(tally.continued, percent):.2f} s" for percent in (50, 100)]
    all_tables = sum(len(table.ids) for table in test.tables)
    return [
        "Written by `python -m benches.table_kill`. People and bots play without pauses; at a random moment the",
        "server gets `kill -9`. A client without an answer sends the same turn again to the next server. This kills",
        "the process and not the machine, so it does not test whether a commit reaches the disk: that is SQLite's",
        "`synchronous=FULL`.",
        "",
        around,
        f"- {version_text(kd.__version__)}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}",
        f"- {len(test.tables)} tables of two people, two bots and two spectators; seed {seed}",
        f"- measured: {time.strftime('%Y-%m-%d')}",
        "",
        f"**{tally.kills} kills, {tally.starting} of them while the server was starting.",
        f"Lost, doubled or stuck: {verdict}.**",
        "",
        f"- {play.acknowledgements:,} turns were acknowledged and {events:,} events sent: all are in the logs.",
        f"- {tally.unanswered:,} turns were under way when a server was killed. They were sent again:",
        f"  {play.stored_unanswered:,} were in the log already and were refused as `stale_ply`; the others were done",
        "  then.",
        f"- {tally.logs:,} logs were compared after a start. Numbers and plies have no gap and no duplicate; every",
        "  event that was sent and every acknowledged turn is there; every person's action is what that person sent.",
        "  After every start every table continued.",
        f"- At the end all {all_tables:,} tables were compared again in the database, which passed SQLite's check.",
        f"  The {tally.games:,} finished games were replayed by the engine: their decks match the commitments, and",
        "  their scores the logs.",
        f"- A server was ready {median:.2f} s after its start (median; longest {longest:.2f} s), and every table had",
        f"  continued {continued[0]} later (longest {continued[1]}).",
    ]


def main(
    kills: Annotated[int, typer.Option(min=1, help="Number of kills.")] = 200,
    tables: Annotated[int, typer.Option(min=1, help="Tables in play.")] = 20,
    seed: Annotated[int, typer.Option(help="For people's choices and the moments of the kills.")] = 1,
    folder: Annotated[Path | None, typer.Option(help="Where the temporary database is created.")] = None,
    dry: Annotated[bool, typer.Option("--dry", help="Print the result, and write no page.")] = False,
) -> None:
    """Kill the table's server under load, check that nothing is lost, and write docs/evidence/table.md."""
    console = Console()
    with (
        tempfile.TemporaryDirectory(prefix="tables-", dir=folder) as made,
        Progress(console=console) as progress,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        around = surroundings(Path(made))
        test = KillTest(Path(made), tables, seed)
        task = progress.add_task("kill -9", total=kills)
        runner.run(test.run(kills, lambda: progress.advance(task)))
        lines = _report(test, around, seed)
    console.print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)
    for fault in test.play.faults[:10]:
        console.print(fault, markup=False)
    if not dry:
        write_section("Killed", lines)
    if test.play.faults:
        raise SystemExit(1)


if __name__ == "__main__":
    typer.run(main)
