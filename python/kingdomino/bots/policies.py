"""The built-in bots: the engine's policies, one choice at a time.

They remember nothing and draw from no generator: the same position is always answered in the same
way. Imports `_core` and `errors`.
"""

from dataclasses import dataclass

from kingdomino._core import Action, Position, choose
from kingdomino.errors import BotError


@dataclass(frozen=True, slots=True)
class Random:
    """Any legal action, each as likely as the others; which one follows from position and seed."""

    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.seed < 2**64:
            raise BotError(f"bot 'random': seed {self.seed} is not between 0 and 2**64 - 1")

    @property
    def spec(self) -> str:
        """The canonical spec string: the seed is named unless it is 0."""
        return f"random:seed={self.seed}" if self.seed else "random"

    def choose(self, position: Position) -> Action:
        """Give the action. Raises `KingdominoError` when the game is over."""
        return choose(position, "random", self.seed)

    def __str__(self) -> str:
        return self.spec


@dataclass(frozen=True, slots=True)
class Greedy:
    """The placement that scores most now, with room kept and holes avoided; the claim that then fits best.

    Among equals it has a fixed order, so there is no chance in it.
    """

    @property
    def spec(self) -> str:
        """The canonical spec string."""
        return "greedy"

    def choose(self, position: Position) -> Action:
        """Give the action. Raises `KingdominoError` when the game is over."""
        return choose(position, "greedy", seed=0)

    def __str__(self) -> str:
        return self.spec
