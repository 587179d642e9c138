"""Adds links to another device, passkeys, and which tables know a user."""

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "identity"
down_revision = "honest_clock"
branch_labels = None
depends_on = None

_events = sa.table("events", sa.column("table_id"), sa.column("kind"), sa.column("secret"))


def upgrade() -> None:
    """Create the tables, and read from the logs which users they name."""
    user_tables = op.create_table(
        "user_tables",
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "table_id", name="pk_user_tables"),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name="fk_user_tables_table_id", ondelete="CASCADE"
        ),
    )
    op.create_table(
        "links",
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_links"),
    )
    op.create_index("ix_links_user_id", "links", ["user_id"])
    op.create_table(
        "passkeys",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("uses", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_passkeys"),
    )
    op.create_index("ix_passkeys_user_id", "passkeys", ["user_id"])

    named: set[tuple[str, str]] = set()
    query = sa.select(_events.c.table_id, _events.c.secret).where(_events.c.kind.in_(("created", "seated")))
    for table, secret in op.get_bind().execute(query):
        with suppress(ValueError, TypeError, AttributeError):  # a damaged event; the others go on
            named |= {(user, table) for user in _users(json.loads(secret)) if user is not None}
    if named:
        op.bulk_insert(user_tables, [{"user_id": user, "table_id": table} for user, table in sorted(named)])


def downgrade() -> None:
    """Drop the tables: passkeys and links are gone."""
    op.drop_table("passkeys")
    op.drop_table("links")
    op.drop_table("user_tables")


def _users(secret: dict[str, Any]) -> Iterator[str | None]:
    yield secret.get("host")
    yield secret.get("user")
    yield from secret.get("users", {}).values()
