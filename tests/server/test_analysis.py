"""The analysis board's routes: set-ups with all their faults, moves by hand, records, and the stream of an analysis."""

import json

import pytest
from fastapi.routing import APIRoute, APIWebSocketRoute
from support.clients import Client, Json, Server, changed, opened, refusal

import kingdomino as kd
from kingdomino.server.http.dependencies import needs_registry
from kingdomino.server.http.routes import analysis
from kingdomino.server.settings import Settings, Study

START = "kd1 2.second.random 0 reveal - - 1-48 C;C"
RECORD = kd.Game(kd.Rules(players=2, harmony=True), seed=5)
while not RECORD.is_over:
    RECORD.play(RECORD.legal_actions()[0])
TEXT = kd.Record.from_game(RECORD, players=["Ida", "Oskar"]).to_text()
ALL = kd.Record.parse(TEXT).positions()
LAST = next(position for position in reversed(ALL) if position.phase == "place")
"""A position of the last round: every decision is worked out at once."""


async def position(client: Client, text: str, *moves: str) -> Json:
    """Read a position after moves."""
    return await client.post("/api/analysis/position", {"position": text, "moves": list(moves)})


def set_up_of(studied: Json, **changes: object) -> Json:
    """Write the set-up of a position that the server has shown."""
    rules = ("players", "edition", "mighty_duel", "harmony", "middle_kingdom", "opening")
    kings = {
        line: [{"domino": one["domino"], "seat": one["seat"]} for one in studied[line]]
        for line in ("line", "next_line")
    }
    return {
        **{name: studied["rules"][name] for name in rules},
        "round": studied["round"],
        "finished": studied["finished"],
        "settled": studied["phase"] == "claim",
        "seat": studied["seat"] or 0,
        **kings,
        "unseen": studied["unseen"],
        "kingdoms": [kingdom["squares"] for kingdom in studied["kingdoms"]],
        **changes,
    }


async def test_every_position_of_a_game_can_be_shown_and_set_up_again(server: Server) -> None:
    ida = server.client()
    for one in ALL:
        shown = await position(ida, one.to_text())
        assert shown["position"] == one.to_text()
        assert (shown["seat"], shown["phase"]) == (one.to_move, one.phase)
        if one.to_move is not None:
            actions = shown["choices"]["placements"] + shown["choices"]["claims"]
            assert {each["action"] for each in actions} <= {str(action) for action in one.legal_actions()}
        if one.phase != "chance":
            checked = await ida.post("/api/analysis/setup", set_up_of(shown))
            assert checked == {"position": shown, "faults": []}


async def test_moves_and_what_chance_brings_are_played_by_hand(server: Server) -> None:
    ida = server.client()
    shown = await position(ida, START)
    assert (shown["due"], shown["choices"]) == ("line", None)
    shown = await position(ida, START, "reveal 3 9 22 41")
    assert [one["domino"] for one in shown["next_line"]] == [3, 9, 22, 41]
    assert (shown["due"], shown["kings"]) == ("king", [0, 1])
    shown = await position(ida, START, "reveal 3 9 22 41", "draw 1", "claim 22")
    assert {"domino": 22, "seat": 1, "done": False} in shown["next_line"]
    shown = await position(ida, START, "chance")
    assert shown["phase"] == "claim"


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("claim 5", "illegal_action"),
        ("chance", "illegal_action"),
        ("dance", "illegal_action"),
        (" ", "illegal_action"),
        ("reveal 1 2 3", "bad_position"),
        ("draw 7", "bad_position"),
    ],
)
async def test_an_impossible_move_is_refused(server: Server, move: str, code: str) -> None:
    body = {"position": LAST.to_text(), "moves": [move]}
    answer = await server.client().send("POST", "/api/analysis/position", body)
    assert refusal(answer) == (422, code)


