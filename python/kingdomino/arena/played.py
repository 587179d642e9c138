"""A game of the arena that is over: its record, what it came to, and how long everybody thought."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import kingdomino as kd
from kingdomino.arena.schedule import Fixture


@dataclass(frozen=True, slots=True)
class Clock:
    """The thinking time of one seat in one game, in seconds by the wall."""

    decisions: int
    seconds: float
    longest: float


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A game lost by default: whose seat, and what the bot did."""

    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class Played:
    """A game with a result; every tuple but `ranking` has one entry a seat.

    `shares` are shares of the victory: 1, 1/k for each of k, 0. `ranking` groups the seats by place,
    best first. In a game that was forfeited the others share the victory; they keep the points that
    lay on the table, whoever forfeited has none, and the record ends where it happened. `strikes` are
    what engines did wrong without losing by it: each cost a decision, which was made by a stand-in.
    """

    fixture: Fixture
    record: kd.Record
    scores: tuple[int, ...]
    shares: tuple[float, ...]
    ranking: tuple[tuple[int, ...], ...]
    clocks: tuple[Clock, ...]
    strikes: tuple[tuple[str, ...], ...]
    forfeit: Forfeit | None = None


@dataclass(frozen=True, slots=True)
class Void:
    """A game without a result, through nobody's provable fault: the process that played it died, twice."""

    fixture: Fixture
    reason: str


Game: TypeAlias = Played | Void


def to_mapping(game: Game) -> dict[str, Any]:
    """Give the game as JSON can hold it; `from_mapping` reads it back."""
    fixture = game.fixture
    mapping: dict[str, Any] = {
        "game": fixture.number,
        "block": fixture.block,
        "rotation": fixture.rotation,
        "seats": [entrant.name for entrant in fixture.seats],
    }
    if isinstance(game, Void):
        return mapping | {"void": game.reason}
    if any(game.strikes):
        mapping["strikes"] = game.strikes
    if game.forfeit is not None:
        mapping["forfeit"] = {"seat": game.forfeit.seat, "reason": game.forfeit.reason}
    return mapping | {
        "scores": game.scores,
        "shares": game.shares,
        "ranking": game.ranking,
        "clocks": [[clock.decisions, clock.seconds, clock.longest] for clock in game.clocks],
        "record": json.loads(game.record.to_json()),
    }


def from_mapping(mapping: Mapping[str, Any], fixture: Fixture) -> Game:
    """Read the game of a fixture. Raises `KeyError`, `TypeError` or `ValueError` for anything else."""
    names = [entrant.name for entrant in fixture.seats]
    if (mapping["block"], mapping["rotation"], mapping["seats"]) != (fixture.block, fixture.rotation, names):
        raise ValueError(f"game {fixture.number} of the plan has other players or another deal")
    if "void" in mapping:
        return Void(fixture, mapping["void"])
    forfeit = mapping.get("forfeit")
    return Played(
        fixture,
        kd.Record.from_json(json.dumps(mapping["record"])),
        tuple(mapping["scores"]),
        tuple(mapping["shares"]),
        tuple(map(tuple, mapping["ranking"])),
        tuple(Clock(*clock) for clock in mapping["clocks"]),
        tuple(map(tuple, mapping.get("strikes", [[]] * len(fixture.seats)))),
        None if forfeit is None else Forfeit(forfeit["seat"], forfeit["reason"]),
    )
