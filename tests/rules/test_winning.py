"""docs/rules.md, winning and Dynasty: the highest score, ties under each edition, matches of three games."""

import pickle
from random import Random
from typing import Literal

import pytest
from support.outcomes import ended, totals
from support.setups import MINES, finished, play_first_choices

import kingdomino as kd

FIRST, SECOND = kd.Rules(edition="first"), kd.Rules(edition="second")
BOTH = pytest.mark.parametrize("rules", [FIRST, SECOND], ids=["first", "second"])

# Kingdoms that score 4, named by the squares of their largest territory and by all their crowns.
LARGEST_2_CROWNS_2 = "Cw2w"
LARGEST_2_CROWNS_2_TWO_LAKES = "llCw2w/..l../..l.."
LARGEST_3_CROWNS_2 = "llCw2w/l.f.."
LARGEST_4_CROWNS_1 = "Cw1www"
LARGEST_4_CROWNS_2 = "llw2w/llC."
LARGEST_6_CROWNLESS = "lllw2w/lllC."
NOTHING = "C"


def result(position: kd.Position) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], str]:
    """Return totals, places, winners and the deciding rule; check that the ranking follows the places."""
    outcome = ended(position)
    by_place = sorted(range(len(outcome.places)), key=lambda seat: outcome.places[seat])
    assert outcome.ranking == tuple(by_place)
    assert outcome.winners == tuple(seat for seat in by_place if outcome.places[seat] == 1)
    return totals(outcome), outcome.places, outcome.winners, outcome.decided_by


def decided(position: kd.Position) -> tuple[tuple[int, ...], str]:
    """Return the winners and the deciding rule."""
    outcome = ended(position)
    return outcome.winners, outcome.decided_by


@BOTH
def test_the_highest_score_wins_over_everything_else(rules: kd.Rules) -> None:
    position = finished(rules, "Cm3m", "f1llll/lllll/llClf1/lllll/m1lllm1")
    assert totals(ended(position)) == (6, 4)
    assert decided(position) == ((0,), "score")
    assert ended(position).ranking == (0, 1)


@BOTH
def test_a_tie_goes_to_the_largest_territory(rules: kd.Rules) -> None:
    position = finished(rules, LARGEST_2_CROWNS_2, LARGEST_4_CROWNS_1)
    assert result(position) == ((4, 4), (2, 1), (1,), "largest_territory")


@BOTH
def test_the_largest_territory_counts_by_squares_crowns_or_not(rules: kd.Rules) -> None:
    assert decided(finished(rules, LARGEST_6_CROWNLESS, LARGEST_4_CROWNS_1)) == ((0,), "largest_territory")


@BOTH
def test_a_single_territory_counts_and_not_all_of_its_terrain(rules: kd.Rules) -> None:
    position = finished(rules, LARGEST_2_CROWNS_2_TWO_LAKES, LARGEST_3_CROWNS_2)
    assert decided(position) == ((1,), "largest_territory")


def test_in_the_first_edition_a_further_tie_goes_to_the_most_crowns_in_the_kingdom() -> None:
    position = finished(FIRST, LARGEST_4_CROWNS_1, LARGEST_4_CROWNS_2)
    assert result(position) == ((4, 4), (2, 1), (1,), "crowns")


def test_in_the_second_edition_crowns_break_no_tie_and_the_victory_is_shared() -> None:
    position = finished(SECOND, LARGEST_4_CROWNS_1, LARGEST_4_CROWNS_2)
    assert result(position) == ((4, 4), (1, 1), (0, 1), "shared")


@BOTH
def test_the_victory_is_shared_where_everything_is_equal(rules: kd.Rules) -> None:
    assert decided(finished(rules, LARGEST_2_CROWNS_2, LARGEST_2_CROWNS_2)) == ((0, 1), "shared")
    assert decided(finished(rules, NOTHING, NOTHING)) == ((0, 1), "shared")


def test_the_largest_territory_comes_before_the_crowns() -> None:
    assert decided(finished(FIRST, LARGEST_2_CROWNS_2, LARGEST_4_CROWNS_1)) == ((1,), "largest_territory")


