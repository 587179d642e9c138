"""Compares two versions: how many actions a second their processes store on one PostgreSQL with a slow disk.

`python -m benches.notices --before CHECKOUT` from the root of the repository; build the other checkout first.
A process only stores actions, as a server does, and notifies the others, at several tables at once: so the
disk is the limit, not the processor. PostgreSQL (``synchronous_commit`` on) lives in a folder in memory; a
preloaded library delays each flush (`tools.disk.slow_flushes`). The versions take turns. Prints a table.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Annotated, Final

import typer

from benches.run import machine
from kingdomino.server.storage import Entry, Store, TableRow
from kingdomino.server.tables.core.peers import Changed
from tools.disk import slow_flushes
from tools.postgresql import PostgreSQL, programs

_ROOT: Final = Path(__file__).parents[1]
_PROCESSES: Final = (1, 2)
_BODY: Final = (
    '{"kind":"claimed","number":1,"at":1795000000000,"game":1,"ply":1,"seat":0,"domino":17,"by":"person"}'
)
_SUMMARY: Final = "{}" * 200


async def _store(url: str, process: str, tables: int, seconds: float) -> float:
    """Store actions at some tables once a line arrives on stdin; return how many a second."""
    store = await Store.open(url)
    await store.listen(lambda _: None, lambda: None)
    done = 0
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    end = time.monotonic() + seconds

    async def play(table: str) -> None:
        nonlocal done
        number = 0
        while time.monotonic() < end:
            number += 1
            row = TableRow(table, "playing", False, number, number, _SUMMARY, None, ())
            news = Changed(process=process, table=table, number=number).model_dump_json()
            entry = Entry(number, number, number, "claimed", _BODY, None)
            await store.append([entry], row, number == 1, (), news)
            done += 1

    await asyncio.gather(*(play(f"{process}{number:06}") for number in range(tables)))
    await store.close()
    return done / seconds


def write(url: str, process: str, tables: str, seconds: str) -> None:
    """Run one process of the measurement: store actions, and print how many a second."""
    print(asyncio.run(_store(url, process, int(tables), float(seconds))))


def _process(source: Path, *arguments: str) -> subprocess.Popen[str]:
    code = "import sys; from benches.notices import write; write(*sys.argv[1:])"
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "PYTHONPATH": f"{source / 'python'}:{_ROOT}"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _run(source: Path, processes: int, tables: int, seconds: float, flush: float) -> float:
    found = programs()
    if found is None:
        raise SystemExit("PostgreSQL is not installed: apt-get install postgresql")
    with tempfile.TemporaryDirectory(prefix="notices-", dir="/dev/shm") as made:
        folder = Path(made)
        folder.chmod(0o755)  # the database's own user must be able to enter
        slow = slow_flushes(folder, flush)
        with PostgreSQL(folder / "data", found, durable=True, environment=slow).running() as cluster:
            running = [
                _process(source, cluster.url_of(), f"server{number}", str(tables), str(seconds))
                for number in range(processes)
            ]
            for process in running:
                assert process.stdout is not None
                process.stdout.readline()  # ready
            return sum(float(out) for out in _outputs(running))


def _outputs(running: list[subprocess.Popen[str]]) -> list[str]:
    """Let all processes begin, and return their outputs."""
    for process in running:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    return [process.communicate()[0] for process in running]


def main(
    before: Annotated[Path, typer.Option(help="A checkout of the version to compare with, built.")],
    tables: Annotated[int, typer.Option(min=1, help="Tables at which each process stores actions.")] = 20,
    seconds: Annotated[float, typer.Option(min=1, help="How long to measure each run.")] = 8,
    rounds: Annotated[
        int, typer.Option(min=1, help="Runs of each version with one and with two processes.")
    ] = 3,
    flush: Annotated[float, typer.Option(min=0, help="Milliseconds by which a flush is delayed.")] = 20,
) -> None:
    """Measure, and print a table."""
    versions = {"before": before.resolve(), "after": _ROOT}
    found: dict[tuple[int, str], list[float]] = defaultdict(list)
    for number in range(rounds):
        for processes in _PROCESSES:
            for name in sorted(versions, reverse=number % 2 == 0):
                rate = _run(versions[name], processes, tables, seconds, flush / 1e3)
                found[processes, name].append(rate)
                print(f"{name}, {processes}: {rate:.0f}", file=sys.stderr, flush=True)
    middle = {key: statistics.median(runs) for key, runs in found.items()}
    print(
        f"| actions a second, {flush:g} ms a flush, {tables} tables a process | before | after | after/before |"
    )
    print("|---|---|---|---|")
    for processes in _PROCESSES:
        cells = [
            f"{middle[processes, name]:.0f} ({min(found[processes, name]):.0f} to {max(found[processes, name]):.0f})"
            for name in versions
        ]
        ratio = middle[processes, "after"] / middle[processes, "before"]
        print(f"| {processes} | {' | '.join(cells)} | **{ratio:.2f}** |")
    gains = [middle[2, name] / middle[1, name] for name in versions]
    print(f"| two relative to one | **{gains[0]:.2f}** | **{gains[1]:.2f}** | |")
    print(f"\n{machine()}; load {os.getloadavg()[0]:.0f}; medians of {rounds} runs of {seconds:g} s, in turn")


if __name__ == "__main__":
    typer.run(main)
