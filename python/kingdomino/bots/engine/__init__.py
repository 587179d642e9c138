"""Engines: players in other processes, in any language, by the protocol of docs/formats/engine.md.

`Engine` is a bot that asks an engine, `serve` runs one of our bots as an engine, and `check` tests whether a command
follows the protocol.
"""

from kingdomino.bots.engine.bot import Engine
from kingdomino.bots.engine.checks import Finding, TimeLimits, check
from kingdomino.bots.engine.serving import serve

__all__ = ["Engine", "Finding", "TimeLimits", "check", "serve"]
