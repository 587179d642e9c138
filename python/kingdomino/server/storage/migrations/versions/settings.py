"""The settings of a user."""

import sqlalchemy as sa
from alembic import op

revision = "settings"
down_revision = "identity"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "settings",
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_settings"),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("settings")
