"""Erasing a person: the name and the identity disappear everywhere, and the games stay."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from support.authenticator import Authenticator
from support.clients import HOST, Client, Server, opened

from kingdomino.server.http.schemas import PersonalData
from kingdomino.server.settings import Settings
from kingdomino.server.storage import Entry, Result, Store
from kingdomino.server.storage.history import History
from kingdomino.server.tables.core.registry import Registry

BOT = {"kind": "bot", "bot": "greedy"}
NAME = "Zenobia"


def user_of(client: Client) -> str:
    """Return the identity in a client's cookie."""
    return client.cookies["kingdomino"].partition(".")[0]


def dump(folder: Path) -> str:
    """Write out the whole database."""
    connection = sqlite3.connect(folder / "tables.db")
    text = "\n".join(connection.iterdump())
    connection.close()
    return text


async def names(client: Client, table: str) -> list[str | None]:
    return [seat["name"] for seat in (await client.table(table))["seats"]]


async def test_all_that_is_known_of_a_person_is_in_one_file(server: Server, tmp_path: Path) -> None:
    ida, oskar = server.client(), server.client()
    await ida.send("PUT", "/api/me", {"name": NAME})
    await ida.send("PUT", "/api/me/settings", {"sound": True})
    over = await ida.create({"kind": "me", "name": NAME}, BOT)
    await ida.play(over)
    await server.registry.store.archive.compact(over)
    own_records = (await ida.send("GET", "/api/me/records")).text
    theirs = await oskar.create({"kind": "me", "name": "Oskar"}, "open", "open", public=True)
    await ida.post(f"/api/tables/{theirs}/seats", {"seat": 1, "name": "Zizi"})
    await ida.post(f"/api/tables/{theirs}/seats/1/leave")
    options = (await ida.post("/api/me/passkeys/options"))["options"]
    made = Authenticator(f"http://{HOST}").make(options)
    await ida.post("/api/me/passkeys", {"credential": made})
    await ida.post("/api/me/link")

    answer = await ida.send("GET", "/api/me/data")
    assert answer.headers["content-disposition"] == 'attachment; filename="kingdomino-me.json"'
    known = PersonalData.model_validate_json(answer.text)
    user = user_of(ida)
    assert (known.id, known.name) == (user, NAME)
    assert known.settings is not None
    assert known.settings.sound is True
    assert [key.id for key in known.passkeys] == [made["id"]]
    assert known.link_until is not None
    tables = {table.id: table for table in known.tables}
    assert tables.keys() == {over, theirs}
    assert (tables[over].seats, tables[over].names, tables[over].is_host) == ((0,), (NAME,), True)
    assert (tables[theirs].seats, tables[theirs].names, tables[theirs].is_host) == ((), ("Zizi",), False)
    (game,) = known.games
    assert game.game.id == over
    assert f"{game.records[0]}\n" == own_records
    assert "Oskar" not in answer.text
    # Only these tables of the database may name her.
    naming = {line.split()[2] for line in dump(tmp_path).splitlines() if user in line}
    kept = ("users", "settings", "passkeys", "links", "seats", "user_tables", "results", "events")
    assert naming == {f'"{table}"' for table in kept}

    nothing = PersonalData.model_validate_json((await server.client().send("GET", "/api/me/data")).text)
    assert (nothing.name, nothing.tables, nothing.games) == (None, (), ())


async def test_the_name_and_the_identity_go_everywhere(server: Server, tmp_path: Path) -> None:
    ida, oskar = server.client(), server.client()
    await ida.send("PUT", "/api/me", {"name": NAME})
    over = await ida.create({"kind": "me", "name": NAME}, BOT)
    await ida.play(over)
    playing = await ida.create(
        {"kind": "me", "name": NAME}, {"kind": "me", "name": "Child"}, "open", public=True
    )
    await oskar.post(f"/api/tables/{playing}/seats", {"seat": 2, "name": "Oskar"})
    waiting = await ida.create("me", "open", public=True)
    left = await oskar.create({"kind": "me", "name": "Oskar"}, "open", "open", public=True)
    await ida.post(f"/api/tables/{left}/seats", {"seat": 1, "name": NAME})
    await ida.post(f"/api/tables/{left}/seats/1/leave")
    watched = await ida.create(BOT, BOT)
    options = (await ida.post("/api/me/passkeys/options"))["options"]
    made = Authenticator(f"http://{HOST}").make(options)
    await ida.post("/api/me/passkeys", {"credential": made})
    await ida.post("/api/me/link")
    await ida.send("PUT", "/api/me/settings", {"sound": True})
    user = user_of(ida)
    assert user in dump(tmp_path)

    answer = await ida.send("POST", "/api/me/forget", {})
    assert answer.json() == {"forgotten": True}
    assert ida.cookies == {}
    for word in (NAME, user):
        assert word not in dump(tmp_path)
    for table in (over, playing, waiting, left, watched):
        seen = await oskar.send("GET", f"/api/tables/{table}/events")
        assert NAME not in seen.text
        assert NAME not in (await oskar.send("GET", f"/api/tables/{table}")).text
    assert NAME not in (await oskar.send("GET", f"/api/tables/{over}/record")).text
    assert await names(oskar, playing) == [None, None, "Oskar"]
    assert (await oskar.table(waiting))["state"] == "closed"
    assert (await oskar.table(left))["state"] == "waiting"


