"""A browser's and a verifier's part in a deal, written from docs/formats/table.md alone."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence

import kingdomino as kd


def nonce_of(source: int | bytes, game: int = 1) -> str:
    """Return the nonce of a browser with these random bytes, as 64 hex digits."""
    return _hashed(source, 3 - game)


def promised(source: int | bytes) -> str:
    """Return the digest that promises these nonces."""
    return _hashed(source, 3)


def dealt_from(key: bytes, rules: kd.Rules) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the deck and the opening from a key."""
    words = _words(key)
    dominoes, length = _shuffled(list(range(1, 49)), words), rules.line_length
    deck: list[int] = []
    while len(deck) < rules.dominoes:
        deck += sorted(dominoes[len(deck) : len(deck) + length])
    if rules.opening == "snake":
        first = _below(2, words)
        return tuple(deck), (first, 1 - first, 1 - first, first)
    kings = sorted(list(range(rules.players)) * rules.kings)
    return tuple(deck), tuple(_shuffled(kings, words))


def _hashed(source: int | bytes, times: int) -> str:
    value = source if isinstance(source, bytes) else source.to_bytes(32, "big")
    for _ in range(times):
        value = hashlib.sha256(value).digest()
    return value.hex()


def _words(key: bytes) -> Iterator[int]:
    for number in range(10_000):
        text = hmac.digest(key, f"block {number}".encode(), "sha256").hex()
        yield from (int(text[start : start + 8], 16) for start in range(0, 64, 8))


def _below(limit: int, words: Iterator[int]) -> int:
    while (word := next(words)) >= 2**32 // limit * limit:
        pass
    return word % limit


def _shuffled(items: Sequence[int], words: Iterator[int]) -> list[int]:
    mixed = list(items)
    for last in reversed(range(1, len(mixed))):
        other = _below(last + 1, words)
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return mixed
