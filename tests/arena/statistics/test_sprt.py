"""The sequential test: Wald's answers, stopping, and error rates."""

from itertools import pairwise
from math import log

import numpy as np
import pytest

from kingdomino.arena.statistics import Sprt, win_rate
from kingdomino.errors import ResultsError


def test_for_won_and_lost_blocks_it_is_walds_test() -> None:
    state = Sprt(0.5, 0.6).of([1, 0, 1, 1, 0])
    assert state.llr == pytest.approx(3 * log(0.6 / 0.5) + 2 * log(0.4 / 0.5), abs=1e-3)
    assert (state.decision, state.blocks) == ("continue", 5)


def test_for_many_blocks_it_is_close_to_the_normal_approximation() -> None:
    shares = np.random.default_rng(4).choice([0, 0.25, 0.5, 0.75, 1], 4000, p=[0.2, 0.2, 0.2, 0.2, 0.2])
    approximate = 4000 * (0.51 - 0.5) * (2 * shares.mean() - 0.5 - 0.51) / (2 * shares.var())
    assert Sprt(0.5, 0.51, 1e-6, 1e-6).of(shares).llr == pytest.approx(approximate, rel=0.02)


def test_the_bounds_are_walds() -> None:
    state = Sprt(0.5, 0.6, alpha=0.05, beta=0.1).of([])
    assert (state.lower_bound, state.upper_bound) == (log(0.1 / 0.95), log(0.9 / 0.05))
    assert (state.decision, state.llr, state.blocks) == ("continue", 0, 0)


def test_the_first_block_that_reaches_a_bound_decides() -> None:
    accepted = Sprt(0.5, 0.6).of([1] * 30)
    assert accepted.decision == "accept"
    # 17 wins in a row: 17 log 1.2 = 3.1 is the first to pass log 19 = 2.94.
    assert accepted.blocks == 17
    assert Sprt(0.5, 0.6).of([1] * 16).decision == "continue"
    assert Sprt(0.5, 0.6).of([1] * 17 + [0] * 500) == Sprt(0.5, 0.6).of([1] * 17)
    assert Sprt(0.5, 0.6).of([0] * 30).decision == "reject"


@pytest.mark.parametrize("share", [0, 0.25, 0.5, 0.55, 0.75, 1])
def test_equal_blocks_add_no_more_than_the_hypotheses_allow(share: float) -> None:
    ratios = [Sprt(0.5, 0.6, 1e-9, 1e-9).of([share] * blocks).llr for blocks in range(1, 12)]
    steps = [later - earlier for earlier, later in pairwise(ratios)]
    assert log(0.4 / 0.5) - 1e-3 <= min(steps)
    assert max(steps) <= log(0.6 / 0.5) + 1e-3


def test_winning_and_losing_are_mirrored() -> None:
    shares = np.random.default_rng(5).choice([0, 0.25, 0.5, 1], 40)
    one, other = Sprt(0.3, 0.4).of(shares), Sprt(0.6, 0.7).of(1 - shares)
    assert one.llr == pytest.approx(-other.llr)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((0.6, 0.5), "0 < lower < upper < 1, not 0.6 and 0.5"),
        ((0.0, 0.5), "0 < lower < upper < 1, not 0 and 0.5"),
        ((0.5, 1.0), "0 < lower < upper < 1, not 0.5 and 1"),
        ((0.5, float("nan")), "0 < lower < upper < 1, not 0.5 and nan"),
        ((0.5, 0.6, 0.0), "alpha is a probability between 0 and 0.5, not 0"),
        ((0.5, 0.6, 0.05, 0.5), "beta is a probability between 0 and 0.5, not 0.5"),
    ],
)
def test_a_test_that_cannot_be_is_refused(arguments: tuple[float, ...], reason: str) -> None:
    with pytest.raises(ResultsError, match=reason):
        Sprt(*arguments)


@pytest.mark.parametrize("share", [-0.1, 1.5, float("nan")])
def test_a_share_that_cannot_be_is_refused(share: float) -> None:
    with pytest.raises(ResultsError, match="between 0 and 1; one block has"):
        Sprt(0.5, 0.6).of([0.5, share])


def test_400_rating_points_are_odds_of_ten_to_one() -> None:
    assert [win_rate(points) for points in (-400, 400)] == pytest.approx([1 / 11, 10 / 11])
    assert [win_rate(points) for points in (-1e6, 0, 1e6)] == [0, 0.5, 1]
