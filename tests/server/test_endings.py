"""The ends of tables, at the players' wish or because they are unused, and the next game."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from support.clients import Client, Clock, Json, Server, opened

from kingdomino.server.settings import Settings
from kingdomino.server.storage import Entry, TableRow

DAY = 24 * 3600


async def seated(server: Server, people: int, *more: str, **wishes: object) -> tuple[list[Client], str]:
    """Let several people sit down at a table."""
    clients = [server.client() for _ in range(people)]
    table = await clients[0].create("me", *["open"] * (people - 1), *more, seconds=None, **wishes)
    for number, client in enumerate(clients[1:], 1):
        await client.post(f"/api/tables/{table}/seats", {"name": f"Player {number}"})
    return clients, table


async def end(client: Client, table: str, wish: bool = True) -> Json:
    shown: Json = (await client.post(f"/api/tables/{table}/end", {"wish": wish}))["table"]
    return shown


async def again(client: Client, table: str, wish: bool = True, missing: str | None = None) -> Json:
    body = {"wish": wish, "missing": missing}
    shown: Json = (await client.post(f"/api/tables/{table}/rematch", body))["table"]
    return shown


async def finished(server: Server, people: int, *more: str, **wishes: object) -> tuple[list[Client], str]:
    """Seat people, and finish their game with bots in their places."""
    clients, table = await seated(server, people, *more, **wishes)
    await finish(clients, table)
    return clients, table


async def finish(clients: list[Client], table: str) -> None:
    """Let bots finish the game in the people's places."""
    for seat, client in enumerate(clients):
        await client.post(f"/api/tables/{table}/seats/{seat}/leave")
    async with clients[0].follow(table) as socket:
        assert await socket.until_turn() is None
    for seat, client in enumerate(clients):
        await client.post(f"/api/tables/{table}/seats/{seat}/return")


async def test_a_player_alone_with_bots_ends_the_game_at_once(server: Server) -> None:
    (ida,), table = await seated(server, 1, "bot")
    shown = await end(ida, table)
    assert (shown["state"], shown["turn"], shown["closed"]["why"]) == ("closed", None, "ended")
    assert await ida.refused("POST", f"/api/tables/{table}/end", {"wish": True}) == (409, "not_playing")


async def test_the_game_ends_when_all_present_players_wish_it(server: Server) -> None:
    (ida, ann, mara), table = await seated(server, 3)
    async with ida.follow(table), ann.follow(table), mara.follow(table):
        shown = await end(ida, table)
        assert (shown["state"], shown["wishes"]["end"]) == ("playing", [0])
        assert (await end(ann, table))["wishes"]["end"] == [0, 1]
        assert (await end(mara, table, wish=False))["wishes"]["end"] == []
        for client in (ida, ann):
            assert (await end(client, table))["state"] == "playing"
        assert (await end(mara, table))["state"] == "closed"


async def test_a_wish_that_changes_nothing_adds_nothing_to_the_log(server: Server) -> None:
    (ida, _), table = await seated(server, 2)
    await end(ida, table, wish=False)
    number = (await server.registry.table(table)).state.number
    for _ in range(3):
        await end(ida, table, wish=False)
    await end(ida, table)
    await end(ida, table)
    assert (await server.registry.table(table)).state.number == number + 1


async def test_players_who_are_away_are_not_asked_about_the_end(server: Server, clock: Clock) -> None:
    (ida, ann, mara), table = await seated(server, 3)
    await mara.post(f"/api/tables/{table}/seats/2/leave")
    async with ida.follow(table):
        assert (await end(ida, table))["state"] == "playing"
        clock.pass_by(30)
        assert (await end(ida, table))["state"] == "closed"
    visitor = server.client()
    assert await visitor.refused("POST", f"/api/tables/{table}/end", {"wish": True}) == (403, "not_yours")
    assert ann is not None


async def closes_after(seconds: int, server: Server, clock: Clock, client: Client, table: str) -> None:
    """Assert that a waiting table closes after this time, and not before."""
    clock.pass_by(seconds - 1)
    await server.registry.sweep()
    assert (await client.table(table))["state"] == "waiting"
    clock.pass_by(31)  # the server had unloaded the table, and gives its host some time to return
    await server.registry.sweep()
    shown = await client.table(table)
    assert (shown["state"], shown["closed"]["why"]) == ("closed", "unused")


@pytest.mark.parametrize(("seconds", "limit"), [(None, 14 * DAY), (DAY, 3 * DAY)])
async def test_a_game_that_was_abandoned_is_closed(
    server: Server, clock: Clock, seconds: int | None, limit: float
) -> None:
    ida = server.client()
    table = await ida.create("me", "bot", seconds=seconds)
    await ida.play(table, until=lambda _: True)
    passed = 0
    while (await ida.table(table))["state"] == "playing":
        clock.pass_by(DAY)
        passed += DAY
        await server.registry.sweep()
        await ida.table(table)
        assert passed <= limit + DAY
    assert passed >= limit
    assert (await ida.table(table))["closed"]["why"] == "unused"


async def test_a_rematch_begins_when_every_player_wishes_it(server: Server) -> None:
    (ida, ann), table = await finished(server, 2, "bot", middle_kingdom=True)
    async with ida.follow(table), ann.follow(table):
        shown = await again(ann, table)
        assert (shown["rematch"], shown["wishes"]["rematch"]) == (None, [1])
        shown = await again(ida, table)
    new = await ida.table(shown["rematch"])
    assert new["rules"] == shown["rules"]
    assert [seat["name"] for seat in new["seats"]] == [seat["name"] for seat in shown["seats"]]
    assert new["state"] == "playing"
    assert new["commitment"] != shown["commitment"]
    assert [(await client.you(new["id"]))["seats"] for client in (ida, ann)] == [[0], [1]]
    assert (await again(ann, table))["rematch"] == new["id"]


