"""One of our bots as an engine: it answers, stops, and survives bad input."""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Any

import pytest

import kingdomino as kd
from kingdomino.bots.engine import serve, serving
from kingdomino.bots.engine.messages import LONGEST_LINE

GAME = b'{"kind":"game","id":2,"rules":"2.second.random","seat":0,"seed":7,"dominoes":[]}'
START = kd.Game(seed=7).position


def question(number: int, position: kd.Position = START, limit: str = '{"time":60}') -> bytes:
    text = position.to_text()
    return f'{{"kind":"choose","id":{number},"position":"{text}","actions":[],"limit":{limit}}}'.encode()


@dataclass
class Ponderer(kd.bots.Bot):
    """A bot that thinks until stopped, and then plays the last legal action."""

    limits: list[kd.bots.Limit] = field(default_factory=list)
    spec: str = "ponderer"

    def choose(self, position: kd.Position) -> kd.Action:
        raise AssertionError(f"it can be told a limit: {position!r}")

    def choose_within(self, position: kd.Position, limit: kd.bots.Limit | None, stop: Event) -> kd.Action:
        assert limit
        self.limits.append(limit)
        stop.wait()
        return position.legal_actions()[-1]


@dataclass
class Stubborn(kd.bots.Bot):
    """A bot that ignores a stop: it thinks until the test is over."""

    over: Event = field(default_factory=Event)
    spec: str = "stubborn"

    def choose(self, position: kd.Position) -> kd.Action:
        self.over.wait()
        return position.legal_actions()[0]


class Served:
    """One of our engines in a thread, and both ends of the conversation."""

    def __init__(self, make: Callable[[int | None], kd.bots.Bot]) -> None:
        requests, self._out = os.pipe()
        self._in, answers = os.pipe()
        self._incoming, self._outgoing = os.fdopen(self._in, "rb"), os.fdopen(self._out, "wb", buffering=0)
        self._requests, self._answers = os.fdopen(requests, "rb"), os.fdopen(answers, "wb", buffering=0)
        self.has_ended: bool | None = None
        self._thread = Thread(target=self._serve, args=(make,))
        self._thread.start()

    def _serve(self, make: Callable[[int | None], kd.bots.Bot]) -> None:
        self.has_ended = serve(make, self._requests, self._answers)

    def say(self, *lines: bytes) -> None:
        self._outgoing.write(b"".join(line + b"\n" for line in lines))

    def hear(self) -> dict[str, object]:
        line = self._incoming.readline()
        assert len(line) <= LONGEST_LINE
        answer: dict[str, object] = json.loads(line)
        return answer

    def end(self) -> bool | None:
        self._outgoing.close()
        self._thread.join()
        return self.has_ended

    def close(self) -> None:
        self.end()
        for pipe in (self._incoming, self._requests, self._answers):
            pipe.close()


@pytest.fixture
def served() -> Iterator[Callable[[kd.bots.Bot], Served]]:
    """Return ``served(bot)``, which serves this bot until the test is over."""
    every: list[Served] = []

    def served(bot: kd.bots.Bot) -> Served:
        every.append(Served(lambda _: bot))
        return every[-1]

    yield served
    for one in every:
        one.close()


Serve = Callable[[kd.bots.Bot], Served]


def test_a_bot_says_who_it_is_gets_ready_and_chooses(served: Serve) -> None:
    engine = served(kd.bots.PolicyBot("greedy"))
    engine.say(b'{"kind":"hello","id":1,"versions":[1,2],"name":"x"}', GAME, question(3))
    assert engine.hear() == {"kind": "hello", "id": 1, "version": 1, "name": "greedy", "author": "Kingdomino"}
    assert engine.hear() == {"kind": "ready", "id": 2}
    chosen = str(kd.bots.PolicyBot("greedy").choose(START))
    assert engine.hear() == {"kind": "action", "id": 3, "action": chosen}
    engine.say(b'{"kind":"quit"}')
    assert engine.end()


def asked_to_analyse(number: int) -> bytes:
    return question(number, limit='{"playouts":50}')[:-1] + b',"analyse":true}'


def until_the_action(engine: Served) -> list[dict[str, Any]]:
    answers: list[dict[str, Any]] = [engine.hear()]
    while answers[-1]["kind"] == "info":
        answers.append(engine.hear())
    return answers


def test_a_bot_with_an_analysis_reports_it_and_plays_the_best_action(served: Serve) -> None:
    engine = served(kd.bots.King())
    engine.say(asked_to_analyse(3))
    *_, info, answer = until_the_action(engine)
    assert set(info["info"]["actions"][0]) == set(kd.ActionAnalysis._fields)  # one name for one thing
    best = kd.bots.King().analyse(START, kd.bots.Limit(playouts=50)).actions[0].action
    assert answer == {"kind": "action", "id": 3, "action": str(best)}


@pytest.mark.parametrize("level", [1, 6, 7])
def test_a_weak_level_answers_an_analysis_with_a_choice(level: int, served: Serve) -> None:
    bot = kd.bots.King(level=level, seed=5)
    engine = served(bot)
    engine.say(asked_to_analyse(3))
    assert engine.hear() == {"kind": "action", "id": 3, "action": str(bot.choose(START))}


