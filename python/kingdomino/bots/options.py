"""What the options of several bots have in common: which values they may have."""

from math import isfinite

from kingdomino.errors import BotError


def check_seed(name: str, seed: int) -> None:
    """Raise `BotError` for a seed that the engine does not take."""
    if not 0 <= seed < 2**64:
        raise BotError(f"bot {name!r}: seed {seed} is not between 0 and 2**64 - 1")


def check_limits(name: str, time: float | None, playouts: int | None) -> None:
    """Raise `BotError` for seconds or playouts that leave no thought."""
    if time is not None and not (isfinite(time) and time > 0):
        raise BotError(f"bot {name!r}: time is a number of seconds above 0, not {time}")
    if playouts is not None and playouts < 1:
        raise BotError(f"bot {name!r}: playouts are a whole number from 1, not {playouts}")
