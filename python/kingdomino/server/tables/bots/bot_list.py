"""The bots that the server offers, weakest first; their names; and which bots a table accepts."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from kingdomino import bots
from kingdomino.errors import BotError
from kingdomino.server.tables.core.refusals import Refusal
from kingdomino.server.tables.core.state import Seat


class Offer(NamedTuple):
    """A bot by its spec string, its name at the table, how strong it is, from 1, and whether it is the usual choice."""

    spec: str
    name: str
    level: int
    usual: bool


_FILE: Final = Path(__file__).parents[2] / "static/bots.json"  # the pages read it, too
BOTS: Final = tuple(
    Offer(one["bot"], one["name"], one["level"], one["usual"])
    for one in json.loads(_FILE.read_text(encoding="utf-8"))
)
DEFAULT: Final = next(offer.spec for offer in BOTS if offer.usual)
"""The bot for a seat without a choice."""
_LONGEST: Final = 2.0  # most seconds for a decision
_MOST_PLAYOUTS: Final = 100_000  # most bots reach their time limit before


def bot_seat(spec: str, name: str | None = None) -> Seat:
    """Return a seat for a bot, under this name or its own. Pages number equal names at a table.

    Raises `Refusal` for an unknown bot, for an engine, for a bot that would use too much of the machine, and for the
    name of another level.
    """
    try:
        bot = bots.make(spec)
    except BotError as error:
        raise Refusal("bad_bot", str(error)) from None
    if isinstance(bot, bots.Engine):  # a visitor would run commands on this machine
        raise Refusal("bad_bot", "an engine cannot play at a table: it is a program on the server's machine")
    if isinstance(bot, bots.King | bots.Mce | bots.Uct) and not _is_bounded(bot):
        limit = f"one thread and {_LONGEST:g} s or {_MOST_PLAYOUTS:,} playouts a decision"
        raise Refusal("bad_bot", f"bot {spec!r}: a table allows {limit}, no more")
    if other := next((one for one in BOTS if one.name == name and one.spec != bot.spec), None):
        raise Refusal("bad_bot", f"{other.name} is the bot of level {other.level}")
    return Seat("bot", name or bot_name(bot.spec), bot.spec)


def is_quick(bot: bots.Bot) -> bool:
    """Whether a bot decides in milliseconds: the policies, and `king` below its last level."""
    return isinstance(bot, bots.PolicyBot) or (isinstance(bot, bots.King) and bot.level < BOTS[-1].level)


def is_slow(spec: str) -> bool:
    """Whether a bot is not quick. A bot that no longer exists is quick, because a stand-in plays."""
    try:
        return not is_quick(bots.make(spec))
    except BotError:
        return False


def slow_bots(seats: Iterable[Seat]) -> int:
    """Count the seats whose bots are not quick."""
    return sum(seat.bot is not None and is_slow(seat.bot) for seat in seats)


def bot_name(spec: str) -> str:
    """Return a bot's display name: the name of its level, or its kind, such as ``Greedy``."""
    own = (offer.name for offer in BOTS if offer.spec == spec)
    return next(own, spec.partition(":")[0].capitalize())


def _is_bounded(bot: bots.King | bots.Mce | bots.Uct) -> bool:
    if isinstance(bot, bots.King) and bot.threads > 1:
        return False
    if bot.time is not None:
        return bot.time <= _LONGEST
    return (bot.playouts or 0) <= _MOST_PLAYOUTS
