"""The deal is fixed and committed to before the game, and every client can check it afterwards."""

import hashlib
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis.strategies import integers, sampled_from

import kingdomino as kd
from kingdomino.server.tables.deal import Deal, check

ALL_RULES = [
    kd.Rules(2),
    kd.Rules(2, opening="snake", harmony=True),
    kd.Rules(2, mighty_duel=True),
    kd.Rules(3, "first"),
    kd.Rules(3),
    kd.Rules(4, middle_kingdom=True),
]
every_rules = pytest.mark.parametrize("rules", ALL_RULES, ids=kd.Rules.to_text)


def finished(deal: Deal, seed: int, **tags: str) -> kd.Record:
    """Play a game from a deal, and keep it as a table does."""
    game, chance = deal.game(), random.Random(seed)
    while not game.is_over:
        game.play(chance.choice(game.legal_actions()))
    names = [f"Guest {seat}" for seat in range(deal.rules.players)]
    return kd.Record.from_game(game, names, {"commitment": deal.commitment, "salt": deal.salt} | tags)


@every_rules
def test_a_deal_has_the_right_dominoes_each_line_in_order_and_a_king_for_each_claim(rules: kd.Rules) -> None:
    for _ in range(20):
        deal = Deal.draw(rules)
        assert len(set(deal.deck)) == len(deal.deck) == rules.dominoes_in_play
        for start in range(0, len(deal.deck), rules.line_length):
            line = deal.deck[start : start + rules.line_length]
            assert list(line) == sorted(line)
        assert Counter(deal.opening) == dict.fromkeys(range(rules.players), rules.kings)


@every_rules
def test_a_table_plays_the_deal_that_it_has_drawn(rules: kd.Rules) -> None:
    deal = Deal.draw(rules)
    game = deal.game()
    assert tuple(domino.number for domino in game.deck) == deal.deck
    assert game.opening == deal.opening


def test_no_two_deals_are_the_same() -> None:
    deals = [Deal.draw(kd.Rules(2)) for _ in range(50)]
    for part in ("deck", "salt", "commitment"):
        assert len({getattr(deal, part) for deal in deals}) == 50
    assert len({deal.opening for deal in deals}) > 1


def test_every_domino_and_every_king_comes_first_about_equally_often() -> None:
    deals = [Deal.draw(kd.Rules(2)) for _ in range(2400)]
    dominoes = Counter(number for deal in deals for number in deal.deck)
    assert set(dominoes) == set(range(1, 49))
    assert all(1000 < count < 1400 for count in dominoes.values())
    assert 1000 < Counter(deal.opening[0] for deal in deals)[0] < 1400


def test_the_snake_opening_is_a_snake_and_may_begin_with_any_seat() -> None:
    openings = {Deal.draw(kd.Rules(2, opening="snake")).opening for _ in range(50)}
    assert openings == {(0, 1, 1, 0), (1, 0, 0, 1)}


def test_the_commitment_is_the_digest_of_the_text_in_the_docs() -> None:
    deal = Deal(kd.Rules(2), tuple(range(1, 25)), (1, 0, 1, 0), "ab" * 32)
    text = (
        "kingdomino-deal 1\n"
        "rules 2.second.random\n"
        "deck 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24\n"
        "opening 1 0 1 0\n"
        f"salt {'ab' * 32}\n"
    )
    assert deal.commitment == hashlib.sha256(text.encode()).hexdigest()
    assert deal.commitment == "d356a10c32b8c98bb5dc2ded24408129eeda75c59ff5684700c803081816f0aa"


@given(seed=integers(0, 2**32), rules=sampled_from(ALL_RULES))
def test_a_record_of_a_table_is_verified(seed: int, rules: kd.Rules) -> None:
    deal = Deal.draw(rules)
    record = finished(deal, seed)
    assert check(record) == deal
    assert check(kd.Record.parse(record.to_text())) == deal
    assert check(kd.Record.from_json(record.to_json())) == deal


def test_a_record_of_another_deal_is_refused() -> None:
    deal, other = Deal.draw(kd.Rules(2)), Deal.draw(kd.Rules(2))
    for tags in (
        {"commitment": other.commitment},
        {"salt": other.salt},
        {"commitment": other.commitment, "salt": other.salt},
        {"commitment": deal.commitment.upper()},
        {"commitment": "é"},
        {"salt": ""},
    ):
        with pytest.raises(kd.RecordError, match=r"digest|tag"):
            check(finished(deal, 1, **tags))


def test_a_record_that_no_table_wrote_is_refused() -> None:
    game, chance = kd.Game(seed=7), random.Random(1)
    unfinished = kd.Record.from_game(game)
    with pytest.raises(kd.RecordError, match="no tag commitment and no tag salt"):
        check(unfinished)
    while not game.is_over:
        game.play(chance.choice(game.legal_actions()))
    with pytest.raises(kd.RecordError, match="no tag salt"):
        check(kd.Record.from_game(game, [], {"commitment": "0" * 64}))


def test_a_game_that_is_not_over_is_not_verified() -> None:
    deal = Deal.draw(kd.Rules(2))
    tags = {"commitment": deal.commitment, "salt": deal.salt}
    with pytest.raises(kd.RecordError, match="not over"):
        check(kd.Record.from_game(deal.game(), [], tags))
