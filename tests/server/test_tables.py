"""Tables: every route, from creating one to downloading its record."""

import asyncio
from itertools import pairwise
from typing import Any

import pytest
from pydantic import TypeAdapter
from support.clients import Clock, Json, Server, changed, numbers, opened
from support.node import reduced
from support.outcomes import ended, totals

import kingdomino as kd
from kingdomino.server import pools
from kingdomino.server.http import schemas
from kingdomino.server.settings import Settings
from kingdomino.server.tables.bots.bot_list import BOTS
from kingdomino.server.tables.core.deal import check
from kingdomino.server.tables.core.events import TableEvent
from kingdomino.server.tables.core.snapshot import Table

OPTIONS = [
    {"players": 2},
    {"players": 2, "mighty_duel": True, "opening": "snake"},
    {"players": 3, "edition": "first"},
    {"players": 3, "harmony": True},
    {"players": 4, "middle_kingdom": True},
]


def is_like(kind: Any, content: object) -> bool:  # noqa: ANN401
    """Check content against its type in the OpenAPI document."""
    TypeAdapter(kind).validate_python(content)
    return True


async def test_a_table_without_any_option_starts_at_once_against_a_bot(server: Server) -> None:
    ida = server.client()
    created = await ida.send("POST", "/api/tables", {})
    assert created.status_code == 201
    assert is_like(schemas.Seen, created.json())
    table, you = created.json()["table"], created.json()["you"]
    assert [seat["kind"] for seat in table["seats"]] == ["person", "bot"]
    assert (table["state"], table["game"], table["games"]) == ("playing", 1, 1)
    assert you == {"name": None, "seats": [0], "host": True, "invites": [], "code": None}


@pytest.mark.parametrize("options", OPTIONS, ids=str)
async def test_a_whole_game_is_played_over_the_api(server: Server, options: Json) -> None:
    ida = server.client()
    table = await ida.create(**options)
    events = await ida.play(table)
    assert numbers(events) == list(range(1, len(events) + 1))
    assert is_like(list[TableEvent], events)
    assert events == await ida.events(table)
    shown = await ida.table(table)
    assert is_like(Table, shown)
    assert reduced(table, events) == shown
    assert (shown["state"], shown["turn"]) == ("over", None)
    for option, value in options.items():
        assert shown["rules"][option] == value


async def test_the_rules_include_derived_values(server: Server) -> None:
    ida = server.client()
    rules = kd.Rules(2, mighty_duel=True, middle_kingdom=True, opening="snake")
    table = await ida.create("me", "bot", mighty_duel=True, middle_kingdom=True, opening="snake")
    assert (await ida.table(table))["rules"] == {
        "text": rules.to_text(),
        "players": 2,
        "edition": "second",
        "mighty_duel": True,
        "harmony": False,
        "middle_kingdom": True,
        "opening": "snake",
        "size": 7,
        "kings": 2,
        "rounds": 12,
        "line": 4,
        "dominoes": 48,
        "harmony_points": 0,
        "middle_kingdom_points": 10,
        "to_draw": [0, 0, 1, 1],
        "snake": [[0, 1, 1, 0], [1, 0, 0, 1]],
        "castle": {"total": 0, "territories": [], "harmony": 0, "middle_kingdom": 10, "harmony_lost": False},
    }


async def test_a_bot_has_the_name_of_its_level_even_if_a_player_has_it_too(server: Server) -> None:
    ida = server.client()
    for offer in BOTS:
        bot = {"kind": "bot", "bot": offer.spec}
        table = await ida.create(
            {"kind": "me", "name": offer.name}, bot, bot, {"kind": "bot", "bot": "greedy"}
        )
        names = [seat["name"] for seat in (await ida.table(table))["seats"]]
        assert names == [offer.name, offer.name, offer.name, "Greedy"]


