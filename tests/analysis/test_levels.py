"""The level whose decisions cost as much."""

import pytest

import kingdomino as kd
from kingdomino.analysis import Level, levels

RULES = kd.Rules(players=2)


@pytest.fixture(autouse=True)
def costs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "_COSTS", {(2, False): (3.0, 2.0, 1.0)})


def test_the_level_is_the_one_with_the_nearest_mean_cost() -> None:
    assert levels.level_of([1.9, 2.1] * 10, RULES) == Level(2, 2, 2)
    assert levels.level_of([9.0] * 12, RULES) == Level(1, 1, 1)
    assert levels.level_of([0.0] * 12, RULES) == Level(3, 3, 3)


def test_the_interval_is_wide_where_costs_differ() -> None:
    assert levels.level_of([0.0, 0.0, 0.0, 8.0] * 4, RULES) == Level(2, 1, 3)


def test_nothing_is_said_after_few_decisions() -> None:
    assert levels.level_of([2.0] * 11, RULES) is None
    assert levels.level_of([], RULES) is None
