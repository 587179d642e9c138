"""A server for every test: its own database, bots that do not pause, and no limits."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from clients import Clock, Server, opened
from sqlalchemy import create_engine

from kingdomino.server.settings import Settings
from kingdomino.server.storage import migrate


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a database of the newest schema; to make one takes longer than to copy it."""
    file = tmp_path_factory.mktemp("empty") / "tables.db"
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        migrate.upgrade(connection)
    engine.dispose()
    return file


@pytest.fixture
def settings(tmp_path: Path, empty_database: Path) -> Settings:
    """Give the settings of a server that is quick and has no limits."""
    shutil.copy(empty_database, tmp_path / "tables.db")
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
