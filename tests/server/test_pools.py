"""Every limited resource has a quota for each person and each network: no visitor can block the others."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import cache
from typing import NamedTuple, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.authenticator import Authenticator
from support.clients import HOST, Client, Clock, Json, Server, changed, opened

import kingdomino as kd
from kingdomino.server.http import sharing
from kingdomino.server.http.protocol import Connections
from kingdomino.server.http.routes import devices, games
from kingdomino.server.pools import POOLS, Memory, Owner, Quota, network_of
from kingdomino.server.settings import Limits, Overload, Rate, Settings, SlowBots, Tables
from kingdomino.server.tables.bots import threads
from tools import pools_table, settings_table

Use: TypeAlias = Callable[[Server, Client, AsyncExitStack, int], Awaitable[bool]]
"""Uses a pool once, with the number of the use, and returns whether the server allowed it."""

ONCE = Rate(1e-6, 1)
SLOW: Json = {"kind": "bot", "bot": "king"}


def of_household(number: int) -> str:
    """Return an address of a network; each has a /64 of its own."""
    return f"2001:db8:0:{number:x}::1"


@cache
def finished(seed: int) -> kd.Game:
    """Play a game to its end."""
    game = kd.Game(seed=seed)
    while not game.is_over:
        game.play(game.legal_actions()[0])
    return game


async def table(_: Server, client: Client, hold: AsyncExitStack, __: int) -> bool:
    answer = await client.send("POST", "/api/tables", {"seats": [{"kind": "me"}, {"kind": "open"}]})
    if answer.is_success:
        await hold.enter_async_context(client.follow(answer.json()["table"]["id"]))
    return answer.is_success


async def slow_bot(_: Server, client: Client, __: AsyncExitStack, ___: int) -> bool:
    return (await client.send("POST", "/api/tables", {"seats": [{"kind": "me"}, SLOW]})).is_success


async def public_table(_: Server, client: Client, __: AsyncExitStack, ___: int) -> bool:
    seats = [{"kind": "me"}, {"kind": "open"}]
    return (await client.send("POST", "/api/tables", {"seats": seats, "public": True})).is_success


async def listed_table(server: Server, client: Client, _: AsyncExitStack, __: int) -> bool:
    own = await client.create("me", "open", public=True)
    seen = await server.client(address="198.51.100.99").get("/api/tables")
    return own in [entry["id"] for entry in seen["open"]]


async def socket(server: Server, client: Client, hold: AsyncExitStack, _: int) -> bool:
    there = await server.client(address="203.0.113.1").create("me", "open")
    await client.get("/api/me")
    return (await hold.enter_async_context(client.follow(there))).refusal is None


async def connection(server: Server, client: Client, hold: AsyncExitStack, _: int) -> bool:
    connections: Connections = server.app.state.connections
    return hold.enter_context(connections.counted(client.address))


async def request(server: Server, client: Client, hold: AsyncExitStack, number: int) -> bool:
    address = client.address
    is_let = (await client.send("GET", "/api/me")).is_success
    if is_let:  # keep another request of this network unanswered
        hold.enter_context(server.app.state.pressure.answering(Owner(str(number), network_of(address))))
    return is_let


async def picture(server: Server, client: Client, hold: AsyncExitStack, number: int) -> bool:
    result = sharing.Result("table", 1, ("a", "b"), str(number))
    owner = Owner(str(number), network_of(client.address))
    drawing = asyncio.create_task(server.app.state.pictures.of(result, finished(1), owner))
    hold.callback(drawing.cancel)
    done, _ = await asyncio.wait({drawing}, timeout=0)
    return not done


async def asks(_: Server, client: Client, __: AsyncExitStack, ___: int) -> bool:
    return (await client.send("GET", "/api/me")).status_code != 429


async def creation(_: Server, client: Client, __: AsyncExitStack, ___: int) -> bool:
    return (await client.send("PUT", "/api/me", {"name": "Ida"})).status_code != 429


async def file(_: Server, client: Client, __: AsyncExitStack, ___: int) -> bool:
    return (await client.send("GET", "/api/me/records")).status_code != 429


async def imported(_: Server, client: Client, __: AsyncExitStack, number: int) -> bool:
    records = [{"text": kd.Record.from_game(finished(number + 1)).to_text()}]
    await client.get("/api/me")
    return (await client.send("POST", "/api/me/games", {"records": records})).is_success


async def guess(server: Server, client: Client, _: AsyncExitStack, number: int) -> bool:
    """Try a wrong secret; the other network has the right one."""
    secret = f"wrong {number}"
    if number < 0:
        url = (await server.client(address="203.0.113.1").post("/api/me/link"))["url"]
        secret = url.partition("#link=")[2]
    return (await client.send("POST", "/api/link", {"secret": secret})).status_code != 429


async def code(server: Server, client: Client, _: AsyncExitStack, number: int) -> bool:
    """Try a wrong code; the other network has the right one."""
    if number >= 0:
        wrong = {"code": "bold amber otter gate"}
        return (await client.send("POST", "/api/code", wrong)).status_code != 429
    host = server.client(address="203.0.113.1")
    words = (await host.you(await host.create("me", "invited")))["code"]
    return (await client.send("POST", "/api/code", {"code": words})).is_success


async def passkey(_: Server, client: Client, __: AsyncExitStack, ___: int) -> bool:
    options = (await client.post("/api/me/passkeys/options"))["options"]
    made = {"credential": Authenticator(f"http://{HOST}").make(options)}
    return (await client.send("POST", "/api/me/passkeys", made)).is_success


async def link(server: Server, client: Client, _: AsyncExitStack, __: int) -> bool:
    url = (await client.post("/api/me/link"))["url"]
    used = {"secret": url.partition("#link=")[2]}
    return (await server.client(address="203.0.113.1").send("POST", "/api/link", used)).is_success


async def remembered(server: Server, client: Client, _: AsyncExitStack, number: int) -> bool:
    """Make the server remember a person, and check that it still remembers another network's."""
    persons = server.app.state.usage.create.persons._filled  # noqa: SLF001
    if number < 0:
        return "oskar" in persons
    if number == 0:
        persons.put("oskar", (0.0, 0.0), "198.51.100.1")
    for session in range(5):
        persons.put(f"{client.address} {session}", (0.0, 0.0), network_of(client.address))
    return f"{client.address} 4" in persons


