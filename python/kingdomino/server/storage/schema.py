"""The tables of the database, as the newest migration leaves them."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

__all__ = [
    "archives",
    "events",
    "heartbeats",
    "keys",
    "links",
    "metadata",
    "passkeys",
    "records",
    "results",
    "revoked",
    "seats",
    "settings",
    "tables",
    "user_tables",
    "users",
    "values",
]

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

tables = Table(
    "tables",
    metadata,
    Column("id", Text, primary_key=True),
    Column("state", Text, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Column("due", BigInteger),
    Column("summary", Text, nullable=False),
    Column("code", Text),
    Index(None, "state", "updated"),
    Index(None, "code"),
    Index(None, "due"),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("user_id", Text, nullable=False),
    Index(None, "user_id"),
)

events = Table(
    "events",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("ply", Integer),
    Column("at", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("secret", Text),
    UniqueConstraint("table_id", "ply"),
)

archives = Table(
    "archives",  # compressed logs of finished tables: all entries up to a number; `events` has the later ones
    metadata,
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
)

results = Table(
    "results",
    metadata,
    Column("user_id", Text, primary_key=True),
    Column("game_id", Text, primary_key=True),
    Column("imported", Boolean, nullable=False),
    Column("ended", BigInteger, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("rules", Text, nullable=False),
    Column("dynasty", Text),
    Column("bot", Text),
    Column("games", Integer, nullable=False),
    Column("points", Integer),
    Column("best", Integer),
    Column("body", Text, nullable=False),
    Index(None, "user_id", "ended", "game_id"),
    Index(None, "game_id"),
)

records = Table(
    "records",
    metadata,
    Column("id", Text, primary_key=True),
    Column("text", Text, nullable=False),
)

users = Table(
    "users",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
)

heartbeats = Table(
    "heartbeats",
    metadata,
    Column("name", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
)

user_tables = Table(
    "user_tables",  # the tables whose log names a user
    metadata,
    Column("user_id", Text, primary_key=True),
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Index(None, "table_id"),
)

links = Table(
    "links",  # to another device of a user, with the digest of their secret
    metadata,
    Column("digest", Text, primary_key=True),
    Column("user_id", Text, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Index(None, "user_id"),
)

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user_id", Text, nullable=False),
    Column("public_key", LargeBinary, nullable=False),
    Column("uses", BigInteger, nullable=False),
    Index(None, "user_id"),
)

settings = Table(
    "settings",
    metadata,
    Column("user_id", Text, primary_key=True),
    Column("body", Text, nullable=False),
)

keys = Table(
    "keys",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
)

revoked = Table(
    "revoked",  # the time before which cookies are revoked, by digest of the user, whose id may be deleted
    metadata,
    Column("digest", Text, primary_key=True),
    Column("before", BigInteger, nullable=False),
)


def values(table: Table, row: object) -> dict[str, object]:
    """Return the columns of a row, from an object that has an attribute for each."""
    return {column.name: getattr(row, column.name) for column in table.c}
