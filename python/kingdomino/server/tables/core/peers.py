"""Messages about tables between the processes that serve one database, and the port that sends and receives them.

No process owns a table. Processes with the same table in memory notify each other of new events and of the clients that
follow it.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Literal, Protocol, TypeAlias

import kingdomino as kd
from kingdomino.server.tables.bots.threads import WorkOwner
from kingdomino.server.tables.core.events import Model
from kingdomino.server.tables.core.messages import SaidMessage

__all__ = [
    "Asking",
    "BotTurns",
    "Changed",
    "Cluster",
    "Following",
    "LimitUsage",
    "Opened",
    "PeerHandler",
    "PeerMessage",
    "Peers",
    "Said",
    "TableMessage",
]


class PeerMessage(Model):
    """A message from a process to the others."""

    process: str


class Changed(PeerMessage):
    """A table's log now ends with this number."""

    type: Literal["changed"] = "changed"
    table: str
    number: int


class Following(PeerMessage):
    """The players of a table who are connected to the process, and the number of spectators there."""

    type: Literal["following"] = "following"
    table: str
    users: tuple[str, ...]
    watching: int


class Asking(PeerMessage):
    """The process has loaded a table and asks the others for their `Following`."""

    type: Literal["asking"] = "asking"
    table: str


class Said(PeerMessage):
    """A player said something."""

    type: Literal["said"] = "said"
    table: str
    message: SaidMessage


class LimitUsage(PeerMessage):
    """Clients' usage of limits since the last report: limit, client and amount. For ``sockets``, the current number."""

    type: Literal["spent"] = "spent"
    used: tuple[tuple[str, str, int], ...]


class Opened(PeerMessage):
    """A person in a network created a public table, which counts against the quotas of both."""

    type: Literal["opened"] = "opened"
    table: str
    person: str
    network: str


TableMessage: TypeAlias = Changed | Following | Asking | Said | Opened


class BotTurns(Protocol):
    """Chooses the bots' turns."""

    def turn(
        self, spec: str, seed: int, position: kd.Position, owner: WorkOwner, /
    ) -> Awaitable[tuple[list[kd.Action], bool]]:
        """Choose a whole turn; the second value is whether a stand-in did. Raises `StorageError`."""


class PeerHandler(Protocol):
    """Handles messages and failures of other processes: the registry of tables."""

    def hear(self, message: TableMessage, /) -> None:
        """Handle a message about a table."""

    def forget(self, process: str, /) -> None:
        """Handle the end of another process. It may have stored events without announcing them."""

    def catch_up(self) -> None:
        """Read the events that tables in memory may have missed."""


class Cluster(Protocol):
    """The processes that serve the same database, as tables see them.

    Attributes:
        is_alone: whether there are no other processes.
        process: the id of this process.
        bots: chooses the bots' turns.
        threads: how many slow bots' turns this process chooses at once.
        outage: milliseconds without a heartbeat of any process that count as an outage.
    """

    @property
    def is_alone(self) -> bool: ...  # noqa: D102
    @property
    def process(self) -> str: ...  # noqa: D102
    @property
    def bots(self) -> BotTurns: ...  # noqa: D102
    @property
    def threads(self) -> int: ...  # noqa: D102
    @property
    def outage(self) -> int: ...  # noqa: D102

    async def start(self, tables: PeerHandler, /) -> None:
        """Start to receive and to send messages."""

    def tell(self, message: PeerMessage, /) -> None:
        """Send a message to the other processes, in the background."""

    async def stop(self) -> None:
        """Announce the end of this process to the others."""


class Peers:
    """The clients of other processes that follow a table."""

    def __init__(self) -> None:
        self._following: dict[str, Following] = {}

    def hear(self, message: Following) -> None:
        """Update the followers at a process."""
        if message.users or message.watching:
            self._following[message.process] = message
        else:
            self._following.pop(message.process, None)

    def forget(self, process: str) -> bool:
        """Remove a process that has ended. Return whether its clients followed the table."""
        return self._following.pop(process, None) is not None

    @property
    def users(self) -> set[str]:
        """The players who are connected elsewhere."""
        return {user for message in self._following.values() for user in message.users}

    @property
    def watching(self) -> int:
        """The number of spectators elsewhere."""
        return sum(message.watching for message in self._following.values())

    @property
    def first(self) -> str | None:
        """The lowest id of the processes whose clients follow the table, the same for all processes."""
        return min(self._following, default=None)
