"""Seats: taken by a secret, by a code or because they are open; left, resumed, and moved to another device."""

import asyncio

import pytest
from support.clients import Client, Json, Server, changed, opened

from kingdomino.server.settings import Settings
from kingdomino.server.tables.core import commands
from kingdomino.server.tables.people.codes import tidy


async def invitation(host: Client, table: str, index: int = 0) -> str:
    """Return the secret of a seat for a friend."""
    secret: str = (await host.you(table))["invites"][index]["secret"]
    return secret


async def sit(client: Client, table: str, **how: object) -> Json:
    """Sit down."""
    return await client.post(f"/api/tables/{table}/seats", how)


async def seat(client: Client, table: str, number: int) -> Json:
    """Read the entry of a seat."""
    entry: Json = (await client.table(table))["seats"][number]
    return entry


async def test_a_friend_sits_down_by_the_secret_of_a_seat(server: Server) -> None:
    ida, oskar = server.client(), server.client()
    table = await ida.create({"kind": "me", "name": "Ida"}, "invited")
    assert (await ida.table(table))["state"] == "waiting"
    seen = await sit(oskar, table, secret=await invitation(ida, table), name="Oskar")
    assert seen["you"]["seats"] == [1]
    assert seen["table"]["seats"][1] == {
        "seat": 1,
        "kind": "person",
        "name": "Oskar",
        "bot": None,
        "away": None,
    }
    assert seen["table"]["state"] == "playing"


async def test_only_the_host_of_a_waiting_table_gets_the_invites_and_the_code(server: Server) -> None:
    ida, oskar, nuria = server.client(), server.client(), server.client()
    table = await ida.create("me", "invited", "invited")
    you = await ida.you(table)
    assert [invite["seat"] for invite in you["invites"]] == [1, 2]
    assert len({invite["secret"] for invite in you["invites"]}) == 2
    assert you["code"] == tidy(you["code"])
    assert len(you["code"].split()) == 4
    seen = await sit(oskar, table, secret=you["invites"][0]["secret"])
    nothing = {"host": False, "invites": [], "code": None}
    assert seen["you"] == {"name": None, "seats": [1]} | nothing
    assert await nuria.you(table) == {"name": None, "seats": []} | nothing
    await sit(nuria, table, secret=you["invites"][1]["secret"])
    assert await ida.you(table) == {"name": None, "seats": [0]} | nothing | {"host": True}


async def test_an_invitation_is_good_for_one_seat_of_one_table_once(server: Server) -> None:
    ida, oskar, nuria = server.client(), server.client(), server.client()
    table, other = await ida.create("me", "invited", "invited"), await ida.create("me", "invited")
    secret = await invitation(ida, table)
    wrong = (403, "wrong_secret")
    assert await oskar.refused("POST", f"/api/tables/{other}/seats", {"secret": secret}) == wrong
    await sit(oskar, table, secret=secret)
    assert await nuria.refused("POST", f"/api/tables/{table}/seats", {"secret": secret}) == wrong
    for guess in ("0" * 64, "x", secret[:-1], secret.upper(), "ключ"):
        assert await nuria.refused("POST", f"/api/tables/{table}/seats", {"secret": guess}) == wrong
    assert (await seat(ida, table, 2))["kind"] == "invited"


async def test_the_same_link_opened_twice_by_the_same_browser_leads_to_its_seat(server: Server) -> None:
    ida, oskar = server.client(), server.client()
    table = await ida.create("me", "invited", "invited")
    secret = await invitation(ida, table)
    first = await sit(oskar, table, secret=secret)
    again = await sit(oskar, table, secret=secret)
    assert first == again


async def test_two_friends_with_one_link_do_not_both_sit_down(server: Server) -> None:
    ida, friends = server.client(), [server.client() for _ in range(4)]
    table = await ida.create("me", "invited", "invited")
    secret = await invitation(ida, table)
    path = f"/api/tables/{table}/seats"
    answers = await asyncio.gather(*(friend.send("POST", path, {"secret": secret}) for friend in friends))
    assert sorted(answer.status_code for answer in answers) == [200, 403, 403, 403]


