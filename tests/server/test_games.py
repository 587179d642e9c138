"""Your games: a correct list after every kind of end, statistics, importing and exporting records."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy
from support.clients import Client, Json, Server
from support.node import reduced

import kingdomino as kd
from kingdomino.server.http.routes import games as routes
from kingdomino.server.http.schemas import MOST_RECORDS
from kingdomino.server.storage import Result, TableRow
from kingdomino.server.tables.history.played import Played, Player

BOT: Json = {"kind": "bot", "bot": "greedy"}
IDA: Json = {"kind": "me", "name": "Ida"}


async def games(client: Client, **query: object) -> list[Json]:
    answer: list[Json] = (await client.get("/api/me/games", **query))["games"]
    return answer


async def played(client: Client, **rules: object) -> str:
    """Play a game against a bot; return its table."""
    table = await client.create(IDA, BOT, **rules)
    await client.play(table)
    return table


async def user_of(server: Server, client: Client) -> str:
    """Find the id of a client who has a table."""
    table = await client.create(IDA, "open", public=True)
    user = (await server.registry.table(table)).state.host
    assert user is not None
    return user


def game(seed: int = 7, rules: kd.Rules | None = None) -> kd.Game:
    """Return a finished game in which everyone plays the first action."""
    made = kd.Game(rules, seed=seed)
    while not made.is_over:
        made.play(made.legal_actions()[0])
    return made


def record(seed: int = 7, tags: dict[str, str] | None = None) -> kd.Record:
    return kd.Record.from_game(game(seed), ["Ida", "Oskar"], tags or {})


def result(
    user: str, number: int, outcome: str = "won", bot: str | None = "greedy", points: int = 40
) -> Result:
    """Make a row of a list without a table."""
    one = Played.of_games(
        f"table{number:07}",
        [game()],
        [Player(name="Ida", bot=None), Player(name="Oskar", bot=bot)],
        [0],
        number,
        is_over=True,
    )
    return replace(one.result(user), outcome=outcome, points=points, best=points)


async def test_a_finished_game_comes_into_the_lists_of_its_players(server: Server) -> None:
    ida = server.client()
    table = await played(ida, harmony=True)
    (one,) = await games(ida)
    finished = next(event for event in await ida.events(table) if event["kind"] == "finished")
    assert one["id"] == table
    assert one["ended"] == finished["at"]
    assert one["totals"] == [score["total"] for score in finished["scores"]]
    assert one["scores"] == [one["totals"]]
    assert one["winners"] == finished["winners"]
    assert one["outcome"] == (
        "shared" if len(one["winners"]) > 1 else "won" if one["winners"] == [0] else "lost"
    )
    assert one["players"] == [
        {"name": "Ida", "bot": None},
        {"name": one["players"][1]["name"], "bot": "greedy"},
    ]
    assert one["seats"] == [0]
    kingdom = (await ida.table(table))["kingdoms"][0]["dominoes"]
    assert one["kingdom"] == sorted(kingdom)
    assert await games(server.client()) == []


async def test_a_dynasty_is_one_game_of_the_list(server: Server) -> None:
    ida = server.client()
    table = await ida.create(IDA, BOT, dynasty="total")
    for number in (1, 2, 3):
        await ida.play(table)
        assert len(await games(ida)) == (number == 3)
        if number < 3:
            await ida.post(f"/api/tables/{table}/next")
    (one,) = await games(ida)
    ends = [event for event in await ida.events(table) if event["kind"] == "finished"]
    assert one["scores"] == [[score["total"] for score in end["scores"]] for end in ends]
    assert one["totals"] == ends[-1]["match"]["scores"]
    assert one["winners"] == ends[-1]["match"]["winners"]
    assert one["dynasty"] == "total"
    (summed,) = (await ida.get("/api/me/statistics"))["sums"]
    assert (summed["dynasty"], summed["matches"], summed["games"]) == ("total", 1, 3)
    assert summed["points"] == sum(scores[0] for scores in one["scores"])
    assert [each["id"] for each in await games(ida, rules=summed["rules"], dynasty="total")] == [table]
    assert await games(ida, rules=summed["rules"]) == []


async def test_a_game_of_two_at_one_device_is_listed_and_counts_for_neither(server: Server) -> None:
    ida = server.client()
    table = await ida.create(IDA, {"kind": "me", "name": "Oskar"})
    await ida.play(table)
    (one,) = await games(ida)
    assert (one["outcome"], one["seats"]) == ("neutral", [0, 1])
    assert one["seat"] in one["winners"]
    told = await ida.get("/api/me/statistics")
    assert [(summed["outcome"], summed["matches"]) for summed in told["sums"]] == [("neutral", 1)]
    assert told["best"] is None


async def test_a_closed_game_is_unfinished_and_an_unbegun_one_is_not_listed(
    server: Server,
) -> None:
    ida = server.client()
    begun = await ida.create(IDA, BOT)
    await ida.play(begun, until=lambda turn: turn["round"] == 2)
    waits = await ida.create(IDA, "open", public=True)
    for table in (begun, waits):
        actor = await server.registry.table(table)
        await actor.ask(lambda transaction: transaction.close("ended"))
    (one,) = await games(ida)
    assert (one["id"], one["outcome"], one["round"], one["totals"]) == (begun, "unfinished", 2, [])
    (summed,) = (await ida.get("/api/me/statistics"))["sums"]
    assert (summed["outcome"], summed["games"]) == ("unfinished", 0)


async def test_unfinished_tables_show_where_they_stand(server: Server) -> None:
    ida = server.client()
    table = await ida.create(IDA, BOT)
    await ida.play(table, until=lambda turn: turn["round"] == 3)
    (one,) = (await ida.get("/api/me/tables"))["games"]
    now = await ida.table(table)
    assert one["kingdom"] == now["kingdoms"][0]["dominoes"]
    assert (one["round"], one["turn"], one["state"]) == (3, 0, "playing")


async def test_a_table_that_is_left_while_it_is_read_is_not_listed(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ida, store = server.client(), server.registry.store
    await ida.create(IDA, BOT)
    of_user = store.of_user

    async def without_seats(user: str, limit: int, states: Sequence[str]) -> list[TableRow]:
        return [replace(row, users=()) for row in await of_user(user, limit, states)]

    monkeypatch.setattr(store, "of_user", without_seats)
    assert (await ida.get("/api/me"))["tables"] == []
    assert (await ida.get("/api/me/tables"))["games"] == []


# Lists.


async def test_a_list_is_read_page_by_page_and_filtered(server: Server) -> None:
    ida = server.client()
    user = await user_of(server, ida)
    rows = [result(user, number // 2, ("won", "lost")[number % 2]) for number in range(20, 260)]
    rows = [replace(row, game_id=f"{row.game_id}{number % 2}") for number, row in enumerate(rows)]
    rows = [replace(row, body=json.dumps(json.loads(row.body) | {"id": row.game_id})) for row in rows]
    await server.registry.store.history.keep(rows, {})
    expected = sorted(rows, key=lambda row: (row.ended, row.game_id), reverse=True)
    found, query = list[str](), dict[str, object]()
    while True:
        page = await ida.get("/api/me/games", limit=50, **query)
        assert page["total"] == len(rows)
        found += [one["id"] for one in page["games"]]
        if page["next"] is None:
            break
        query = {"before": page["next"]}
    assert found == [row.game_id for row in expected]
    assert (await ida.get("/api/me/games", outcome="lost", limit=1))["total"] == len(rows) / 2
    assert (await ida.get("/api/me/games", bot="greedy", limit=1))["total"] == len(rows)
    assert (await ida.get("/api/me/games", bot="random", limit=1))["total"] == 0
    assert (await server.client().get("/api/me/games"))["total"] == 0


async def test_a_long_list_is_found_by_an_index_and_never_searched(server: Server, tmp_path: Path) -> None:
    """Check that a page of ten thousand games reads only its own games, in their order."""
    await server.registry.store.history.page("ida", 50)
    base = "SELECT * FROM results WHERE user_id = 'ida'"
    queries = {
        f"{base} AND (ended, game_id) < (5, 'x') ORDER BY ended DESC, game_id DESC LIMIT 51": True,
        f"{base} AND outcome IS 'won' ORDER BY ended DESC, game_id DESC LIMIT 51": True,
        "SELECT count(*) FROM results WHERE user_id = 'ida'": True,
        "SELECT rules, outcome, count(*) FROM results WHERE user_id = 'ida' GROUP BY rules, outcome": False,
    }
    with sqlite3.connect(tmp_path / "tables.db") as connection:
        for query, is_sorted in queries.items():
            plan = " ".join(row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {query}"))
            assert re.search(r"SEARCH results USING (COVERING )?INDEX \w+ \(user_id=\?", plan), plan
            assert "SCAN" not in plan
            assert ("TEMP B-TREE" not in plan) == is_sorted, plan


# Statistics.


async def test_sums_count_by_rules_opponents_and_outcome(server: Server) -> None:
    ida = server.client()
    user = await user_of(server, ida)
    rows = [
        result(user, 1),
        result(user, 2, points=50),
        result(user, 3, "lost"),
        result(user, 4, bot=None),
        replace(result(user, 5, "unfinished"), games=0, points=None, best=None),
    ]
    await server.registry.store.history.keep(rows, {})
    told = await ida.get("/api/me/statistics")
    kinds = {(one["bot"], one["outcome"]): one for one in told["sums"]}
    assert len(kinds) == len(told["sums"]) == 4
    rules = game().rules.to_text()
    assert [one["text"] for one in told["rules"]] == [rules]
    assert kinds["greedy", "won"] == {
        "rules": rules,
        "dynasty": None,
        "bot": "greedy",
        "outcome": "won",
        "matches": 2,
        "games": 2,
        "points": 90,
    }
    assert kinds[None, "won"]["matches"] == kinds["greedy", "lost"]["matches"] == 1
    assert kinds["greedy", "unfinished"]["points"] == 0


async def test_the_best_kingdom_is_the_one_with_most_points(server: Server) -> None:
    ida = server.client()
    user = await user_of(server, ida)
    rows = [result(user, number, points=points) for number, points in enumerate((40, 61, 61, 30))]
    await server.registry.store.history.keep(rows, {})
    assert (await ida.get("/api/me/statistics"))["best"]["id"] == rows[2].game_id


# Records in.


@pytest.mark.parametrize("form", ["text", "json"])
async def test_a_record_is_watched_and_kept(server: Server, form: str) -> None:
    ida = server.client()
    made = record(tags={"date": "2020-02-03", "time": "04:05:06"})
    text = made.to_text() if form == "text" else made.to_json()
    watched = await ida.post("/api/records", {"record": text})
    assert (await games(ida), watched["game"]["outcome"]) == ([], "neutral")
    kept = await ida.post("/api/me/games", {"records": [{"text": text, "seat": 1}]})
    (one,) = await games(ida)
    assert kept == {"games": [one["id"]], "added": 1}
    outcome = made.outcome()
    assert outcome is not None
    assert one["totals"] == [score.total for score in outcome.scores]
    assert one["outcome"] == ("won" if outcome.winners == (1,) else "lost")
    assert one["ended"] == 1_580_702_706_000
    again = await ida.get(f"/api/games/{one['id']}")
    assert again["game"] == one
    assert again["events"] == watched["events"]
    answer = await ida.send("GET", f"/api/games/{one['id']}/record")
    assert kd.Record.parse(answer.text) == made


async def test_the_events_of_a_record_make_the_table_at_which_it_was_played(server: Server) -> None:
    ida = server.client()
    for number, rules in enumerate(
        (kd.Rules(2, mighty_duel=True), kd.Rules(3, "first"), kd.Rules(4, harmony=True))
    ):
        one = game(number, rules)
        watched = await ida.post("/api/records", {"record": kd.Record.from_game(one).to_text()})
        table = reduced(watched["game"]["id"], watched["events"])
        outcome = one.outcome()
        assert outcome is not None
        assert [score["total"] for score in table["finished"]["scores"]] == [
            score.total for score in outcome.scores
        ]
        assert table["deal"]["deck"] == [domino.number for domino in one.deck]
        assert [event["ply"] for event in watched["events"] if "ply" in event] == list(
            range(len(one.history))
        )


async def test_an_unfinished_record_with_its_deck_is_watched_as_far_as_it_goes(server: Server) -> None:
    one = kd.Game(seed=3)
    for _ in range(9):
        one.play(one.legal_actions()[0])
    watched = await server.client().post("/api/records", {"record": kd.Record.from_game(one).to_text()})
    assert watched["game"]["outcome"] == "unfinished"
    table = reduced("x", watched["events"])
    assert (table["state"], table["turn"]["ply"]) == ("playing", 9)
    assert "deck_revealed" not in {event["kind"] for event in watched["events"]}


async def test_the_same_record_is_kept_once(server: Server) -> None:
    ida, oskar = server.client(), server.client()
    body = {"records": [{"text": record().to_text(), "seat": 0}, {"text": record().to_json()}]}
    assert (await ida.post("/api/me/games", body))["added"] == 1
    assert (await ida.post("/api/me/games", body))["added"] == 0
    assert (await oskar.post("/api/me/games", body))["added"] == 1
    assert [one["seats"] for one in (*await games(ida), *await games(oskar))] == [[], []]


def dynasty(**tags: str) -> list[kd.Record]:
    """Return the records of a Dynasty's games."""
    return [
        record(number, {"dynasty": "best", "game": str(number), "table": "x", "you": "0"} | tags)
        for number in (1, 2, 3)
    ]


