"""A player's choices, each with its score."""

from __future__ import annotations

from typing import NamedTuple

import kingdomino as kd


class Choice(NamedTuple):
    """A legal action and the number to type for it.

    A claim has the number of its domino; placements count from 1, best first. `gain` is in points of territories. A
    claim's gain is its best placement's gain in the present kingdom, or None if the domino fits nowhere. `centred`
    means that the castle is in the middle after the placement.
    """

    number: int
    action: kd.Action
    gain: int | None
    centred: bool = False


def choices(position: kd.Position) -> list[Choice]:
    """List the legal claims or placements of a position that is not over, without the discard, which is forced."""
    assert position.to_move is not None
    kingdom = position.kingdoms[position.to_move]
    if position.domino is None:
        claims = [(action, action.domino) for action in position.legal_actions() if action.domino]
        return [Choice(domino.number, action, kingdom.best_gain(domino)) for action, domino in claims]
    placed = [
        (
            gain(kingdom, position.domino, placement),
            centred(kingdom.place(position.domino, placement)),
            placement,
        )
        for placement in kingdom.placements(position.domino)
    ]
    placed.sort(key=lambda found: (-found[0], -found[2].left[1], found[2].left[0], found[2]))
    return [
        Choice(number, kd.Action.place(placement), points, middle)
        for number, (points, middle, placement) in enumerate(placed, start=1)
    ]


def gain(kingdom: kd.Kingdom, domino: kd.Domino, placement: kd.Placement) -> int:
    """Return the points that a placement adds to the territories, without bonuses."""
    return kingdom.place(domino, placement).score().territories - kingdom.score().territories


def centred(kingdom: kd.Kingdom) -> bool:
    """Return whether the castle is in the middle of the kingdom."""
    (left, bottom), (right, top) = kingdom.box
    return left == -right and bottom == -top
