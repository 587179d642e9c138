"""Refusals: the tests provoke every code, and a refused request changes nothing."""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, NoReturn

import httpx
import pytest
from support.clients import HOST, Client, Clock, Server, changed, opened, refusal
from support.nonces import nonce_of, promised

import kingdomino as kd
from kingdomino.server.http import sharing
from kingdomino.server.http.routes import games
from kingdomino.server.pools import Quota
from kingdomino.server.settings import Limits, Rate, Settings, SlowBots
from kingdomino.server.storage import StorageError
from kingdomino.server.tables.core import actor
from kingdomino.server.tables.core.refusals import STATUS

UNKNOWN = "q3v7n2kd8wjm"
Provoke = Callable[[Server, Client], Awaitable[httpx.Response]]
PROVOKED: dict[str, list[Provoke]] = {code: [] for code in STATUS}
SETTINGS: dict[str, dict[str, Any]] = {
    "too_often": {"limits": Limits(play=Rate(0.001, 2))},
    "too_many_tables": {"max_tables": 1},
    "too_many_bots": {"slow_bots": SlowBots(of_person=1)},
}


def provokes(code: str) -> Callable[[Provoke], Provoke]:
    """Set the code that an answer must have."""

    def add(provoke: Provoke) -> Provoke:
        PROVOKED[code].append(provoke)
        return provoke

    return add


async def a_game(ida: Client) -> tuple[str, int]:
    """Create a table for two on one device; return its id and the ply."""
    table = await ida.create("me", "me")
    return table, (await ida.table(table))["turn"]["ply"]


@provokes("bad_request")
async def no_json(_: Server, ida: Client) -> httpx.Response:
    json = {"content-type": "application/json"}
    return await ida.send("POST", "/api/tables", content=b"{", headers=json)


@provokes("not_yours")
async def the_other_players_turn(server: Server, ida: Client) -> httpx.Response:
    oskar = server.client()
    table = await ida.create("me", "open")
    await oskar.post(f"/api/tables/{table}/seats", {})
    turn = (await ida.table(table))["turn"]
    body = {"ply": turn["ply"], "actions": ["claim 1"]}
    return await (oskar, ida)[turn["seat"]].send("POST", f"/api/tables/{table}/actions", body)


@provokes("not_alone")
async def a_hint_where_two_people_play(_: Server, ida: Client) -> httpx.Response:
    table, ply = await a_game(ida)
    return await ida.send("POST", f"/api/tables/{table}/hint", {"ply": ply})


@provokes("not_away")
async def a_bot_for_a_player_who_is_here(_: Server, ida: Client) -> httpx.Response:
    table, _ply = await a_game(ida)
    return await ida.send("POST", f"/api/tables/{table}/seats/1/stand-in")


@provokes("stale_ply")
async def choices_of_a_decision_to_come(_: Server, ida: Client) -> httpx.Response:
    table, ply = await a_game(ida)
    return await ida.send("GET", f"/api/tables/{table}/choices", params={"ply": ply + 1})


@provokes("not_playing")
async def the_end_of_a_game_that_has_not_begun(_: Server, ida: Client) -> httpx.Response:
    table = await ida.create("me", "open")
    return await ida.send("POST", f"/api/tables/{table}/end", {"wish": True})


@provokes("not_host")
async def starting_another_hosts_table(server: Server, ida: Client) -> httpx.Response:
    table = await ida.create("me", "invited")
    return await server.client().send("POST", f"/api/tables/{table}/start")


@provokes("wrong_secret")
async def a_secret_that_was_guessed(server: Server, ida: Client) -> httpx.Response:
    table = await ida.create("me", "invited")
    return await server.client().send("POST", f"/api/tables/{table}/seats", {"secret": "0" * 64})


@provokes("other_host")
async def the_name_of_another_server(_: Server, ida: Client) -> httpx.Response:
    return await ida.send("GET", "/api/me", headers={"host": "evil.test"})


