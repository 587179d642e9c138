"""Messages between the processes that serve one PostgreSQL database: NOTIFY sends them, LISTEN receives them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy.engine import URL, make_url

from kingdomino.server.storage.connecting import StorageError, reason
from kingdomino.server.tasks import end_tasks

if TYPE_CHECKING:
    from psycopg import AsyncConnection

__all__ = ["CONNECTION", "Receiver", "Sender", "answers", "conninfo", "limits_of"]

_log = logging.getLogger(__name__)
_CHANNEL: Final = "kingdomino"
CONNECTION: Final = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 8000,
}
"""When to give up a connection whose other end is silent (libpq's names; the last in milliseconds)."""
_OF_SERVER: Final = {
    "tcp_keepalives_idle": 5,
    "tcp_keepalives_interval": 2,
    "tcp_keepalives_count": 3,
    "tcp_user_timeout": 8000,
    "idle_in_transaction_session_timeout": 8000,
}
"""The same for PostgreSQL's end: the locks of a process that is stopped or cut off would block all others."""
_RETRY: Final = 1.0
"""Delay before reconnecting, in seconds."""
_ENDING: Final = 5.0
"""Time for the last messages of a process that ends, in seconds."""
_NOTIFY: Final = "SELECT pg_notify(%s, message) FROM unnest(%s::text[]) AS message"


def conninfo(url: str | URL, *, durable: bool = True) -> str:
    """Return a database's URL in psycopg's form, with the limits of `limits_of`.

    Without ``durable`` a commit does not wait for the disk: a crash of PostgreSQL loses the last commits.
    """
    from psycopg.conninfo import make_conninfo

    parsed = make_url(url).set(drivername="postgresql")
    limits = limits_of(parsed)
    if not durable:
        limits["options"] = f"{limits['options']} -c synchronous_commit=off"
    return make_conninfo(parsed.render_as_string(hide_password=False), **limits)


def limits_of(url: URL) -> dict[str, str | int]:
    """Return how to connect to a database: the limits of both ends, and the options in its URL."""
    limits = " ".join(f"-c {name}={value}" for name, value in _OF_SERVER.items())
    given = url.query.get("options", "")
    return {
        **CONNECTION,
        "options": f"{limits} {given if isinstance(given, str) else ' '.join(given)}".strip(),
    }


def answers(url: str | URL) -> bool:
    """Return whether a PostgreSQL server accepts clients with the right name, password and database."""
    from psycopg import pq

    return pq.PGconn.ping(conninfo(url).encode()) == pq.Ping.OK


class _Post(NamedTuple):
    """Messages to send, and the future of the caller, if it waits."""

    messages: tuple[str, ...]
    sent: asyncio.Future[None] | None


class Sender:
    """Sends messages of at most 8,000 bytes each to every process, in order, on a connection of its own.

    PostgreSQL commits notifying transactions one at a time. If such a transaction also wrote, the others would wait
    while it waits for the disk. So messages have their own transactions, which write nothing, after the commits that
    they announce.
    """

    def __init__(self, url: URL) -> None:
        """Start the task that sends. It connects for the first message."""
        self._conninfo = conninfo(url, durable=False)
        self._connection: AsyncConnection | None = None
        self._posts: list[_Post] = []
        self._wake = asyncio.Event()
        self._is_ending = False
        self._task = asyncio.create_task(self._send_until_closed(), name="sending news")

    def post(self, messages: Sequence[str]) -> None:
        """Send messages in the background, and retry until they are sent."""
        self._add(_Post(tuple(messages), None))

    async def send(self, messages: Sequence[str]) -> None:
        """Send messages once. Raises `StorageError`."""
        sent: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._add(_Post(tuple(messages), sent))
        await sent

    async def close(self) -> None:
        """Try once to send the messages that wait, then disconnect."""
        self._is_ending = True
        self._wake.set()
        with suppress(TimeoutError):
            async with asyncio.timeout(_ENDING):
                await self._task
        await self._disconnect()

    def _add(self, post: _Post) -> None:
        self._posts.append(post)
        self._wake.set()

    async def _send_until_closed(self) -> None:
        from psycopg import Error

        while self._wake.is_set() or not self._is_ending:
            await self._wake.wait()
            self._wake.clear()
            posts, self._posts = self._posts, []
            try:
                await self._notify([message for post in posts for message in post.messages])
            except (Error, OSError) as error:
                _answer(posts, StorageError(f"news could not be sent: {reason(error)}"))
                self._posts = [post for post in posts if post.sent is None] + self._posts
                if self._posts and not self._is_ending:
                    _log.warning("news could not be sent: %s", reason(error))
                    await asyncio.sleep(_RETRY)
                    self._wake.set()
            else:
                _answer(posts, None)

    async def _notify(self, messages: list[str]) -> None:
        from psycopg import AsyncConnection, Error

        if not messages:
            return
        if self._connection is not None:
            try:
                await self._connection.execute(_NOTIFY, (_CHANNEL, messages))
            except Error:  # the database may have been started again since the last messages
                await self._disconnect()
            else:
                return
        self._connection = await AsyncConnection.connect(self._conninfo, autocommit=True)
        await self._connection.execute(_NOTIFY, (_CHANNEL, messages))

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()


def _answer(posts: Sequence[_Post], error: StorageError | None) -> None:
    """Wake the callers that wait."""
    for post in posts:
        if post.sent is None or post.sent.done():
            continue
        if error is None:
            post.sent.set_result(None)
        else:
            post.sent.set_exception(error)


class Receiver:
    """Receives the messages of all processes, its own included."""

    def __init__(self, url: URL, hear: Callable[[str], None], missed: Callable[[], None]) -> None:
        """Call ``hear`` with each message, and ``missed`` after a gap in which messages may have been lost."""
        self._conninfo = conninfo(url)
        self._hear, self._missed = hear, missed
        self._listening: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._listen_for_ever(), name="news")

    async def ready(self) -> None:
        """Wait until the connection listens."""
        await asyncio.shield(self._listening)

    async def stop(self) -> None:
        """Stop listening."""
        await end_tasks((self._task,))

    async def _listen_for_ever(self) -> None:
        from psycopg import Error

        while True:
            try:
                await self._listen()
            except (Error, OSError) as error:
                _log.warning("the connection for news was lost: %s", reason(error))
            await asyncio.sleep(_RETRY)

    async def _listen(self) -> None:
        from psycopg import AsyncConnection

        async with await AsyncConnection.connect(self._conninfo, autocommit=True) as connection:
            await connection.execute(f"LISTEN {_CHANNEL}")
            if self._listening.done():
                self._missed()
            else:
                self._listening.set_result(None)
            async for message in connection.notifies():
                self._hear(message.payload)
