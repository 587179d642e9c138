"""The base class of bots, and the limit on a choice."""

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
    """A limit for one choice: seconds, playouts, or both, whichever is reached first.

    Raises `KingdominoError` if both are missing, or one is not above 0.
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
    """A player that runs in this process or asks an engine in another one.

    A bot derives from this class and has a `spec` and a method `choose`; all else is optional. It gets a `Position`,
    which contains only what everyone at the table sees, never the deck.

    A ``with`` statement closes the bot at its end. ``str`` is the spec.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def spec(self) -> str:
        """The canonical spec string, from which `kingdomino.bots.make` creates an equal bot."""

    @abstractmethod
    def choose(self, position: Position) -> Action:
        """Return one of the position's legal actions. The game is not over."""

    def choose_within(
        self,
        position: Position,
        limit: Limit | None,  # noqa: ARG002 - for bots that think longer
        stop: Event,  # noqa: ARG002
    ) -> Action:
        """Return a legal action within the limit; `None` is the bot's own limit.

        Another thread may set ``stop`` at any time, even before the call: then return the best action so far at once.
        By default this ignores both, and calls `choose`.
        """
        return self.choose(position)

    @property
    def follows_its_analyses(self) -> bool:
        """Whether the bot analyses positions, and always plays the first action of its analysis."""
        return False

    def analyse(self, position: Position, limit: Limit | None = None) -> Analysis:
        """Evaluate every legal action within a limit (default: the bot's own).

        Raises `BotError` if the bot does not analyse.
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

        It ends at the limit (default: the bot's own), or soon after another thread sets ``stop``. There is at least one
        result. Raises `BotError` if the bot does not analyse.
        """
        raise BotError(f"bot {self.spec!r} does not analyse positions; 'king' does")

    def close(self) -> None:  # noqa: B027 - most bots hold nothing
        """Release resources, such as a process. Repeated calls are harmless."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __str__(self) -> str:
        return self.spec
