"""What a bot achieved: in one seat, and on average in each block."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from statistics import fmean
from typing import TypeAlias

from kingdomino.arena.statistics.results import Block, GameResult
from kingdomino.errors import ResultsError

Measure: TypeAlias = Callable[[GameResult, int], float]
"""What one seat of one game is worth: `share`, `margin` or `score`."""


def share(game: GameResult, seat: int) -> float:
    """The seat's share of the victory, 0 to 1. Its mean is the win rate."""
    return game.shares[seat]


def margin(game: GameResult, seat: int) -> float:
    """The seat's score minus the best of all other seats, in points, copies of the same bot among them.

    This is the margin of Gedda, Lagerkvist and Butler (CIG 2018). Parity is 0 for two players only:
    the best of several rivals is more than an average one.
    """
    return game.scores[seat] - max(score for other, score in enumerate(game.scores) if other != seat)


def score(game: GameResult, seat: int) -> float:
    """The seat's score in points."""
    return game.scores[seat]


def block_means(blocks: Iterable[Block], bot: str, measure: Measure) -> dict[int, float]:
    """Give the mean of a measure over the bot's seats for each block number, in ascending order.

    Blocks of one number are one deal and give one mean; deals in which the bot did not play are left
    out. Raises `ResultsError` when it played none.
    """
    values: defaultdict[int, list[float]] = defaultdict(list)
    others: set[str] = set()
    for block in blocks:
        for game in block.games:
            others.update(game.bots)
            values[block.number] += [
                measure(game, seat) for seat, name in enumerate(game.bots) if name == bot
            ]
    means = {number: fmean(values[number]) for number in sorted(values) if values[number]}
    if not means:
        played = f"; there are games of {', '.join(map(repr, sorted(others)))}" if others else ""
        raise ResultsError(f"bot {bot!r} has no games{played}")
    return means
