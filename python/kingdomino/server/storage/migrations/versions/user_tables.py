"""Which users a table knows is found by an index: a table that is deleted needs that."""

from alembic import op

revision = "user_tables"
down_revision = "archives"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the index."""
    op.create_index("ix_user_tables_table_id", "user_tables", ["table_id"])


def downgrade() -> None:
    """Drop it."""
    op.drop_index("ix_user_tables_table_id", "user_tables")
