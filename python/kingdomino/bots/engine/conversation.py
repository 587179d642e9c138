"""Requests to a running engine and its answers. The caller handles faults."""

from collections.abc import Sequence
from time import monotonic
from typing import TypeVar

from kingdomino._core import DOMINOES, Action, Position, Rules, __version__
from kingdomino.bots.bot import Limit
from kingdomino.bots.engine.analysis import from_info
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
    to_line,
)
from kingdomino.bots.engine.process import Fault, Late, Lost, Process
from kingdomino.errors import IllegalActionError, ParseError
from kingdomino.evaluation import Analysis
from kingdomino.values import End

MOST_OUTPUT = 1_048_576
"""The most bytes that an engine may write between a request and its answer."""
_Expected = TypeVar("_Expected", bound=Answer)


class Conversation:
    """A running engine. Every answer that breaks the protocol raises a `Fault`."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start the engine. Raises `EngineError` if that fails."""
        self.process = Process(command)
        self.last_id = 0

    def introduce(self, within: float) -> Introduction:
        """Say hello and agree on a version, ``within`` this many seconds."""
        hello = Hello(self.next_id(), (VERSION,), f"kingdomino {__version__}")
        self.process.send(to_line(hello))
        introduction = self._wait_at_most(Introduction, within)
        if introduction.version != VERSION:
            raise Fault(f"it chose version {introduction.version}, which the host did not offer")
        return introduction

    def begin(self, rules: Rules, seat: int, seed: int, within: float) -> None:
        """Announce a game, and wait until the engine is ready for it."""
        self.process.send(to_line(NewGame(self.next_id(), rules.to_text(), seat, seed, _ENDS)))
        self._wait_at_most(Ready, within)

    def choose(self, position: Position, limit: Limit, time: float, grace: float) -> Action:
        """Ask for an action. After ``time`` seconds send stop, and wait ``grace`` seconds more."""
        asked = monotonic()
        self.ask(position, limit)
        try:
            return self.chosen(position, asked + time)
        except Late:
            self.stop()
        try:
            return self.chosen(position, asked + time + grace)
        except Late:
            raise Late(f"it did not choose within {time:g} s and {grace:g} s of grace") from None

    def ask(self, position: Position, limit: Limit, *, analyse: bool = False) -> None:
        """Ask for an action, and perhaps for an analysis, without waiting."""
        actions = tuple(map(str, position.legal_actions()))
        request = Choose(self.next_id(), position.to_text(), actions, limit, analyse or None)
        self.process.send(to_line(request))

    def chosen(self, position: Position, deadline: float) -> Action:
        """Wait for the requested action in this position, and check that it is legal."""
        return self._checked(self.wait_for(Chosen, deadline), position)

    def found(self, position: Position, deadline: float) -> Analysis | Action:
        """Wait for the engine's next message about this position: an evaluation so far, or the action.

        After the deadline only an action counts, because evaluations may never end.
        """
        is_late = monotonic() >= deadline
        said = self._next(Chosen, deadline, infos=True)
        if isinstance(said, Chosen):
            return self._checked(said, position)
        if is_late:
            raise Late("it did not choose in time")
        try:
            return from_info(said.info, position)
        except ParseError as error:
            raise Fault(f"it sent an invalid info: {error}", to_line(said)) from None

    def stop(self) -> None:
        """Ask the engine to answer the last request now."""
        self.process.send(to_line(Stop(self.last_id)))

    def _checked(self, answered: Chosen, position: Position) -> Action:
        try:
            return position.canonical(answered.action)
        except ParseError as error:
            raise Fault(f"it chose something that is not an action: {error}", to_line(answered)) from None
        except IllegalActionError as error:
            said = f"it chose {answered.action!r}, which is not legal: {error}"
            raise Fault(said, to_line(answered)) from None

    def next_id(self) -> int:
        """Return the id of a new request, and ignore answers to earlier requests from now on."""
        self.last_id += 1
        return self.last_id

    def wait_for(self, kind: type[_Expected], deadline: float) -> _Expected:
        """Wait for the answer to the last request. ``deadline`` is a time of `time.monotonic`.

        An error is a `Fault`, unless ``kind`` is `Refusal`.
        """
        answered = self._next(kind, deadline, infos=False)
        assert isinstance(answered, kind)
        return answered

    def _next(self, kind: type[_Expected], deadline: float, *, infos: bool) -> _Expected | Info:
        """Wait for the answer to the last request, or, with ``infos``, for the next info about it."""
        read_so_far = 0
        while read_so_far <= MOST_OUTPUT:
            if read_so_far and monotonic() > deadline and not self.process.has_line:
                raise Late("it did not answer in time")
            line = self.process.receive(deadline)
            read_so_far += len(line) + 1
            if not line.strip():
                continue
            try:
                found = answer(line)
            except ParseError as error:
                if self._is_old(id_of(line)):
                    continue
                raise Fault(f"it wrote something to stdout that is not a message: {error}", line) from None
            if found is None or self._is_old(found.id):
                continue
            if isinstance(found, Info):
                if infos and found.id == self.last_id:
                    return found
                continue
            if isinstance(found, Refusal) and kind is not Refusal:
                raise Fault(f"it answered with an error: {found.message}", line)
            if found.id not in (self.last_id, None):
                raise Fault(f"it answered request {found.id}, which was never made", line)
            if not isinstance(found, kind):
                raise Fault(f"it answered with {found.kind!r} instead of {kind.kind!r}", line)
            return found
        raise Lost(f"it wrote more than {MOST_OUTPUT} bytes without an answer", line[:80])

    def _is_old(self, number: int | None) -> bool:
        return number is not None and number < self.last_id

    def _wait_at_most(self, kind: type[_Expected], within: float) -> _Expected:
        try:
            return self.wait_for(kind, monotonic() + within)
        except Late:
            raise Late(f"it did not answer with {kind.kind!r} within {within:g} s") from None

    def quit(self, within: float) -> bool:
        """Send quit. Return whether the engine ends by itself ``within`` this many seconds."""
        self.process.send(to_line(Quit()))
        return self.process.has_ended(monotonic() + within)

    def close(self) -> None:
        """End the engine now."""
        self.process.close()


def _square(end: End) -> str:
    return f"{end.terrain[0]}{end.crowns or ''}"


_ENDS = tuple((_square(domino.left), _square(domino.right)) for domino in DOMINOES)
