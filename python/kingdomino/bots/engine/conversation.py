"""What is said to an engine and what counts as an answer; whoever asks decides what a fault means."""

from collections.abc import Sequence
from time import monotonic
from typing import TypeVar

from kingdomino._core import DOMINOES, Action, Position, Rules, __version__
from kingdomino.bots.engine.faults import Fault, Late, Lost
from kingdomino.bots.engine.messages import (
    VERSION,
    Answer,
    Choose,
    Chosen,
    Hello,
    Info,
    Introduction,
    NewGame,
    Quit,
    Ready,
    Refusal,
    Stop,
    answer,
    id_of,
    read,
    to_line,
)
from kingdomino.bots.engine.process import Process
from kingdomino.bots.limit import Limit
from kingdomino.errors import ParseError
from kingdomino.values import End

MOST_OUTPUT = 1_048_576
"""The most bytes that an engine may write between one request and its answer."""
_Expected = TypeVar("_Expected", bound=Answer)


class Conversation:
    """An engine that runs, and what it is asked. Whatever is no answer to a request raises a `Fault`."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start the engine. Raises `EngineError` when there is nothing to start."""
        self.process = Process(command)
        self.last_id = 0

    def introduce(self, within: float) -> Introduction:
        """Say hello, and agree on a version within so many seconds."""
        hello = Hello(self.next_id(), (VERSION,), f"kingdomino {__version__}")
        self.process.send(to_line(hello))
        introduction = self._wait_at_most(Introduction, within)
        if introduction.version != VERSION:
            raise Fault(f"it wants to speak version {introduction.version}, which was not offered")
        return introduction

    def begin(self, rules: Rules, seat: int, seed: int, within: float) -> None:
        """Say that a game begins, and wait until the engine is ready for it."""
        self.process.send(to_line(NewGame(self.next_id(), rules.to_text(), seat, seed, _ENDS)))
        self._wait_at_most(Ready, within)

    def choose(self, position: Position, limit: Limit, time: float, grace: float) -> Action:
        """Ask for an action; after ``time`` seconds say stop, and wait for ``grace`` seconds more."""
        asked = monotonic()
        self.ask(position, limit)
        try:
            return self.chosen(position, asked + time)
        except Late:
            self.process.send(to_line(Stop(self.last_id)))
        try:
            return self.chosen(position, asked + time + grace)
        except Late:
            raise Late(f"it did not choose within {time:g} s and {grace:g} s of grace") from None

    def ask(self, position: Position, limit: Limit) -> None:
        """Ask for an action, and wait for nothing."""
        actions = tuple(map(str, position.legal_actions()))
        self.process.send(to_line(Choose(self.next_id(), position.to_text(), actions, limit)))

    def chosen(self, position: Position, deadline: float) -> Action:
        """Give the action that was asked for in this position, which is a legal one."""
        answered = self.wait_for(Chosen, deadline)
        try:
            action = Action.parse(answered.action)
        except ParseError as error:
            raise Fault(f"it chose what is not an action: {error}", to_line(answered)) from None
        if (refusal := position.refusal(action)) is not None:
            raise Fault(f"it chose {answered.action!r}, which is not legal: {refusal}", to_line(answered))
        return action

    def next_id(self) -> int:
        """Give a new request its id. Answers to the ones before it are passed over from now on."""
        self.last_id += 1
        return self.last_id

    def wait_for(self, kind: type[_Expected], deadline: float) -> _Expected:
        """Give the answer to the last request; ``deadline`` is a time of `time.monotonic`.

        An error is a `Fault`, unless it is what was waited for.
        """
        read_so_far = 0
        while read_so_far <= MOST_OUTPUT:
            line = self.process.receive(deadline)
            read_so_far += len(line) + 1
            if not line.strip():
                continue
            try:
                fields = read(line)
                if (old := id_of(fields)) is not None and old < self.last_id:
                    continue
                found = answer(fields)
            except ParseError as error:
                raise Fault(f"its stdout is for messages alone: {error}", line) from None
            if found is None or isinstance(found, Info):
                continue
            if isinstance(found, Refusal) and kind is not Refusal:
                raise Fault(f"it answered with an error: {found.message}", line)
            if found.id not in (self.last_id, None):
                raise Fault(f"it answered request {found.id}, which was never made", line)
            if not isinstance(found, kind):
                raise Fault(f"it answered with {found.kind!r} where {kind.kind!r} was asked for", line)
            return found
        raise Lost(f"it wrote more than {MOST_OUTPUT} bytes without an answer", line[:80])

    def _wait_at_most(self, kind: type[_Expected], within: float) -> _Expected:
        try:
            return self.wait_for(kind, monotonic() + within)
        except Late:
            raise Late(f"it did not answer with {kind.kind!r} within {within:g} s") from None

    def quit(self, within: float) -> bool:
        """Say that nothing more will be asked. Whether the engine ends by itself in so many seconds."""
        self.process.send(to_line(Quit()))
        return self.process.has_ended(monotonic() + within)

    def close(self) -> None:
        """End the engine now."""
        self.process.close()


def _square(end: End) -> str:
    return f"{end.terrain[0]}{end.crowns or ''}"


_ENDS = tuple((_square(domino.left), _square(domino.right)) for domino in DOMINOES)
