"""Why one action is worse than another, in the game's terms and from facts. The engine finds them
(crates/search/src/review).

`reasons` gives every reason that is true, the weightiest first; `why` gives the first. A reason is a value with a code
and facts; ``str`` is its sentence. Pydantic writes it as JSON and reads it back: ``TypeAdapter(Reason)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from pydantic import TypeAdapter

from kingdomino import _core
from kingdomino._core import Action, Position
from kingdomino.display import counted
from kingdomino.values import Coordinates, Terrain

BONUSES = {"harmony": "Harmony", "middle_kingdom": "Middle Kingdom"}
_PLACES = ("first", "second", "third", "fourth")


@dataclass(frozen=True, slots=True)
class Unfillable:
    """It leaves empty squares between the others that no domino can ever cover. Before it, a domino could cover them;
    the better placement covers them, or leaves that possible.

    squares: the empty squares, in order.
    harmony: whether Harmony is gone as well, which is still possible after the better placement.
    """

    squares: tuple[Coordinates, ...]
    harmony: bool
    code: Literal["unfillable"] = "unfillable"

    def __str__(self) -> str:
        one = len(self.squares) == 1
        beside = (
            " beside the castle" if one and abs(self.squares[0][0]) + abs(self.squares[0][1]) == 1 else ""
        )
        what = f"a square{beside}" if one else f"{len(self.squares)} squares"
        return f"It leaves {what} that nothing can ever fill{', and Harmony is gone' * self.harmony}."


@dataclass(frozen=True, slots=True)
class HarmonyLost:
    """It makes Harmony impossible. The better placement leaves it possible."""

    code: Literal["harmony"] = "harmony"

    def __str__(self) -> str:
        return "Harmony is no longer possible."


@dataclass(frozen=True, slots=True)
class OffCentre:
    """The castle can no longer end up in the middle, for Middle Kingdom. The better placement leaves that possible."""

    code: Literal["middle_kingdom"] = "middle_kingdom"

    def __str__(self) -> str:
        return "The castle can no longer be in the middle, so Middle Kingdom is gone."


@dataclass(frozen=True, slots=True)
class TerritoryClosed:
    """A territory with crowns can no longer grow. After the better placement it can, and it is no smaller.

    squares: its squares, in order.
    """

    terrain: Terrain
    squares: tuple[Coordinates, ...]
    crowns: int
    code: Literal["territory_closed"] = "territory_closed"

    def __str__(self) -> str:
        size = f"{counted(len(self.squares), 'square')} and {counted(self.crowns, 'crown')}"
        return f"The {self.terrain} territory of {size} can no longer grow."


@dataclass(frozen=True, slots=True)
class FewerCrowns:
    """Fewer crowns: in the territories that the placed domino belongs to, or on the claimed domino.

    crowns, better: the crowns of the action and of the better one.
    dominoes: for claims, the numbers of the two dominoes in the same order; None for placements.
    """

    crowns: int
    better: int
    dominoes: tuple[int, int] | None = None
    code: Literal["fewer_crowns"] = "fewer_crowns"

    def __str__(self) -> str:
        crowns = counted(self.crowns, "crown") if self.crowns else "no crown"
        if self.dominoes:
            claimed, other = self.dominoes
            return f"{claimed} has {crowns}, {other} has {self.better}."
        return f"The domino joins territories with {crowns}, where it could join {self.better}."


@dataclass(frozen=True, slots=True)
class FewerPoints:
    """Fewer points now.

    points, better: the points of the action and of the better one. For claims: the points that the best placement of
        the domino would add now; `points` is None if it fits nowhere now.
    last: whether this is the player's last placement. Then the points include bonuses.
    dominoes: for claims, the numbers of the two dominoes in the same order; None for placements.
    """

    points: int | None
    better: int
    last: bool = False
    dominoes: tuple[int, int] | None = None
    code: Literal["fewer_points"] = "fewer_points"

    def __str__(self) -> str:
        better = counted(self.better, "point")
        if self.dominoes is None:
            later = ", and nothing comes later" if self.last else " now"
            return f"It scores {counted(self.points or 0, 'point')} instead of {self.better}{later}."
        claimed, other = self.dominoes
        if self.points is None:
            return f"{claimed} fits nowhere now, {other} would score {better}."
        return (
            f"{claimed} would score {counted(self.points, 'point')} now; {other} would score {self.better}."
        )


@dataclass(frozen=True, slots=True)
class LeftToOpponents:
    """It leaves the better domino to opponents who can still claim it and to whom it is worth more than this one.

    domino: the number of the better domino.
    seat: the player who claims.
    opponents: the seats of those opponents.
    points: the points that the best placement of the better domino would add to each seat now; None if it
        fits nowhere.
    """

    domino: int
    seat: int
    opponents: tuple[int, ...]
    points: tuple[int | None, ...]
    code: Literal["left_to_opponents"] = "left_to_opponents"

    def __str__(self) -> str:
        worth = [f"{counted(self.points[seat] or 0, 'point')} to seat {seat}" for seat in self.opponents]
        return f"{self.domino} was worth {', '.join(worth)}, {self.points[self.seat] or 0} to you."


@dataclass(frozen=True, slots=True)
class LaterTurn:
    """The player gets a later turn in the next round, in which there is still a line to claim from.

    domino, better: the numbers of the two dominoes.
    place, better_place: their places in the line, from 1. The dominoes of a line are placed in that order.
    """

    domino: int
    better: int
    place: int
    better_place: int
    code: Literal["later_turn"] = "later_turn"

    def __str__(self) -> str:
        places = (
            f"{_PLACES[self.place - 1]} in its line and {self.better} is {_PLACES[self.better_place - 1]}"
        )
        return f"{self.domino} is {places}; low numbers go first in the next round."


@dataclass(frozen=True, slots=True)
class CostPart:
    """A part of a cost: the effect of the best action on one part of the margin.

    kind: "terrain", "harmony" and "middle_kingdom" are own points; "opponent" is an opponent's gain, as far as the
        margin to the best one depends on it.
    points: below 0 if the action played had more of them.
    whole: the same in whole points. They add up to the whole points of the cost; the largest part takes what rounding
        leaves.
    terrain, seat: of a terrain and of an opponent; else None.
    chances: of a bonus, how likely the player gets it after the better action, and after the one played; else None.
    """

    kind: Literal["terrain", "harmony", "middle_kingdom", "opponent"]
    points: float
    whole: int
    terrain: Terrain | None = None
    seat: int | None = None
    chances: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Expected(CostPart):
    """Fewer points by the end of the games that were played out, from one source."""

    code: Literal["expected"] = "expected"

    def __str__(self) -> str:
        return self.sentence(f"seat {self.seat}")

    def sentence(self, opponent: str) -> str:
        """Return the reason with the opponent's name."""
        if self.chances:
            better, now = self.chances
            return f"{BONUSES[self.kind]} is less likely: {now:.0%} instead of {better:.0%}."
        what, change = (opponent, "more") if self.terrain is None else (self.terrain, "less")
        points = counted(self.whole, "point")
        return f"{what[0].upper()}{what[1:]} will probably score about {points} {change}."


