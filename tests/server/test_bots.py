"""Bots at the table: a bot's failure stops neither its own game nor any other."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

import pytest
from support.clients import TIMEOUT, Server, changed, opened

import kingdomino as kd
from kingdomino import bots
from kingdomino.bots.registry import Registry
from kingdomino.server.settings import Settings, SlowBots
from kingdomino.server.tables.bots.bot_runner import BotRunner
from kingdomino.server.tables.bots.threads import WorkOwner
from kingdomino.server.telemetry import Telemetry

Choose = Callable[[kd.Position], object]


class Odd(bots.Bot):
    """A bot that chooses with a function of the test."""

    spec = ""

    def __init__(self, spec: str, choose: Choose) -> None:
        self.spec, self._choose = spec, choose

    def choose(self, position: kd.Position) -> kd.Action:
        return self._choose(position)  # type: ignore[return-value]


class Slow(bots.Bot):
    """A bot that answers when the test lets it."""

    spec = "slow"

    def __init__(self, thinks: threading.Event, may_answer: threading.Event) -> None:
        self._thinks, self._may_answer = thinks, may_answer

    def choose(self, position: kd.Position) -> kd.Action:
        self._thinks.set()
        self._may_answer.wait(60)
        return position.legal_actions()[0]


class Ponders(bots.Bot):
    """A search that thinks until stopped. It records its name when it begins."""

    spec = ""

    def __init__(self, name: str, begun: list[str]) -> None:
        self.spec = f"ponders:name={name}"
        self._name, self._begun = name, begun

    def choose(self, _: kd.Position) -> kd.Action:
        raise AssertionError("it would think for ever")

    def choose_within(
        self, position: kd.Position, limit: bots.Limit | None, stop: threading.Event
    ) -> kd.Action:
        assert limit is None
        self._begun.append(self._name)
        assert stop.wait(60)
        return position.legal_actions()[0]


def failing(error: BaseException) -> Choose:
    """Choose nothing, and raise."""

    def choose(_: kd.Position) -> object:
        raise error

    return choose


def failing_at_claims(position: kd.Position) -> kd.Action:
    """Place well, and then fail."""
    if position.phase == "claim" and position.round:
        raise ValueError("no idea")
    return position.legal_actions()[0]


def cheating_at_claims(position: kd.Position) -> kd.Action:
    """Place well, and then try an illegal action."""
    return position.legal_actions()[0] if position.phase == "place" else kd.Action.discard()


ODD: dict[str, Choose] = {
    "raises": failing(ValueError("no idea")),
    "exits": failing(SystemExit(3)),
    "silent": lambda _: None,
    "babbles": lambda _: "claim everything",
    "cheats": lambda _: kd.Action.claim(kd.DOMINOES[0]),
    "half": failing_at_claims,
    "half-cheats": cheating_at_claims,
}


@pytest.fixture
def thinks() -> threading.Event:
    """Return an event that is set when the slow bot begins to think."""
    return threading.Event()


@pytest.fixture
def may_answer() -> Iterator[threading.Event]:
    """Return an event that lets the slow bot answer; the end of the test sets it in any case."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def begun() -> list[str]:
    """Return the names of the searches that have begun to ponder."""
    return []


@pytest.fixture(autouse=True)
def registry(
    monkeypatch: pytest.MonkeyPatch, thinks: threading.Event, may_answer: threading.Event, begun: list[str]
) -> Registry:
    """Register the odd bots for these tests only."""
    registry = Registry(
        {"greedy": bots.policies.greedy, "king": bots.King, "random": partial(bots.PolicyBot, "random")}
    )
    for name, choose in ODD.items():
        registry.register(name, lambda name=name, choose=choose: Odd(name, choose))
    registry.register("slow", lambda: Slow(thinks, may_answer))

    def ponders(name: str = "any") -> Ponders:
        return Ponders(name, begun)

    registry.register("ponders", ponders)
    registry.register("mce", bots.Mce)
    monkeypatch.setattr(bots, "make", registry.make)
    return registry


async def over(server: Server, table: str) -> dict[int, set[str]]:
    """Wait for the end of a game, and return who decided for each seat."""
    async with server.client().follow(table, after=0) as socket:
        await socket.until_turn()
    deciders: dict[int, set[str]] = {}
    for event in socket.events:
        if "by" in event:
            deciders.setdefault(event["seat"], set()).add(event["by"])
    return deciders