async def test_the_others_see_it_at_once_and_a_bot_plays_on(server: Server) -> None:
    ida, oskar = server.client(), server.client()
    table = await ida.create({"kind": "me", "name": NAME}, "open", public=True)
    await oskar.post(f"/api/tables/{table}/seats", {"seat": 1, "name": "Oskar"})
    async with oskar.follow(table) as socket:
        await ida.post("/api/me/forget")
        event = await socket.until_event("seated")
    assert event["entry"] == {"seat": 0, "kind": "person", "name": None, "bot": None, "away": "left"}
    await oskar.play(table)
    assert (await oskar.table(table))["state"] == "over"
    assert (await ida.you(table))["seats"] == []


async def test_it_is_the_same_after_a_restart(settings: Settings) -> None:
    async with opened(settings) as server:
        ida = server.client()
        over = await ida.create({"kind": "me", "name": NAME}, BOT)
        await ida.play(over)
        ended = (await ida.table(over))["finished"]
        cookies = ida.cookies
        await ida.post("/api/me/forget")
    async with opened(settings) as server:
        guest = server.client(cookies)
        assert (await guest.table(over))["finished"] == ended
        assert (await names(guest, over))[0] is None
        assert (await guest.you(over)) == {
            "name": None,
            "seats": [],
            "host": False,
            "invites": [],
            "code": None,
        }
        assert await guest.get("/api/me/identity") == {"name": None, "games": 0, "passkeys": 0}


async def test_a_seat_that_went_to_another_device_keeps_no_name_either(
    server: Server, tmp_path: Path
) -> None:
    ida, phone = server.client(), server.client()
    table = await ida.create({"kind": "me", "name": NAME}, BOT)
    secret = (await ida.post(f"/api/tables/{table}/seats/0/secret"))["secret"]
    await phone.post(f"/api/tables/{table}/seats", {"secret": secret})
    await phone.post("/api/me/forget")
    assert NAME not in dump(tmp_path)


@pytest.mark.parametrize("forgotten", [0, 1])
async def test_a_device_that_a_seat_came_from_leaves_no_name_and_takes_no_hosting_away(
    settings: Settings, tmp_path: Path, forgotten: int
) -> None:
    async with opened(settings) as server:
        devices = [server.client() for _ in range(3)]
        table = await devices[0].create({"kind": "me", "name": NAME}, BOT)
        for before, after in pairwise(devices):
            secret = (await before.post(f"/api/tables/{table}/seats/0/secret"))["secret"]
            await after.post(f"/api/tables/{table}/seats", {"secret": secret})
        await devices[2].play(table)
        user, cookies = user_of(devices[forgotten]), devices[2].cookies
        await devices[forgotten].post("/api/me/forget")
        for word in (NAME, user):
            assert word not in dump(tmp_path)
        you = await devices[2].you(table)
        assert (you["seats"], you["host"]) == ([0], True)
    async with opened(settings) as server:
        assert await server.client(cookies).you(table) == you


async def test_others_with_the_same_name_keep_it(server: Server) -> None:
    ida, oskar = server.client(), server.client()
    table = await ida.create({"kind": "me", "name": NAME}, "open", public=True)
    await oskar.post(f"/api/tables/{table}/seats", {"seat": 1, "name": NAME})
    await ida.post("/api/me/forget")
    assert await names(oskar, table) == [None, NAME]


async def test_a_table_that_is_over_keeps_its_time(server: Server) -> None:
    ida = server.client()
    table = await ida.create({"kind": "me", "name": NAME}, BOT)
    await ida.play(table)
    before = await server.registry.store.table(table)
    await ida.post("/api/me/forget")
    after = await server.registry.store.table(table)
    assert before is not None
    assert after is not None
    assert after.updated == before.updated


