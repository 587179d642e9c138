"""The options of the player to move: placements with their points, reasons why others are illegal, and claims.

All of it is public.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal

import kingdomino as kd
from kingdomino import _core
from kingdomino.server.tables.core.events import XY, Model, TerrainName


class TerritoryGain(Model):
    """A territory that a placement creates or extends, as it is afterwards. ``points`` is the gain."""

    terrain: TerrainName
    squares: int
    crowns: int
    points: int


class Placement(Model):
    """A legal placement."""

    action: str
    left: XY
    right: XY
    points: int
    gains: tuple[TerritoryGain, ...]


class Refused(Model):
    """Placements that are illegal for the same reason. ``text`` is the engine's sentence."""

    code: Literal["taken", "too_wide", "too_tall", "no_match"]
    squares: int
    terrains: tuple[TerrainName, ...]
    text: str
    placements: tuple[tuple[int, int, int, int], ...]


class Claim(Model):
    """A domino to claim. ``fits``: it could be placed now, and would add up to ``points``.

    ``turns``: the turns of the next round, from 1, in which it may be placed.
    """

    action: str
    domino: int
    fits: bool
    points: int
    turns: tuple[int, ...]


class Choices(Model):
    """The options of the player to move at a ply. ``position`` is the text of what everyone can see."""

    ply: int
    position: str
    seat: int
    phase: Literal["claim", "place"]
    domino: int | None
    score: int
    placements: tuple[Placement, ...]
    refused: tuple[Refused, ...]
    claims: tuple[Claim, ...]


def choices(position: kd.Position, ply: int) -> Choices:
    """List the choices of a position. Raises `IllegalActionError` if no seat is to move."""
    listed = json.loads(_core.table_choices(position))
    if listed is None:
        raise kd.IllegalActionError("this turn is over")
    return Choices(ply=ply, **listed)


def after(position: kd.Position, actions: Sequence[kd.Action | str]) -> kd.Position:
    """Play actions of one turn that the client has not sent yet. Raises `KingdominoError` if one is illegal."""
    seat = position.to_move
    for action in actions:
        if position.to_move != seat:
            raise kd.IllegalActionError(f"{action}: this turn is over")
        position = position.play(action)
    return position
