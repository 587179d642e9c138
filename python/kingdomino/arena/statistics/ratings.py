"""Ratings: one number per bot, from all games at once, so that differences between bots predict results.

The ratings are the maximum-likelihood strengths under the Plackett-Luce model: first place goes to one of the seats
with a probability in proportion to its strength exp(theta), second place to one of the others, and so on (R L Plackett,
Applied Statistics 24, 1975; R D Luce, *Individual Choice Behavior*, 1959). With two seats this is the model of Bradley
and Terry (Biometrika 39, 1952). Copies of one bot are seats of the same strength, so a bot against three copies of
another wins with probability a / (a + 3 b). Seats that share a place have no order: the log-likelihood is the mean over
all their orders, so in a game of two a shared victory is half a win for each. The log-likelihood of the games is

    sum_b places_b theta_b - sum_c times_c log(sum_b members_cb exp(theta_b)),

where a choice c is a set of seats among which a place was given; only ``places`` depends on who got it. Ratings
are on Elo's scale, and depend on the set of games, not on their order.

A bot that has never lost would be rated infinite. So each bot has a prior of half a drawn game, spread evenly over the
bots that it met. For two bots this is half a win for each (Haldane, Annals of Human Genetics 20, 1956; Anscombe,
Biometrika 43, 1956), which also removes most of the bias of the logarithm. Its weight vanishes as games are added, and
it does not connect bots that never met: those cannot be compared.

Intervals are from a Bayesian bootstrap over deals (Rubin, Annals of Statistics 9, 1981): each deal, with all blocks
played on it, gets a weight from the exponential distribution, and each half of a prior draw one from the gamma
distribution with shape 1/2. So no pair of bots ever drops out of a resample. For two bots and single games the
interval is Jeffreys's (Brown, Cai and DasGupta, Statistical Science 16, 2001), which extends far up for a bot that has
never lost; resampled games would all be won again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, exp, inf, log

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from kingdomino.arena.statistics.results import Block, GameResult
from kingdomino.errors import ResultsError

_Floats = NDArray[np.float64]
_RESAMPLES = 1000
_PRIOR = 0.5
"""Drawn games that each bot starts with."""
_NEGLIGIBLE = 1e-8
"""Newton's method stops when one more step would add less to the log-likelihood."""
_POINTS = 400 / log(10)
"""Elo points for one unit of log-odds, about 173.7. 400 points are odds of ten to one, in a game of two
(A E Elo, *The Rating of Chessplayers, Past and Present*, 1978, in the logistic form)."""


def win_rate(elo: float, players: int = 2) -> float:
    """Return the win rate, 0 to 1, of a bot rated ``elo`` points above all its opponents, who are equal.

    In games of n it is 1 / (1 + (n - 1) 10^(-elo / 400)).

    >>> win_rate(0), win_rate(0, players=4)
    (0.5, 0.25)
    """
    odds = exp(-abs(elo) / _POINTS)
    others = players - 1
    return 1 / (1 + others * odds) if elo >= 0 else odds / (odds + others)


@dataclass(frozen=True, slots=True)
class Rating:
    """A bot's rating with the ends of its 95% interval, in Elo points, and the number of its games."""

    bot: str
    value: float
    low: float
    high: float
    games: int


def ratings(blocks: Iterable[Block], anchor: str | None = None, seed: int = 0) -> list[Rating]:
    """Rate all bots, best first.

    The bot ``anchor`` has rating 0 without an interval, and the others' intervals are for their distance to it; without
    an anchor the mean of all bots is 0. ``seed`` is for the bootstrap: the same results and seed give the same ratings.
    With a single deal the intervals are infinite.

    Raises `ResultsError` if there are no games, if the anchor has none, or if neither games nor chains of common
    opponents connect all bots.
    """
    deals: defaultdict[int, list[GameResult]] = defaultdict(list)
    for block in blocks:
        deals[block.number] += block.games
    games = [game for number in sorted(deals) for game in deals[number]]
    if not games:
        raise ResultsError("there are no games, so there are no ratings")
    bots = sorted({bot for game in games for bot in game.bots})
    if anchor is not None and anchor not in bots:
        raise ResultsError(f"the anchor {anchor!r} has no games; there are games of {_listed(bots)}")
    counted = tally([deals[number] for number in sorted(deals)], bots)
    prior = _prior(games, bots)

    generator = np.random.default_rng(seed)
    weights = generator.exponential(size=(_RESAMPLES, len(deals)))
    drawn = 2 * prior * generator.gamma(0.5, size=(_RESAMPLES, *prior.shape))
    values = _POINTS * strengths(_weighted(counted, np.ones((1, len(deals))), prior[None]))
    resampled = _POINTS * strengths(_weighted(counted, weights, drawn))
    if anchor is not None:
        values -= values[:, [bots.index(anchor)]]
        resampled -= resampled[:, [bots.index(anchor)]]
    low, high = np.percentile(resampled, (2.5, 97.5), axis=0)
    # In a chain of bots that never lost, almost all resamples can lie on one side of the estimate.
    low, high = np.minimum(low, values[0]), np.maximum(high, values[0])
    if len(deals) == 1:
        low, high = np.full_like(low, -inf), np.full_like(high, inf)
    played = [sum(bot in game.bots for game in games) for bot in bots]
    rated = map(Rating, bots, values[0].tolist(), low.tolist(), high.tolist(), played)
    return sorted(rated, key=lambda rating: (-rating.value, rating.bot))


