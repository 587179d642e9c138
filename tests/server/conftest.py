"""A house for every test: its own database, bots that do not pause, and no limits."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from guests import Clock, Server, opened

from kingdomino.server import house, mailbox
from kingdomino.server.settings import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Give the settings of a house that is quick and lets everything through."""
    return Settings(database=f"sqlite:///{tmp_path}/tables.db", pause=0, bot_threads=2, limits=None)


@pytest.fixture
async def server(settings: Settings) -> AsyncIterator[Server]:
    """Open a house."""
    async with opened(settings) as server:
        yield server


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Let the server's events have the times of this clock. What is due is compared with the real one."""
    clock = Clock()
    for module in (mailbox, house):
        monkeypatch.setattr(module, "now", clock)
    return clock
