"""Ratings: one number a bot, from all games at once, so that differences predict results.

The likeliest strengths under Plackett and Luce's model (`plackett_luce`; Bradley and Terry's for two
players) on the scale of `elo`. They are solved anew from all games; nothing depends on their order.

A bot that has never lost would be rated infinite. So each bot is lent half a drawn game, spread evenly over
the bots that it met. For two bots this is half a win for each (Haldane, Annals of Human Genetics 20, 1956;
Anscombe, Biometrika 43, 1956), which also takes out most of the bias of the logarithm; for more its weight
against the real games vanishes. It does not draw bots together that never met: those cannot be compared.

Intervals are from a Bayesian bootstrap over deals (Rubin, Annals of Statistics 9, 1981): each deal, with all
blocks played on it, gets a weight from the exponential distribution, and each half of a lent draw one from
the gamma distribution with shape 1/2. No pair of bots ever drops out of a resample, and for two bots and
single games the interval is Jeffreys's (Brown, Cai and DasGupta, Statistical Science 16, 2001), which reaches
far up for a bot that has never lost, where resampled games would all be won again.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from math import inf

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from kingdomino.arena.statistics.elo import POINTS
from kingdomino.arena.statistics.plackett_luce import Tally, strengths, tally
from kingdomino.arena.statistics.results import Block, GameResult
from kingdomino.errors import ResultsError

_RESAMPLES = 1000
_LENT = 0.5


@dataclass(frozen=True, slots=True)
class Rating:
    """A bot's rating with the ends of its 95% interval, in Elo points, and the number of its games."""

    bot: str
    value: float
    low: float
    high: float
    games: int


def ratings(
    blocks: Iterable[Block], anchor: str | None = None, seed: int = 0, *, at: float = 0.0
) -> list[Rating]:
    """Rate all bots, best first.

    The bot ``anchor`` is rated ``at`` without an interval, and those of the others are about their distance
    from it; without an anchor the mean of all bots stands at ``at``. ``seed`` is the bootstrap's; the
    same results and seed give the same ratings. From a single deal the intervals are endless.

    Raises `ResultsError` when there are no games, when the anchor has none, and when some bots have
    neither met nor have a chain of common opponents.
    """
    deals: defaultdict[int, list[GameResult]] = defaultdict(list)
    for block in blocks:
        deals[block.number] += block.games
    games = [game for number in sorted(deals) for game in deals[number]]
    if not games:
        raise ResultsError("there are no games to rate bots by")
    bots = sorted({bot for game in games for bot in game.bots})
    if anchor is not None and anchor not in bots:
        raise ResultsError(f"the anchor {anchor!r} has no games; there are games of {_listed(bots)}")
    counted = tally([deals[number] for number in sorted(deals)], bots)
    lent = _lent(games, bots)

    generator = np.random.default_rng(seed)
    weights = generator.exponential(size=(_RESAMPLES, len(deals)))
    drawn = 2 * lent * generator.gamma(0.5, size=(_RESAMPLES, *lent.shape))
    values = POINTS * strengths(_weighted(counted, np.ones((1, len(deals))), lent[None]))
    resampled = POINTS * strengths(_weighted(counted, weights, drawn))
    if anchor is not None:
        values -= values[:, [bots.index(anchor)]]
        resampled -= resampled[:, [bots.index(anchor)]]
    low, high = np.percentile(resampled, (2.5, 97.5), axis=0)
    # Along a chain of bots that never lost, the estimate can lie beyond nearly all of its resamples.
    low, high = at + np.minimum(low, values[0]), at + np.maximum(high, values[0])
    if len(deals) == 1:
        low, high = np.full_like(low, -inf), np.full_like(high, inf)
    played = [sum(bot in game.bots for game in games) for bot in bots]
    rated = map(Rating, bots, (at + values[0]).tolist(), low.tolist(), high.tolist(), played)
    return sorted(rated, key=lambda rating: (-rating.value, rating.bot))


def _lent(games: list[GameResult], bots: list[str]) -> NDArray[np.float64]:
    """The wins that are lent to each bot (row) over each other (column), K x K."""
    met = np.zeros((len(bots), len(bots)))
    for lineup in {game.bots for game in games}:
        for one, other in combinations(sorted({bots.index(bot) for bot in lineup}), 2):
            met[one, other] = met[other, one] = 1
    parts, part = connected_components(csr_array(met), directed=False)
    if parts > 1:
        apart = [
            _listed(bot for bot, of in zip(bots, part, strict=True) if of == which) for which in range(parts)
        ]
        raise ResultsError(
            "no games connect these bots, so they cannot be rated together: " + " | ".join(apart)
        )
    each = _LENT * met / np.maximum(met.sum(axis=1, keepdims=True), 1)
    return np.asarray((each + each.T) / 2)


def _weighted(deals: Tally, weights: NDArray[np.float64], lent: NDArray[np.float64]) -> Tally:
    """Add up the deals with R x D weights, and R x K x K wins that are lent."""
    places = weights @ deals.places + lent.sum(axis=2)
    times = weights @ deals.times
    one, other = np.triu_indices(lent.shape[1], k=1)
    times[:, : len(one)] += lent[:, one, other] + lent[:, other, one]
    return Tally(deals.members, places, times)


def _listed(bots: Iterable[str]) -> str:
    return ", ".join(map(repr, bots))