def joined(records: Sequence[kd.Record]) -> str:
    return "".join(one.to_text() for one in records)


async def test_the_records_of_a_dynasty_are_kept_as_one_game(server: Server) -> None:
    ida = server.client()
    text = joined(dynasty(date="2020-02-03"))
    kept = await ida.post("/api/me/games", {"records": [{"text": text}, {"text": text}]})
    (one,) = await games(ida)
    assert (kept["games"], kept["added"]) == ([one["id"]] * 2, 1)
    assert (one["dynasty"], one["imported"], len(one["scores"])) == ("best", True, 3)
    assert one["totals"] == [max(points) for points in zip(*one["scores"], strict=True)]
    watched = await ida.get(f"/api/games/{one['id']}")
    kinds = [event["kind"] for event in watched["events"]]
    assert (kinds.count("dealt"), kinds.count("finished"), kinds.count("committed")) == (3, 3, 0)
    table = reduced(one["id"], watched["events"])
    assert (table["state"], table["game"], table["finished"]["match"]["scores"]) == ("over", 3, one["totals"])
    answer = await ida.send("GET", f"/api/games/{one['id']}/record")
    assert answer.text == text
    exported = (await ida.send("GET", "/api/me/records")).text
    assert [kd.Record.parse(each) for each in split(exported)] == dynasty(date="2020-02-03")


