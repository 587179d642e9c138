"""What a bot is, and how much thought one choice may take."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from threading import Event
from typing import Protocol, runtime_checkable

from kingdomino._core import Action, Position
from kingdomino.errors import KingdominoError
from kingdomino.evaluation import Analysis


@runtime_checkable
class Bot(Protocol):
    """A player that runs in this process: any object with these two members.

    A bot gets a `Position`, which is what everyone at the table sees, and never the deck.
    """

    @property
    @abstractmethod
    def spec(self) -> str:
        """The canonical spec string, from which `kingdomino.bots.make` makes an equal bot."""

    @abstractmethod
    def choose(self, position: Position) -> Action:
        """One of the position's legal actions. The position is not over."""


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


@runtime_checkable
class Limited(Protocol):
    """A bot that accepts a limit and can be stopped while it thinks."""

    @abstractmethod
    def choose_within(self, position: Position, limit: Limit | None, stop: Event) -> Action:
        """One of the position's legal actions, found within the limit; `None` is the bot's own.

        Another thread may set ``stop`` at any time, even before the call. The best action found so far is then
        returned at once.
        """


@runtime_checkable
class Analyst(Protocol):
    """A bot that says what it thinks of every action."""

    @abstractmethod
    def analyses(
        self, position: Position, limit: Limit | None = None, every: float = 0.25, stop: Event | None = None
    ) -> Iterator[Analysis]:
        """Evaluate every legal action, and give the results so far about ``every`` so many seconds and at the end.

        The end is the limit (default: the bot's own), or soon after another thread sets ``stop``. There is at least
        one result.
        """
