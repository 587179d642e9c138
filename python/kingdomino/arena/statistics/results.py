"""Results of games, and measures of a bot's results: for one seat, and on average in each block."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import isclose
from statistics import fmean
from typing import TypeAlias

from kingdomino.errors import ResultsError


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of one game. Every tuple except ``ranking`` has one entry per seat.

    ``bots`` names the bot in each seat (copies of one bot have one name), ``scores`` are points, ``shares`` are
    shares of the victory (1 for a single winner, 1/k for each of k winners, else 0), and ``ranking`` groups the
    seats by place, best first: ``((2,), (0, 1))`` has a shared second place. Because of tie-breaks and games lost by
    default, the ranking may differ from the order of scores. Raises `ResultsError` for contradictory parts.
    """

    bots: tuple[str, ...]
    scores: tuple[int, ...]
    shares: tuple[float, ...]
    ranking: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        seats = len(self.bots)
        if seats < 2:
            raise ResultsError(f"a game has two seats or more, not {seats}")
        if not len(self.scores) == len(self.shares) == seats:
            raise ResultsError(
                f"{seats} bots, {len(self.scores)} scores and {len(self.shares)} shares in one game"
            )
        if not all(self.ranking) or sorted(sum(self.ranking, ())) != list(range(seats)):
            raise ResultsError(f"the ranking {self.ranking} does not name each of {seats} seats once")
        winners = self.ranking[0]
        for seat, share in enumerate(self.shares):
            due = 1 / len(winners) if seat in winners else 0.0
            if not isclose(share, due, abs_tol=1e-9):
                raise ResultsError(f"seat {seat} has {share:g} of the victory; by the ranking it is {due:g}")


@dataclass(frozen=True, slots=True)
class Block:
    """One deal played with the seats rotated: ``number`` names the deal, ``games`` has one game a rotation.

    Blocks of other bots with the same number have the same deal. Raises `ResultsError` for a block without games, or
    with games between different bots.
    """

    number: int
    games: tuple[GameResult, ...]

    def __post_init__(self) -> None:
        if not self.games:
            raise ResultsError(f"block {self.number} has no games")
        first, *others = (sorted(game.bots) for game in self.games)
        for other in others:
            if other != first:
                raise ResultsError(
                    f"block {self.number} has games between {', '.join(first)} and between {', '.join(other)}"
                )


Measure: TypeAlias = Callable[[GameResult, int], float]
"""A figure of one seat in one game: `share`, `margin` or `score`."""


def share(game: GameResult, seat: int) -> float:
    """Return the seat's share of the victory, 0 to 1. Its mean is the win rate."""
    return game.shares[seat]


def margin(game: GameResult, seat: int) -> float:
    """Return the seat's score minus the best score of the other seats, in points; copies of the same bot count.

    This is the margin of Gedda, Lagerkvist and Butler (CIG 2018). Parity is 0 only for two players, because the best
    of several opponents scores more than the average one.
    """
    return game.scores[seat] - max(score for other, score in enumerate(game.scores) if other != seat)


def score(game: GameResult, seat: int) -> float:
    """Return the seat's score in points."""
    return game.scores[seat]


def block_means(blocks: Iterable[Block], bot: str, measure: Measure) -> dict[int, float]:
    """Return the mean of a measure over the bot's seats for each block number, in ascending order.

    Blocks with the same number are one deal and give one mean. Deals without the bot are missing. Raises `ResultsError`
    if it played none.
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
