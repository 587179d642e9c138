"""Means over games, with intervals that allow for the correlation of games on one deal.

The mean of each deal is one observation (`results.block_means`), and deals are independent. All intervals are two-sided
at 95%:

- Scores and margins: Student's t over the deals.
- Win rates: Wilson's score interval (JASA 22, 1927) on the *effective* number of games
  n = p (1 - p) / (s^2 / B), with p the mean and s^2 the variance of the B deals, and Student's t quantile
  with B - 1 degrees of freedom for the normal one. This is usual for proportions from clusters (Franco, Little, Louis
  and Slud, Journal of Survey Statistics and Methodology 7, 2019): the interval stays within 0 and 1 and keeps its
  coverage near them, where Student's is too short. If all deals ended alike the variance cannot be estimated; then
  n = B, as if each deal were one game.

A bootstrap over the deals (percentile or BCa) covers too little near 0 and 1, needs random numbers, and gives [1, 1]
for a bot that won everything. `python -m benches.intervals` measures the coverage of the intervals used here.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from math import inf, sqrt
from statistics import fmean, variance

from scipy.stats import t

from kingdomino.arena.statistics.results import Block, Measure, block_means, margin, score, share


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and the ends of its interval, which contains the true value in 95 of 100 studies."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Summary:
    """A bot's results: the number of its games, its win rate, and its margin and score in points."""

    games: int
    win_rate: Interval
    margin: Interval
    score: Interval


def summarise(blocks: Iterable[Block], bot: str) -> Summary:
    """Estimate a bot's results over all its games; in a game with several seats, each counts.

    Raises `ResultsError` if it played none.
    """
    blocks = tuple(blocks)

    def means(measure: Measure) -> Collection[float]:
        return block_means(blocks, bot, measure).values()

    return Summary(
        sum(bot in game.bots for block in blocks for game in block.games),
        rate_interval(means(share)),
        mean_interval(means(margin)),
        mean_interval(means(score)),
    )


def mean_interval(values: Collection[float]) -> Interval:
    """Return the mean of independent values, with Student's t; the interval of a single value is infinite."""
    mean = fmean(values)
    if len(values) < 2:
        return Interval(mean, -inf, inf)
    half = _quantile(len(values)) * sqrt(variance(values) / len(values))
    return Interval(mean, mean - half, mean + half)


def rate_interval(values: Collection[float]) -> Interval:
    """Return the mean of independent values from 0 to 1, with Wilson's interval on their effective number.

    The interval of a single value is all of [0, 1].
    """
    # Rounding must not push a mean outside.
    rate = min(max(fmean(values), 0.0), 1.0)
    if len(values) < 2:
        return Interval(rate, 0.0, 1.0)
    spread = variance(values)
    games = len(values) * (rate * (1 - rate) / spread if spread > 0 else 1)
    quantile = _quantile(len(values))
    weight = quantile**2 / games
    middle = (rate + weight / 2) / (1 + weight)
    half = quantile * sqrt((rate * (1 - rate) + weight / 4) / games) / (1 + weight)
    return Interval(rate, max(middle - half, 0.0), min(middle + half, 1.0))


def _quantile(values: int) -> float:
    """Student's t for 95%, two-sided."""
    return float(t.ppf(0.975, values - 1))
