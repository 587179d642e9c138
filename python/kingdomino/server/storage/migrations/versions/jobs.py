"""The queue of jobs of a shared database: procrastinate's own tables."""

from alembic import op

revision = "jobs"
down_revision = "reviews"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create them on PostgreSQL."""
    if op.get_context().dialect.name == "postgresql":
        from procrastinate.schema import SchemaManager

        op.get_bind().exec_driver_sql(SchemaManager.get_schema().replace("%", "%%"))
