"""Results check themselves at construction. An error names the contradiction."""

import pickle

import pytest
from support.results import duel, duels, game

from kingdomino.arena.statistics import Block, GameResult, block_means, margin, score, share
from kingdomino.errors import ResultsError


@pytest.mark.parametrize(
    ("bots", "scores", "shares", "ranking", "reason"),
    [
        (("a",), (1,), (1.0,), ((0,),), "two seats or more, not 1"),
        (("a", "b"), (1,), (1.0, 0.0), ((0,), (1,)), "2 bots, 1 scores and 2 shares"),
        (("a", "b"), (1, 2), (1.0,), ((0,), (1,)), "2 bots, 2 scores and 1 shares"),
        (("a", "b"), (1, 2), (1.0, 0.0), ((0,),), "does not name each of 2 seats once"),
        (("a", "b"), (1, 2), (1.0, 0.0), ((0,), (1, 0)), "does not name each of 2 seats once"),
        (("a", "b"), (1, 2), (1.0, 0.0), ((0,), (), (1,)), "does not name each of 2 seats once"),
        (("a", "b"), (1, 2), (1.0, 0.0), (), "does not name each of 2 seats once"),
        (("a", "b"), (1, 2), (1.0, 0.0), ((1,), (0,)), "seat 0 has 1 of the victory; by the ranking it is 0"),
        (("a", "b"), (1, 2), (1.0, 1.0), ((0, 1),), "seat 0 has 1 of the victory; by the ranking it is 0.5"),
    ],
)
def test_a_result_that_contradicts_itself_is_refused(
    bots: tuple[str, ...],
    scores: tuple[int, ...],
    shares: tuple[float, ...],
    ranking: tuple[tuple[int, ...], ...],
    reason: str,
) -> None:
    with pytest.raises(ResultsError, match=reason):
        GameResult(bots, scores, shares, ranking)


def test_a_game_lost_by_default_may_have_the_higher_score() -> None:
    assert game("ab", [1], [0], scores=(50, 3)).shares == (0.0, 1.0)


def test_a_block_has_games_and_all_are_between_the_same_bots() -> None:
    with pytest.raises(ResultsError, match="block 3 has no games"):
        Block(3, ())
    with pytest.raises(ResultsError, match="block 3 has games between a, b and between a, c"):
        Block(3, (duel("a", "b", 1), duel("c", "a", 1)))


def test_results_are_values() -> None:
    block = Block(3, (duel("a", "b", 0.5), duel("b", "a", 0.5)))
    assert eval(repr(block)) == pickle.loads(pickle.dumps(block)) == block
    assert hash(block) == hash(Block(3, block.games))


def test_the_margin_is_to_the_best_other_seat() -> None:
    result = game("abbb", [2], [0], [1], [3], scores=(40, 30, 55, 20))
    assert [margin(result, seat) for seat in range(4)] == [-15, -25, 15, -35]


def test_a_bot_in_several_seats_is_averaged_over_them() -> None:
    block = Block(0, (game("abbb", [2], [0], [1], [3], scores=(40, 30, 55, 20)),))
    assert block_means([block], "b", score) == {0: 35}
    assert block_means([block], "b", share) == {0: pytest.approx(1 / 3)}
    assert block_means([block], "a", share) == {0: 0}


def test_blocks_with_one_number_are_one_deal_and_sorted_by_number() -> None:
    blocks = [*duels("a", "b", [1, 0], first=7), *duels("a", "c", [1, 1, 0.5], first=6)]
    assert list(block_means(blocks, "a", share).items()) == [(6, 1), (7, 1), (8, 0.25)]


def test_a_bot_without_games_is_refused_and_the_others_are_named() -> None:
    with pytest.raises(ResultsError, match="bot 'c' has no games; there are games of 'a', 'b'"):
        block_means(duels("a", "b", [1]), "c", share)
    with pytest.raises(ResultsError, match=r"bot 'c' has no games$"):
        block_means([], "c", share)
