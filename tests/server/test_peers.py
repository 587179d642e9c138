"""Several servers on one PostgreSQL database: any of them serves any table, and any may end."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any, NoReturn

import pytest
from support.clients import TIMEOUT, Client, Clock, Json, Server, changed, numbers, opened

import kingdomino as kd
from kingdomino.server.cluster.jobs import _MOST, Jobs
from kingdomino.server.cluster.messages import Alive, Choose, Chosen, read
from kingdomino.server.cluster.remote_bots import RemoteBots
from kingdomino.server.cluster.shared import SILENT, Shared
from kingdomino.server.http.limits import Usage
from kingdomino.server.http.routes import devices
from kingdomino.server.settings import Limits, Rate, Settings
from kingdomino.server.storage import StorageError, Store
from kingdomino.server.tables.bots.bot_runner import BotRunner
from kingdomino.server.tables.bots.threads import WorkOwner
from kingdomino.server.tables.core.clock import Clock as SystemClock
from kingdomino.server.tables.core.peers import LimitUsage, Opened
from kingdomino.server.tables.people.lobby import Lobby
from kingdomino.server.telemetry import Telemetry

pytestmark = pytest.mark.services


@pytest.fixture
def shared(shared_database: str) -> Settings:
    """Return the settings of quick servers on one database."""
    return Settings(database=shared_database, pause=0, bot_threads=2, limits=Limits(enforced=False))


@asynccontextmanager
async def two(settings: Settings, clock: Clock | None = None) -> AsyncIterator[tuple[Server, Server]]:
    """Run two servers."""
    async with opened(settings, clock) as one, opened(settings, clock) as other:
        yield one, other


async def test_a_game_is_played_through_two_servers(shared: Settings) -> None:
    async with two(shared) as (one, other):
        ida = one.client()
        table = await ida.create("me", "open")
        bo = other.client()
        await bo.post(f"/api/tables/{table}/seats", {"name": "Bo"})
        ida_events, bo_events = await asyncio.gather(ida.play(table), bo.play(table))
        assert ida_events == bo_events
        assert numbers(ida_events) == list(range(1, len(ida_events) + 1))
        assert ida_events[-1]["kind"] == "deck_revealed"


async def test_bots_play_on_when_the_server_that_moved_them_ends(shared: Settings) -> None:
    async with opened(shared) as one:
        ida = one.client()
        table = await ida.create("me", {"kind": "bot", "bot": "greedy"})
        await ida.play(table, until=lambda turn: turn["ply"] > 10)
    async with opened(shared) as other:
        events = await other.client(ida.cookies).play(table)
        assert events[-1]["kind"] == "deck_revealed"


async def test_a_command_of_a_server_that_is_behind_is_run_again(shared: Settings) -> None:
    async with two(shared) as (one, other):
        ida = one.client()
        table = await ida.create("me", "open", "open")
        behind = await other.registry.table(table)
        behind.hear = lambda _: None  # type: ignore[assignment]  # it is cut off from the news
        await one.client().post(f"/api/tables/{table}/seats", {"name": "Bo"})
        cy = other.client()
        await cy.post(f"/api/tables/{table}/seats", {"name": "Cy"})
        seats = (await cy.table(table))["seats"]
        assert [seat["name"] for seat in seats] == [None, "Bo", "Cy"]


async def with_one_behind(one: Server, other: Server) -> tuple[Client, Json]:
    """Play a turn unknown to the other server, which gets no news. Return the player and the table."""
    ida = one.client()
    table = await ida.create("me", "me")
    behind = await other.registry.table(table)
    behind.hear = lambda _: None  # type: ignore[assignment]
    await ida.turn(table, (await ida.table(table))["turn"])
    return ida, await ida.table(table)


async def test_a_client_ahead_of_a_server_gets_no_older_state(shared: Settings) -> None:
    async with two(shared) as (one, other):
        ida, seen = await with_one_behind(one, other)
        table = seen["id"]
        moved = other.client(ida.cookies)
        async with moved.follow(table, after=seen["number"]) as socket:
            assert (await socket.message())["events"] == []
            await ida.turn(table, seen["turn"])
            turn = (await ida.table(table))["turn"]
            choices = await ida.get(f"/api/tables/{table}/choices", ply=turn["ply"])
            await moved.act(table, turn["ply"], choices["claims"][0]["action"])


async def test_a_server_that_is_behind_lists_the_current_choices(shared: Settings) -> None:
    async with two(shared) as (one, other):
        ida = one.client()
        table = await ida.create("me", {"kind": "bot", "bot": "greedy"})
        behind = await other.registry.table(table)
        behind.hear = lambda _: None  # type: ignore[assignment]  # it is cut off from the news
        async with ida.follow(table, after=0) as socket:
            turn = await socket.until_turn(0)
            assert turn is not None
            choices = await other.client(ida.cookies).get(f"/api/tables/{table}/choices", ply=turn["ply"])
            assert choices["claims"]
            await ida.turn(table, turn)
            turn = await socket.until_turn(0)
            assert turn is not None
            after = {"ply": turn["ply"], "after": "discard"}
            refused = await other.client(ida.cookies).refused("GET", f"/api/tables/{table}/choices", **after)
            assert refused == (422, "illegal_action")


async def test_one_turn_sent_to_two_servers_at_once_is_played_once(shared: Settings) -> None:
    async with two(shared) as (one, other):
        ida = one.client()
        table = await ida.create("me", "me")
        again = other.client(ida.cookies)
        turn = (await ida.table(table))["turn"]
        choices = await ida.get(f"/api/tables/{table}/choices", ply=turn["ply"])
        body = {"ply": turn["ply"], "actions": [choices["claims"][0]["action"]]}
        answers = await asyncio.gather(
            *(client.send("POST", f"/api/tables/{table}/actions", body) for client in (ida, again))
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        log = await ida.events(table)
        assert numbers(log) == list(range(1, len(log) + 1))


async def test_players_at_two_servers_see_each_other(shared: Settings) -> None:
    def here(message: Json) -> object:
        if message["type"] != "presence":
            return False
        # A server that has not heard of Bo's seat yet has no presence for it.
        states = [seat and seat["state"] for seat in message["seats"]]
        return states == ["here", "here"] and message["watching"] == 1

    def gone(message: Json) -> object:
        return message["type"] == "presence" and message["seats"][1]["state"] == "gone"

    async with two(shared) as (one, other):
        ida, bo = one.client(), other.client()
        table = await ida.create("me", "open")
        await bo.post(f"/api/tables/{table}/seats", {"name": "Bo"})
        async with ida.follow(table) as at_one:
            async with bo.follow(table) as at_other, other.client().follow(table):
                await at_one.until(here)
                await at_other.until(here)
            await at_one.until(gone)


async def test_a_word_reaches_the_players_at_the_other_server(shared: Settings) -> None:
    async with two(shared) as (one, other):
        ida, bo = one.client(), other.client()
        table = await ida.create("me", "open")
        await bo.post(f"/api/tables/{table}/seats", {"name": "Bo"})
        async with bo.follow(table) as socket:
            await ida.post(f"/api/tables/{table}/say", {"word": "well_played"})
            assert (await socket.until(lambda message: message["type"] == "said"))["word"] == "well_played"


async def test_bots_play_while_any_servers_client_watches(shared: Settings) -> None:
    async with two(shared) as (one, other):
        ida = one.client()
        table = await ida.create({"kind": "bot", "bot": "greedy"}, {"kind": "bot", "bot": "greedy"})
        async with other.client().follow(table, after=0) as socket, ida.follow(table):
            await socket.until_event("deck_revealed")


async def test_players_are_gone_when_their_server_ends(shared: Settings) -> None:
    async with opened(shared) as one:
        ida = one.client()
        table = await ida.create("me", "open")
        async with ida.follow(table) as socket:
            async with opened(shared) as other:
                bo = other.client()
                await bo.post(f"/api/tables/{table}/seats", {"name": "Bo"})
                gone = bo.follow(table)
                await gone.__aenter__()
                await socket.until(lambda message: _is(message, "here"))
            await socket.until(lambda message: _is(message, "gone"))


async def test_another_server_takes_over_the_bots_at_once(
    shared: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kingdomino.server.tables.core.actor._TAKEOVER", 60.0)
    async with opened(shared) as other:
        async with opened(shared.model_copy(update={"pause": 60.0})) as one:
            ida = one.client()
            table = await ida.create("me", {"kind": "bot", "bot": "greedy"})
            watching = other.client(ida.cookies).follow(table, after=0)
            await watching.__aenter__()
            while (turn := (await ida.table(table))["turn"])["seat"] == 0:
                await ida.turn(table, turn)
        await watching.until(
            lambda message: any(event.get("by") == "bot" for event in message.get("events", ()))
        )
        await watching.__aexit__(None, None, None)


async def test_a_turn_ends_once_at_two_servers(shared: Settings, clock: Clock) -> None:
    async with two(shared, clock) as (one, other):
        ida = one.client()
        table = await ida.create("me", "me", seconds=60)
        async with ida.follow(table, after=0) as socket, other.client(ida.cookies).follow(table, after=0):
            clock.pass_by(60)
            await socket.until_event("claimed")
            assert [event["kind"] for event in await ida.events(table)].count("left") == 1


def _is(message: Json, state: str) -> bool:
    """Return whether a message reports this state of any seat but the first."""
    seats = message["seats"] if message["type"] == "presence" else ()
    return any(seat and seat["state"] == state for seat in seats[1:])


async def test_a_slow_bot_is_chosen_for_by_a_process_that_does_jobs(shared: Settings) -> None:
    bot = {"kind": "bot", "bot": "king:playouts=20"}
    async with opened(shared.model_copy(update={"thinks": False})) as one:
        ida = one.client()
        table = await ida.create("me", bot)
        async with ida.follow(table, after=0) as socket, worker(shared):
            while (turn := await socket.until_turn(0)) is not None:
                await ida.turn(table, turn)
        by = {event["by"] for event in socket.events if event.get("seat") == 1 and "by" in event}
        assert by == {"bot"}


async def test_an_undelivered_turn_is_delivered_when_the_database_is_back(
    shared: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell, failed = Store.tell, list[str]()

    async def fail_once(store: Store, messages: Sequence[str]) -> None:
        if not failed and "chosen" in messages[0]:
            failed.extend(messages)
            raise StorageError("the database is away")
        await tell(store, messages)

    monkeypatch.setattr(Store, "tell", fail_once)
    monkeypatch.setattr("kingdomino.server.cluster.jobs._RETRY", 0.01)
    async with opened(shared) as one:
        bot = {"kind": "bot", "bot": "king:playouts=20"}
        table = await one.client().create(bot, bot)
        async with one.client().follow(table, after=0) as socket:
            await socket.until(
                lambda message: any(event.get("by") == "bot" for event in message.get("events", ()))
            )
    assert failed


async def test_a_bot_chooses_after_waiting_for_a_thread(
    shared: Settings, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_choose, signs, hear, choose = asyncio.Event(), 0, RemoteBots.hear, BotRunner.turn
    bot = {"kind": "bot", "bot": "king:playouts=20"}

    async def wait(bots: BotRunner, spec: str, *rest: Any) -> tuple[list[kd.Action], bool]:  # noqa: ANN401
        if spec == bot["bot"]:
            await may_choose.wait()
        return await choose(bots, spec, *rest)

    def note(bots: RemoteBots, message: Chosen | Alive) -> None:
        nonlocal signs
        hear(bots, message)
        signs += isinstance(message, Alive) and bool(message.requests)

    monkeypatch.setattr(BotRunner, "turn", wait)
    monkeypatch.setattr(RemoteBots, "hear", note)
    monkeypatch.setattr("kingdomino.server.cluster.shared._BEAT", 0.01)
    async with opened(changed(shared, thinks=False), clock) as one, worker(shared):
        table = await one.client().create(bot, bot)
        async with one.client().follow(table, after=0) as socket:
            for _ in range(3):
                seen = signs
                await until(lambda seen=seen: signs > seen)  # type: ignore[misc]
                clock.pass_by(0.9 * shared.bot_timeout)
            may_choose.set()
            assert await socket.until_turn() is None
        assert {event["by"] for event in socket.events if "by" in event} == {"bot"}


async def test_a_process_reports_its_jobs_until_they_are_done(
    shared: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Alive | Chosen] = []
    may_choose = asyncio.Event()

    def hear(text: str) -> None:
        message = read(text)
        if isinstance(message, Alive | Chosen):
            told.append(message)

    async def choose(*_: object) -> tuple[list[kd.Action], bool]:
        await may_choose.wait()
        return [kd.Action.claim(1)], False

    monkeypatch.setattr(BotRunner, "turn", choose)
    monkeypatch.setattr("kingdomino.server.cluster.shared._BEAT", 0.01)
    turns = [choice(seed, f"{seed:032x}") for seed in range(_MOST)]
    store, jobs = await Store.open(shared.url), await Jobs.open(shared.url)
    try:
        await store.listen(hear, lambda: None)
        async with worker(shared, threads=_MOST):
            await asyncio.gather(*(jobs.ask(turn) for turn in turns))
            await until(lambda: any(set(requests(message)) == set(requests(*turns)) for message in told))
            may_choose.set()
            await until(lambda: sum(isinstance(message, Chosen) for message in told) == len(turns))
    finally:
        await jobs.close()
        await store.close()
    assert sorted(requests(*(message for message in told if isinstance(message, Chosen)))) == requests(*turns)


def requests(*messages: Choose | Chosen | Alive) -> list[str]:
    """List the requests in messages."""
    return [
        request
        for message in messages
        for request in (message.requests if isinstance(message, Alive) else (message.request,))
    ]


def choice(seed: int, request: str) -> Choose:
    """Return a turn for a slow bot to choose."""
    return Choose(
        request=request,
        bot="king:playouts=20",
        seed=seed,
        position=kd.Game(seed=1).position.to_text(),
        share=WorkOwner("here", "ida", "table"),
    )


async def test_a_turn_that_is_asked_for_while_it_is_chosen_is_chosen_once(
    shared: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (choice(seed, str(seed)) for seed in (1, 2))
    chosen: list[int] = []
    begun, both = asyncio.Event(), asyncio.Event()

    async def choose(_: BotRunner, bot: str, seed: int, *rest: object) -> tuple[list[kd.Action], bool]:
        del bot, rest
        chosen.append(seed)
        begun.set()
        if seed == second.seed:  # requested after the first was requested again
            both.set()
        await both.wait()
        return [kd.Action.claim(1)], False

    monkeypatch.setattr(BotRunner, "turn", choose)
    jobs = await Jobs.open(shared.url)
    try:
        async with opened(changed(shared, thinks=False)), worker(shared), asyncio.timeout(TIMEOUT):
            await jobs.ask(first)
            await begun.wait()
            await jobs.ask(first)
            await jobs.ask(second)
            await both.wait()
    finally:
        await jobs.close()
    assert chosen == [first.seed, second.seed]


@asynccontextmanager
async def worker(settings: Settings, threads: int = 2) -> AsyncIterator[None]:
    """Do jobs, as `kingdomino worker` does."""
    store = await Store.open(settings.url)
    bots = BotRunner(threads, settings.think, settings.bot_timeout)
    cluster = await Shared.open(store, bots, b"key", settings, SystemClock(), Telemetry())
    await cluster.start(None)
    try:
        yield
    finally:
        await cluster.stop()
        await store.close()


async def test_the_end_of_a_worker_does_not_count_as_the_end_of_a_server(
    shared: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    forgotten: list[str] = []
    async with opened(shared) as one:
        monkeypatch.setattr(one.registry, "forget", forgotten.append)
        async with worker(shared):
            pass
        async with opened(shared) as other:
            process = other.registry.cluster.process
        await until(lambda: bool(forgotten))
    assert forgotten == [process]


async def test_a_rematch_asked_for_at_two_servers_at_once_is_one_table(shared: Settings) -> None:
    async with two(shared) as (one, other):
        ida = one.client()
        table = await ida.create("me", "me")
        await ida.play(table)
        again = other.client(ida.cookies)
        answers = await asyncio.gather(
            *(client.post(f"/api/tables/{table}/rematch", {"wish": True}) for client in (ida, again))
        )
        rematches = {answer["table"]["rematch"] for answer in answers}
        assert len(rematches) == 1
        assert (await ida.table(rematches.pop()))["state"] == "playing"


async def test_limits_count_for_all_servers_together(
    shared: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, heard, hear = 0, asyncio.Event(), Usage.hear

    def note(usage: Usage, message: LimitUsage) -> None:
        nonlocal told
        hear(usage, message)
        told += sum(number for limit, _, number in message.used if limit == "guess")
        if told == 4:
            heard.set()

    monkeypatch.setattr(Usage, "hear", note)
    async with two(changed(shared, limits=Limits(guess=Rate(1 / 1000, 4)))) as (one, other):
        ida = one.client()
        await ida.get("/api/me")
        elsewhere, guess = other.client(ida.cookies), {"code": "amber otter gate"}
        for _ in range(4):
            assert await ida.refused("POST", "/api/code", guess) == (404, "no_code")
        async with asyncio.timeout(TIMEOUT):
            await heard.wait()
        assert await elsewhere.refused("POST", "/api/code", guess) == (429, "too_often")
        assert await other.client().refused("POST", "/api/code", guess) == (404, "no_code")


async def test_the_lobby_of_another_server_knows_the_network_of_a_table(
    shared: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    number, heard, hear = 0, asyncio.Event(), Lobby.hear

    def note(lobby: Lobby, message: Opened) -> None:
        nonlocal number
        hear(lobby, message)
        number += 1
        if number == 4:
            heard.set()

    monkeypatch.setattr(Lobby, "hear", note)
    async with two(changed(shared, limits=Limits())) as (one, other):
        first, *flood = ("198.51.100.1", "192.0.2.1", "192.0.2.1", "192.0.2.1")
        tables = [
            await one.client(address=address).create("me", "open", public=True) for address in (first, *flood)
        ]
        async with asyncio.timeout(TIMEOUT):
            await heard.wait()
        seen = (await other.client(address="203.0.113.1").get("/api/tables"))["open"]
        assert len(seen) == 3
        assert tables[0] in [entry["id"] for entry in seen]


def shared_by(server: Server) -> Shared:
    """Return the server's place among the others."""
    cluster = server.registry.cluster
    assert isinstance(cluster, Shared)
    return cluster


