"""The messages of processes to each other that are not about a table, and how all messages are read."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from kingdomino.server.tables.core.events import Model
from kingdomino.server.tables.core.peers import LimitUsage, PeerMessage, TableMessage

__all__ = ["Alive", "Choose", "Chosen", "Leaving", "Message", "read"]


class Alive(PeerMessage):
    """The process runs, and thinks about these turns or has them waiting for a thread.

    ``serves``: whether it has tables in memory. A worker has none.
    """

    type: Literal["alive"] = "alive"
    requests: tuple[str, ...] = ()
    serves: bool = True


class Leaving(PeerMessage):
    """The process is shutting down. Its clients are about to reconnect to others."""

    type: Literal["leaving"] = "leaving"


class Choose(Model):
    """A turn that a bot has to choose, for any process.

    ``share`` says on whose behalf: an address and a person under pseudonyms, because the queue is in the database, then
    the table. ``trace`` is the span that asks, if it is traced.
    """

    request: str
    bot: str
    seed: int
    position: str
    share: tuple[str, str, str]
    trace: str | None = None


class Chosen(PeerMessage):
    """A bot's turn that a process was asked for. ``failed``: a stand-in chose."""

    type: Literal["chosen"] = "chosen"
    request: str
    actions: tuple[str, ...]
    failed: bool


Message: TypeAlias = Annotated[
    TableMessage | LimitUsage | Chosen | Alive | Leaving, Field(discriminator="type")
]
_MESSAGE: Final[TypeAdapter[Message]] = TypeAdapter(Message)


def read(text: str) -> Message:
    """Read a message. Raises `pydantic.ValidationError` for one of a later version."""
    return _MESSAGE.validate_json(text)
