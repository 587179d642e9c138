"""The level of `king` whose decisions cost as much as a player's.

Costs are compared in points: where a game is decided, even bad decisions cost hardly any win probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from kingdomino._core import Rules

_FEWEST = 12
"""Decisions below which nothing is said."""
_COSTS: dict[tuple[int, bool], tuple[float, ...]] = {
    (2, False): (2.97, 2.65, 2.02, 1.85, 1.50, 0.90, 0.51, 0.07),
}
"""The mean cost of a decision in points, by players and Mighty Duel, from level 1 to the strongest.

Measured by `benches.review` in games of each level with itself (docs/evidence/review.md).
"""


@dataclass(frozen=True, slots=True)
class Level:
    """A level of `king`, 1 the weakest, with a 95% interval."""

    level: int
    low: int
    high: int


def level_of(costs: Sequence[float], rules: Rules) -> Level | None:
    """Give the level whose decisions cost as much, or None if the decisions are too few.

    costs: what each decision with a choice cost, in points.

    The interval is that of the mean cost: 1.96 standard errors to either side.
    """
    known = _COSTS.get((rules.players, rules.mighty_duel))
    if known is None or len(costs) < _FEWEST:
        return None
    mean, error = fmean(costs), 1.96 * stdev(costs) / sqrt(len(costs))

    def nearest(cost: float) -> int:
        return 1 + min(range(len(known)), key=lambda index: abs(known[index] - cost))

    return Level(nearest(mean), nearest(mean + error), nearest(mean - error))
