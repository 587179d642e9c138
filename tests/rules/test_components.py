"""docs/rules.md, the parts: the dominoes, the castle, the kings, the names of the terrains."""

from collections import Counter

import pytest

import kingdomino as kd

ENDS = [end for domino in kd.DOMINOES for end in (domino.left, domino.right)]


def test_there_are_48_dominoes_numbered_1_to_48() -> None:
    assert [domino.number for domino in kd.DOMINOES] == list(range(1, 49))


def test_the_96_squares_by_terrain() -> None:
    squares = Counter(end.terrain for end in ENDS)
    assert squares == {"wheat": 26, "forest": 22, "lake": 18, "grassland": 14, "swamp": 10, "mine": 6}


def test_the_39_crowns_by_terrain() -> None:
    crowns: Counter[str] = Counter()
    for end in ENDS:
        crowns[end.terrain] += end.crowns
    assert crowns == {"wheat": 5, "forest": 6, "lake": 6, "grassland": 6, "swamp": 6, "mine": 10}


def test_no_domino_has_crowns_on_both_ends() -> None:
    assert not [domino for domino in kd.DOMINOES if domino.left.crowns and domino.right.crowns]


def test_dominoes_1_to_18_have_no_crowns_and_all_others_have() -> None:
    assert [domino.number for domino in kd.DOMINOES if domino.crowns == 0] == list(range(1, 19))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_player_begins_with_one_castle_on_a_single_square(players: int) -> None:
    kingdoms = kd.Game(kd.Rules(players), seed=1).position.kingdoms
    assert kingdoms == (kd.Kingdom(5),) * players
    assert kingdoms[0].squares == {(0, 0): kd.Square(kd.Terrain.CASTLE)}


@pytest.mark.parametrize("domino", kd.DOMINOES, ids=str)
def test_the_castle_is_wild_on_all_four_sides(domino: kd.Domino) -> None:
    placements = kd.Kingdom().placements(domino)
    beside = {(1, 0), (0, 1), (-1, 0), (0, -1)}
    for side in beside:
        assert [placement for placement in placements if side in placement]
    assert all(beside & set(placement) for placement in placements)
    # Three directions on each of four sides, and twice as many if the ends differ.
    assert len(placements) == (12 if domino.left == domino.right else 24)


@pytest.mark.parametrize(("players", "kings"), [(2, 2), (3, 1), (4, 1)])
def test_a_player_has_one_king_and_two_in_a_game_of_two(players: int, kings: int) -> None:
    rules = kd.Rules(players)
    assert rules.kings == kings
    assert Counter(kd.Game(rules, seed=1).opening) == dict.fromkeys(range(players), kings)


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("field", "wheat"),
        ("Fields", "wheat"),
        ("wood", "forest"),
        ("water", "lake"),
        ("sea", "lake"),
        ("oceans", "lake"),
        ("grass", "grassland"),
        ("plains", "grassland"),
        ("pasture", "grassland"),
        ("meadow", "grassland"),
        ("garden", "grassland"),
        ("village", "swamp"),
        ("bog", "swamp"),
        ("marshes", "swamp"),
        ("mountain", "mine"),
        ("caves", "mine"),
    ],
)
def test_other_usual_names_of_terrains_are_accepted_on_input(alias: str, name: str) -> None:
    assert kd.Terrain(alias) is kd.Terrain(name)
    assert kd.End.parse(f"{alias} 1") == kd.End(kd.Terrain(name), 1)
    kingdom = kd.Kingdom.from_squares({(1, 0): (alias, 1)})
    assert kingdom == kd.Kingdom.from_squares({(1, 0): (name, 1)})
    assert kingdom.squares[1, 0] == (name, 1)
