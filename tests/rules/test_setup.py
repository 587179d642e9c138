"""docs/rules.md, set-up by number of players; what is hidden and what is public; editions and variants."""

import pytest
from support.setups import ALL_48, DECK_OF_24, kings_on, numbers, play, play_first_choices

import kingdomino as kd

TABLE = [
    # rules, dominoes in play, dominoes per line, kings per player, rounds, size
    (kd.Rules(2), 24, 4, 2, 6, 5),
    (kd.Rules(2, "first"), 24, 4, 2, 6, 5),
    (kd.Rules(2, mighty_duel=True), 48, 4, 2, 12, 7),
    (kd.Rules(2, "first", mighty_duel=True), 48, 4, 2, 12, 7),
    (kd.Rules(3, "first"), 36, 3, 1, 12, 5),
    (kd.Rules(3, "second"), 48, 4, 1, 12, 5),
    (kd.Rules(4), 48, 4, 1, 12, 5),
    (kd.Rules(4, "first"), 48, 4, 1, 12, 5),
]


@pytest.mark.parametrize(("rules", "dominoes", "line", "kings", "rounds", "size"), TABLE)
def test_the_table_of_set_ups(
    rules: kd.Rules, dominoes: int, line: int, kings: int, rounds: int, size: int
) -> None:
    assert (rules.dominoes, rules.line_length, rules.kings) == (dominoes, line, kings)
    assert (rules.rounds, rules.size) == (rounds, size)
    game = kd.Game(rules, seed=5)
    assert len(game.deck) == dominoes
    assert len(game.position.line) == line
    assert len(game.opening) == kings * rules.players
    assert {kingdom.size for kingdom in game.position.kingdoms} == {size}
    lines = 0
    while not game.is_over:
        lines = max(lines, game.position.round)
        game.play(game.legal_actions()[0])
    assert lines == game.position.round == rounds


def test_two_players_get_24_random_dominoes() -> None:
    decks = [set(kd.Game(seed=seed).deck) for seed in range(100)]
    assert set.union(*decks) == set(kd.DOMINOES)
    assert set.intersection(*decks) == set()


def test_in_the_game_of_two_the_other_24_stay_unseen_in_the_box() -> None:
    game = play_first_choices(kd.Game(deck=DECK_OF_24, seed=1))
    assert {domino.number for domino in game.position.unseen} == set(ALL_48) - set(DECK_OF_24)


def test_a_line_is_sorted_by_number_lowest_first() -> None:
    game = kd.Game(deck=DECK_OF_24[::-1], opening=[0, 1, 0, 1])
    assert numbers(game.position.line) == [45, 46, 47, 48]
    play(game, "claim 48", "claim 46", "claim 45", "claim 47")
    assert numbers(game.position.line) == [45, 46, 47, 48]
    assert numbers(game.position.next_line) == [33, 34, 35, 36]


def test_the_order_of_the_deck_is_hidden() -> None:
    one = kd.Game(deck=DECK_OF_24, opening=[0, 1, 0, 1])
    other = kd.Game(deck=DECK_OF_24[:4] + DECK_OF_24[:3:-1], opening=[0, 1, 1, 0])
    assert one != other
    assert one.position == other.position
    assert hash(one.position) == hash(other.position)
    assert one.position.to_text() == other.position.to_text()


def test_the_order_in_which_kings_will_be_drawn_is_hidden() -> None:
    games = [kd.Game(kd.Rules(4), deck=ALL_48, opening=[2, *rest]) for rest in ([0, 1, 3], [3, 1, 0])]
    assert games[0].position == games[1].position


def test_which_dominoes_have_not_been_seen_is_public() -> None:
    game = kd.Game(kd.Rules(4), deck=ALL_48, opening=[0, 1, 2, 3])
    assert {domino.number for domino in game.position.unseen} == set(range(5, 49))
    play(game, "claim 1", "claim 2", "claim 3")
    assert {domino.number for domino in game.position.unseen} == set(range(5, 49))
    play(game, "claim 4")
    assert {domino.number for domino in game.position.unseen} == set(range(9, 49))


def test_which_unseen_dominoes_are_in_the_deck_of_a_game_of_two_is_hidden() -> None:
    position = kd.Game(deck=DECK_OF_24, opening=[0, 1, 0, 1]).position
    assert len(position.unseen) == 44
    sampled = [set(kd.Game.from_position(position, seed).deck) for seed in range(100)]
    assert set.union(*sampled) == position.unseen


def test_scores_claims_and_kingdoms_are_public_at_all_times() -> None:
    position = kd.Position.parse(
        "kd1 2.second.random 2 claim:1 5@1,6@0,8@0,9@1 20,30,40,48 7,10-19,21-29,31-39,41-47 Cw1w;l1C/.l"
    )
    assert [score.total for score in position.scores()] == [2, 1]
    assert kings_on(position) == {6: 0, 8: 0, 9: 1}
    assert position.kingdoms[1].squares[-1, 0] == ("lake", 1)


def test_the_second_edition_is_the_default_and_no_option_is_on_unless_asked_for() -> None:
    assert kd.Rules() == kd.Rules(2, "second", False, False, False, "random")


@pytest.mark.parametrize(("players", "duel"), [(2, False), (2, True), (4, False)])
def test_editions_set_up_games_of_two_and_four_alike(players: int, duel: bool) -> None:
    first, second = (kd.Game(kd.Rules(players, edition, duel), seed=3) for edition in ("first", "second"))
    assert (first.deck, first.opening) == (second.deck, second.opening)
    assert play_first_choices(first).history == play_first_choices(second).history
