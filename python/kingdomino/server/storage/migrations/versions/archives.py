"""The logs of tables that are over, each packed in one row."""

import sqlalchemy as sa
from alembic import context, op

revision = "archives"
down_revision = "revoked"
branch_labels = None
depends_on = None

_archives = sa.table("archives", sa.column("table_id"), sa.column("body"))
_events = sa.table(
    "events",
    *(sa.column(name) for name in ("table_id", "number", "ply", "at", "kind", "body", "secret")),
)


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "archives",
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_archives"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_archives_table_id"),
    )


def downgrade() -> None:
    """Unpack every log."""
    connection = op.get_bind()
    unpack = context.config.attributes["packing"].unpack
    for table in connection.scalars(sa.select(_archives.c.table_id)).all():
        body = connection.execute(
            sa.select(_archives.c.body).where(_archives.c.table_id == table)
        ).scalar_one()
        rows = [
            {"table_id": table, **{column.name: getattr(entry, column.name) for column in _events.c[1:]}}
            for entry in unpack(table, bytes(body))
        ]
        connection.execute(sa.insert(_events), rows)
    op.drop_table("archives")