async def answered(server: Server, client: Client, _: AsyncExitStack, number: int) -> bool:
    """Answer a challenge, and check that the server still knows another network's answer."""
    known = server.app.state.passkeys._answered  # noqa: SLF001
    if number < 0:
        return b"oskar's" in known
    if number == 0:
        known.put(b"oskar's", True, "198.51.100.1")
    for challenge in range(5):
        known.put(f"{client.address} {challenge}".encode(), True, network_of(client.address))
    return f"{client.address} 4".encode() in known


class Scenario(NamedTuple):
    """How to use a pool, under which settings, and whether one network can use up its share that way."""

    use: Use
    settings: dict[str, object]
    has_quota: bool = True


def rate(**rates: Rate) -> dict[str, object]:
    return {"limits": Limits(of_address=2, **rates)}  # type: ignore[arg-type]


SCENARIOS: dict[str, Scenario] = {
    "tables": Scenario(table, {"max_tables": 8, "tables": Tables(of_person=2, of_address=3)}),
    "slow bots": Scenario(
        slow_bot, {"slow_bots": SlowBots(of_person=2, of_address=3, of_thread=4), "think": 0.01}
    ),
    "public tables": Scenario(public_table, {"tables": Tables(public_of_person=2, public_of_address=3)}),
    "lobby": Scenario(listed_table, {}, has_quota=False),  # always lists the newest: see below
    "sockets": Scenario(socket, {"limits": Limits(sockets=1, of_address=3)}),
    "connections": Scenario(connection, {"limits": Limits(connections=3)}),
    "requests": Scenario(request, {"overload": Overload(requests=20, requests_of_address=3, lag=60)}),
    "pictures": Scenario(picture, {}),
    "passkey answers": Scenario(answered, {}, has_quota=False),
    "memory": Scenario(remembered, {}, has_quota=False),
    "play": Scenario(asks, rate(play=ONCE)),
    "create": Scenario(creation, rate(create=ONCE)),
    "files": Scenario(file, rate(files=ONCE)),
    "imports": Scenario(imported, rate(imports=ONCE)),
    "guess": Scenario(guess, rate(guess=ONCE)),
    "codes": Scenario(code, rate(codes=ONCE)),
    "games kept": Scenario(imported, {}, has_quota=False),
    "passkeys": Scenario(passkey, {}, has_quota=False),
    "device links": Scenario(link, {}, has_quota=False),
}


def test_every_pool_has_a_scenario_and_stands_in_the_guide() -> None:
    assert SCENARIOS.keys() == POOLS.keys()
    guide = settings_table.GUIDE.read_text(encoding="utf-8")
    assert pools_table.table() in guide, "python -m tools.pools_table writes it"


