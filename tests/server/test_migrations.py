"""Databases of older versions: what they hold is read on."""

import asyncio
import copy
import json
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from clients import Clock, Json, changed, opened
from sqlalchemy import Connection, Inspector, MetaData, Table, create_engine, insert, inspect, select, text

from kingdomino.cli import main
from kingdomino.server.settings import Settings
from kingdomino.server.storage import migrate

TABLE = "q3v7n2kd8wjm"
WHEN = 1_795_000_000_000
SEATS: list[Json] = [
    {"seat": seat, "kind": "person", "name": name, "bot": None, "away": None}
    for seat, name in enumerate(("Oskar", 'Ida "deadline":null'))
]
TURN: Json = {"ply": 0, "seat": 1, "phase": "claim", "domino": None, "fits": True, "round": 0}


def before_the_clock(deadline: int | None, *, closed: bool) -> list[tuple[Json, Json | None]]:
    """Give the events of a table, and their secrets, as they were stored with deadlines."""
    rules = {"text": "2.second.random", "players": 2, "edition": "second", "mighty_duel": False}
    rules |= {"harmony": False, "middle_kingdom": False, "opening": "random", "size": 5, "kings": 2}
    rules |= {"rounds": 6, "line": 4, "dominoes": 24, "harmony_points": 0, "middle_kingdom_points": 0}
    created: Json = {"kind": "created", "rules": rules, "dynasty": None, "games": 1, "public": False}
    created |= {"seconds": 60 if deadline else None, "seats": SEATS}
    secret = {"host": "ida", "users": {"0": "oskar", "1": "ida"}, "code": None}
    if closed:
        return [(created, secret), ({"kind": "closed", "turn": None}, None)]
    deck = list(range(1, 25))
    dealt = {"kind": "dealt", "game": 1, "commitment": "00"}
    line = {"kind": "revealed", "round": 0, "line": deck[:4], "unseen": list(range(5, 49)), "in_deck": 20}
    return [
        (created, secret),
        (dealt, {"deck": deck, "opening": [1, 0, 1, 0], "salt": "00"}),
        (line, None),
        ({"kind": "king_drawn", "seat": 1, "turn": TURN | {"deadline": deadline}}, None),
    ]


def written(settings: Settings, deadline: int | None, *, closed: bool = False) -> None:
    """Write a database as the version before the clock did."""
    Path(settings.url.removeprefix("sqlite:///")).unlink()
    engine = create_engine(settings.url)
    with engine.begin() as connection:
        migrate.upgrade(connection, "complete_events")
        state = "closed" if closed else "playing"
        table = {"id": TABLE, "state": state, "public": False, "updated": WHEN, "summary": "{}"}
        insert = "INSERT INTO tables (id, state, public, updated, summary)"
        connection.execute(text(f"{insert} VALUES (:id, :state, :public, :updated, :summary)"), table)
        for number, (event, secret) in enumerate(before_the_clock(deadline, closed=closed), 1):
            row = {"table": TABLE, "number": number, "at": WHEN, "kind": event["kind"]}
            row["body"] = json.dumps({"number": number, "at": WHEN} | event, separators=(",", ":"))
            row["secret"] = None if secret is None else json.dumps(secret)
            insert = "INSERT INTO events (table_id, number, at, kind, body, secret)"
            connection.execute(text(f"{insert} VALUES (:table, :number, :at, :kind, :body, :secret)"), row)
    engine.dispose()


@pytest.mark.parametrize(("deadline", "left"), [(None, None), (WHEN + 45_000, 45_000)])
async def test_a_game_with_deadlines_goes_on_with_the_time_that_is_left(
    settings: Settings, clock: Clock, deadline: int | None, left: int | None
) -> None:
    written(settings, deadline)
    clock.ms = WHEN + 10**9
    async with opened(changed(settings, pause=3600), clock) as server:
        table = await server.client().table(TABLE)
        assert table["turn"] == TURN | {"left": left}
        assert (table["host"], table["seats"][1]["name"]) == (1, SEATS[1]["name"])
        events = await server.client().events(TABLE)
        assert events[-1]["turn"] == table["turn"]


async def test_a_table_that_was_closed_was_closed_by_its_host(settings: Settings, clock: Clock) -> None:
    written(settings, None, closed=True)
    async with opened(settings, clock) as server:
        assert (await server.client().table(TABLE))["closed"]["why"] == "host"


