"""`Sessions`: the keys that sign cookies, and the users whose cookies are revoked."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from kingdomino.server.storage.database import Database
from kingdomino.server.storage.schema import keys, revoked

__all__ = ["Sessions", "digest_of"]

_KEY: Final = "cookies"
"""The name of the first key of a database. The name of a later key ends with its time."""


def digest_of(user: str) -> str:
    """Return the digest of a user, under which a revocation is stored: it outlives the user's id."""
    return hashlib.sha256(user.encode()).hexdigest()


class Sessions:
    """Reads and writes keys and revocations. Times are milliseconds since 1970."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keys(self) -> list[tuple[int, bytes]]:
        """Return the time and the bytes of each key, newest first. A database's first key is from time 0."""
        query = select(keys.c.name, keys.c.value).where(keys.c.name.startswith(_KEY))
        rows = await self._database.rows(query)
        return sorted(((int(row.name.removeprefix(_KEY) or 0), row.value) for row in rows), reverse=True)

    async def add_key(self, made: int) -> None:
        """Add a key: 32 random bytes."""
        values = {"name": f"{_KEY} {made}", "value": secrets.token_bytes(32)}
        await self._database.execute(insert(keys), values)

    async def revoked(self, since: int = 0) -> dict[str, int]:
        """Return the times before which cookies are revoked, by digest of the user; only times from ``since`` on."""
        query = select(revoked.c.digest, revoked.c.before).where(revoked.c.before >= since)
        rows = await self._database.rows(query)
        return {row.digest: row.before for row in rows}

    async def revoke(self, user: str, now: int) -> int:
        """Revoke the cookies of a user that were issued before now. Return the time before which they are revoked.

        It is later than at an earlier call, when the clock may have been ahead: cookies issued since then count as
        issued at that time.
        """
        digest = digest_of(user)

        async def work(connection: AsyncConnection) -> int:
            query = select(revoked.c.before).where(revoked.c.digest == digest).with_for_update()
            last = await connection.scalar(query)
            before = now if last is None else max(now, last + 1)
            await connection.execute(delete(revoked).where(revoked.c.digest == digest))
            await connection.execute(insert(revoked).values(digest=digest, before=before))
            return before

        return await self._database.transact(work)