@provokes("other_origin")
async def a_page_of_another_site(_: Server, ida: Client) -> httpx.Response:
    return await ida.send("POST", "/api/tables", {}, headers={"origin": "https://evil.example"})


@provokes("no_table")
async def a_table_that_is_not_there(_: Server, ida: Client) -> httpx.Response:
    return await ida.send("GET", f"/api/tables/{UNKNOWN}")


@provokes("no_route")
async def a_route_that_is_not_there(_: Server, ida: Client) -> httpx.Response:
    return await ida.send("GET", "/api/nothing")


@provokes("no_code")
async def three_words_without_a_table(_: Server, ida: Client) -> httpx.Response:
    return await ida.send("POST", "/api/code", {"code": "amber otter gate"})


@provokes("no_method")
async def something_that_cannot_be_done_there(_: Server, ida: Client) -> httpx.Response:
    return await ida.send("DELETE", "/api/tables")


@provokes("stale_ply")
async def a_decision_that_was_made(_: Server, ida: Client) -> httpx.Response:
    table, ply = await a_game(ida)
    await ida.turn(table, (await ida.table(table))["turn"])
    body = {"ply": ply, "actions": ["claim 1"]}
    return await ida.send("POST", f"/api/tables/{table}/actions", body)


@provokes("not_waiting")
async def beginning_twice(_: Server, ida: Client) -> httpx.Response:
    table, _ply = await a_game(ida)
    return await ida.send("POST", f"/api/tables/{table}/start")


@provokes("not_playing")
async def playing_before_the_game(_: Server, ida: Client) -> httpx.Response:
    table = await ida.create("me", "invited")
    body = {"ply": 0, "actions": ["claim 1"]}
    return await ida.send("POST", f"/api/tables/{table}/actions", body)


@provokes("not_playing")
async def playing_after_the_game(_: Server, ida: Client) -> httpx.Response:
    table, _ply = await a_game(ida)
    events = await ida.play(table)
    body = {"ply": max(event.get("ply", 0) for event in events) + 1, "actions": ["claim 1"]}
    return await ida.send("POST", f"/api/tables/{table}/actions", body)


@provokes("stale_ply")
async def the_last_turn_of_a_game_once_more(_: Server, ida: Client) -> httpx.Response:
    table, _ply = await a_game(ida)
    events = await ida.play(table)
    body = {"ply": max(event.get("ply", 0) for event in events), "actions": ["discard"]}
    return await ida.send("POST", f"/api/tables/{table}/actions", body)


@provokes("not_over")
async def the_record_of_a_game_that_goes_on(_: Server, ida: Client) -> httpx.Response:
    table, _ply = await a_game(ida)
    return await ida.send("GET", f"/api/tables/{table}/record")


@provokes("not_over")
async def a_rematch_before_the_end(_: Server, ida: Client) -> httpx.Response:
    table, _ply = await a_game(ida)
    return await ida.send("POST", f"/api/tables/{table}/rematch", {"wish": True})


@provokes("seat_taken")
async def a_seat_that_is_taken(server: Server, ida: Client) -> httpx.Response:
    table = await ida.create("me", "open")
    return await server.client().send("POST", f"/api/tables/{table}/seats", {"seat": 0})


@provokes("too_many_tables")
async def one_table_more_than_there_are(_: Server, ida: Client) -> httpx.Response:
    await ida.create("me")
    return await ida.send("POST", "/api/tables", {})


@provokes("too_many_bots")
async def one_more_bot_that_thinks_for_long(_: Server, ida: Client) -> httpx.Response:
    seats = {"seats": [{"kind": "bot", "bot": "king"}]}
    await ida.post("/api/tables", seats)
    return await ida.send("POST", "/api/tables", seats)


