"""Means and their intervals: known answers, and the real coverage of each interval."""

from math import inf

import numpy as np
import pytest
from scipy import stats
from support.results import duels, game

from kingdomino.arena.statistics import Block, Interval, summarise
from kingdomino.arena.statistics.estimate import mean_interval, rate_interval


def ends(interval: Interval) -> tuple[float, float]:
    return interval.low, interval.high


def holds(interval: Interval, value: float) -> bool:
    return interval.low <= value <= interval.high


def test_a_summary_says_games_win_rate_margin_and_score() -> None:
    blocks = [
        Block(0, (game("ab", [0], [1], scores=(50, 40)), game("ba", [1], [0], scores=(44, 48)))),
        Block(1, (game("ab", [0], [1], scores=(60, 40)), game("ba", [0], [1], scores=(44, 40)))),
    ]
    summary = summarise(blocks, "a")
    assert summary.games == 4
    assert (summary.win_rate.value, summary.margin.value, summary.score.value) == (0.75, 7.5, 49.5)
    # Margins of 7 and 8: a standard error of 1/2, times 12.706 with one degree of freedom.
    assert ends(summary.margin) == pytest.approx((7.5 - 6.353, 7.5 + 6.353), abs=1e-3)


def test_an_interval_of_points_is_students() -> None:
    values = [3.0, -1.0, 4.0, 1.0, -5.0, 9.0]
    low, high = stats.t.interval(0.95, 5, loc=np.mean(values), scale=stats.sem(values))
    assert ends(mean_interval(values)) == pytest.approx((low, high))


def test_an_interval_of_many_single_games_is_wilsons() -> None:
    known = stats.binomtest(9_100, 10_000).proportion_ci(method="wilson")
    interval = rate_interval([1.0] * 9_100 + [0.0] * 900)
    assert ends(interval) == pytest.approx((known.low, known.high), abs=2e-6)


def test_a_bot_that_won_everything_may_still_lose() -> None:
    won = rate_interval([1.0] * 100)
    assert (won.value, won.high) == (1, 1)
    assert won.low == pytest.approx(0.963, abs=1e-3)
    lost = rate_interval([0.0] * 100)
    assert ends(lost) == pytest.approx((0, 1 - won.low))


def test_copied_games_add_nothing_and_paired_deals_help() -> None:
    alone = rate_interval([0.0, 1.0] * 50)
    pairs = rate_interval([0.0, 0.5, 0.5, 1.0] * 25)
    cancelled = rate_interval([0.5] * 48 + [0.0, 1.0] + [0.5] * 50)
    assert alone.high > pairs.high > cancelled.high > 0.5


def test_one_deal_says_nothing_about_the_spread() -> None:
    summary = summarise(duels("a", "b", [1]), "a")
    assert summary.win_rate == Interval(1, 0, 1)
    assert summary.margin == Interval(0, -inf, inf)


def test_the_order_of_the_blocks_does_not_matter() -> None:
    blocks = duels("a", "b", [1, 0, 0.5, 1, 1, 0])
    assert summarise(blocks[::-1], "a") == summarise(blocks, "a")
