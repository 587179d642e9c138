"""The same person on several devices, by a link that works once or by a passkey."""

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from support.authenticator import Authenticator
from support.clients import HOST, TIMEOUT, Client, Clock, Json, Server, changed, opened

from kingdomino.server.http.passkeys import Passkeys
from kingdomino.server.http.routes import devices
from kingdomino.server.settings import Limits, Rate, Settings
from kingdomino.server.storage import Entry, Store
from kingdomino.server.storage.history import Result
from kingdomino.server.tables.core.actor import replay

BOT = {"kind": "bot", "bot": "greedy"}
ORIGIN = f"http://{HOST}"
NEW = {"name": None, "games": 0, "passkeys": 0}


def me(name: str) -> Json:
    return {"kind": "me", "name": name}


async def make_link(client: Client) -> str:
    """Make a link and return its secret."""
    url: str = (await client.post("/api/me/link"))["url"]
    address, _, secret = url.partition("#link=")
    assert address == f"{ORIGIN}/you"
    return secret


async def make_passkey(client: Client) -> Authenticator:
    authenticator = Authenticator(ORIGIN)
    options = (await client.post("/api/me/passkeys/options"))["options"]
    await client.post("/api/me/passkeys", {"credential": authenticator.make(options)})
    return authenticator


async def use(client: Client, authenticator: Authenticator) -> Json:
    """Return a browser's answer when it signs in."""
    return authenticator.use((await client.post("/api/passkey/options"))["options"])


# Links.


async def test_a_link_makes_another_device_the_same_person(server: Server) -> None:
    ida, phone = server.client(), server.client()
    table = await ida.create(me("Ida"), BOT)
    await ida.send("PUT", "/api/me", {"name": "Ida"})
    assert await phone.get("/api/me/identity") == NEW
    answer = await phone.post("/api/link", {"secret": await make_link(ida)})
    assert answer == {"name": "Ida", "games": 1, "passkeys": 0}
    assert phone.cookies == ida.cookies
    assert (await phone.you(table))["seats"] == [0]
    await phone.play(table)
    assert (await ida.table(table))["state"] == "over"


async def test_a_link_works_once_and_a_new_one_ends_the_one_before(server: Server) -> None:
    ida = server.client()
    first, second = await make_link(ida), await make_link(ida)
    assert await server.client().refused("POST", "/api/link", {"secret": first}) == (404, "no_link")
    await server.client().post("/api/link", {"secret": second})
    for secret in (second, "never made", second[:-1]):
        answer = await server.client().refused("POST", "/api/link", {"secret": secret})
        assert answer == (404, "no_link")


async def test_a_link_works_for_ten_minutes(server: Server, clock: Clock) -> None:
    ida = server.client()
    secret = await make_link(ida)
    clock.pass_by(601)
    assert await server.client().refused("POST", "/api/link", {"secret": secret}) == (404, "no_link")
    secret = await make_link(ida)
    clock.pass_by(599)
    await server.client().post("/api/link", {"secret": secret})


async def test_a_link_is_for_people_and_for_cameras(server: Server) -> None:
    ida = server.client()
    made = await ida.post("/api/me/link")
    assert made["qr"].startswith("data:image/svg+xml")
    assert made["seconds"] == 600
    other = await ida.send("POST", "/api/me/link", {}, headers={"origin": f"http://{HOST}:80"})
    assert other.json()["url"].startswith(f"http://{HOST}:80/you#link=")
    assert other.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("public", "origin", "begins"),
    [
        ({"hosts": ("play.example.org",), "hsts": 1}, "http://10.0.0.5:8001", "https://play.example.org/"),
        ({"hosts": ("games.lan",)}, "http://10.0.0.5:8000", "http://games.lan:8000/"),
        ({"hosts": ("a.example", "b.example")}, "https://b.example:8443", "https://b.example:8443/"),
        ({}, "http://10.0.0.5:8000", "http://10.0.0.5:8000/"),
    ],
)
async def test_a_link_made_under_any_host_name_leads_to_the_public_address(
    settings: Settings, public: Json, origin: str, begins: str
) -> None:
    async with opened(changed(settings, **public)) as server:
        headers = {"origin": origin, "host": origin.partition("//")[2]}
        made = await server.client().send("POST", "/api/me/link", {}, headers=headers)
        assert made.json()["url"].startswith(f"{begins}you#link=")


