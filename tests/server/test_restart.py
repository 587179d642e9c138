"""The server stops and starts in the middle of everything, and every table continues."""

import asyncio
import logging
import sqlite3

import pytest
from support.clients import TIMEOUT, Client, Clock, Json, Server, changed, numbers, opened
from support.node import reduced

from kingdomino.server.settings import Settings
from kingdomino.server.tables.core.registry import Registry


async def is_sound(client: Client, table: str) -> list[Json]:
    """Check that a table's log has no gaps and no duplicates, and that it leads to the snapshot."""
    shown = await client.table(table)
    events = (await client.events(table))[: shown["number"]]
    assert numbers(events) == list(range(1, shown["number"] + 1))
    plies = [event["ply"] for event in events if "ply" in event]
    assert plies == list(range(len(plies)))
    assert reduced(table, events) == shown
    return events


async def test_a_game_is_played_to_its_end_with_a_restart_after_every_turn(settings: Settings) -> None:
    async with opened(settings) as server:
        ida = server.client()
        table = await ida.create({"kind": "me", "name": "Ida"}, "bot", harmony=True)
        deal = (await ida.table(table))["commitment"]
        before = await ida.events(table)
    turn: Json | None = {}
    while turn is not None:
        async with opened(settings) as server:
            ida = server.client(ida.cookies)
            events = await is_sound(ida, table)
            assert events[: len(before)] == before
            before = events
            async with ida.follow(table) as socket:
                turn = await socket.until_turn(0)
            if turn is not None:
                await ida.turn(table, turn)
    async with opened(settings) as server:
        ida = server.client(ida.cookies)
        events = await is_sound(ida, table)
        assert events[-1]["commitment"] == deal
        assert {event["by"] for event in events if "by" in event} == {"person", "bot"}
        record = (await ida.send("GET", f"/api/tables/{table}/record")).text
        assert (await ida.post("/api/verify", {"record": record}))["commitment"] == deal


async def test_bots_among_themselves_go_on_by_themselves(settings: Settings) -> None:
    async with opened(settings) as server:
        ida = server.client()
        tables = [await ida.create("bot", "bot", "bot", "bot", dynasty=None) for _ in range(5)]
    for _ in range(3):
        async with opened(settings) as server, server.client().follow(tables[0]) as socket:
            await socket.message()
    async with opened(settings) as server:
        for table in tables:
            async with server.client().follow(table) as socket:
                assert await socket.until_turn() is None
            events = await is_sound(server.client(), table)
            assert {event["by"] for event in events if "by" in event} == {"bot"}


async def test_a_player_who_has_left_is_still_away_and_a_bot_still_plays(settings: Settings) -> None:
    async with opened(changed(settings, pause=3600)) as server:
        ida = server.client()
        table = await ida.create("me", "me")
        for seat in (0, 1):
            await ida.post(f"/api/tables/{table}/seats/{seat}/leave")
    async with opened(settings) as server, server.client().follow(table, after=0) as socket:
        await socket.until_turn()
    assert {event["by"] for event in socket.events if "by" in event} == {"stand-in"}


async def test_waiting_tables_wait_on_with_the_same_links_and_the_same_code(settings: Settings) -> None:
    async with opened(settings) as server:
        ida = server.client()
        await ida.send("PUT", "/api/me", {"name": "Ida"})
        table = await ida.create("me", "invited", "open", public=True)
        you = await ida.you(table)
        lobby = await ida.get("/api/tables")
    async with opened(settings) as server:
        ida, oskar = server.client(ida.cookies), server.client()
        assert await ida.you(table) == you
        assert you["name"] == "Ida"
        assert await oskar.get("/api/tables") == lobby
        found = await oskar.post("/api/code", {"code": you["code"]})
        assert found == {"id": table, "secret": you["code"].replace(" ", "-")}
        await oskar.post(f"/api/tables/{table}/seats", {"secret": found["secret"]})
        assert (await oskar.you(table))["seats"] == [1]