async def test_all_faults_of_a_set_up_are_listed_with_their_places(server: Server) -> None:
    ida = server.client()
    shown = await position(ida, next(one for one in ALL if one.round == 3 and one.phase == "place").to_text())
    kingdoms = [[*shown["kingdoms"][0]["squares"]], shown["kingdoms"][1]["squares"]]
    kingdoms[0] = [
        {"x": 1, "y": 0, "terrain": "wheat", "crowns": 3},
        {"x": 2, "y": 2, "terrain": "mine", "crowns": 0},
    ]
    number = shown["line"][0]["domino"]
    body = set_up_of(shown, kingdoms=kingdoms, unseen=[*shown["unseen"], number])
    checked = await ida.post("/api/analysis/setup", body)
    assert checked["position"] is None
    faults = {fault["code"]: fault for fault in checked["faults"]}
    assert set(faults) == {"no_such_end", "unconnected", "shown_and_unseen", "unseen_count"}
    assert (faults["no_such_end"]["seat"], faults["no_such_end"]["square"]) == (0, [1, 0])
    assert (faults["unconnected"]["seat"], faults["unconnected"]["square"]) == (0, [2, 2])
    assert faults["shown_and_unseen"]["dominoes"] == [number]
    assert faults["unseen_count"]["found"] == faults["unseen_count"]["expected"] + 1


async def test_an_empty_set_up_has_faults(server: Server) -> None:
    checked = await server.client().post("/api/analysis/setup", {})
    assert {fault["code"] for fault in checked["faults"]} >= {"line_length", "offered_length"}


async def test_rules_that_there_are_not_are_refused(server: Server) -> None:
    body = {"players": 3, "mighty_duel": True}
    assert await server.client().refused("POST", "/api/analysis/setup", body) == (422, "bad_rules")


async def test_a_record_gives_its_positions_and_nothing_hidden(server: Server) -> None:
    ida = server.client()
    for text in (TEXT, kd.Record.parse(TEXT).to_json()):
        read = await ida.post("/api/analysis/record", {"record": text})
        assert read == {"positions": [one.to_text() for one in ALL], "players": ["Ida", "Oskar"]}
    assert await ida.refused("POST", "/api/analysis/record", {"record": "a letter"}) == (422, "bad_record")


async def test_a_position_is_analysed_until_it_is_worked_out(server: Server) -> None:
    async with server.client().analyse(LAST.to_text()) as socket:
        await socket.until(lambda message: message["type"] == "end")
    known = socket.messages[-2]
    assert (known["type"], known["exact"], known["seat"]) == ("analysis", True, LAST.to_move)
    assert {one["action"] for one in known["actions"]} == {str(action) for action in LAST.legal_actions()}
    assert all(one["error"] == 0 and 0 <= one["win"] <= 1 for one in known["actions"])
    json.dumps(known, allow_nan=False)


async def test_an_analysis_deepens_and_ends_with_its_client(server: Server) -> None:
    early = next(one for one in ALL if one.phase == "place")
    async with server.client().analyse(early.to_text()) as socket:
        first, second = await socket.message(), await socket.message()
        assert first["type"] == second["type"] == "analysis"
        assert second["playouts"] > first["playouts"]
        assert len(server.app.state.queue) == 1
    await socket.task
    assert len(server.app.state.queue) == 0


@pytest.mark.parametrize("text", ["a letter", START])
async def test_what_cannot_be_analysed_is_refused(server: Server, text: str) -> None:
    async with server.client().analyse(text) as socket:
        message = await socket.message()
    assert message["type"] == "refused"
    assert message["refusal"]["code"] == ("illegal_action" if text == START else "bad_position")


async def test_a_busy_server_says_so(settings: Settings) -> None:
    async with opened(changed(settings, study=Study(jobs=0))) as server:
        async with server.client().analyse(LAST.to_text()) as socket:
            message = await socket.message()
        assert message["refusal"]["code"] == "busy"


def test_no_route_of_the_board_asks_a_table() -> None:
    """So no analysis can know the deck of a game that goes on."""
    routes = list(analysis.router.routes)
    assert len(routes) == 4
    for route in routes:
        assert isinstance(route, APIRoute | APIWebSocketRoute)
        assert not needs_registry(route.dependant)
