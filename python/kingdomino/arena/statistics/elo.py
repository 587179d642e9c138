"""The scale of ratings: 400 points are odds of ten to one, in a game of two.

A E Elo, *The Rating of Chessplayers, Past and Present* (1978), in the logistic form.
"""

from math import exp, inf, log

POINTS = 400 / log(10)
"""Rating points for one unit of log-odds, about 173.7."""


def elo(win_rate: float) -> float:
    """The difference in rating that gives a win rate (0 to 1) in games of two; infinite at 0 and 1.

    >>> round(elo(0.75))
    191
    """
    if win_rate in (0, 1):
        return inf if win_rate else -inf
    return POINTS * log(win_rate / (1 - win_rate))


def win_rate(elo: float) -> float:
    """The win rate, 0 to 1, that a difference in rating gives in games of two; the inverse of `elo`.

    >>> win_rate(0)
    0.5
    """
    odds = exp(-abs(elo) / POINTS)
    return (1 if elo >= 0 else odds) / (1 + odds)
