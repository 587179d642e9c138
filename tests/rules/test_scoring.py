"""docs/rules.md, scoring: territories, the castle, Harmony, the Middle Kingdom."""

import pytest
from support.setups import ALL_48, NOTHING_FITS, WHEAT_LAKE, in_last_round, play

import kingdomino as kd

PLAIN = kd.Rules()
HARMONY = kd.Rules(harmony=True)
MIDDLE = kd.Rules(middle_kingdom=True)
DUEL = kd.Rules(mighty_duel=True, harmony=True, middle_kingdom=True)

FULL = "wwwww/wwwww/wwCww/wwwww/wwwww"
ROOM_FOR_ONE = "www../wwwww/wwCww/wwwww/wwwww"
FULL_7 = "/".join(["fffffff"] * 3 + ["fffCfff"] + ["fffffff"] * 3)


def points(text: str, size: int = 5) -> int:
    """Score a kingdom without bonuses."""
    return kd.Kingdom.parse(text, size).score().total


def territories(text: str) -> list[tuple[str, int, int, int]]:
    """Name the territories of a kingdom: terrain, number of squares, crowns, score."""
    found = kd.Kingdom.parse(text).territories()
    return sorted((str(one.terrain), len(one.squares), one.crowns, one.score) for one in found)


# Territories


def test_a_territory_is_all_connected_squares_of_one_terrain() -> None:
    assert territories("wwf/Cwf/llf") == [("forest", 3, 0, 0), ("lake", 2, 0, 0), ("wheat", 3, 0, 0)]


def test_squares_that_touch_with_their_corners_only_are_not_connected() -> None:
    assert territories("wf/Cw") == [("forest", 1, 0, 0), ("wheat", 1, 0, 0), ("wheat", 1, 0, 0)]


def test_a_territory_scores_its_squares_times_all_its_crowns() -> None:
    assert points("Cw1w/.w2.") == 3 * 3


def test_a_territory_scores_squares_times_crowns() -> None:
    kingdom = "ff1f1fl/f1ffll/wwCll/...ll/...ll"
    assert territories(kingdom) == [("forest", 7, 3, 21), ("lake", 9, 0, 0), ("wheat", 2, 0, 0)]
    assert points(kingdom) == 21


def test_a_territory_without_a_crown_scores_nothing() -> None:
    assert points("wwwww/wwCww/wwwww") == 0


def test_several_territories_of_one_terrain_score_separately() -> None:
    assert points("w1wCww2") == 2 * 1 + 2 * 2
    assert points("w1wCww") == 2 * 1


def test_the_castle_belongs_to_no_territory_and_joins_none() -> None:
    assert territories("w1Cw1") == [("wheat", 1, 1, 1)] * 2
    assert all((0, 0) not in territory.squares for territory in kd.Kingdom.parse(FULL).territories())
    assert kd.Kingdom().territories() == []


def test_crowns_of_a_touching_territory_of_another_terrain_do_not_count() -> None:
    assert points("Cwm3") == 3


def test_a_kingdoms_score_is_the_sum_over_its_territories() -> None:
    assert points("w1ws2/.Cs/.l1.") == 2 + 4 + 1


def test_the_squares_of_a_territory_are_named() -> None:
    (territory,) = kd.Kingdom.parse("Cw1w/..w").territories()
    assert territory == kd.Territory(kd.Terrain.WHEAT, frozenset({(1, 0), (2, 0), (2, -1)}), 1)
    assert territory.score == 3


# Harmony


def test_harmony_gives_5_points_to_a_kingdom_without_a_gap() -> None:
    assert kd.Kingdom.parse(FULL).score(HARMONY) == kd.Score(total=5, territories=0, harmony=5)


def test_harmony_gives_nothing_to_a_kingdom_with_a_gap() -> None:
    for text in (FULL.replace("wwwww", ".wwww", 1), "www/wCw/www", "C"):
        assert kd.Kingdom.parse(text).score(HARMONY).harmony == 0


def test_harmony_in_the_mighty_duel_takes_all_49_squares() -> None:
    assert kd.Kingdom.parse(FULL_7, 7).score(DUEL).harmony == 5
    assert kd.Kingdom.parse(FULL, 7).score(DUEL).harmony == 0


def test_harmony_is_the_same_as_having_discarded_nothing() -> None:
    position = in_last_round(WHEAT_LAKE, ROOM_FOR_ONE, HARMONY)
    game = play(kd.Game.from_position(position, seed=1), "place 1,2>2,2")
    assert game.position.scores()[0].harmony == 5
    game = play(kd.Game.from_position(in_last_round(7, NOTHING_FITS, HARMONY), seed=1), "discard")
    assert game.position.scores()[0].harmony == 0


# Middle Kingdom


@pytest.mark.parametrize(
    "kingdom", [FULL, "wwwww/w.w.w/wwCww/w.w.w/wwwww", "wCw", ".w./.w./wCw/.w./.w.", "C"]
)
def test_middle_kingdom_allows_gaps(
    kingdom: str,
) -> None:
    assert kd.Kingdom.parse(kingdom).score(MIDDLE) == kd.Score(total=10, territories=0, middle_kingdom=10)


@pytest.mark.parametrize("kingdom", ["Cww", "wCww", "w/C", "www/wCw", "wCwww/wwwww/wwwww", "wwwC", "ww/wC"])
def test_the_middle_kingdom_gives_nothing_to_a_castle_elsewhere(kingdom: str) -> None:
    assert kd.Kingdom.parse(kingdom).score(MIDDLE).middle_kingdom == 0


def test_the_castle_must_be_in_the_middle_of_the_box_not_of_the_squares() -> None:
    assert kd.Kingdom.parse("w.www/wwwww/..Cww/...w./...w.").score(MIDDLE).middle_kingdom == 10


# Both


def test_both_bonuses_also_apply_in_the_mighty_duel() -> None:
    assert kd.Kingdom.parse(FULL_7, 7).score(DUEL) == (15, 0, 5, 10)


def test_bonuses_are_off_unless_asked_for() -> None:
    kingdom = kd.Kingdom.parse(FULL)
    assert kingdom.score() == kingdom.score(PLAIN) == kd.Score(total=0, territories=0)


def test_a_position_scores_with_the_bonuses_of_its_rules() -> None:
    both = kd.Rules(harmony=True, middle_kingdom=True)
    for rules, score in ((PLAIN, 0), (HARMONY, 5), (MIDDLE, 10), (both, 15)):
        game = kd.Game.from_position(in_last_round(WHEAT_LAKE, ROOM_FOR_ONE, rules), seed=1)
        play(game, "place 1,2>2,2")
        assert game.position.scores()[0].total == score


def test_scores_are_as_if_the_game_ended_now() -> None:
    game = kd.Game(kd.Rules(4, middle_kingdom=True), deck=ALL_48, opening=[0, 1, 2, 3])
    assert [score.total for score in game.position.scores()] == [10, 10, 10, 10]
    play(game, "claim 1", "claim 2", "claim 3", "claim 4", "place 1,0>2,0")
    assert [score.total for score in game.position.scores()] == [0, 10, 10, 10]