async def test_a_dynasty_of_the_server_comes_back_as_one_game(server: Server) -> None:
    ida, elsewhere = server.client(), server.client()
    table = await ida.create(IDA, BOT, dynasty="total")
    for number in range(3):
        if number:
            await ida.post(f"/api/tables/{table}/next")
        await ida.play(table)
    text = (await ida.send("GET", "/api/me/records")).text
    await elsewhere.post("/api/me/games", {"records": [{"text": text}]})
    (there,), (here,) = await games(elsewhere), await games(ida)
    own = {"id", "imported", "ended"}
    assert {key: there[key] for key in there.keys() - own} == {key: here[key] for key in here.keys() - own}
    assert (await ida.post("/api/me/games", {"records": [{"text": text}]})) == {"games": [table], "added": 0}


@pytest.mark.parametrize(
    "records",
    [
        dynasty()[:2],
        dynasty()[::-1],
        [*dynasty()[:2], record(3)],
        [*dynasty()[:2], dynasty(table="y")[2]],
        [record(1), record(2)],
        dynasty(dynasty="most"),
    ],
    ids=["two", "backwards", "a single game", "another table", "single games", "an unknown kind"],
)
async def test_records_that_are_no_dynasty_are_refused_as_one(
    server: Server, records: list[kd.Record]
) -> None:
    answer = await server.client().send("POST", "/api/me/games", {"records": [{"text": joined(records)}]})
    assert (answer.status_code, answer.json()["faults"][0]["code"]) == (422, "no_dynasty")


