"""The queue of jobs of a shared database: procrastinate's own tables."""

import sqlalchemy as sa
from alembic import op

revision = "jobs"
down_revision = "reviews"
branch_labels = None
depends_on = None

_OBJECTS = {
    "TABLE": """
        SELECT oid::regclass FROM pg_class
        WHERE relkind = 'r' AND relname LIKE 'procrastinate\\_%' AND relnamespace = current_schema()::regnamespace
    """,
    "FUNCTION": """
        SELECT oid::regprocedure FROM pg_proc
        WHERE proname LIKE 'procrastinate\\_%' AND pronamespace = current_schema()::regnamespace
    """,
    "TYPE": """
        SELECT oid::regtype FROM pg_type
        WHERE typtype IN ('c', 'e') AND typname LIKE 'procrastinate\\_%'
        AND typnamespace = current_schema()::regnamespace
    """,
}
"""What procrastinate has made, whatever its version is."""


def upgrade() -> None:
    """Create them on PostgreSQL."""
    if op.get_context().dialect.name == "postgresql":
        from procrastinate.schema import SchemaManager

        op.get_bind().exec_driver_sql(SchemaManager.get_schema().replace("%", "%%"))


def downgrade() -> None:
    """Drop them, with the jobs that wait; the servers ask for those again."""
    if op.get_context().dialect.name == "postgresql":
        connection = op.get_bind()
        for kind, names in _OBJECTS.items():
            for name in connection.scalars(sa.text(names)).all():
                op.execute(f"DROP {kind} {name} CASCADE")
