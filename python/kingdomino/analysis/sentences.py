"""What a review says, in English: the cost of a decision, chances, points."""

from __future__ import annotations

from collections.abc import Sequence

from kingdomino.analysis.values import Account, Decision, Level
from kingdomino.analysis.why import BONUSES, CostPart, Expected, LeftToOpponents, Reason

_POINT, _CHANCE = 0.5, 0.01
"""Below these points and this chance, a decision is as good as the best."""
_MINUS = "\N{MINUS SIGN}"
COST_BEGINS = "This cost "
"""The first words of a sentence about a cost."""


def is_costly(decision: Decision) -> bool:
    """Whether the cost is large enough to be talked about: half a point, or 1% of the chances."""
    return decision.cost_points >= _POINT or decision.cost >= _CHANCE


def cost_sentence(decision: Decision, who: str = "you") -> str:
    """Return a sentence about a decision, points first: ``This cost Ida 4 points and a 10% chance of winning.``, or
    ``This cost Ida 4 points; the game was decided.``.
    """
    if not is_costly(decision):
        return "As good as the best."
    costs = [points(decision.cost_points)] * (decision.cost_points >= _POINT)
    if decision.cost >= _CHANCE and not (costs and decision.decided):
        an = f"{decision.cost:.0%}" in ("8%", "11%", "18%") or 0.795 <= decision.cost < 0.895
        costs.append(f"a{'n' * an} {percent(decision.cost)} chance of winning")
    return f"{COST_BEGINS}{who} {' and '.join(costs)}{'; the game was decided' * decision.decided}."


def cost_figure(decision: Decision) -> str:
    """Write the cost of a decision in few characters: in points, or in per cent of the chances if only they are lost;
    "" if it is little.
    """
    if not is_costly(decision):
        return ""
    in_points = decision.cost_points >= _POINT
    return f"{_MINUS}{decision.cost_points:.0f}" if in_points else f"{_MINUS}{decision.cost:.0%}"


def cost_order(decision: Decision) -> tuple[float, float]:
    """Return a key that sorts decisions, the costliest in points first."""
    return -decision.cost_points, -decision.cost


def parts_sentence(decision: Decision, names: Sequence[str]) -> str:
    """List the parts of the cost in points, such as ``Wheat \N{MINUS SIGN}5, Harmony \N{MINUS SIGN}2 (70% to 30%),
    Ida +1.``; "" if it is little.

    Own points are losses, opponents' points their gains.
    """

    def part(one: CostPart) -> str:
        what = one.terrain or BONUSES.get(one.kind) or names[one.seat or 0]
        is_more = (one.kind == "opponent") == (one.whole > 0)
        chances = " ({:.0%} to {:.0%})".format(*one.chances) if one.chances else ""
        return f"{what} {'+' if is_more else _MINUS}{abs(one.whole)}{chances}"

    said = ", ".join(part(one) for one in decision.parts if one.whole)
    return f"{said[0].upper()}{said[1:]}." if said else ""


def account_sentence(account: Account, who: str = "You") -> str:
    """Say how a margin came about: ``Ida lost by 12: 7 were play, 5 were luck.``, or ``Ida won by 9: 14 were play, luck
    took 5.``.
    """
    margin, play, luck = account.margin, account.play, account.luck
    lost = margin < 0
    lead = f"{who} {'lost' if lost else 'won'} by {abs(margin)}" if margin else f"{who} tied on points"
    if lost and play > 0 and not account.start:
        return f"{lead}, and luck cost {-luck}."
    parts = sorted(
        (("the odds", account.start), ("play", play), ("luck", luck)), key=lambda part: -abs(part[1])
    )
    was = {what: "was" if abs(points) == 1 else "were" for what, points in parts}
    same = [f"{abs(points)} {was[what]} {what}" for what, points in parts if points and lost == (points < 0)]
    against = [
        f"{what} {'gave back' if lost else 'took'} {abs(points)}"
        for what, points in parts
        if points and lost != (points < 0)
    ]
    said = ", ".join(same + against)
    return f"{lead}{f': {said}' * bool(said)}."


def reason_sentence(reason: Reason, names: Sequence[str]) -> str:
    """Return why an action is worse, with players' names in place of seats."""
    if isinstance(reason, Expected):
        return reason.sentence(names[reason.seat or 0])
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
    return _signed(value, f"{abs(value):.0%}")


def points_change(value: float) -> str:
    """Write a change of points: ``+1 point``, ``\N{MINUS SIGN}4 points``."""
    number = f"{abs(value):.0f}"
    return f"{_signed(value, number)} point{'s' * (number != '1')}"


def _signed(value: float, size: str) -> str:
    return size if size.strip("%") == "0" else f"{'+' if value > 0 else _MINUS}{size}"
