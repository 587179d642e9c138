"""Spec strings, ``name[:key=value[,key=value]...]`` as in ``random:seed=3``, and checks of common options."""

import re
from math import inf

from kingdomino.errors import BotError

_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_KEY = re.compile(r"[a-z][a-z0-9_]*")


def parse(text: str) -> tuple[str, dict[str, str]]:
    """Split a spec string into the name and the options as texts, without checking that they exist.

    Ignores spaces around the parts. Raises `BotError` for invalid syntax.
    """
    name, colon, rest = text.partition(":")
    if not _NAME.fullmatch(name := name.strip()):
        raise BotError(f"not a bot: {text!r} (like 'greedy' or 'random:seed=3')")
    options: dict[str, str] = {}
    for part in rest.split(",") if colon else ():
        key, _, value = (piece.strip() for piece in part.partition("="))
        if not (value and _KEY.fullmatch(key)):
            raise BotError(f"bot {text!r}: {part!r} is not an option (like 'seed=3')")
        if key in options:
            raise BotError(f"bot {text!r}: option {key!r} is given twice")
        options[key] = value
    return name, options


def canonical(name: str, **options: object) -> str:
    """Return the spec string with the options that are not None."""
    given = ",".join(f"{key}={value}" for key, value in options.items() if value is not None)
    return f"{name}:{given}" if given else name


def without_seed(spec: str) -> str:
    """Return a canonical spec string without its seed, to identify the bot across games.

    >>> without_seed("king:playouts=200,seed=7")
    'king:playouts=200'

    Raises `BotError` for invalid syntax.
    """
    name, options = parse(spec)
    return canonical(name, **(options | {"seed": None}))


def record_tag(seat: int) -> str:
    """Return the name of a record's tag for the bot in a seat: the tag's value is the spec string.

    >>> record_tag(0)
    'bot-0'
    """
    return f"bot-{seat}"


def check_seed(name: str, seed: int) -> None:
    """Raise `BotError` unless the seed is between 0 and 2**64 - 1."""
    if not 0 <= seed < 2**64:
        raise BotError(f"bot {name!r}: seed {seed} is not between 0 and 2**64 - 1")


def check_limits(name: str, time: float | None, playouts: int | None) -> None:
    """Raise `BotError` unless the seconds and the playouts, if given, are above 0."""
    if time is not None and not 0 < time < inf:
        raise BotError(f"bot {name!r}: time is a number of seconds above 0, not {time}")
    if playouts is not None and playouts < 1:
        raise BotError(f"bot {name!r}: playouts are a whole number from 1, not {playouts}")
