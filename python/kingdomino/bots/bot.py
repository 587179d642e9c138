"""What a bot is."""

from abc import abstractmethod
from threading import Event
from typing import Protocol, runtime_checkable

from kingdomino._core import Action, Position
from kingdomino.analysis import Limit


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


@runtime_checkable
class Limited(Protocol):
    """A bot that accepts a limit and can be stopped while it thinks."""

    @abstractmethod
    def choose_within(self, position: Position, limit: Limit, stop: Event) -> Action:
        """One of the position's legal actions, found within the limit.

        Another thread may set ``stop`` at any time, even before the call. The best action found so far is then
        returned at once.
        """