@provokes("too_large")
async def a_body_of_a_megabyte(_: Server, ida: Client) -> httpx.Response:
    return await ida.send("POST", "/api/verify", {"record": "x" * 1_000_000})


@provokes("not_json")
async def a_form(_: Server, ida: Client) -> httpx.Response:
    form = {"content-type": "application/x-www-form-urlencoded"}
    return await ida.send("POST", "/api/tables", content=b"players=2", headers=form)


@provokes("illegal_action")
async def a_domino_that_is_not_there(_: Server, ida: Client) -> httpx.Response:
    table, ply = await a_game(ida)
    body = {"ply": ply, "actions": ["claim 49"]}
    return await ida.send("POST", f"/api/tables/{table}/actions", body)


@provokes("bad_field")
async def more_seats_than_players(_: Server, ida: Client) -> httpx.Response:
    return await ida.send("POST", "/api/tables", {"players": 2, "seats": [{"kind": "me"}] * 3})


@provokes("bad_field")
async def a_spec_for_a_person(_: Server, ida: Client) -> httpx.Response:
    return await ida.send("POST", "/api/tables", {"seats": [{"kind": "me", "bot": "greedy"}]})


@provokes("bad_field")
async def a_seat_that_is_not_a_number(_: Server, ida: Client) -> httpx.Response:
    table, _ply = await a_game(ida)
    return await ida.send("POST", f"/api/tables/{table}/seats/first/leave")


@provokes("bad_rules")
async def a_duel_of_three(_: Server, ida: Client) -> httpx.Response:
    return await ida.send("POST", "/api/tables", {"players": 3, "mighty_duel": True})


@provokes("bad_bot")
async def an_unknown_bot(_: Server, ida: Client) -> httpx.Response:
    return await ida.send("POST", "/api/tables", {"seats": [{"kind": "bot", "bot": "deep:thought=42"}]})


@provokes("bad_record")
async def an_invalid_record(_: Server, ida: Client) -> httpx.Response:
    return await ida.send("POST", "/api/verify", {"record": "This is a letter."})


@provokes("too_often")
async def a_flood(__: Server, ida: Client) -> httpx.Response:
    for _ in range(3):  # the first begins a session
        await ida.get("/api/me")
    return await ida.send("GET", "/api/me")


@provokes("storage")
async def a_move_that_cannot_be_stored(server: Server, ida: Client) -> httpx.Response:
    table, ply = await a_game(ida)
    domino = (await ida.table(table))["next_line"][0]["domino"]
    break_down(server, "append")
    body = {"ply": ply, "actions": [f"claim {domino}"]}
    return await ida.send("POST", f"/api/tables/{table}/actions", body)


@provokes("storage")
async def a_table_that_cannot_be_stored(server: Server, ida: Client) -> httpx.Response:
    break_down(server, "append")
    return await ida.send("POST", "/api/tables", {})


@provokes("storage")
async def a_server_that_cannot_write(server: Server, ida: Client) -> httpx.Response:
    break_down(server, "try_writing")
    return await ida.send("GET", "/ready")


@provokes("failed")
async def a_lobby_with_a_bug(server: Server, ida: Client) -> httpx.Response:
    break_down(server, "public", buggy)
    return await ida.send("GET", "/api/tables")


async def broken(*_: object, **__: object) -> NoReturn:
    """Fail as a full disk does."""
    raise StorageError("disk full: kept in /home/ida")


async def buggy(*_: object, **__: object) -> NoReturn:
    """Fail in a way that the server does not expect."""
    raise ZeroDivisionError("kept in /home/ida")


def break_down(server: Server, what: str, how: Callable[..., Awaitable[NoReturn]] = broken) -> None:
    """Make a method of the store fail."""
    setattr(server.registry.store, what, how)


@provokes("no_link")
async def a_link_that_was_never_made(_: Server, ida: Client) -> httpx.Response:
    return await ida.send("POST", "/api/link", {"secret": "never made"})