@pytest.mark.parametrize("odd", ODD)
async def test_a_bot_that_fails_is_stood_in_for_and_logged(
    server: Server, caplog: pytest.LogCaptureFixture, odd: str
) -> None:
    ida = server.client()
    table = await ida.create({"kind": "bot", "bot": odd}, "bot")
    deciders = await over(server, table)
    assert "stand-in" in deciders[0]
    assert deciders[1] == {"bot"}
    failures = [record for record in caplog.records if record.getMessage() == "a bot failed"]
    assert failures
    assert {vars(record)["bot"] for record in failures} == {odd}
    assert (await ida.table(table))["seats"][0]["away"] is None


async def test_a_bot_that_thinks_for_too_long_is_stood_in_for_and_logged(
    settings: Settings, caplog: pytest.LogCaptureFixture, may_answer: threading.Event
) -> None:
    async with opened(changed(settings, bot_timeout=0.01, bot_threads=1)) as server:
        table = await server.client().create({"kind": "bot", "bot": "slow"}, "bot")
        assert (await over(server, table))[0] == {"stand-in"}
        assert not may_answer.is_set()
    assert "a bot took too long" in {record.getMessage() for record in caplog.records}


async def test_a_slow_bot_delays_no_other_table(
    settings: Settings, thinks: threading.Event, may_answer: threading.Event
) -> None:
    async with opened(changed(settings, bot_threads=2)) as server:
        ida = server.client()
        slow = await ida.create({"kind": "bot", "bot": "slow"}, "bot")
        other = await ida.create("bot", "bot")
        await over(server, other)
        async with ida.follow(slow, after=0) as socket:
            await socket.message()
            if not thinks.is_set():
                await socket.until_turn(0)
            may_answer.set()
            assert await socket.until_turn() is None
    assert {event["by"] for event in socket.events if "by" in event} == {"bot"}


