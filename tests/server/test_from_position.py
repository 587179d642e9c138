"""A game that begins at a position: the table, its record, a deal that can be checked, and no statistics."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.clients import Client, Json, Server
from support.node import reduced, run_node

import kingdomino as kd
from kingdomino import server as server_package
from kingdomino.server.tables.core import deal
from kingdomino.server.tables.core.events import Rules, Start

_BONUSES = """
import { readFileSync } from "node:fs";
const { table, words, seats } = JSON.parse(readFileSync(0, "utf8"));
globalThis.document = { documentElement: { lang: "en", dataset: {} }, querySelectorAll: () => [] };
globalThis.location = new URL("http://localhost/");
globalThis.window = { words: { first: { language: "en", words } } };
const { bonusLines } = await import(sentences);
await (await import(locale)).wordsReady;
console.log(JSON.stringify(bonusLines(table, seats)));
"""

BOT: Json = {"kind": "bot", "bot": "greedy"}
IDA: Json = {"kind": "me", "name": "Ida"}


def positions(rules: kd.Rules, seed: int = 5) -> list[kd.Position]:
    """Play a game of greedy bots and return the position before each decision."""
    game, bot, found = kd.Game(rules, seed=seed), kd.bots.make("greedy"), []
    while not game.is_over:
        found.append(game.position)
        game.play(bot.choose(game.position))
    return found


TWO = positions(kd.Rules(2, harmony=True))
SNAKE = positions(kd.Rules(2, opening="snake", mighty_duel=True))
FOUR = positions(kd.Rules(4, "first"), seed=6)
STARTS = [*TWO[:6], TWO[18], TWO[-4], TWO[-1], *SNAKE[:4], SNAKE[30], FOUR[2], FOUR[29], FOUR[-1]]


def seats(position: kd.Position) -> list[Json]:
    """Seat Ida where a decision is due, and bots elsewhere."""
    return [IDA if seat == position.to_move else BOT for seat in range(position.rules.players)]


async def begin(client: Client, position: kd.Position) -> str:
    """Create a table whose game begins at a position."""
    told = await client.post("/api/tables", {"position": position.to_text(), "seats": seats(position)})
    table: str = told["table"]["id"]
    return table


@pytest.mark.parametrize("position", STARTS, ids=kd.Position.to_text)
async def test_a_game_begins_at_a_position_and_its_record_says_so(
    server: Server, position: kd.Position
) -> None:
    ida = server.client()
    table = await begin(ida, position)
    first = await ida.table(table)
    assert first["start"]["position"] == position.to_text()
    assert first["turn"]["seat"] == position.to_move
    assert [len(one["squares"]) + 1 for one in first["kingdoms"]] == [
        len(kingdom.squares) for kingdom in position.kingdoms
    ]
    events = await ida.play(table)
    shown = await ida.table(table)
    assert reduced(table, events) == shown
    text = (await ida.send("GET", f"/api/tables/{table}/record")).text
    assert f"\nstart {position.to_text()}\n" in text
    record = kd.Record.parse(text)
    game = record.replay()
    assert game.start == position
    assert [score.total for score in game.position.scores()] == [
        score["total"] for score in shown["finished"]["scores"]
    ]
    assert deal.check(record).deal.deck == tuple(shown["deal"]["deck"])
    watched = await ida.post("/api/records", {"record": text})
    again = reduced(watched["game"]["id"], watched["events"])
    assert (again["kingdoms"], again["line"]) == (shown["kingdoms"], shown["line"])


def bonus_lines(table: Json, seat: int) -> list[str]:
    """Return the page's sentences about a seat's bonuses."""
    words = json.loads((Path(server_package.__file__).parent / "static/words/en.json").read_text("utf-8"))
    sent = {"table": table, "words": words, "seats": [seat]}
    lines: list[str] = run_node(_BONUSES, sent, sentences="i18n/rules-text.js", locale="i18n/locale.js")
    return lines


def after_a_discard() -> kd.Position:
    """Play a game with Harmony until a player who discarded is to move."""
    for seed in range(200):
        game, bot, losers = kd.Game(kd.Rules(2, harmony=True), seed=seed), kd.bots.make("greedy"), set()
        while not game.is_over:
            if game.position.to_move in losers:
                return game.position
            action = bot.choose(game.position)
            if str(action) == "discard":
                losers.add(game.position.to_move)
            game.play(action)
    raise AssertionError("no greedy bot discarded")


async def test_harmony_is_lost_by_a_discard_before_the_start(server: Server) -> None:
    position = after_a_discard()
    seat = position.to_move
    assert seat is not None
    lost = [position.harmony_lost(one) for one in range(2)]
    assert lost[seat]
    ida = server.client()
    table = await begin(ida, position)
    shown = await ida.table(table)
    assert [one["score"]["harmony_lost"] for one in shown["kingdoms"]] == lost
    assert bonus_lines(shown, seat) == ["Harmony: lost, a domino was discarded"]
    events = await ida.play(table)
    after = next(event for event in events if "score" in event and event["seat"] == seat)
    assert after["score"]["harmony_lost"]


async def test_harmony_is_open_at_a_start_without_a_discard(server: Server) -> None:
    ida = server.client()
    shown = await ida.table(await begin(ida, TWO[2]))
    assert [one["score"]["harmony_lost"] for one in shown["kingdoms"]] == [False, False]
    assert bonus_lines(shown, 0) == ["Harmony: 5 if nothing is discarded"]


async def test_a_game_from_a_position_counts_in_no_statistics(server: Server) -> None:
    ida = server.client()
    table = await begin(ida, TWO[18])
    (going,) = (await ida.get("/api/me/tables"))["games"]
    assert going["squares"] == (await ida.table(table))["kingdoms"][going["seat"]]["squares"]
    await ida.play(table)
    (game,) = (await ida.get("/api/me/games"))["games"]
    assert (game["outcome"], game["start"]) == ("neutral", TWO[18].to_text())
    assert game["totals"]
    assert game["squares"]
    told = await ida.get("/api/me/statistics")
    assert [one["outcome"] for one in told["sums"]] == ["neutral"]
    assert told["best"] is None


async def test_a_rematch_begins_at_the_same_position(server: Server) -> None:
    ida = server.client()
    table = await begin(ida, TWO[-4])
    await ida.play(table)
    again = (await ida.post(f"/api/tables/{table}/rematch", {"wish": True}))["table"]["rematch"]
    assert (await ida.table(again))["start"] == (await ida.table(table))["start"]


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"position": "kd1 nonsense"}, "bad_position"),
        ({"position": "kd1 2.second.random 0 reveal - - 1-48 C;C"}, "bad_field"),
        ({"position": TWO[8].to_text(), "dynasty": "total"}, "bad_field"),
        ({"position": TWO[8].to_text(), "players": 2}, "bad_field"),
        ({"position": TWO[8].to_text(), "seats": [IDA, BOT, BOT]}, "bad_field"),
    ],
)
async def test_a_position_must_leave_something_to_decide_under_its_own_rules(
    server: Server, wish: Json, code: str
) -> None:
    assert await server.client().refused("POST", "/api/tables", wish) == (422, code)


async def test_what_is_hidden_stays_hidden_and_restarting_changes_nothing(server: Server) -> None:
    ida = server.client()
    table = await begin(ida, TWO[8])
    actor = await server.registry.table(table)
    hidden = [domino.number for domino in actor.state.game.deck]
    told = json.dumps([await ida.table(table), await ida.events(table)])
    assert str(hidden).strip("[]") not in told
    assert hidden == list(actor.state.deal.deck)


_DRAW = """
import { readFileSync } from "node:fs";
const { commitmentTo, draw } = await import(module);
const asked = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(asked.map(({ table, commitment, proof }) => ({
  commitment: commitmentTo(table, 1, proof), ...draw(table, commitment, proof),
}))));
"""


def test_the_browser_draws_the_rest_of_the_deal_like_the_server() -> None:
    asked: list[dict[str, Any]] = []
    deals = []
    for position in STARTS:
        rules = position.rules
        people = ("person",) * rules.players
        commitment = deal.Commitment("q3v7n2kd8wjm", 1, rules, people, deal.new_secret(), position)
        dealt = commitment.deal([None] * rules.players, [None] * rules.players)
        dealt.game()
        deals.append(dealt)
        assert dealt.proof is not None
        words = Rules.of(rules).model_dump(mode="json")
        start = Start.of(position).model_dump(mode="json")
        asked.append(
            {
                "table": {"id": "q3v7n2kd8wjm", "rules": words, "start": start},
                "commitment": dealt.commitment,
                "proof": dealt.proof.model_dump(mode="json"),
            }
        )
    told = run_node(_DRAW, asked, module="table/deal.js")
    assert told == [
        {"commitment": one.commitment, "deck": list(one.deck), "opening": list(one.opening)} for one in deals
    ]
