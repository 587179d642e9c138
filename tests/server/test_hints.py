"""Hints, and what a placement gives away: only among bots, only for the player to move, and never from the deck."""

from threading import Event

import pytest
from support.clients import Client, Json, Server

import kingdomino as kd
from kingdomino.analysis.why import Unfillable
from kingdomino.server.study import hints
from kingdomino.server.study.queue import Step, T, Thinking

BOT: Json = {"kind": "bot", "bot": "greedy"}


async def playing(server: Server, *others: str | Json, until: str = "claim") -> tuple[Client, str, Json]:
    """Sit down with these others, up to one's own turn; gives the client, the table and the turn."""
    ida = server.client()
    table = await ida.create("me", *(others or (BOT,)))
    turns: list[Json] = []

    def is_wanted(turn: Json) -> bool:
        turns.append(turn)
        return bool(turn["phase"] == until and turn["fits"])

    await ida.play(table, is_wanted)
    return ida, table, turns[-1]


@pytest.mark.parametrize("phase", ["claim", "place"])
async def test_a_hint_is_a_legal_action_with_the_squares_that_it_covers(server: Server, phase: str) -> None:
    ida, table, turn = await playing(server, until=phase)
    hint = await ida.post(f"/api/tables/{table}/hint", {"ply": turn["ply"]})
    choices = await ida.get(f"/api/tables/{table}/choices", ply=turn["ply"])
    offered = {each["action"]: each for each in choices["placements"] + choices["claims"]}
    choice = offered[hint["action"]]
    assert hint["ply"] == turn["ply"]
    if phase == "place":
        assert hint["squares"] == [choice["left"], choice["right"]]
        assert hint["domino"] == turn["domino"]
    else:
        assert hint["squares"] == []
        assert hint["domino"] == choice["domino"]


async def test_a_hint_for_the_claim_after_a_placement_that_was_not_sent(server: Server) -> None:
    ida, table, turn = await playing(server, until="place")
    placement = (await ida.get(f"/api/tables/{table}/choices", ply=turn["ply"]))["placements"][0]["action"]
    hint = await ida.post(f"/api/tables/{table}/hint", {"ply": turn["ply"], "after": placement})
    assert hint["action"].startswith("claim")


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


async def test_what_a_placement_gives_away(server: Server) -> None:
    ida, table, turn = await playing(server, until="place")
    offered = (await ida.get(f"/api/tables/{table}/choices", ply=turn["ply"]))["placements"]
    costs = [
        await ida.get(f"/api/tables/{table}/cost", ply=turn["ply"], action=each["action"])
        for each in offered[:3]
    ]
    for cost, choice in zip(costs, offered, strict=False):
        assert cost["action"] == choice["action"]
        assert 0 <= cost["win"] <= 1
        assert cost["points"] >= 0
    assert (await ida.table(table))["hints"] == [], "only a hint is noted"


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
    cost = f"/api/tables/{table}/cost"
    assert await ida.refused("GET", cost, ply=ply, action="claim 1") == (403, "not_alone")


async def test_a_hint_is_for_the_player_to_move_alone(server: Server) -> None:
    ida, table, turn = await playing(server)
    path, body = f"/api/tables/{table}/hint", {"ply": turn["ply"]}
    assert await server.client().refused("POST", path, body) == (403, "not_yours")
    assert await ida.refused("POST", path, {"ply": turn["ply"] + 1}) == (409, "stale_ply")
    assert await ida.refused("POST", path, body | {"after": "claim 99"}) == (422, "illegal_action")
    assert await ida.refused("POST", "/api/tables/222222222222/hint", body) == (404, "no_table")
    cost = f"/api/tables/{table}/cost"
    assert await ida.refused("GET", cost, ply=turn["ply"], action="place 1,0>2,0") == (422, "illegal_action")
    await ida.play(table)
    assert await ida.refused("POST", path, body) == (409, "not_playing")


async def test_before_the_game_there_is_nothing_to_decide(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "open")
    assert (await ida.refused("POST", f"/api/tables/{table}/hint", {"ply": 0}))[1] == "not_alone"


def test_a_hint_and_a_cost_follow_from_what_everyone_sees() -> None:
    """The text of a position has nothing else in it."""
    position = kd.Position.parse(
        "kd1 2.second.random.harmony.middle 4 place:0 1@0,45@1,46@0,47@1 41,42,43,44 "
        "14-40,48 wwww/..ww/.Cww/..ww/..ww;C"
    )
    found = thought(hints.hint(position, 9))
    assert kd.Action.parse(found.action) in position.legal_actions()
    cost = thought(hints.cost(position, kd.Action.parse("place -1,0>-1,1"), 9))
    assert cost.points >= 3
    assert cost.reason == Unfillable(((0, 1),), harmony=True)
    assert hints.Cost.model_validate_json(cost.model_dump_json()) == cost
    best = thought(hints.cost(position, kd.Action.parse(found.action), 9))
    assert best.win < cost.win


def thought(step: Step[T]) -> T:
    """Think to the end."""
    known: list[T] = []
    while (last := step(Event())) is not None:
        if not isinstance(last, Thinking):
            known.append(last)
    return known[-1]


def test_the_same_question_has_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of playouts is the limit, not the time. They are made in pieces that take little time each."""
    runs: list[tuple[int, int]] = []

    class Noted:
        def __init__(self, position: kd.Position, seed: int) -> None:
            self._search, self._seed = search(position, seed), seed

        def run(self, *, playouts: int, stop: Event, **_: object) -> kd.Stop:
            runs.append((self._seed, playouts))
            return self._search.run(playouts=playouts, stop=stop)

        def __getattr__(self, name: str) -> object:
            return getattr(self._search, name)

    search = kd.Search
    monkeypatch.setattr(kd, "Search", Noted)
    one, other = kd.Game(seed=4).position, kd.Game(seed=5).position
    first, again, another = (thought(hints.hint(position, 3)) for position in (one, one, other))
    assert first == again
    assert first != another
    seeds = list(dict.fromkeys(seed for seed, _ in runs))
    assert [sum(playouts for seed, playouts in runs if seed == each) for each in seeds] == [16_000, 8_000]
    assert max(playouts for _, playouts in runs) <= 500
