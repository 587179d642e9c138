"""Time for a turn: a bot plays for a player who runs out of time, until the player returns.

No test waits: each moves the server's clock.
"""

from support.clients import Clock, Server, changed, opened

from kingdomino.server.settings import Settings
from kingdomino.server.storage import Store

HOUR = 3600


async def test_a_turn_says_how_much_time_is_left(server: Server, clock: Clock) -> None:
    ida = server.client()
    timed, untimed = await ida.create("me", "me", seconds=60), await ida.create("me", "me")
    assert (await ida.table(timed))["seconds"] == 60
    assert (await ida.table(timed))["turn"]["left"] == 60_000
    clock.pass_by(10)
    assert (await ida.table(timed))["turn"]["left"] == 50_000
    await ida.turn(timed, (await ida.table(timed))["turn"])
    assert (await ida.table(timed))["turn"]["left"] == 60_000
    assert (await ida.table(untimed))["turn"]["left"] is None


async def test_a_client_that_reconnects_learns_how_much_time_is_left(server: Server, clock: Clock) -> None:
    ida = server.client()
    table = await ida.create("me", "me", seconds=60)
    number = (await ida.table(table))["number"]
    clock.pass_by(25)
    for after in (number, number - 1):
        async with ida.follow(table, after=after) as socket:
            assert (await socket.message())["left"] == 35_000
    async with ida.follow(table) as socket:
        assert (await socket.message())["table"]["turn"]["left"] == 35_000


async def test_a_placement_and_its_claim_share_the_time(server: Server, clock: Clock) -> None:
    ida = server.client()
    table = await ida.create("me", "me", seconds=60)
    await ida.play(table, until=lambda turn: turn["phase"] == "place")
    turn = (await ida.table(table))["turn"]
    choices = await ida.get(f"/api/tables/{table}/choices", ply=turn["ply"])
    clock.pass_by(20)
    await ida.act(table, turn["ply"], choices["placements"][0]["action"])
    after = (await ida.table(table))["turn"]
    assert (after["phase"], after["left"]) == ("claim", 40_000)


async def test_a_bot_plays_for_a_player_who_runs_out_of_time(server: Server, clock: Clock) -> None:
    ida = server.client()
    table = await ida.create("me", "me", seconds=60)
    async with ida.follow(table, after=0) as socket:
        while (turn := await socket.until_turn(0, 1)) is not None:
            if (await ida.table(table))["seats"][turn["seat"]]["away"] is None:
                clock.pass_by(60)
    left = [event for event in socket.events if event["kind"] == "left"]
    assert sorted((event["seat"], event["why"]) for event in left) == [(0, "time"), (1, "time")]
    assert {event["by"] for event in socket.events if "by" in event} == {"stand-in"}
    assert [seat["away"] for seat in (await ida.table(table))["seats"]] == ["time", "time"]


async def test_leaving_and_returning_gains_no_time(settings: Settings, clock: Clock) -> None:
    async with opened(changed(settings, pause=HOUR), clock) as server:
        ida = server.client()
        table = await ida.create("me", "me", seconds=5)
        seat = (await ida.table(table))["turn"]["seat"]
        async with ida.follow(table, after=0) as socket:
            await socket.message()
            for passed in (3.5, 1.0, 0.4):
                await ida.post(f"/api/tables/{table}/seats/{seat}/leave")
                clock.pass_by(passed)
                await ida.post(f"/api/tables/{table}/seats/{seat}/return")
                assert (await ida.table(table))["turn"]["left"] < 5000
            assert (await ida.table(table))["turn"]["left"] == 100
            clock.pass_by(0.1)
            while (await socket.until_event("left"))["why"] != "time":
                pass


async def test_a_player_who_returns_when_time_is_over_does_not_stop_the_bot(
    settings: Settings, clock: Clock
) -> None:
    async with opened(changed(settings, pause=0.05), clock) as server:
        ida = server.client()
        table = await ida.create("me", "me", seconds=5)
        seat = (await ida.table(table))["turn"]["seat"]
        async with ida.follow(table, after=0) as socket:
            clock.pass_by(5)
            await socket.until_event("left")
            while not any(event["kind"] == "claimed" for event in socket.events):
                await ida.post(f"/api/tables/{table}/seats/{seat}/return")
                await socket.message()
        claimed = next(event for event in socket.events if event["kind"] == "claimed")
        assert (claimed["seat"], claimed["by"]) == (seat, "stand-in")
        assert [event["kind"] for event in socket.events].count("left") == 1


