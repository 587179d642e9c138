"""Ratings: known answers, and changes that must not affect them."""

from collections.abc import Iterable, Sequence
from itertools import combinations, permutations, product
from math import exp, inf, log, log10

import numpy as np
import pytest
from scipy.optimize import minimize
from support.results import duel, duels, game, ranked

from kingdomino.arena.statistics import Block, GameResult, Rating, ratings
from kingdomino.arena.statistics.ratings import strengths, tally
from kingdomino.errors import ResultsError


def likeliest(games: Iterable[GameResult], bots: Sequence[str]) -> dict[str, float]:
    """Compute strengths from the definition: every order of every shared place, one after the other."""

    def order(thetas: dict[str, float], seats: Sequence[str]) -> float:
        return sum(
            thetas[bot] - log(sum(exp(thetas[other]) for other in seats[place:]))
            for place, bot in enumerate(seats)
        )

    def loss(values: Iterable[float]) -> float:
        thetas = dict(zip(bots, values, strict=True))
        total = sum(value**2 for value in [sum(thetas.values())])
        for result in games:
            orders = list(product(*map(permutations, result.ranking)))
            for groups in orders:
                seats = [result.bots[seat] for group in groups for seat in group]
                total -= order(thetas, seats) / len(orders)
        return total

    return dict(zip(bots, minimize(loss, np.zeros(len(bots)), tol=1e-10).x.tolist(), strict=True))


def by_bot(rated: list[Rating]) -> dict[str, Rating]:
    return {rating.bot: rating for rating in rated}


def test_three_wins_in_four_games_are_191_points() -> None:
    rated = ratings(duels("a", "b", [1, 1, 1, 0] * 250))
    assert [rating.bot for rating in rated] == ["a", "b"]
    assert rated[0].value - rated[1].value == pytest.approx(400 * log10(3), abs=0.5)
    assert rated[0].games == rated[1].games == 1000


def test_a_shared_victory_is_half_a_win() -> None:
    halves = ratings(duels("a", "b", [1, 0.5] * 100))
    wins = ratings(duels("a", "b", [1, 1, 1, 0] * 50))
    assert halves[0].value == pytest.approx(wins[0].value)


def test_the_american_league_of_1987_is_rated_as_published() -> None:
    """Compare with Agresti, *Categorical Data Analysis* (2002), section 10.6.1: wins of row over column."""
    teams = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
    wins = [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ]
    games = [
        duel(teams[row], teams[column], 1)
        for row, column in permutations(range(7), 2)
        for _ in range(wins[row][column])
    ]
    (theta,) = strengths(tally([games], teams))
    assert theta - theta[-1] == pytest.approx([1.581, 1.436, 1.294, 1.248, 1.108, 0.684, 0], abs=6e-4)


def test_shared_places_and_copies_sum_the_likelihood_of_all_orders() -> None:
    generator = np.random.default_rng(7)
    thetas = {"a": 0.6, "b": 0.0, "c": -0.4}
    games = [ranked(thetas, generator.choice(list("aabbcc"), 4), generator) for _ in range(12)]
    games += [
        game("abcc", [2, 0, 1], [3]),
        game("cab", [0, 1, 2]),
        game("abbc", [3], [0, 2, 1]),
        duel("a", "b", 0.5),
    ]
    (theta,) = strengths(tally([games], "abc"))
    expected = likeliest(games, "abc")
    assert theta.tolist() == pytest.approx([expected[bot] for bot in "abc"], abs=1e-4)


def test_one_against_three_copies_of_an_equal_is_rated_its_equal() -> None:
    """Let it finish first, second, third and last equally often: it wins a quarter of the games."""
    places = [list(range(1, 4)) for _ in range(4)]
    for place, seats in enumerate(places):
        seats.insert(place, 0)
    blocks = [
        Block(number, tuple(game("abbb", *([seat] for seat in seats)) for seats in places))
        for number in range(5)
    ]
    assert [rating.value for rating in ratings(blocks)] == pytest.approx([0, 0], abs=1e-6)


