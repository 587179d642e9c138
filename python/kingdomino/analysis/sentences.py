"""What a review says, in English: the cost of a decision, chances, points."""

from __future__ import annotations

from collections.abc import Sequence

from kingdomino.analysis.values import Decision, Level
from kingdomino.analysis.why import LeftToOpponents, Reason

_POINT, _CHANCE = 0.5, 0.01
"""Below these points and this chance, a decision is as good as the best."""
_WORTH = 0.1
"""A point that costs more of the chances than this is not said in points."""
_MINUS = "\N{MINUS SIGN}"
COST_BEGINS = "This cost "
"""The first words of what a costly decision cost."""


def is_costly(decision: Decision) -> bool:
    """Whether the cost is large enough to be talked about: half a point, or 1% of the chances."""
    return decision.cost_points >= _POINT or decision.cost >= _CHANCE


def cost_sentence(decision: Decision, who: str = "you") -> str:
    """Return a sentence such as ``This cost Ida 4 points.`` about a decision.

    Where points and chances disagree, it says the chance: ``This cost Ida a 10% chance of winning.``
    """
    if not is_costly(decision):
        return "As good as the best."
    if _in_points(decision):
        return f"{COST_BEGINS}{who} {points(decision.cost_points)}."
    article = (
        "an" if f"{decision.cost:.0%}" in ("8%", "11%", "18%") or 0.795 <= decision.cost < 0.895 else "a"
    )
    return f"{COST_BEGINS}{who} {article} {percent(decision.cost)} chance of winning."


def cost_figure(decision: Decision) -> str:
    """Write what a decision cost in few characters, in points or per cent of the chances; "" if it is little."""
    if not is_costly(decision):
        return ""
    return f"{_MINUS}{decision.cost_points:.0f}" if _in_points(decision) else f"{_MINUS}{decision.cost:.0%}"


def reason_sentence(reason: Reason, names: Sequence[str]) -> str:
    """Return why an action is worse, with players' names in place of seats."""
    if not isinstance(reason, LeftToOpponents):
        return str(reason)
    worth = [f"{points(reason.points[seat] or 0)} to {names[seat]}" for seat in reason.opponents]
    own = f"{reason.points[reason.seat] or 0} to {names[reason.seat]}"
    return f"{reason.domino} was worth {', '.join(worth)}, {own}."


def level_words(level: Level) -> str:
    """Name a level and its interval: ``level 4 (3 to 6)``."""
    between = f" ({level.low} to {level.high})" if level.low != level.high else ""
    return f"level {level.level}{between}"


def points(value: float) -> str:
    """Write points in words: ``4 points``, ``under 1 point``."""
    if 0 < value < _POINT:
        return "under 1 point"
    return f"{value:.0f} point{'s' * (f'{value:.0f}' != '1')}"


def percent(value: float) -> str:
    """Write a probability: ``61%``, ``under 1%``, ``over 99%``."""
    if 0 < value < 0.005:
        return "under 1%"
    return "over 99%" if 0.995 <= value < 1 else f"{value:.0%}"


def change(value: float) -> str:
    """Write a change of a probability: ``+12%``, or ``0%``."""
    rounded = f"{abs(value):.0%}"
    return rounded if rounded == "0%" else f"{'+' if value > 0 else _MINUS}{rounded}"


def _in_points(decision: Decision) -> bool:
    return decision.cost_points >= _POINT and decision.cost <= _WORTH * decision.cost_points
