"""A server for every test: its own database, bots that do not pause, and no limits."""

import io
import itertools
import logging
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import create_engine
from support.clients import Clock, Server, opened

from kingdomino.server.log import Line
from kingdomino.server.settings import Limits, Overload, Settings
from kingdomino.server.storage import migrate
from tools.postgresql import PostgreSQL, programs

_NUMBERS = itertools.count(1)


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database of the newest schema, because copying one is faster than making one."""
    file = tmp_path_factory.mktemp("empty") / "tables.db"
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        migrate.upgrade(connection)
    engine.dispose()
    return file


@pytest.fixture
def settings(tmp_path: Path, empty_database: Path) -> Settings:
    """Return the settings of a server that is quick and has no limits."""
    shutil.copy(empty_database, tmp_path / "tables.db")
    return Settings(
        database=f"sqlite:///{tmp_path}/tables.db",
        pause=0,
        bot_threads=2,
        limits=Limits(enforced=False),
        overload=Overload(lag=60),
    )


@pytest.fixture
async def server(settings: Settings, clock: Clock) -> AsyncIterator[Server]:
    """Open a server whose clock the test moves."""
    async with opened(settings, clock) as server:
        yield server


@pytest.fixture
def clock() -> Clock:
    """Return the server's clock."""
    return Clock()


@pytest.fixture(scope="session")
def cluster() -> Iterator[PostgreSQL]:
    """Run PostgreSQL for all tests of this process."""
    found = programs()
    if found is None and os.environ.get("CI") != "true":
        pytest.skip("PostgreSQL is not installed")
    assert found is not None, "PostgreSQL is not installed"
    # Not pytest's own folder: if we are root, PostgreSQL runs as another user, who could not enter it.
    with TemporaryDirectory(dir=os.environ.get("PYTEST_DEBUG_TEMPROOT")) as folder:
        Path(folder).chmod(0o755)
        with PostgreSQL(Path(folder, "data"), found, durable=False).running() as cluster:
            yield cluster


@pytest.fixture(scope="session")
def empty_shared_database(cluster: PostgreSQL) -> str:
    """Return the name of a database of the newest schema, which tests copy."""
    cluster.execute("CREATE DATABASE empty")
    engine = create_engine(cluster.url_of("empty").replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        migrate.upgrade(connection)
    engine.dispose()
    return "empty"


@pytest.fixture
def new_database(cluster: PostgreSQL) -> Iterator[str]:
    """Return the URL of a PostgreSQL database without tables."""
    yield from _database(cluster, "template1")


@pytest.fixture
def shared_database(cluster: PostgreSQL, empty_shared_database: str) -> Iterator[str]:
    """Return the URL of a database that several processes can serve."""
    yield from _database(cluster, empty_shared_database)


def _database(cluster: PostgreSQL, template: str) -> Iterator[str]:
    name = f"test_{next(_NUMBERS)}"
    cluster.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    yield cluster.url_of(name)
    cluster.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """Return the package's log lines."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Line())
    logger = logging.getLogger("kingdomino")
    before = logger.level
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    yield stream
    logger.removeHandler(handler)
    logger.setLevel(before)