async def test_a_private_link_is_good_after_a_restart_once(settings: Settings) -> None:
    async with opened(settings) as server:
        desk = server.client()
        table = await desk.create("me", "bot")
        secret = (await desk.post(f"/api/tables/{table}/seats/0/secret"))["secret"]
    async with opened(settings) as server:
        phone, stranger = server.client(), server.client()
        path = f"/api/tables/{table}/seats"
        assert (await phone.post(path, {"secret": secret}))["you"]["seats"] == [0]
        assert await stranger.refused("POST", path, {"secret": secret}) == (403, "wrong_secret")


async def test_a_client_is_asked_to_reconnect_and_misses_nothing(settings: Settings) -> None:
    async with opened(settings) as server:
        ida = server.client()
        table = await ida.create("me", "me")
        socket = ida.follow(table, after=0)
        await socket.__aenter__()
        for _ in range(3):
            await ida.turn(table, (await ida.table(table))["turn"])
        await socket.until_event("claimed")
    assert await socket.until_closed() == 1012
    await socket.__aexit__(None, None, None)
    have = socket.events
    async with opened(settings) as server:
        ida = server.client(ida.cookies)
        await ida.turn(table, (await ida.table(table))["turn"])
        async with ida.follow(table, after=have[-1]["number"]) as socket:
            await socket.message()
        assert have + socket.events == await ida.events(table)