def test_four_players_are_ranked_by_score_and_then_by_the_ties_of_the_first_edition() -> None:
    kingdoms = (LARGEST_2_CROWNS_2, LARGEST_4_CROWNS_1, LARGEST_4_CROWNS_2, NOTHING)
    position = finished(kd.Rules(4, "first"), *kingdoms)
    assert result(position) == ((4, 4, 4, 0), (3, 2, 1, 4), (2,), "crowns")


def test_four_players_are_ranked_by_score_and_then_by_the_tie_of_the_second_edition() -> None:
    kingdoms = (LARGEST_2_CROWNS_2, LARGEST_4_CROWNS_1, LARGEST_4_CROWNS_2, NOTHING)
    position = finished(kd.Rules(4, "second"), *kingdoms)
    assert result(position) == ((4, 4, 4, 0), (3, 1, 1, 4), (1, 2), "shared")


@pytest.mark.parametrize("edition", ["first", "second"])
def test_three_players_may_share_the_victory(edition: Literal["first", "second"]) -> None:
    assert decided(finished(kd.Rules(3, edition), *[LARGEST_3_CROWNS_2] * 3)) == ((0, 1, 2), "shared")


@pytest.mark.parametrize("edition", ["first", "second"])
def test_a_tie_behind_the_winner_decides_nothing(edition: Literal["first", "second"]) -> None:
    kingdoms = (LARGEST_2_CROWNS_2, LARGEST_4_CROWNS_1, "Cm3m")
    position = finished(kd.Rules(3, edition), *kingdoms)
    assert result(position) == ((4, 4, 6), (3, 2, 1), (2,), "score")


@BOTH
def test_bonuses_count_in_the_score_that_wins(rules: kd.Rules) -> None:
    with_bonus = kd.Rules(2, rules.edition, middle_kingdom=True)
    assert decided(finished(rules, LARGEST_4_CROWNS_1, "wCw")) == ((0,), "score")
    assert decided(finished(with_bonus, LARGEST_4_CROWNS_1, "wCw")) == ((1,), "score")


@BOTH
def test_bonuses_make_ties_and_break_none(rules: kd.Rules) -> None:
    with_bonus = kd.Rules(2, rules.edition, middle_kingdom=True)
    position = finished(with_bonus, "wCw", "Cw2www/f...w")
    assert result(position) == ((10, 10), (2, 1), (1,), "largest_territory")


def test_there_is_no_outcome_before_the_end() -> None:
    game = kd.Game(seed=1)
    while not game.is_over:
        assert game.outcome() is None
        assert game.position.outcome() is None
        game.play(game.legal_actions()[0])
    assert game.outcome() == ended(game.position)


# Dynasty


def play_match(match: kd.Match, seed: int) -> kd.Match:
    """Play all games of a match at random."""
    rng = Random(seed)
    while not match.is_over:
        match.play(rng.choice(match.game.legal_actions()))
    return match


def sums(match: kd.Match) -> tuple[int, ...]:
    return tuple(map(sum, zip(*(totals(ended(game)) for game in match.games), strict=True)))


def bests(match: kd.Match) -> tuple[int, ...]:
    return tuple(map(max, zip(*(totals(ended(game)) for game in match.games), strict=True)))


def test_a_dynasty_is_three_games_in_a_row_with_the_same_rules() -> None:
    match = kd.Match(kd.Rules(3, harmony=True), seed=1)
    assert len(match.games) == 1
    play_match(match, 1)
    assert len(match.games) == 3
    assert [game.rules for game in match.games] == [kd.Rules(3, harmony=True)] * 3
    assert len({game.deck for game in match.games}) == 3
    assert all(game.is_over for game in match.games)


def test_the_next_game_of_a_dynasty_begins_when_one_is_over() -> None:
    match = kd.Match(seed=1)
    while len(match.games) == 1:
        assert match.scores() == (kd.Score(0, 0), kd.Score(0, 0))
        assert match.outcome() is None
        match.play(match.game.legal_actions()[0])
    assert match.games[0].is_over
    assert match.game.history == ()
    assert match.scores() == ended(match.games[0]).scores
    assert not match.is_over
    assert match.outcome() is None


