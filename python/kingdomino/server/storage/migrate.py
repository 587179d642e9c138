"""Brings a database up to date, or back to an older schema (docs/guides/hosting.md).

A migration only adds tables, indexes, and columns that may be empty, so that servers of the version before go on with
the newer schema until they are restarted. What would break them is done one version later.
"""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from kingdomino.server.storage.archive import Packing
from kingdomino.server.storage.packing import PLAIN

__all__ = ["FOREIGN", "ForeignDatabase", "NewerDatabase", "current", "downgrade", "revisions", "upgrade"]

FOREIGN: Final = "this is a database of another program"
_VERSION: Final = "alembic_version"
_OURS: Final = {"tables", "events", "users"}


class ForeignDatabase(ValueError):  # noqa: N818
    """The database has tables of another program."""


class NewerDatabase(ValueError):  # noqa: N818
    """A newer version of this program has written the database."""


def revisions() -> list[str]:
    """Give the names of all schemas, the first one first."""
    return [script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()][::-1]


def current(connection: Connection) -> str | None:
    """Give the database's schema; `None` if it is empty.

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
    """Apply the migrations that are due, in the connection's transaction, up to a revision (the newest by default).

    Raises `ForeignDatabase` or `NewerDatabase`.
    """
    current(connection)
    command.upgrade(_config(connection), to)


def downgrade(connection: Connection, to: str, packing: Packing = PLAIN) -> None:
    """Go back to an older revision. ``packing`` is the form of the logs in the archive.

    Raises `ForeignDatabase` or `NewerDatabase`.
    """
    current(connection)
    config = _config(connection)
    config.attributes["packing"] = packing
    command.downgrade(config, to)


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
