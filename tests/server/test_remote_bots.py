"""Turns that other processes choose: requested once, and again only if that process seems to be gone."""

import asyncio
from collections.abc import Callable

import pytest
from support.clients import TIMEOUT, Clock

import kingdomino as kd
from kingdomino.server.cluster.messages import Alive, Choose, Chosen
from kingdomino.server.cluster.remote_bots import RemoteBots
from kingdomino.server.tables.bots.bot_runner import BotRunner
from kingdomino.server.tables.bots.threads import WorkOwner
from kingdomino.server.telemetry import Telemetry

BOT = "king:playouts=20"
POSITION = kd.Game(seed=1).position
OWNER = WorkOwner("here", "ida", "table")
LIMIT = 20  # seconds
ANSWER = [kd.Action.claim(1)], False


class Process:
    """A process that requests turns, and its requests."""

    def __init__(self, clock: Clock) -> None:
        self.asked: list[Choose] = []
        self.waits = False
        """Whether a repeated request is still in the queue."""
        self.telemetry = Telemetry()
        self._bots = RemoteBots(BotRunner(1, 1, TIMEOUT), self._ask, b"key", LIMIT, clock, self.telemetry)
        self.hear, self.ask_again = self._bots.hear, self._bots.ask_again

    async def _ask(self, turn: Choose) -> bool:
        self.asked.append(turn)
        return self.waits and len(self.asked) > 1

    def turn(
        self, spec: str = BOT, seed: int = 1, position: kd.Position = POSITION, owner: WorkOwner = OWNER
    ) -> asyncio.Task[tuple[list[kd.Action], bool]]:
        """Begin to wait for a turn."""
        return asyncio.create_task(self._bots.turn(spec, seed, position, owner))


def sign(*turns: Choose) -> Alive:
    """Return a sign that a worker still has these turns."""
    return Alive(process="worker", requests=tuple(turn.request for turn in turns))


def chosen(turn: Choose) -> Chosen:
    """Answer."""
    return Chosen(process="worker", request=turn.request, actions=("claim 1",), failed=False)


async def settle() -> None:
    """Let every task run as far as it can without a message."""
    for _ in range(100):
        await asyncio.sleep(0)


async def passes(clock: Clock, seconds: int, each: Callable[[], None] = lambda: None) -> None:
    """Let time pass, second by second."""
    for _ in range(seconds):
        each()
        clock.pass_by(1)
        await settle()


@pytest.fixture
def process(clock: Clock) -> Process:
    """Return a process."""
    return Process(clock)


async def test_a_live_process_gets_one_request_for_a_turn(clock: Clock, process: Process) -> None:
    turn = process.turn()
    await settle()
    await passes(clock, 60, lambda: process.hear(sign(process.asked[0])))
    assert len(process.asked) == 1
    process.hear(chosen(process.asked[0]))
    assert await turn == ANSWER


async def test_a_silent_process_gets_the_request_again(clock: Clock, process: Process) -> None:
    turn = process.turn()
    await passes(clock, 3)
    process.hear(sign(process.asked[0]))
    await passes(clock, 4)
    assert len(process.asked) == 1
    await passes(clock, 1)
    assert process.asked == [process.asked[0]] * 2
    process.hear(chosen(process.asked[0]))
    assert await turn == ANSWER


async def test_a_bot_chooses_its_turn_after_any_wait_for_a_thread(clock: Clock, process: Process) -> None:
    turn = process.turn()
    await settle()
    await passes(clock, 3 * LIMIT, lambda: process.hear(sign(process.asked[0])))
    process.hear(chosen(process.asked[0]))
    assert await turn == ANSWER


async def test_a_queued_turn_waits_for_its_bot(clock: Clock, process: Process) -> None:
    process.waits = True
    turn = process.turn()
    await settle()
    other = process.asked[0].model_copy(update={"request": "another"})
    await passes(clock, 3 * LIMIT, lambda: process.hear(sign(other)))
    assert not turn.done()
    await passes(clock, LIMIT + 5)  # all workers have ended
    assert (await turn)[1]


@pytest.mark.parametrize("signs", [0, 2])
async def test_a_substitute_chooses_after_silence(clock: Clock, process: Process, signs: int) -> None:
    turn = process.turn()
    await settle()
    await passes(clock, signs, lambda: process.hear(sign(process.asked[0])))
    await passes(clock, LIMIT - 1 - (signs > 0))
    assert not turn.done()
    await passes(clock, 1)
    actions, failed = await turn
    assert actions[0] in POSITION.legal_actions()
    assert failed
    failures = process.telemetry.metrics.registry
    assert failures.get_sample_value("kingdomino_bot_failures_total", {"reason": "no worker"}) == 1


