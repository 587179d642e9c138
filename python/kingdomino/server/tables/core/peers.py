"""What the processes that serve one database tell each other about tables, and the port through which they do.

No table belongs to a process. Each that has a table in memory hears when another has added to its log, and which of
its clients follow it.
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
    """A message of a process to the others."""

    process: str


class Changed(PeerMessage):
    """A table's log goes up to this number."""

    type: Literal["changed"] = "changed"
    table: str
    number: int


class Following(PeerMessage):
    """Which players of a table are connected to the process, and how many of its clients watch the table."""

    type: Literal["following"] = "following"
    table: str
    users: tuple[str, ...]
    watching: int


class Asking(PeerMessage):
    """The process has loaded a table and asks which clients of the others follow it."""

    type: Literal["asking"] = "asking"
    table: str


class Said(PeerMessage):
    """A player said something."""

    type: Literal["said"] = "said"
    table: str
    message: SaidMessage


class LimitUsage(PeerMessage):
    """What clients have used of limits: the limit, the client, and how much; of ``sockets`` how many there are now."""

    type: Literal["spent"] = "spent"
    used: tuple[tuple[str, str, int], ...]


class Opened(PeerMessage):
    """A public table was created, by a person at a network: the other processes list it in the lobby, too."""

    type: Literal["opened"] = "opened"
    table: str
    person: str
    network: str


TableMessage: TypeAlias = Changed | Following | Asking | Said | Opened


class BotTurns(Protocol):
    """Who chooses the bots' turns."""

    def turn(
        self, spec: str, seed: int, position: kd.Position, owner: WorkOwner, /
    ) -> Awaitable[tuple[list[kd.Action], bool]]:
        """Choose a whole turn; the second value says whether a stand-in did. Raises `StorageError`."""


class PeerHandler(Protocol):
    """Who wants to know about the other processes: the registry of tables."""

    def hear(self, message: TableMessage, /) -> None:
        """Take note of what another process tells about a table."""

    def forget(self, process: str, /) -> None:
        """Take note that another process has ended. It may have stored what it could no longer tell."""

    def catch_up(self) -> None:
        """Read what the tables in memory may have missed."""


class Cluster(Protocol):
    """The processes that serve the same database, as tables see them.

    Attributes:
        is_alone: whether there are no others.
        process: the id of this process.
        bots: where bots' turns are chosen.
        threads: how many turns of slow bots this process chooses at once.
        outage: milliseconds without any process after which the servers were down, rather than one of them slow.
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
        """Begin to hear and to tell."""

    def tell(self, message: PeerMessage, /) -> None:
        """Send a message to the other processes, in the background."""

    async def stop(self) -> None:
        """Say goodbye to the other processes."""


class Peers:
    """Who follows a table at other processes."""

    def __init__(self) -> None:
        self._following: dict[str, Following] = {}

    def hear(self, message: Following) -> None:
        """Take note of what a process says."""
        if message.users or message.watching:
            self._following[message.process] = message
        else:
            self._following.pop(message.process, None)

    def forget(self, process: str) -> bool:
        """Forget a process that has ended. Says whether clients of it followed the table."""
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
        """The id of one of the processes whose clients follow the table: all processes name the same."""
        return min(self._following, default=None)
