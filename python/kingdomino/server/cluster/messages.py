"""Messages between processes that are not about a table, and the parser of all messages."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from kingdomino.server.tables.core.events import Model
from kingdomino.server.tables.core.peers import LimitUsage, PeerMessage, TableMessage

__all__ = ["Alive", "Choose", "Chosen", "Leaving", "Message", "read"]


class Alive(PeerMessage):
    """A heartbeat. The process has taken ``requests``: their bots think there, or wait for a thread.

    ``serves``: whether it has tables in memory. A worker has none.
    """

    type: Literal["alive"] = "alive"
    requests: tuple[str, ...] = ()
    serves: bool = True


class Leaving(PeerMessage):
    """The process is shutting down. Its clients are about to reconnect to others."""

    type: Literal["leaving"] = "leaving"


class Choose(Model):
    """A bot's turn to choose, by any process.

    ``share`` is its `WorkOwner`, with pseudonyms for the address and the person, because the database stores the queue.
    ``trace`` is the span that asks, if it is traced.
    """

    request: str
    bot: str
    seed: int
    position: str
    share: tuple[str, str, str]
    trace: str | None = None


class Chosen(PeerMessage):
    """The answer to a request for a bot's turn. ``failed``: a stand-in chose it."""

    type: Literal["chosen"] = "chosen"
    request: str
    actions: tuple[str, ...]
    failed: bool


Message: TypeAlias = Annotated[
    TableMessage | LimitUsage | Chosen | Alive | Leaving, Field(discriminator="type")
]
_MESSAGE: Final[TypeAdapter[Message]] = TypeAdapter(Message)


def read(text: str) -> Message:
    """Parse a message. Raises `pydantic.ValidationError` for a message of a later version."""
    return _MESSAGE.validate_json(text)
