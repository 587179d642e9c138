"""A bot that asks an engine in another process: three strikes and it is out."""

import logging
from dataclasses import dataclass, field, fields
from threading import Lock
from typing import Self

from kingdomino._core import Action, Position
from kingdomino.bots.engine.command import words
from kingdomino.bots.engine.conversation import Conversation
from kingdomino.bots.engine.faults import Fault, Lost
from kingdomino.bots.limit import Limit
from kingdomino.bots.options import check_seed
from kingdomino.bots.policies import PolicyBot
from kingdomino.errors import BotError, EngineError, KingdominoError

STRIKES = 3
"""How many faults end an engine."""
_LONGEST = 86_400
"""The most seconds that anything may take: a day."""
_LEAVING = 1.0
"""Seconds that an engine has to end by itself once it was told to."""
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Seat:
    """What one engine bot remembers of its process."""

    conversation: Conversation | None = None
    asked: Position | None = None
    strikes: list[str] = field(default_factory=list)
    stderr: str = ""
    verdict: EngineError | None = None
    lock: Lock = field(default_factory=Lock)


@dataclass(frozen=True, slots=True)
class Engine:
    """The bot that a command speaks for, by the protocol of docs/formats/engine.md.

    ``command`` is split as a shell would, but no shell runs it; in a spec string it can hold no comma.
    ``time`` is the seconds for one choice and ``playouts`` an additional limit; ``seed`` is for what the
    engine leaves to chance. Lateness is forgiven for ``grace`` seconds; ``start`` is how many it may take
    to start and to get ready for a game.

    The process starts with the first choice. An answer that is late, nonsense or not legal, too much
    output and a crash are a strike each: `greedy` makes that choice, and what crashed is started again. At
    the third strike the engine is ended, and this and every later choice raises `EngineError`. Strikes
    are counted over the life of the bot, so a bot is made anew for every game that is to start without.

    Close it, or use it in a ``with``, to let the engine end by itself; what is merely forgotten is ended.
    """

    command: str = ""
    time: float = 1.0
    playouts: int | None = None
    seed: int = 0
    grace: float = 0.5
    start: float = 10.0
    _seat: _Seat = field(default_factory=_Seat, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "command", self.command.strip())
        if "," in self.command or not self.command.isprintable():
            raise BotError(
                f"bot 'engine': {self.command!r} has a comma or a letter that cannot be printed in it, "
                "which no spec string can hold: put the command into a script of its own"
            )
        words(self.command)
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
        """The canonical spec string: options that have their default are left out."""
        options = [option for option in fields(self) if option.init and option.name != "command"]
        said = [
            f",{option.name}={str(value).removesuffix('.0')}"
            for option in options
            if (value := getattr(self, option.name)) != option.default
        ]
        return f"engine:command={self.command}{''.join(said)}"

    @property
    def strikes(self) -> tuple[str, ...]:
        """What the engine did wrong so far, a sentence each."""
        return tuple(self._seat.strikes)

    def choose(self, position: Position) -> Action:
        """Give the engine's action, or that of its stand-in.

        Raises `EngineError` at the third strike, when it cannot be started at all, and ever after;
        `KingdominoError` when the game is over.
        """
        with self._seat.lock:
            if self._seat.verdict is not None:
                raise EngineError(*self._seat.verdict.args)
            if position.is_over:
                raise KingdominoError("the game is over: there is nothing to choose")
            try:
                return self._ask(position)
            except Fault as fault:
                self._strike(fault)
            except EngineError as error:
                self._seat.verdict = error
                raise
        return PolicyBot("greedy").choose(position)

    def close(self) -> None:
        """Tell the engine to quit, and end it where it does not. A later choice starts it again."""
        with self._seat.lock:
            if (conversation := self._seat.conversation) is not None:
                conversation.quit(_LEAVING)
            self._drop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[object, ...]:
        """Copies and pickles are engines of their own, which have not started."""
        return Engine, (self.command, self.time, self.playouts, self.seed, self.grace, self.start)

    def __str__(self) -> str:
        return self.spec

    def _limit(self) -> Limit:
        return Limit(self.time, self.playouts)

    def _ask(self, position: Position) -> Action:
        seat = self._seat
        conversation = seat.conversation or self._start()
        if position.to_move is not None and not _goes_on(seat.asked, position):
            seat.asked = None
            conversation.begin(position.rules, position.to_move, self.seed, self.start)
        seat.asked = position
        return conversation.choose(position, self._limit(), self.time, self.grace)

    def _start(self) -> Conversation:
        seat = self._seat
        seat.conversation, seat.asked = Conversation(words(self.command)), None
        try:
            seat.conversation.introduce(self.start)
        except BaseException:
            self._drop()
            raise
        return seat.conversation

    def _strike(self, fault: Fault) -> None:
        seat = self._seat
        seat.strikes.append(str(fault) if fault.line is None else f"{fault} ({fault.line[:80]!r})")
        _log.warning("engine %r, strike %d: %s", self.command, len(seat.strikes), seat.strikes[-1])
        if isinstance(fault, Lost) or len(seat.strikes) == STRIKES:
            self._drop()
        if len(seat.strikes) == STRIKES:
            said = "; ".join(f"{number}. {strike}" for number, strike in enumerate(seat.strikes, 1))
            last = f"; the last line of its stderr: {seat.stderr.splitlines()[-1]}" if seat.stderr else ""
            message = f"engine {self.command!r} was ended after three strikes: {said}{last}"
            seat.verdict = EngineError(message, self.strikes, seat.stderr)
            raise EngineError(*seat.verdict.args) from fault

    def _drop(self) -> None:
        seat = self._seat
        if seat.conversation is not None:
            seat.conversation.close()
            seat.stderr = seat.conversation.process.stderr
            seat.conversation = None


def _goes_on(before: Position | None, after: Position) -> bool:
    """Whether a position can come later in the same game, for the same seat."""
    return (
        before is not None
        and (before.rules, before.to_move) == (after.rules, after.to_move)
        and before.round <= after.round
        and before.unseen >= after.unseen
    )
