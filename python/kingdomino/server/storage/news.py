"""Messages between the processes that serve one PostgreSQL database: NOTIFY sends them, LISTEN receives them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from sqlalchemy import text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.ext.asyncio import AsyncConnection

__all__ = ["CONNECTION", "News", "answers", "conninfo", "limits_of", "notify"]

_log = logging.getLogger(__name__)
_CHANNEL: Final = "kingdomino"
CONNECTION: Final = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 8000,
}
"""How soon a connection is given up whose other end is not heard of (libpq's names; the last in milliseconds)."""
_OF_SERVER: Final = {
    "tcp_keepalives_idle": 5,
    "tcp_keepalives_interval": 2,
    "tcp_keepalives_count": 3,
    "tcp_user_timeout": 8000,
    "idle_in_transaction_session_timeout": 8000,
}
"""The same for PostgreSQL's end: the locks of a process that is stopped or cut off would keep all others waiting."""
_RETRY: Final = 1.0
"""Seconds until a lost connection is made again."""
_NOTIFY: Final = text("SELECT pg_notify(:channel, message) FROM unnest(CAST(:messages AS text[])) AS message")


def conninfo(url: str | URL) -> str:
    """Write a database's URL as psycopg takes it, with the limits of `limits_of`."""
    from psycopg.conninfo import make_conninfo

    parsed = make_url(url).set(drivername="postgresql")
    return make_conninfo(parsed.render_as_string(hide_password=False), **limits_of(parsed))


def limits_of(url: URL) -> dict[str, str | int]:
    """Give how to connect to a database: the limits of both ends, and the options that its URL has."""
    limits = " ".join(f"-c {name}={value}" for name, value in _OF_SERVER.items())
    given = url.query.get("options", "")
    return {
        **CONNECTION,
        "options": f"{limits} {given if isinstance(given, str) else ' '.join(given)}".strip(),
    }


def answers(url: str | URL) -> bool:
    """Whether a PostgreSQL server lets clients connect, if their name, password and database are right."""
    from psycopg import pq

    return pq.PGconn.ping(conninfo(url).encode()) == pq.Ping.OK


async def notify(connection: AsyncConnection, messages: Sequence[str]) -> None:
    """Send messages of at most 8,000 bytes each to every process when the transaction is committed."""
    await connection.execute(_NOTIFY, {"channel": _CHANNEL, "messages": list(messages)})


class News:
    """Receives the messages of all processes, its own included."""

    def __init__(self, url: URL, hear: Callable[[str], None], missed: Callable[[], None]) -> None:
        """Call ``hear`` with each message, and ``missed`` after a gap in which messages may have been lost."""
        self._conninfo = conninfo(url)
        self._hear, self._missed = hear, missed
        self._listening: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._listen_for_ever(), name="news")

    async def ready(self) -> None:
        """Wait until messages are received."""
        await asyncio.shield(self._listening)

    async def stop(self) -> None:
        """Receive nothing any longer."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    async def _listen_for_ever(self) -> None:
        from psycopg import Error

        while True:
            try:
                await self._listen()
            except (Error, OSError) as error:
                _log.warning("the connection for news was lost: %s", " ".join(str(error).split()))
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
