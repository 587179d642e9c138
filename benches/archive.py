"""Measures what a game that is over needs in the database, before and after its log is packed.

`python -m benches.archive` from the root of the repository writes a section of docs/evidence/table.md. Greedy bots play
games that are stored as the server stores them, in an SQLite file of their own; then all logs are packed. The file is
measured after VACUUM, with everything in it.
"""

import asyncio
import platform
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.progress import track

import kingdomino as kd
from benches.tables import surroundings, write_section
from kingdomino.cli.version import version_text
from kingdomino.server.storage import Store
from kingdomino.server.tables.core.actor import row
from kingdomino.server.tables.core.commands import Transaction, created
from kingdomino.server.tables.core.events import By, CreatedSecret
from kingdomino.server.tables.core.state import Seat, State
from kingdomino.server.tables.history.packing import PACKING
from kingdomino.server.tables.history.played import results
from kingdomino.server.tables.people import secrets

SECTION = "Kept games"
TARGET = 4096
"""Bytes of a game of four bots."""


class Kind(NamedTuple):
    """A kind of table: who plays, and whether they play three games."""

    name: str
    bots: int
    people: int
    dynasty: bool


KINDS = (
    Kind("four bots", 4, 0, False),
    Kind("two people and two bots", 2, 2, False),
    Kind("two people, a Dynasty of three games", 0, 2, True),
)


class Sizes(NamedTuple):
    """Bytes of one table in the file, and of its packed log; milliseconds to pack and to unpack."""

    before: float
    after: float
    log: float
    longest: int
    pack: float
    unpack: float


def main(
    games: Annotated[int, typer.Option(min=1, help="Tables of each kind.")] = 200,
    seed: Annotated[int, typer.Option(help="Seed of the bots.")] = 1,
) -> None:
    """Measure, and write the section."""
    with tempfile.TemporaryDirectory() as folder:
        around = surroundings(Path(folder))
        sizes = [
            asyncio.run(_measured(Path(folder, f"{place}.db"), kind, games, seed))
            for place, kind in enumerate(KINDS)
        ]
    lines = list(_section(games, seed, around, sizes))
    print("\n".join(lines))
    write_section(SECTION, lines)


async def _measured(file: Path, kind: Kind, games: int, seed: int) -> Sizes:
    store = await Store.open(f"sqlite:///{file}", packing=PACKING)
    empty = _size(file)
    tables = []
    for number in track(range(games), kind.name):
        transaction = _played(kind, kd.bots.make("greedy", seed=seed + number), number)
        state = transaction.state
        await store.append(transaction.entries, row(state, None), results=results(state))
        tables.append(state.id)
    before = _size(file)
    packs, unpacks, logs = [], [], []
    for table in tables:
        entries = await store.entries(table, secrets=True)
        start = time.perf_counter()
        packed = PACKING.pack(table, entries)
        packs.append(time.perf_counter() - start)
        start = time.perf_counter()
        assert PACKING.unpack(table, packed) == entries
        unpacks.append(time.perf_counter() - start)
        logs.append(len(packed))
        assert await store.archive.compact(table)
    after = _size(file)
    await store.close()
    return Sizes(
        (before - empty) / games,
        (after - empty) / games,
        statistics.mean(logs),
        max(logs),
        1000 * statistics.median(packs),
        1000 * statistics.median(unpacks),
    )


def _played(kind: Kind, bot: kd.bots.Bot, number: int) -> Transaction:
    """Play all games of a table."""
    bots = [Seat("bot", f"Bot {seat}", "greedy") for seat in range(kind.bots)]
    people = [Seat("person", f"Player {seat}", user=f"{number:022}{seat}") for seat in range(kind.people)]
    seats = [*people, *bots]
    host = seats[0].user or "host"
    users = {seat: one.user for seat, one in enumerate(seats) if one.user is not None}
    at = time.time_ns() // 1_000_000
    transaction = Transaction(State(secrets.new_table_id()), at)
    first = created(kd.Rules(len(seats)), "total" if kind.dynasty else None, None, False, seats, host, at)
    transaction.create(first, CreatedSecret(host=host, users=users, code=None))
    while (state := transaction.state).stage != "over":
        if state.stage == "between":
            transaction.draw()
        transaction.at += 3000 + 7 * state.number % 1000  # people do not move at regular times
        position = transaction.state.position
        assert position.to_move is not None
        by: By = "bot" if position.to_move >= kind.people else "person"
        transaction.act(transaction.state.ply, [str(bot.choose(position))], by)
    return transaction


def _size(file: Path) -> int:
    """Return the bytes of the database without room that is free."""
    copy = file.with_suffix(".copy")
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("VACUUM INTO ?", [str(copy)])
    size = copy.stat().st_size
    copy.unlink()
    return size


def _section(games: int, seed: int, around: str, sizes: Sequence[Sizes]) -> Iterator[str]:
    yield f"Written by `python -m benches.archive`. {games} tables of each kind, played by greedy bots and stored as"
    yield "the server does, in an SQLite file; then every log is packed ([host it](../guides/hosting.md)). Bytes of the"
    yield "whole file, after VACUUM, less those of an empty one: rows, indexes, and for people their lists of games."
    yield ""
    yield around
    versions = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    yield f"- {version_text(kd.__version__)}, {versions}; seed {seed}"
    yield f"- measured: {datetime.now(UTC).date()}"
    yield ""
    yield "| a table of | bytes before | after | target | packed log, mean and longest | to pack and check | to read |"
    yield "|---|---|---|---|---|---|---|"
    for kind, size in zip(KINDS, sizes, strict=True):
        target = f"< {TARGET:,}" if kind is KINDS[0] else ""
        yield (
            f"| {kind.name} | {size.before:,.0f} | **{size.after:,.0f}** | {target} "
            f"| {size.log:,.0f}, {size.longest:,} | {size.pack:.1f} ms | {size.unpack:.1f} ms |"
        )


if __name__ == "__main__":
    typer.run(main)
