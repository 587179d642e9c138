"""What may be concluded from games: estimates with intervals, a sequential test, ratings.

Everything here is a pure function of results. The unit is the deal: a block is one deal played with
the seats rotated, the same deal may serve several line-ups, and games of one deal share its luck. So
all blocks of one number count as one observation, and their order never matters.
"""

from kingdomino.arena.statistics.elo import elo, win_rate
from kingdomino.arena.statistics.estimate import Difference, Interval, Summary, difference, summarise
from kingdomino.arena.statistics.measures import block_means, margin, score, share
from kingdomino.arena.statistics.ratings import Rating, ratings
from kingdomino.arena.statistics.results import Block, GameResult
from kingdomino.arena.statistics.sprt import Sprt, SprtState

__all__ = [
    "Block",
    "Difference",
    "GameResult",
    "Interval",
    "Rating",
    "Sprt",
    "SprtState",
    "Summary",
    "block_means",
    "difference",
    "elo",
    "margin",
    "ratings",
    "score",
    "share",
    "summarise",
    "win_rate",
]
