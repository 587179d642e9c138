"""Why one action is worse than another, in the game's terms and from facts that the engine computes.

`reasons` gives every reason that is true, the weightiest first; `why` gives the first that explains a part of the cost.
If none does, there is none. A reason is a value with a code and facts; ``str`` is its sentence. Pydantic writes it as
JSON and reads it back: ``TypeAdapter(Reason)``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from kingdomino._core import Action, Kingdom, Position
from kingdomino.display import counted
from kingdomino.errors import KingdominoError
from kingdomino.values import Coordinates, Domino, Placement, Prospects, Terrain, Territory

_STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))
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

    points, better: what the action and the better one add. For claims: what the domino would add to the territories
        with the best placement now; `points` is None if it fits nowhere now.
    last: whether the player places nothing more after this. The points of bonuses are then included.
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
    points: what the better domino would add to the territories of each seat with the best placement now; None if it
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


Reason: TypeAlias = (
    Unfillable
    | HarmonyLost
    | OffCentre
    | TerritoryClosed
    | FewerCrowns
    | FewerPoints
    | LeftToOpponents
    | LaterTurn
)
"""Why an action is worse than another. ``code`` tells them apart."""


class CostParts(NamedTuple):
    """What an action costs in expected margin, in points, in two parts.

    own: what the better action adds to the player's own score.
    opponents: what it takes from the best opponent's.
    """

    own: float
    opponents: float

    def explained_by(self, reason: Reason) -> float:
        """Return the part that a reason explains. Who goes first may gain by it, or hinder the others: the larger."""
        if isinstance(reason, LaterTurn):
            return max(self)
        return self.opponents if isinstance(reason, LeftToOpponents) else self.own


def why(
    position: Position, action: Action | str, better: Action | str, cost: CostParts | None = None
) -> Reason | None:
    """Return the weightiest reason why an action is worse than a better one in a position; None if none is true.

    With a cost, the reason explains the larger part that any reason explains; None if none explains any. Raises as
    `reasons`.
    """
    found = reasons(position, action, better, cost)
    if cost is None or sum(cost) <= 0:  # only the chances are lower
        return next(iter(found), None)
    return next((reason for reason in found if cost.explained_by(reason) > 0), None)


def reasons(
    position: Position, action: Action | str, better: Action | str, cost: CostParts | None = None
) -> tuple[Reason, ...]:
    """Return every reason why an action is worse than a better one in a position, the weightiest first.

    Each is a fact about this position. With a cost, those that explain its larger part come first. Raises
    `IllegalActionError` if one of the two is not legal, `KingdominoError` if they are not both claims or both
    placements, and `ParseError` for a text that is not an action.
    """
    found = tuple(_reasons(position, action, better))
    return found if cost is None else tuple(sorted(found, key=cost.explained_by, reverse=True))


def _reasons(position: Position, action: Action | str, better: Action | str) -> Iterator[Reason]:
    played, other = (Action.parse(one) if isinstance(one, str) else one for one in (action, better))
    after, after_better = position.play(played), position.play(other)
    if played.placement and other.placement:
        yield from _of_placements(position, (after, played.placement), (after_better, other.placement))
    elif played.domino and other.domino:
        yield from _of_claims(position, played.domino, other.domino)
    elif played != other:
        raise KingdominoError(f"{played} and {other} are not decisions of one kind")


def _of_placements(
    position: Position, action: tuple[Position, Placement], better: tuple[Position, Placement]
) -> Iterator[Reason]:
    seat = position.to_move or 0
    before = position.kingdoms[seat]
    could = position.prospects(seat)
    (after, placement), (after_better, better_placement) = action, better
    kingdom, better_kingdom = after.kingdoms[seat], after_better.kingdoms[seat]
    can, better_can = after.prospects(seat), after_better.prospects(seat)
    harmony_lost = could.harmony and better_can.harmony and not can.harmony

    lost = _lost(could, kingdom, can, better_kingdom, better_can)
    if can.placements and len(lost) > len(_lost(could, better_kingdom, better_can, kingdom, can)):
        yield Unfillable(tuple(sorted(lost)), harmony_lost)
    elif harmony_lost:
        yield HarmonyLost()
    if could.middle_kingdom and better_can.middle_kingdom and not can.middle_kingdom:
        yield OffCentre()

    old, new, other = before.territories(), kingdom.territories(), better_kingdom.territories()
    squares = [(square, square) for one in old if one.crowns for square in list(one.squares)[:1]]
    squares += zip(placement, better_placement, strict=True)
    pairs = [(_at(new, mine), _at(other, theirs)) for mine, theirs in squares]
    closed = [
        one
        for one, grown in pairs
        if one.crowns
        and one not in can.growing
        and grown in better_can.growing
        and len(one.squares) <= len(grown.squares)
    ]
    if closed:
        worst = max(closed, key=lambda one: (one.crowns, one.score, sorted(one.squares)))
        yield TerritoryClosed(worst.terrain, tuple(sorted(worst.squares)), worst.crowns)

    crowns, better_crowns = _crowns_joined(new, placement), _crowns_joined(other, better_placement)
    if can.placements and crowns < better_crowns:
        yield FewerCrowns(crowns, better_crowns)

    # Bonuses can still be lost while anything is to be placed.
    rules = None if can.placements else position.rules
    score = before.score().total
    points, better_points = kingdom.score(rules).total - score, better_kingdom.score(rules).total - score
    if points < better_points:
        yield FewerPoints(points, better_points, last=not can.placements)


def _of_claims(position: Position, domino: Domino, better: Domino) -> Iterator[Reason]:
    seat = position.to_move or 0
    both = (domino.number, better.number)
    if domino.crowns < better.crowns:
        yield FewerCrowns(domino.crowns, better.crowns, both)

    worth = [kingdom.best_gain(domino) for kingdom in position.kingdoms]
    better_worth = [kingdom.best_gain(better) for kingdom in position.kingdoms]
    own, own_better = worth[seat], better_worth[seat]
    if own_better is not None and (own is None or own < own_better):
        yield FewerPoints(own, own_better, dominoes=both)

    opponents = tuple(
        other
        for other in sorted(set(position.kings_to_claim))
        if other != seat and (better_worth[other] or 0) > (worth[other] or 0)
    )
    if opponents:
        yield LeftToOpponents(better.number, seat, opponents, tuple(better_worth))

    if position.dominoes_to_come and better < domino:
        place, better_place = (_place(position, one) for one in (domino, better))
        yield LaterTurn(*both, place, better_place)


def _place(position: Position, domino: Domino) -> int:
    """Return the place of a domino in the line on offer, from 1."""
    return 1 + [slot.domino for slot in position.offered].index(domino)


def _lost(
    could: Prospects, kingdom: Kingdom, can: Prospects, other: Kingdom, other_can: Prospects
) -> set[Coordinates]:
    """Find the squares of gaps that this placement makes unfillable, and that the other one covers or leaves open.

    A gap is what is empty and connected, in or beside the kingdom's box. A gap of which one square can still be filled
    is not counted: it may only be that dominoes run out.
    """
    (left, bottom), (right, top) = kingdom.box
    size, squares, covered = kingdom.size, kingdom.squares, other.squares
    candidates = {
        (x, y) for x in range(left, right + 1) for y in range(bottom, top + 1) if (x, y) not in squares
    } & (could.fillable - can.fillable)
    lost = {square for square in candidates if square in covered or square in other_can.fillable}
    empty = {
        (x, y)
        for x in range(right - size + 1, left + size)
        for y in range(top - size + 1, bottom + size)
        if (x, y) not in squares
    }
    return {square for square in lost if not can.fillable & _connected(square, empty)}


def _connected(square: Coordinates, squares: set[Coordinates]) -> set[Coordinates]:
    found, new = {square}, [square]
    while new:
        x, y = new.pop()
        near = {(x + dx, y + dy) for dx, dy in _STEPS} & squares - found
        found |= near
        new += near
    return found


def _at(territories: Sequence[Territory], square: Coordinates) -> Territory:
    return next(one for one in territories if square in one.squares)


def _crowns_joined(territories: Sequence[Territory], placement: Placement) -> int:
    """Count the crowns of the territories that a placed domino belongs to."""
    return sum(one.crowns for one in territories if any(square in one.squares for square in placement))
