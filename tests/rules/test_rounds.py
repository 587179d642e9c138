"""docs/rules.md, the opening round and a round: who decides what, and when."""

from collections import Counter

import pytest
from support.setups import (
    ALL_48,
    DECK_OF_24,
    NOTHING_FITS,
    in_last_round,
    kings_on,
    numbers,
    play,
    play_first_choices,
)

import kingdomino as kd

OPENING_CLAIMS = ("claim 3", "claim 1", "claim 4", "claim 2")


def game_of_two(*opening: int) -> kd.Game:
    """Deal lines 1-4, 13-16, 17-20, …; the kings are drawn in this order."""
    return kd.Game(deck=DECK_OF_24, opening=opening or (0, 1, 0, 1))


# The opening round


def test_the_owner_of_the_drawn_king_claims() -> None:
    game, seats = game_of_two(1, 0, 0, 1), []
    for claim in OPENING_CLAIMS:
        seats.append(game.position.to_move)
        play(game, claim)
    assert seats == [1, 0, 0, 1]
    assert kings_on(game.position) == {3: 1, 1: 0, 4: 0, 2: 1}


def test_any_unclaimed_domino_of_the_first_line_may_be_claimed() -> None:
    game = game_of_two()
    assert list(map(str, game.legal_actions())) == ["claim 1", "claim 2", "claim 3", "claim 4"]
    play(game, "claim 3")
    assert list(map(str, game.legal_actions())) == ["claim 1", "claim 2", "claim 4"]


def test_kings_are_drawn_at_random_one_at_a_time() -> None:
    orders = Counter(kd.Game(seed=seed).opening for seed in range(600))
    assert len(orders) == 6
    assert min(orders.values()) > 50
    assert len({kd.Game(kd.Rules(4), seed=seed).opening for seed in range(600)}) == 24


def test_the_snake_opening_claims_a_b_b_a() -> None:
    orders = {kd.Game(kd.Rules(opening="snake"), seed=seed).opening for seed in range(50)}
    assert orders == {(0, 1, 1, 0), (1, 0, 0, 1)}
    game = kd.Game(kd.Rules(opening="snake"), deck=DECK_OF_24, opening=[1, 0, 0, 1])
    play(game, "claim 1", "claim 2", "claim 3", "claim 4")
    assert kings_on(game.position) == {1: 1, 2: 0, 3: 0, 4: 1}


def test_when_every_king_stands_on_a_domino_the_next_line_is_revealed() -> None:
    game = game_of_two()
    for claim in OPENING_CLAIMS:
        assert (game.position.round, game.position.phase) == (0, "claim")
        assert numbers(game.position.line) == [1, 2, 3, 4]
        assert game.position.next_line == ()
        play(game, claim)
    assert (game.position.round, game.position.phase) == (1, "place")
    assert numbers(game.position.line) == [1, 2, 3, 4]
    assert numbers(game.position.next_line) == [13, 14, 15, 16]


# A round


def test_kings_act_in_the_order_in_which_they_stand_lowest_number_first() -> None:
    game, order = play(game_of_two(), *OPENING_CLAIMS), []
    for claim in ("claim 16", "claim 13", "claim 15", "claim 14"):
        assert game.position.domino is not None
        order.append((game.position.domino.number, game.position.to_move))
        play(game, str(game.legal_actions()[0]), claim)
    assert order == [(1, 1), (2, 1), (3, 0), (4, 0)]
    assert kings_on(game.position) == {13: 1, 14: 0, 15: 0, 16: 1}
    assert game.position.to_move == 1


def test_a_turn_is_to_place_and_then_to_claim() -> None:
    game = play(game_of_two(), *OPENING_CLAIMS)
    assert (game.position.to_move, game.position.phase) == (1, "place")
    assert {action.kind for action in game.legal_actions()} == {"place"}
    play(game, "place 1,0>2,0")
    assert (game.position.to_move, game.position.phase) == (1, "claim")
    assert {action.kind for action in game.legal_actions()} == {"claim"}


def test_a_player_places_before_claiming_and_only_once() -> None:
    game = play(game_of_two(), *OPENING_CLAIMS)
    with pytest.raises(kd.IllegalActionError, match="must be placed"):
        game.play("claim 13")
    play(game, "place 1,0>2,0")
    with pytest.raises(kd.IllegalActionError, match="must be claimed"):
        game.play("place -1,0>-2,0")
    with pytest.raises(kd.IllegalActionError, match="must be claimed"):
        game.play("discard")


