"""`Reviews`: the costs of the decisions in finished games, one row for each game, as far as they are computed."""

from __future__ import annotations

from typing import Final, NamedTuple

from sqlalchemy import delete, select

from kingdomino.server.storage import schema
from kingdomino.server.storage.database import Database

__all__ = ["GameKey", "Reviews", "StoredReview"]

_REVIEWS: Final = schema.reviews.c


class GameKey(NamedTuple):
    """A finished game: the id of its table or of an imported record, and its number in a Dynasty, from 1."""

    id: str
    number: int


class StoredReview(NamedTuple):
    """A review: how many of its steps are done, and JSON text, opaque to the store."""

    steps: int
    body: str


class Reviews:
    """Reads and writes reviews. `History.forget` deletes the reviews of games that are in no list any more."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._set = database.upsert(schema.reviews, lambda new: _REVIEWS.steps <= new.excluded.steps)

    async def get(self, game: GameKey) -> StoredReview | None:
        """Return the latest stored review of a game."""
        query = select(_REVIEWS.steps, _REVIEWS.body).where(
            _REVIEWS.game_id == game.id, _REVIEWS.number == game.number
        )
        return next((StoredReview(*row) for row in await self._database.rows(query)), None)

    async def put(self, game: GameKey, review: StoredReview) -> None:
        """Store the review of a game, unless another process has stored one with more steps."""
        row = {"game_id": game.id, "number": game.number, **review._asdict()}
        await self._database.execute(self._set, row)

    async def remove(self, game: GameKey) -> None:
        """Remove the review of a game."""
        statement = delete(schema.reviews).where(_REVIEWS.game_id == game.id, _REVIEWS.number == game.number)
        await self._database.execute(statement)
