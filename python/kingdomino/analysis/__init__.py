"""Analysis: the cost of each decision of a game, the luck, and the best possible kingdoms.

>>> import kingdomino as kd
>>> record = kd.Record.from_game(kd.Game(seed=7))
>>> kd.analysis.review(record, kd.bots.Limit(playouts=100)).decisions
()
"""

from kingdomino.analysis.annotate import annotate
from kingdomino.analysis.arrangement import Arrangement, best_arrangement
from kingdomino.analysis.graph import graph
from kingdomino.analysis.judge import DEFAULT_LIMIT, judge
from kingdomino.analysis.page import page
from kingdomino.analysis.puzzles import Puzzle, PuzzleTheme, daily_puzzle, puzzles
from kingdomino.analysis.review import review, reviews
from kingdomino.analysis.summary import Estimate, Summary, ThemeSum, summary
from kingdomino.analysis.values import (
    Account,
    Alternative,
    Decision,
    Evaluation,
    Grade,
    Level,
    Luck,
    Review,
    SeatReview,
    Theme,
)
from kingdomino.analysis.why import CostPart, Reason, reasons, why
from kingdomino.analysis.worth import DominoWorth, worth

__all__ = [
    "DEFAULT_LIMIT",
    "Account",
    "Alternative",
    "Arrangement",
    "CostPart",
    "Decision",
    "DominoWorth",
    "Estimate",
    "Evaluation",
    "Grade",
    "Level",
    "Luck",
    "Puzzle",
    "PuzzleTheme",
    "Reason",
    "Review",
    "SeatReview",
    "Summary",
    "Theme",
    "ThemeSum",
    "annotate",
    "best_arrangement",
    "daily_puzzle",
    "graph",
    "judge",
    "page",
    "puzzles",
    "reasons",
    "review",
    "reviews",
    "summary",
    "why",
    "worth",
]


def __dir__() -> list[str]:
    return __all__
