"""The worth of each domino of a line to every kingdom."""

import pytest
from support.setups import runs

import kingdomino as kd
from kingdomino.analysis import DominoWorth, worth

CLOSED = "kd1 2.second.random 5 claim:0 *2@0,*3@1,13@0,16@1 1,10,14@1,15@0 25-48 w1w1w/wCw/www;ffffC"
LAST = "kd1 2.second.random 5 claim:0 *5@1,6@0,7@1,8@0 3,16,22,30@1 4,17-21,23-29,31-41 wwww/wwww/..C.;ffffC"


def test_in_the_last_line_it_is_the_points_that_a_domino_adds() -> None:
    found = worth(kd.Position.parse(LAST))
    assert [(one.domino, one.seat) for one in found] == [(3, None), (16, None), (22, None), (30, 1)]
    # A ninth square of wheat with the first crown; alone in the other kingdom, whose lakes lie across the castle.
    assert found[2] == DominoWorth(22, None, (9.0, 1.0))
    # Both kings still place two squares of lake before it.
    assert found[3].gains == (3.0, 3.0)


def test_a_domino_that_fits_nowhere_has_no_gain() -> None:
    found = worth(kd.Position.parse(CLOSED))
    assert found[0].gains[0] == 4.0
    assert found[1].domino == 10
    assert found[1].gains[0] is None


WHEAT = ".ww/w1w1C"


@pytest.mark.parametrize(
    ("line", "others"),
    [("30@0,34@1,37@0,38@1", [".ff/ffC"]), ("30@0,34@1,37@2,38@3", [".ff/ffC", ".ll/llC", ".gg/ggC"])],
)
def test_wheat_is_worth_most_to_the_kingdom_with_crowns_of_wheat(line: str, others: list[str]) -> None:
    unseen = [number for number in range(1, 49) if number not in (30, 34, 37, 38, 1, 7, 8, 9)][-28:]
    rules = kd.Rules(1 + len(others))
    text = f"kd1 {rules.to_text()} 4 place:0 {line} 1,7,8,9 {runs(unseen)} {';'.join([WHEAT, *others])}"
    first, *rest = worth(kd.Position.parse(text))[0].gains
    assert first is not None
    assert all(gain is not None and gain < first for gain in rest)


def test_all_rules_have_gains_and_the_opening_has_none() -> None:
    for rules in (kd.Rules(3), kd.Rules(4, middle_kingdom=True), kd.Rules(2, mighty_duel=True, harmony=True)):
        game, bot = kd.Game(rules, seed=4), kd.bots.make("greedy")
        assert worth(game.position) == ()
        while not game.is_over:
            found = worth(game.position)
            offered = game.position.offered if game.position.round else ()
            assert [one.domino for one in found] == [slot.domino.number for slot in offered]
            assert all(len(one.gains) == rules.players for one in found)
            game.play(bot.choose(game.position))
