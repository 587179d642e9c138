"""Engines: players in other processes, in any language, by the protocol of docs/formats/engine.md.

`Engine` is the bot that asks one, `serve` makes an engine of one of our bots, and `check` tests whether a command
follows the protocol.
"""

from kingdomino.bots.engine.bot import Engine
from kingdomino.bots.engine.checks import Finding, TimeLimits, check
from kingdomino.bots.engine.serving import serve

__all__ = ["Engine", "Finding", "TimeLimits", "check", "serve"]
