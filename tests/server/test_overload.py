"""Load shedding: the server refuses at once what it cannot do in time, spectators first and running games last."""

import asyncio
import gzip
import threading
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import cache
from typing import Any

import httpx
import pytest
from support.clients import TIMEOUT, Client, Clock, Server, changed, opened, refusal

from kingdomino.server.http import overload, release
from kingdomino.server.http.overload import Pressure
from kingdomino.server.http.routes import health
from kingdomino.server.http.routes.health import Readiness
from kingdomino.server.settings import Overload, Settings

MOST = Overload(lag=1, requests=8, writes=20, write_wait=4)


class Time:
    """A clock that the test sets."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


# The measures.


def late(pressure: Pressure, time: Time, *seconds: float) -> None:
    """Make the event loop late by these amounts, one after the other."""
    for more in seconds:
        time.now += overload.BEAT + more
        pressure.beat()


def test_an_event_loop_that_is_late_again_and_again_is_pressure() -> None:
    time = Time()
    pressure = Pressure(MOST, lambda: (0, 0.0), time)
    pressure.beat()
    late(pressure, time, 0.5, 0.6, 0.5, 0.7)
    assert float(pressure) == 0
    late(pressure, time, 0.9)
    assert float(pressure) == pytest.approx(0.5)
    late(pressure, time, 0)
    assert float(pressure) == 0


def test_a_single_pause_is_no_pressure() -> None:
    time = Time()
    pressure = Pressure(MOST, lambda: (0, 0.0), time)
    pressure.beat()
    late(pressure, time, 0, 0, 0, 0, 3, 0, 0, 0)
    assert float(pressure) == 0


@pytest.mark.parametrize(("backlog", "is_worth"), [((5, 0.0), 0.25), ((1, 2.0), 0.5), ((40, 2.0), 2.0)])
def test_a_queue_of_writes_that_is_long_or_slow_is_pressure(
    backlog: tuple[int, float], is_worth: float
) -> None:
    assert float(Pressure(MOST, lambda: backlog, Time())) == is_worth


async def test_the_store_says_how_many_writes_wait_and_for_how_long(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, may_commit, time = server.registry.store, asyncio.Event(), Time()
    add = store.history.add

    async def wait_and_add(*what: Any) -> None:  # noqa: ANN401
        await may_commit.wait()
        await add(*what)

    monkeypatch.setattr(store.history, "add", wait_and_add)
    monkeypatch.setattr("kingdomino.server.storage.store.time.monotonic", time)
    tasks = [asyncio.create_task(server.client().create("me", "me")) for _ in range(3)]
    async with asyncio.timeout(TIMEOUT):
        while store.backlog()[0] < 3:
            await asyncio.sleep(0)
    time.now += 2
    assert store.backlog() == (3, 2.0)
    may_commit.set()
    await asyncio.gather(*tasks)
    assert store.backlog() == (0, 0.0)


async def test_requests_count_until_their_first_answer(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    pressure: Pressure = server.app.state.pressure
    ida, may_append = server.client(), asyncio.Event()
    table = await ida.create("me", "me")
    append = server.registry.store.append

    async def wait_and_append(*what: Any, **how: Any) -> None:  # noqa: ANN401
        await may_append.wait()
        await append(*what, **how)

    monkeypatch.setattr(server.registry.store, "append", wait_and_append)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(ida.follow(table))
        assert pressure.requests == 0
        tasks = [asyncio.create_task(server.client().create("me", "me")) for _ in range(3)]
        async with asyncio.timeout(TIMEOUT):
            while pressure.requests < 3:
                await asyncio.sleep(0)
        may_append.set()
        await asyncio.gather(*tasks)
        assert pressure.requests == 0
    assert await ida.refused("GET", "/api/tables/q3v7n2kd8wjm") == (404, "no_table")
    assert pressure.requests == 0


# Which requests the server refuses.


async def busy(asked: Awaitable[httpx.Response]) -> bool:
    """Return whether the server refuses because it is overloaded; then it must say when to try again."""
    answer = await asked
    if answer.status_code != 503:
        return False
    assert refusal(answer) == (503, "busy")
    assert 1 <= int(answer.headers["retry-after"]) <= 10
    return True


Ask = Callable[[Client, str], Awaitable[httpx.Response]]
OTHER: dict[str, Ask] = {
    "the lobby": lambda ida, _: ida.send("GET", "/api/tables"),
    "the list of games": lambda ida, _: ida.send("GET", "/api/me/games"),
    "the document": lambda ida, _: ida.send("GET", "/openapi.json"),
}
NEW: dict[str, Ask] = {
    "a new table": lambda ida, _: ida.send("POST", "/api/tables", {"seats": [{"kind": "me"}]}),
    "a code": lambda ida, _: ida.send("POST", "/api/code", {"code": "a b c"}),
    "a seat": lambda ida, table: ida.send("POST", f"/api/tables/{table}/seats", {}),
}
GAME: dict[str, Ask] = {
    "a turn": lambda ida, table: ida.send(
        "POST", f"/api/tables/{table}/actions", {"ply": 9, "actions": ["x"]}
    ),
    "a hint": lambda ida, table: ida.send("POST", f"/api/tables/{table}/hint", {"ply": 0}),
    "the choices": lambda ida, table: ida.send("GET", f"/api/tables/{table}/choices?ply=0"),
    "the table": lambda ida, table: ida.send("GET", f"/api/tables/{table}"),
    "its page": lambda ida, table: ida.send("GET", f"/t/{table}"),
}
ALWAYS: dict[str, Ask] = {
    "a page": lambda ida, _: ida.send("GET", "/"),
    "a file": lambda ida, _: ida.send("GET", "/static/icon.svg"),
    "the dominoes": lambda ida, _: ida.send("GET", "/api/dominoes"),
    "health": lambda ida, _: ida.send("GET", "/health"),
    "readiness": lambda ida, _: ida.send("GET", "/ready"),
}


@pytest.mark.parametrize(("requests", "refused"), [(0, 0), (1, 0), (2, 1), (4, 2), (8, 3)])
async def test_running_games_are_refused_last_and_new_ones_second_to_last(
    settings: Settings, requests: int, refused: int
) -> None:
    async with opened(changed(settings, overload=MOST)) as server:
        ida, watcher = server.client(), server.client()
        table = await ida.create("me", "me")
        await watcher.get("/api/me")
        server.app.state.pressure.requests = requests
        for rank, group in enumerate((OTHER, NEW, GAME), 1):
            for name, ask in group.items():
                assert await busy(ask(ida, table)) == (rank <= refused), name
        for name, ask in ALWAYS.items():
            assert not await busy(ask(ida, table)), name
        for name, ask in GAME.items():
            assert await busy(ask(watcher, table)) == (refused >= 1), f"a watcher: {name}"
        assert server.app.state.pressure.requests == requests


@pytest.mark.parametrize(
    ("requests", "watches", "plays"), [(1, True, True), (2, False, True), (8, False, False)]
)
async def test_spectators_sockets_are_refused_before_players(
    settings: Settings, requests: int, *, watches: bool, plays: bool
) -> None:
    async with opened(changed(settings, overload=MOST)) as server:
        ida = server.client()
        table = await ida.create("me", "me")
        server.app.state.pressure.requests = requests
        for client, may_follow in ((server.client(), watches), (ida, plays)):
            async with client.follow(table) as socket:
                assert socket.refusal == (None if may_follow else 503)


async def test_a_refused_request_changes_nothing(settings: Settings) -> None:
    async with opened(changed(settings, overload=MOST)) as server:
        ida = server.client()
        table = await ida.create("me", "me")
        turn = (await ida.table(table))["turn"]
        before = await ida.events(table)
        choices = await ida.get(f"/api/tables/{table}/choices", ply=turn["ply"])
        body = {"ply": turn["ply"], "actions": [choices["claims"][0]["action"]]}
        server.app.state.pressure.requests = MOST.requests
        assert await ida.refused("POST", f"/api/tables/{table}/actions", body) == (503, "busy")
        server.app.state.pressure.requests = 0
        assert await ida.events(table) == before
        await ida.post(f"/api/tables/{table}/actions", body)  # the same turn, sent again


async def test_a_player_returns_to_an_unloaded_table(
    settings: Settings,
) -> None:
    settings = changed(settings, overload=MOST)
    async with opened(settings) as server:
        ida = server.client()
        table = await ida.create("me", "me")
    async with opened(settings) as server:
        server.app.state.pressure.requests = 4
        ida, stranger = server.client(ida.cookies), server.client()
        assert not await busy(ida.send("GET", f"/t/{table}"))
        assert await busy(stranger.send("GET", f"/t/{table}"))
        async with ida.follow(table) as socket:
            assert socket.refusal is None


@pytest.mark.parametrize("what", ["events", "record", "picture"])
async def test_a_game_in_the_store_is_read_only_while_there_is_little_to_do(
    settings: Settings, what: str
) -> None:
    settings = changed(settings, overload=MOST)
    async with opened(settings) as server:
        ida = server.client()
        table = await ida.create("me", "me")
        await ida.play(table)
    async with opened(settings) as server:
        stranger = server.client()
        await stranger.get("/api/me")
        server.app.state.pressure.requests = 2
        assert await busy(stranger.send("GET", f"/api/tables/{table}/{what}"))
        server.app.state.pressure.requests = 1
        assert (await stranger.send("GET", f"/api/tables/{table}/{what}")).status_code == 200


# Readiness, and documents.


async def test_readiness_is_tried_once_a_second_by_one_write(clock: Clock) -> None:
    writes = 0

    async def write() -> None:
        nonlocal writes
        writes += 1
        await asyncio.sleep(0)

    readiness = Readiness(write, clock)
    assert await asyncio.gather(*(readiness.check() for _ in range(50))) == [True] * 50
    assert writes == 1
    clock.pass_by(0.9)
    assert await readiness.check()
    assert writes == 1
    clock.pass_by(0.1)
    assert await readiness.check()
    assert writes == 2


async def test_a_hanging_database_is_not_ready(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "_LONGEST", 0.001)
    writes, answers = 0, asyncio.Event()

    async def write() -> None:
        nonlocal writes
        writes += 1
        await answers.wait()

    readiness = Readiness(write, clock)
    assert not await readiness.check()
    clock.pass_by(3600)
    assert not await readiness.check()
    assert writes == 1
    answers.set()
    async with asyncio.timeout(TIMEOUT):
        while not await readiness.check():
            await asyncio.sleep(0)
    assert writes <= 2


async def test_a_server_without_a_writable_database_is_alive(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_: int) -> None:
        raise OSError("disk full")

    ida = server.client()
    assert await ida.get("/ready") == {"status": "ready"}
    monkeypatch.setattr(server.registry.store, "try_writing", fail)
    monkeypatch.setattr(health, "_KEPT", 0)
    answer = await ida.send("GET", "/ready")
    assert refusal(answer) == (503, "storage")
    assert (await ida.get("/health"))["status"] == "ok"


async def test_documents_are_compressed_once_and_not_in_the_event_loop(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = list[threading.Thread]()

    @cache
    def compressed(body: bytes, _: release.Coding) -> bytes:
        threads.append(threading.current_thread())
        return gzip.compress(body)

    monkeypatch.setattr(release, "_compressed", compressed)
    ida, headers = server.client(), {"accept-encoding": "gzip"}
    for _ in range(2):
        for path in ("/openapi.json", "/docs/http/", "/docs/http/swagger-ui-bundle.js"):
            answer = await ida.send("GET", path, headers=headers)
            assert answer.status_code == 200
            assert answer.headers["content-encoding"] == "gzip"
    assert len(threads) == 3
    assert threading.main_thread() not in threads
    assert (await ida.send("GET", "/docs/http/nothing")).status_code == 404
