"""Results for the tests of the statistics."""

from collections.abc import Iterable, Sequence

import numpy as np

from kingdomino.arena.statistics import Block, GameResult


def game(bots: str | Sequence[str], *places: Iterable[int], scores: Sequence[int] = ()) -> GameResult:
    """Return a game in which the bots took these places, best first; scores are 0 unless given."""
    ranking = tuple(tuple(place) for place in places)
    shares = tuple(1 / len(ranking[0]) if seat in ranking[0] else 0.0 for seat in range(len(bots)))
    return GameResult(tuple(bots), tuple(scores) or (0,) * len(bots), shares, ranking)


def duel(one: str, other: str, share: float) -> GameResult:
    """Return a game of two in which ``one`` has this share of the victory: 0, 0.5 or 1."""
    return game((one, other), *{1.0: ([0], [1]), 0.5: ([0, 1],), 0.0: ([1], [0])}[share])


def duels(one: str, other: str, shares: Iterable[float], first: int = 0) -> list[Block]:
    """Return blocks of one game each, numbered from ``first``."""
    return [Block(first + index, (duel(one, other, share),)) for index, share in enumerate(shares)]


def ranked(thetas: dict[str, float], bots: Iterable[str], generator: np.random.Generator) -> GameResult:
    """Draw a game from Plackett and Luce's model: the order of strengths with Gumbel noise."""
    bots = [str(bot) for bot in bots]
    noisy = [thetas[bot] + generator.gumbel() for bot in bots]
    return game(bots, *([int(seat)] for seat in np.argsort(noisy)[::-1]))
