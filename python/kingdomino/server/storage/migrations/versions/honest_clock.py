"""A turn says how much time is left rather than when it ends, and a table says when it is due."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "honest_clock"
down_revision = "complete_events"
branch_labels = None
depends_on = None

_HOUR = 3_600_000
_DAY = 24 * _HOUR
_tables = sa.table("tables", sa.column("state"), sa.column("updated"), sa.column("due"))
_events = sa.table(
    "events",
    sa.column("table_id"),
    sa.column("number"),
    sa.column("at"),
    sa.column("kind"),
    sa.column("body"),
    sa.column("secret"),
)
_DEADLINE = re.compile(r'"deadline":(\d+)')


def upgrade() -> None:
    """Add the columns, and rewrite the events that are stored."""
    op.add_column("tables", sa.Column("due", sa.BigInteger))
    op.create_index("ix_tables_due", "tables", ["due"])
    op.create_table(
        "heartbeats",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_heartbeats"),
    )
    connection = op.get_bind()
    for state, later in (("waiting", _HOUR), ("playing", 14 * _DAY), ("between", 14 * _DAY)):
        of_state = sa.update(_tables).where(_tables.c.state == state)
        connection.execute(of_state.values(due=_tables.c.updated + later))
    untimed = sa.func.replace(_events.c.body, '"deadline":null', '"left":null')
    connection.execute(
        sa.update(_events).where(_events.c.body.contains('"deadline":null')).values(body=untimed)
    )
    for row in _rows(connection, _events.c.body.contains('"deadline":')):
        if found := _DEADLINE.search(row.body):
            _rewrite(connection, row, row.body.replace(found[0], f'"left":{int(found[1]) - row.at}'))
    for row in _rows(connection, _events.c.kind.in_(("created", "closed"))):
        with suppress(ValueError, KeyError, TypeError):  # a damaged table stays as it is; the others go on
            event = json.loads(row.body)
            if row.kind == "closed":
                event["why"] = "host"
            else:
                secret = json.loads(row.secret)
                seats = (int(seat) for seat, user in secret["users"].items() if user == secret["host"])
                event["host"] = min(seats, default=None)
            _rewrite(connection, row, json.dumps(event, ensure_ascii=False, separators=(",", ":")))


def downgrade() -> None:
    """Drop the columns, and give the events their deadlines again."""
    connection = op.get_bind()
    for row in _rows(connection, _events.c.body.contains('"left":')):
        with suppress(ValueError):
            event = json.loads(row.body)
            if isinstance(turn := event.get("turn"), dict) and "left" in turn:
                left = turn.pop("left")
                turn["deadline"] = None if left is None else row.at + left
                _rewrite(connection, row, json.dumps(event, ensure_ascii=False, separators=(",", ":")))
    for row in _rows(connection, _events.c.kind.in_(("created", "closed"))):
        with suppress(ValueError):
            event = json.loads(row.body)
            event.pop("why" if row.kind == "closed" else "host", None)
            _rewrite(connection, row, json.dumps(event, ensure_ascii=False, separators=(",", ":")))
    op.drop_table("heartbeats")
    op.drop_index("ix_tables_due", "tables")
    op.drop_column("tables", "due")


def _rows(connection: sa.Connection, which: sa.ColumnElement[bool]) -> Iterator[sa.Row[Any]]:
    yield from connection.execute(sa.select(_events).where(which)).all()


def _rewrite(connection: sa.Connection, row: sa.Row[Any], body: str) -> None:
    these = (_events.c.table_id == row.table_id, _events.c.number == row.number)
    connection.execute(sa.update(_events).where(*these).values(body=body))
