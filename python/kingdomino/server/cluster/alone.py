"""A process that has its database to itself and exchanges no messages."""

from __future__ import annotations

from kingdomino.server.tables.bots.bot_runner import BotRunner
from kingdomino.server.tables.core.peers import PeerHandler, PeerMessage

__all__ = ["Alone"]


class Alone:
    """The null implementation of `kingdomino.server.tables.core.peers.Cluster`."""

    is_alone = True
    process = ""
    outage = 0

    def __init__(self, bots: BotRunner) -> None:
        self.bots, self.threads = bots, bots.threads

    async def start(self, tables: PeerHandler) -> None:
        """Do nothing."""

    def tell(self, message: PeerMessage) -> None:
        """Do nothing."""

    async def stop(self) -> None:
        """Do nothing."""
