"""Databases of older versions: what they hold is read on."""

import json
from pathlib import Path

import pytest
from clients import Clock, Json, changed, opened
from sqlalchemy import create_engine, text

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
        assert (await server.client().table(TABLE))["closed"]["why"] == "unused"


async def test_the_tables_of_an_older_database_know_their_users(settings: Settings, clock: Clock) -> None:
    written(settings, None)
    async with opened(settings, clock) as server:
        for user, tables in (("ida", [TABLE]), ("oskar", [TABLE]), ("mara", [])):
            assert await server.registry.store.identities.tables(user) == tables
