"""Bots: players that run in this process or ask an engine in another one.

A spec string identifies a bot: ``make("greedy")``, ``make("random:seed=3")``. It means the same bot in the terminal,
the arena, at tables and in the database.

    >>> import kingdomino as kd
    >>> bot = kd.bots.make("random:seed=3")
    >>> bot.choose(kd.Game(seed=7).position).kind
    'claim'
    >>> str(bot)
    'random:seed=3'
"""

from functools import partial

from kingdomino._core import choose, choose_by_playouts
from kingdomino.bots.baselines import Mce, Uct
from kingdomino.bots.bot import Bot, Limit
from kingdomino.bots.engine import Engine
from kingdomino.bots.king import King
from kingdomino.bots.policies import PolicyBot, greedy
from kingdomino.bots.registry import NamedSpec, Registry
from kingdomino.bots.spec import record_tag, without_seed

__all__ = [
    "Bot",
    "Engine",
    "King",
    "Limit",
    "Mce",
    "NamedSpec",
    "PolicyBot",
    "Uct",
    "choose",
    "choose_by_playouts",
    "make",
    "names",
    "record_tag",
    "register",
    "specs",
    "without_seed",
]

_registry = Registry(
    {
        "engine": Engine,
        "fg": partial(PolicyBot, "fg"),
        "gprd": partial(PolicyBot, "gprd"),
        "greedy": greedy,
        "king": King,
        "mce": Mce,
        "random": partial(PolicyBot, "random"),
        "uct": Uct,
    }
)
specs = _registry.specs
make = _registry.make
names = _registry.names
register = _registry.register


def __dir__() -> list[str]:
    return __all__
