"""Hints, which the table records: only among bots, only for the player to move."""

import pytest
from support.clients import Client, Json, Server

import kingdomino as kd

BOT: Json = {"kind": "bot", "bot": "greedy"}


async def playing(server: Server, *others: str | Json, until: str = "claim") -> tuple[Client, str, Json]:
    """Play with these others up to Ida's turn; return the client, the table and the turn."""
    ida = server.client()
    table = await ida.create("me", *(others or (BOT,)))
    turns: list[Json] = []

    def is_wanted(turn: Json) -> bool:
        turns.append(turn)
        return bool(turn["phase"] == until and turn["fits"])

    await ida.play(table, is_wanted)
    return ida, table, turns[-1]


async def test_the_table_and_the_record_note_each_hint_once(server: Server) -> None:
    ida, table, turn = await playing(server, until="place")
    for _ in range(2):
        await ida.post(f"/api/tables/{table}/hint", {"ply": turn["ply"]})
    noted = [event for event in await ida.events(table) if event["kind"] == "hinted"]
    assert [(event["ply"], event["seat"]) for event in noted] == [(turn["ply"], 0)]
    assert (await ida.table(table))["hints"] == [turn["ply"]]
    await ida.play(table)
    text = (await ida.send("GET", f"/api/tables/{table}/record")).text
    assert kd.Record.parse(text).tags["hints"] == str(turn["ply"])


async def test_a_game_without_a_hint_has_no_note(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", BOT)
    await ida.play(table)
    text = (await ida.send("GET", f"/api/tables/{table}/record")).text
    assert "hints" not in kd.Record.parse(text).tags


@pytest.mark.parametrize("others", [("open",), ("invited", BOT), ("me",)])
async def test_there_are_no_hints_where_other_people_play(
    server: Server, others: tuple[str | Json, ...]
) -> None:
    """Two seats of one person may be two people at one device."""
    ida, oskar = server.client(), server.client()
    table = await ida.create("me", *others)
    if others != ("me",):
        you = await ida.you(table)
        secret = {"secret": you["invites"][0]["secret"]} if you["invites"] else {}
        await oskar.post(f"/api/tables/{table}/seats", secret)
    ply = (await ida.table(table))["turn"]["ply"]
    assert await ida.refused("POST", f"/api/tables/{table}/hint", {"ply": ply}) == (403, "not_alone")


async def test_a_hint_is_for_the_player_to_move_alone(server: Server) -> None:
    ida, table, turn = await playing(server)
    path, body = f"/api/tables/{table}/hint", {"ply": turn["ply"]}
    assert await server.client().refused("POST", path, body) == (403, "not_yours")
    assert await ida.refused("POST", path, {"ply": turn["ply"] + 1}) == (409, "stale_ply")
    assert await ida.refused("POST", "/api/tables/222222222222/hint", body) == (404, "no_table")
    await ida.play(table)
    assert await ida.refused("POST", path, body) == (409, "not_playing")


async def test_before_the_game_there_is_nothing_to_decide(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "open")
    assert (await ida.refused("POST", f"/api/tables/{table}/hint", {"ply": 0}))[1] == "not_alone"
