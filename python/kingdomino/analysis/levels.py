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
    (3, False): (3.35, 2.67, 2.21, 1.95, 1.54, 0.88, 0.67, 0.04),
    (4, False): (3.22, 2.62, 2.57, 1.91, 1.37, 0.82, 0.57, 0.04),
    (2, True): (3.90, 3.12, 2.37, 2.21, 2.03, 1.95, 1.59, 0.14),
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
    """Return the level whose decisions cost as much, or None if the decisions are too few.

    costs: what each decision with a choice cost, in points.

    The interval is that of the mean cost: 1.96 standard errors to either side.
    """
    known = _COSTS[rules.players, rules.mighty_duel]
    if len(costs) < _FEWEST:
        return None
    mean, error = fmean(costs), 1.96 * stdev(costs) / sqrt(len(costs))

    def nearest(cost: float) -> int:
        return 1 + min(range(len(known)), key=lambda index: abs(known[index] - cost))

    return Level(nearest(mean), nearest(mean + error), nearest(mean - error))
