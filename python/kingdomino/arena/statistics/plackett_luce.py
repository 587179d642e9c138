"""The likelihood of rankings, and the strengths that make it greatest.

Plackett and Luce's model: first place goes to one of the seats with a probability in proportion to its
strength exp(theta), second place to one of the rest, and so on (R L Plackett, Applied Statistics 24,
1975; R D Luce, *Individual Choice Behavior*, 1959). With two seats this is the model of Bradley and
Terry (Biometrika 39, 1952). Copies of one bot are seats of one strength, so a bot against three copies
of another wins with a probability of a / (a + 3 b).

Seats that share a place have no order. The logarithm of the likelihood is the mean over all their
orders, which in a game of two makes a shared victory half a win for each.

The log-likelihood of any number of games is then

    sum_b places_b theta_b - sum_c times_c log(sum_b members_cb exp(theta_b)),

where a choice c is a set of seats among which a place was given: who was chosen matters only in places.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from kingdomino.arena.statistics.results import GameResult

_Floats = NDArray[np.float64]
_NEGLIGIBLE = 1e-8
"""What one more step could still add to the log-likelihood."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What the likelihood needs to know of studies of K bots that were given places in C kinds of choice.

    ``members`` is C x K: how many seats of each kind of choice belong to each bot. ``places`` (R x K) and
    ``times`` (R x C) count places and choices in each of R studies; they need not be whole.
    """

    members: _Floats
    places: _Floats
    times: _Floats


def tally(studies: Sequence[Iterable[GameResult]], bots: Sequence[str]) -> Tally:
    """Count the places and choices in each study; every bot of a game must be in ``bots``.

    The choices always include those between two bots, in the order of ``combinations``, first.
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
    return Tally(members, places, times)


def strengths(studies: Tally) -> _Floats:
    """The likeliest theta of each study, R x K, with mean 0.

    They must be finite: no part of the bots may have beaten all others always. Newton's method with
    the step shortened by log(1 + d) / d, where d is its range, which makes it converge from anywhere
    (Sun and Tran-Dinh, Mathematical Programming 178, 2019: the model is generalised self-concordant).
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
        # Only differences have a likelihood; the added term keeps the mean where it is.
        step = np.linalg.solve(curvature + 1 / bots, (places - expected)[:, :, None])[:, :, 0]
        length = np.ptp(step, axis=1, keepdims=True)
        gain = ((places - expected) * step).sum(axis=1)
        theta += step * np.log1p(length) / np.where(length > 0, length, 1)
        theta -= theta.mean(axis=1, keepdims=True)
    return theta
