"""Gives the events and summaries that are stored already the fields that they have had since ``typed_events``."""

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "complete_events"
down_revision = "typed_events"
branch_labels = None
depends_on = None

_tables = sa.table("tables", sa.column("id"), sa.column("summary"))
_events = sa.table("events", sa.column("table_id"), sa.column("number"), sa.column("kind"), sa.column("body"))


def upgrade() -> None:
    """Complete the summaries and events of every table."""
    connection = op.get_bind()
    for id_, summary in connection.execute(sa.select(_tables.c.id, _tables.c.summary)).all():
        with suppress(ValueError, KeyError, TypeError):  # a damaged table stays as it is; the others go on
            table = json.loads(summary)
            _complete_rules(table["rules"])
            row = _tables.c.id == id_
            connection.execute(sa.update(_tables).where(row).values(summary=_text(table)))
            _complete_events(connection, id_)


def downgrade() -> None:
    """Change nothing: the fields were known before."""


def _complete_events(connection: sa.Connection, table: str) -> None:
    of_table = _events.c.table_id == table
    query = sa.select(_events.c.number, _events.c.body).where(
        of_table, _events.c.kind.in_(("created", "finished"))
    )
    better: Callable[[int, int], int] = int.__add__
    totals: list[int] = []
    for number, body in connection.execute(query.order_by(_events.c.number)).all():
        event = json.loads(body)
        if event["kind"] == "created":
            _complete_rules(event["rules"])
            event.setdefault("games", 3 if event["dynasty"] else 1)
            better = max if event["dynasty"] == "best" else int.__add__
            totals = [0] * len(event["seats"])
        else:
            scores = [score["total"] for score in event["scores"]]
            totals = [better(*pair) for pair in zip(totals, scores, strict=True)]
            event.setdefault("totals", totals)
        row = (of_table, _events.c.number == number)
        connection.execute(sa.update(_events).where(*row).values(body=_text(event)))


def _complete_rules(rules: dict[str, Any]) -> None:
    rules.setdefault("harmony_points", 5 if rules["harmony"] else 0)
    rules.setdefault("middle_kingdom_points", 10 if rules["middle_kingdom"] else 0)


def _text(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))
