"""Whether a command keeps to the engine protocol: one promise after the other, each with a fresh engine."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TypeAlias

from kingdomino._core import Game, Rules, choose
from kingdomino.bots.engine.conversation import Conversation
from kingdomino.bots.engine.faults import Fault, Lost
from kingdomino.bots.engine.messages import (
    VERSION,
    Choose,
    Hello,
    Introduction,
    Quit,
    Refusal,
    answer,
    read,
    to_line,
)
from kingdomino.bots.limit import Limit
from kingdomino.errors import ParseError

LEAVING = 1.0
"""Seconds that an engine has to obey stop, to quit, and to end with its input."""
_RULES = {
    "two players": Rules(),
    "two players, Mighty Duel, both bonuses": Rules(mighty_duel=True, harmony=True, middle_kingdom=True),
    "three players": Rules(3),
    "three players, first edition": Rules(3, "first"),
    "four players": Rules(4),
}
_SEED = 7
_START = Game(seed=_SEED).position
"""The position that everything is asked about which is no whole game."""
_LONG = Limit(time=600)
_LARGEST_ID = 2**53 - 1


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one check.

    ``fault`` says how the promise was broken, ``line`` is the line that did so, if it was one, and
    ``stderr`` the end of what the engine wrote there; ``note`` is what was measured.
    """

    promise: str
    fault: str | None = None
    line: str | None = None
    stderr: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Terms:
    """The seconds that an engine gets for a choice, as grace, and to start and get ready; as for `Engine`."""

    time: float = 0.1
    grace: float = 0.5
    start: float = 10.0


_Examination: TypeAlias = Callable[[Conversation, Terms], str]
"""Breaks off with a `Fault`, or gives a note, which may be empty."""


def check(command: Sequence[str], terms: Terms) -> Iterator[Finding]:
    """Run every check, and give what came of each as soon as it is known.

    When the engine does not even say hello, that is the only finding. Raises `EngineError` when there is
    nothing to start.
    """
    hello = _find(command, terms, "says hello", _hello)
    yield hello
    if hello.fault is not None:
        return
    yield _find(command, terms, "says hello to a newer program too", _newer_hello)
    for promise, examine in _EXAMINATIONS.items():
        yield _find(command, terms, promise, partial(_in_a_game, examine))


def _find(command: Sequence[str], terms: Terms, promise: str, examine: _Examination) -> Finding:
    conversation = Conversation(command)
    try:
        return Finding(promise, note=examine(conversation, terms))
    except Fault as fault:
        conversation.close()
        return Finding(promise, str(fault), fault.line, conversation.process.stderr)
    finally:
        conversation.close()


def _in_a_game(examine: _Examination, engine: Conversation, terms: Terms) -> str:
    engine.introduce(terms.start)
    engine.begin(_START.rules, 0, _SEED, terms.start)
    return examine(engine, terms)


def _hello(engine: Conversation, terms: Terms) -> str:
    introduction = engine.introduce(terms.start)
    by = f" by {introduction.author}" if introduction.author else ""
    return f"{introduction.name}{by}"


def _newer_hello(engine: Conversation, terms: Terms) -> str:
    line = to_line(Hello(engine.next_id(), (VERSION, VERSION + 1), "a program of tomorrow"))
    engine.process.send(_with_unknown_field(line))
    introduction = engine.wait_for(Introduction, monotonic() + terms.start)
    if introduction.version != VERSION:
        raise Fault(f"it answered with version {introduction.version}", to_line(introduction))
    return ""


def _large_id(engine: Conversation, terms: Terms) -> str:
    engine.last_id = _LARGEST_ID - 1
    engine.begin(Rules(), 0, _SEED, terms.start)
    return ""


def _whole_game(rules: Rules, engine: Conversation, terms: Terms) -> str:
    game, seat, slowest = Game(rules, seed=_SEED), rules.players - 1, 0.0
    engine.begin(rules, seat, _SEED, terms.start)
    while not game.is_over:
        position = game.position
        if position.to_move == seat:
            asked = monotonic()
            game.play(engine.choose(position, Limit(terms.time), terms.time, terms.grace))
            slowest = max(slowest, monotonic() - asked)
        else:
            game.play(choose(position, "random", _SEED))
    return f"{game.position.scores()[seat].total} points, slowest choice {slowest:.2f} s"


