"""`History`: the finished games of every user, one row for each game and user, and the imported records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, delete, func, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from kingdomino.server.storage import schema
from kingdomino.server.storage.database import Database

__all__ = ["History", "Place", "Result", "Sum"]

_RESULTS: Final = schema.results.c
_AT_ONCE: Final = 200
"""Games deleted in one transaction."""


@dataclass(frozen=True, slots=True)
class Result:
    """A game in the list of one user.

    Attributes:
        user_id: the user.
        game_id: the id of the table or of the imported record.
        imported: whether it is an imported record.
        ended: milliseconds since 1970.
        outcome: ``won``, ``lost``, ``shared``, ``neutral`` (the user had no seat or several) or ``unfinished``.
        rules: the text of the rules.
        dynasty: how a Dynasty is decided; `None` for a single game.
        bot: the spec string of all opponents; `None` if they are people, or different bots.
        games: the number of finished games.
        points: the user's points in all games together, if the user had one seat.
        best: the user's most points in one game.
        body: JSON text, opaque to the store.
    """

    user_id: str = field(repr=False)
    game_id: str
    imported: bool
    ended: int
    outcome: str
    rules: str
    dynasty: str | None
    bot: str | None
    games: int
    points: int | None
    best: int | None
    body: str


class Place(NamedTuple):
    """A place in a list of games, which is sorted by time and then by id."""

    ended: int
    game_id: str


class Sum(NamedTuple):
    """How many games of one kind had this outcome: ``matches`` in the list, ``games`` and ``points`` altogether."""

    rules: str
    dynasty: str | None
    bot: str | None
    outcome: str
    matches: int
    games: int
    points: int


class History:
    """Reads and changes the lists of games. `Store.append` calls `add` when the game of a table ends."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._add_result = database.insert(schema.results).on_conflict_do_nothing()
        self._add_record = database.insert(schema.records).on_conflict_do_nothing()

    async def page(
        self,
        user: str,
        limit: int,
        before: Place | None = None,
        where: Mapping[str, str | None] | None = None,
    ) -> list[Result]:
        """Return a user's games after a place, newest first. ``where`` maps columns to required values."""
        query = select(schema.results).where(*_of(user, where))
        if before is not None:
            query = query.where(tuple_(_RESULTS.ended, _RESULTS.game_id) < tuple_(*before))
        query = query.order_by(_RESULTS.ended.desc(), _RESULTS.game_id.desc()).limit(limit)
        return [Result(*row) for row in await self._database.rows(query)]

    async def count(self, user: str, where: Mapping[str, str | None] | None = None) -> int:
        """Count a user's games."""
        query = select(func.count()).select_from(schema.results).where(*_of(user, where))
        return await self._database.scalar(query) or 0

    async def count_imported(self, user: str) -> int:
        """Count the records that a user has imported."""
        query = select(func.count()).where(_RESULTS.user_id == user, _RESULTS.imported)
        return await self._database.scalar(query) or 0

    async def sums(self, user: str) -> list[Sum]:
        """Sum up a user's games by rules, opponents and outcome."""
        kind = (_RESULTS.rules, _RESULTS.dynasty, _RESULTS.bot, _RESULTS.outcome)
        games, points = func.sum(_RESULTS.games), func.coalesce(func.sum(_RESULTS.points), 0)
        query = select(*kind, func.count(), games, points).where(_RESULTS.user_id == user).group_by(*kind)
        return [Sum(*row) for row in await self._database.rows(query)]

    async def best(self, user: str) -> Result | None:
        """Return the game with the user's most points; the newest of several."""
        query = (
            select(schema.results)
            .where(_RESULTS.user_id == user, _RESULTS.best.is_not(None))
            .order_by(_RESULTS.best.desc(), _RESULTS.ended.desc())
            .limit(1)
        )
        return next((Result(*row) for row in await self._database.rows(query)), None)

    async def result(self, user: str, game: str) -> Result | None:
        """Find a game in a user's list."""
        found = await self.results(user, [game])
        return found[0] if found else None

    async def results(self, user: str, games: Sequence[str]) -> list[Result]:
        """Find which of these games are in a user's list."""
        query = select(schema.results).where(_RESULTS.user_id == user, _RESULTS.game_id.in_(games))
        return [Result(*row) for row in await self._database.rows(query)]

    async def games(self, user: str) -> list[str]:
        """Return the ids of all of a user's games, the newest first."""
        query = select(_RESULTS.game_id).where(_RESULTS.user_id == user)
        return await self._database.scalars(query.order_by(_RESULTS.ended.desc(), _RESULTS.game_id.desc()))

    async def add(self, connection: AsyncConnection, results: Sequence[Result]) -> None:
        """Add games to the lists that lack them, within a transaction."""
        if results:
            await connection.execute(
                self._add_result, [schema.values(schema.results, result) for result in results]
            )

    async def keep(self, results: Sequence[Result], records: Mapping[str, str]) -> None:
        """Add imported games to a user's list, with the texts of their records by id."""
        texts = [{"id": id_, "text": text} for id_, text in records.items()]

        async def work(connection: AsyncConnection) -> None:
            await self.add(connection, results)
            if texts:
                await connection.execute(self._add_record, texts)

        await self._database.transact(work)

    async def record(self, record: str) -> str | None:
        """Return the text of an imported record."""
        return await self._database.scalar(select(schema.records.c.text).where(schema.records.c.id == record))

    async def correct(self, connection: AsyncConnection, results: Sequence[Result]) -> None:
        """Update these games where they are still in a list, within a transaction."""
        for result in results:
            row = (_RESULTS.user_id == result.user_id, _RESULTS.game_id == result.game_id)
            await connection.execute(
                update(schema.results).where(*row).values(schema.values(schema.results, result))
            )

    async def move(self, old: str, new: str) -> None:
        """Move the games of one user to the list of another, which keeps its own row of a game that both have."""

        async def work(connection: AsyncConnection) -> None:
            theirs = select(_RESULTS.game_id).where(_RESULTS.user_id == new)
            moved = (_RESULTS.user_id == old, _RESULTS.game_id.not_in(theirs))
            await connection.execute(update(schema.results).where(*moved).values(user_id=new))
            await connection.execute(delete(schema.results).where(_RESULTS.user_id == old))

        await self._database.transact(work)

    async def forget(self, user: str, games: Sequence[str] | None = None) -> None:
        """Delete these games (or all) from a user's list, and records that no list contains any longer.

        It takes several transactions for many games, so that tables do not wait long for theirs.
        """
        forgotten = await self.games(user) if games is None else games
        for start in range(0, len(forgotten), _AT_ONCE):
            await self._forget(user, forgotten[start : start + _AT_ONCE])

    async def _forget(self, user: str, games: Sequence[str]) -> None:
        async def delete_them(connection: AsyncConnection) -> None:
            mine = (_RESULTS.user_id == user, _RESULTS.game_id.in_(games))
            await connection.execute(delete(schema.results).where(*mine))
            record = schema.records.c.id
            is_listed = select(_RESULTS.game_id).where(_RESULTS.game_id == record).exists()
            await connection.execute(delete(schema.records).where(record.in_(games), ~is_listed))

        await self._database.transact(delete_them)


def _of(user: str, where: Mapping[str, str | None] | None) -> Iterable[ColumnElement[bool]]:
    """Return the conditions for the results of a user with these values; `None` is a value too."""
    yield _RESULTS.user_id == user
    for name, value in (where or {}).items():
        yield _RESULTS[name].is_not_distinct_from(value)
