"""The server's committed secret and the players' nonces decide the deck. Everyone can check it."""

import hashlib
import hmac
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists, none, one_of, sampled_from
from support.node import run_node
from support.nonces import dealt_from, nonce_of, promised

import kingdomino as kd
from kingdomino.server.tables.core.deal import Commitment, Deal, check, digest_of, new_secret, tags
from kingdomino.server.tables.core.events import Rules

DOCS = Path(__file__).parents[2] / "docs/formats/table.md"
TABLE = "q3v7n2kd8wjm"
ALL_RULES = [
    kd.Rules(2),
    kd.Rules(2, opening="snake", harmony=True),
    kd.Rules(2, mighty_duel=True),
    kd.Rules(3, "first"),
    kd.Rules(3),
    kd.Rules(4, middle_kingdom=True),
]
every_rules = pytest.mark.parametrize("rules", ALL_RULES, ids=kd.Rules.to_text)


def committed(rules: kd.Rules, secret: str | None = None, game: int = 1) -> Commitment:
    """Commit to a game of people."""
    return Commitment(TABLE, game, rules, ("person",) * rules.players, secret or new_secret())


def drawn(rules: kd.Rules, *sources: int) -> Deal:
    """Deal with the nonces of these browsers, in the first seats."""
    given = [*map(nonce_of, sources), *[None] * rules.players][: rules.players]
    digests = [None if nonce is None else digest_of(nonce, 1) for nonce in given]
    return committed(rules).deal(digests, given)


def finished(deal: Deal, seed: int, **more: str) -> kd.Record:
    """Play a game from a deal, and return its record, as a table makes it."""
    game, chance = deal.game(), random.Random(seed)
    while not game.is_over:
        game.play(chance.choice(game.legal_actions()))
    names = [f"Guest {seat}" for seat in range(deal.rules.players)]
    return kd.Record.from_game(game, names, {"table": TABLE} | tags(deal) | more)


@every_rules
def test_a_table_plays_the_deal_that_it_has_drawn(rules: kd.Rules) -> None:
    deal = drawn(rules)
    game = deal.game()
    assert tuple(domino.number for domino in game.deck) == deal.deck
    assert game.opening == deal.opening


def test_every_domino_and_every_king_comes_first_about_equally_often() -> None:
    deals = [drawn(kd.Rules(2), number) for number in range(2400)]
    dominoes = Counter(number for deal in deals for number in deal.deck)
    assert set(dominoes) == set(range(1, 49))
    assert all(1000 < count < 1400 for count in dominoes.values())
    assert 1000 < Counter(deal.opening[0] for deal in deals)[0] < 1400
    assert len({deal.bot_seed(seat) for deal in deals for seat in (0, 1)}) == 4800


def test_the_example_in_the_docs() -> None:
    text = (
        "kingdomino-deal 2\n"
        f"table {TABLE}\n"
        "game 1\n"
        "rules 2.second.random\n"
        "seat 0 person\n"
        "seat 1 bot king:level=3\n"
        f"secret {'ab' * 32}\n"
    )
    seats = ("person", "bot king:level=3")
    commitment = Commitment(TABLE, 1, kd.Rules(2), seats, "ab" * 32)
    assert commitment.digest == hashlib.sha256(text.encode()).hexdigest()
    source = bytes(range(32))
    assert nonce_of(source) == hashlib.sha256(hashlib.sha256(source).digest()).hexdigest()
    digests, nonces = (promised(source), None), (nonce_of(source), None)
    deal = commitment.deal(digests, nonces)
    drawing = f"kingdomino-draw 2\ncommitment {commitment.digest}\nnonce 0 {nonces[0]}\nnonce 1 none\n"
    key = hmac.digest(bytes.fromhex("ab" * 32), drawing.encode(), "sha256")
    seed = int.from_bytes(hmac.digest(key, b"bot 1", "sha256")[:8], "big")
    assert (deal.deck, deal.opening) == dealt_from(key, kd.Rules(2))
    assert deal.bot_seed(1) == seed
    for value in (
        text,
        digests[0],
        nonces[0],
        commitment.digest,
        key.hex(),
        f"deck {' '.join(map(str, deal.deck))}",
        f"opening {' '.join(map(str, deal.opening))}",
        str(seed),
    ):
        assert value in DOCS.read_text()


