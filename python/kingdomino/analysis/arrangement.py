"""What was possible: the best kingdom of the same dominoes."""

from collections.abc import Iterable
from typing import NamedTuple

from kingdomino._core import DOMINOES, Kingdom, Rules
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
    """Search for the best kingdom of these dominoes, placed in any order: a lower bound of what was possible.

    dominoes: dominoes or their numbers; or a kingdom, for the dominoes of its first tiling. The result is never worse
        than this kingdom, if the rules allow its tiling.
    rules: the size of the kingdom, and the bonuses. By default those of a kingdom of this size, without bonuses.
    steps: steps of the search, some microseconds each. Each takes some dominoes out and places them again.
    seed: 0 to 2**64 - 1. The same seed gives the same result.

    Releases the interpreter's lock; Ctrl-C stops it. Raises KingdominoError for unknown dominoes, one that is given
    twice, a kingdom that no dominoes make, and rules of another size.

    Source: a large neighbourhood search (Shaw, 1998) with threshold acceptance (Dueck and Scheuer, 1990).
    """
    start: _Tiling = ()
    if isinstance(dominoes, Kingdom):
        rules = rules or Rules(mighty_duel=dominoes.size == 7)
        if rules.size != dominoes.size:
            raise KingdominoError(f"the kingdom has size {dominoes.size}, the rules have {rules.size}")
        start = next(iter(dominoes.tilings(1)), ())
        if not start and len(dominoes.squares) > 1:
            raise KingdominoError("no dominoes make this kingdom, each used once")
        dominoes = [domino for domino, _ in start]
    given = [
        DOMINOES[one - 1] if isinstance(one, int) and 0 < one <= len(DOMINOES) else one for one in dominoes
    ]
    if len(set(given)) < len(given):
        raise KingdominoError("a domino is given twice")
    rules = rules or Rules()
    kingdom, tiling = _best_arrangement(given, start, rules, steps, seed)
    return Arrangement(kingdom, kingdom.score(rules), tiling)
