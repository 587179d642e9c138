"""Events have more fields than before, so that older programs must not write to this database.

The tables stay as they are, and events that are stored already are read as they are.
"""

revision = "typed_events"
down_revision = "tables"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change nothing."""


def downgrade() -> None:
    """Change nothing."""
