"""Registers the `bad_bots`. A plan names this module, so that worker processes import it."""

import kingdomino as kd
from support.bad_bots import Deadly, Endless, Illegal, Orphaned, Raising

kd.bots.register("raising", Raising)
kd.bots.register("illegal", Illegal)
kd.bots.register("deadly", Deadly)
kd.bots.register("endless", Endless)
kd.bots.register("orphaned", Orphaned)
