"""The socket: a snapshot, then events; after a reconnect, the missed events."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from support.clients import TIMEOUT, Clock, Json, Server, Socket, numbers
from support.node import reduced, reduced_steps

from kingdomino.server.http.routes import socket as route
from kingdomino.server.tables.core import messages


def follows_from(table: Json, events: list[Json]) -> Json:
    """Return a table after events; it may have some of them already."""
    return reduced(table, [event for event in events if event["number"] > table["number"]])


def last(socket: Socket, kind: str) -> Json:
    """Return the last message of a kind."""
    return next(message for message in reversed(socket.messages) if message["type"] == kind)


async def test_a_newcomer_gets_a_snapshot_and_then_events(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "me")
    async with ida.follow(table) as socket:
        first = await socket.message()
        assert first == {
            "type": "snapshot",
            "table": await ida.table(table),
            "you": await ida.you(table),
        }
        assert (await socket.message())["type"] == "presence"
        turn = first["table"]["turn"]
        await ida.turn(table, turn)
        await socket.until_event("claimed")
        assert follows_from(first["table"], socket.events) == await ida.table(table)


async def test_all_clients_get_the_same_events_of_a_whole_game(server: Server) -> None:
    ida, oskar = server.client(), server.client()
    table = await ida.create({"kind": "me", "name": "Ida"}, "bot", "bot")
    async with AsyncExitStack() as stack:
        watching = [
            await stack.enter_async_context(client.follow(table, after))
            for client, after in ((ida, 0), (oskar, 0), (oskar, None), (server.client(), None))
        ]
        await ida.play(table)
        for socket in watching:
            assert await socket.until_turn() is None
    events, shown = await ida.events(table), await ida.table(table)
    for socket in watching:
        assert socket.events == events[len(events) - len(socket.events) :]
        if socket.messages[0]["type"] == "snapshot":
            assert follows_from(socket.messages[0]["table"], socket.events) == shown
    assert reduced(table, events) == shown


async def test_a_client_that_reconnects_gets_each_missed_event_once(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "me")
    async with ida.follow(table, after=0) as socket:
        await socket.message()
    have = socket.events
    for after, _ in enumerate(have, 1):
        async with ida.follow(table, after) as socket:
            first = await socket.message()
            assert first["type"] == "events"
            assert numbers(first["events"]) == list(range(after + 1, len(have) + 1))
            assert first["you"] == await ida.you(table)
    for _ in range(3):
        await ida.turn(table, (await ida.table(table))["turn"])
    async with ida.follow(table, after=have[-1]["number"]) as socket:
        await socket.message()
    assert have + socket.events == await ida.events(table)


async def test_a_client_that_was_away_too_long_or_is_ahead_gets_a_snapshot(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(route, "_LONGEST_GAP", 10)
    ida = server.client()
    table = await ida.create("bot", "bot")
    async with ida.follow(table) as socket:
        await socket.until_turn()
    number = (await ida.table(table))["number"]
    for after, kind in (
        (0, "snapshot"),
        (number - 11, "snapshot"),
        (number - 10, "events"),
        (number, "events"),
        (number + 1, "snapshot"),
    ):
        async with ida.follow(table, after) as socket:
            assert (await socket.message())["type"] == kind


async def test_a_late_client_misses_nothing(server: Server) -> None:
    ida = server.client()
    table = await ida.create("bot", "bot", "bot", "bot")
    async with AsyncExitStack() as stack:
        joined: list[Socket] = []
        for after in (None, 0) * 10:
            joined.append(await stack.enter_async_context(ida.follow(table, after)))
            await joined[-1].message()
        for socket in joined:
            await socket.until_turn()
    shown = await ida.table(table)
    logs: list[tuple[str | Json, list[list[Json]]]] = []
    for socket in joined:
        start: Json | None = socket.messages[0].get("table")
        assert numbers(socket.events) == list(range(start["number"] + 1 if start else 1, shown["number"] + 1))
        logs.append((start or table, [socket.events]))
    assert reduced_steps(logs) == [[shown]] * len(joined)


def here(message: Json) -> list[bool]:
    """Return for each seat whether its person is connected; nothing if the message has another type."""
    if message["type"] != "presence":
        return []
    return [seat is not None and seat["state"] == "here" for seat in message["seats"]]


async def test_presence_says_who_is_here_and_how_many_watch(server: Server, clock: Clock) -> None:
    ida, oskar, nuria = server.client(), server.client(), server.client()
    table = await ida.create("me", "open", "bot")
    async with ida.follow(table) as socket:
        assert (await socket.until(lambda message: message["type"] == "presence")) == {
            "type": "presence",
            "seats": [{"state": "here", "ms": 0}, None, None],
            "watching": 0,
        }
        await oskar.get("/api/me")
        async with oskar.follow(table):
            clock.pass_by(1)
            assert (await socket.message())["watching"] == 1
            async with nuria.follow(table), ida.follow(table):
                clock.pass_by(1)
                await socket.until(lambda message: message.get("watching") == 2)
                await oskar.post(f"/api/tables/{table}/seats", {})
                clock.pass_by(1)
                await socket.until(
                    lambda message: here(message) == [True, True, False] and message["watching"] == 1
                )
            clock.pass_by(1)
            await socket.until(
                lambda message: here(message) == [True, True, False] and message["watching"] == 0
            )
        clock.pass_by(1)
        await socket.until(lambda message: here(message) == [True, False, False])


async def test_a_player_with_two_pages_open_is_here_until_both_are_closed(
    server: Server, clock: Clock
) -> None:
    ida, oskar = server.client(), server.client()
    table = await ida.create("me", "bot")
    async with oskar.follow(table) as socket:
        async with ida.follow(table):
            clock.pass_by(1)
            async with ida.follow(table):
                clock.pass_by(1)
            clock.pass_by(1)
            await socket.until(lambda message: here(message) == [True, False])
        clock.pass_by(1)
        await socket.until(lambda message: here(message) == [False, False])
    presence = [message for message in socket.messages if message["type"] == "presence"]
    assert [here(message)[0] for message in presence] == [False, True, True, True, False]


async def test_presence_is_sent_at_most_once_a_second(
    server: Server, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that newcomers get the presence at once, and the others only now and then."""
    monkeypatch.setattr(messages, "_LONGEST_QUEUE", 8)
    ida, watchers = server.client(), 40
    table = await ida.create("me", "me")
    async with AsyncExitStack() as stack:
        clients = [ida, ida, *(server.client() for _ in range(watchers))]
        sockets = [await stack.enter_async_context(client.follow(table)) for client in clients]
        clock.pass_by(1)
        for socket in sockets:
            found = await socket.until(lambda message: message.get("watching") == watchers)
            assert found["seats"] == [{"state": "here", "ms": 0}] * 2
            assert sum(message["type"] == "presence" for message in socket.messages) <= 2
            assert socket.closed is None


