"""Rotations and reflections map observations, masks and actions together, and keep every score."""

from random import Random

import numpy as np
import pytest

import kingdomino as kd
from kingdomino.envs.observation import action_mask, observe
from kingdomino.envs.options import Form
from kingdomino.envs.symmetry import SYMMETRIES, Symmetry

RULES = [
    kd.Rules(),
    kd.Rules(mighty_duel=True, harmony=True, middle_kingdom=True),
    kd.Rules(players=4, middle_kingdom=True),
]


def pair(rules: kd.Rules, seed: int) -> tuple[kd.Game, kd.Game]:
    return kd.Game(rules, seed=seed), kd.Game(rules, seed=seed)


@pytest.mark.parametrize("form", ["planes", "compact"])
@pytest.mark.parametrize("symmetry", SYMMETRIES, ids=str)
def test_the_mapped_game_is_seen_as_the_mapped_observation(symmetry: Symmetry, form: Form) -> None:
    for seed, rules in enumerate(RULES):
        (game, mapped), chance = pair(rules, seed), Random(seed)
        while not game.is_over:
            seat = game.position.to_move or 0
            seen = observe(game.position, seat, form) | {"action_mask": action_mask(game.position)}
            expected = observe(mapped.position, seat, form) | {"action_mask": action_mask(mapped.position)}
            found = symmetry.observation(seen, rules)
            for name, array in expected.items():
                np.testing.assert_array_equal(found[name], array)
            number = chance.choice(np.flatnonzero(seen["action_mask"]).tolist())
            game.play(kd.Action.from_number(number, rules))
            mapped.play(kd.Action.from_number(symmetry.after(seen, number, rules), rules))
        assert game.outcome() == mapped.outcome()
        assert [symmetry.kingdom(one) for one in game.position.kingdoms] == list(mapped.position.kingdoms)


def test_many_observations_are_mapped_as_each_of_them() -> None:
    rules, symmetry = kd.Rules(), SYMMETRIES[5]
    rows = []
    for seed in range(20):
        game = kd.Game(rules, seed=seed)
        for _ in range(seed):
            game.play(game.legal_actions()[-1])
        seat = game.position.to_move or 0
        rows.append(observe(game.position, seat) | {"action_mask": action_mask(game.position)})
    together = {name: np.stack([row[name] for row in rows]) for name in rows[0]}
    found = symmetry.observation(together, rules)
    for index, row in enumerate(rows):
        for name, array in symmetry.observation(row, rules).items():
            np.testing.assert_array_equal(found[name][index], array)


def test_there_are_eight_and_each_is_undone_by_its_inverse() -> None:
    corner = (2, 1)
    assert len({symmetry.square(corner) for symmetry in SYMMETRIES}) == 8
    for symmetry in SYMMETRIES:
        assert symmetry.inverse.square(symmetry.square(corner)) == corner
        numbers = np.arange(kd.Rules().action_count)
        there = symmetry.numbers(numbers, kd.Rules())
        np.testing.assert_array_equal(symmetry.inverse.numbers(there, kd.Rules()), numbers)


def test_an_action_is_mapped_by_its_squares() -> None:
    left_turn = SYMMETRIES[1]
    assert str(left_turn.action(kd.Action.parse("place 1,0>2,0"), kd.Rules())) == "place 0,1>0,2"
    assert str(left_turn.action(kd.Action.parse("place 0,1>0,2"), kd.Rules())) == "place -1,0>-2,0"
    double = left_turn.action(kd.Action.parse("place 0,1>0,2"), kd.Rules(), double=True)
    assert str(double) == "place -2,0>-1,0"
    assert left_turn.action(kd.Action.parse("claim 3"), kd.Rules()) == kd.Action.parse("claim 3")


def test_arrays_that_are_no_observation_are_refused() -> None:
    with pytest.raises(kd.KingdominoError, match="neither planes nor compact"):
        SYMMETRIES[0].observation({"squares": np.zeros(3)}, kd.Rules())