async def test_the_tables_of_an_older_database_are_due(settings: Settings, clock: Clock) -> None:
    written(settings, None)
    clock.ms = WHEN + 15 * 24 * 3_600_000
    async with opened(settings, clock) as server:
        clock.pass_by(31)  # its players may be about to come back
        await server.registry.sweep()
        assert (await server.client().table(TABLE))["closed"]["why"] == "unused"


async def test_the_tables_of_an_older_database_know_their_users(settings: Settings, clock: Clock) -> None:
    written(settings, None)
    async with opened(settings, clock) as server:
        for user, tables in (("ida", [TABLE]), ("oskar", [TABLE]), ("mara", [])):
            assert await server.registry.store.identities.tables(user) == tables


# Forward and back. A row of each table, in each schema, in SQLite and in PostgreSQL.

ROWS: dict[str, dict[str, object]] = {
    "tables": {"id": TABLE, "state": "over", "public": True, "updated": WHEN, "summary": "{}", "code": None},
    "seats": {"table_id": TABLE, "seat": 0, "user_id": "ida"},
    "users": {"id": "ida", "name": "Ida"},
    "keys": {"name": "cookies", "value": b"\x00\xff"},
    "heartbeats": {"name": "ready", "at": WHEN},
    "user_tables": {"user_id": "ida", "table_id": TABLE},
    "links": {"digest": "d", "user_id": "ida", "expires": WHEN},
    "passkeys": {"id": "p", "user_id": "ida", "public_key": b"\xff", "uses": 1},
    "settings": {"user_id": "ida", "body": "{}"},
    "results": {
        "user_id": "ida",
        "game_id": TABLE,
        "imported": False,
        "ended": WHEN,
        "outcome": "won",
        "rules": "2.second.random",
        "games": 1,
        "body": "{}",
    },
    "records": {"id": "r", "text": "kingdomino-record 1"},
    "reviews": {"game_id": TABLE, "number": 1, "steps": 1, "body": "{}"},
    "revoked": {"digest": "d", "before": WHEN},
}
STEPS = list(pairwise(migrate.revisions()))
SHARED = STEPS.index(("reviews", "jobs"))
"""The step since which several servers can share a database."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.services)])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give the URL of an empty database, for SQLAlchemy."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'games.db'}"
    url: str = request.getfixturevalue("new_database")
    return url.replace("postgresql:", "postgresql+psycopg:")


def log(*, clock: bool) -> list[dict[str, object]]:
    """Give the log of a table as it was before turns had a time left, or after."""
    rows = []
    for number, (event, secret) in enumerate(before_the_clock(WHEN + 45_000, closed=False), 1):
        body: dict[str, Any] = {"number": number, "at": WHEN} | copy.deepcopy(event)
        if clock and "turn" in body:
            body["turn"]["left"] = body["turn"].pop("deadline") - WHEN
        if clock and body["kind"] == "created":
            body["host"] = 1
        text = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
        kept = None if secret is None else json.dumps(secret)
        row = {"table_id": TABLE, "number": number, "ply": None, "at": WHEN, "kind": body["kind"]}
        rows.append(row | {"body": text, "secret": kept})
    return rows


def tables_of(connection: Connection) -> dict[str, Table]:
    found = MetaData()
    found.reflect(connection, only=lambda name, _: not name.startswith(("alembic", "procrastinate")))
    return {table.name: table for table in found.sorted_tables}


def filled(connection: Connection) -> dict[str, list[dict[str, object]]]:
    """Add a row to each table, and give them all."""
    tables = tables_of(connection)
    for name, table in tables.items():
        if name == "events":
            connection.execute(insert(table), log(clock="due" in tables["tables"].c))
        elif name in ROWS:
            connection.execute(insert(table), ROWS[name])
    return everything(connection)


def everything(connection: Connection) -> dict[str, list[dict[str, object]]]:
    return {
        name: [dict(row) for row in connection.execute(select(table).order_by(*table.primary_key)).mappings()]
        for name, table in tables_of(connection).items()
    }


@pytest.mark.parametrize(("old", "new"), STEPS, ids=[new for _, new in STEPS])
def test_a_step_back_gives_what_was_there_before_the_step(empty: str, old: str, new: str) -> None:
    engine = create_engine(empty)
    with engine.begin() as connection:
        migrate.upgrade(connection, old)
        before = filled(connection)
    with engine.begin() as connection:
        migrate.upgrade(connection, new)
        assert migrate.current(connection) == new
    with engine.begin() as connection:
        migrate.downgrade(connection, old)
        assert migrate.current(connection) == old
        after = everything(connection)
        assert {name: rows for name, rows in after.items() if name != "events"} == {
            name: rows for name, rows in before.items() if name != "events"
        }
        assert [read(row) for row in after["events"]] == [read(row) for row in before["events"]]
    with engine.begin() as connection:
        migrate.upgrade(connection)  # and forward again
    engine.dispose()


def read(row: dict[str, object]) -> dict[str, object]:
    return row | {"body": json.loads(str(row["body"]))}


@pytest.mark.parametrize(("old", "new"), STEPS[SHARED:], ids=[new for _, new in STEPS[SHARED:]])
def test_servers_of_the_version_before_go_on_with_the_newer_schema(empty: str, old: str, new: str) -> None:
    engine = create_engine(empty)
    with engine.begin() as connection:
        migrate.upgrade(connection, old)
        tables = tables_of(connection)
        was = {name: shape(inspect(connection), name) for name in tables}
        migrate.upgrade(connection, new)
        known = inspect(connection)
        for name, (columns, rules) in was.items():
            now, rules_now = shape(known, name)
            assert rules_now == rules
            assert columns.items() <= now.items()
            added = {column["name"]: column for column in known.get_columns(name)}.items()
            assert all(column["nullable"] for key, column in added if key not in columns)
        # What the older version writes: rows with the columns that it knows.
        for name, table in tables.items():
            if name in ROWS:
                connection.execute(insert(table), ROWS[name])
                assert connection.execute(select(table)).first() is not None
    engine.dispose()


def shape(known: Inspector, name: str) -> tuple[dict[str, tuple[str, bool]], object]:
    """Give a table's columns (type, and whether it may be empty), and its constraints."""
    columns = {
        column["name"]: (str(column["type"]), column["nullable"]) for column in known.get_columns(name)
    }
    unique = sorted(str(sorted(one["column_names"])) for one in known.get_unique_constraints(name))
    foreign = sorted(str(one["constrained_columns"]) for one in known.get_foreign_keys(name))
    checks = sorted(one["sqltext"] for one in known.get_check_constraints(name))
    return columns, (known.get_pk_constraint(name)["constrained_columns"], unique, foreign, checks)