def beat(server: Server) -> None:
    """Let a server send a heartbeat."""
    shared_by(server).beat()


def heard_by(server: Server) -> Collection[str]:
    """Return the processes that a server has heard."""
    return shared_by(server)._heard  # noqa: SLF001


async def test_players_return_with_a_stopped_server(
    shared: Settings, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kingdomino.server.cluster.shared._BEAT", 3600)
    async with two(shared, clock) as (one, other):
        ida, bo = one.client(), other.client()
        table = await ida.create("me", "open")
        await bo.post(f"/api/tables/{table}/seats", {"name": "Bo"})
        async with ida.follow(table), bo.follow(table):
            seen = await other.registry.table(table)
            user = seen.state.seats[0].user
            assert user is not None
            await until(lambda: seen.is_present(user))
            for _ in range(8):  # meanwhile the first server does nothing
                clock.pass_by(10)
                beat(other)
            assert not seen.is_present(user)
            beat(one)
            await until(lambda: seen.is_present(user))


async def until(condition: Callable[[], bool]) -> None:
    """Wait for a condition that no message announces."""
    async with asyncio.timeout(TIMEOUT):
        while not condition():
            await asyncio.sleep(0.01)


async def test_a_person_is_forgotten_again_when_every_process_knows_of_it(
    shared: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "LEARNED", 0)
    async with two(shared) as (one, other):
        ida, later = one.client(), list[Coroutine[Any, Any, None]]()
        await ida.send("PUT", "/api/me", {"name": "Ida"})
        phone, user = other.client(ida.cookies), ida.cookies["kingdomino"].partition(".")[0]
        monkeypatch.setattr(one.registry, "run", lambda work, _: later.append(work))
        await ida.post("/api/me/forget")
        await phone.send("PUT", "/api/me", {"name": "Ida"})
        assert await other.registry.store.user(user) == "Ida"
        (work,) = later
        await work
        assert await other.registry.store.user(user) is None


async def test_a_dead_processs_undelivered_events_are_read_from_the_database(
    shared: Settings, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two(shared, clock) as (one, other):
        ida, bo = one.client(), other.client()
        table = await ida.create("me", "open")
        await bo.post(f"/api/tables/{table}/seats", {"name": "Bo"})
        async with bo.follow(table, after=0) as socket, ida.follow(table):
            await socket.until_turn(0, 1)
            beat(one)
            await until(lambda: one.registry.cluster.process in heard_by(other))
            monkeypatch.setattr(one.registry.store._sender, "_notify", nothing)  # noqa: SLF001
            turn = (await ida.table(table))["turn"]
            mover = ida if turn["seat"] == 0 else one.client(bo.cookies)
            await mover.turn(table, turn)
            clock.pass_by(SILENT + 1)
            beat(other)
            await socket.until_event("claimed")


async def nothing(*_: object) -> None:
    """Do nothing."""


async def test_a_table_whose_log_cannot_be_read_now_is_not_gone(shared: Settings) -> None:
    async with two(shared) as (one, other):
        ida, seen = await with_one_behind(one, other)
        table = seen["id"]

        async def fail(*_: object, **__: object) -> NoReturn:
            raise StorageError("the database is away")

        other.registry.store.entries = fail  # type: ignore[method-assign]
        async with other.client(ida.cookies).follow(table, after=seen["number"]) as socket:
            assert await socket.until_closed() == 1012


async def test_extending_a_deadline_repeats_no_event(shared: Settings, clock: Clock) -> None:
    committed, released = asyncio.Event(), asyncio.Event()
    async with opened(shared, clock) as server:
        ida, bo, store = server.client(), server.client(), server.registry.store
        table = await ida.create("me", "open", seconds=None)
        actor, append = await server.registry.table(table), store.append

        async def wait(*args: Any, **options: Any) -> None:  # noqa: ANN401
            await append(*args, **options)
            committed.set()
            await released.wait()

        store.append = wait  # type: ignore[method-assign]
        async with ida.follow(table, after=0) as socket:
            clock.pass_by(shared.waiting + 1)
            sitting = asyncio.create_task(bo.post(f"/api/tables/{table}/seats", {"name": "Bo"}))
            await committed.wait()
            waking = asyncio.create_task(actor.wake())  # as a sweep does that just found the table due
            await until(lambda: waking.done() or not actor._queue.empty())  # noqa: SLF001
            released.set()
            await asyncio.gather(sitting, waking)
            await ida.post(f"/api/tables/{table}/say", {"word": "well_played"})
            await socket.until(lambda message: message["type"] == "said")
        assert socket.events == await ida.events(table)


async def test_a_log_that_many_requests_could_not_read_is_read_again_once(
    shared: Settings, clock: Clock
) -> None:
    reads = 0

    async def fail(*_: object, **__: object) -> NoReturn:
        nonlocal reads
        reads += 1
        raise StorageError("the database is away")

    async with opened(shared, clock) as server:
        ida = server.client()
        table = await ida.create("me", "me")
        server.registry.store.entries = fail  # type: ignore[method-assign]

        async def ask() -> None:
            refused = await ida.refused("GET", f"/api/tables/{table}/choices", ply=99)
            assert refused == (503, "storage")

        for _ in range(3):
            await ask()
        assert reads == 3
        clock.pass_by(2)
        await ask()
        assert reads == 5
