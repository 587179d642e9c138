"""The players' lists of games: ``results`` has a row a game and player, ``records`` what players have imported.

Games that are over already are added from their events.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "results"
down_revision = "settings"
branch_labels = None
depends_on = None

_tables = sa.table("tables", sa.column("id"), sa.column("state"))
_seats = sa.table("seats", sa.column("table_id"), sa.column("seat"), sa.column("user_id"))
_events = sa.table("events", sa.column("table_id"), sa.column("number"), sa.column("body"))


def upgrade() -> None:
    """Create the tables, and fill the lists."""
    results = op.create_table(
        "results",
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("game_id", sa.Text, nullable=False),
        sa.Column("imported", sa.Boolean, nullable=False),
        sa.Column("ended", sa.BigInteger, nullable=False),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("dynasty", sa.Text),
        sa.Column("bot", sa.Text),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("points", sa.Integer),
        sa.Column("best", sa.Integer),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "game_id", name="pk_results"),
    )
    op.create_index("ix_results_user_id_ended_game_id", "results", ["user_id", "ended", "game_id"])
    op.create_index("ix_results_game_id", "results", ["game_id"])
    op.create_table(
        "records",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_records"),
    )
    connection = op.get_bind()
    ended = sa.select(_tables.c.id).where(_tables.c.state.in_(("over", "closed")))
    for table in connection.scalars(ended).all():
        with suppress(ValueError, KeyError, TypeError, IndexError):  # a damaged table; the others go on
            for row in list(_results(connection, table)):
                connection.execute(sa.insert(results).values(row))


def downgrade() -> None:
    """Drop the tables, with the records that players have imported."""
    op.drop_table("records")
    op.drop_table("results")


def _results(connection: sa.Connection, table: str) -> Iterator[dict[str, Any]]:
    """Make the rows of a table's players; none if it was closed before its first game."""
    seats = sa.select(_seats.c.seat, _seats.c.user_id).where(_seats.c.table_id == table)
    owned: dict[str, list[int]] = {}
    for seat, user in connection.execute(seats.order_by(_seats.c.seat)).all():
        owned.setdefault(user, []).append(seat)
    game = _Table(_bodies(connection, table))
    if game.kingdoms:
        for user, own in owned.items():
            yield game.row(table, user, own)


def _bodies(connection: sa.Connection, table: str) -> list[dict[str, Any]]:
    query = sa.select(_events.c.body).where(_events.c.table_id == table).order_by(_events.c.number)
    return [json.loads(body) for body in connection.scalars(query)]


class _Table:
    """What a list of games says about a table. ``kingdoms`` has an entry a game and seat."""

    def __init__(self, events: list[dict[str, Any]]) -> None:
        self.created = events[0]
        self.entries = list(self.created["seats"])
        self.kingdoms: list[list[list[list[int]]]] = []
        self.finished: list[dict[str, Any]] = []
        self.round = 0
        self.ended = 0
        for event in events:
            self.round = (event.get("turn") or {}).get("round", self.round)
            match event["kind"]:
                case "seated":
                    self.entries[event["seat"]] = event["entry"]
                case "dealt":
                    self.kingdoms.append([[] for _ in self.entries])
                case "placed":
                    domino = [event["domino"], *event["left"], *event["right"]]
                    self.kingdoms[-1][event["seat"]].append(domino)
                case "finished":
                    self.finished.append(event)
                    self.ended, self.round = event["at"], self.created["rules"]["rounds"]
                case "closed":
                    self.ended = event["at"]

    def row(self, table: str, user: str, own: list[int]) -> dict[str, Any]:
        is_over = len(self.finished) == self.created["games"]
        last = self.finished[-1] if is_over else {}
        won = last.get("match") or {
            "scores": [score["total"] for score in last.get("scores", [])],
            "ranking": last.get("ranking", []),
            "winners": last.get("winners", []),
            "decided_by": last.get("decided_by"),
        }
        outcome = _outcome(own, won["winners"]) if is_over else "unfinished"
        scores = [[score["total"] for score in event["scores"]] for event in self.finished]
        seat = own[0] if len(own) == 1 else [*won["winners"], 0][0]
        points = [game[seat] for game in scores]
        shown = points.index(max(points)) if points else -1
        bots = {entry["bot"] for number, entry in enumerate(self.entries) if number not in own}
        counts = outcome in ("won", "lost", "shared")
        dynasty = self.created["dynasty"]
        body = {
            "id": table,
            "imported": False,
            "ended": self.ended,
            "outcome": outcome,
            "rules": self.created["rules"],
            "dynasty": dynasty,
            "round": self.round,
            "players": [{"name": entry["name"], "bot": entry["bot"]} for entry in self.entries],
            "seats": own,
            "scores": scores,
            "totals": won["scores"],
            "ranking": won["ranking"],
            "winners": won["winners"],
            "decided_by": won["decided_by"],
            "seat": seat,
            "kingdom": sorted(self.kingdoms[shown][seat]),
        }
        return {
            "user_id": user,
            "game_id": table,
            "imported": False,
            "ended": self.ended,
            "outcome": outcome,
            "rules": self.created["rules"]["text"],
            "dynasty": dynasty,
            "bot": bots.pop() if len(bots) == 1 else None,
            "games": len(scores),
            "points": sum(points) if counts else None,
            "best": max(points) if counts else None,
            "body": json.dumps(body, ensure_ascii=False, separators=(",", ":")),
        }


def _outcome(own: list[int], winners: list[int]) -> str:
    if len(own) != 1:
        return "neutral"
    if own[0] not in winners:
        return "lost"
    return "won" if len(winners) == 1 else "shared"