Reason: TypeAlias = (
    Unfillable
    | HarmonyLost
    | OffCentre
    | TerritoryClosed
    | FewerCrowns
    | FewerPoints
    | LeftToOpponents
    | LaterTurn
    | Expected
)
"""Why an action is worse than another. ``code`` tells them apart."""


def why(
    position: Position, action: Action | str, better: Action | str, parts: Sequence[CostPart] = ()
) -> Reason | None:
    """Return the first of the `reasons`; None if there are none."""
    return next(iter(reasons(position, action, better, parts)), None)


def reasons(
    position: Position, action: Action | str, better: Action | str, parts: Sequence[CostPart] = ()
) -> tuple[Reason, ...]:
    """Return every reason why an action is worse than a better one in a position, the weightiest first: facts about
    this position, and the whole points to expect less.

    parts: the parts of the cost, as in `Decision`. A reason's weight is the part that it explains. Facts that
        explain a third of the cost come first; reasons that explain nothing are missing. Without parts there are only
        facts.

    Raises `IllegalActionError` if one of the two is not legal, and `ParseError` for a text that is not an action.
    """
    known, found = _adapters()
    known_parts = known.dump_json(tuple(parts)).decode()
    return found.validate_json(_core.reasons(position, action, better, known_parts))


@cache
def _adapters() -> tuple[TypeAdapter[tuple[CostPart, ...]], TypeAdapter[tuple[Reason, ...]]]:
    return TypeAdapter(tuple[CostPart, ...]), TypeAdapter(tuple[Reason, ...])
