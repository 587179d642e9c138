"""The deal of one game: the deck and the order of the kings (docs/formats/table.md, "The deal").

Before a game the server commits to a secret. Then each player's browser reveals a nonce, whose digest it had fixed
before anyone revealed a nonce. The secret and the nonces determine the deck, the kings and the bots' seeds. All of it
stays on the server until the game is over.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

import kingdomino as kd
from kingdomino.server.tables.core.events import Proof

_COMMITMENT: Final = "kingdomino-deal 2"
_DRAW: Final = "kingdomino-draw 2"
_BYTES: Final = 32
_WORD: Final = 4  # bytes of a random number
_TAGS: Final = ("commitment", "table", "seats", "secret", "digests", "nonces")
_NONE: Final = "none"
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, repr=False)
class Commitment:
    """The server's commitment before a game. It has no repr, so that nothing prints the secret.

    ``seats`` are ``person``, ``invited``, ``open``, or ``bot`` and its spec, at that time. ``secret`` is 64 hex digits.
    ``start`` is the position from which the game begins, if not the empty table.
    """

    table: str
    game: int
    rules: kd.Rules
    seats: tuple[str, ...]
    secret: str
    start: kd.Position | None = None

    @property
    def digest(self) -> str:
        """The SHA-256 of its text, as 64 hex digits, which the server publishes at once."""
        seats = "".join(f"seat {number} {seat}\n" for number, seat in enumerate(self.seats))
        start = f"start {self.start.to_text()}\n" if self.start else ""
        text = (
            f"{_COMMITMENT}\ntable {self.table}\ngame {self.game}\nrules {self.rules.to_text()}\n"
            f"{start}{seats}secret {self.secret}\n"
        )
        return hashlib.sha256(text.encode()).hexdigest()

    def deal(self, digests: Sequence[str | None], nonces: Sequence[str | None]) -> Deal:
        """Draw the deck and the kings with the nonces by seat; some may be missing."""
        commitment = self.digest
        lines = "".join(f"nonce {seat} {nonce or _NONE}\n" for seat, nonce in enumerate(nonces))
        key = _hmac(bytes.fromhex(self.secret), f"{_DRAW}\ncommitment {commitment}\n{lines}")
        below = _numbers(key)
        start = self.start or kd.Position(self.rules)
        dominoes = _shuffled(sorted(domino.number for domino in start.unseen), below)[
            : start.dominoes_to_come
        ]
        kings = _opening(start, below)
        game = kd.Game.from_position(start, deck=dominoes, opening=kings)  # sorts each line
        deck = tuple(domino.number for domino in game.deck)
        proof = Proof(seats=self.seats, secret=self.secret, digests=tuple(digests), nonces=tuple(nonces))
        return Deal(self.rules, deck, kings, commitment, key, proof=proof, start=self.start)


@dataclass(frozen=True, slots=True, repr=False)
class Deal:
    """The hidden part of a game: ``deck``, line by line with each line's lowest domino first, and ``opening``.

    ``opening`` lists the seats in the order in which their kings are drawn. The server published ``commitment`` before
    the game. ``key`` determines the bots' seeds. With a ``start``, the deal contains only the future. The
    deal of an imported game has no ``key`` and no ``proof``. It has no repr, so that nothing prints a deck.
    """

    rules: kd.Rules
    deck: tuple[int, ...]
    opening: tuple[int, ...]
    commitment: str
    key: bytes = b""
    proof: Proof | None = None
    start: kd.Position | None = None

    def game(self) -> kd.Game:
        """Begin the game of this deal."""
        if self.start is not None:
            return kd.Game.from_position(self.start, deck=self.deck, opening=self.opening)
        return kd.Game(self.rules, deck=self.deck, opening=self.opening)

    def bot_seed(self, seat: int) -> int:
        """Return the seed of the bot in a seat."""
        return int.from_bytes(_hmac(self.key, f"bot {seat}")[:8], "big")


class Checked(NamedTuple):
    """A deal that matches its commitment.

    ``nonces`` are the seats whose nonce is in the deck; ``withheld`` are the seats that promised a nonce but did not
    reveal it in time.
    """

    deal: Deal
    proof: Proof
    nonces: tuple[int, ...]
    withheld: tuple[int, ...]


def new_secret() -> str:
    """Draw a secret: 64 hex digits from the system's random numbers."""
    return secrets.token_hex(_BYTES)


def digest_of(nonce: str, game: int) -> str:
    """Return the digest that promises the nonce of a game: SHA-256, applied to it ``game`` times."""
    value = bytes.fromhex(nonce)
    for _ in range(game):
        value = hashlib.sha256(value).digest()
    return value.hex()


