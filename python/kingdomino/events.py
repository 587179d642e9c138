"""What happens in a game: the events that `Game.play` and `Record.events` give.

Named tuples: immutable, hashable, comparable, picklable. Their ``kind`` tells them apart, also in JSON.
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
    """A seat discarded a domino that fitted nowhere."""

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
"""What chance brings."""

GameEvent: TypeAlias = Claimed | Placed | Discarded | LineRevealed | KingDrawn | RoundBegan | Finished
"""Something that happened in a game."""