FAULTS = {
    "this is not a record": "line 1",
    record().to_json().replace('"rules"', '"rulez"'): "rulez",
    kd.Record.from_game(kd.Game(seed=1), hidden=False).to_text(): "deck",
}


@pytest.mark.parametrize(("text", "says"), FAULTS.items(), ids=range(len(FAULTS)))
async def test_a_bad_record_is_refused_in_a_sentence_that_says_where(
    server: Server, text: str, says: str
) -> None:
    ida = server.client()
    answer = await ida.send("POST", "/api/records", {"record": text})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_record")
    assert says in answer.json()["reason"]
    assert "\n" not in answer.json()["reason"]
    body = {"records": [{"text": record().to_text()}, {"text": text}]}
    answer = await ida.send("POST", "/api/me/games", body)
    assert (answer.status_code, answer.json()["game"]) == (422, 2)
    assert await games(ida) == []


async def test_a_record_that_was_over_before_it_began_cannot_be_shown(server: Server) -> None:
    over = game(1).position
    text = kd.Record.from_game(kd.Game.from_position(over)).to_text()
    answer = await server.client().send("POST", "/api/records", {"record": text})
    assert (answer.json()["code"], answer.json()["faults"][0]["code"]) == ("bad_record", "no_decision")


async def test_imports_are_limited_in_number_and_size(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ida = server.client()
    monkeypatch.setattr(routes, "MOST_IMPORTED", 2)
    texts = [record(seed).to_text() for seed in (1, 2, 3)]
    await ida.post("/api/me/games", {"records": [{"text": texts[0]}]})
    body = {"records": [{"text": text} for text in texts]}
    assert await ida.refused("POST", "/api/me/games", body) == (409, "too_many_games")
    assert len(await games(ida)) == 1
    await ida.post("/api/me/games", {"records": [{"text": text} for text in texts[:2]]})
    too_many = {"records": [{"text": "x"}] * (MOST_RECORDS + 1)}
    assert await ida.refused("POST", "/api/me/games", too_many) == (422, "bad_field")
    assert await ida.refused("POST", "/api/me/games", {"records": [{"text": "x" * 50_001}]}) == (
        422,
        "bad_field",
    )
    assert await ida.refused("POST", "/api/me/games", {"records": [{"text": "x" * 70_000}]}) == (
        413,
        "too_large",
    )
    body = {"records": [{"text": texts[2], "seat": 2}]}  # type: ignore[dict-item]
    assert await ida.refused("POST", "/api/me/games", body) == (422, "bad_record")


async def test_names_from_a_file_are_made_fit_to_be_shown(server: Server) -> None:
    names = ["Ida  of\u3164 Thorn", "x" * 500, "\u202eadI", "Zoë"]
    named = kd.Record.from_game(game(rules=kd.Rules(4)), names)
    watched = await server.client().post("/api/records", {"record": named.to_text()})
    assert [player["name"] for player in watched["game"]["players"]] == [
        "Ida of Thorn",
        "x" * 24,
        None,
        "Zoë",
    ]


# Records out.


def split(text: str) -> list[str]:
    return re.split(r"^(?=kingdomino-record)", text, flags=re.MULTILINE)[1:]


async def test_all_own_games_go_into_one_file_and_come_back(server: Server) -> None:
    ida, elsewhere = server.client(), server.client()
    await played(ida, harmony=True)
    dynasty = await ida.create(IDA, BOT, dynasty="best")
    for number in range(3):
        if number:
            await ida.post(f"/api/tables/{dynasty}/next")
        await ida.play(dynasty)
    await ida.post("/api/me/games", {"records": [{"text": record().to_text(), "seat": 1}]})
    goes_on = await ida.create(IDA, BOT)
    answer = await ida.send("GET", "/api/me/records")
    assert "attachment" in answer.headers["content-disposition"]
    texts = split(answer.text)
    assert len(texts) == 5
    assert goes_on not in answer.text
    for text in texts:
        kd.Record.parse(text)
    body = {"records": [{"text": text} for text in texts]}
    assert (await elsewhere.post("/api/me/games", body))["added"] == 5
    assert (await ida.post("/api/me/games", body))["added"] == 0
    there, here = await games(elsewhere), await games(ida)
    assert sorted(one["scores"][0] for one in there) == sorted(
        scores for one in here for scores in one["scores"]
    )
    assert {tuple(one["seats"]) for one in there} == {(0,), (1,)}
    assert {one["players"][1]["bot"] for one in there} == {"greedy", None}
    seconds = {one["ended"] // 1000 for one in here if not one["imported"]}
    assert seconds <= {one["ended"] // 1000 for one in there}


# Deleting.


async def test_a_deleted_game_leaves_only_your_list(server: Server) -> None:
    ida, oskar = server.client(), server.client()
    table = await two_played(ida, oskar)
    await played(ida)
    answer = await ida.send("DELETE", f"/api/me/games/{table}")
    assert (answer.status_code, answer.text) == (204, "")
    assert [one["id"] == table for one in await games(ida)] == [False]
    assert [one["id"] for one in await games(oskar)] == [table]
    assert (await ida.table(table))["state"] == "over"
    await ida.send("DELETE", "/api/me/games")
    assert await games(ida) == []
    assert len(await games(oskar)) == 1


async def test_an_imported_record_is_deleted_with_the_last_list_that_has_it(server: Server) -> None:
    ida, oskar = server.client(), server.client()
    body = {"records": [{"text": record().to_text()}]}
    (id_,) = (await ida.post("/api/me/games", body))["games"]
    await oskar.post("/api/me/games", body)
    await ida.send("DELETE", "/api/me/games")
    await ida.get(f"/api/games/{id_}")
    await oskar.send("DELETE", f"/api/me/games/{id_}")
    assert await ida.refused("GET", f"/api/games/{id_}") == (404, "no_game")


async def test_many_games_are_deleted_by_few_statements(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kingdomino.server.storage.history._AT_ONCE", 40)
    store, deleted = server.registry.store, list[str]()
    rows = [result("ida", number) for number in range(100)]
    shared = replace(rows[50], user_id="oskar")
    await store.history.keep([*rows, shared], {row.game_id: "a record" for row in rows})

    def note(_: object, __: object, statement: str, *___: object) -> None:
        deleted.extend([statement] * statement.startswith("DELETE"))

    sqlalchemy.event.listen(store._database._writer.sync_engine, "before_cursor_execute", note)  # noqa: SLF001
    await store.history.forget("ida")
    assert len(deleted) == 3 * 2
    assert await store.history.games("ida") == []
    assert await store.history.games("oskar") == [shared.game_id]
    for row in rows:
        text = await store.history.record(row.game_id)
        assert (text is not None) == (row.game_id == shared.game_id)


# A person who is erased.


async def two_played(ida: Client, oskar: Client) -> str:
    """Play a game of two people to its end; return its table."""
    table = await ida.create(IDA, "open", public=True)
    await oskar.post(f"/api/tables/{table}/seats", {"seat": 1, "name": "Oskar"})
    while (turn := (await ida.table(table))["turn"]) is not None:
        await (ida, oskar)[turn["seat"]].turn(table, turn)
    return table


async def test_who_is_forgotten_has_no_list_and_no_name_in_the_lists_of_others(server: Server) -> None:
    ida, oskar = server.client(), server.client()
    await two_played(ida, oskar)
    (before,) = await games(ida)
    cookies = oskar.cookies
    await oskar.post("/api/me/forget")
    assert await games(server.client(cookies)) == []
    (after,) = await games(ida)
    assert [player["name"] for player in after["players"]] == ["Ida", None]
    assert after == before | {"players": after["players"]}
