"""An implementation of docs/formats/random.md from its text alone deals the same decks."""

from collections.abc import Iterator, MutableSequence

import pytest

import kingdomino as kd

WORD = 2**64 - 1


def mix(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31


def fnv(name: str) -> int:
    hashed = 0xCBF29CE484222325
    for byte in name.encode():
        hashed = (hashed ^ byte) * 0x100000001B3 & WORD
    return hashed


def derive(seed: int, name: str, counter: int) -> int:
    return mix(mix(mix(seed) ^ fnv(name)) ^ counter)


def rotate(word: int, places: int) -> int:
    return (word << places | word >> 64 - places) & WORD


def stream(seed: int, name: str, counter: int) -> Iterator[int]:
    value = derive(seed, name, counter)
    golden = 0x9E3779B97F4A7C15
    a, b = mix(value + golden & WORD), mix(value + 2 * golden & WORD)
    while True:
        yield rotate(a + b & WORD, 17) + a & WORD
        b ^= a
        a, b = rotate(a, 49) ^ b ^ (b << 21 & WORD), rotate(b, 28)


def shuffle(words: Iterator[int], items: MutableSequence[int]) -> None:
    for last in range(len(items) - 1, 0, -1):
        other = next(words) * (last + 1) >> 64
        items[last], items[other] = items[other], items[last]


@pytest.mark.parametrize("seed", [0, 1, 7, 2**32, WORD])
def test_decks_and_opening_orders_match_the_page(seed: int) -> None:
    for text in ("2.second.random", "3.first.random", "4.second.random", "2.second.random.duel"):
        rules = kd.Rules.parse(text)
        game = kd.Game(rules, seed=seed)
        deck = [*range(1, 49)]
        shuffle(stream(seed, "deck", 0), deck)
        for first in range(0, rules.dominoes, rules.line_length):
            line = game.deck[first : first + rules.line_length]
            assert [domino.number for domino in line] == sorted(deck[first : first + rules.line_length])
        kings = [seat for seat in range(rules.players) for _ in range(rules.kings)]
        shuffle(stream(seed, "opening", 0), kings)
        assert list(game.opening) == kings


@pytest.mark.parametrize("seed", [0, 7, WORD])
def test_derived_seeds_match_the_page(seed: int) -> None:
    for name, counter in (("game", 0), ("bot", 12), ("été", WORD)):
        assert kd.derive_seed(seed, name, counter) == derive(seed, name, counter)
    assert kd.Match(seed=seed).game.seed == derive(seed, "match", 0)
