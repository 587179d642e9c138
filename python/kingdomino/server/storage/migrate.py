"""Brings a database up to date."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

__all__ = ["upgrade"]


def upgrade(connection: Connection, to: str = "head") -> None:
    """Apply the migrations that are due, in the connection's transaction, up to a revision (the newest by default).

    Raises `alembic.util.CommandError` for a database that a newer version of this program has written.
    """
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, to)