@provokes("bad_passkey")
async def a_passkey_that_is_not_known(_: Server, ida: Client) -> httpx.Response:
    return await ida.send("POST", "/api/passkey", {"credential": {"id": "unknown"}})


@provokes("has_games")
async def a_link_on_a_device_that_has_games(server: Server, ida: Client) -> httpx.Response:
    await ida.create("me", "bot")
    url: str = (await server.client().post("/api/me/link"))["url"]
    return await ida.send("POST", "/api/link", {"secret": url.partition("#link=")[2]})


@provokes("no_game")
async def a_game_that_is_not_there(_: Server, ida: Client) -> httpx.Response:
    return await ida.send("DELETE", f"/api/me/games/{UNKNOWN}")


@provokes("too_many_games")
async def one_record_more_than_may_be_kept(_: Server, ida: Client) -> httpx.Response:
    game = kd.Game(seed=1)
    while not game.is_over:
        game.play(game.legal_actions()[0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "MOST_IMPORTED", 0)
        return await ida.send(
            "POST", "/api/me/games", {"records": [{"text": kd.Record.from_game(game).to_text()}]}
        )


@provokes("busy")
async def a_picture_when_others_are_drawn(_: Server, ida: Client) -> httpx.Response:
    table = await ida.create("me", "me")
    await ida.play(table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sharing, "PICTURES", Quota(0, None, None))
        return await ida.send("GET", f"/api/tables/{table}/picture")


@provokes("bad_position")
async def a_position_with_faults(_: Server, ida: Client) -> httpx.Response:
    body = {
        "position": "kd1 2.second.random 1 place:0 - - 1-48 C;C",
        "seats": [{"kind": "me"}, {"kind": "me"}],
    }
    return await ida.send("POST", "/api/tables", body)


@provokes("not_drawing")
async def a_nonce_when_the_game_has_begun(_: Server, ida: Client) -> httpx.Response:
    table = await ida.create("me", "me")
    return await ida.send("POST", f"/api/tables/{table}/nonce", {"game": 1, "nonce": nonce_of(1)})


@provokes("bad_nonce")
async def a_nonce_that_was_not_promised(_: Server, ida: Client) -> httpx.Response:
    table = await ida.create("me", "bot", digest=promised(1))
    return await ida.send("POST", f"/api/tables/{table}/nonce", {"game": 1, "nonce": nonce_of(2)})


def test_every_code_is_provoked_by_a_test() -> None:
    assert [code for code, provocations in PROVOKED.items() if not provocations] == []


@pytest.mark.parametrize(
    ("code", "provoke"),
    [(code, provoke) for code, provocations in PROVOKED.items() for provoke in provocations],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
async def test_an_impossible_command_is_refused_with_its_code_and_a_reason(
    settings: Settings, clock: Clock, code: str, provoke: Provoke
) -> None:
    async with opened(changed(settings, **SETTINGS.get(code, {})), clock) as server:
        ida = server.client()
        answer = await provoke(server, ida)
    assert refusal(answer) == (STATUS[code], code)
    content = answer.json()
    more = {
        "bad_field": {"field"},
        "stale_ply": {"table"},
        "bad_position": {"faults"},
        "bad_record": {"faults", "number"},
    }
    assert set(content) == {"code", "reason"} | more.get(code, set())
    assert ("retry-after" in answer.headers) == (code == "too_often")
    assert "Traceback" not in answer.text
    assert "/home" not in answer.text


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"players": 2.5}, "players: must be a whole number"),
        ({"players": 5}, "players: must be at most 4"),
        ({"harmony": 1}, "harmony: must be true or false"),
        ({"edition": "third"}, "edition: must be 'first' or 'second'"),
        ({"seats": {}}, "seats: must be a list"),
        ({"seats": [{"kind": "me"}, {}]}, "seats.1.kind: is missing"),
        ({"seats": [{"kind": "me"}] * 5}, "seats: must have at most 4 entries"),
        ({"seats": [{"kind": "me", "name": "x" * 25}]}, "seats.0.name: a name has 1 to 24 letters"),
        ({"rules": "2.second.random"}, "rules: is not a field of this request"),
        ([], "body: must be an object"),
    ],
    ids=str,
)
async def test_a_refusal_names_the_field_and_the_fault_in_our_own_words(
    server: Server, body: object, reason: str
) -> None:
    answer = await server.client().send("POST", "/api/tables", body)
    assert refusal(answer) == (422, "bad_field")
    assert answer.json()["field"] == reason.partition(": ")[0]
    assert answer.json()["reason"] == reason
    assert (await server.client().get("/health"))["tables"] == 0