def some_blocks() -> list[Block]:
    generator = np.random.default_rng(8)
    thetas = {"a": 0.8, "b": 0.2, "c": 0.0, "d": -1.0}
    return [
        Block(number, tuple(ranked(thetas, np.roll(list(lineup), turn), generator) for turn in range(3)))
        for number in range(30)
        for lineup in combinations("abcd", 3)
    ]


def test_the_order_of_games_and_blocks_does_not_matter() -> None:
    blocks = some_blocks()
    turned = [Block(block.number, block.games[::-1]) for block in blocks[::-1]]
    for one, other in zip(ratings(blocks), ratings(turned), strict=True):
        assert one.bot == other.bot
        assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high), abs=1e-6)


def test_the_same_seed_gives_the_same_intervals() -> None:
    assert ratings(some_blocks(), seed=3) == ratings(some_blocks(), seed=3)
    assert ratings(some_blocks(), seed=3) != ratings(some_blocks(), seed=4)


def test_without_an_anchor_the_mean_is_0_and_with_one_the_anchor() -> None:
    free = by_bot(ratings(some_blocks()))
    assert np.mean([rating.value for rating in free.values()]) == pytest.approx(0)
    anchored = by_bot(ratings(some_blocks(), anchor="d"))
    assert (anchored["d"].value, anchored["d"].low, anchored["d"].high) == (0, 0, 0)
    assert anchored["a"].value - anchored["d"].value == pytest.approx(free["a"].value - free["d"].value)


def test_a_bot_without_a_loss_has_a_finite_rating() -> None:
    best, worst = ratings(duels("a", "b", [1] * 100))
    assert best.value - worst.value == pytest.approx(400 * log10(100.5 / 0.5))
    assert best.high - best.value > best.value - best.low > 50
    assert best.high < 2000


def test_a_ladder_of_bots_that_never_lost_is_rated_in_order() -> None:
    blocks = [block for one, other in pairwise_names(8) for block in duels(one, other, [1] * 200)]
    rated = ratings(blocks, anchor="bot 0")
    assert [rating.bot for rating in rated] == [f"bot {number}" for number in range(7, -1, -1)]
    for rating in rated:
        assert rating.low <= rating.value <= rating.high < inf


def pairwise_names(bots: int) -> list[tuple[str, str]]:
    return [(f"bot {number + 1}", f"bot {number}") for number in range(bots - 1)]


def test_the_prior_vanishes_beside_many_games() -> None:
    thetas = {"a": 1.0, "b": 0.0, "c": -1.0}
    rated = by_bot(
        ratings(
            [
                block
                for one, other in combinations(thetas, 2)
                for block in duels(
                    one, other, np.arange(1000) < round(1000 / (1 + exp(thetas[other] - thetas[one])))
                )
            ]
        )
    )
    for bot, theta in thetas.items():
        assert rated[bot].value == pytest.approx(theta * 400 / log(10), abs=1)


def test_bots_that_never_met_cannot_be_rated_together() -> None:
    apart = [*duels("a", "b", [1, 0]), *duels("c", "d", [1, 0])]
    with pytest.raises(ResultsError, match=r"cannot be rated together: 'a', 'b' \| 'c', 'd'"):
        ratings(apart)
    assert len(ratings([*apart, *duels("b", "c", [1, 0])])) == 4


def test_one_deal_gives_ratings_with_infinite_intervals() -> None:
    for rating in ratings(duels("a", "b", [1])):
        assert (rating.low, rating.high) == (-inf, inf)


def test_a_bot_that_met_only_itself_is_the_mean() -> None:
    assert ratings(duels("a", "a", [1, 0])) == [Rating("a", 0, 0, 0, 2)]


def test_no_games_and_an_anchor_without_games_are_refused() -> None:
    with pytest.raises(ResultsError, match="there are no games"):
        ratings([])
    with pytest.raises(ResultsError, match="the anchor 'c' has no games; there are games of 'a', 'b'"):
        ratings(duels("a", "b", [1, 0]), anchor="c")