async def test_the_secret_of_a_link_is_neither_stored_nor_logged(
    server: Server, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("DEBUG", "kingdomino"):
        secret = await make_link(server.client())
        assert secret not in dump(tmp_path)
        await server.client().post("/api/link", {"secret": secret})
    assert secret not in caplog.text
    assert secret not in dump(tmp_path)


async def test_guesses_at_links_and_passkeys_are_limited(settings: Settings) -> None:
    async with opened(changed(settings, limits=Limits(guess=Rate(1e-6, 2)))) as server:
        ida = server.client()
        await server.client().post("/api/link", {"secret": await make_link(ida)})
        assert await ida.refused("POST", "/api/link", {"secret": "x"}) == (404, "no_link")
        assert await ida.refused("POST", "/api/passkey", {"credential": {}}) == (403, "bad_passkey")
        for path, body in (("/api/link", {"secret": "x"}), ("/api/passkey", {"credential": {}})):
            assert await ida.refused("POST", path, body) == (429, "too_often")


async def test_a_device_with_games_of_its_own_is_asked_before_they_move(server: Server) -> None:
    ida, phone = server.client(), server.client()
    mine, theirs = await ida.create(me("Ida"), BOT), await phone.create(me("Ida on the phone"), BOT)
    cookies, secret = phone.cookies, await make_link(ida)
    assert await phone.refused("POST", "/api/link", {"secret": secret}) == (409, "has_games")
    assert phone.cookies == cookies
    answer = await phone.post("/api/link", {"secret": secret, "join": True})
    assert answer["games"] == 2
    for device in (ida, phone):
        assert [(await device.you(table))["seats"] for table in (mine, theirs)] == [[0], [0]]
    assert (await server.client(cookies).you(theirs))["seats"] == []
    await ida.play(theirs)


async def test_finished_games_move_to_the_list_of_the_other(server: Server) -> None:
    ida, phone = server.client(), server.client()
    tables = [await client.create(me("Ida"), BOT) for client in (ida, phone)]
    for client, table in zip((ida, phone), tables, strict=True):
        await client.play(table)
    await phone.post("/api/link", {"secret": await make_link(ida), "join": True})
    games = (await ida.get("/api/me/games"))["games"]
    assert {game["id"] for game in games} == set(tables)
    assert [game["seats"] for game in games] == [[0], [0]]


async def test_joined_games_keep_their_host_after_a_restart_too(settings: Settings) -> None:
    async with opened(settings) as server:
        ida, phone = server.client(), server.client()
        table = await phone.create("me", "open", "invited", public=True)
        watched = await phone.create(BOT, BOT, "open", public=True)
        await phone.post("/api/link", {"secret": await make_link(ida), "join": True})
        assert (await ida.you(table))["host"]
        cookies = ida.cookies
    async with opened(settings) as server:
        ida = server.client(cookies)
        assert (await ida.you(watched))["host"]
        await ida.post(f"/api/tables/{table}/start")
        assert (await ida.you(table))["seats"] == [0]


async def test_the_seat_of_a_host_takes_the_hosting_along_in_one_event(server: Server) -> None:
    ida, phone = server.client(), server.client()
    table = await phone.create("me", "invited")
    state = (await server.registry.table(table)).state.copy()
    await phone.post("/api/link", {"secret": await make_link(ida), "join": True})
    replay(
        state, await server.registry.store.entries(table, state.number, secrets=True)
    )  # as another process does
    assert state.host == (await server.registry.table(table)).state.host
    assert state.host in state.people()


async def test_the_hosting_moves_while_others_sit_down(server: Server) -> None:
    ida, phone, store = server.client(), server.client(), server.registry.store
    table = await phone.create("open", "open", "open", public=True)
    actor, append = await server.registry.table(table), store.append
    begun, released = asyncio.Event(), asyncio.Event()

    async def wait(*args: Any, **options: Any) -> None:  # noqa: ANN401
        begun.set()
        await released.wait()
        await append(*args, **options)

    async def queued(number: int) -> None:
        async with asyncio.timeout(TIMEOUT):
            while actor._queue.qsize() < number:  # noqa: SLF001
                await asyncio.sleep(0)

    def sit(name: str) -> asyncio.Task[Json]:
        return asyncio.create_task(server.client().post(f"/api/tables/{table}/seats", {"name": name}))

    link = {"secret": await make_link(ida), "join": True}
    store.append = wait  # type: ignore[method-assign]
    first = sit("Ann")
    await begun.wait()
    joining = asyncio.create_task(phone.post("/api/link", link))
    await queued(1)
    second = sit("Bo")
    await queued(2)
    released.set()
    await asyncio.gather(first, joining, second)
    assert (await ida.you(table))["host"]


async def test_a_game_that_ends_while_its_player_joins_is_not_lost(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ida, phone = server.client(), server.client()
    table = await phone.create(me("Ida"), BOT)
    rewrite = Store.rewrite

    async def ended_meanwhile(
        store: Store, table: str, change: Callable[[Sequence[Entry]], Iterable[Entry]], old: str, new: str
    ) -> None:
        await rewrite(store, table, change, old, new)
        game = Result(old, "ended meanwhile", False, 1, "won", "2.second.random", None, None, 1, 40, 40, "{}")
        await store.history.keep([game], {})

    monkeypatch.setattr(Store, "rewrite", ended_meanwhile)
    await phone.post("/api/link", {"secret": await make_link(ida), "join": True})
    user = (await server.registry.table(table)).state.host
    assert user is not None
    assert await server.registry.store.history.games(user) == ["ended meanwhile"]


async def test_joining_keeps_the_name_of_the_link_and_else_the_devices_own(server: Server) -> None:
    for first, second, name in (("Ida", "Phone", "Ida"), (None, "Phone", "Phone"), ("Ida", None, "Ida")):
        ida, phone = server.client(), server.client()
        for client, own in ((ida, first), (phone, second)):
            if own:
                await client.send("PUT", "/api/me", {"name": own})
            await client.get("/api/me")
        await phone.post("/api/link", {"secret": await make_link(ida)})
        assert [(await client.get("/api/me"))["name"] for client in (ida, phone)] == [name, name]


async def test_joining_keeps_the_settings_of_the_link_and_else_the_devices_own(server: Server) -> None:
    for first, second, theme in (("dark", "light", "dark"), (None, "light", "light"), ("dark", None, "dark")):
        ida, phone = server.client(), server.client()
        for client, own in ((ida, first), (phone, second)):
            if own:
                await client.send("PUT", "/api/me/settings", {"theme": own})
            await client.get("/api/me")
        await phone.post("/api/link", {"secret": await make_link(ida)})
        assert (await phone.get("/api/me/settings"))["theme"] == theme


async def test_two_seats_of_one_table_may_come_together(server: Server) -> None:
    ida, phone = server.client(), server.client()
    table = await ida.create(me("Ida"), "open", public=True)
    await phone.post(f"/api/tables/{table}/seats", {"seat": 1, "name": "Mara"})
    await phone.post("/api/link", {"secret": await make_link(ida), "join": True})
    assert (await ida.you(table))["seats"] == [0, 1]
    assert [seat["name"] for seat in (await ida.table(table))["seats"]] == ["Ida", "Mara"]


async def test_ones_own_link_changes_nothing(server: Server) -> None:
    ida = server.client()
    table = await ida.create(me("Ida"), BOT)
    cookies = ida.cookies
    await ida.post("/api/link", {"secret": await make_link(ida)})
    assert ida.cookies == cookies
    assert (await ida.you(table))["seats"] == [0]


# Passkeys.


async def test_a_passkey_signs_a_person_in_on_a_new_device(server: Server) -> None:
    ida, phone = server.client(), server.client()
    await ida.send("PUT", "/api/me", {"name": "Ida"})
    passkey = await make_passkey(ida)
    for _ in range(2):
        phone = server.client()
        answer = await phone.post("/api/passkey", {"credential": await use(phone, passkey)})
        assert answer == {"name": "Ida", "games": 0, "passkeys": 1}
        assert phone.cookies == ida.cookies


async def test_options_are_for_the_host_and_let_the_person_choose(server: Server) -> None:
    ida = server.client()
    passkey = await make_passkey(ida)
    options = (await ida.post("/api/me/passkeys/options"))["options"]
    assert options["rp"] == {"name": "Kingdomino", "id": HOST}
    assert options["authenticatorSelection"]["residentKey"] == "required"
    assert [one["id"] for one in options["excludeCredentials"]] == [passkey.make(options)["id"]]
    assert (await ida.post("/api/passkey/options"))["options"]["rpId"] == HOST


async def test_an_answer_to_a_challenge_is_valid_once_and_for_one_client(server: Server) -> None:
    ida, eve = server.client(), server.client()
    passkey = await make_passkey(ida)
    used = await use(ida, passkey)
    await eve.get("/api/me")
    assert await eve.refused("POST", "/api/passkey", {"credential": used}) == (403, "bad_passkey")
    again = await use(ida, passkey)
    await ida.post("/api/passkey", {"credential": again})
    assert await ida.refused("POST", "/api/passkey", {"credential": again}) == (403, "bad_passkey")
    made = passkey.make((await ida.post("/api/passkey/options"))["options"] | {"rp": {"id": HOST}})
    assert await ida.refused("POST", "/api/me/passkeys", {"credential": made}) == (403, "bad_passkey")


async def test_a_challenge_ends_after_two_minutes(server: Server, clock: Clock) -> None:
    ida = server.client()
    passkey = await make_passkey(ida)
    used = await use(ida, passkey)
    clock.pass_by(121)
    assert await ida.refused("POST", "/api/passkey", {"credential": used}) == (403, "bad_passkey")


async def test_any_process_can_check_the_answer_to_a_challenge(server: Server) -> None:
    ida = server.client()
    passkey = await make_passkey(ida)
    used = await use(ida, passkey)
    state = server.app.state
    key = await state.registry.store.table_key()
    state.passkeys = Passkeys(key, state.registry.clock.now)  # as in another process
    await ida.post("/api/passkey", {"credential": used})
    used = await use(ida, passkey)
    state.passkeys = Passkeys(b"of another database", state.registry.clock.now)
    assert await ida.refused("POST", "/api/passkey", {"credential": used}) == (403, "bad_passkey")


async def test_a_passkey_of_another_site_an_unknown_one_and_a_copied_one_are_refused(server: Server) -> None:
    ida = server.client()
    passkey = await make_passkey(ida)
    passkey.origin = "https://elsewhere.example"
    used = await use(ida, passkey)
    assert await ida.refused("POST", "/api/passkey", {"credential": used}) == (403, "bad_passkey")
    used = await use(ida, Authenticator(ORIGIN))
    assert await ida.refused("POST", "/api/passkey", {"credential": used}) == (403, "bad_passkey")
    passkey.origin = ORIGIN
    await ida.post("/api/passkey", {"credential": await use(ida, passkey)})
    passkey.uses -= 1  # as with an older copy
    used = await use(ida, passkey)
    assert await ida.refused("POST", "/api/passkey", {"credential": used}) == (403, "bad_passkey")


async def test_an_invalid_passkey_is_refused(server: Server) -> None:
    ida = server.client()
    options = (await ida.post("/api/me/passkeys/options"))["options"]
    good = Authenticator(ORIGIN).make(options)
    for bad in (
        {},
        {"id": 1},
        {"id": "x", "response": None},
        good | {"rawId": "AAAA"},
        good | {"response": good["response"] | {"attestationObject": "AAAA"}},
        good | {"response": good["response"] | {"clientDataJSON": "AAAA"}},
    ):
        for path in ("/api/me/passkeys", "/api/passkey"):
            assert await ida.refused("POST", path, {"credential": bad}) == (403, "bad_passkey")
    for key in ("\ud800", "\0", "", "a" * 2000, "é", 7, None, ["a"]):
        body, headers = json.dumps({"credential": {"id": key}}).encode(), {"Content-Type": "application/json"}
        answer = await ida.send("POST", "/api/passkey", content=body, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "bad_passkey")
    assert await ida.get("/api/me/identity") == NEW


async def test_the_number_of_passkeys_of_a_person_is_limited(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "MOST_PASSKEYS", 1)
    ida = server.client()
    await make_passkey(ida)
    options = (await ida.post("/api/me/passkeys/options"))["options"]
    made = Authenticator(ORIGIN).make(options)
    assert await ida.refused("POST", "/api/me/passkeys", {"credential": made}) == (403, "bad_passkey")


async def test_a_guest_with_games_who_signs_in_is_asked_and_keeps_their_passkeys(server: Server) -> None:
    ida, phone = server.client(), server.client()
    passkey, other = await make_passkey(ida), await make_passkey(phone)
    table = await phone.create(me("Guest"), BOT)
    used = await use(phone, passkey)
    assert await phone.refused("POST", "/api/passkey", {"credential": used}) == (409, "has_games")
    answer = await phone.post("/api/passkey", {"credential": await use(phone, passkey), "join": True})
    assert answer == {"name": None, "games": 1, "passkeys": 2}
    assert (await ida.you(table))["seats"] == [0]
    third = server.client()
    await third.post("/api/passkey", {"credential": await use(third, other)})
    assert third.cookies == ida.cookies


def dump(folder: Path) -> str:
    """Write out the whole database."""
    connection = sqlite3.connect(folder / "tables.db")
    text = "\n".join(connection.iterdump())
    connection.close()
    return text
