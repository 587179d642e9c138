"""A server that cannot store: it reports this, loses nothing, and continues when storage works again."""

import io
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.clients import Client, Clock, Json, changed, numbers, opened, refusal

from kingdomino.server.settings import Settings
from kingdomino.server.storage import StorageError
from tools.disk import fill, small_disk


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of two megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    with ExitStack() as stack:
        try:
            stack.enter_context(small_disk(folder, 2))
        except PermissionError as error:
            if os.environ.get("CI") == "true":
                raise
            pytest.skip(f"a disk cannot be mounted: {error}")
        yield folder


@pytest.mark.services
async def test_a_game_goes_on_when_a_full_disk_has_room_again(
    disk: Path, settings: Settings, empty_database: Path, clock: Clock
) -> None:
    shutil.copy(empty_database, disk / "tables.db")
    async with opened(changed(settings, database=f"sqlite:///{disk}/tables.db"), clock) as server:
        ida = server.client()
        table = await ida.create("me", "me")
        fill(disk / "filler")
        assert await until_refused(ida, table) == (503, "storage")
        kept = await ida.events(table)
        assert await ida.refused("GET", "/ready") == (503, "storage")
        assert (await ida.send("GET", "/health")).is_success
        (disk / "filler").unlink()
        clock.pass_by(1)  # for which the answer before is valid
        await ida.get("/ready")
        events = await ida.play(table)
        assert events[: len(kept)] == kept
        assert numbers(events) == list(range(1, len(events) + 1))
        assert events[-1]["kind"] == "deck_revealed"


def removed(file: Path) -> Path:
    """Move a file away."""
    return file.rename(file.with_name("aside"))


def replaced(file: Path) -> Path:
    """Replace a file with its copy."""
    aside = removed(file)
    shutil.copy(aside, file)
    return aside


@pytest.mark.skipif(sys.platform == "win32", reason="there an open file keeps its name")
@pytest.mark.parametrize("ending", ["", "-wal", "-shm"])
@pytest.mark.parametrize("lose", [removed, replaced])
async def test_nothing_is_acknowledged_while_a_file_of_the_database_is_elsewhere(
    lose: Callable[[Path], Path],
    ending: str,
    settings: Settings,
    clock: Clock,
    written: io.StringIO,
    tmp_path: Path,
) -> None:
    file = tmp_path / f"tables.db{ending}"
    async with opened(settings, clock) as server:
        ida = server.client()
        table = await ida.create("me", "me")
        kept = await ida.events(table)
        aside = lose(file)
        assert await until_refused(ida, table) == (503, "storage")
        assert await ida.refused("GET", "/ready") == (503, "storage")
        with pytest.raises(StorageError, match=f"{file.name} was removed or replaced"):
            await server.registry.sweep()
        assert f"{file.name} was removed or replaced" in written.getvalue()
        assert await ida.events(table) == kept
        assert file.exists() == (lose is replaced), "nothing is created in its place"
        aside.rename(file)
        clock.pass_by(1)  # for which the answer before is valid
        await ida.get("/ready")
        events = await ida.play(table)
    async with opened(settings) as server:
        assert await server.client(ida.cookies).events(table) == events
    assert numbers(events) == list(range(1, len(events) + 1))


async def until_refused(ida: Client, table: str) -> tuple[int, str]:
    """Play turns until the server refuses one; some may still fit into the database's files."""
    while True:
        turn: Json = (await ida.table(table))["turn"]
        path = f"/api/tables/{table}"
        choices = await ida.get(f"{path}/choices", ply=turn["ply"])
        action = next(iter(choices["placements"] or choices["claims"]), {"action": "discard"})["action"]
        answer = await ida.send("POST", f"{path}/actions", {"ply": turn["ply"], "actions": [action]})
        if not answer.is_success:
            return refusal(answer)
