"""The users whose older cookies are worth nothing."""

import sqlalchemy as sa
from alembic import op

revision = "revoked"
down_revision = "jobs"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "revoked",
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("before", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_revoked"),
    )


def downgrade() -> None:
    """Drop the table: a cookie that was revoked counts again."""
    op.drop_table("revoked")
