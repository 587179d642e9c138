"""Where a player's points go over many games: by theme, by round, placing and claiming."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Annotated

from pydantic import BeforeValidator, TypeAdapter

from kingdomino import _core
from kingdomino._core import Rules
from kingdomino.analysis.values import Decision, Level, Review, Theme
from kingdomino.errors import KingdominoError


def _bound(high: float | None) -> float:
    return inf if high is None else high


@dataclass(frozen=True, slots=True)
class Estimate:
    """Points a game, with a 90% interval over the games; (0, inf) for a single game."""

    mean: float
    low: float
    high: Annotated[float, BeforeValidator(_bound)]


@dataclass(frozen=True, slots=True)
class ThemeSum:
    """The cost of the decisions with one theme.

    theme: None for decisions without one.
    estimate: points per game.
    count: the number of decisions that cost something.
    """

    theme: Theme | None
    estimate: Estimate
    count: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The costs of a player's decisions.

    games: the number of games.
    cost: the cost of all decisions.
    themes: the costliest first, and last the decisions without a theme. They add up to the cost, and so do the rounds,
        and placing with claiming.
    rounds: by number, from 0 for the claims of the opening.
    placing: includes discards.
    level: the level of `king` whose decisions cost as much; None unless that is clear to two levels, and without
        rules.
    """

    games: int
    cost: Estimate
    themes: tuple[ThemeSum, ...]
    rounds: tuple[Estimate, ...]
    placing: Estimate
    claiming: Estimate
    level: Level | None


def summary(
    reviews: Iterable[Review], seats: int | Sequence[int] = 0, *, rules: Rules | None = None
) -> Summary:
    """Sum up the costs of a player's decisions, from complete reviews of at least one game.

    seats: the player's seat in all games, or one seat per review.
    rules: the rules of all games, for the level.

    Raises `KingdominoError` without reviews, for another number of seats, and for a seat that a game does not have.
    """
    all_reviews = tuple(reviews)
    own_seats = (seats,) * len(all_reviews) if isinstance(seats, int) else tuple(seats)
    if not all_reviews:
        raise KingdominoError("there is no review to sum up")
    if len(own_seats) != len(all_reviews):
        raise KingdominoError(f"there are {len(own_seats)} seats for {len(all_reviews)} reviews")
    for review, seat in zip(all_reviews, own_seats, strict=True):
        if not 0 <= seat < len(review.seats):
            raise KingdominoError(f"there is no seat {seat} in a game of {len(review.seats)}")
    own = [
        [_cost(one) for one in review.decisions if one.seat == seat]
        for review, seat in zip(all_reviews, own_seats, strict=True)
    ]
    found: Summary = TypeAdapter(Summary).validate_json(_core.summary(json.dumps(own), rules))
    return found


def _cost(decision: Decision) -> dict[str, object]:
    """Return the part of a decision that the sums need."""
    return {
        "round": decision.round,
        "action": str(decision.action),
        "choices": decision.choices,
        "cost_points": decision.cost_points,
        "theme": decision.theme,
    }