def _unknown_field(engine: Conversation, terms: Terms) -> str:
    actions = tuple(map(str, _START.legal_actions()))
    asked = Choose(engine.next_id(), _START.to_text(), actions, Limit(terms.time))
    engine.process.send(_with_unknown_field(to_line(asked)))
    engine.chosen(_START, monotonic() + terms.time + terms.grace)
    return ""


def _unknown_kind(engine: Conversation, terms: Terms) -> str:
    engine.process.send(b'{"kind":"dance","id":%d}\n' % engine.next_id())
    _ask_something(engine, terms)
    return ""


def _broken_line(engine: Conversation, terms: Terms) -> str:
    engine.process.send(b'{"kind":"choose","id":\n')
    return _refused_and_alive(engine, terms).message[:60]


def _broken_position(engine: Conversation, terms: Terms) -> str:
    asked = Choose(engine.next_id(), "kd1 this is no position", (), Limit(terms.time))
    engine.process.send(to_line(asked))
    refusal = _refused_and_alive(engine, terms)
    if refusal.id != asked.id:
        raise Fault(f"its error does not say that it answers request {asked.id}", to_line(refusal))
    return refusal.message[:60]


def _in_time(engine: Conversation, terms: Terms) -> str:
    asked = monotonic()
    engine.ask(_START, Limit(terms.time))
    engine.chosen(_START, asked + terms.time + terms.grace)
    return f"{monotonic() - asked:.2f} s"


def _playouts(engine: Conversation, terms: Terms) -> str:
    engine.ask(_START, Limit(playouts=1))
    engine.chosen(_START, monotonic() + terms.start)
    return ""


def _stop(engine: Conversation, _: Terms) -> str:
    asked = monotonic()
    engine.choose(_START, _LONG, 0.0, LEAVING)
    return f"{monotonic() - asked:.2f} s"


def _quit(engine: Conversation, _: Terms) -> str:
    asked = monotonic()
    if not engine.quit(LEAVING):
        raise Fault(f"it was still there {LEAVING:g} s after quit")
    return f"{monotonic() - asked:.2f} s"


def _end_of_input(engine: Conversation, _: Terms) -> str:
    asked = monotonic()
    engine.process.hang_up()
    if not engine.process.has_ended(monotonic() + LEAVING):
        raise Fault(f"it was still there {LEAVING:g} s after the end of its input")
    return f"{monotonic() - asked:.2f} s"


def _clean_stdout(engine: Conversation, terms: Terms) -> str:
    _ask_something(engine, terms)
    engine.process.send(to_line(Quit()))
    deadline, line = monotonic() + LEAVING, b""
    try:
        while monotonic() < deadline:
            line = engine.process.receive(deadline)
            if line.strip():
                answer(read(line))
    except ParseError as error:
        raise Fault(f"it wrote what is no message: {error}", line) from None
    except Lost:
        return ""
    raise Fault("it did not come to an end")


def _ask_something(engine: Conversation, terms: Terms) -> None:
    engine.choose(_START, Limit(terms.time), terms.time, terms.grace)


def _refused_and_alive(engine: Conversation, terms: Terms) -> Refusal:
    refusal = engine.wait_for(Refusal, monotonic() + terms.time + terms.grace)
    _ask_something(engine, terms)
    return refusal


def _with_unknown_field(line: bytes) -> bytes:
    return line.replace(b"{", b'{"of_tomorrow":{"one":[1,null]},', 1)


_EXAMINATIONS: dict[str, _Examination] = {
    "repeats large ids": _large_id,
    **{f"plays a whole game: {name}": partial(_whole_game, rules) for name, rules in _RULES.items()},
    "passes over unknown fields": _unknown_field,
    "passes over unknown kinds": _unknown_kind,
    "answers a broken line with an error, and goes on": _broken_line,
    "answers a broken position with an error, and goes on": _broken_position,
    "keeps to the time": _in_time,
    "takes a limit of playouts alone": _playouts,
    "obeys stop": _stop,
    "writes nothing but messages to its stdout": _clean_stdout,
    "ends at quit": _quit,
    "ends with its input": _end_of_input,
}