async def test_a_damaged_table_does_not_stop_the_others(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(settings) as server:
        ida = server.client()
        damaged, sound = await ida.create("me", "me"), await ida.create("me", "bot")
    with sqlite3.connect(settings.url.removeprefix("sqlite:///")) as database:
        database.execute("UPDATE events SET body = 'x' WHERE table_id = ? AND kind = 'revealed'", (damaged,))
    database.close()
    async with opened(settings) as server:
        ida = server.client(ida.cookies)
        assert (await ida.play(sound))[-1]["kind"] == "deck_revealed"
        answer = await ida.send("GET", f"/api/tables/{damaged}")
        assert (answer.status_code, answer.json()["code"]) == (500, "failed")
    assert any(record.levelno >= logging.ERROR for record in caplog.records)


async def test_a_damaged_table_does_not_hide_the_others_from_their_player(settings: Settings) -> None:
    async with opened(settings) as server:
        ida = server.client()
        damaged, sound = await ida.create("me", "me"), await ida.create("me", "me")
        damaged_game, sound_game = await ida.create("me", "me"), await ida.create("me", "me")
        for game in (damaged_game, sound_game):
            await ida.play(game)
    with sqlite3.connect(settings.url.removeprefix("sqlite:///")) as database:
        database.execute(
            "UPDATE events SET body = 'x' WHERE table_id IN (?, ?) AND kind = 'created'",
            (damaged, damaged_game),
        )
    database.close()
    async with opened(settings) as server:
        ida = server.client(ida.cookies)
        assert [game["id"] for game in (await ida.get("/api/me/tables"))["games"]] == [sound]
        known = await ida.get("/api/me/data")
        assert {table["id"] for table in known["tables"]} == {damaged, sound, damaged_game, sound_game}
        records = {game["game"]["id"]: game["records"] for game in known["games"]}
        assert records == {damaged_game: [], sound_game: records[sound_game]}
        assert (await ida.send("GET", "/api/me/records")).text == f"{records[sound_game][0]}\n"


async def test_a_damaged_table_that_is_due_does_not_stop_the_others(
    settings: Settings, clock: Clock, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kingdomino.server.tables.core.registry._MOST_WOKEN", 1)
    async with opened(settings, clock) as server:
        ida = server.client()
        # If two are due at the same time, the server wakes the one with the lower id first.
        damaged, sound = sorted([await ida.create("me", "me", seconds=60) for _ in range(2)])
    with sqlite3.connect(settings.url.removeprefix("sqlite:///")) as database:
        database.execute("UPDATE events SET body = 'x' WHERE table_id = ? AND kind = 'revealed'", (damaged,))
    database.close()
    async with opened(settings, clock) as server:
        clock.pass_by(60)
        for _ in range(2):
            await server.registry.sweep()
        assert len(server.registry) == 1
        clock.pass_by(0)
        async with server.client().follow(sound, after=0) as socket:
            await socket.until_event("left")
        clock.pass_by(3600)
        assert damaged in await server.registry.store.due(clock.now(), 100)
    logged = [record for record in caplog.records if record.levelno >= logging.ERROR]
    tables = {vars(record).get("table") for record in logged}
    assert damaged in tables
    assert sound not in tables


async def test_reading_a_finished_game_loads_no_table(
    settings: Settings,
) -> None:
    async with opened(settings) as server:
        ida = server.client()
        table = await ida.create("me", "bot")
        events = await ida.play(table)
        record = (await ida.send("GET", f"/api/tables/{table}/record")).text
    async with opened(settings) as server:
        ida = server.client(ida.cookies)
        assert await ida.events(table) == events
        assert (await ida.send("GET", f"/api/tables/{table}/record")).text == record
        assert len(server.registry) == 0


async def test_a_bot_plays_on_for_a_client_that_only_reads_the_events(settings: Settings) -> None:
    async with opened(changed(settings, pause=3600)) as server:
        ida = server.client()
        table = await ida.create("me", {"kind": "bot", "bot": "greedy"})
        while (turn := (await ida.table(table))["turn"])["seat"] == 0:
            await ida.turn(table, turn)
        before = await ida.events(table)
    async with opened(settings) as server, asyncio.timeout(TIMEOUT):
        ida = server.client(ida.cookies)
        while await ida.events(table) == before:
            await asyncio.sleep(0)


async def test_tables_are_swept_again_after_any_failure(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    swept, again = 0, asyncio.Event()

    async def sweep(_: Registry) -> None:
        nonlocal swept
        swept += 1
        if swept == 2:  # the first is at the start
            raise ValueError("damaged")
        if swept == 3:
            again.set()

    monkeypatch.setattr(Registry, "sweep", sweep)
    monkeypatch.setattr("kingdomino.server.tables.core.registry._SWEEP", 0)
    async with opened(settings), asyncio.timeout(TIMEOUT):
        await again.wait()


async def left_one_after_the_other(server: Server, clock: Clock) -> tuple[Client, list[str]]:
    """Return two tables whose host has left, and whose end the next sweep delays."""
    ida = server.client()
    tables = [await ida.create("me", "open") for _ in range(2)]
    for table in tables:
        async with ida.follow(table):
            clock.pass_by(100)
    return ida, tables


async def test_one_failing_deadline_does_not_stop_the_others(
    server: Server, settings: Settings, clock: Clock
) -> None:
    ida, (damaged, sound) = await left_one_after_the_other(server, clock)
    set_due = server.registry.store.set_due

    async def fail(table: str, *rest: int) -> bool:
        if table == damaged:
            raise ValueError("damaged")
        return await set_due(table, *rest)

    server.registry.store.set_due = fail  # type: ignore[method-assign, assignment]
    await server.registry.sweep()
    clock.pass_by(settings.waiting)
    await server.registry.sweep()
    assert (await ida.table(sound))["state"] == "closed"


async def test_dropped_tables_do_not_stop_the_sweep(server: Server, clock: Clock) -> None:
    _, tables = await left_one_after_the_other(server, clock)
    begun = asyncio.Event()

    async def wait(*_: object) -> bool:
        begun.set()
        return await asyncio.Event().wait()

    server.registry.store.set_due = wait  # type: ignore[method-assign, assignment]
    sweep = asyncio.create_task(server.registry.sweep())
    await begun.wait()
    for table in tables:
        server.registry.drop(table)
    async with asyncio.timeout(TIMEOUT):
        await sweep


async def test_an_unused_table_leaves_memory_and_is_loaded_again(settings: Settings, clock: Clock) -> None:
    async def empty() -> None:
        clock.pass_by(settings.idle + 1)
        await server.registry.sweep()
        assert (await ida.get("/health"))["tables"] == 0

    async with opened(settings, clock) as server:
        ida = server.client()
        await ida.get("/api/me")
        table = await ida.create("me", "me")
        before = await ida.table(table)
        await empty()
        assert await ida.table(table) == before
        await empty()
        async with ida.follow(table) as socket:
            assert (await socket.message())["table"] == before
            await ida.turn(table, before["turn"])
            await socket.until_event("claimed")
            assert (await ida.get("/health"))["tables"] == 1
        await empty()
        await is_sound(ida, table)
