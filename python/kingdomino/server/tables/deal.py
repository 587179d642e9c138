"""The deal of one game: the deck and the order of the kings, fixed and committed to before the game.

The commitment is a digest of the deal's text (docs/formats/table.md). The deal stays on the server until its game is
over.
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Self

import kingdomino as kd

_VERSION = "kingdomino-deal 1"
_SALT_BYTES = 32


@dataclass(frozen=True, slots=True, repr=False)
class Deal:
    """The hidden part of a game: ``deck``, line by line with each line's lowest domino first, and ``opening``.

    ``opening`` is the seats in the order in which their kings are drawn. ``salt`` (64 hex digits) makes the digest
    impossible to guess. A deal has no repr, so that nothing that prints values prints a deck.
    """

    rules: kd.Rules
    deck: tuple[int, ...]
    opening: tuple[int, ...]
    salt: str

    @classmethod
    def draw(cls, rules: kd.Rules) -> Self:
        """Shuffle a deal with the system's random numbers: no seed reproduces it."""
        chance = secrets.SystemRandom()
        dominoes = chance.sample(range(1, len(kd.DOMINOES) + 1), rules.dominoes_in_play)
        lines = (
            sorted(dominoes[start : start + rules.line_length])
            for start in range(0, len(dominoes), rules.line_length)
        )
        kings = [seat for seat in range(rules.players) for _ in range(rules.kings)]
        if rules.opening == "random":
            chance.shuffle(kings)
            opening = tuple(kings)
        else:
            opening = kd.Game(rules, seed=chance.getrandbits(64)).opening
        deck = tuple(number for line in lines for number in line)
        return cls(rules, deck, opening, secrets.token_hex(_SALT_BYTES))

    def game(self) -> kd.Game:
        """Begin the game of this deal."""
        return kd.Game(self.rules, deck=self.deck, opening=self.opening)

    @property
    def commitment(self) -> str:
        """The SHA-256 of the deal's text, as 64 hex digits."""
        text = (
            f"{_VERSION}\nrules {self.rules.to_text()}\ndeck {_listed(self.deck)}\n"
            f"opening {_listed(self.opening)}\nsalt {self.salt}\n"
        )
        return hashlib.sha256(text.encode()).hexdigest()


def check(record: kd.Record) -> Deal:
    """Check that a record was played from the deal that its table had committed to, and give the deal.

    Raises `RecordError` if it was not, if the record is not finished, or if it lacks the ``commitment`` and ``salt``
    tags.
    """
    tags = record.tags
    missing = [tag for tag in ("commitment", "salt") if tag not in tags]
    if missing:
        raise kd.RecordError(
            f"this record has no tag {' and no tag '.join(missing)}: no table committed to it"
        )
    if record.outcome is None:
        raise kd.RecordError("this game is not over: its deck has not been revealed yet")
    game = record.replay()
    deal = Deal(record.rules, tuple(domino.number for domino in game.deck), game.opening, tags["salt"])
    if not hmac.compare_digest(deal.commitment.encode(), tags["commitment"].encode()):
        raise kd.RecordError(
            f"the deal of this record has the digest {deal.commitment}, "
            f"but {tags['commitment']} was published before the game"
        )
    return deal


def _listed(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))
