"""The messages of a table to the clients that follow it (docs/formats/table.md)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field

from kingdomino.server.storage import Entry
from kingdomino.server.tables.core import events
from kingdomino.server.tables.core.snapshot import Table

_LONGEST_QUEUE: Final = 256
"""Messages in a client's queue. We disconnect a slower client, which reconnects with the last number that it has."""


class Invite(events.Model):
    """The secret of an invited seat."""

    seat: int
    secret: str


class You(events.Model):
    """A client's role at a table. ``invites`` and ``code`` are for the host of a waiting table."""

    name: str | None
    seats: tuple[int, ...]
    host: bool
    invites: tuple[Invite, ...]
    code: str | None


class SnapshotMessage(events.Model):
    """The socket's first message if ``after`` is missing or too far behind."""

    type: Literal["snapshot"] = "snapshot"
    table: Table
    you: You


class EventsMessage(events.Model):
    """Events in order. The first message also has the client's role and the milliseconds left of the turn."""

    type: Literal["events"] = "events"
    events: tuple[events.TableEvent, ...]
    you: You | None = None
    left: int | None = None


class YouMessage(events.Model):
    """The client's role has changed."""

    type: Literal["you"] = "you"
    you: You


class SeatPresence(events.Model):
    """Whether a person is connected, or since when not. After a while the others may let a bot play for them."""

    state: Literal["here", "gone", "away", "long_away"]
    ms: int


class PresenceMessage(events.Model):
    """The players' presence by seat (null without a person), and the number of spectators."""

    type: Literal["presence"] = "presence"
    seats: tuple[SeatPresence | None, ...]
    watching: int


Word: TypeAlias = Literal[
    "hello", "good_luck", "your_turn", "one_moment", "well_played", "oh_no", "thanks", "goodbye"
]
"""The words that players can say to each other."""


class SaidMessage(events.Model):
    """A player said one of the fixed words. The server does not store it, so a disconnected client misses it."""

    type: Literal["said"] = "said"
    seat: int
    word: Word


SocketMessage: TypeAlias = Annotated[
    SnapshotMessage | EventsMessage | YouMessage | PresenceMessage | SaidMessage, Field(discriminator="type")
]


class Subscriber:
    """One client that follows a table: ``queue`` holds the messages to send, within ``connection``."""

    def __init__(self, user: str | None, name: str | None, address: str) -> None:
        self.user, self.name, self.address = user, name, address
        self.queue: asyncio.Queue[str] = asyncio.Queue(_LONGEST_QUEUE)
        self.connection = asyncio.timeout(None)
        self.you: You | None = None
        self._has_ended = False

    def send(self, message: str) -> None:
        """Queue a message, or disconnect a client that is too far behind."""
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.end()

    def end(self) -> None:
        """End the connection, even in the middle of a message that the client does not read."""
        if not self._has_ended:
            self._has_ended = True
            self.connection.reschedule(asyncio.get_running_loop().time())


def events_message(entries: Sequence[Entry]) -> str:
    """Write an `EventsMessage` directly from stored events, without parsing them."""
    return _message(entries, "")


def first_events_message(entries: Sequence[Entry], you: You, left: int | None) -> str:
    """Write the first `EventsMessage`."""
    return _message(entries, f',"you":{you.model_dump_json()},"left":{"null" if left is None else left}')


def _message(entries: Sequence[Entry], more: str) -> str:
    bodies = ",".join(entry.body for entry in entries)
    return f'{{"type":"events","events":[{bodies}]{more}}}'
