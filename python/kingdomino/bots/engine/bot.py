"""A bot that asks an engine in another process, and ends it after three strikes."""

import logging
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields
from threading import Event, Lock
from time import monotonic

from kingdomino._core import Action, Position
from kingdomino.bots.bot import Bot, Limit
from kingdomino.bots.engine.analysis import with_choice
from kingdomino.bots.engine.conversation import Conversation
from kingdomino.bots.engine.process import Fault, Late, Lost, split_command
from kingdomino.bots.policies import PolicyBot
from kingdomino.bots.spec import check_seed
from kingdomino.display import printable
from kingdomino.errors import BotError, EngineError, KingdominoError
from kingdomino.evaluation import Analysis

STRIKES = 3
"""The number of faults that end an engine."""
_LONGEST = 86_400
"""The longest time limit in seconds: a day."""
_QUIT_TIMEOUT = 1.0
"""Seconds for an engine to end by itself after quit."""
_WITHOUT_TIME = 60
"""The time of an analysis whose limit has none, in multiples of the bot's own."""
_POLL = 0.05
"""Seconds between two checks whether an analysis must end."""
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _State:
    """The process and the history of an engine bot."""

    conversation: Conversation | None = None
    asked: Position | None = None
    strikes: list[str] = field(default_factory=list)
    stderr: str = ""
    verdict: EngineError | None = None
    lock: Lock = field(default_factory=Lock)
    closing: bool = False
    """Set without the lock, so that an analysis that holds it can end."""


