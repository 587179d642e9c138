"""Ending sessions: signing out everywhere else, erasing a person, and discarding keys."""

from datetime import UTC, datetime

import pytest
from support.clients import Client, Clock, Server, changed, opened

from kingdomino.server.http.identity import Identity
from kingdomino.server.settings import Cookies, Settings
from kingdomino.server.storage.sessions import digest_of

DAY = 24 * 3600


async def named(server: Server, name: str) -> Client:
    client = server.client()
    await client.send("PUT", "/api/me", {"name": name})
    return client


async def name_of(client: Client) -> str | None:
    name: str | None = (await client.get("/api/me"))["name"]
    return name


async def test_signing_out_elsewhere_makes_every_other_device_a_guest(
    settings: Settings, clock: Clock
) -> None:
    async with opened(settings, clock) as server:
        ida, oskar = await named(server, "Ida"), await named(server, "Oskar")
        phone, laptop = server.client(ida.cookies), server.client(ida.cookies)
        clock.pass_by(1)
        assert (await ida.post("/api/me/sign-out"))["name"] == "Ida"
        assert [await name_of(one) for one in (ida, phone, laptop, oskar)] == ["Ida", None, None, "Oskar"]
        again = server.client(ida.cookies)
        assert await name_of(again) == "Ida"
    async with opened(settings, clock) as server:
        stolen = server.client(phone.cookies)
        assert await name_of(server.client(ida.cookies)) == "Ida"
        assert await name_of(stolen) is None


@pytest.mark.parametrize("ahead", ["sign-out", "cookies"])
async def test_a_fast_clock_does_not_break_signing_out(settings: Settings, clock: Clock, ahead: str) -> None:
    """Set the clock three days ahead at the sign-out, or when the server issues the earlier cookies."""
    async with opened(settings, clock) as server:
        if ahead == "cookies":
            clock.jump(3 * DAY)
        ida = await named(server, "Ida")
        stolen = server.client(ida.cookies)
        clock.jump(3 * DAY if ahead == "sign-out" else -3 * DAY)
        await ida.post("/api/me/sign-out")
        if ahead == "sign-out":
            clock.jump(-3 * DAY)
        assert await name_of(stolen) is None
        assert await name_of(server.client(ida.cookies)) == "Ida"
        clock.pass_by(1)
        secret = (await ida.post("/api/me/link"))["url"].rpartition("=")[2]
        later = server.client()
        await later.post("/api/link", {"secret": secret})
        assert await name_of(server.client(later.cookies)) == "Ida"
        await ida.post("/api/me/sign-out")  # ends that session, too
        assert await name_of(server.client(later.cookies)) is None
    async with opened(settings, clock) as server:
        assert await name_of(server.client(ida.cookies)) == "Ida"


async def test_signing_out_elsewhere_ends_an_unused_link_and_the_sockets(
    server: Server, clock: Clock
) -> None:
    ida = await named(server, "Ida")
    secret = (await ida.post("/api/me/link"))["url"].rpartition("=")[2]
    table = await ida.create("me", "open")
    phone = server.client(ida.cookies)
    async with phone.follow(table) as socket:
        assert (await socket.message())["you"]["seats"] == [0]
        clock.pass_by(1)
        await ida.post("/api/me/sign-out")
        assert await socket.until_closed() == 1012
    async with phone.follow(table) as socket:
        assert (await socket.message())["you"]["seats"] == []
    assert await server.client().refused("POST", "/api/link", {"secret": secret}) == (404, "no_link")


async def test_a_device_of_a_deleted_identity_is_a_new_guest(server: Server, clock: Clock) -> None:
    ida = await named(server, "Ida")
    phone = server.client(ida.cookies)
    clock.pass_by(1)
    await ida.post("/api/me/forget")
    await phone.send("PUT", "/api/me", {"name": "Ida"})
    assert phone.cookies != ida.cookies
    assert await name_of(server.client(phone.cookies)) == "Ida"


async def test_keys_change_with_time_and_cookies_outlive_that(settings: Settings, clock: Clock) -> None:
    async with opened(settings, clock) as server:
        ida = await named(server, "Ida")
        before = await server.registry.store.sessions.keys()
    clock.pass_by(100 * DAY)
    async with opened(settings, clock) as server:
        after = await server.registry.store.sessions.keys()
        assert len(after) == len(before) + 1
        assert after[1:] == before
        assert await name_of(ida_again := server.client(ida.cookies)) == "Ida"
        assert ida_again.cookies == ida.cookies
    async with opened(settings, clock) as server:
        assert await server.registry.store.sessions.keys() == after


async def test_a_setting_throws_the_keys_away_and_signs_everyone_out(
    settings: Settings, clock: Clock
) -> None:
    async with opened(settings, clock) as server:
        ida = await named(server, "Ida")
    clock.pass_by(3600)
    now = datetime.fromtimestamp(clock.now() / 1000, UTC)
    since = changed(settings, cookies=Cookies(since=now))
    clock.pass_by(1)
    async with opened(since, clock) as server:
        assert await name_of(server.client(ida.cookies)) is None
        oskar = await named(server, "Oskar")
    clock.pass_by(1)
    async with opened(since, clock) as server:  # this start discards nothing more
        assert await name_of(server.client(oskar.cookies)) == "Oskar"
        assert await name_of(server.client(ida.cookies)) is None


