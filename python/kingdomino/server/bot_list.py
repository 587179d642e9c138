"""The bots that are offered at the table, kindest first, and what bots are called. Imports nothing."""

from collections.abc import Collection
from typing import NamedTuple


class Offer(NamedTuple):
    """A bot by its spec string, the name that it goes by at the table, and how strong it is, from 1."""

    spec: str
    name: str
    level: int


_LEVELS = ("Clover", "Tansy", "Yarrow", "Fennel", "Sorrel", "Juniper", "Bryony")
BOTS = (
    *(Offer(f"king:level={level}", name, level) for level, name in enumerate(_LEVELS, 1)),
    Offer("king", "Bramble", 8),
)
USUAL = "king:level=3"
"""Who sits down where nobody has said who should."""
_NAMES = ("Bramble", "Juniper", "Sorrel", "Clover", "Tansy", "Yarrow", "Fennel", "Bryony")


def bot_name(spec: str, taken: Collection[str]) -> str:
    """Find a name for a bot at a table where these are taken: its own if possible."""
    own = [offer.name for offer in BOTS if offer.spec == spec]
    return next(name for name in (*own, *_NAMES) if name not in taken)
