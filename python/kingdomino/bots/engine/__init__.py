"""Engines: players in other processes, in any language, by the protocol of docs/formats/engine.md.

`Engine` is the bot that asks one, `serve` makes an engine of a bot of ours, and `check` tells whether a
command keeps to the protocol.
"""

from kingdomino.bots.engine.bot import Engine
from kingdomino.bots.engine.checks import Finding, Terms, check
from kingdomino.bots.engine.serving import serve

__all__ = ["Engine", "Finding", "Terms", "check", "serve"]