def test_any_unclaimed_domino_of_the_new_line_may_be_claimed() -> None:
    game = play(game_of_two(), *OPENING_CLAIMS, "place 1,0>2,0", "claim 15", "place -1,0>-2,0")
    assert list(map(str, game.legal_actions())) == ["claim 13", "claim 14", "claim 16"]


def test_only_the_new_line_can_be_claimed() -> None:
    game = play(game_of_two(), *OPENING_CLAIMS, "place 1,0>2,0")
    for number in (1, 4, 17, 48):
        with pytest.raises(kd.IllegalActionError, match=f"domino {number} is not on offer"):
            game.play(f"claim {number}")


def test_a_player_with_two_kings_may_act_twice_one_after_the_other() -> None:
    game = play(game_of_two(0, 0, 1, 1), "claim 1", "claim 2", "claim 3", "claim 4")
    seats = []
    for claim in ("claim 13", "claim 14", "claim 15", "claim 16"):
        seats.append(game.position.to_move)
        play(game, str(game.legal_actions()[0]), claim)
    assert seats == [0, 0, 1, 1]


def test_the_next_line_is_revealed_after_all_kings_acted() -> None:
    game = play(game_of_two(), *OPENING_CLAIMS)
    for claim in ("claim 16", "claim 13", "claim 15", "claim 14"):
        assert numbers(game.position.next_line) == [13, 14, 15, 16]
        play(game, str(game.legal_actions()[0]), claim)
    assert numbers(game.position.line) == [13, 14, 15, 16]
    assert numbers(game.position.next_line) == [17, 18, 19, 20]
    assert game.position.round == 2


def test_there_is_no_claim_in_the_last_round() -> None:
    game = play_first_choices(kd.Game(seed=4))
    kinds = [action.kind for action in game.history]
    assert "claim" not in kinds[-4:]
    assert kinds.count("claim") == 24
    game = play_first_choices(kd.Game(kd.Rules(4), seed=4))
    assert [action.kind == "claim" for action in game.history[-5:]] == [True, False, False, False, False]


def test_the_game_is_over_when_the_last_domino_has_been_placed() -> None:
    game = play_first_choices(kd.Game(seed=1))
    assert (game.position.phase, game.position.to_move, game.position.domino) == ("over", None, None)
    assert game.legal_actions() == []
    with pytest.raises(kd.IllegalActionError, match="the game is over"):
        game.play("discard")


# Three players


def test_three_players_discard_the_opening_leftover() -> None:
    game = kd.Game(kd.Rules(3), deck=ALL_48, opening=[2, 0, 1])
    assert numbers(game.position.line) == [1, 2, 3, 4]
    play(game, "claim 4", "claim 1", "claim 3")
    assert numbers(game.position.line) == [1, 3, 4]
    assert numbers(game.position.next_line) == [5, 6, 7, 8]
    assert kings_on(game.position) == {1: 0, 3: 1, 4: 2}
    assert 2 not in {domino.number for domino in game.position.unseen}


def test_three_players_discard_every_leftover() -> None:
    game = kd.Game(kd.Rules(3), deck=ALL_48, opening=[2, 0, 1])
    claimed = []
    while not game.is_over:
        offered = game.position.next_line or game.position.line
        if game.position.phase == "claim":
            assert len(offered) == 4
        action = game.legal_actions()[-1]
        claimed += [action.domino.number] if action.domino else []
        game.play(action)
    assert len(claimed) == 36
    assert len([domino for domino in kd.DOMINOES if domino.number not in claimed]) == 12
    assert game.position.unseen == frozenset()


def test_first_edition_lines_of_three_leave_no_domino() -> None:
    game = kd.Game(kd.Rules(3, "first"), deck=range(1, 37), opening=[2, 0, 1])
    play(game, "claim 3", "claim 1", "claim 2")
    assert numbers(game.position.line) == [1, 2, 3]
    assert numbers(game.position.next_line) == [4, 5, 6]
    play_first_choices(game)
    assert sorted(action.domino.number for action in game.history if action.domino) == list(range(1, 37))


# Not in the rulebooks


def test_a_forced_action_is_never_played_by_the_rules() -> None:
    game = play(game_of_two(), *OPENING_CLAIMS[:3])
    assert list(map(str, game.legal_actions())) == ["claim 2"]
    assert (game.position.round, game.position.phase) == (0, "claim")
    position = in_last_round(13, NOTHING_FITS)
    assert position.legal_actions() == [kd.Action.discard()]
    assert (position.phase, position.to_move) == ("place", 0)
