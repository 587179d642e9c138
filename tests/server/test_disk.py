"""A server whose disk has no room left: it says so, loses nothing, and goes on when there is room again."""

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from clients import Client, Clock, Json, changed, numbers, opened, refusal

from kingdomino.server.settings import Settings
from tools.disk import fill, small_disk

pytestmark = pytest.mark.services


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Give a disk of two megabytes."""
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


async def until_refused(ida: Client, table: str) -> tuple[int, str]:
    """Play turns, which may fit into what the database's files have room for, until one is refused."""
    while True:
        turn: Json = (await ida.table(table))["turn"]
        path = f"/api/tables/{table}"
        choices = await ida.get(f"{path}/choices", ply=turn["ply"])
        action = next(iter(choices["placements"] or choices["claims"]), {"action": "discard"})["action"]
        answer = await ida.send("POST", f"{path}/actions", {"ply": turn["ply"], "actions": [action]})
        if not answer.is_success:
            return refusal(answer)
