"""Every reason of the engine against a placement has a code that clients can say in any language."""

import random

import pytest

import kingdomino as kd
from kingdomino.server.reasons import reason_code

REACH = 5


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("square (1, 0) is taken", ("taken", 0, ())),
        ("square (-1, -10) is taken", ("taken", 0, ())),
        ("the kingdom would be 6 squares wide", ("too_wide", 6, ())),
        ("the kingdom would be 12 squares tall", ("too_tall", 12, ())),
        ("no wheat touches it there", ("no_match", 0, ("wheat",))),
        ("no wheat or lake touches it there", ("no_match", 0, ("wheat", "lake"))),
        ("something new", ("other", 0, ())),
        ("", ("other", 0, ())),
        ("square (1, 0) is taken\n", ("other", 0, ())),
    ],
)
def test_a_reason_is_read(text: str, reason: tuple[str, int, tuple[str, ...]]) -> None:
    assert reason_code(text) == reason


@pytest.mark.parametrize("mighty_duel", [False, True])
def test_no_reason_of_the_engine_is_unknown(mighty_duel: bool) -> None:
    codes, chance = set(), random.Random(7)
    terrains = {str(terrain) for terrain in kd.Terrain}
    game = kd.Game(kd.Rules(2, mighty_duel=mighty_duel), seed=7)
    reach = range(-REACH - 2 * mighty_duel, REACH + 2 * mighty_duel + 1)
    while not game.is_over:
        position = game.position
        if position.domino is not None and position.to_move is not None:
            kingdom = position.kingdoms[position.to_move]
            for x in reach:
                for y in reach:
                    for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
                        placement = kd.Placement((x, y), (x + dx, y + dy))
                        text = kingdom.refusal(position.domino, placement)
                        if text is None:
                            continue
                        code, squares, named = reason_code(text)
                        codes.add(code)
                        assert set(named) <= terrains
                        assert (squares > kingdom.size) == (code in ("too_wide", "too_tall"))
                        assert bool(named) == (code == "no_match")
        game.play(chance.choice(game.legal_actions()))
    assert codes == {"taken", "too_wide", "too_tall", "no_match"}
