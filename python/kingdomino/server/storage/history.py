"""`History`: the finished games of every user, one row a game and user, and the records that were imported."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, delete, func, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from kingdomino.server.storage import schema

__all__ = ["History", "Place", "Result", "Sum"]

Upsert: TypeAlias = Callable[[Any], sqlite.Insert | postgresql.Insert]
Reading: TypeAlias = Callable[[], AbstractAsyncContextManager[AsyncConnection]]
Transact: TypeAlias = Callable[[Callable[[AsyncConnection], Awaitable[object]]], Awaitable[object]]
_RESULTS: Final = schema.results.c
_AT_ONCE: Final = 200  # games that are deleted in one transaction


@dataclass(frozen=True, slots=True)
class Result:
    """A game in the list of one user.

    Attributes:
        user_id: the user.
        game_id: the table's id, or that of an imported record.
        imported: whether it is an imported record.
        ended: milliseconds since 1970.
        outcome: ``won``, ``lost``, ``shared``, ``neutral`` (no single seat is the user's) or ``unfinished``.
        rules: the text of the rules.
        dynasty: what decides a Dynasty; `None` for a single game.
        bot: the spec string of all opponents; `None` if they are people, or different bots.
        games: how many games were finished.
        points: the user's points in all of them together, if one seat is the user's.
        best: the most of them in one game.
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

    def __init__(self, reading: Reading, transact: Transact, upsert: Upsert) -> None:
        self._reading, self._transact = reading, transact
        self._add_result = upsert(schema.results).on_conflict_do_nothing()
        self._add_record = upsert(schema.records).on_conflict_do_nothing()

    async def page(
        self,
        user: str,
        limit: int,
        before: Place | None = None,
        where: Mapping[str, str | None] | None = None,
    ) -> list[Result]:
        """Give a user's games after a place, the newest first. ``where`` names columns and what they must hold."""
        query = select(schema.results).where(*_of(user, where))
        if before is not None:
            query = query.where(tuple_(_RESULTS.ended, _RESULTS.game_id) < tuple_(*before))
        query = query.order_by(_RESULTS.ended.desc(), _RESULTS.game_id.desc()).limit(limit)
        async with self._reading() as connection:
            return [Result(*row) for row in await connection.execute(query)]

    async def count(self, user: str, where: Mapping[str, str | None] | None = None) -> int:
        """Count a user's games."""
        query = select(func.count()).select_from(schema.results).where(*_of(user, where))
        async with self._reading() as connection:
            return (await connection.execute(query)).scalar_one()

    async def count_imported(self, user: str) -> int:
        """Count the records that a user has imported."""
        query = select(func.count()).where(_RESULTS.user_id == user, _RESULTS.imported)
        async with self._reading() as connection:
            return (await connection.execute(query)).scalar_one()

    async def sums(self, user: str) -> list[Sum]:
        """Sum up a user's games by rules, opponents and outcome."""
        kind = (_RESULTS.rules, _RESULTS.dynasty, _RESULTS.bot, _RESULTS.outcome)
        games, points = func.sum(_RESULTS.games), func.coalesce(func.sum(_RESULTS.points), 0)
        query = select(*kind, func.count(), games, points).where(_RESULTS.user_id == user).group_by(*kind)
        async with self._reading() as connection:
            return [Sum(*row) for row in await connection.execute(query)]

    async def best(self, user: str) -> Result | None:
        """Give the game with the user's most points; the newest of several."""
        query = (
            select(schema.results)
            .where(_RESULTS.user_id == user, _RESULTS.best.is_not(None))
            .order_by(_RESULTS.best.desc(), _RESULTS.ended.desc())
            .limit(1)
        )
        async with self._reading() as connection:
            row = (await connection.execute(query)).first()
        return Result(*row) if row is not None else None

    async def against_bots(self, user: str, limit: int) -> list[tuple[str, str]]:
        """Give the bot and the outcome of the last decided games against bots of one kind, the newest first."""
        decided = _RESULTS.outcome.in_(("won", "lost", "shared"))
        query = (
            select(_RESULTS.bot, _RESULTS.outcome)
            .where(_RESULTS.user_id == user, _RESULTS.bot.is_not(None), decided)
            .order_by(_RESULTS.ended.desc(), _RESULTS.game_id.desc())
            .limit(limit)
        )
        async with self._reading() as connection:
            return [(row.bot, row.outcome) for row in await connection.execute(query)]

    async def result(self, user: str, game: str) -> Result | None:
        """Find a game in a user's list."""
        found = await self.results(user, [game])
        return found[0] if found else None

    async def results(self, user: str, games: Sequence[str]) -> list[Result]:
        """Find those of these games that are in a user's list."""
        query = select(schema.results).where(_RESULTS.user_id == user, _RESULTS.game_id.in_(games))
        async with self._reading() as connection:
            return [Result(*row) for row in await connection.execute(query)]

    async def games(self, user: str) -> list[str]:
        """Give the ids of all of a user's games, the newest first."""
        query = select(_RESULTS.game_id).where(_RESULTS.user_id == user)
        async with self._reading() as connection:
            return list(
                await connection.scalars(query.order_by(_RESULTS.ended.desc(), _RESULTS.game_id.desc()))
            )

    async def add(self, connection: AsyncConnection, results: Sequence[Result]) -> None:
        """Add games to the lists that do not have them, within a transaction."""
        if results:
            await connection.execute(self._add_result, [_columns(result) for result in results])

    async def keep(self, results: Sequence[Result], records: Mapping[str, str]) -> None:
        """Add imported games to a user's list, with the texts of their records by id."""
        texts = [{"id": id_, "text": text} for id_, text in records.items()]

        async def work(connection: AsyncConnection) -> None:
            await self.add(connection, results)
            if texts:
                await connection.execute(self._add_record, texts)

        await self._transact(work)

    async def record(self, record: str) -> str | None:
        """Give the text of an imported record."""
        async with self._reading() as connection:
            return await connection.scalar(select(schema.records.c.text).where(schema.records.c.id == record))

    async def correct(self, connection: AsyncConnection, results: Sequence[Result]) -> None:
        """Update these games where they are still in a list, within a transaction."""
        for result in results:
            row = (_RESULTS.user_id == result.user_id, _RESULTS.game_id == result.game_id)
            await connection.execute(update(schema.results).where(*row).values(_columns(result)))

    async def move(self, old: str, new: str) -> None:
        """Give the games of one user to another, those that both have once."""

        async def work(connection: AsyncConnection) -> None:
            theirs = select(_RESULTS.game_id).where(_RESULTS.user_id == new)
            moved = (_RESULTS.user_id == old, _RESULTS.game_id.not_in(theirs))
            await connection.execute(update(schema.results).where(*moved).values(user_id=new))
            await connection.execute(delete(schema.results).where(_RESULTS.user_id == old))

        await self._transact(work)

    async def forget(self, user: str, games: Sequence[str] | None = None) -> None:
        """Delete these games from a user's list, or all; and the records and reviews of those then in no list.

        Many games take several transactions, so that no table waits for long with its own.
        """
        forgotten = await self.games(user) if games is None else games
        for start in range(0, len(forgotten), _AT_ONCE):
            await self._forget(user, forgotten[start : start + _AT_ONCE])

    async def _forget(self, user: str, games: Sequence[str]) -> None:
        async def delete_them(connection: AsyncConnection) -> None:
            mine = (_RESULTS.user_id == user, _RESULTS.game_id.in_(games))
            await connection.execute(delete(schema.results).where(*mine))
            for game in (schema.records.c.id, schema.reviews.c.game_id):
                is_listed = select(_RESULTS.game_id).where(_RESULTS.game_id == game).exists()
                await connection.execute(delete(game.table).where(game.in_(games), ~is_listed))

        await self._transact(delete_them)


def _columns(result: Result) -> dict[str, object]:
    """Give the row of a result."""
    return {column.name: getattr(result, column.name) for column in schema.results.c}


def _of(user: str, where: Mapping[str, str | None] | None) -> Iterable[ColumnElement[bool]]:
    """Say which results are a user's and have these values; `None` is a value too."""
    yield _RESULTS.user_id == user
    for name, value in (where or {}).items():
        yield _RESULTS[name].is_not_distinct_from(value)