@dataclass(frozen=True, slots=True)
class Engine(Bot):
    """An engine as a bot, by the protocol of docs/formats/engine.md.

    ``command`` is split like a shell does, but runs without a shell. It cannot contain a comma, which separates options
    in spec strings. ``time`` is the seconds for one choice, and ``playouts`` an additional limit. ``seed`` is for the
    engine's random choices. An answer may be ``grace`` seconds late. The engine may take ``start`` seconds to start,
    and as many to prepare for a game.

    The process starts with the first choice. A late, malformed or illegal answer is a strike; so are too much output
    and a crash. Then `greedy` makes that choice, and a crashed engine starts again. The third strike ends the engine,
    and this and every later choice raises `EngineError`. Strikes count over the life of the bot, so create a new one
    for each game.

    Close it, or use it in a ``with`` statement, to let the engine end by itself. Otherwise it is killed.
    """

    command: str = ""
    time: float = 1.0
    playouts: int | None = None
    seed: int = 0
    grace: float = 0.5
    start: float = 10.0
    _state: _State = field(default_factory=_State, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "command", self.command.strip())
        if "," in self.command or not self.command.isprintable():
            raise BotError(
                f"bot 'engine': {self.command!r} contains a comma or an unprintable character, "
                "which a spec string cannot contain: put the command into a script"
            )
        split_command(self.command)
        check_seed("engine", self.seed)
        for name in ("time", "grace", "start"):
            if not 0 <= (seconds := getattr(self, name)) <= _LONGEST:
                raise BotError(f"bot 'engine': {name} {seconds:g} is not between 0 and {_LONGEST} seconds")
        try:
            self._limit()
        except KingdominoError as error:
            raise BotError(f"bot 'engine': {error}") from None

    @property
    def spec(self) -> str:
        """The canonical spec string, without default options."""
        options = [option for option in fields(self) if option.init and option.name != "command"]
        said = [
            f",{option.name}={str(value).removesuffix('.0')}"
            for option in options
            if (value := getattr(self, option.name)) != option.default
        ]
        return f"engine:command={self.command}{''.join(said)}"

    @property
    def strikes(self) -> tuple[str, ...]:
        """The engine's faults so far, one sentence each."""
        return tuple(self._state.strikes)

    @property
    def follows_its_analyses(self) -> bool:
        """True: the engine's choice is the first action of its analysis."""
        return True

    def choose(self, position: Position) -> Action:
        """Return the engine's action, or greedy's after a fault.

        Raises `EngineError` at the third strike or if the engine does not start, and at every later call;
        `KingdominoError` if the game is over.
        """
        with self._state.lock:
            self._check(position)
            try:
                return self._ready(position).choose(position, self._limit(), self.time, self.grace)
            except Fault as fault:
                self._strike(fault)
            except EngineError as error:
                self._state.verdict = error
                raise
        return PolicyBot("greedy").choose(position)

    def prepare(self, position: Position) -> None:
        """Start the engine and announce the game, which `choose` otherwise does.

        Use it before measuring a choice's time. It ignores failures, because `choose` tries again.
        """
        with self._state.lock, suppress(Fault, EngineError):
            if self._state.verdict is None:
                self._ready(position)

    def try_start(self) -> None:
        """Start and end the engine, to check its command early. Do nothing if it already runs.

        Raises `EngineError`, without a strike, if it does not start or does not answer hello.
        """
        with self._state.lock:
            if self._state.conversation is not None:
                return
            try:
                self._start()
            except Fault as fault:
                message = f"engine {self.command!r} does not answer hello: {fault}{self._last_words()}"
                raise EngineError(message, stderr=self._state.stderr) from None
            finally:
                self._drop()

    def analyse(self, position: Position, limit: Limit | None = None) -> Analysis:
        """Return the engine's evaluation of every legal action within a limit (default: the bot's own).

        The engine's choice is the first action. Missing figures are NaN. Raises `EngineError` after any fault, which
        counts as a strike, and if the bot is closed before the first report; `KingdominoError` if the game is over.
        """
        last = None
        for found in self.analyses(position, limit):
            last = found
        if last is None:
            raise EngineError(f"engine {self.command!r} was closed before it reported anything", self.strikes)
        return last

    def analyses(
        self,
        position: Position,
        limit: Limit | None = None,
        every: float = 0.25,  # noqa: ARG002 - the engine decides how often it reports
        stop: Event | None = None,
    ) -> Generator[Analysis, None, None]:
        """Yield each evaluation as the engine reports it, and at the end one with its choice first.

        ``every`` has no effect. The bot sends stop at the end of the limit's time, or after 60 times its own ``time``
        if the limit has none; when another thread sets ``stop``; and when the iterator is closed. The iterator ends
        early if the bot is closed or gets another request meanwhile. Errors as for `analyse`.
        """
        limit, state = limit or self._limit(), self._state
        analysis, stopped, finished = None, False, False
        with state.lock, self._striking():
            self._check(position)
            conversation = self._ready(position)
            conversation.ask(position, limit, analyse=True)
            request, deadline = conversation.last_id, monotonic() + (limit.time or _WITHOUT_TIME * self.time)
        try:
            while not finished and not state.closing:
                with state.lock, self._striking():
                    if state.conversation is not conversation or conversation.last_id != request:
                        return
                    must_stop = monotonic() >= deadline or (stop is not None and stop.is_set())
                    if must_stop and not stopped:
                        conversation.stop()
                        stopped, deadline = True, monotonic() + self.grace
                    try:
                        found = conversation.found(position, min(deadline, monotonic() + _POLL))
                    except Late:
                        if stopped and monotonic() >= deadline:
                            raise Late(f"it did not choose within {self.grace:g} s after stop") from None
                        continue
                finished = isinstance(found, Action)
                analysis = with_choice(analysis, found, position) if isinstance(found, Action) else found
                yield analysis
        finally:
            with state.lock:
                if not finished and state.conversation is conversation and conversation.last_id == request:
                    conversation.stop()

    def close(self) -> None:
        """Send quit, and kill the engine if it does not end. A later choice starts it again.

        An analysis in another thread ends. A choice there finishes first.
        """
        state = self._state
        state.closing = True
        with state.lock:
            state.closing = False
            if (conversation := state.conversation) is not None:
                conversation.quit(_QUIT_TIMEOUT)
            self._drop()

    def __reduce__(self) -> tuple[object, ...]:
        """Copy and pickle as a new engine that has not started."""
        return Engine, (self.command, self.time, self.playouts, self.seed, self.grace, self.start)

    def _limit(self) -> Limit:
        return Limit(self.time, self.playouts)

    def _check(self, position: Position) -> None:
        if self._state.verdict is not None:
            raise EngineError(*self._state.verdict.args)
        if position.to_move is None:
            why = "the game is over" if position.is_over else "no seat is to move"
            raise KingdominoError(f"{why}: there is nothing to choose")

    def _ready(self, position: Position) -> Conversation:
        """Return the engine, started and prepared for the game of this position."""
        state = self._state
        conversation = state.conversation or self._start()
        if position.to_move is not None and not _goes_on(state.asked, position):
            state.asked = None
            conversation.begin(position.rules, position.to_move, self.seed, self.start)
        state.asked = position
        return conversation

    def _start(self) -> Conversation:
        state = self._state
        state.conversation, state.asked = Conversation(split_command(self.command)), None
        try:
            state.conversation.introduce(self.start)
        except BaseException:
            self._drop()
            raise
        return state.conversation

    def _strike(self, fault: Fault) -> None:
        state = self._state
        state.strikes.append(str(fault) if fault.line is None else f"{fault} ({fault.line[:80]!r})")
        _log.warning("engine %r, strike %d: %s", self.command, len(state.strikes), state.strikes[-1])
        if isinstance(fault, Lost) or len(state.strikes) == STRIKES:
            self._drop()
        if len(state.strikes) == STRIKES:
            said = "; ".join(f"{number}. {strike}" for number, strike in enumerate(state.strikes, 1))
            message = f"engine {self.command!r} was ended after three strikes: {said}{self._last_words()}"
            state.verdict = EngineError(message, self.strikes, state.stderr)
            raise EngineError(*state.verdict.args) from fault

    @contextmanager
    def _striking(self) -> Iterator[None]:
        """Count a fault as a strike and raise `EngineError`, because no other bot can take over an analysis."""
        try:
            yield
        except Fault as fault:
            self._strike(fault)
            message = f"engine {self.command!r}: {fault}"
            raise EngineError(message, self.strikes, self._state.stderr) from None
        except EngineError as error:
            self._state.verdict = error
            raise

    def _last_words(self) -> str:
        """Quote the last line of an ended engine's stderr, if any."""
        lines = self._state.stderr.splitlines()
        return f"; the last line of its stderr: {printable(lines[-1])}" if lines else ""

    def _drop(self) -> None:
        state = self._state
        if state.conversation is not None:
            state.conversation.close()
            state.stderr = state.conversation.process.stderr
            state.conversation = None


def _goes_on(before: Position | None, after: Position) -> bool:
    """Whether ``after`` can follow ``before`` in the same game, for the same player."""
    return (
        before is not None
        and (before.rules, before.to_move) == (after.rules, after.to_move)
        and before.round <= after.round
        and before.unseen >= after.unseen
    )
