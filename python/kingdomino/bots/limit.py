"""How much thought one choice may take, and the bots that can be told."""

from abc import abstractmethod
from dataclasses import dataclass
from math import isfinite
from threading import Event
from typing import Protocol, runtime_checkable

from kingdomino._core import Action, Position
from kingdomino.errors import KingdominoError


@dataclass(frozen=True, slots=True)
class Limit:
    """Seconds of thought, a number of playouts, or both: whichever is reached first.

    Raises `KingdominoError` for a limit that limits nothing or that leaves nothing.
    """

    time: float | None = None
    playouts: int | None = None

    def __post_init__(self) -> None:
        if self.time is None and self.playouts is None:
            raise KingdominoError("a limit needs a time, a number of playouts, or both")
        if self.time is not None and not (isfinite(self.time) and self.time > 0):
            raise KingdominoError(f"a limit's time is a number of seconds above 0, not {self.time}")
        if self.playouts is not None and self.playouts < 1:
            raise KingdominoError(f"a limit's playouts are a whole number from 1, not {self.playouts}")


@runtime_checkable
class Limited(Protocol):
    """A bot that can be told how long to think and can be stopped while it does."""

    @abstractmethod
    def choose_within(self, position: Position, limit: Limit, stop: Event) -> Action:
        """One of the position's legal actions, found within the limit.

        Another thread may set ``stop`` at any time, also before the call: the best action found so far
        is then given at once.
        """
