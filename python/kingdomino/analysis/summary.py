"""Where a player's points go over many games: by theme, by round, placing and claiming."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf, sqrt

from pydantic import TypeAdapter

from kingdomino import _core
from kingdomino._core import Rules
from kingdomino.analysis.values import Decision, Level, Review, Theme
from kingdomino.errors import KingdominoError

_Z = 1.644854
"""The 95% quantile of the normal distribution."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Points a game, with a 90% interval over the games; (0, inf) for a single game."""

    mean: float
    low: float
    high: float


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
        [one for one in review.decisions if one.seat == seat]
        for review, seat in zip(all_reviews, own_seats, strict=True)
    ]

    def estimate(counts: Callable[[Decision], bool]) -> Estimate:
        return _estimate([sum(one.cost_points for one in decisions if counts(one)) for decisions in own])

    costly = [one for decisions in own for one in decisions if one.cost_points > 0]

    def of_theme(theme: Theme | None) -> ThemeSum:
        count = sum(one.theme == theme for one in costly)
        return ThemeSum(theme, estimate(lambda one: one.theme == theme), count)

    def of_round(number: int) -> Estimate:
        return estimate(lambda one: one.round == number)

    themes = map(of_theme, {one.theme for one in costly})
    last = max((one.round for decisions in own for one in decisions), default=-1)
    costs = [one.cost_points for decisions in own for one in decisions if one.choices > 1]
    return Summary(
        games=len(own),
        cost=estimate(lambda _: True),
        themes=tuple(sorted(themes, key=lambda one: (one.theme is None, -one.estimate.mean))),
        rounds=tuple(map(of_round, range(last + 1))),
        placing=estimate(lambda one: one.action.kind != "claim"),
        claiming=estimate(lambda one: one.action.kind == "claim"),
        level=level(costs, rules) if rules else None,
    )


def level(costs: Sequence[float], rules: Rules) -> Level | None:
    """Return the level of `king` whose decisions cost as much, in points; None unless that is clear to two
    levels.
    """
    found: Level | None = TypeAdapter(Level | None).validate_json(_core.level(costs, rules))
    return found


def _estimate(sums: Sequence[float]) -> Estimate:
    """Return the mean of points a game with Student's interval."""
    games = len(sums)
    mean = sum(sums) / games
    if games < 2:
        return Estimate(mean, 0.0, inf)
    variance = sum((one - mean) ** 2 for one in sums) / (games - 1)
    reach = _quantile(games - 1) * sqrt(variance / games)
    return Estimate(mean, max(0.0, mean - reach), mean + reach)


def _quantile(freedom: int) -> float:
    """Return the 95% quantile of Student's distribution, to 1% from four degrees of freedom on.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5.
    """
    return _Z + (_Z**3 + _Z) / (4 * freedom) + (5 * _Z**5 + 16 * _Z**3 + 3 * _Z) / (96 * freedom**2)
