"""docs/rules.md, placing: which placements are legal, and what happens to a domino without any."""

import re

import pytest
from support.setups import (
    ALL_48,
    FOREST,
    FOREST_LAKE,
    LAKE,
    NOTHING_FITS,
    WHEAT,
    WHEAT_FOREST,
    WHEAT_LAKE,
    WHEAT_MINE,
    in_last_round,
    kings_on,
    play,
)

import kingdomino as kd

Pair = tuple[tuple[int, int], tuple[int, int]]

AMONG_FORESTS = ".f./fCf/.f."
"""A kingdom whose castle is surrounded by forests."""


def refuses(kingdom: str, number: int, pair: Pair, reason: str, size: int = 5) -> None:
    """Assert that a placement is not legal, and that trying it raises this reason."""
    before = kd.Kingdom.parse(kingdom, size)
    turned = (pair[1], pair[0])
    alike = kd.DOMINOES[number - 1].left == kd.DOMINOES[number - 1].right
    assert pair not in before.placements(number)
    assert not alike or turned not in before.placements(number)
    assert str(before.refusal(number, pair)) == reason
    with pytest.raises(kd.IllegalActionError, match=re.escape(reason)):
        before.place(number, pair)
    assert before == kd.Kingdom.parse(kingdom, size)


def allows(kingdom: str, number: int, pair: Pair, after: str, size: int = 5) -> None:
    """Assert that a placement is legal and leads to this kingdom."""
    before = kd.Kingdom.parse(kingdom, size)
    domino = kd.DOMINOES[number - 1]
    alike = domino.left == domino.right
    assert pair in before.placements(number) or (alike and (pair[1], pair[0]) in before.placements(number))
    assert before.refusal(number, pair) is None
    assert before.place(number, pair).to_text() == after


# 1. Both squares are empty and adjacent to each other.


def test_both_squares_must_be_empty() -> None:
    refuses("Cww", WHEAT, ((2, 0), (3, 0)), "square (2, 0) is taken")
    refuses("Cww", WHEAT, ((3, 0), (2, 0)), "square (2, 0) is taken")


def test_the_square_of_the_castle_is_not_empty() -> None:
    refuses("Cww", WHEAT, ((0, 0), (0, 1)), "square (0, 0) is taken")


@pytest.mark.parametrize("far", [(2, 1), (3, 0), (1, 0), (0, -1), (1, 2)])
def test_both_squares_must_be_orthogonally_adjacent(far: tuple[int, int]) -> None:
    refuses("C", WHEAT, ((1, 0), far), f"squares (1, 0) and {far} are not next to each other")


# 2. One end touches the castle, or a square of its own terrain that was there before.


def test_one_end_must_touch_the_castle_or_its_own_terrain() -> None:
    refuses("Cww", FOREST_LAKE, ((3, 0), (4, 0)), "no forest or lake touches it there")
    allows("Cww", WHEAT_FOREST, ((3, 0), (4, 0)), "Cwwwf")
    allows("Cww", FOREST_LAKE, ((-1, 0), (-2, 0)), "lfCww")


def test_a_square_without_neighbours_touches_nothing() -> None:
    refuses("C", WHEAT, ((2, 0), (3, 0)), "no wheat touches it there")


def test_either_end_may_touch() -> None:
    allows("Cww", WHEAT_FOREST, ((3, 0), (3, 1)), "...f/Cwww")
    allows("Cff", WHEAT_FOREST, ((3, 1), (3, 0)), "...w/Cfff")


def test_the_other_end_need_not_match_its_neighbours() -> None:
    allows("Cwf", WHEAT_LAKE, ((1, 1), (2, 1)), ".wl/Cwf")


def test_an_end_matches_by_its_own_terrain_not_by_the_other_ends() -> None:
    kingdom = ".f../fCfw/.f../.l.."
    refuses(kingdom, WHEAT_LAKE, ((1, -2), (2, -2)), "no wheat or lake touches it there")
    allows(kingdom, WHEAT_LAKE, ((2, -2), (1, -2)), ".f../fCfw/.f../.llw")


def test_the_two_ends_of_one_domino_do_not_make_a_match_for_each_other() -> None:
    refuses(AMONG_FORESTS, WHEAT, ((1, 1), (2, 1)), "no wheat touches it there")
    assert kd.Kingdom.parse(AMONG_FORESTS).placements(WHEAT) == []


def test_corners_do_not_count() -> None:
    refuses(".ff/fCf/.f.", LAKE, ((-1, 1), (-2, 1)), "no lake touches it there")
    # (2, 2) touches the wheat of (1, 1) with a corner only.
    refuses(".fw/fCf/.f.", WHEAT, ((2, 2), (3, 2)), "no wheat touches it there")


def test_the_castle_counts_with_its_sides_and_not_with_its_corners() -> None:
    refuses("C", WHEAT, ((1, 1), (2, 1)), "no wheat touches it there")
    allows("C", WHEAT, ((1, 1), (1, 0)), ".w/Cw")


def test_crowns_do_not_matter_for_a_match() -> None:
    allows("Cfm3", WHEAT_MINE, ((3, 1), (2, 1)), "..m3w/Cfm3.")


# 3. All squares fit in a box.


def test_the_box_is_five_squares_wide() -> None:
    allows("wCff", FOREST, ((3, 0), (3, 1)), "....f/wCfff")
    refuses("wCff", FOREST, ((3, 0), (4, 0)), "the kingdom would be 6 squares wide")