def test_an_action_in_the_game_of_a_match_is_played_in_the_match() -> None:
    match = kd.Match(kd.Rules(3), seed=4)
    first = match.game
    first.play(first.legal_actions()[0])
    assert (match.game, match.position) == (first, first.position)
    assert len(match.games[0].history) == 1
    first.undo()
    play_first_choices(first)
    assert match.game != first
    assert match.position == match.game.position
    assert (len(match.games), match.scores()) == (2, ended(first).scores)
    first.undo()
    assert match.game == first


def test_a_match_of_given_games_begins_no_other() -> None:
    first, second = (play_first_choices(kd.Game(seed=seed)) for seed in (1, 2))
    match = kd.Match.from_games([first], length=2)
    assert (match.seed, match.is_over, match.games) == (None, False, (first,))
    match = kd.Match.from_games([first, second], length=2, dynasty="best")
    assert match.is_over
    assert totals(ended(match)) == bests(match)


@pytest.mark.parametrize(
    ("games", "fault"),
    [
        ([], "a match has at least one game"),
        ([kd.Game(seed=1)] * 4, "4 games, but the match has 3"),
        ([kd.Game(kd.Rules(3)), kd.Game(seed=1)], "game 1 has other rules than the last"),
    ],
)
def test_games_that_cannot_follow_each_other_are_no_match(games: list[kd.Game], fault: str) -> None:
    with pytest.raises(kd.KingdominoError, match=fault):
        kd.Match.from_games(games)


def test_a_match_in_whose_first_game_an_action_is_taken_back_can_be_pickled() -> None:
    match = kd.Match(seed=1)
    play_first_choices(match.game)
    assert len(match.games) == 2
    match.games[0].undo()
    assert match.game == match.games[0]
    assert pickle.loads(pickle.dumps(match)) == match == eval(repr(match), vars(kd))


def test_the_scores_of_a_match_add_up_with_any_kingdoms() -> None:
    over = finished(kd.Rules(mighty_duel=True), MINES, MINES)
    assert result(over)[0] == (6912, 6912)
    match = kd.Match.from_games([kd.Game.from_position(over)] * 100, length=100)
    assert totals(ended(match)) == (691_200, 691_200)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_in_a_dynasty_the_highest_total_wins(players: int) -> None:
    for seed in range(10):
        match = play_match(kd.Match(kd.Rules(players), seed=seed), seed)
        assert match.scores() == ended(match).scores
        assert totals(ended(match)) == sums(match)
        best = max(sums(match))
        assert ended(match).winners == tuple(s for s, total in enumerate(sums(match)) if total == best)


def test_with_the_option_best_the_best_single_score_of_the_three_wins() -> None:
    differs = False
    for seed in range(20):
        match = play_match(kd.Match(seed=seed, dynasty="best"), seed)
        assert match.scores() == ended(match).scores
        assert totals(ended(match)) == bests(match)
        best = max(bests(match))
        assert ended(match).winners == tuple(s for s, score in enumerate(bests(match)) if score == best)
        differs = differs or sums(match).index(max(sums(match))) not in ended(match).winners
    assert differs


@pytest.mark.parametrize("dynasty", ["total", "best"])
def test_a_tie_in_a_dynasty_is_shared(dynasty: Literal["total", "best"]) -> None:
    matches = (play_match(kd.Match(seed=seed, dynasty=dynasty), seed) for seed in range(500))
    tied = next(match for match in matches if len(set(match.scores())) == 1)
    assert ended(tied).winners == (0, 1)
    assert ended(tied).decided_by == "shared"


def test_a_dynasty_plays_the_same_games_again_from_its_seed() -> None:
    one, other = (play_match(kd.Match(kd.Rules(4), seed=9), 5) for _ in range(2))
    assert one.games == other.games
    assert play_first_choices(kd.Match(seed=9).game) == play_first_choices(kd.Match(seed=9).game)