async def test_the_lists_of_the_others_keep_the_game_without_the_name(server: Server) -> None:
    ida, oskar = server.client(), server.client()
    table = await ida.create({"kind": "me", "name": NAME}, "open", public=True)
    await oskar.post(f"/api/tables/{table}/seats", {"seat": 1, "name": "Oskar"})
    await asyncio.gather(ida.play(table), oskar.play(table))
    before = (await oskar.get("/api/me/games"))["games"]
    assert [player["name"] for player in before[0]["players"]] == [NAME, "Oskar"]
    cookies = ida.cookies
    await ida.post("/api/me/forget")
    after = (await oskar.get("/api/me/games"))["games"]
    assert [player["name"] for player in after[0]["players"]] == [None, "Oskar"]
    assert [game | {"players": []} for game in after] == [game | {"players": []} for game in before]
    assert (await server.client(cookies).get("/api/me/games"))["games"] == []


async def test_concurrent_erasures_leave_neither_identity(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ida, oskar = server.client(), server.client()
    table = await ida.create({"kind": "me", "name": NAME}, "open", public=True)
    await oskar.post(f"/api/tables/{table}/seats", {"seat": 1, "name": "Oskar"})
    await asyncio.gather(ida.play(table), oskar.play(table))
    for client in (ida, oskar):  # the first event of the next table names both
        await client.post(f"/api/tables/{table}/rematch", {"wish": True})
    people = [user_of(ida), user_of(oskar)]
    rewrite, both = Store.rewrite, asyncio.Barrier(2)

    async def together(
        store: Store, table: str, change: Callable[[Sequence[Entry]], Iterable[Entry]], old: str, new: str
    ) -> None:
        await both.wait()
        await rewrite(store, table, change, old, new)

    monkeypatch.setattr(Store, "rewrite", together)
    await asyncio.gather(ida.post("/api/me/forget"), oskar.post("/api/me/forget"))
    for word in (NAME, "Oskar", *people):
        assert word not in dump(tmp_path)


async def test_the_list_of_a_third_player_keeps_no_name_that_goes_while_another_one_goes(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ida, oskar, mara = (server.client() for _ in range(3))
    table = await ida.create({"kind": "me", "name": NAME}, "open", "open", public=True)
    for seat, client in enumerate((oskar, mara), 1):
        await client.post(f"/api/tables/{table}/seats", {"seat": seat, "name": f"Player {seat}"})
    await asyncio.gather(*(client.play(table) for client in (ida, oskar, mara)))
    correct = Store.correct

    async def late(store: Store, table: str, number: int, results: Sequence[Result]) -> bool:
        monkeypatch.undo()
        await oskar.post("/api/me/forget")
        return await correct(store, table, number, results)

    monkeypatch.setattr(Store, "correct", late)
    await ida.post("/api/me/forget")
    (game,) = (await mara.get("/api/me/games"))["games"]
    assert [player["name"] for player in game["players"]] == [None, None, "Player 2"]


async def test_data_written_by_another_device_meanwhile_is_erased_too(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ida = server.client()
    await ida.send("PUT", "/api/me", {"name": NAME})
    phone, user, forget = server.client(ida.cookies), user_of(ida), History.forget

    async def meanwhile(history: History, user: str) -> None:
        monkeypatch.undo()
        await phone.send("PUT", "/api/me", {"name": NAME})
        await phone.create({"kind": "me", "name": NAME}, BOT)
        await forget(history, user)

    monkeypatch.setattr(History, "forget", meanwhile)
    await ida.post("/api/me/forget")
    for word in (NAME, user):
        assert word not in dump(tmp_path)


async def test_a_damaged_table_does_not_stop_it(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    ida = server.client()
    tables = [await ida.create({"kind": "me", "name": NAME}, BOT) for _ in range(2)]
    load = Registry.table

    async def table(registry: Registry, table: str) -> object:
        if table == min(tables):
            raise ValueError("damaged")
        return await load(registry, table)

    with monkeypatch.context() as patch:
        patch.setattr(Registry, "table", table)
        await ida.post("/api/me/forget")
    for each in tables:
        assert (await ida.events(each))[0]["seats"][0]["name"] is None


async def test_a_log_that_cannot_be_read_does_not_stop_it(settings: Settings) -> None:
    async with opened(settings) as server:
        ida = server.client()
        damaged, sound = sorted([await ida.create({"kind": "me", "name": NAME}, BOT) for _ in range(2)])
    with sqlite3.connect(settings.url.removeprefix("sqlite:///")) as database:
        database.execute("UPDATE events SET body = 'x' WHERE table_id = ? AND kind = 'created'", (damaged,))
    database.close()
    async with opened(settings) as server:
        ida = server.client(cookies := ida.cookies)
        await ida.post("/api/me/forget")
        assert (await names(ida, sound))[0] is None
        assert (await server.client(cookies).get("/api/me"))["name"] is None
