"""A server for every test: its own database, bots that do not pause, and no limits."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from clients import Clock, Server, opened

from kingdomino.server.settings import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Give the settings of a server that is quick and has no limits."""
    return Settings(database=f"sqlite:///{tmp_path}/tables.db", pause=0, bot_threads=2, limits=None)


@pytest.fixture
async def server(settings: Settings, clock: Clock) -> AsyncIterator[Server]:
    """Open a server whose clock the test moves."""
    async with opened(settings, clock) as server:
        yield server


@pytest.fixture
def clock() -> Clock:
    """Give the server's clock."""
    return Clock()
