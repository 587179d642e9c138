"""Where a player's points go over many games."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest

import kingdomino as kd
from kingdomino.analysis import Review, Theme, ThemeSum, summary


@pytest.fixture(scope="module")
def reviewed() -> list[Review]:
    """Review some games between weak players, roughly."""
    found = []
    for seed in range(4):
        game = kd.Game(kd.Rules(harmony=True), seed=seed)
        while not game.is_over:
            game.play(kd.bots.choose(game.position, "tuned", len(game.history), 8.0))
        found.append(kd.analysis.review(kd.Record.from_game(game), kd.bots.Limit(playouts=40)))
    return found


def test_every_division_adds_up_to_the_cost(reviewed: list[Review]) -> None:
    for seats in (0, [0, 1, 0, 1]):
        found = summary(reviewed, seats)
        own = [seats] * 4 if isinstance(seats, int) else seats
        costs = [review.seats[seat].cost_points for review, seat in zip(reviewed, own, strict=True)]
        assert found.games == 4
        assert found.cost.mean == pytest.approx(sum(costs) / 4)
        assert sum(one.estimate.mean for one in found.themes) == pytest.approx(found.cost.mean)
        assert sum(one.mean for one in found.rounds) == pytest.approx(found.cost.mean)
        assert found.placing.mean + found.claiming.mean == pytest.approx(found.cost.mean)
        assert len(found.rounds) == 7


def test_the_interval_is_over_the_games(reviewed: list[Review]) -> None:
    games = []
    for points in (10.0, 12.0, 20.0, 6.0, 12.0):
        decisions = [replace(one, cost_points=0.0) for one in reviewed[0].decisions]
        first = next(one.ply for one in decisions if one.seat == 0)
        decisions[first] = replace(decisions[first], cost_points=points, theme=Theme.ROOM)
        games.append(replace(reviewed[0], decisions=tuple(decisions)))
    found = summary(games)
    assert found.cost.mean == 12.0
    assert 0 < found.cost.low < 12.0 < found.cost.high < inf
    assert found.themes == (ThemeSum(Theme.ROOM, found.cost, 5),)
    alone = summary(games[:1])
    assert (alone.cost.low, alone.cost.high) == (0.0, inf)


def test_decisions_without_a_theme_come_last(reviewed: list[Review]) -> None:
    decisions = tuple(
        replace(one, theme=None if one.cost_points > 1 else one.theme) for one in reviewed[0].decisions
    )
    found = summary([replace(reviewed[0], decisions=decisions)])
    assert found.themes[-1].theme is None


def test_the_level_is_pooled(reviewed: list[Review]) -> None:
    rules = kd.Rules(harmony=True)
    assert summary(reviewed).level is None
    alike = [
        replace(game, decisions=tuple(replace(one, cost_points=2.2) for one in game.decisions))
        for game in reviewed
    ]
    assert summary(alike, rules=rules).level == kd.analysis.Level(3, 3, 3)


def test_what_cannot_be_summed_up_is_refused(reviewed: list[Review]) -> None:
    with pytest.raises(kd.KingdominoError, match="no review"):
        summary([])
    with pytest.raises(kd.KingdominoError, match="2 seats for 4 reviews"):
        summary(reviewed, [0, 1])
    with pytest.raises(kd.KingdominoError, match="no seat 2 in a game of 2"):
        summary(reviewed, 2)