def test_an_engine_behind_an_engine_gets_the_same_commands(
    served: Serve, command: Callable[[str], str]
) -> None:
    program = """
begin()
report_until_stopped(hear())
play()
"""
    with kd.bots.Engine(command(program), time=60, grace=60, start=60) as bot:
        engine = served(bot)
        engine.say(asked_to_analyse(3), b'{"kind":"stop","id":3}')
        *infos, answer = until_the_action(engine)
        assert infos[0]["info"] != infos[-1]["info"]
        assert answer == {"kind": "action", "id": 3, "action": str(START.legal_actions()[-1])}


def test_the_seed_of_a_game_is_the_bots() -> None:
    engine = Served(lambda seed: kd.bots.make("random", seed=seed))
    for seed in range(5):
        engine.say(GAME.replace(b'"seed":7', b'"seed":%d' % seed), question(3))
        engine.hear()
        assert engine.hear()["action"] == str(kd.bots.PolicyBot("random", seed).choose(START))
    engine.close()


def test_a_thinking_bot_gets_its_limit_and_stop(served: Serve) -> None:
    engine = served(bot := Ponderer())
    engine.say(question(3, limit='{"time":1.5,"playouts":7}'), b'{"kind":"stop","id":3}')
    assert engine.hear() == {"kind": "action", "id": 3, "action": str(START.legal_actions()[-1])}
    assert bot.limits == [kd.bots.Limit(time=1.5, playouts=7)]


def test_a_stop_for_another_question_stops_nothing(served: Serve) -> None:
    engine = served(Ponderer())
    engine.say(b'{"kind":"stop","id":3}', question(3), b'{"kind":"stop","id":2}', b'{"kind":"stop","id":4}')
    engine.say(question(4))
    assert engine.hear()["id"] == 3  # the next question has ended it
    engine.say(b'{"kind":"stop","id":4}')
    assert engine.hear()["id"] == 4


@pytest.mark.parametrize("farewell", [[b'{"kind":"quit"}'], []], ids=["quit", "end of input"])
def test_a_bot_that_thinks_is_stopped_when_the_host_leaves(farewell: list[bytes], served: Serve) -> None:
    engine = served(Ponderer())
    engine.say(question(3), *farewell)
    assert engine.end()


def test_a_bot_that_cannot_be_stopped_is_left_alone(served: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "_STOP_TIMEOUT", 0.01)
    engine = served(bot := Stubborn())
    engine.say(question(3), b'{"kind":"stop","id":3}', b'{"kind":"quit"}')
    assert engine.end() is False
    bot.over.set()
    assert engine.hear()["id"] == 3


@pytest.mark.parametrize(
    ("line", "number", "said"),
    [
        (b"hello", None, "this line is not JSON"),
        (b'{"kind":"dance","id":9}', 9, '"dance" is not a kind of message here'),
        (b'{"kind":"hello","id":9,"versions":[2,3],"name":"x"}', 9, "this engine supports only version 1"),
        (GAME.replace(b"2.second", b"9.second"), 2, "9"),
        (GAME.replace(b'"seat":0', b'"seat":2'), 2, "there is no seat 2 in a game of 2"),
        (question(9).replace(b"kd1", b"kd0"), 9, "kd0"),
        (question(9, limit="{}"), 9, "a limit needs a time"),
        (b'{"kind":"quit","x":"' + b"x" * 200_000 + b'"}', None, "this line is longer than 65536 bytes"),
        (f'{{"kind":"{"🂡" * 16_000}","id":9}}'.encode(), 9, r"\ud83c\udca1"),
        (question(9).replace(b"kd1", "🂡".encode() * 16_000), 9, "longer than the text of any position"),
    ],
)
def test_a_wrong_line_gets_an_error_and_the_next_an_answer(
    line: bytes, number: int | None, said: str
) -> None:
    engine = Served(lambda seed: kd.bots.make("random", seed=seed))
    engine.say(line, b"", question(10))
    refusal = engine.hear()
    assert refusal["kind"] == "error"
    assert refusal.get("id") == number
    assert said in str(refusal["message"])
    assert engine.hear()["id"] == 10
    engine.close()


def test_a_bot_that_fails_is_an_error_and_its_engine_goes_on(served: Serve) -> None:
    class Clumsy(kd.bots.Bot):
        spec = "clumsy"

        def choose(self, position: kd.Position) -> kd.Action:
            raise ZeroDivisionError(f"in round {position.round}")

    engine = served(Clumsy())
    for number in (3, 4):
        engine.say(question(number))
        said = "ZeroDivisionError: in round 0"
        assert engine.hear() == {"kind": "error", "id": number, "message": said}


def test_an_engine_goes_on_when_its_bot_cannot_be_made() -> None:
    def make(seed: int | None) -> kd.bots.Bot:
        if seed is not None:
            raise RuntimeError("no memory")
        return kd.bots.PolicyBot("greedy")

    engine = Served(make)
    engine.say(GAME, question(3))
    assert engine.hear()["message"] == "RuntimeError: no memory"
    assert engine.hear()["kind"] == "action"
    engine.close()