def check(record: kd.Record) -> Checked:
    """Check a record's deal against its table's commitment.

    Raises `RecordError` if it is not, if the record is unfinished, or if it lacks a tag.
    """
    tags = record.tags
    missing = [tag for tag in _TAGS if tag not in tags]
    if missing:
        raise kd.RecordError(
            f"this record has no tag {' and no tag '.join(missing)}, so no table committed to its deal"
        )
    if record.outcome() is None:
        raise kd.RecordError("this game is not over, so its deck is still secret")
    game = record.replay()
    deck = tuple(domino.number for domino in game.deck)
    checked = _drawn(record, start_of(game))
    deal = checked.deal
    if not hmac.compare_digest(deal.commitment.encode(), tags["commitment"].encode()):
        raise kd.RecordError(
            f"the deal of this record has the digest {deal.commitment}, "
            f"but {tags['commitment']} was published before the game"
        )
    if (deal.deck, deal.opening) != (deck, game.opening):
        raise kd.RecordError("the deck and the kings of this record do not follow from its secret and nonces")
    return checked


def start_of(game: kd.Game) -> kd.Position | None:
    """Return the position from which a game began, if that is not the empty table."""
    return None if len(game.deck) == game.rules.dominoes else game.start


def tags(deal: Deal) -> dict[str, str]:
    """Return a record's tags for checking its deal."""
    assert deal.proof is not None
    return {
        "commitment": deal.commitment,
        "secret": deal.proof.secret,
        "seats": " ".join(seat.split()[0] for seat in deal.proof.seats),
        "digests": " ".join(digest or _NONE for digest in deal.proof.digests),
        "nonces": " ".join(nonce or _NONE for nonce in deal.proof.nonces),
    }


def _drawn(record: kd.Record, start: kd.Position | None) -> Checked:
    """Draw a record's deal again. Raises `RecordError` for a bad tag or a nonce that does not match its digest."""
    tags, players = record.tags, record.rules.players
    number = tags.get("game", "1")
    if number not in ("1", "2", "3"):
        raise kd.RecordError(f"the tag game must be 1, 2 or 3, not {number}")
    seats = tuple(
        f"bot {tags.get(kd.bots.record_tag(seat), '')}" if kind == "bot" else kind
        for seat, kind in enumerate(tags["seats"].split())
    )
    digests, nonces = (_values(tags, tag, players) for tag in ("digests", "nonces"))
    for seat, (digest, nonce) in enumerate(zip(digests, nonces, strict=True)):
        if nonce is not None and (digest is None or digest_of(nonce, int(number)) != digest):
            raise kd.RecordError(f"the nonce of seat {seat} does not match its digest")
    if len(seats) != players:
        raise kd.RecordError(f"the tag seats must have {players} words")
    if not _is_hex(tags["secret"]):
        raise kd.RecordError("the tag secret must be 64 hex digits")
    commitment = Commitment(tags["table"], int(number), record.rules, seats, tags["secret"], start)
    deal = commitment.deal(digests, nonces)
    assert deal.proof is not None
    given = tuple(seat for seat, nonce in enumerate(nonces) if nonce is not None)
    promised = (seat for seat, digest in enumerate(digests) if digest is not None)
    return Checked(deal, deal.proof, given, tuple(seat for seat in promised if seat not in given))


def _values(tags: dict[str, str], tag: str, players: int) -> list[str | None]:
    words = tags[tag].split()
    if len(words) != players or not all(word == _NONE or _is_hex(word) for word in words):
        raise kd.RecordError(
            f"the tag {tag} must have 64 hex digits or {_NONE!r} for each of {players} seats"
        )
    return [None if word == _NONE else word for word in words]


def _is_hex(text: str) -> bool:
    return len(text) == 2 * _BYTES and all(letter in "0123456789abcdef" for letter in text)


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def _numbers(key: bytes) -> Callable[[int], int]:
    """Return a function that draws a uniform random integer below its argument."""

    def words() -> Iterator[int]:
        number = 0
        while True:
            block = _hmac(key, f"block {number}")
            yield from (
                int.from_bytes(block[start : start + _WORD], "big") for start in range(0, len(block), _WORD)
            )
            number += 1

    stream, every = words(), 2 ** (8 * _WORD)

    def below(limit: int) -> int:
        return next(word for word in stream if word < every - every % limit) % limit

    return below


def _shuffled(items: list[_T], below: Callable[[int], int]) -> list[_T]:
    """Shuffle in place, from the last item to the second (Fisher–Yates)."""
    for last in range(len(items) - 1, 0, -1):
        other = below(last + 1)
        items[last], items[other] = items[other], items[last]
    return items


def _opening(start: kd.Position, below: Callable[[int], int]) -> tuple[int, ...]:
    kings, rules = list(start.kings_to_draw), start.rules
    if kings and rules.opening == "snake":
        return rules.snake_order(below(rules.players)) or ()
    return tuple(_shuffled(kings, below))