def test_the_newest_tables_of_the_queue_of_jobs_are_made() -> None:
    """A database keeps those of the procrastinate that made it. If there is a newer file here, add a migration that
    runs what procrastinate has added since.
    """
    files = resources.files("procrastinate") / "sql" / "migrations"
    newest = max(file.name for file in files.iterdir() if file.name.endswith(".sql"))
    assert newest == "03.04.00_50_post_add_retry_failed_job_procedure.sql"


async def test_packed_logs_are_unpacked_on_the_way_back(settings: Settings) -> None:
    bot = {"kind": "bot", "bot": "greedy"}
    async with opened(settings) as server:
        ida = server.client()
        table = await ida.create("me", bot)
        await ida.play(table)
        entries = await server.registry.store.entries(table, secrets=True)
        assert await server.registry.store.archive.compact(table)
        await ida.post(f"/api/tables/{table}/rematch", {"wish": False})
        events = await ida.events(table)
    assert await asyncio.to_thread(main, ["migrate", "--to", "revoked", "--database", settings.url]) == 0
    engine = create_engine(settings.url)
    with engine.connect() as connection:
        kept = connection.execute(text("SELECT body, secret FROM events ORDER BY number")).all()
        assert not inspect(connection).has_table("archives")
    engine.dispose()
    assert [json.loads(row.body) for row in kept] == events
    assert [row.secret for row in kept][: len(entries)] == [entry.secret for entry in entries]
    async with opened(settings) as server:
        assert await server.client(ida.cookies).events(table) == events


def test_the_command_moves_a_schema_and_says_so(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    newest, before = migrate.revisions()[-1], migrate.revisions()[-2]
    for arguments, status, said in (
        (["--back"], 0, f"the schema is {before}; it was {newest}\n"),
        ([], 0, f"the schema is {newest}; it was {before}\n"),
        ([], 0, f"the schema is {newest}\n"),
        (["--to", "tables"], 0, f"the schema is tables; it was {newest}\n"),
        (["--back"], 2, "kingdomino: this database has the oldest schema already\n"),
        (["--to", "revoked"], 0, "the schema is revoked; it was tables\n"),
        (["--to", "tomorrow"], 2, "kingdomino: tomorrow is not a schema of this version; these are"),
    ):
        assert main(["migrate", "--database", settings.url, *arguments]) == status
        assert "".join(capsys.readouterr()).startswith(said)