async def test_waiting_for_a_place_to_think_is_not_thinking_for_too_long(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(changed(settings, bot_threads=1, bot_timeout=5)) as server:
        ida = server.client()
        tables = [await ida.create("bot", "bot", "bot", "bot") for _ in range(5)]
        for table in tables:
            assert set().union(*(await over(server, table)).values()) == {"bot"}
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


async def test_a_server_shuts_down_while_a_bot_thinks(
    settings: Settings, thinks: threading.Event, may_answer: threading.Event
) -> None:
    async with opened(settings) as server:
        table = await server.client().create({"kind": "bot", "bot": "slow"}, {"kind": "bot", "bot": "slow"})
        async with server.client().follow(table) as socket:
            while not thinks.is_set():
                await server.client().table(table)
    assert socket.messages == []
    may_answer.set()
    async with opened(settings) as server:
        assert await over(server, table) == {0: {"bot"}, 1: {"bot"}}


async def test_a_player_who_returns_while_the_bot_thinks_makes_the_decision(
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    registry: Registry,
    thinks: threading.Event,
    may_answer: threading.Event,
) -> None:
    registry.register("greedy", lambda: Slow(thinks, may_answer), replace=True)
    ida, store, is_open = server.client(), server.registry.store, asyncio.Event()
    table = await ida.create("me", "me")
    turn = (await ida.table(table))["turn"]
    path = f"/api/tables/{table}/seats/{turn['seat']}"
    await ida.post(f"{path}/leave")
    while not thinks.is_set():
        await ida.table(table)
    append = store.append

    async def wait_and_append(*what: Any, **how: Any) -> None:  # noqa: ANN401
        await is_open.wait()
        await append(*what, **how)

    monkeypatch.setattr(store, "append", wait_and_append)
    returns = asyncio.create_task(ida.post(f"{path}/return"))
    await asyncio.sleep(0)
    may_answer.set()
    while any(thread.name == "bot" for thread in threading.enumerate()):
        await asyncio.sleep(0)
    for _ in range(100):  # by now the bot's choice is in the mailbox, behind the return
        await asyncio.sleep(0)
    is_open.set()
    await returns
    await ida.turn(table, turn)
    assert {event["by"] for event in await ida.events(table) if "by" in event} == {"person"}


async def test_a_bot_is_shown_a_position_and_nothing_else(server: Server, registry: Registry) -> None:
    shown: list[object] = []

    def watching(position: kd.Position) -> kd.Action:
        shown.append(position)
        return position.legal_actions()[-1]

    registry.register("watching", lambda: Odd("watching", watching))
    table = await server.client().create(
        {"kind": "bot", "bot": "watching"}, {"kind": "bot", "bot": "watching"}
    )
    await over(server, table)
    assert {type(each) for each in shown} == {kd.Position}


async def test_a_bot_pauses_before_its_move_so_that_people_can_follow(settings: Settings) -> None:
    async with opened(changed(settings, pause=3600)) as server:
        ida = server.client()
        table = await ida.create("bot", "bot")
        assert [event["kind"] for event in await ida.events(table)][-1] == "king_drawn"
        assert (await ida.table(table))["turn"]["ply"] == 0


SLOW = {"kind": "bot", "bot": "slow"}
GREEDY = {"kind": "bot", "bot": "greedy"}
MANY = SlowBots(of_person=100, of_address=100, of_thread=100)


@pytest.mark.parametrize("spec", ["mce:playouts=100000,playout=fg", "ponders"])
async def test_a_search_stops_when_its_time_is_over_with_any_limit(settings: Settings, spec: str) -> None:
    bot = {"kind": "bot", "bot": spec}
    async with opened(changed(settings, think=0.001)) as server:
        table = await server.client().create(bot, bot)
        assert await over(server, table) == {0: {"bot"}, 1: {"bot"}}


async def test_slow_bots_of_one_client_do_not_keep_a_quick_bot_waiting(
    settings: Settings, thinks: threading.Event, may_answer: threading.Event
) -> None:
    settings = changed(settings, bot_threads=2, slow_bots=MANY)
    tables: list[str] = []
    for _ in ("at first", "after a restart"):
        thinks.clear()
        async with opened(settings) as server, AsyncExitStack() as stack:
            ida = server.client()
            tables = tables or [await ida.create(SLOW, SLOW) for _ in range(8)]
            for table in tables:
                await (await stack.enter_async_context(ida.follow(table))).message()
            while not thinks.is_set():
                await asyncio.sleep(0)
            other = await server.client().create(GREEDY, GREEDY)
            assert await over(server, other) == {0: {"bot"}, 1: {"bot"}}
            assert not may_answer.is_set()


async def test_threads_that_cannot_be_stopped_do_not_pile_up(
    settings: Settings, may_answer: threading.Event
) -> None:
    before = sum(thread.name == "bot" for thread in threading.enumerate())
    async with opened(changed(settings, bot_timeout=0.001, bot_threads=1)) as server:
        tables = [await server.client().create(SLOW, SLOW) for _ in range(3)]
        for table in tables:
            assert await over(server, table) == {0: {"stand-in"}, 1: {"stand-in"}}
        assert not may_answer.is_set()
        assert sum(thread.name == "bot" for thread in threading.enumerate()) - before <= 3


async def test_a_bot_chooses_again_after_threads_could_not_be_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runner, position = BotRunner(1, 60, 60), kd.Game(seed=7).position

    async def failed() -> bool:
        return (await runner.turn("mce:playouts=10", 0, position, WorkOwner("a", "ida", "table")))[1]

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", no_more)
        assert [await failed() for _ in range(2)] == [True, True]
    assert not await failed()


def no_more(_: threading.Thread) -> None:
    """Fail, as the system does when there are too many threads."""
    raise RuntimeError("can't start new thread")


async def soon(is_true: Callable[[], bool]) -> None:
    """Wait for something that must happen."""
    async with asyncio.timeout(TIMEOUT):
        while not is_true():
            await asyncio.sleep(0)


async def test_addresses_persons_and_tables_have_fair_shares_of_the_threads(begun: list[str]) -> None:
    runner, position = BotRunner(1, 60, 60), kd.Game(seed=7).position
    asked = {
        "a1": WorkOwner("a", "ida", "1"),
        "a2": WorkOwner("a", "ida", "2"),
        "a3": WorkOwner("a", "ida", "3"),
        "a4": WorkOwner("a", "ann", "4"),
        "b1": WorkOwner("b", "oskar", "5"),
        "b2": WorkOwner("b", "oskar", "5"),
    }
    tasks = [
        asyncio.create_task(runner.turn(f"ponders:name={name}", 0, position, owner))
        for name, owner in asked.items()
    ]
    for count in range(1, len(asked) + 1):
        await soon(lambda count=count: len(begun) == count)  # type: ignore[misc]
        tasks[list(asked).index(begun[-1])].cancel()  # stops this search, so the next one begins
    await asyncio.gather(*tasks, return_exceptions=True)
    assert begun == ["a1", "b1", "a4", "b2", "a2", "a3"]


async def test_a_turn_that_is_given_up_while_it_waits_leaves_the_line(begun: list[str]) -> None:
    runner, position = BotRunner(1, 60, 60), kd.Game(seed=7).position
    tasks = [
        asyncio.create_task(runner.turn(f"ponders:name={name}", 0, position, WorkOwner("a", "ida", name)))
        for name in "123"
    ]
    await soon(lambda: begun == ["1"])
    tasks[1].cancel()
    tasks[0].cancel()
    await soon(lambda: begun == ["1", "3"])
    tasks[2].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_turns_that_wait_and_bots_that_do_not_stop_are_counted(may_answer: threading.Event) -> None:
    telemetry = Telemetry()
    runner, position = BotRunner(1, 60, 0.01, telemetry), kd.Game(seed=7).position

    def now(name: str, **labels: str) -> float | None:
        return telemetry.metrics.registry.get_sample_value(f"kingdomino_{name}", labels)

    turns = [
        asyncio.create_task(runner.turn("slow", 0, position, WorkOwner("a", "ida", "1"))) for _ in range(2)
    ]
    await soon(lambda: now("bots_waiting", lane="slow") == 1)
    assert all(failed for _, failed in await asyncio.gather(*turns))
    assert now("bot_failures_total", reason="late") == 2
    assert now("bots_abandoned", lane="slow") == now("bots_thinking", lane="slow") == 2
    may_answer.set()
    await soon(lambda: now("bots_abandoned", lane="slow") == 0)


@pytest.mark.parametrize(
    ("limits", "clients"),
    [
        (SlowBots(of_table=1), 1),
        (SlowBots(of_person=3), 1),
        (SlowBots(of_address=3), 2),
        (SlowBots(of_thread=3), 2),
    ],
)
async def test_slow_bots_are_limited_when_a_table_is_created(
    settings: Settings, limits: SlowBots, clients: int
) -> None:
    async with opened(changed(settings, bot_threads=1, slow_bots=limits)) as server:
        who = [server.client() for _ in range(clients)]
        if limits != SlowBots(of_table=1):
            await who[0].create("me", SLOW, SLOW)
        refused = await who[-1].send("POST", "/api/tables", {"players": 3, "seats": [SLOW, SLOW, GREEDY]})
        assert refused.json()["code"] == "too_many_bots"
        await who[-1].create("me", SLOW)
        await who[-1].create(GREEDY, GREEDY, GREEDY, {"kind": "bot", "bot": "king:level=7"})


@pytest.mark.parametrize(
    ("limits", "bot", "refusal"),
    [
        ({"slow_bots": SlowBots(of_person=1)}, SLOW, (409, "too_many_bots")),
        ({"max_tables": 1}, GREEDY, (409, "too_many_tables")),
    ],
)
async def test_tables_that_are_created_at_the_same_time_count(
    settings: Settings, limits: dict[str, Any], bot: dict[str, str], refusal: tuple[int, str]
) -> None:
    async with opened(changed(settings, **limits)) as server:
        ida = server.client()
        await ida.get("/api/me")
        answers = await asyncio.gather(
            *(ida.send("POST", "/api/tables", {"seats": [{"kind": "me"}, bot]}) for _ in range(8))
        )
        refused = [(answer.status_code, answer.json()["code"]) for answer in answers if answer.is_error]
        assert refused == [refusal] * 7


async def test_the_bots_of_games_that_are_over_do_not_count(
    settings: Settings, may_answer: threading.Event
) -> None:
    may_answer.set()
    async with opened(changed(settings, slow_bots=SlowBots(of_person=2))) as server:
        ida = server.client()
        await over(server, await ida.create(SLOW, SLOW))
        await ida.create(SLOW, SLOW)
        assert await ida.refused("POST", "/api/tables", {"seats": [SLOW]}) == (409, "too_many_bots")
