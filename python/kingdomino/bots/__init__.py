"""Bots: players that run in this process, or that speak for an engine in another; named by spec strings.

``make("greedy")``, ``make("random:seed=3")``: the same string means the same bot at the terminal, in
the arena, in the lobby and in the database. Imports the library's face only.

    >>> import kingdomino as kd
    >>> bot = kd.bots.make("random:seed=3")
    >>> bot.choose(kd.Game(seed=7).position).kind
    'claim'
    >>> str(bot)
    'random:seed=3'
"""

from kingdomino.bots.bot import Bot
from kingdomino.bots.engine import Engine
from kingdomino.bots.field import Fg, Gprd, Mce, Uct
from kingdomino.bots.king import King
from kingdomino.bots.limit import Limit, Limited
from kingdomino.bots.policies import Greedy, Random
from kingdomino.bots.registry import Registry
from kingdomino.bots.spec import split

__all__ = [
    "Bot",
    "Engine",
    "Fg",
    "Gprd",
    "Greedy",
    "King",
    "Limit",
    "Limited",
    "Mce",
    "Random",
    "Uct",
    "make",
    "names",
    "register",
    "split",
]

_registry = Registry(
    {
        "engine": Engine,
        "fg": Fg,
        "gprd": Gprd,
        "greedy": Greedy,
        "king": King,
        "mce": Mce,
        "random": Random,
        "uct": Uct,
    }
)
make = _registry.make
names = _registry.names
register = _registry.register