async def test_anyone_takes_an_open_seat_and_only_an_open_one(server: Server) -> None:
    ida, oskar, nuria = server.client(), server.client(), server.client()
    table = await ida.create("me", "invited", "open", "open", public=True)
    path = f"/api/tables/{table}/seats"
    taken = (409, "seat_taken")
    assert await oskar.refused("POST", path, {"seat": 0}) == taken
    assert await oskar.refused("POST", path, {"seat": 1}) == taken
    assert (await sit(oskar, table, seat=3, name="Oskar"))["you"]["seats"] == [3]
    assert await nuria.refused("POST", path, {"seat": 3}) == taken
    assert (await sit(nuria, table))["you"]["seats"] == [2]
    assert await server.client().refused("POST", path, {}) == taken


async def test_a_code_leads_to_the_table_until_the_game_begins(server: Server) -> None:
    ida, oskar, nuria = server.client(), server.client(), server.client()
    table = await ida.create("me", "invited", "open")
    code = (await ida.you(table))["code"]
    found = await oskar.post("/api/code", {"code": f"  {code.upper().replace(' ', '  ')} "})
    assert found == {"id": table, "secret": code.replace(" ", "-")}
    await sit(oskar, table, secret=found["secret"])
    assert await nuria.post("/api/code", {"code": code}) == {"id": table, "secret": None}
    await sit(nuria, table)
    assert await nuria.refused("POST", "/api/code", {"code": code}) == (404, "no_code")


async def test_a_code_ends_when_its_table_is_taken_away(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "invited")
    code = (await ida.you(table))["code"]
    await ida.post(f"/api/tables/{table}/close")
    assert await ida.refused("POST", "/api/code", {"code": code}) == (404, "no_code")


async def test_a_closed_table_has_no_seats_to_take(server: Server) -> None:
    ida, oskar = server.client(), server.client()
    table = await ida.create("me", "invited", "open")
    secret = await invitation(ida, table)
    await ida.post(f"/api/tables/{table}/close")
    for how in ({"secret": secret}, {"seat": 2}, {}):
        assert await oskar.refused("POST", f"/api/tables/{table}/seats", how) == (409, "not_waiting")
    assert (await ida.events(table))[-1]["kind"] == "closed"


async def test_a_seat_is_taken_along_to_another_device(server: Server) -> None:
    desk, phone = server.client(), server.client()
    table = await desk.create({"kind": "me", "name": "Ida"}, "bot")
    secret = (await desk.post(f"/api/tables/{table}/seats/0/secret"))["secret"]
    moved = await sit(phone, table, secret=secret, name="Another name")
    assert moved["you"]["seats"] == [0]
    assert moved["table"]["seats"][0]["name"] == "Ida"
    assert (await desk.you(table))["seats"] == []
    turn = moved["table"]["turn"]
    ply = {"ply": turn["ply"], "actions": ["claim 1"]}
    assert await desk.refused("POST", f"/api/tables/{table}/actions", ply) == (403, "not_yours")
    events = await phone.play(table)
    assert events[-1]["kind"] == "deck_revealed"


async def test_a_private_link_works_once(server: Server) -> None:
    desk, phone, stranger = server.client(), server.client(), server.client()
    table = await desk.create("me", "bot")
    first = (await desk.post(f"/api/tables/{table}/seats/0/secret"))["secret"]
    assert (await desk.post(f"/api/tables/{table}/seats/0/secret"))["secret"] == first
    await sit(phone, table, secret=first)
    path = f"/api/tables/{table}/seats"
    assert await stranger.refused("POST", path, {"secret": first}) == (403, "wrong_secret")
    second = (await phone.post(f"{path}/0/secret"))["secret"]
    assert second != first
    assert (await sit(desk, table, secret=second))["you"]["seats"] == [0]


