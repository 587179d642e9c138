"""What a search has found out, action by action.

The engine builds these. Imports `_core` for its types.
"""

from typing import NamedTuple

from kingdomino._core import Action


class ActionAnalysis(NamedTuple):
    """One legal action, and what became of the games in which it was played; tuples have one entry a seat.

    ``playouts`` went through it: 0 where the answer is exact, or where nobody has looked yet (then the
    figures are NaN). ``win_rates`` are probabilities of victory, a shared one counting 1/k; scores and
    margins (own minus the best rival's) are in points. ``line`` is the action and what is most likely to
    follow, as far as it is known.
    """

    action: Action
    playouts: int
    win_rates: tuple[float, ...]
    mean_scores: tuple[float, ...]
    mean_margin: tuple[float, ...]
    line: tuple[Action, ...]


class Analysis(NamedTuple):
    """Every legal action of a position, the best first.

    ``playouts`` were made in all. ``exact``: this is how the game ends when everybody seeks their own
    victory, and no estimate.
    """

    actions: tuple[ActionAnalysis, ...]
    playouts: int
    exact: bool
