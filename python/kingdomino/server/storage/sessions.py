"""The keys that cookies are signed with, and the users whose older cookies are worth nothing."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from kingdomino.server.storage.history import Reading, Transact
from kingdomino.server.storage.schema import keys, revoked

__all__ = ["Sessions", "digest_of"]

_KEY: Final = "cookies"
"""The name of the first key of a database; a later one has its time behind it."""


def digest_of(user: str) -> str:
    """Give what is stored of a user whose cookies are worth nothing."""
    return hashlib.sha256(user.encode()).hexdigest()


class Sessions:
    """Reads and writes them. Made by `Store`, with its connections. Times are milliseconds since 1970."""

    def __init__(self, reading: Reading, transact: Transact) -> None:
        self._reading, self._transact = reading, transact

    async def keys(self) -> list[tuple[int, bytes]]:
        """Give every key and when it was made, the newest first; the first key of a database is from time 0."""
        query = select(keys.c.name, keys.c.value).where(keys.c.name.startswith(_KEY))
        async with self._reading() as connection:
            rows = (await connection.execute(query)).all()
        return sorted(((int(row.name.removeprefix(_KEY) or 0), row.value) for row in rows), reverse=True)

    async def add_key(self, made: int) -> None:
        """Make a key: 32 random bytes."""
        values = {"name": f"{_KEY} {made}", "value": secrets.token_bytes(32)}
        await self._transact(lambda connection: connection.execute(insert(keys), values))

    async def revoked(self, since: int = 0) -> dict[str, int]:
        """Give the digests of the users some of whose cookies are worth nothing: those of before a time.

        It gives only those of whom this time is ``since`` or later.
        """
        query = select(revoked.c.digest, revoked.c.before).where(revoked.c.before >= since)
        async with self._reading() as connection:
            rows = (await connection.execute(query)).all()
        return {row.digest: row.before for row in rows}

    async def revoke(self, user: str, now: int) -> int:
        """Revoke the cookies of a user that were issued before now, and return the time before which they are.

        It is later than that of an earlier call, when the clock may have been ahead: cookies issued since count as
        issued then.
        """
        digest = digest_of(user)

        before = now

        async def work(connection: AsyncConnection) -> None:
            nonlocal before
            query = select(revoked.c.before).where(revoked.c.digest == digest).with_for_update()
            last = await connection.scalar(query)
            before = now if last is None else max(now, last + 1)
            await connection.execute(delete(revoked).where(revoked.c.digest == digest))
            await connection.execute(insert(revoked).values(digest=digest, before=before))

        await self._transact(work)
        return before