def test_the_box_is_five_squares_tall() -> None:
    allows("w/C/f/f", FOREST, ((0, -3), (1, -3)), "w./C./f./f./ff")
    refuses("w/C/f/f", FOREST, ((0, -3), (0, -4)), "the kingdom would be 6 squares tall")


def test_the_box_of_the_mighty_duel_is_seven_squares_wide_and_tall() -> None:
    allows("wCffff", FOREST, ((5, 0), (5, 1)), "......f/wCfffff", size=7)
    refuses("wCffff", FOREST, ((5, 0), (6, 0)), "the kingdom would be 8 squares wide", size=7)
    refuses("w/C/f/f/f/f", FOREST, ((0, -5), (0, -6)), "the kingdom would be 8 squares tall", size=7)


def test_the_castle_counts_as_a_square_of_the_box() -> None:
    refuses("Cffff", FOREST, ((-1, 0), (-1, 1)), "the kingdom would be 6 squares wide")


@pytest.mark.parametrize("corner", ["Cwwww", "wCwww", "wwCww", "wwwCw", "wwwwC"])
def test_the_castle_need_not_be_in_the_middle_of_the_box(corner: str) -> None:
    kingdom = kd.Kingdom.parse(corner)
    assert kingdom.placements(WHEAT)
    assert all(-4 <= y <= 4 for placement in kingdom.placements(WHEAT) for _, y in placement)


def test_only_covered_squares_bound_the_box() -> None:
    reached = {square for placement in kd.Kingdom.parse("Cww").placements(WHEAT) for square in placement}
    assert (4, 0) in reached
    assert (-2, 0) in reached
    after = kd.Kingdom.parse("Cww").place(WHEAT, ((3, 0), (4, 0)))
    assert (-1, 0) not in {square for placement in after.placements(WHEAT) for square in placement}


# Any rotation is allowed.


@pytest.mark.parametrize(
    ("near", "far", "after"),
    [
        ((1, 0), (2, 0), "Cwf"),
        ((1, 0), (1, 1), ".f/Cw"),
        ((1, 0), (1, -1), "Cw/.f"),
        ((-1, 0), (-2, 0), "fwC"),
    ],
)
def test_any_rotation_is_allowed(near: tuple[int, int], far: tuple[int, int], after: str) -> None:
    allows("C", WHEAT_FOREST, (near, far), after)


def test_placements_that_leave_the_same_kingdom_are_one_placement() -> None:
    kingdom = kd.Kingdom()
    assert len(kingdom.placements(WHEAT)) == 12
    assert kingdom.place(WHEAT, ((1, 0), (2, 0))) == kingdom.place(WHEAT, ((2, 0), (1, 0)))
    position = in_last_round(WHEAT, "C")
    ways = [kd.Action.parse("place 1,0>2,0"), kd.Action.parse("place 2,0>1,0")]
    assert [position.refusal(way) for way in ways] == [None, None]
    assert [way for way in ways if way in position.legal_actions()] == ways[:1]
    games = [play(kd.Game.from_position(position, seed=1), str(way)) for way in ways]
    assert games[0] == games[1]


# A placed domino never moves; one that can be placed must be.


def test_a_placed_domino_never_moves() -> None:
    game = kd.Game(kd.Rules(4), deck=ALL_48, opening=[0, 1, 2, 3])
    covered: list[dict[tuple[int, int], kd.Square]] = [{} for _ in range(4)]
    while not game.is_over:
        for before, kingdom in zip(covered, game.position.kingdoms, strict=True):
            assert before.items() <= kingdom.squares.items()
            before.update(kingdom.squares)
        game.play(game.legal_actions()[-1])


def test_a_domino_that_can_be_placed_cannot_be_discarded() -> None:
    position = in_last_round(WHEAT, "Cww")
    assert kd.Action.discard() not in position.legal_actions()
    assert str(position.refusal("discard")) == "domino 1 can be placed, so it must be"
    game = kd.Game.from_position(position, seed=1)
    with pytest.raises(kd.IllegalActionError, match="domino 1 can be placed"):
        game.play("discard")
    assert game.position == position


@pytest.mark.parametrize("number", range(1, 49))
def test_a_domino_without_room_is_discarded(number: int) -> None:
    assert in_last_round(number, NOTHING_FITS).legal_actions() == [kd.Action.discard()]


def test_a_domino_without_a_match_is_discarded() -> None:
    assert in_last_round(WHEAT, AMONG_FORESTS).legal_actions() == [kd.Action.discard()]
    assert kd.Action.discard() not in in_last_round(WHEAT_FOREST, AMONG_FORESTS).legal_actions()


def test_a_discarded_domino_scores_nothing_and_leaves_the_kingdom_as_it_was() -> None:
    position = in_last_round(48, NOTHING_FITS)
    game = play(kd.Game.from_position(position, seed=1), "discard")
    assert game.position.kingdoms == position.kingdoms
    assert game.position.scores() == position.scores()


def test_a_claim_follows_a_discard_as_it_follows_a_placement() -> None:
    position = kd.Position.parse(
        f"kd1 4.second.random 9 place:2 1@2,5@0,8@3,9@1 20,30,40,48 2-4,6-7,10-12 C;C;{AMONG_FORESTS};C"
    )
    assert position.legal_actions() == [kd.Action.discard()]
    game = play(kd.Game.from_position(position, seed=1), "discard")
    assert (game.position.to_move, game.position.phase) == (2, "claim")
    play(game, "claim 48")
    assert kings_on(game.position)[48] == 2
    assert (game.position.to_move, game.position.phase) == (0, "place")