@pytest.mark.parametrize("pool", POOLS)
async def test_one_network_cannot_use_up_another_networks_quota(
    pool: str, settings: Settings, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never_drawn(_: str) -> bytes:
        await asyncio.Event().wait()
        return b""

    monkeypatch.setattr(sharing, "_rasterize", never_drawn)
    for module, most in ((devices, "MOST_PASSKEYS"), (games, "MOST_IMPORTED")):
        monkeypatch.setattr(module, most, 1)
    for known in ("passkeys.ANSWERS", "limits.pools.REMEMBERED"):
        monkeypatch.setattr(f"kingdomino.server.http.{known}", Quota(8, None, 4))
    use, values, has_quota = SCENARIOS[pool]
    strict = changed(settings, bot_threads=2, **{"limits": Limits(), **values})
    async with opened(strict, clock) as server, AsyncExitStack() as hold:
        household = [server.client(address=of_household(number)) for number in range(6)]
        used = [await use(server, one, hold, number) for number, one in enumerate(household)]
        assert used[0], "nothing is left to begin with"
        assert not (has_quota and all(used)), "the quota has no end"
        other = server.client(address="198.51.100.1")
        assert await use(server, other, hold, -1), "another network finds nothing left"


async def test_one_household_fills_no_server_with_tables(settings: Settings, clock: Clock) -> None:
    strict = changed(settings, max_tables=6, limits=Limits(), tables=Tables(of_person=1))
    async with opened(strict, clock) as server:
        for number in range(30):
            seats = {"seats": [{"kind": "me"}, {"kind": "open"}]}
            await server.client(address=of_household(number)).send("POST", "/api/tables", seats)
        assert len(server.registry) == 3
        clock.pass_by(61)  # they have no followers: they make room, and lose nothing
        tables = list(server.registry._live)  # noqa: SLF001
        for number in range(6):
            client = server.client(address=f"198.51.100.{number}")
            await client.create("me", "open")
        assert len(server.registry) == 6
        assert (await server.client().table(tables[0]))["state"] == "waiting"


async def test_the_tables_with_the_fewest_people_leave_memory_first(settings: Settings, clock: Clock) -> None:
    async with opened(changed(settings, max_tables=3), clock) as server:
        ida = server.client()
        two = await ida.create("me", "me", "open")
        await server.client().post(f"/api/tables/{two}/seats", {})
        clock.pass_by(1)
        one = await ida.create("me", "open")
        followed = await ida.create("me", "open")
        async with ida.follow(followed):
            clock.pass_by(61)
            await ida.create("me", "open")
            assert [table in server.registry for table in (two, one, followed)] == [True, False, True]


async def test_the_lobby_shows_two_tables_of_a_network_and_all_to_itself(
    settings: Settings, clock: Clock
) -> None:
    async with opened(changed(settings, limits=Limits()), clock) as server:
        first = await server.client(address="198.51.100.1").create("me", "open", public=True)
        flood = []
        for number in range(20):
            clock.pass_by(1)
            flood.append(await server.client(address=of_household(number)).create("me", "open", public=True))

        async def seen(address: str) -> list[str]:
            return [
                entry["id"] for entry in (await server.client(address=address).get("/api/tables"))["open"]
            ]

        assert await seen("192.0.2.1") == [flood[-1], flood[-2], first]
        assert await seen(of_household(99)) == [*reversed(flood), first]
        more = {"seats": [{"kind": "me"}, {"kind": "open"}], "public": True}
        refused = await server.client(address=of_household(20)).refused("POST", "/api/tables", more)
        assert refused == (409, "too_many_tables")
        host = server.client(address=of_household(21))
        assert (await host.refused("POST", "/api/tables", more))[0] == 409
        actor = await server.registry.table(flood[0])
        await actor.ask(lambda transaction: transaction.close("host"))
        await host.create("me", "open", public=True)
    async with opened(changed(settings, limits=Limits()), clock) as server:  # it stores no addresses
        assert len((await server.client(address="192.0.2.1").get("/api/tables"))["open"]) > 2


def test_an_order_that_forgets_does_not_forget_another_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "REMEMBERED", Quota(100, None, 5))
    order = threads.FairOrder()
    oskar = threads.WorkOwner("b", "oskar", "1")
    order.serve(oskar)
    for number in range(200):
        order.serve(threads.WorkOwner("a", f"guest {number}", "1"))
    assert order.key(oskar) == (1, 1, 1)


owners = st.builds(Owner, st.sampled_from("abcdef"), st.sampled_from("xyz"))


@given(st.lists(owners, max_size=60), st.integers(1, 12), st.integers(1, 6), st.integers(1, 6))
def test_no_network_takes_anothers_quota(
    wishes: list[Owner], total: int, of_person: int, of_network: int
) -> None:
    quota, held = Quota(total, of_person, of_network), list[tuple[Owner, int]]()
    for owner in wishes:
        if quota.exceeded(owner, held) is None:
            held.append((owner, 1))
    assert len(held) <= total
    for owner in set(wishes):
        own = [one for one, _ in held if one.network == owner.network]
        assert len(own) <= of_network
        assert sum(one.person == owner.person for one, _ in held) <= of_person
    hostile = [(Owner(str(number), "x"), 1) for number in range(50)]  # no matter how it got them
    assert (quota.exceeded(Owner("ida", "y"), hostile) is None) == (of_network < total)


@given(st.lists(st.tuples(st.integers(0, 20), st.sampled_from("xyz")), max_size=80))
def test_a_memory_keeps_the_newest_of_each_network_within_its_share(puts: list[tuple[int, str]]) -> None:
    memory = Memory[int, int](Quota(6, None, 3))
    newest: dict[int, str] = {}
    for key, network in puts:
        memory.put(key, key, network)
        newest.pop(key, None)
        newest[key] = network
        assert len(memory) <= 6
        assert memory.get(key) == key
    for network in "xyz":
        kept = memory.of_network(network)
        assert kept == [key for key, where in newest.items() if where == network][-len(kept) or 99 :]
        assert len(kept) <= 3
