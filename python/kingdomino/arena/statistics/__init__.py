"""Statistics of games: estimates with intervals, a sequential test, ratings.

Everything here is a pure function of results. The unit is the deal: a block is one deal played with the seats
rotated, several groups of bots may play the same deal, and games on one deal have the same luck. So all blocks with the
same number count as one observation. Their order does not matter.
"""

from kingdomino.arena.statistics.estimate import Interval, Summary, summarise
from kingdomino.arena.statistics.ratings import Rating, ratings, win_rate
from kingdomino.arena.statistics.results import Block, GameResult, block_means, margin, score, share
from kingdomino.arena.statistics.sprt import Sprt, SprtState

__all__ = [
    "Block",
    "GameResult",
    "Interval",
    "Rating",
    "Sprt",
    "SprtState",
    "Summary",
    "block_means",
    "margin",
    "ratings",
    "score",
    "share",
    "summarise",
    "win_rate",
]
