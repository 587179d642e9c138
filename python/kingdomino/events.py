"""The events of a game, as `Game.play` and `Record.events` return them.

Named tuples: immutable, hashable, comparable, picklable. Their ``kind`` identifies the type, also in JSON.
"""

from typing import Literal, NamedTuple, TypeAlias

from kingdomino.values import Domino, Outcome, Placement


class Claimed(NamedTuple):
    """A seat claimed a domino."""

    seat: int
    domino: Domino
    kind: Literal["claimed"] = "claimed"


class Placed(NamedTuple):
    """A seat placed a domino."""

    seat: int
    domino: Domino
    placement: Placement
    kind: Literal["placed"] = "placed"


class Discarded(NamedTuple):
    """A seat discarded a domino that fits nowhere."""

    seat: int
    domino: Domino
    kind: Literal["discarded"] = "discarded"


class LineRevealed(NamedTuple):
    """A line was revealed, lowest domino first."""

    line: tuple[Domino, ...]
    kind: Literal["line_revealed"] = "line_revealed"


class KingDrawn(NamedTuple):
    """A king of this seat was drawn in the opening round. It claims next."""

    seat: int
    kind: Literal["king_drawn"] = "king_drawn"


class RoundBegan(NamedTuple):
    """Every king has claimed: the next round began. Rounds count from 1, after the opening."""

    round: int
    kind: Literal["round_began"] = "round_began"


class Finished(NamedTuple):
    """The game ended."""

    outcome: Outcome
    kind: Literal["finished"] = "finished"


ChanceEvent: TypeAlias = LineRevealed | KingDrawn
"""A chance event."""

GameEvent: TypeAlias = Claimed | Placed | Discarded | LineRevealed | KingDrawn | RoundBegan | Finished
"""Any event of a game."""