def _prior(games: list[GameResult], bots: list[str]) -> _Floats:
    """Return the prior wins of each bot (row) over each other (column), K x K."""
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
    each = _PRIOR * met / np.maximum(met.sum(axis=1, keepdims=True), 1)
    return np.asarray((each + each.T) / 2)


def _weighted(deals: _Tally, weights: _Floats, prior: _Floats) -> _Tally:
    """Add up the deals with R x D weights, and R x K x K prior wins."""
    places = weights @ deals.places + prior.sum(axis=2)
    times = weights @ deals.times
    one, other = np.triu_indices(prior.shape[1], k=1)
    times[:, : len(one)] += prior[:, one, other] + prior[:, other, one]
    return _Tally(deals.members, places, times)


def _listed(bots: Iterable[str]) -> str:
    return ", ".join(map(repr, bots))


@dataclass(frozen=True, slots=True)
class _Tally:
    """The data of the likelihood: R sets of games between K bots, with C kinds of choice.

    ``members`` (C x K) says how many seats of each kind of choice belong to each bot. ``places`` (R x K) and ``times``
    (R x C) count places and choices in each set; they need not be whole numbers.
    """

    members: _Floats
    places: _Floats
    times: _Floats


def tally(studies: Sequence[Iterable[GameResult]], bots: Sequence[str]) -> _Tally:
    """Count the places and choices in each set of games; every bot of a game must be in ``bots``.

    The first choices are always those between two bots, in the order of ``combinations``.
    """
    number = {bot: index for index, bot in enumerate(bots)}
    kinds: dict[tuple[int, ...], int] = {
        pair: index for index, pair in enumerate(combinations(range(len(bots)), 2))
    }
    counts: list[tuple[int, int, float]] = []
    places = np.zeros((len(studies), len(bots)))
    for study, games in enumerate(studies):
        for game in games:
            left = sorted((number[bot], seat) for seat, bot in enumerate(game.bots))
            for bot, _ in left:
                places[study, bot] += 1
            for group in game.ranking:
                for gone in range(len(group)):
                    for ahead in combinations(group, gone):
                        kind = tuple(bot for bot, seat in left if seat not in ahead)
                        counts.append((study, kinds.setdefault(kind, len(kinds)), 1 / comb(len(group), gone)))
                left = [(bot, seat) for bot, seat in left if seat not in group]
    members = np.zeros((len(kinds), len(bots)))
    for kind, index in kinds.items():
        np.add.at(members[index], list(kind), 1)
    times = np.zeros((len(studies), len(kinds)))
    for study, index, weight in counts:
        times[study, index] += weight
    return _Tally(members, places, times)


def strengths(studies: _Tally) -> _Floats:
    """Return the maximum-likelihood theta of each set of games, R x K, with mean 0.

    They must be finite: no group of bots may have won all its games against the others. This is Newton's method with
    the step shortened by log(1 + d) / d, where d is its range, which makes it converge from anywhere (Sun and
    Tran-Dinh, Mathematical Programming 178, 2019: the model is generalised self-concordant).
    """
    members, places, times = studies.members, studies.places, studies.times
    bots = places.shape[1]
    products = (members[:, :, None] * members[:, None, :]).reshape(len(members), -1)
    theta = np.zeros_like(places)
    gain = np.array([np.inf])
    while gain.max() > _NEGLIGIBLE:
        worth = np.exp(theta)
        rate = times / (worth @ members.T)
        expected = worth * (rate @ members)
        shared = ((rate**2 / np.where(times > 0, times, 1)) @ products).reshape(-1, bots, bots)
        curvature = expected[:, :, None] * np.eye(bots) - shared * worth[:, :, None] * worth[:, None, :]
        # Only differences between bots have a likelihood; the added term keeps the mean constant.
        step = np.linalg.solve(curvature + 1 / bots, (places - expected)[:, :, None])[:, :, 0]
        length = np.ptp(step, axis=1, keepdims=True)
        gain = ((places - expected) * step).sum(axis=1)
        theta += step * np.log1p(length) / np.where(length > 0, length, 1)
        theta -= theta.mean(axis=1, keepdims=True)
    return theta
