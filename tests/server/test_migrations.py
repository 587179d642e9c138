"""The schema of a database: created at the first start, and migrated by the next version."""

import shutil
from importlib import resources
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Engine, MetaData, create_engine, insert, inspect, select

from kingdomino.server.storage import StorageError, Store, backup, migrate, schema

NEXT = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "next", "{newest}"


def upgrade() -> None:
    op.add_column("users", sa.Column("colour", sa.Text))
"""
"""A migration of the next version, as CONTRIBUTING.md describes it."""
WHEN = 1_795_000_000_000
TABLE = "q3v7n2kd8wjm"
ROWS: dict[str, dict[str, object]] = {
    "tables": {"id": TABLE, "state": "over", "public": True, "updated": WHEN, "summary": "{}"},
    "archives": {"table_id": TABLE, "number": 1, "body": b"\x00\xff"},
    "events": {"table_id": TABLE, "number": 2, "at": WHEN, "kind": "rematch", "body": "{}"},
    "seats": {"table_id": TABLE, "seat": 0, "user_id": "ida"},
    "users": {"id": "ida", "name": "Ida"},
    "keys": {"name": "cookies", "value": b"\x00\xff"},
    "heartbeats": {"name": "ready", "at": WHEN},
    "user_tables": {"user_id": "ida", "table_id": TABLE},
    "links": {"digest": "d", "user_id": "ida", "expires": WHEN},
    "passkeys": {"id": "p", "user_id": "ida", "public_key": b"\xff", "uses": 1},
    "settings": {"user_id": "ida", "body": "{}"},
    "results": {
        "user_id": "ida",
        "game_id": TABLE,
        "imported": False,
        "ended": WHEN,
        "outcome": "won",
        "rules": "2.second.random",
        "games": 1,
        "body": "{}",
    },
    "records": {"id": "r", "text": "kingdomino-record 1"},
    "revoked": {"digest": "d", "before": WHEN},
}
"""A row of each table."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.services)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'games.db'}"
    database: str = request.getfixturevalue("new_database")
    return database


@pytest.fixture
def next_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Add a migration; `undo` returns to this version."""
    newest = migrate.revisions()[-1]
    shutil.copytree(migrate._SCRIPTS, tmp_path / "migrations")  # noqa: SLF001
    (tmp_path / "migrations/versions/next.py").write_text(NEXT.format(newest=newest))
    monkeypatch.setattr(migrate, "_SCRIPTS", tmp_path / "migrations")
    return monkeypatch


def engine_of(url: str) -> Engine:
    return create_engine(url.replace("postgresql:", "postgresql+psycopg:"))


def filled(url: str) -> dict[str, list[dict[str, object]]]:
    """Make a database of the second newest schema, with a row in each table; return its rows."""
    engine = engine_of(url)
    with engine.begin() as connection:
        migrate.upgrade(connection, migrate.revisions()[-2])
        for table in tables_of(connection).sorted_tables:
            connection.execute(insert(table), ROWS[table.name])
        rows = rows_of(connection)
    engine.dispose()
    return rows


def tables_of(connection: Connection) -> MetaData:
    found = MetaData()
    found.reflect(connection, only=lambda name, _: not name.startswith(("alembic", "procrastinate")))
    return found


def rows_of(connection: Connection) -> dict[str, list[dict[str, object]]]:
    return {
        table.name: [dict(row) for row in connection.execute(select(table)).mappings()]
        for table in tables_of(connection).sorted_tables
    }


def read(url: str) -> dict[str, list[dict[str, object]]]:
    engine = engine_of(url)
    with engine.connect() as connection:
        rows = rows_of(connection)
    engine.dispose()
    return rows


def columns_of_users(url: str) -> set[str]:
    engine = engine_of(url)
    columns = {column["name"] for column in inspect(engine).get_columns("users")}
    engine.dispose()
    return columns


async def test_a_new_database_has_the_tables_that_the_program_knows(url: str) -> None:
    await (await Store.open(url)).close()
    engine = engine_of(url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"include_name": is_ours})
        assert compare_metadata(context, schema.metadata) == []
    engine.dispose()


def is_ours(name: str | None, kind: str, _: object) -> bool:
    """Return whether our migrations define this, and not procrastinate."""
    return kind != "table" or not str(name).startswith("procrastinate_")


@pytest.mark.usefixtures("next_version")
async def test_a_server_brings_an_older_database_up_to_date_and_loses_nothing(url: str) -> None:
    before = filled(url)
    await (await Store.open(url)).close()
    before["users"][0]["colour"] = None
    assert read(url) == before


@pytest.mark.usefixtures("next_version")
@pytest.mark.parametrize("newer", [False, True])
async def test_a_backup_of_an_older_version_is_brought_up_to_date(
    url: str, tmp_path: Path, newer: bool
) -> None:
    before = filled(url)
    backup.save(url, tmp_path / "file")
    if newer:
        await (await Store.open(url)).close()
    backup.restore(url, tmp_path / "file", replace=True)
    before["users"][0]["colour"] = None
    assert read(url) == before


async def test_an_older_version_replaces_a_newer_database_only_on_request(
    url: str, tmp_path: Path, next_version: pytest.MonkeyPatch
) -> None:
    before = filled(url)
    backup.save(url, tmp_path / "file")
    await (await Store.open(url)).close()
    next_version.undo()
    with pytest.raises(StorageError, match="newer version"):
        await Store.open(url)
    with pytest.raises(StorageError, match="newer version"):
        backup.restore(url, tmp_path / "file")
    assert "colour" in columns_of_users(url)
    backup.restore(url, tmp_path / "file", replace=True)
    assert read(url) == before


@pytest.mark.usefixtures("next_version")
def test_a_restore_that_fails_changes_nothing(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = filled(url)
    backup.save(url, tmp_path / "file")

    def fail(_: Connection) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(migrate, "upgrade", fail)
    with pytest.raises(OSError, match="full"):
        backup.restore(url, tmp_path / "file", replace=True)
    assert read(url) == before


def test_the_newest_tables_of_the_queue_of_jobs_are_made() -> None:
    """Fail if procrastinate has a newer migration.

    A database keeps the tables of the procrastinate that made it. If this fails, add a migration of ours that
    runs procrastinate's new ones.
    """
    files = resources.files("procrastinate") / "sql" / "migrations"
    newest = max(file.name for file in files.iterdir() if file.name.endswith(".sql"))
    assert newest == "03.04.00_50_post_add_retry_failed_job_procedure.sql"
