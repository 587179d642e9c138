"""What a bot is: a spec string and a choice."""

from abc import abstractmethod
from typing import Protocol, runtime_checkable

from kingdomino._core import Action, Position


@runtime_checkable
class Bot(Protocol):
    """A player that runs in this process. Any object with these two members is one.

    A bot sees a `Position`, which is what everyone at the table sees, and never the deck.
    """

    @property
    @abstractmethod
    def spec(self) -> str:
        """The canonical spec string: `kingdomino.bots.make` of it gives an equal bot."""

    @abstractmethod
    def choose(self, position: Position) -> Action:
        """One of the position's legal actions. The position is not over."""
