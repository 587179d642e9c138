"""What a bot is, and how much thought one choice may take."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from threading import Event
from typing import Self

from kingdomino._core import Action, Position
from kingdomino.errors import BotError, KingdominoError
from kingdomino.evaluation import Analysis


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit on the thought for one choice: seconds, playouts, or both, whichever is reached first.

    Raises `KingdominoError` unless at least one is given, and both are above 0.
    """

    time: float | None = None
    playouts: int | None = None

    def __post_init__(self) -> None:
        if self.time is None and self.playouts is None:
            raise KingdominoError("a limit needs a time, a number of playouts, or both")
        if self.time is not None and not 0 < self.time < inf:
            raise KingdominoError(f"a limit's time is a number of seconds above 0, not {self.time}")
        if self.playouts is not None and (type(self.playouts) is not int or self.playouts < 1):
            raise KingdominoError(f"a number of playouts is a whole number from 1, not {self.playouts}")


class Bot(ABC):
    """A player that runs in this process, or that asks an engine in another one.

    A bot derives from this class and has a `spec` and a method `choose`; the rest may stay as it is. It gets a
    `Position`, which is what everyone at the table sees, and never the deck.

    A ``with`` statement closes the bot at its end. ``str`` is the spec.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def spec(self) -> str:
        """The canonical spec string, from which `kingdomino.bots.make` makes an equal bot."""

    @abstractmethod
    def choose(self, position: Position) -> Action:
        """Return one of the position's legal actions. The position is not over."""

    def choose_within(
        self,
        position: Position,
        limit: Limit | None,  # noqa: ARG002 - for bots that think longer
        stop: Event,  # noqa: ARG002
    ) -> Action:
        """Return one of the position's legal actions, found within the limit; `None` is the bot's own.

        Another thread may set ``stop`` at any time, even before the call. The best action found so far is then
        returned at once. A bot that does not override this chooses as ever, without regard to both.
        """
        return self.choose(position)

    @property
    def follows_its_analyses(self) -> bool:
        """Whether the bot analyses positions, and always plays the action that its analysis has first."""
        return False

    def analyse(self, position: Position, limit: Limit | None = None) -> Analysis:
        """Evaluate every legal action, within a limit (default: the bot's own).

        Raises `BotError` for a bot that does not analyse.
        """
        *_, last = self.analyses(position, limit)
        return last

    def analyses(
        self,
        position: Position,  # noqa: ARG002 - for bots that analyse
        limit: Limit | None = None,  # noqa: ARG002
        every: float = 0.25,  # noqa: ARG002
        stop: Event | None = None,  # noqa: ARG002
    ) -> Iterator[Analysis]:
        """Evaluate every legal action, and yield the results so far about every ``every`` seconds and at the end.

        The end is the limit (default: the bot's own), or soon after another thread sets ``stop``. There is at least
        one result. Raises `BotError` for a bot that does not analyse.
        """
        raise BotError(f"bot {self.spec!r} does not analyse positions; 'king' does")

    def close(self) -> None:  # noqa: B027 - most bots hold nothing
        """Let go of what the bot holds, like a process. It may be called more than once."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __str__(self) -> str:
        return self.spec
