"""Positions can continue without a game: with actions, and with the line or the king that is due."""

import random

import pytest

import kingdomino as kd

RULES = [
    kd.Rules(2),
    kd.Rules(2, opening="snake", harmony=True, middle_kingdom=True),
    kd.Rules(2, mighty_duel=True),
    kd.Rules(3),
    kd.Rules(4, edition="first"),
]
every_rules = pytest.mark.parametrize("rules", RULES, ids=kd.Rules.to_text)


def revealed(game: kd.Game, position: kd.Position) -> list[kd.Domino]:
    """Return the game's line that is due at a position."""
    length = game.rules.line_length
    shown = position.round * length
    return list(game.deck[shown : shown + length])


@every_rules
def test_a_position_changes_as_the_game_does(rules: kd.Rules) -> None:
    for seed in range(3):
        game, chance = kd.Game(rules, seed=seed), random.Random(seed)
        position, kings = game.position, list(game.opening)
        while not game.is_over:
            action = chance.choice(game.legal_actions())
            game.play(action)
            before = position
            position = position.play(action)
            assert before != position
            while position.phase == "chance":
                assert position.to_move is None
                assert position.legal_actions() == []
                assert kd.Position.parse(position.to_text()) == position
                assert hash(kd.Position.parse(position.to_text())) == hash(position)
                if position.due == "line":
                    position = position.reveal(revealed(game, position))
                else:
                    position = position.draw(kings[-len(position.kings_to_draw) or None :][0])
            assert position.due is None
            assert position == game.position


def test_a_position_can_be_played_on_from_before_the_first_line() -> None:
    game = kd.Game(kd.Rules(2), seed=5)
    position = kd.Position.parse("kd1 2.second.random 0 reveal - - 1-48 C;C")
    assert (position.phase, position.due, position.to_move) == ("chance", "line", None)
    position = position.reveal(revealed(game, position))
    assert (position.phase, position.due) == ("chance", "king")
    assert position.draw(game.opening[0]) == game.position
    assert "The next king is drawn." in str(position)
    assert position._repr_svg_().startswith("<svg")


def chance_positions() -> tuple[kd.Position, kd.Position]:
    line = kd.Position.parse("kd1 2.second.random 0 reveal - - 1-48 C;C")
    return line, line.reveal([1, 2, 3, 4])


def test_an_impossible_line_or_king_is_refused_with_every_fault() -> None:
    line, king = chance_positions()
    for dominoes, faults in [
        ([1, 2, 3], ["a line has 4 dominoes, not 3"]),
        ([1, 1, 2, 3], ["domino 1 is given twice"]),
        ([], ["a line has 4 dominoes, not 0"]),
    ]:
        with pytest.raises(kd.SetupError) as refused:
            line.reveal(dominoes)
        assert list(refused.value.faults) == faults
    with pytest.raises(kd.SetupError, match="no line is due"):
        king.reveal([5, 6, 7, 8])
    with pytest.raises(kd.SetupError, match="no king is due"):
        line.draw(0)
    with pytest.raises(kd.SetupError, match="there is no seat 2"):
        king.draw(2)
    position = king
    for number in (1, 2):
        position = position.draw(0).play(f"claim {number}")
    with pytest.raises(kd.SetupError, match="every king of seat 0 has been drawn"):
        position.draw(0)
    with pytest.raises(kd.SetupError, match="domino 1 is not unseen"):
        chance_after_claims(position).reveal([1, 5, 6, 7])


def chance_after_claims(position: kd.Position) -> kd.Position:
    for number in (3, 4):
        position = position.draw(1).play(f"claim {number}")
    return position


def test_an_action_where_a_line_or_a_king_is_due_is_refused() -> None:
    for position in chance_positions():
        refusal = position.refusal("claim 1")
        assert refusal == kd.Refusal(kd.RefusalCode.WAITING, "a line must be revealed or a king drawn first")
        with pytest.raises(kd.IllegalActionError) as refused:
            position.play("claim 1")
        assert refused.value.refusal == refusal


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("kd1 2.second.random 0 draw - - 1-48 C;C", "dominoes are unseen"),
        ("kd1 2.second.random 0 reveal 1,2,3,4 - 5-48 C;C", "dominoes are unseen"),
        ("kd1 2.second.snake 0 draw 1@0,2,3,4 - 5-48 C;C", "no king can be drawn here"),
        ("kd1 2.second.random 0 draw 1@0,2@0,3@1,4@1 - 5-48 C;C", "no king can be drawn here"),
        ("kd1 2.second.random 1 draw 1@0,2@0,3@1,4@1 5,6,7,8 9-48 C;C", "no king can be drawn here"),
        ("kd1 2.second.random 1 reveal *1@0,2@0,3@1,4@1 - 5-48 C;C", "no line can be revealed here"),
        ("kd1 2.second.random 0 reveal:0 - - 1-48 C;C", "is not what comes next"),
    ],
)
def test_an_impossible_chance_position_is_refused(text: str, fault: str) -> None:
    with pytest.raises(kd.SetupError, match=fault):
        kd.Position.parse(text)


def test_bots_and_searches_refuse_a_position_without_a_decision() -> None:
    for position in chance_positions():
        with pytest.raises(kd.KingdominoError):
            kd.bots.choose(position, "greedy", 1)
        with pytest.raises(kd.KingdominoError):
            kd.Search(position).best()
        assert kd.playouts(position, n=10, seed=1).n == 10