async def test_no_bot_takes_the_name_of_another_level(server: Server) -> None:
    strong, weak = BOTS[-1], BOTS[0]
    wish = {"kind": "bot", "bot": weak.spec, "name": strong.name}
    answer = await server.client().send(
        "POST", "/api/tables", {"players": 2, "seats": [{"kind": "me"}, wish]}
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_bot")
    assert answer.json()["reason"] == f"{strong.name} is the bot of level {strong.level}"


async def test_the_events_of_a_table_are_read_from_any_number_on(server: Server) -> None:
    ida = server.client()
    table = await ida.create("bot", "bot")
    async with ida.follow(table, after=0) as socket:
        await socket.until_turn()
    events = await ida.events(table)
    for after in (0, 1, len(events) - 1, len(events), len(events) + 1, 1_000_000):
        assert await ida.events(table, after) == events[after:]
    assert all(one["at"] <= two["at"] for one, two in pairwise(events))


async def test_choices_after_an_unsent_placement_are_claims(
    server: Server,
) -> None:
    ida = server.client()
    table = await ida.create("me", "me")
    await ida.play(table, until=lambda turn: bool(turn["phase"] == "place"))
    before = await ida.table(table)
    path, ply = f"/api/tables/{table}/choices", before["turn"]["ply"]
    placement = (await ida.get(path, ply=ply))["placements"][0]
    then = await ida.get(path, ply=ply, after=placement["action"])
    assert (then["ply"], then["seat"], then["phase"]) == (ply, before["turn"]["seat"], "claim")
    assert then["score"] == placement["points"]
    assert {claim["domino"] for claim in then["claims"]} == {
        entry["domino"] for entry in before["next_line"] if entry["seat"] is None
    }
    assert await ida.table(table) == before


async def test_two_at_once_decide_one_ply_once(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "me")
    shown = await ida.table(table)
    ply = shown["turn"]["ply"]
    answers = await asyncio.gather(
        *(
            ida.send(
                "POST",
                f"/api/tables/{table}/actions",
                {"ply": ply, "actions": [f"claim {entry['domino']}"]},
            )
            for entry in shown["next_line"]
        )
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    late = next(answer.json() for answer in answers if answer.status_code == 409)
    assert late["code"] == "stale_ply"
    assert late["table"] == await ida.table(table)
    claims = [event for event in await ida.events(table) if event["kind"] == "claimed"]
    assert len(claims) == 1


async def test_ones_own_tables_have_the_seats_of_the_table(server: Server) -> None:
    ida, ann = server.client(), server.client()
    table = await ida.create({"kind": "me", "name": "Ann"}, "invited", {"kind": "bot", "name": "Ann"}, "open")
    await ann.post(f"/api/tables/{table}/seats", {"seat": 3, "name": "Ann"})
    for player, own in ((ida, [0]), (ann, [3])):
        (mine,) = (await player.get("/api/me"))["tables"]
        assert (mine["seats"], mine["own"]) == ((await player.table(table))["seats"], own)


async def test_a_record_numbers_players_with_the_same_name(server: Server) -> None:
    ida = server.client()
    ann, guest = {"kind": "me", "name": "Ann"}, "me"
    table = await ida.create(ann, guest, ann, guest)
    await ida.play(table)
    record = kd.Record.parse((await ida.send("GET", f"/api/tables/{table}/record")).text)
    assert record.players == ("Ann", "Guest", "Ann 2", "Guest 2")


async def test_a_finished_game_is_downloaded_as_a_record_and_verified(server: Server) -> None:
    ida = server.client()
    table = await ida.create({"kind": "me", "name": 'Ída "the 2nd" #1; \\'}, harmony=True)
    before = await ida.table(table)
    events = await ida.play(table)
    answer = await ida.send("GET", f"/api/tables/{table}/record")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.headers["content-disposition"] == f'attachment; filename="kingdomino-{table}-1.txt"'
    record = kd.Record.parse(answer.text)
    assert record.players == ('Ída "the 2nd" #1; \\', before["seats"][1]["name"])
    assert record.tags["commitment"] == before["commitment"]
    finished = next(event for event in events if event["kind"] == "finished")
    assert list(totals(ended(record))) == [score["total"] for score in finished["scores"]]
    assert check(record).deal.commitment == before["commitment"]
    deal = await ida.post("/api/verify", {"record": answer.text})
    assert is_like(schemas.Deal, deal)
    revealed = events[-1]
    names = ("commitment", "deck", "opening", "proof")
    assert {name: deal[name] for name in names} == {name: revealed[name] for name in names}


async def test_a_rematch_that_several_wish_for_at_once_is_one_table(server: Server) -> None:
    ida = server.client()
    table = await ida.create("me", "bot")
    await ida.play(table)
    again = await asyncio.gather(
        *(ida.post(f"/api/tables/{table}/rematch", {"wish": True}) for _ in range(4))
    )
    assert len({answer["table"]["rematch"] for answer in again}) == 1
    assert (await ida.get("/health"))["tables"] == 2
    kinds = [event["kind"] for event in await ida.events(table)]
    assert kinds.count("rematch") == 1


async def test_a_waiting_table_is_taken_away_by_its_host(server: Server) -> None:
    ida, oskar = server.client(), server.client()
    table = await ida.create("me", "open", public=True)
    assert [entry["id"] for entry in (await oskar.get("/api/tables"))["open"]] == [table]
    async with oskar.follow(table) as socket:
        await ida.post(f"/api/tables/{table}/close")
        assert (await socket.until_event("closed"))["turn"] is None
    assert (await ida.table(table))["state"] == "closed"
    assert (await oskar.get("/api/tables"))["open"] == []
    assert (await ida.get("/api/me"))["tables"] == []


async def test_the_host_begins_and_bots_take_the_free_seats(server: Server) -> None:
    ida, oskar = server.client(), server.client()
    table = await ida.create("me", "invited", "open", "invited")
    await oskar.post(f"/api/tables/{table}/seats", {})
    started = await ida.post(f"/api/tables/{table}/start")
    assert is_like(schemas.Seen, started)
    assert [seat["kind"] for seat in started["table"]["seats"]] == ["person", "bot", "person", "bot"]
    assert started["table"]["state"] == "playing"
    events = await ida.events(table)
    assert reduced(table, events)["seats"] == started["table"]["seats"]


async def test_the_lobby_shows_public_tables_newest_first(server: Server, clock: Clock) -> None:
    ida, oskar = server.client(), server.client()
    await ida.create("me", "me")
    await ida.create("me", "open")
    waiting, playing = [], []
    for _ in range(3):
        clock.pass_by(1)
        waiting.append(await ida.create("me", "open", public=True))
        playing.append(await ida.create("me", "me", public=True))
    over = await ida.create("me", "me", public=True)
    await ida.play(over)
    lobby = await oskar.get("/api/tables")
    assert is_like(schemas.Lobby, lobby)
    assert [entry["id"] for entry in lobby["open"]] == waiting[::-1]
    assert [entry["id"] for entry in lobby["watch"]] == playing[::-1]


async def test_the_lobby_lists_no_table_without_an_open_seat(server: Server) -> None:
    ida, oskar = server.client(), server.client()
    await ida.create("me", "invited", public=True)
    filled = await ida.create("me", "invited", "open", public=True)
    assert [entry["id"] for entry in (await oskar.get("/api/tables"))["open"]] == [filled]
    await oskar.post(f"/api/tables/{filled}/seats", {})
    assert await oskar.get("/api/tables") == {"open": [], "watch": []}


async def test_an_open_table_is_listed_among_many_closed_ones(
    server: Server, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "LISTED", 2)
    ida, oskar = server.client(), server.client()
    waiting = await ida.create("me", "open", public=True)
    for _ in range(2):
        clock.pass_by(1)
        await ida.create("me", "invited", public=True)
    assert [entry["id"] for entry in (await oskar.get("/api/tables"))["open"]] == [waiting]


async def test_the_lobby_drops_tables_idle_for_an_hour(server: Server, clock: Clock) -> None:
    ida, oskar = server.client(), server.client()
    waiting = await ida.create("me", "open", public=True)
    await ida.create("me", "me", public=True)
    clock.pass_by(3601)
    assert await oskar.get("/api/tables") == {"open": [], "watch": []}
    assert (await ida.get("/api/me"))["tables"] != []
    assert (await oskar.get(f"/api/tables/{waiting}"))["table"]["id"] == waiting


async def test_a_player_finds_their_unfinished_tables(server: Server) -> None:
    ida, oskar = server.client(), server.client()
    assert await ida.get("/api/me") == {"name": None, "tables": []}
    waiting = await ida.create({"kind": "me", "name": "Ida"}, "invited")
    playing = await ida.create({"kind": "me", "name": "Ida"}, {"kind": "me", "name": "Oskar"})
    over = await ida.create("me", "me")
    await ida.play(over)
    me = await ida.get("/api/me")
    assert is_like(schemas.Person, me)
    by_id = {entry["id"]: entry for entry in me["tables"]}
    assert set(by_id) == {waiting, playing}
    assert (by_id[waiting]["state"], by_id[waiting]["your_turn"]) == ("waiting", False)
    assert (by_id[playing]["state"], by_id[playing]["your_turn"]) == ("playing", True)
    assert (await oskar.get("/api/me"))["tables"] == []


async def test_closed_tables_do_not_hide_a_waiting_one(
    server: Server,
) -> None:
    ida = server.client()
    waiting = await ida.create("me", "invited")
    for _ in range(21):
        closed = await ida.create("me", "invited")
        await ida.post(f"/api/tables/{closed}/close")
    assert [entry["id"] for entry in (await ida.get("/api/me"))["tables"]] == [waiting]


async def test_a_name_is_kept_and_given_to_new_tables(server: Server) -> None:
    ida = server.client()
    answer = await ida.send("PUT", "/api/me", {"name": "  Ida   Ö. "})
    assert answer.json() == {"name": "Ida Ö.", "tables": []}
    assert (await ida.get("/api/me"))["name"] == "Ida Ö."
    table = await ida.create("me")
    assert (await ida.table(table))["seats"][0]["name"] == "Ida Ö."
    assert (await ida.you(table))["name"] == "Ida Ö."


async def test_the_dominoes_match_the_library(server: Server) -> None:
    dominoes = (await server.client().send("GET", "/api/dominoes")).json()
    assert is_like(list[schemas.Domino], dominoes)
    for entry, domino in zip(dominoes, kd.DOMINOES, strict=True):
        assert entry["number"] == domino.number
        for end in ("left", "right"):
            half = getattr(domino, end)
            assert entry[end] == {"terrain": str(half.terrain), "crowns": half.crowns}


async def test_the_bots_that_are_offered_can_be_played(server: Server) -> None:
    ida = server.client()
    bots = (await ida.send("GET", "/api/bots")).json()
    assert is_like(list[schemas.Bot], bots)
    assert [bot["bot"] for bot in bots] == [bot.spec for bot in BOTS]
    for bot in bots:
        table = await ida.create("me", {"kind": "bot", "bot": bot["bot"]})
        assert (await ida.table(table))["seats"][1]["name"] == bot["name"]


async def test_health_counts_the_tables_in_memory(server: Server) -> None:
    ida = server.client()
    assert await ida.get("/health") == {"status": "ok", "tables": 0}
    await ida.create("me")
    health = await ida.get("/health")
    assert is_like(schemas.Health, health)
    assert health == {"status": "ok", "tables": 1}


async def test_every_page_is_there_and_gives_a_browser_an_identity(server: Server) -> None:
    table = await server.client().create("me")
    for page in ("/", f"/t/{table}", f"/t/{table}/replay", "/new", "/learn"):
        ida = server.client()
        answer = await ida.send("GET", page)
        assert answer.status_code == 200, page
        assert answer.headers["content-type"].startswith("text/html")
        assert ida.cookies.keys() == {"kingdomino"}
        before = ida.cookies
        await ida.get("/api/me")
        assert ida.cookies == before
        asked = await ida.send("HEAD", page)
        assert (asked.status_code, asked.headers["etag"]) == (200, answer.headers["etag"])


async def test_at_an_unknown_address_a_person_gets_a_page(server: Server) -> None:
    ida = server.client()
    for path in (
        "/nowhere",
        "/static/../app.py",
        "/t",
        "/t/q3v7n2kd8wjm",
        "/t/q3v7n2kd8wjm/replay",
        "/t/a%00b",
    ):
        answer = await ida.send("GET", path)
        assert answer.status_code == 404, path
        assert answer.headers["content-type"].startswith("text/html")
        assert "not-found.js" in answer.text
        assert (await ida.send("HEAD", path)).status_code == 404


async def test_every_file_of_a_page_is_there_and_is_not_sent_twice(server: Server) -> None:
    ida = server.client()
    files = ("words/en.json", "js/i18n/locale.js", "art/symbols.svg", "art/tokens.css")
    roots = ("/manifest.webmanifest", "/sw.js", "/favicon.ico")
    for file in (*(f"/static/{file}" for file in files), *roots):
        answer = await ida.send("GET", file)
        assert answer.status_code == 200, file
        again = await ida.send("GET", file, headers={"if-none-match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b""), file
    assert ida.cookies == {}


async def test_only_those_files_are_sent(server: Server) -> None:
    for file in ("%2e%2e/app.py", "..%2fapp.py", "js", "", "nothing.js", "a%00b", "x" * 5000):
        assert await server.client().refused("GET", f"/static/{file}") == (404, "no_route"), file


async def test_a_file_can_only_be_read(server: Server) -> None:
    answer = await server.client().send("POST", "/static/words/en.json")
    assert (answer.status_code, answer.json()["code"]) == (405, "no_method")
    assert answer.headers["allow"] == "GET, HEAD"


async def test_files_are_compressed_and_answers_of_the_api_are_not(server: Server) -> None:
    ida = server.client()
    for path, is_compressed in (("/", True), ("/static/words/en.json", True), ("/api/bots", False)):
        answer = await ida.send("GET", path, headers={"accept-encoding": "gzip"})
        assert (answer.headers.get("content-encoding") == "gzip") == is_compressed


async def test_tables_that_are_over_make_room_for_others(settings: Settings, clock: Clock) -> None:
    async with opened(changed(settings, max_tables=2), clock) as server:
        ida = server.client()
        over = [await ida.create("me", {"kind": "bot", "bot": "greedy"}) for _ in range(2)]
        for table in over:
            await ida.play(table)
        await ida.create("me", "invited")
        assert len(server.registry) == 3, "a table is removed that a request may use"
        await server.registry.table(over[0])
        clock.pass_by(61)
        new = await ida.create("me", "invited")
        assert len(server.registry) == 2
        assert [(await ida.table(table))["state"] for table in (*over, new)] == ["over", "over", "waiting"]
        async with ida.follow(new):
            await ida.create("me", "invited")
            assert await ida.refused("POST", "/api/tables", {}) == (409, "too_many_tables")
