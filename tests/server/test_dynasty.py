"""Dynasty: three games at one table. Their points are added up, or the best game counts."""

import asyncio

import pytest
from support.clients import Client, Json, Server, opened
from support.node import reduced
from support.outcomes import ended, totals

import kingdomino as kd
from kingdomino.server.settings import Settings
from kingdomino.server.tables.core.deal import check


async def three_games(client: Client, table: str) -> list[Json]:
    """Play a whole Dynasty, and return all its events."""
    for game in (1, 2, 3):
        await client.play(table)
        assert (await client.table(table))["state"] == ("between" if game < 3 else "over")
        if game < 3:
            await client.post(f"/api/tables/{table}/next")
    return await client.events(table)


def of_kind(events: list[Json], kind: str) -> list[Json]:
    return [event for event in events if event["kind"] == kind]


@pytest.mark.parametrize(("dynasty", "counts"), [("total", sum), ("best", max)])
async def test_three_games_are_played_and_counted(server: Server, dynasty: str, counts: object) -> None:
    assert callable(counts)
    ida = server.client()
    table = await ida.create("me", "bot", "bot", dynasty=dynasty)
    assert (await ida.table(table))["games"] == 3
    events = await three_games(ida, table)
    assert [event["game"] for event in of_kind(events, "dealt")] == [1, 2, 3]
    finished = of_kind(events, "finished")
    scores = [[score["total"] for score in event["scores"]] for event in finished]
    assert [event["match"] for event in finished[:2]] == [None, None]
    match = finished[2]["match"]
    assert match["scores"] == [counts(points) for points in zip(*scores, strict=True)]
    best = max(match["scores"])
    assert match["winners"] == [seat for seat in range(3) if match["scores"][seat] == best]
    assert match["decided_by"] == ("score" if len(match["winners"]) == 1 else "shared")
    ranked = [match["scores"][seat] for seat in match["ranking"]]
    assert ranked == sorted(match["scores"], reverse=True)
    again = (await ida.post(f"/api/tables/{table}/rematch", {"wish": True}))["table"]["rematch"]
    new = await ida.table(again)
    assert (new["dynasty"], new["game"], new["totals"]) == (dynasty, 1, [0, 0, 0])
    shown, events = await ida.table(table), await ida.events(table)
    assert shown["totals"] == [counts(points) for points in zip(*scores[:2], strict=True)]
    assert reduced(table, events) == shown


async def test_every_game_has_a_deal_and_a_record_of_its_own(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "bot", dynasty="best")
    events = await three_games(ida, table)
    commitments = [event["commitment"] for event in of_kind(events, "dealt")]
    assert len(set(commitments)) == 3
    for game, event in enumerate(of_kind(events, "finished"), 1):
        answer = await ida.send("GET", f"/api/tables/{table}/record", params={"game": game})
        assert f'filename="kingdomino-{table}-{game}.txt"' in answer.headers["content-disposition"]
        record = kd.Record.parse(answer.text)
        assert check(record).deal.commitment == commitments[game - 1]
        assert list(totals(ended(record))) == [score["total"] for score in event["scores"]]


async def test_the_next_game_begins_once_and_only_between_games(server: Server) -> None:
    ida, oskar = server.client(), server.client()
    table = await ida.create("me", "bot", dynasty="total")
    path = f"/api/tables/{table}/next"
    assert await ida.refused("POST", path) == (409, "not_over")
    await ida.play(table)
    assert await oskar.refused("POST", path) == (403, "not_yours")
    answers = await asyncio.gather(*(ida.send("POST", path) for _ in range(3)))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409]
    assert len(of_kind(await ida.events(table), "dealt")) == 2


async def test_nothing_is_played_between_games(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "bot", dynasty="total")
    await ida.play(table)
    ply = len([event for event in await ida.events(table) if "ply" in event])
    body = {"ply": ply, "actions": ["claim 1"]}
    gone = (409, "not_playing")
    assert await ida.refused("POST", f"/api/tables/{table}/actions", body) == gone
    assert await ida.refused("GET", f"/api/tables/{table}/choices", ply=ply) == gone
    assert await ida.refused("POST", f"/api/tables/{table}/rematch", {"wish": True}) == (409, "not_over")


async def test_a_single_game_has_no_next_one(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "bot")
    await ida.play(table)
    assert await ida.refused("POST", f"/api/tables/{table}/next") == (409, "not_over")


async def test_a_bot_plays_the_next_game_for_a_player_who_left_between_games(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "me", dynasty="total")
    await ida.play(table)
    await ida.post(f"/api/tables/{table}/seats/1/leave")
    await ida.post(f"/api/tables/{table}/next")
    async with ida.follow(table) as socket:
        while (await socket.until_turn(0)) is not None:
            await ida.turn(table, (await ida.table(table))["turn"])
    second = [event for event in await ida.events(table) if event["kind"] == "dealt"][1]["number"]
    by = {(event["seat"], event["by"]) for event in await ida.events(table, second) if "by" in event}
    assert by == {(0, "person"), (1, "stand-in")}


async def test_a_dynasty_goes_on_after_a_restart_between_its_games(settings: Settings) -> None:
    async with opened(settings) as server:
        ida = server.client()
        table = await ida.create("me", "bot", dynasty="total")
        await ida.play(table)
        before = await ida.table(table)
    async with opened(settings) as server:
        ida = server.client(ida.cookies)
        assert await ida.table(table) == before
        assert [entry["state"] for entry in (await ida.get("/api/me"))["tables"]] == ["between"]
        await ida.post(f"/api/tables/{table}/next")
        await ida.play(table)
        after = await ida.table(table)
        scores = [score["total"] for score in before["finished"]["scores"]]
        assert (after["game"], after["totals"]) == (2, scores)
