"""`Reviews`: what the decisions of finished games cost, one row a game, as far as it has been computed."""

from __future__ import annotations

from typing import Final, NamedTuple

from sqlalchemy import delete, select

from kingdomino.server.storage import schema
from kingdomino.server.storage.history import Reading, Transact, Upsert

__all__ = ["GameKey", "Reviews", "StoredReview"]

_REVIEWS: Final = schema.reviews.c


class GameKey(NamedTuple):
    """A finished game: the id of its table or of an imported record, and its number in a Dynasty, from 1."""

    id: str
    number: int


class StoredReview(NamedTuple):
    """A review: how many of its steps have been made, and JSON text, opaque to the store."""

    steps: int
    body: str


class Reviews:
    """Reads and writes reviews. `History.forget` deletes those of games that are in no list any more."""

    def __init__(self, reading: Reading, transact: Transact, upsert: Upsert) -> None:
        self._reading, self._transact = reading, transact
        statement = upsert(schema.reviews)
        values = {name: statement.excluded[name] for name in ("steps", "body")}
        self._set = statement.on_conflict_do_update(
            index_elements=["game_id", "number"],
            set_=values,
            where=_REVIEWS.steps <= statement.excluded.steps,
        )

    async def get(self, game: GameKey) -> StoredReview | None:
        """Give the review of a game as it was stored last."""
        query = select(_REVIEWS.steps, _REVIEWS.body).where(
            _REVIEWS.game_id == game.id, _REVIEWS.number == game.number
        )
        async with self._reading() as connection:
            row = (await connection.execute(query)).first()
        return StoredReview(*row) if row is not None else None

    async def put(self, game: GameKey, review: StoredReview) -> None:
        """Store the review of a game in place of one with fewer steps: another process may have made more of it."""
        row = {"game_id": game.id, "number": game.number, **review._asdict()}
        await self._transact(lambda connection: connection.execute(self._set, row))

    async def remove(self, game: GameKey) -> None:
        """Remove the review of a game."""
        statement = delete(schema.reviews).where(_REVIEWS.game_id == game.id, _REVIEWS.number == game.number)
        await self._transact(lambda connection: connection.execute(statement))