async def test_a_rematch_that_is_loaded_while_it_is_created_is_one_table(server: Server) -> None:
    (ida,), table = await finished(server, 1, "bot")
    store = server.registry.store
    append, created, released = store.append, asyncio.Event(), asyncio.Event()

    async def wait(entries: Sequence[Entry], row: TableRow, *rest: Any) -> None:  # noqa: ANN401
        await append(entries, row, *rest)
        if row.id != table and not created.is_set():
            created.set()
            await released.wait()

    store.append = wait  # type: ignore[method-assign, assignment]
    first = asyncio.create_task(again(ida, table))
    await created.wait()
    rematch = (await again(ida, table))["rematch"]
    released.set()
    assert (await first)["rematch"] == rematch
    assert [task.get_name() for task in asyncio.all_tasks()].count(f"table {rematch}") == 1


async def test_the_host_decides_about_a_player_who_does_not_play_again(server: Server) -> None:
    (ida, ann, mara), table = await finished(server, 3)
    async with ida.follow(table), ann.follow(table), mara.follow(table):
        await again(mara, table, wish=False)
        await again(ann, table, missing="bots")
        shown = await again(ida, table)
        assert (shown["rematch"], shown["wishes"]["declined"]) == (None, [2])
        assert (await again(ann, table, missing="bots"))["rematch"] is None
        shown = await again(ida, table, missing="leave_out")
    new = await ida.table(shown["rematch"])
    assert [seat["kind"] for seat in new["seats"]] == ["person", "person"]
    assert new["rules"]["players"] == 2


async def test_a_host_who_changed_seats_is_not_shown_and_any_player_decides(server: Server) -> None:
    ida, ann, bo = (server.client() for _ in range(3))
    table = await ida.create("me", "open", "open", seconds=None, public=True)
    await ida.post(f"/api/tables/{table}/seats/0/leave")
    for seat, client in enumerate((ann, ida, bo)):
        await client.post(f"/api/tables/{table}/seats", {"seat": seat, "name": f"Player {seat}"})
    assert (await ida.table(table))["host"] is None
    await finish([ann, ida, bo], table)
    async with ida.follow(table), ann.follow(table), bo.follow(table):
        await again(bo, table, wish=False)
        await again(ida, table)
        assert (await again(ann, table, missing="bots"))["rematch"] is not None


async def test_a_bot_takes_the_seat_of_a_player_who_is_not_there(server: Server, clock: Clock) -> None:
    (ida, ann), table = await finished(server, 2)
    async with ann.follow(table):
        assert (await again(ann, table, missing="bots"))["rematch"] is None
        clock.pass_by(30)
        shown = await again(ann, table, missing="bots")
    new = await ann.table(shown["rematch"])
    assert [seat["kind"] for seat in new["seats"]] == ["bot", "person"]
    assert (await ann.you(new["id"]))["host"]
    assert (await ida.you(new["id"]))["seats"] == []


async def test_two_players_are_the_fewest(server: Server) -> None:
    (ida, ann), table = await finished(server, 2)
    async with ida.follow(table), ann.follow(table):
        await again(ann, table, wish=False)
        shown = await again(ida, table, missing="leave_out")
    assert [seat["kind"] for seat in (await ida.table(shown["rematch"]))["seats"]] == ["person", "bot"]


async def test_a_player_may_change_the_answer(server: Server) -> None:
    (ida, ann), table = await finished(server, 2)
    async with ida.follow(table), ann.follow(table):
        await again(ida, table)
        await again(ida, table, wish=False)
        shown = await again(ann, table)
        assert shown["wishes"] == {"end": [], "rematch": [1], "declined": [0]}
        assert (await again(ida, table))["rematch"] is not None


async def test_a_rematch_has_no_seat_for_a_deleted_identity(server: Server) -> None:
    (ida, ann), table = await finished(server, 2)
    assert (await again(ann, table))["wishes"]["rematch"] == [1]
    await ann.post("/api/me/forget")
    assert (await ida.table(table))["wishes"] == {"end": [], "rematch": [], "declined": [1]}
    async with ida.follow(table):
        assert (await again(ida, table))["rematch"] is None
        shown = await again(ida, table, missing="bots")
    new = await ida.table(shown["rematch"])
    assert [seat["kind"] for seat in new["seats"]] == ["person", "bot"]


async def test_a_table_that_waits_is_closed_an_hour_after_its_host_has_gone(
    server: Server, clock: Clock
) -> None:
    ida = server.client()
    table = await ida.create("me", "invited")
    async with ida.follow(table):
        clock.pass_by(3500)
    clock.pass_by(100)
    await server.registry.sweep()
    assert (await ida.table(table))["state"] == "waiting"
    await closes_after(3500, server, clock, ida, table)


async def test_a_table_that_is_due_after_a_restart_waits_for_its_host_to_come_back(
    settings: Settings, clock: Clock
) -> None:
    async with opened(settings, clock) as server:
        ida = server.client()
        table = await ida.create("me", "invited")
    async with opened(settings, clock) as server:
        ida = server.client(ida.cookies)
        clock.pass_by(3600)
        await server.registry.sweep()
        assert (await ida.table(table))["state"] == "waiting"
        async with ida.follow(table):
            clock.pass_by(60)
            await server.registry.sweep()
        assert (await ida.table(table))["state"] == "waiting"
