"""Bring a database to the newest schema (CONTRIBUTING.md says how to add a migration)."""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, inspect

__all__ = [
    "FOREIGN",
    "ForeignDatabase",
    "NewerDatabase",
    "current",
    "recreate",
    "reflected",
    "revisions",
    "upgrade",
]

FOREIGN: Final = "this is a database of another program"
_SCRIPTS: Final = Path(__file__).parent / "migrations"
_VERSION: Final = "alembic_version"
_QUEUE: Final = "procrastinate_"
_OURS: Final = {"tables", "events", "users"}


class ForeignDatabase(ValueError):  # noqa: N818
    """The database has tables of another program."""


class NewerDatabase(ValueError):  # noqa: N818
    """A newer version of this program has written the database."""


def revisions() -> list[str]:
    """Return the names of all schemas, the first one first."""
    return [script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()][::-1]


def current(connection: Connection) -> str | None:
    """Return the database's schema; `None` if it is empty.

    Raises `ForeignDatabase` or `NewerDatabase`.
    """
    tables = set(inspect(connection).get_table_names())
    revision = MigrationContext.configure(connection).get_current_revision() if _VERSION in tables else None
    if (tables and revision is None and tables != {_VERSION}) or (revision and not tables >= _OURS):
        raise ForeignDatabase(FOREIGN)
    if revision is not None and revision not in revisions():
        raise NewerDatabase("this database was written by a newer version of this program")
    return revision


def upgrade(connection: Connection, to: str = "head") -> None:
    """Apply the migrations up to a revision (the newest by default), in the connection's transaction.

    Raises `ForeignDatabase` or `NewerDatabase`.
    """
    current(connection)
    command.upgrade(_config(connection), to)


def reflected(connection: Connection) -> MetaData:
    """Return a database's tables, except those of the job queue."""
    found = MetaData()
    found.reflect(connection, only=lambda name, _: not name.startswith(_QUEUE))
    return found


def recreate(connection: Connection, revision: str) -> None:
    """Drop a database's tables, except those of the job queue, and create the tables of a schema."""
    reflected(connection).drop_all(connection)
    command.upgrade(_config(connection), revision)


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