@given(
    rules=sampled_from(ALL_RULES),
    secret=integers(0, 2**256 - 1),
    sources=lists(one_of(none(), integers(0, 2**32)), min_size=4, max_size=4),
    game=integers(1, 3),
)
def test_the_deal_matches_an_implementation_of_the_docs(
    rules: kd.Rules, secret: int, sources: list[int | None], game: int
) -> None:
    nonces = [None if one is None else nonce_of(one, game) for one in sources][: rules.players]
    commitment = committed(rules, f"{secret:064x}", game)
    deal = commitment.deal([None] * rules.players, nonces)
    lines = "".join(f"nonce {seat} {nonce or 'none'}\n" for seat, nonce in enumerate(nonces))
    text = f"kingdomino-draw 2\ncommitment {commitment.digest}\n{lines}"
    key = hmac.digest(secret.to_bytes(32, "big"), text.encode(), "sha256")
    assert (deal.deck, deal.opening) == dealt_from(key, rules)


def test_the_commitment_binds_the_table_the_game_the_rules_the_seats_and_the_secret() -> None:
    one = committed(kd.Rules(2))
    others = [
        replace(one, table="q3v7n2kd8wjn"),
        replace(one, game=2),
        replace(one, rules=kd.Rules(2, harmony=True)),
        replace(one, seats=("person", "bot greedy")),
        replace(one, secret=new_secret()),
    ]
    assert len({other.digest for other in (one, *others)}) == 6


def test_each_nonce_changes_the_deck_and_the_bots() -> None:
    commitment = committed(kd.Rules(4))
    nonces: list[str | None] = [nonce_of(seat) for seat in range(4)]
    decks, seeds = set[object](), set[int]()
    for seat in range(4):
        for other in (None, nonce_of(100), nonce_of(101)):
            deal = commitment.deal([None] * 4, [*nonces[:seat], other, *nonces[seat + 1 :]])
            decks.add(deal.deck)
            seeds.add(deal.bot_seed(3))
    assert len(decks) == len(seeds) == 12


@given(seed=integers(0, 2**32), rules=sampled_from(ALL_RULES), browsers=integers(0, 2))
def test_a_record_of_a_table_is_verified(seed: int, rules: kd.Rules, browsers: int) -> None:
    deal = drawn(rules, *range(seed, seed + browsers))
    record = finished(deal, seed)
    for one in (record, kd.Record.parse(record.to_text()), kd.Record.from_json(record.to_json())):
        checked = check(one)
        assert checked.deal == deal
        assert checked.nonces == tuple(range(browsers))
        assert checked.withheld == ()


@given(tries=integers(2, 64), seed=integers(0, 2**32))
def test_a_server_that_draws_many_secrets_and_chooses_does_not_pass(tries: int, seed: int) -> None:
    """Try the attack on the earlier format: draw 64 deals, and play the best one for a seat."""
    rules, nonces = kd.Rules(2), (nonce_of(seed), None)
    first = committed(rules)
    digests = (promised(seed), None)
    secrets = [first.secret, *(new_secret() for _ in range(tries - 1))]
    deals = [committed(rules, secret).deal(digests, nonces) for secret in secrets]
    chosen = min(deals, key=lambda deal: sum(deal.deck[:4]))
    record = finished(chosen, seed, commitment=first.digest)
    if chosen == deals[0]:
        assert check(record).nonces == (0,)
    else:
        with pytest.raises(kd.RecordError, match="published before the game"):
            check(record)


@given(seed=integers(0, 2**32), other=integers(2**32, 2**33))
def test_a_server_that_chooses_the_nonce_of_another_seat_does_not_pass(seed: int, other: int) -> None:
    """Let the server play in seat 1. It knows the secret and an honest nonce, but its digest is fixed."""
    commitment = committed(kd.Rules(2))
    digests, nonces = (promised(seed), promised(seed + 1)), (nonce_of(seed), nonce_of(other))
    record = finished(commitment.deal(digests, nonces), 1)
    with pytest.raises(kd.RecordError, match="the nonce of seat 1 does not match"):
        check(record)
    withheld = finished(commitment.deal(digests, (nonce_of(seed), None)), 1)
    assert check(withheld)[2:] == ((0,), (1,))  # it can withhold its own nonce, which shows