@pytest.mark.parametrize(
    ("path", "query", "reason"),
    [
        ("/api/tables/x/socket", b"after=x", "after: must be a whole number"),
    ],
)
async def test_the_error_for_a_sockets_query_uses_our_own_words(
    server: Server, path: str, query: bytes, reason: str
) -> None:
    sent: list[MutableMapping[str, Any]] = []

    async def connect() -> MutableMapping[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    headers = [(b"host", HOST.encode())]
    scope = {"type": "websocket", "path": path, "query_string": query, "headers": headers}
    await server.app(scope | {"extensions": {"websocket.http.response": {}}}, connect, send)
    assert [message.get("status") for message in sent] == [422, None]
    assert json.loads(sent[1]["body"])["reason"] == reason
    sent.clear()
    await server.app(scope, connect, send)
    assert sent == [{"type": "websocket.close", "code": 1008, "reason": "bad_field"}]


async def test_a_refused_action_leaves_the_table_as_it_was(server: Server) -> None:
    ida = server.client()
    table, ply = await a_game(ida)
    before = await ida.table(table)
    for action in ("claim 49", "claim 0", "place 1,0>2,0", "discard", "", "claim 1;claim 2", "x" * 40):
        status, _ = await ida.refused(
            "POST", f"/api/tables/{table}/actions", {"ply": ply, "actions": [action]}
        )
        assert status == 422
    for actions in ([], ["claim 1"] * 3, ["x" * 41], "claim 1", [1], None):
        body = {"ply": ply, "actions": actions}
        assert await ida.refused("POST", f"/api/tables/{table}/actions", body) == (422, "bad_field")
    assert await ida.table(table) == before


async def test_an_unstored_move_can_be_repeated(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    ida = server.client()
    table, ply = await a_game(ida)
    before = await ida.table(table)
    action = f"claim {before['next_line'][0]['domino']}"
    async with ida.follow(table) as socket:
        with monkeypatch.context() as patch:
            patch.setattr(server.registry.store, "append", broken)
            body = {"ply": ply, "actions": [action]}
            assert await ida.refused("POST", f"/api/tables/{table}/actions", body) == (503, "storage")
            assert await ida.table(table) == before
        await ida.act(table, ply, action)
        assert (await socket.until_event("claimed"))["number"] == before["number"] + 1
    assert [event["kind"] for event in socket.events if event["kind"] == "claimed"] == ["claimed"]


async def test_a_bot_repeats_an_unstored_move(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actor, "_RETRY", 0)
    append, calls = server.registry.store.append, [0]

    async def every_other_one(*what: Any, **how: Any) -> None:  # noqa: ANN401
        calls[0] += 1
        if calls[0] % 2 == 0:
            raise StorageError("disk full")
        await append(*what, **how)

    monkeypatch.setattr(server.registry.store, "append", every_other_one)
    ida = server.client()
    table = await ida.create("bot", "bot")
    async with ida.follow(table, after=0) as socket:
        assert await socket.until_turn() is None
    events = await ida.events(table)
    assert socket.events == events
    plies = [event["ply"] for event in events if "ply" in event]
    assert plies == list(range(len(plies)))
