"""Bad input: illegal actions, and texts and numbers that are not actions.

Each raises a typed error that says why, and changes nothing.
"""

import copy

import pytest
from support.setups import BEGUN, HUGE, game_begun

import kingdomino as kd


def unchanged_by(game: kd.Game, action: kd.Action | str) -> kd.KingdominoError:
    """Try an action, check that nothing has changed, and return the error."""
    before, text = copy.copy(game), game.position.to_text()
    with pytest.raises(kd.KingdominoError) as error:
        game.play(action)
    assert game == before
    assert game.position.to_text() == text
    assert game.history == before.history
    return error.value


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("place 0,0>1,0", "square (0, 0) is taken"),
        ("place 1,0>3,0", "squares (1, 0) and (3, 0) are not next to each other"),
        ("place 1,0>1,0", "squares (1, 0) and (1, 0) are not next to each other"),
        ("place 4,0>5,0", "the kingdom would be 6 squares wide"),
        ("place 0,4>0,5", "the kingdom would be 6 squares tall"),
        ("place 2,0>3,0", "no wheat touches it there"),
        ("discard", "domino 1 can be placed, so it must be"),
        ("claim 5", "domino 1 must be placed"),
    ],
)
def test_an_illegal_action_is_refused_with_its_reason(action: str, reason: str) -> None:
    game = game_begun()
    error = unchanged_by(game, action)
    assert isinstance(error, kd.IllegalActionError)
    assert str(error).startswith(reason)
    assert str(game.position.refusal(action)) == str(error)
    assert error.refusal == game.position.refusal(action)
    assert error.action == kd.Action.parse(action)
    assert unchanged_by(game, kd.Action.parse(action)).args == error.args


def test_nothing_can_be_played_after_the_end() -> None:
    game = kd.Game(seed=1)
    while not game.is_over:
        game.play(game.legal_actions()[0])
    for action in ("claim 1", "place 1,0>2,0", "discard"):
        assert str(unchanged_by(game, action)) == "the game is over"
    with pytest.raises(kd.KingdominoError, match="the game is over"):
        kd.bots.choose(game.position, "random", seed=1)


def test_a_match_is_unchanged_by_an_illegal_action() -> None:
    match = kd.Match(seed=1)
    match.play(match.game.legal_actions()[0])
    before = match.games
    for action in (match.game.history[0], "discard", "claim 99", "jump"):
        with pytest.raises(kd.KingdominoError):
            match.play(action)
    assert match.games == before


# test_fuzz.py has near misses.
TEXTS_THAT_ARE_NO_ACTION = [
    "",
    "claim",
    "claim 49",
    "claim 17 18",
    "claim17",
    "CLAIM 17",
    f"claim {HUGE}",
    "place 1,0",
    "place 1,0>2,0>3,0",
    f"place {HUGE},0>2,0",
    "pass",
    "claim 17\x00",
    "claim \u0661\u0667",
]


@pytest.mark.parametrize("text", TEXTS_THAT_ARE_NO_ACTION, ids=repr)
def test_a_text_that_is_no_action_cannot_be_read(text: str) -> None:
    with pytest.raises(kd.ParseError) as error:
        kd.Action.parse(text)
    assert text.strip()[:5] in str(error.value) or text.strip() not in error.value.args[0]
    assert str(error.value)
    assert isinstance(unchanged_by(game_begun(), text), kd.ParseError)
    with pytest.raises(kd.ParseError):
        kd.Position.parse(BEGUN).refusal(text)


@pytest.mark.parametrize("number", [-1, 373, HUGE, -HUGE])
def test_a_number_that_is_no_action_number_is_named(number: int) -> None:
    with pytest.raises(kd.KingdominoError, match=str(number)):
        kd.Action.from_number(number, kd.Rules())


@pytest.mark.parametrize(
    "placement", ["6,0>7,0", "-128,0>-128,1", "-1,-128>0,-128", "127,0>126,0", "0,-127>0,-128", "0,127>0,126"]
)
def test_a_placement_outside_the_frame_has_no_number(placement: str) -> None:
    for rules in (kd.Rules(), kd.Rules(mighty_duel=True)):
        with pytest.raises(kd.KingdominoError, match=placement):
            kd.Action.place(placement).number(rules)


def test_nothing_can_be_undone_at_the_start() -> None:
    game = kd.Game(seed=1)
    with pytest.raises(kd.KingdominoError, match="nothing to undo"):
        game.undo()
