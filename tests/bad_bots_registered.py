"""Registers the `bad_bots`; for plans that name this module, and so for processes that only play."""

from bad_bots import Deadly, Illegal, Raising

import kingdomino as kd

kd.bots.register("raising", Raising)
kd.bots.register("illegal", Illegal)
kd.bots.register("deadly", Deadly)
