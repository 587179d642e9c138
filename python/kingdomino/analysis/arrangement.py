"""The best possible kingdom of the same dominoes."""

from collections.abc import Iterable
from typing import NamedTuple

from kingdomino._core import Kingdom, Rules
from kingdomino._core import best_arrangement as _best_arrangement
from kingdomino.errors import KingdominoError
from kingdomino.values import Domino, Placement, Score

_Tiling = tuple[tuple[Domino, Placement], ...]


class Arrangement(NamedTuple):
    """A kingdom, its score, and its dominoes with their placements, in an order in which the rules allow them."""

    kingdom: Kingdom
    score: Score
    tiling: _Tiling


def best_arrangement(
    dominoes: Kingdom | Iterable[Domino | int],
    rules: Rules | None = None,
    *,
    steps: int = 20_000,
    seed: int = 0,
) -> Arrangement:
    """Search for the best kingdom of these dominoes, placed in any order: a lower bound of the possible score.

    dominoes: dominoes or their numbers; or a kingdom, for the dominoes of its first tiling. The result is never worse
        than this kingdom, if the rules allow its tiling.
    rules: the size of the kingdom, and the bonuses. By default this kingdom's size without bonuses.
    steps: steps of the search. Each removes some dominoes and places them again, in some microseconds.
    seed: 0 to 2**64 - 1. The same seed gives the same result.

    Releases the interpreter's lock; Ctrl-C stops it. Raises KingdominoError for unknown and repeated dominoes,
    for a kingdom that no dominoes make, and for rules of another size.

    Source: a large neighbourhood search (Shaw, 1998) with threshold acceptance (Dueck and Scheuer, 1990).
    """
    kingdom, given = (dominoes, []) if isinstance(dominoes, Kingdom) else (None, list(dominoes))
    rules = rules or Rules(mighty_duel=kingdom is not None and kingdom.size == 7)
    if kingdom is not None and rules.size != kingdom.size:
        raise KingdominoError(f"the kingdom has size {kingdom.size}, the rules have {rules.size}")
    found, tiling = _best_arrangement(kingdom, given, rules, steps, seed)
    return Arrangement(found, found.score(rules), tiling)
