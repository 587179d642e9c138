"""The deal of one game: the deck and the kings' order, fixed beforehand and published as a digest.

The text that is digested is in docs/formats/table.md. The deal itself stays on the server until its game
is over.
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
    """What is hidden of a game that has not begun: ``deck`` line by line, each lowest first, and ``opening``.

    ``opening`` names the seats in the order in which their kings are drawn; ``salt`` (64 hex digits) keeps
    the digest from being guessed. It has no repr: nothing that prints values may print a deck.
    """

    rules: kd.Rules
    deck: tuple[int, ...]
    opening: tuple[int, ...]
    salt: str

    @classmethod
    def draw(cls, rules: kd.Rules) -> Self:
        """Shuffle a deal with the system's own randomness: no seed leads back to it."""
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
        """Lay the empty table of this deal."""
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
    """Compute again the deal that a table's record was played from, and give it.

    Raises `RecordError` when the record is not finished, has no ``commitment`` and ``salt`` tags, or was
    not played from the deal that was committed to.
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