async def test_another_player_who_leaves_and_returns_does_not_stop_a_bot(settings: Settings) -> None:
    async with opened(changed(settings, pause=0.05)) as server:
        ida = server.client()
        table = await ida.create("me", {"kind": "bot", "bot": "greedy"})
        async with ida.follow(table, after=0) as socket:
            while (turn := await socket.until_turn(0, 1)) and turn["seat"] == 0:
                await ida.turn(table, turn)
            while not any(event.get("by") == "bot" for event in socket.events):
                for move, event in (("leave", "left"), ("return", "returned")):
                    await ida.post(f"/api/tables/{table}/seats/0/{move}")
                    await socket.until_event(event)


async def test_nothing_happens_to_a_player_who_acts_in_time(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "bot", seconds=HOUR)
    events = await ida.play(table)
    assert "left" not in {event["kind"] for event in events}
    assert {event["by"] for event in events if "by" in event} == {"person", "bot"}
    for event in events:
        if event.get("turn"):
            assert (event["turn"]["left"] is None) == (event["turn"]["seat"] == 1)


async def test_time_stands_still_while_no_server_runs(settings: Settings, clock: Clock) -> None:
    async with opened(settings, clock) as server:
        ida = server.client()
        table = await ida.create("me", "me", seconds=60)
        clock.pass_by(20)
        await server.registry.sweep()
    clock.pass_by(HOUR)
    async with opened(settings, clock) as server:
        ida = server.client(ida.cookies)
        assert (await ida.table(table))["turn"]["left"] == 40_000
        clock.pass_by(40)
        async with ida.follow(table, after=0) as socket:
            assert (await socket.until_event("left"))["why"] == "time"


async def test_a_jump_of_the_systems_clock_costs_no_time(server: Server, clock: Clock) -> None:
    ida = server.client()
    table = await ida.create("me", "me", seconds=60)
    await server.registry.sweep()
    for seconds in (HOUR, -2 * HOUR, 3, -3):
        clock.jump(seconds)
        clock.pass_by(5)
        await server.registry.sweep()
    assert (await ida.table(table))["turn"]["left"] == 40_000
    row = await server.registry.store.table(table)
    assert row is not None
    assert row.due == clock.ms + 40_000


async def test_a_jump_that_two_servers_notice_costs_no_time_and_gains_none(
    settings: Settings, clock: Clock
) -> None:
    async with opened(settings, clock) as one, opened(settings, clock) as two:
        table = await one.client().create("me", "me", seconds=HOUR)
        for number, seconds in enumerate((HOUR, -2 * HOUR), 1):
            clock.jump(seconds)
            for server in (one, two):
                clock.pass_by(3)
                await server.registry.sweep()
            row = await one.registry.store.table(table)
            assert row is not None
            assert row.due == clock.ms + (HOUR - 6 * number) * 1000


async def test_a_table_that_left_memory_is_loaded_when_time_is_over(server: Server, clock: Clock) -> None:
    ida = server.client()
    table = await ida.create("me", "me", seconds=HOUR)
    clock.pass_by(HOUR - 1)
    await server.registry.sweep()
    assert len(server.registry) == 0
    clock.pass_by(1)
    await server.registry.sweep()
    assert len(server.registry) == 1
    clock.pass_by(0)
    async with ida.follow(table, after=0) as socket:
        assert (await socket.until_event("left"))["why"] == "time"


async def test_a_friends_seat_brings_a_clock_and_a_table_of_ones_own_does_not(server: Server) -> None:
    ida = server.client()
    tables = {
        ("me", "invited"): 120,
        ("me", "open"): 120,
        ("me", "me"): None,
        ("me", "bot"): None,
        ("bot", "bot"): None,
    }
    for seats, seconds in tables.items():
        assert (await ida.table(await ida.create(*seats)))["seconds"] == seconds
    assert (await ida.table(await ida.create("me", "invited", seconds=None)))["seconds"] is None
    assert (await ida.table(await ida.create("me", "invited", seconds=86_400)))["seconds"] == 86_400


async def test_the_store_moves_deadlines_once_for_each_jump_of_the_clock(
    settings: Settings, clock: Clock
) -> None:
    async with opened(settings, clock) as server:
        table = await server.client().create("me", "me", seconds=60)
        for _ in range(2):
            await server.registry.store.follow_jump(clock.ms + 5_000, 5_000)
    store = await Store.open(settings.url)
    row = await store.table(table)
    assert row is not None
    assert row.due == clock.ms + 65_000
    assert await store.due(clock.ms + 64_999, 10) == []
    assert await store.due(clock.ms + 65_000, 10) == [table]
    await store.set_due(table, None)
    assert await store.due(clock.ms + 65_000, 10) == []
    await store.close()
