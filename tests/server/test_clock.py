"""Time for a turn: a bot plays for a player who runs out of it until the player returns.

No test waits: each turns the server's clock back, so what is due in an hour is due already.
"""

from dataclasses import replace

from clients import Clock, Server, opened

import kingdomino as kd
from kingdomino.server.settings import Settings
from kingdomino.server.storage import Store
from kingdomino.server.tables.actor import row
from kingdomino.server.tables.commands import Transaction, created
from kingdomino.server.tables.events import CreatedSecret
from kingdomino.server.tables.state import Seat, State

HOUR = 3600
TABLE = "q3v7n2kd8wjm"


async def test_a_turn_says_when_its_time_is_over(server: Server, clock: Clock) -> None:
    ida = server.client()
    timed, untimed = await ida.create("me", "me", seconds=60), await ida.create("me", "me")
    assert (await ida.table(timed))["seconds"] == 60
    assert (await ida.table(timed))["turn"]["deadline"] == clock.ms + 60_000
    clock.pass_by(10)
    await ida.turn(timed, (await ida.table(timed))["turn"])
    assert (await ida.table(timed))["turn"]["deadline"] == clock.ms + 60_000
    assert (await ida.table(untimed))["turn"]["deadline"] is None


async def test_a_bot_plays_for_a_player_who_runs_out_of_time(server: Server, clock: Clock) -> None:
    ida = server.client()
    clock.pass_by(-HOUR)
    table = await ida.create("me", "me", seconds=60)
    async with ida.follow(table, after=0) as socket:
        await socket.until_turn()
    left = [event for event in socket.events if event["kind"] == "left"]
    assert sorted((event["seat"], event["why"]) for event in left) == [(0, "time"), (1, "time")]
    assert all(event["turn"]["deadline"] is None for event in left)
    assert {event["by"] for event in socket.events if "by" in event} == {"stand-in"}
    assert [seat["away"] for seat in (await ida.table(table))["seats"]] == ["time", "time"]


async def test_a_player_who_returns_after_running_out_of_time_has_a_whole_turn(
    settings: Settings, clock: Clock
) -> None:
    async with opened(replace(settings, pause=HOUR)) as server:
        ida = server.client()
        clock.pass_by(-HOUR)
        table = await ida.create("me", "me", seconds=60)
        async with ida.follow(table, after=0) as socket:
            left = await socket.until_event("left")
            seat = left["seat"]
            clock.pass_by(HOUR)
            await ida.post(f"/api/tables/{table}/seats/{seat}/return")
            back = await socket.until_event("returned")
            assert back["turn"] == left["turn"] | {"deadline": clock.ms + 60_000}
            await ida.turn(table, back["turn"])
            assert (await socket.until_event("claimed"))["by"] == "person"


async def test_nothing_happens_to_a_player_who_acts_in_time(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "bot", seconds=HOUR)
    events = await ida.play(table)
    assert "left" not in {event["kind"] for event in events}
    assert {event["by"] for event in events if "by" in event} == {"person", "bot"}
    seats = {0: (int,), 1: (type(None),)}
    for event in events:
        if event.get("turn"):
            assert isinstance(event["turn"]["deadline"], seats[event["turn"]["seat"]])


async def test_time_does_not_stop_while_the_server_is_away(settings: Settings) -> None:
    people = [Seat("person", "Ida", user="ida"), Seat("person", "Oskar", user="oskar")]
    transaction = Transaction(State(TABLE), 1_000)
    transaction.create(
        created(kd.Rules(2), None, 60, False, people, 1_000),
        CreatedSecret(host="ida", users={0: "ida", 1: "oskar"}, code=None),
    )
    store = await Store.open(settings.url)
    await store.append(transaction.entries, row(transaction.state))
    await store.close()
    told = len(transaction.entries)
    async with (
        opened(replace(settings, pause=HOUR)) as server,
        server.client().follow(TABLE, after=told) as socket,
    ):
        assert (await socket.until_event("left"))["why"] == "time"


async def test_a_table_where_time_has_run_out_says_so_in_its_snapshot(
    settings: Settings, clock: Clock
) -> None:
    async with opened(replace(settings, pause=HOUR)) as server:
        ida = server.client()
        clock.pass_by(-HOUR)
        table = await ida.create("me", "me", seconds=5)
        async with ida.follow(table, after=0) as socket:
            seat = (await socket.until_event("left"))["seat"]
        shown = await ida.table(table)
        assert shown["seats"][seat]["away"] == "time"
        assert shown["turn"]["deadline"] is None
        assert shown["turn"]["seat"] == seat
