"""What the processes that serve one database tell each other about tables.

No table belongs to a process. Each that has a table in memory hears when another has added to its log, and which of
its clients follow it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from kingdomino.server.tables.core.events import Model
from kingdomino.server.tables.core.messages import SaidMessage

__all__ = [
    "SILENT",
    "Alive",
    "Asking",
    "Changed",
    "Choose",
    "Chosen",
    "Following",
    "Leaving",
    "Opened",
    "PeerMessage",
    "Peers",
    "Roll",
    "Said",
    "Spent",
    "Taken",
    "read",
]

SILENT: Final = 15.0
"""Seconds after which a process that is not heard of is taken for dead."""


class _Message(Model):
    process: str


class Changed(_Message):
    """A table's log goes up to this number."""

    type: Literal["changed"] = "changed"
    table: str
    number: int


class Following(_Message):
    """Which players of a table are connected to the process, and how many of its clients watch the table."""

    type: Literal["following"] = "following"
    table: str
    users: tuple[str, ...]
    watching: int


class Asking(_Message):
    """The process has loaded a table and asks which clients of the others follow it."""

    type: Literal["asking"] = "asking"
    table: str


class Said(_Message):
    """A player said something."""

    type: Literal["said"] = "said"
    table: str
    message: SaidMessage


class Spent(_Message):
    """What clients have used of limits: the limit, the client, and how much; of ``sockets`` how many there are now."""

    type: Literal["spent"] = "spent"
    used: tuple[tuple[str, str, int], ...]


class Opened(_Message):
    """A public table was created, by a person at a network: the other processes list it in the lobby, too."""

    type: Literal["opened"] = "opened"
    table: str
    person: str
    network: str


class Alive(_Message):
    """The process runs."""

    type: Literal["alive"] = "alive"


class Leaving(_Message):
    """The process is shutting down: its clients are about to reconnect to others."""

    type: Literal["leaving"] = "leaving"


class Choose(Model):
    """A turn that a bot has to choose, for any process. ``share`` says on whose behalf: an address and a person by
    names that are made up, because the queue is in the database, then the table. ``trace``: the span that asks, if it
    is traced.
    """

    request: str
    bot: str
    seed: int
    position: str
    share: tuple[str, str, str]
    trace: str | None = None


class Chosen(_Message):
    """A bot's turn that a process was asked for. ``failed``: a stand-in chose."""

    type: Literal["chosen"] = "chosen"
    request: str
    actions: tuple[str, ...]
    failed: bool


class Taken(_Message):
    """The turns of which the process has taken the jobs: their bots think there, or wait for one of its threads.

    It tells once a second, and so gives a sign that they need not be asked for again.
    """

    type: Literal["taken"] = "taken"
    requests: tuple[str, ...]


PeerMessage: TypeAlias = Annotated[
    Changed | Following | Asking | Said | Chosen | Taken | Spent | Opened | Alive | Leaving,
    Field(discriminator="type"),
]
_MESSAGE: Final[TypeAdapter[PeerMessage]] = TypeAdapter(PeerMessage)


def read(text: str) -> PeerMessage:
    """Read a message. Raises `pydantic.ValidationError` for one of a later version."""
    return _MESSAGE.validate_json(text)


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


class Roll:
    """Which other processes run, from what they tell."""

    def __init__(self, time: Callable[[], float]) -> None:
        self._time = time
        self._heard: dict[str, float] = {}

    def hear(self, process: str) -> None:
        """Take note that a process runs."""
        self._heard[process] = self._time()

    def forget(self, process: str) -> None:
        """Take note that a process ends."""
        self._heard.pop(process, None)

    def silent(self) -> list[str]:
        """Forget those that have not been heard of for too long, and give them."""
        silent = [one for one, heard in self._heard.items() if heard < self._time() - SILENT]
        for process in silent:
            del self._heard[process]
        return silent
