"""A command that starts an engine, and its words."""

import shlex

from kingdomino.errors import BotError


def words(command: str) -> list[str]:
    """Split a command as a shell does. Raises `BotError` for one that has no words or an open quotation."""
    try:
        found = shlex.split(command)
    except ValueError as error:
        raise BotError(f"the command {command!r} cannot be split: {error}") from None
    if not found:
        raise BotError("an engine needs a command (like 'engine:command=python3 my_bot.py,time=1')")
    return found