async def test_an_unanswered_turn_is_requested_every_five_seconds(clock: Clock, process: Process) -> None:
    turn = process.turn()
    await passes(clock, LIMIT - 1)
    assert process.asked == [process.asked[0]] * 4
    process.hear(chosen(process.asked[0]))
    assert await turn == ANSWER


async def test_two_processes_that_ask_for_the_same_turn_make_one_request(clock: Clock) -> None:
    one, other = Process(clock), Process(clock)
    turns = [one.turn()]
    await settle()
    one.hear(sign(one.asked[0]))
    other.hear(sign(one.asked[0]))
    turns.append(other.turn(owner=WorkOwner("elsewhere", "ida", "table")))
    await passes(clock, 4)
    assert other.asked == []
    await passes(clock, 1)  # without a sign
    assert {turn.request for turn in other.asked} == {one.asked[0].request}
    one.hear(chosen(one.asked[0]))
    other.hear(chosen(one.asked[0]))
    assert await asyncio.gather(*turns) == [ANSWER, ANSWER]


async def test_other_turns_are_other_requests(process: Process) -> None:
    turns = [
        process.turn(),
        process.turn("king:playouts=30"),
        process.turn(seed=2),
        process.turn(position=kd.Game(seed=2).position),
        process.turn(owner=WorkOwner("here", "ida", "other")),
    ]
    await settle()
    assert len({turn.request for turn in process.asked}) == len(turns)
    for asked in process.asked:
        process.hear(chosen(asked))
    assert await asyncio.gather(*turns) == [ANSWER] * len(turns)


async def test_a_turn_with_two_waiters_is_requested_once_and_sent_to_both(process: Process) -> None:
    gives_up, *wait = (process.turn() for _ in range(3))
    await settle()
    assert len(process.asked) == 1
    gives_up.cancel()
    await settle()
    process.hear(chosen(process.asked[0]))
    await settle()
    assert [turn.result() for turn in wait] == [ANSWER, ANSWER]
    again = process.turn()
    await settle()
    assert not again.done()
    again.cancel()


async def test_after_an_answer_the_next_request_is_sent_at_once(process: Process) -> None:
    turns = [process.turn()]
    for number in (1, 2):
        await settle()
        assert len(process.asked) == number
        process.hear(sign(process.asked[0]))
        process.hear(chosen(process.asked[0]))
        assert await turns.pop() == ANSWER
        turns.append(process.turn())
    turns.pop().cancel()


async def test_a_reconnection_repeats_silent_requests(
    process: Process,
) -> None:
    turns = [process.turn(seed=seed) for seed in (1, 2)]
    await settle()
    process.hear(sign(process.asked[0]))
    await process.ask_again()
    first, *others = process.asked
    assert others == [others[0]] * 2
    for asked in (first, *others):
        process.hear(chosen(asked))
    assert await asyncio.gather(*turns) == [ANSWER, ANSWER]


async def test_the_oldest_signs_are_forgotten(
    clock: Clock, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kingdomino.server.cluster.remote_bots._REMEMBERED", 2)
    elsewhere = Process(clock)
    known = [elsewhere.turn(seed=seed) for seed in range(3)]
    await settle()
    process.hear(sign(*elsewhere.asked))
    turns = [process.turn(seed=seed) for seed in range(3)]
    await settle()
    assert process.asked == elsewhere.asked[:1]
    for turn in (*known, *turns):
        turn.cancel()


async def test_the_queue_has_no_address_and_no_person(process: Process) -> None:
    turns = [
        process.turn(seed=seed, owner=WorkOwner(address, person, "table"))
        for seed, (address, person) in enumerate(
            [("192.0.2.7", "ida"), ("192.0.2.7", "ida"), ("192.0.2.8", "ann")]
        )
    ]
    await settle()
    one, same, other = (turn.share for turn in process.asked)
    assert one == same
    assert {*one[:2]}.isdisjoint(other[:2])
    assert one[2] == "table"
    written = "".join(turn.model_dump_json() for turn in process.asked)
    assert not any(word in written for word in ("192.0.2", "ida", "ann"))
    for turn in turns:
        turn.cancel()
