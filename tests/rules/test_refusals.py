"""A refusal is a value: a code, its facts, and a sentence from both."""

import copy
import pickle
import random

import pytest

import kingdomino as kd

CLAIMING = kd.Game(kd.Rules(2), deck=range(1, 25), opening=[0, 1, 0, 1])


def placing() -> kd.Position:
    game = kd.Game(kd.Rules(2), deck=range(1, 25), opening=[0, 1, 0, 1])
    for number in range(1, 5):
        game.play(f"claim {number}")
    return game.position


def over() -> kd.Position:
    game = kd.Game(kd.Rules(2), seed=1)
    while not game.is_over:
        game.play(game.legal_actions()[0])
    return game.position


def test_each_refusal_of_a_position_names_its_facts() -> None:
    first, second = kd.DOMINOES[:2]
    claimed = copy.copy(CLAIMING)
    claimed.play("claim 1")
    for position, action, expected in [
        (over(), "claim 1", kd.Refusal(kd.RefusalCode.GAME_OVER, "the game is over")),
        (CLAIMING.position, "discard", kd.Refusal(kd.RefusalCode.MUST_CLAIM, "a domino must be claimed now")),
        (
            CLAIMING.position,
            "claim 9",
            kd.Refusal(
                kd.RefusalCode.NOT_ON_OFFER,
                "domino 9 is not on offer (1, 2, 3, 4)",
                domino=kd.DOMINOES[8],
                line=kd.DOMINOES[:4],
            ),
        ),
        (
            claimed.position,
            "claim 1",
            kd.Refusal(
                kd.RefusalCode.CLAIMED, "domino 1 is already claimed, by seat 0", domino=first, seat=0
            ),
        ),
        (
            placing(),
            "claim 5",
            kd.Refusal(
                kd.RefusalCode.MUST_PLACE,
                "domino 1 must be placed (or discarded, if it fits nowhere) first",
                domino=first,
            ),
        ),
        (
            placing(),
            "discard",
            kd.Refusal(kd.RefusalCode.FITS, "domino 1 can be placed, so it must be", domino=first),
        ),
    ]:
        assert position.refusal(action) == expected
        assert not position.is_legal(action)
    assert CLAIMING.position.refusal("claim 2") is None
    assert CLAIMING.position.is_legal(kd.Action.claim(second))


@pytest.mark.parametrize(
    ("placement", "expected"),
    [
        (
            ((1, 0), (3, 0)),
            kd.Refusal(kd.RefusalCode.APART, "squares (1, 0) and (3, 0) are not next to each other"),
        ),
        (
            ((0, 0), (1, 0)),
            kd.Refusal(kd.RefusalCode.TAKEN, "square (0, 0) is taken", square=(0, 0)),
        ),
        (
            ((5, 0), (6, 0)),
            kd.Refusal(kd.RefusalCode.TOO_WIDE, "the kingdom would be 7 squares wide", width=7),
        ),
        (
            ((0, 5), (0, 6)),
            kd.Refusal(kd.RefusalCode.TOO_TALL, "the kingdom would be 7 squares tall", height=7),
        ),
        (
            ((2, 0), (3, 0)),
            kd.Refusal(
                kd.RefusalCode.NO_MATCH,
                "no wheat or mine touches it there",
                terrains=(kd.Terrain.WHEAT, kd.Terrain.MINE),
            ),
        ),
    ],
)
def test_each_refusal_of_a_placement_names_its_facts(
    placement: tuple[tuple[int, int], tuple[int, int]], expected: kd.Refusal
) -> None:
    found = kd.Kingdom().refusal(48, placement)
    assert found == expected
    assert str(found) == expected.sentence
    assert eval(repr(found), vars(kd)) == found
    assert pickle.loads(pickle.dumps(found)) == found
    with pytest.raises(kd.IllegalActionError) as refused:
        kd.Kingdom().place(48, placement)
    assert refused.value.refusal == expected
    assert refused.value.action == kd.Action.place(placement)
    again = pickle.loads(pickle.dumps(refused.value))
    assert (str(again), again.refusal, again.action) == (str(expected), expected, refused.value.action)


@pytest.mark.parametrize("mighty_duel", [False, True])
def test_facts_go_with_the_code(mighty_duel: bool) -> None:
    codes, chance = set(), random.Random(7)
    game = kd.Game(kd.Rules(2, mighty_duel=mighty_duel), seed=7)
    reach = range(-5 - 2 * mighty_duel, 6 + 2 * mighty_duel)
    while not game.is_over:
        position = game.position
        if position.domino is not None and position.to_move is not None:
            kingdom = position.kingdoms[position.to_move]
            for x in reach:
                for y in reach:
                    for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
                        placement = kd.Placement((x, y), (x + dx, y + dy))
                        refusal = kingdom.refusal(position.domino, placement)
                        if refusal is None:
                            continue
                        codes.add(refusal.code)
                        assert ((refusal.width or 0) > kingdom.size) == (refusal.code == "too_wide")
                        assert ((refusal.height or 0) > kingdom.size) == (refusal.code == "too_tall")
                        assert (refusal.square in kingdom.squares) == (refusal.code == "taken")
                        assert bool(refusal.terrains) == (refusal.code == "no_match")
        game.play(chance.choice(game.legal_actions()))
    assert codes == {"taken", "too_wide", "too_tall", "no_match"}
