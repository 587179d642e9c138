"""`Identities`: the links to another device, the passkeys, and the tables that know a user."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from kingdomino.server.storage.database import Database
from kingdomino.server.storage.schema import links, passkeys, seats, settings, user_tables, users

__all__ = ["Identities", "Passkey"]


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey: its id, the user that it signs in, its public key, and its signature counter."""

    id: str
    user: str = field(repr=False)
    public_key: bytes = field(repr=False)
    uses: int


class Identities:
    """Reads and writes what belongs to an identity, except its seats."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def tables(self, user: str) -> list[str]:
        """Return the ids of the tables whose log names this user."""
        query = select(user_tables.c.table_id).where(user_tables.c.user_id == user)
        return await self._database.scalars(query.order_by(user_tables.c.table_id))

    async def games(self, user: str) -> int:
        """Count the tables where this user has a seat."""
        query = select(func.count(seats.c.table_id.distinct())).where(seats.c.user_id == user)
        return await self._database.scalar(query) or 0

    # Links.

    async def add_link(self, digest: str, user: str, expires: int, now: int) -> None:
        """Store the digest of a link's secret. Remove the user's earlier link and all expired ones."""

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(
                delete(links).where((links.c.user_id == user) | (links.c.expires <= now))
            )
            await connection.execute(insert(links).values(digest=digest, user_id=user, expires=expires))

        await self._database.transact(work)

    async def link(self, digest: str, now: int) -> str | None:
        """Return the user of a link that is still valid."""
        query = select(links.c.user_id).where(links.c.digest == digest, links.c.expires > now)
        return await self._database.scalar(query)

    async def link_until(self, user: str) -> int | None:
        """Return when the link of a user expires; `None` if there is none."""
        query = select(links.c.expires).where(links.c.user_id == user)
        return await self._database.scalar(query)

    async def use_link(self, digest: str) -> bool:
        """Remove a link. Return whether it was still there: of two requests at once only one uses it."""

        async def work(connection: AsyncConnection) -> bool:
            return (await connection.execute(delete(links).where(links.c.digest == digest))).rowcount == 1

        return await self._database.transact(work)

    async def remove_link(self, user: str) -> None:
        """Remove the link of a user, if any."""
        statement = delete(links).where(links.c.user_id == user)
        await self._database.execute(statement)

    # Passkeys.

    async def add_passkey(self, passkey: Passkey) -> None:
        """Store a new passkey. Raises `StorageError` if its id is known already."""
        values = {
            "id": passkey.id,
            "user_id": passkey.user,
            "public_key": passkey.public_key,
            "uses": passkey.uses,
        }
        await self._database.execute(insert(passkeys), values)

    async def passkey(self, passkey: str) -> Passkey | None:
        """Find a passkey by its id."""
        found = await self._database.rows(select(passkeys).where(passkeys.c.id == passkey))
        return next((Passkey(*row) for row in found), None)

    async def passkeys(self, user: str) -> list[str]:
        """Return the ids of a user's passkeys."""
        return await self._database.scalars(select(passkeys.c.id).where(passkeys.c.user_id == user))

    async def passkey_used(self, passkey: str, uses: int) -> None:
        """Store a passkey's signature counter."""
        statement = update(passkeys).where(passkeys.c.id == passkey).values(uses=uses)
        await self._database.execute(statement)

    # Merging and removing identities.

    async def merge(self, old: str, new: str) -> None:
        """Move the passkeys of ``old`` to ``new``, and the name and settings if it has none; remove the rest."""

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(update(passkeys).where(passkeys.c.user_id == old).values(user_id=new))
            for owner in (users.c.id, settings.c.user_id):
                if await connection.scalar(select(owner).where(owner == new)) is None:
                    await connection.execute(update(owner.table).where(owner == old).values({owner: new}))
            await _remove(connection, old)

        await self._database.transact(work)

    async def remove(self, user: str) -> None:
        """Remove a user's name, settings, links and passkeys."""

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(delete(passkeys).where(passkeys.c.user_id == user))
            await _remove(connection, user)

        await self._database.transact(work)


async def _remove(connection: AsyncConnection, user: str) -> None:
    for owner in (users.c.id, settings.c.user_id, links.c.user_id):
        await connection.execute(delete(owner.table).where(owner == user))