async def test_a_spectator_needs_neither_a_seat_nor_a_cookie(server: Server) -> None:
    ida, spectator = server.client(), server.client()
    table = await ida.create("me", "me")
    assert spectator.cookies == {}
    async with spectator.follow(table) as socket:
        first = await socket.message()
        assert first["you"] == {"name": None, "seats": [], "host": False, "invites": [], "code": None}
        await ida.turn(table, first["table"]["turn"])
        assert (await socket.until_event("claimed"))["by"] == "person"


async def test_you_goes_only_to_the_client_concerned(server: Server) -> None:
    ida, oskar, nuria = server.client(), server.client(), server.client()
    table = await ida.create("me", "invited", "open")
    await oskar.get("/api/me")
    async with (
        ida.follow(table) as host,
        oskar.follow(table) as friend,
        nuria.follow(table) as spectator,
    ):
        secret = (await host.message())["you"]["invites"][0]["secret"]
        await oskar.post(f"/api/tables/{table}/seats", {"secret": secret})
        assert (await friend.until(lambda message: message["type"] == "you"))["you"]["seats"] == [1]
        told = await host.until(lambda message: message["type"] == "you")
        assert told["you"]["invites"] == []
        assert told["you"]["code"] is not None
        await ida.post(f"/api/tables/{table}/start")
        told = await host.until(lambda message: message["type"] == "you")
        assert told["you"]["code"] is None
        await spectator.until_event("dealt")
        await ida.post(f"/api/tables/{table}/seats/0/leave")
        await spectator.until_event("left")
        await friend.until_event("left")
    assert [message["type"] for message in spectator.messages].count("you") == 0
    assert [message["type"] for message in friend.messages].count("you") == 1


async def test_the_socket_ignores_client_messages(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "me")
    async with ida.follow(table) as socket:
        first = await socket.message()
        for text in ("", "{", '{"ply": 0, "actions": ["claim 1"]}', "x" * 10_000):
            socket.say(text)
        await ida.turn(table, first["table"]["turn"])
        assert (await socket.until_event("claimed"))["ply"] == 0


async def test_an_unknown_table_cannot_be_followed(server: Server) -> None:
    for table in ("q3v7n2kd8wjm", "nothing", "..", "x" * 1000):
        async with server.client().follow(table) as socket:
            assert await socket.until_closed() == 4404


async def test_a_number_that_no_event_has_opens_no_socket(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "me")
    for after in (-1, 1_000_001):
        async with ida.follow(table, after) as socket:
            assert socket.closed == 1008 or socket.refusal in (403, 422)


async def test_a_page_of_another_site_cannot_open_a_socket(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "me")
    for origin in ("https://evil.example", "http://server.localhost.evil.example", "null", "http://[", "x"):
        async with ida.follow(table, origin=origin) as socket:
            assert socket.refusal == 403
    async with ida.follow(table, origin="http://server.localhost") as socket:
        assert (await socket.message())["type"] == "snapshot"


async def test_a_slow_client_is_disconnected(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "_LONGEST_QUEUE", 8)
    ida, slow = server.client(), server.client()
    await slow.get("/api/me")
    table = await ida.create("me", "me")
    async with ida.follow(table, after=0) as socket:
        async with slow.follow(table, after=0) as sluggish:
            await sluggish.message()
            sluggish.stop_reading()
            for _ in range(12):
                await ida.turn(table, (await ida.table(table))["turn"])
            events = await ida.events(table)
            while socket.events != events or last(socket, "presence")["watching"]:
                await socket.message()
            sluggish.read_on()
            assert await sluggish.until_closed() == 1012
        have = sluggish.events
        assert len(have) < len(events)
        async with slow.follow(table, after=have[-1]["number"]) as back:
            await back.message()
        assert have + back.events == events


async def test_a_client_that_reads_nothing_is_disconnected(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "_LONGEST_QUEUE", 8)
    monkeypatch.setattr(route, "_CLOSE_TIMEOUT", 0)
    ida = server.client()
    table = await ida.create("me", "me")
    async with server.client().follow(table) as stuck:
        await stuck.message()
        stuck.stop_reading()
        for _ in range(12):
            await ida.turn(table, (await ida.table(table))["turn"])
        async with asyncio.timeout(TIMEOUT):
            await stuck.task
