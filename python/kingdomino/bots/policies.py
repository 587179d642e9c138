"""The engine's policies as bots. They keep no state: the same position always gets the same answer."""

from dataclasses import dataclass
from typing import Literal

from kingdomino._core import Action, Position, choose
from kingdomino.bots.bot import Bot
from kingdomino.bots.spec import canonical, check_seed


@dataclass(frozen=True, slots=True)
class PolicyBot(Bot):
    """Plays by one of these policies. Random choices depend on the position and ``seed``.

    - ``random``: any legal action, with equal probabilities.
    - ``greedy``: the placement that scores most now, preferring ones that leave room and no holes; then the claim
      that fits best. It breaks ties in a fixed order, so the seed has no effect.
    - ``gprd`` (greedy placement, random draft): the placement that scores most now, and a random claim.
    - ``fg`` (full greedy): the placement and the claim that together score most, with the claimed domino placed. Places
      the first and the last domino at random.

    GPRD and FG avoid holes and a castle off centre, and claim the most crowns on one square with their first two
    claims. Source: Magnus Gedda, Mikael Z. Lagerkvist and Martin Butler, "Monte Carlo Methods for
    the Game Kingdomino" (IEEE CIG 2018, arXiv 1807.04458).
    """

    policy: Literal["random", "greedy", "gprd", "fg"]
    seed: int = 0

    def __post_init__(self) -> None:
        check_seed(self.policy, self.seed)

    @property
    def spec(self) -> str:
        """The canonical spec string, with the seed unless it is 0."""
        return canonical(self.policy, seed=self.seed or None)

    def choose(self, position: Position) -> Action:
        """Return the action. Raises `KingdominoError` when the game is over."""
        return choose(position, self.policy, self.seed)


def greedy() -> PolicyBot:
    """Return the bot ``greedy``, which has no seed."""
    return PolicyBot("greedy")
