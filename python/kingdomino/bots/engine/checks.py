"""Checks whether an engine follows the protocol, each with a new process."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TypeAlias

from kingdomino._core import Action, Game, Rules, choose
from kingdomino.bots.bot import Limit
from kingdomino.bots.engine.conversation import Conversation
from kingdomino.bots.engine.messages import (
    VERSION,
    Choose,
    Hello,
    Introduction,
    Quit,
    Refusal,
    answer,
    to_line,
)
from kingdomino.bots.engine.process import Fault, Lost
from kingdomino.errors import ParseError

_RULES = {
    "two players": Rules(),
    "two players, Mighty Duel, both bonuses": Rules(mighty_duel=True, harmony=True, middle_kingdom=True),
    "three players": Rules(3),
    "three players, first edition": Rules(3, "first"),
    "four players": Rules(4),
}
_SEED = 7
_START = Game(seed=_SEED).position
"""The position of every request outside whole games."""
_LONG_LIMIT = Limit(time=600)
_LARGEST_ID = 2**53 - 1


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check.

    ``fault`` is the engine's failure, ``line`` the line at fault, if there is one, and ``stderr`` the end of the
    engine's stderr. ``note`` is a measurement.
    """

    name: str
    fault: str | None = None
    line: str | None = None
    stderr: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Limits in seconds, with the meanings of the options of `Engine`."""

    time: float = 0.1
    grace: float = 0.5
    start: float = 10.0

    @property
    def stop(self) -> float:
        """Seconds for an engine to answer after stop, and to end after quit or the end of its input."""
        return max(1.0, self.grace)


_Check: TypeAlias = Callable[[Conversation, TimeLimits], str]
"""Raises a `Fault`, or returns a note, which may be empty."""


def check(command: Sequence[str], limits: TimeLimits) -> Iterator[Finding]:
    """Run every check, and yield each result at once.

    If the engine does not answer hello, that is the only result. Raises `EngineError` if it does not start.
    """
    hello = _find(command, limits, "answers hello", _hello)
    yield hello
    if hello.fault is not None:
        return
    yield _find(command, limits, "answers hello from a newer program", _newer_hello)
    for name, run in _CHECKS.items():
        yield _find(command, limits, name, partial(_in_a_game, run))


def _find(command: Sequence[str], limits: TimeLimits, name: str, run: _Check) -> Finding:
    conversation = Conversation(command)
    try:
        return Finding(name, note=run(conversation, limits))
    except Fault as fault:
        conversation.close()
        return Finding(name, str(fault), fault.line, conversation.process.stderr)
    finally:
        conversation.close()


def _in_a_game(run: _Check, engine: Conversation, limits: TimeLimits) -> str:
    engine.introduce(limits.start)
    engine.begin(_START.rules, 0, _SEED, limits.start)
    return run(engine, limits)


def _hello(engine: Conversation, limits: TimeLimits) -> str:
    introduction = engine.introduce(limits.start)
    by = f" by {introduction.author}" if introduction.author else ""
    return f"{introduction.name}{by}"


def _newer_hello(engine: Conversation, limits: TimeLimits) -> str:
    line = to_line(Hello(engine.next_id(), (VERSION, VERSION + 1), "a newer program"))
    engine.process.send(_with_unknown_field(line))
    introduction = engine.wait_for(Introduction, monotonic() + limits.start)
    if introduction.version != VERSION:
        raise Fault(f"it answered with version {introduction.version}", to_line(introduction))
    return ""


def _large_id(engine: Conversation, limits: TimeLimits) -> str:
    engine.last_id = _LARGEST_ID - 1
    engine.begin(Rules(), 0, _SEED, limits.start)
    return ""


def _whole_game(rules: Rules, engine: Conversation, limits: TimeLimits) -> str:
    game, seat, slowest = Game(rules, seed=_SEED), rules.players - 1, 0.0
    engine.begin(rules, seat, _SEED, limits.start)
    while not game.is_over:
        position = game.position
        if position.to_move == seat:
            asked = monotonic()
            game.play(engine.choose(position, Limit(limits.time), limits.time, limits.grace))
            slowest = max(slowest, monotonic() - asked)
        else:
            game.play(choose(position, "random", _SEED))
    return f"{game.position.scores()[seat].total} points, slowest choice {slowest:.2f} s"


def _unknown_field(engine: Conversation, limits: TimeLimits) -> str:
    actions = tuple(map(str, _START.legal_actions()))
    asked = Choose(engine.next_id(), _START.to_text(), actions, Limit(limits.time))
    engine.process.send(_with_unknown_field(to_line(asked)))
    engine.chosen(_START, monotonic() + limits.time + limits.grace)
    return ""


def _unknown_kind(engine: Conversation, limits: TimeLimits) -> str:
    engine.process.send(b'{"kind":"dance","id":%d}\n' % engine.next_id())
    _ask_once(engine, limits)
    return ""


def _broken_line(engine: Conversation, limits: TimeLimits) -> str:
    engine.process.send(b"[]\n")  # JSON, but no message
    _refused_and_alive(engine, limits)
    engine.process.send(b'{"kind":"choose","id":\n')
    return _refused_and_alive(engine, limits).message[:60]


def _broken_position(engine: Conversation, limits: TimeLimits) -> str:
    asked = Choose(engine.next_id(), "kd1 this is not a position", (), Limit(limits.time))
    engine.process.send(to_line(asked))
    refusal = _refused_and_alive(engine, limits)
    if refusal.id != asked.id:
        raise Fault(f"its error does not say that it answers request {asked.id}", to_line(refusal))
    return refusal.message[:60]


def _in_time(engine: Conversation, limits: TimeLimits) -> str:
    asked = monotonic()
    engine.ask(_START, Limit(limits.time))
    engine.chosen(_START, asked + limits.time + limits.grace)
    return f"{monotonic() - asked:.2f} s"


def _playouts(engine: Conversation, limits: TimeLimits) -> str:
    engine.ask(_START, Limit(playouts=1))
    engine.chosen(_START, monotonic() + limits.start)
    return ""


def _analysis(engine: Conversation, limits: TimeLimits) -> str:
    engine.ask(_START, Limit(limits.time), analyse=True)
    deadline, reports = monotonic() + limits.time + limits.grace, 0
    while not isinstance(engine.found(_START, deadline), Action):
        reports += 1
    return f"{reports} report{'s' * (reports != 1)}" if reports else "it reports nothing"


def _stop(engine: Conversation, limits: TimeLimits) -> str:
    asked = monotonic()
    engine.choose(_START, _LONG_LIMIT, 0.0, limits.stop)
    return f"{monotonic() - asked:.2f} s"


def _quit(engine: Conversation, limits: TimeLimits) -> str:
    asked = monotonic()
    if not engine.quit(limits.stop):
        raise Fault(f"it was still running {limits.stop:g} s after quit")
    return f"{monotonic() - asked:.2f} s"


def _end_of_input(engine: Conversation, limits: TimeLimits) -> str:
    asked = monotonic()
    engine.process.close_stdin()
    if not engine.process.has_ended(monotonic() + limits.stop):
        raise Fault(f"it was still running {limits.stop:g} s after the end of its input")
    return f"{monotonic() - asked:.2f} s"


def _clean_stdout(engine: Conversation, limits: TimeLimits) -> str:
    _ask_once(engine, limits)
    engine.process.send(to_line(Quit()))
    deadline, line = monotonic() + limits.stop, b""
    try:
        while monotonic() < deadline:
            line = engine.process.receive(deadline)
            if line.strip():
                answer(line)
    except ParseError as error:
        raise Fault(f"it wrote something to stdout that is not a message: {error}", line) from None
    except Lost:
        return ""
    raise Fault("it did not end")


def _ask_once(engine: Conversation, limits: TimeLimits) -> None:
    engine.choose(_START, Limit(limits.time), limits.time, limits.grace)


def _refused_and_alive(engine: Conversation, limits: TimeLimits) -> Refusal:
    refusal = engine.wait_for(Refusal, monotonic() + limits.time + limits.grace)
    _ask_once(engine, limits)
    return refusal


def _with_unknown_field(line: bytes) -> bytes:
    return line.replace(b"{", b'{"unknown_field":{"one":[1,null]},', 1)


_CHECKS: dict[str, _Check] = {
    "repeats large ids": _large_id,
    **{f"plays a whole game: {name}": partial(_whole_game, rules) for name, rules in _RULES.items()},
    "ignores unknown fields": _unknown_field,
    "ignores or refuses unknown kinds": _unknown_kind,
    "answers a broken line with an error, and continues": _broken_line,
    "answers a broken position with an error, and continues": _broken_position,
    "keeps to the time limit": _in_time,
    "accepts a limit of playouts only": _playouts,
    "sends valid analyses, if any": _analysis,
    "obeys stop": _stop,
    "writes only messages to its stdout": _clean_stdout,
    "ends at quit": _quit,
    "ends at the end of its input": _end_of_input,
}