def test_a_record_with_another_deck_or_other_tags_is_refused() -> None:
    deal, other = drawn(kd.Rules(2), 1), drawn(kd.Rules(2), 2)
    proof, others = tags(deal), tags(other)
    changes = [
        {"commitment": others["commitment"]},
        {"secret": others["secret"]},
        {"secret": "ab"},
        {"nonces": others["nonces"]},
        {"nonces": "none none"},
        {"nonces": proof["nonces"].upper()},
        {"nonces": proof["nonces"] + " none"},
        {"nonces": others["nonces"], "digests": others["digests"]},
        {"digests": "none none"},
        {"digests": ""},
        {"seats": "person"},
        {"seats": "person invited"},
        {"table": "q3v7n2kd8wjn"},
        {"game": "2"},
        {"game": "first"},
        {"commitment": "é"},
        {"secret": others["secret"], "commitment": others["commitment"]},
        others,
    ]
    assert check(finished(deal, 1)).deal == deal
    for change in changes:
        with pytest.raises(kd.RecordError, match=r"digest|tag|follow"):
            check(finished(deal, 1, **change))


def test_a_record_of_a_dynasty_has_the_nonce_of_its_game() -> None:
    for game in (1, 2, 3):
        commitment = committed(kd.Rules(2), game=game)
        deal = commitment.deal((promised(7), None), (nonce_of(7, game), None))
        assert check(finished(deal, 1, game=str(game))).nonces == (0,)
    nonces = [bytes.fromhex(nonce_of(7, game)) for game in (1, 2, 3)]
    assert [hashlib.sha256(nonce).hexdigest() for nonce in nonces] == [
        promised(7),
        *map(bytes.hex, nonces[:2]),
    ]


def test_a_record_that_no_table_wrote_is_refused() -> None:
    game, chance = kd.Game(seed=7), random.Random(1)
    unfinished = kd.Record.from_game(game)
    with pytest.raises(kd.RecordError, match="no tag commitment and no tag table and no tag seats"):
        check(unfinished)
    while not game.is_over:
        game.play(chance.choice(game.legal_actions()))
    with pytest.raises(kd.RecordError, match="no tag commitment"):
        check(kd.Record.from_game(game, [], {}))


# The browser draws the same.

_DRAW = """
import { readFileSync } from "node:fs";
const { draw } = await import(module);
const { sha256, hmac, toHex, utf8 } = await import(digests);
const { deals, texts } = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify({
  deals: deals.map(({ rules, commitment, proof }) => draw({ rules, start: null }, commitment, proof)),
  texts: texts.map((text) => [toHex(sha256(utf8(text))), toHex(hmac(utf8(text.slice(0, 32)), text))]),
}));
"""


def test_the_browser_draws_the_same_deck_and_computes_the_same_digests() -> None:
    deals = [drawn(rules, *range(count)) for rules in ALL_RULES for count in (0, 1, 2)]
    texts = ["", "abc", *("é" * length for length in range(0, 200, 7)), "x" * 1000]
    asked: list[dict[str, Any]] = []
    for deal in deals:
        assert deal.proof is not None
        words = Rules.of(deal.rules).model_dump(mode="json")
        asked.append(
            {"rules": words, "commitment": deal.commitment, "proof": deal.proof.model_dump(mode="json")}
        )
    told = run_node(_DRAW, {"deals": asked, "texts": texts}, module="table/deal.js", digests="net/digest.js")
    assert told["deals"] == [{"deck": list(deal.deck), "opening": list(deal.opening)} for deal in deals]
    for text, (digest, code) in zip(texts, told["texts"], strict=True):
        assert digest == hashlib.sha256(text.encode()).hexdigest()
        assert code == hmac.digest(text[:32].encode(), text.encode(), "sha256").hex()
