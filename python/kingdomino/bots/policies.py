"""The engine's policies as bots. They keep no memory: the same position always gets the same answer."""

from dataclasses import dataclass
from typing import Literal

from kingdomino._core import Action, Position, choose
from kingdomino.bots.spec import canonical, check_seed


@dataclass(frozen=True, slots=True)
class PolicyBot:
    """Plays one of these policies; what is left to chance follows from position and ``seed``.

    - ``random``: any legal action, each as likely as the others.
    - ``greedy``: the placement that scores most now, with room kept and holes avoided; the claim that then fits
      best. Ties have a fixed order, so the seed changes nothing.
    - ``gprd`` (greedy placement, random draft): the placement that scores most now, any claim.
    - ``fg`` (full greedy): the placement and the claim after which, with the claimed domino placed, it scores most.
      Places the first and the last domino at random.

    GPRD and FG avoid holes and a castle that is not in the middle, and claim the most crowns on one square with
    their first two claims. Source: Magnus Gedda, Mikael Z. Lagerkvist and Martin Butler, "Monte Carlo Methods for
    the Game Kingdomino" (IEEE CIG 2018, arXiv 1807.04458).
    """

    policy: Literal["random", "greedy", "gprd", "fg"]
    seed: int = 0

    def __post_init__(self) -> None:
        check_seed(self.policy, self.seed)

    @property
    def spec(self) -> str:
        """The canonical spec string: the seed is named unless it is 0."""
        return canonical(self.policy, seed=self.seed or None)

    def choose(self, position: Position) -> Action:
        """Give the action. Raises `KingdominoError` when the game is over."""
        return choose(position, self.policy, self.seed)

    def __str__(self) -> str:
        return self.spec


def greedy() -> PolicyBot:
    """Make the bot ``greedy``, which takes no seed."""
    return PolicyBot("greedy")
