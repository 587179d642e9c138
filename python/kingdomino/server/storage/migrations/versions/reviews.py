"""The reviews of games that are over."""

import sqlalchemy as sa
from alembic import op

revision = "reviews"
down_revision = "results"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "reviews",
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("steps", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "number", name="pk_reviews"),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("reviews")
