"""The built-in bots: the engine's policies, one choice at a time.

They remember nothing and draw from no generator: the same position is always answered in the same
way. Imports `options`, `spec` and `_core`.
"""

from dataclasses import dataclass

from kingdomino._core import Action, Position, choose
from kingdomino.bots.options import check_seed
from kingdomino.bots.spec import canonical


@dataclass(frozen=True, slots=True)
class Random:
    """Any legal action, each as likely as the others; which one follows from position and seed."""

    seed: int = 0

    def __post_init__(self) -> None:
        check_seed("random", self.seed)

    @property
    def spec(self) -> str:
        """The canonical spec string: the seed is named unless it is 0."""
        return canonical("random", seed=self.seed or None)

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