async def test_the_setting_ends_the_private_links_of_tables_too(settings: Settings, clock: Clock) -> None:
    async with opened(settings, clock) as server:
        ida = server.client()
        table = await ida.create("me", "invited", "invited")
        links = [invite["secret"] for invite in (await ida.you(table))["invites"]]
        await server.client().post(f"/api/tables/{table}/seats", {"secret": links[0]})
    clock.pass_by(3600)
    now = datetime.fromtimestamp(clock.now() / 1000, UTC)
    for _ in range(2):  # each start with this setting has the same key
        async with opened(changed(settings, cookies=Cookies(since=now)), clock) as server:
            for secret in links:
                refused = await server.client().refused(
                    "POST", f"/api/tables/{table}/seats", {"secret": secret}
                )
                assert refused == (403, "wrong_secret")
            keys = {await server.registry.store.table_key(since) for since in (0, clock.now())}
    assert len(keys) == 2


async def test_another_process_learns_of_a_revocation(settings: Settings, clock: Clock) -> None:
    async with opened(settings, clock) as one, opened(settings, clock) as other:
        ida = await named(one, "Ida")
        phone = other.client(ida.cookies)
        assert await name_of(phone) == "Ida"
        clock.pass_by(1)
        await ida.post("/api/me/sign-out")
        await other.app.state.identity.refresh(other.registry.store.sessions)
        assert await name_of(phone) is None


async def test_a_process_reads_all_revocations_at_once(server: Server, clock: Clock) -> None:
    sessions, identity = server.registry.store.sessions, server.app.state.identity
    await sessions.revoke("oskar", clock.now())
    assert set(await identity.refresh(sessions)) == {digest_of("oskar")}
    clock.pass_by(2 * 3600)
    await sessions.revoke("ida", clock.now())
    assert await sessions.revoked(clock.now() - 3600_000) == {digest_of("ida"): clock.now()}
    assert set(await identity.refresh(sessions)) == {digest_of("ida")}
    assert not await identity.refresh(sessions)


@pytest.mark.parametrize("what", ["sign-out", "forget"])
async def test_signing_out_without_a_cookie_does_nothing(server: Server, what: str) -> None:
    assert (await server.client().send("POST", f"/api/me/{what}", {})).status_code == 200
    assert await server.registry.store.sessions.revoked() == {}


async def test_another_process_does_not_undo_a_revocation(settings: Settings, clock: Clock) -> None:
    async with opened(settings, clock) as one, opened(settings, clock) as other:
        ida = await named(one, "Ida")
        stolen = other.client(ida.cookies)
        clock.pass_by(1)
        await ida.post("/api/me/sign-out")
        clock.pass_by(1)
        await stolen.send("GET", "/")
        await other.app.state.identity.refresh(other.registry.store.sessions)
        assert await name_of(stolen) is None
        assert await name_of(one.client(stolen.cookies)) is None
        assert await name_of(ida) == "Ida"


async def test_a_page_that_is_answered_during_a_revocation_does_not_undo_it(
    server: Server, clock: Clock
) -> None:
    ida = await named(server, "Ida")
    identity: Identity = server.app.state.identity
    cookie = b"kingdomino=" + ida.cookies["kingdomino"].encode()
    session = identity.read([(b"cookie", cookie)])
    assert session is not None
    assert identity.renew(session, secure=False) is not None
    clock.pass_by(1)
    await ida.post("/api/me/sign-out")
    assert identity.renew(session, secure=False) is None


async def test_a_page_keeps_a_cookie_for_longer(server: Server, clock: Clock) -> None:
    ida = await named(server, "Ida")
    clock.pass_by(DAY)
    renewed = (await ida.send("GET", "/")).headers["set-cookie"]
    assert ida.cookies["kingdomino"] in renewed
    assert f"Max-Age={365 * DAY}" in renewed


async def test_another_process_ends_the_sockets_too(settings: Settings, clock: Clock) -> None:
    async with opened(settings, clock) as one, opened(settings, clock) as other:
        ida, oskar = await named(one, "Ida"), other.client()
        table = await ida.create("me", "invited")
        phone = other.client(ida.cookies)
        async with phone.follow(table) as stolen, oskar.follow(table) as watching:
            assert (await stolen.message())["you"]["invites"]
            await watching.message()
            clock.pass_by(1)
            await ida.post("/api/me/sign-out")
            changed_there = await other.app.state.identity.refresh(other.registry.store.sessions)
            other.registry.disconnect(changed_there)
            assert await stolen.until_closed() == 1012
            assert not await other.app.state.identity.refresh(other.registry.store.sessions)
