"""A server for every test: its own database, bots that do not pause, and no limits."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from clients import Clock, Server, opened

from kingdomino.server.settings import Settings
from kingdomino.server.tables import actor, registry


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Give the settings of a server that is quick and has no limits."""
    return Settings(database=f"sqlite:///{tmp_path}/tables.db", pause=0, bot_threads=2, limits=None)


@pytest.fixture
async def server(settings: Settings) -> AsyncIterator[Server]:
    """Open a registry."""
    async with opened(settings) as server:
        yield server


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Let the server's events have the times of this clock. What is due is compared with the real one."""
    clock = Clock()
    for module in (actor, registry):
        monkeypatch.setattr(module, "now", clock)
    return clock
