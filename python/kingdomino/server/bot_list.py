"""The bots that are offered at the table, kindest first, and what bots are called. Imports nothing."""

from collections.abc import Collection
from typing import NamedTuple


class Offer(NamedTuple):
    """A bot by its spec string, and the name that it goes by at the table."""

    spec: str
    name: str


BOTS = (Offer("random", "Clover"), Offer("greedy", "Bramble"))
USUAL = "greedy"
"""Who sits down where nobody has said who should."""
_NAMES = ("Bramble", "Juniper", "Sorrel", "Clover", "Tansy", "Yarrow", "Fennel", "Bryony")


def bot_name(spec: str, taken: Collection[str]) -> str:
    """Find a name for a bot at a table where these are taken: its own if possible."""
    own = [offer.name for offer in BOTS if offer.spec == spec]
    return next(name for name in (*own, *_NAMES) if name not in taken)
