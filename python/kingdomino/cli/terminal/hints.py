"""A hint in two steps: first where to look, then the action."""

from __future__ import annotations

import kingdomino as kd
from kingdomino.analysis.sentences import percent, points
from kingdomino.cli.terminal.choices import choices
from kingdomino.machine import available_cores

LIMIT = kd.bots.Limit(playouts=8_000)
"""How long a hint thinks: under a second on two cores."""


class Hints:
    """The hints for one player. A second request in the same position reveals the action."""

    def __init__(self) -> None:
        self._asked: tuple[kd.Position, kd.ActionAnalysis] | None = None

    def ask(self, position: kd.Position) -> str:
        """Return where to look, or the action. The search knows only what everyone at the table sees."""
        if self._asked and self._asked[0] == position:
            return _action(position, self._asked[1])
        king = kd.bots.King(threads=available_cores())
        best = king.analyse(position, LIMIT).actions[0]
        self._asked = (position, best)
        return f"{where(position, best.action)} Type hint again to see the move."


def where(position: kd.Position, action: kd.Action) -> str:
    """Return roughly where a claim or a placement is."""
    if action.placement is None:
        free = [slot.domino for slot in position.offered if slot.seat is None]
        low = action.domino in free[: len(free) // 2]
        return f"Look at the {'low' if low else 'high'} numbers of the line."
    (left_x, left_y), (right_x, right_y) = action.placement
    x, y = left_x + right_x, left_y + right_y
    across = "to the left of" if x < 0 else "to the right of"
    up = "above" if y > 0 else "below"
    sides = [up] * (2 * abs(y) >= abs(x)) + [across] * (2 * abs(x) >= abs(y))
    return f"Look {' and '.join(sides)} the castle."


def _action(position: kd.Position, best: kd.ActionAnalysis) -> str:
    assert position.to_move is not None
    seat, action = position.to_move, best.action
    number = next((choice.number for choice in choices(position) if choice.action == action), None)
    typed = f"{number}: {action}" if action.placement else str(action)
    figures = f"{percent(best.win_rates[seat])} to win, {points(best.mean_scores[seat])} on average"
    return f"The best is {typed} ({figures})."
