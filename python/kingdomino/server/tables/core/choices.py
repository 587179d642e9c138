"""The options of the player to move: placements with their points, reasons why others are illegal, and claims.

All of it is public. This module asks the engine about every placement within reach.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Literal

import kingdomino as kd
from kingdomino.server.tables.core.events import XY, Model, TerrainName, terrain_name

_TURNS = ((1, 0), (0, 1), (-1, 0), (0, -1))


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
    """A domino to claim. ``fits``: it could be placed now, and would add up to ``points``."""

    action: str
    domino: int
    fits: bool
    points: int


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
    seat = position.to_move
    if seat is None:
        raise kd.IllegalActionError("this turn is over")
    kingdom, domino = position.kingdoms[seat], position.domino
    free = (slot.domino for slot in position.offered if slot.seat is None)
    return Choices(
        ply=ply,
        position=position.to_text(),
        seat=seat,
        phase="claim" if domino is None else "place",
        domino=domino.number if domino else None,
        score=kingdom.score().total,
        placements=tuple(_placements(kingdom, domino)) if domino else (),
        refused=tuple(_refused(kingdom, domino)) if domino else (),
        claims=() if domino else tuple(_claim(kingdom, one) for one in free),
    )


def after(position: kd.Position, actions: Sequence[kd.Action | str]) -> kd.Position:
    """Play actions of one turn that the client has not sent yet. Raises `KingdominoError` if one is illegal."""
    seat = position.to_move
    for action in actions:
        if position.to_move != seat:
            raise kd.IllegalActionError(f"{action}: this turn is over")
        position = position.play(action)
    return position


def _placements(kingdom: kd.Kingdom, domino: kd.Domino) -> Iterator[Placement]:
    old, score = kingdom.territories(), kingdom.score().total
    for placement in kingdom.placements(domino):
        placed = kingdom.place(domino, placement)
        gains = tuple(
            TerritoryGain(
                terrain=terrain_name(territory.terrain),
                squares=len(territory.squares),
                crowns=territory.crowns,
                points=territory.score - sum(part.score for part in old if part.squares <= territory.squares),
            )
            for territory in placed.territories()
            if any(square in territory.squares for square in placement)
        )
        yield Placement(
            action=str(kd.Action.place(placement)),
            left=placement.left,
            right=placement.right,
            points=placed.score().total - score,
            gains=gains,
        )


def _refused(kingdom: kd.Kingdom, domino: kd.Domino) -> Iterator[Refused]:
    """List the illegal placements within reach, grouped by reason."""
    reasons: dict[str, kd.Refusal] = {}
    placements: defaultdict[str, list[tuple[int, int, int, int]]] = defaultdict(list)
    legal = set(kingdom.placements(domino))
    for placement in _within_reach(kingdom):
        if placement in legal:
            continue
        if refusal := kingdom.refusal(domino, placement):
            code = refusal.code
            key = code if code == "taken" else refusal.sentence
            reasons.setdefault(key, refusal)
            placements[key].append((*placement.left, *placement.right))
    for key, refusal in reasons.items():
        yield Refused(
            code=refusal.code.value,  # type: ignore[arg-type]  # of a placement within reach, one of these
            squares=refusal.width or refusal.height or 0,
            terrains=tuple(map(terrain_name, refusal.terrains)),
            text=refusal.sentence,
            placements=tuple(placements[key]),
        )


def _within_reach(kingdom: kd.Kingdom) -> Iterator[kd.Placement]:
    """List every placement with at least one end on a square that the next domino could reach."""
    (left, bottom), (right, top) = kingdom.reach
    for x in range(left, right + 1):
        for y in range(bottom, top + 1):
            for dx, dy in _TURNS:
                end, other = (x, y), (x + dx, y + dy)
                yield kd.Placement(end, other)
                if not (left <= other[0] <= right and bottom <= other[1] <= top):
                    yield kd.Placement(other, end)


def _claim(kingdom: kd.Kingdom, domino: kd.Domino) -> Claim:
    points = kingdom.best_gain(domino)
    return Claim(
        action=str(kd.Action.claim(domino)),
        domino=domino.number,
        fits=points is not None,
        points=points or 0,
    )