async def test_at_a_table_with_too_many_events_only_the_game_goes_on(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ida, oskar = server.client(), server.client()
    table = await ida.create({"kind": "me", "name": "Ida"}, "me")
    here = f"/api/tables/{table}"
    secret = (await ida.post(f"{here}/seats/0/secret"))["secret"]
    monkeypatch.setattr(commands, "_MOST", 1)
    full = (429, "too_often")
    assert await oskar.refused("POST", f"{here}/seats", {"secret": secret}) == full
    assert await ida.refused("POST", f"{here}/seats/0/leave") == full
    assert await ida.refused("POST", f"{here}/end", {"wish": True}) == full
    assert (await ida.play(table))[-1]["kind"] == "deck_revealed"
    assert await ida.refused("POST", f"{here}/rematch", {"wish": True}) == full
    await ida.post("/api/me/forget")
    assert (await seat(oskar, table, 0))["name"] is None


async def test_only_the_player_in_the_seat_gets_the_private_link(server: Server) -> None:
    ida, oskar = server.client(), server.client()
    table = await ida.create("me", "invited", "bot")
    for number in (0, 1, 2, 3, -1, 10**20):
        path = f"/api/tables/{table}/seats/{number}/secret"
        assert await oskar.refused("POST", path) == (403, "not_yours")
    for number in (1, 2):
        path = f"/api/tables/{table}/seats/{number}/secret"
        assert await ida.refused("POST", path) == (403, "not_yours")


async def test_a_player_who_leaves_a_waiting_table_frees_the_seat(server: Server) -> None:
    ida, oskar, nuria = server.client(), server.client(), server.client()
    for public, kind in ((False, "invited"), (True, "open")):
        table = await ida.create("me", "invited", "invited", public=public)
        secret = await invitation(ida, table)
        await sit(oskar, table, secret=secret, name="Oskar")
        left = await oskar.post(f"/api/tables/{table}/seats/1/leave")
        assert left["you"]["seats"] == []
        entry = {"seat": 1, "kind": kind, "name": None, "bot": None, "away": None}
        assert await seat(ida, table, 1) == entry
        assert await nuria.refused("POST", f"/api/tables/{table}/seats", {"secret": secret}) in (
            (403, "wrong_secret"),
            (409, "seat_taken"),
        )
    again = (await ida.post(f"/api/tables/{table}/seats/0/leave"))["you"]
    assert (again["seats"], again["host"]) == ([], True)


async def test_a_bot_plays_for_a_player_who_leaves_until_the_player_returns(server: Server) -> None:
    ida, oskar = server.client(), server.client()
    table = await ida.create({"kind": "me", "name": "Ida"}, "invited")
    await sit(oskar, table, secret=await invitation(ida, table), name="Oskar")
    async with ida.follow(table) as socket:
        await oskar.post(f"/api/tables/{table}/seats/1/leave")
        left = await socket.until_event("left")
        assert (left["seat"], left["why"]) == (1, "left")
        assert (await seat(ida, table, 1)) == {
            "seat": 1,
            "kind": "person",
            "name": "Oskar",
            "bot": None,
            "away": "left",
        }
        turn = await socket.until_turn(0)
        while turn is not None and not any(event.get("by") == "stand-in" for event in socket.events):
            await ida.turn(table, turn)
            turn = await socket.until_turn(0)
        assert {event["seat"] for event in socket.events if event.get("by") == "stand-in"} == {1}
        await oskar.post(f"/api/tables/{table}/seats/1/return")
        assert (await socket.until_event("returned"))["seat"] == 1
    assert (await seat(oskar, table, 1))["away"] is None
    goes_on = len(await ida.events(table))
    await asyncio.gather(ida.play(table), oskar.play(table))
    assert {event["by"] for event in (await ida.events(table))[goes_on:] if "by" in event} == {"person"}


async def test_a_player_who_is_away_returns_by_acting(settings: Settings) -> None:
    async with opened(changed(settings, pause=3600)) as server:  # the bot that would take over waits
        ida = server.client()
        table = await ida.create("me", "me")
        turn = (await ida.table(table))["turn"]
        await ida.post(f"/api/tables/{table}/seats/{turn['seat']}/leave")
        await ida.turn(table, turn)
        events = await ida.events(table)
        assert [event["kind"] for event in events][-4:-1] == ["left", "returned", "claimed"]
        assert events[-2]["by"] == "person"
        assert (await seat(ida, table, turn["seat"]))["away"] is None


async def test_leaving_or_returning_twice_is_the_same_as_once(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "me")
    other = 1 - (await ida.table(table))["turn"]["seat"]
    for what in ("leave", "leave", "return", "return"):
        await ida.post(f"/api/tables/{table}/seats/{other}/{what}")
    kinds = [event["kind"] for event in await ida.events(table)]
    assert kinds[-2:] == ["left", "returned"]
    assert kinds.count("left") == kinds.count("returned") == 1


async def test_a_table_that_all_players_have_left_is_played_to_its_end(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "me", "me")
    async with server.client().follow(table) as socket:
        for number in range(3):
            await ida.post(f"/api/tables/{table}/seats/{number}/leave")
        await socket.until_event("deck_revealed")
    assert {event["by"] for event in socket.events if "by" in event} == {"stand-in"}


async def test_moving_an_absent_players_seat_keeps_its_bot(
    server: Server,
) -> None:
    desk, phone = server.client(), server.client()
    table = await desk.create("me", "me")
    other = 1 - (await desk.table(table))["turn"]["seat"]
    secret = (await desk.post(f"/api/tables/{table}/seats/{other}/secret"))["secret"]
    await desk.post(f"/api/tables/{table}/seats/{other}/leave")
    await sit(phone, table, secret=secret)
    assert (await seat(phone, table, other))["away"] == "left"
    await phone.post(f"/api/tables/{table}/seats/{other}/return")
    assert (await seat(phone, table, other))["away"] is None


async def test_no_player_leaves_when_the_game_is_over(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "bot")
    await ida.play(table)
    path = f"/api/tables/{table}/seats/0/leave"
    assert await ida.refused("POST", path) == (409, "not_playing")


async def test_a_cookie_of_another_server_or_an_invalid_one_opens_no_seat(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "bot")
    signed = ida.cookies["kingdomino"]
    # Not the last character: it has unused bits, so a different one may mean the same.
    forged = signed[:-2] + ("x" if signed[-2] != "x" else "y") + signed[-1]
    ply = (await ida.table(table))["turn"]["ply"]
    for cookie in (forged, signed.partition(".")[0], "", "%%%"):
        forger = server.client({"kingdomino": cookie})
        body = {"ply": ply, "actions": ["claim 1"]}
        assert await forger.refused("POST", f"/api/tables/{table}/actions", body) == (403, "not_yours")
    assert (await server.client(ida.cookies).you(table))["seats"] == [0]


async def test_a_client_cannot_start_a_program_on_the_servers_machine(server: Server) -> None:
    wish = {"kind": "bot", "bot": "engine:command=touch started"}
    answer = await server.client().send("POST", "/api/tables", {"seats": [wish]})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_bot")
    assert "an engine cannot play at a table" in answer.json()["reason"]


async def test_a_bot_that_would_take_too_much_of_the_machine_is_refused(server: Server) -> None:
    ida = server.client()
    for spec in ("king:time=3", "king:threads=2", "king:playouts=100001", "mce:time=60", "uct:time=3"):
        body = {"seats": [{"kind": "me"}, {"kind": "bot", "bot": spec}]}
        answer = await ida.send("POST", "/api/tables", body)
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_bot")
        assert "no more" in answer.json()["reason"]


async def test_friends_who_have_the_same_code_get_different_seats(server: Server) -> None:
    ida, oskar, nuria, mara = (server.client() for _ in range(4))
    table = await ida.create("me", "invited", "invited", "invited")
    code = (await ida.you(table))["code"]
    found = [await friend.post("/api/code", {"code": code}) for friend in (oskar, nuria, oskar)]
    for friend, each in zip((oskar, nuria, oskar), found, strict=True):
        await sit(friend, table, secret=each["secret"])
    assert [(await friend.you(table))["seats"] for friend in (ida, oskar, nuria)] == [[0], [1], [2]]
    path = f"/api/tables/{table}/seats"
    assert await mara.refused("POST", path, {"secret": "amber-otter-gone"}) == (403, "wrong_secret")
    await sit(mara, table, secret=code)
    late = server.client()
    assert await late.refused("POST", path, {"secret": code}) == (403, "wrong_secret")
