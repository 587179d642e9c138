"""Routes for the review of a finished game: the socket that streams it, and what one can try again."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, WebSocket

import kingdomino as kd
from kingdomino.server.http.dependencies import Answer, InQueue, InRegistry, InReviews, User
from kingdomino.server.http.limits import address_of
from kingdomino.server.http.openapi import refusals
from kingdomino.server.http.routes.records import finished_game, imported_game
from kingdomino.server.http.streaming import stream
from kingdomino.server.storage import StorageError
from kingdomino.server.storage.reviews import GameKey
from kingdomino.server.study.hints import Cost, last_thought
from kingdomino.server.study.reviews import ReviewNews, Reviews
from kingdomino.server.tables.bots.threads import off_loop
from kingdomino.server.tables.core import choices
from kingdomino.server.tables.core.refusals import Refusal, RefusalBody, illegal
from kingdomino.server.tables.core.registry import Registry
from kingdomino.server.tables.history import records
from kingdomino.server.tables.history.records import is_record_id

router = APIRouter(prefix="/api/reviews", tags=["reviews"])
webhooks = APIRouter()
"""For the OpenAPI document, which has no sockets."""

_REFUSED: Final = ("no_table", "no_game", "not_over", "stale_ply")
_Number = Annotated[int, Query(ge=1, le=3, description="of a Dynasty")]
_Ply = Annotated[int, Query(ge=0, le=200, description="of the game, from 0")]


@router.websocket("/{game}/socket")
async def follow(
    socket: WebSocket, registry: InRegistry, reviews: InReviews, game: str, number: _Number = 1
) -> None:
    """Send the review of a finished game as far as it is known, and then as it grows, to its end."""
    await stream(socket, _news(socket, registry, reviews, GameKey(game, number)))


@webhooks.post("review", status_code=204, responses={"default": {"description": "An answer is ignored."}})
async def message(body: ReviewNews) -> None:
    """A message of the socket at `/api/reviews/{game}/socket?number=1`. It takes no answer."""


@router.get("/{game}/choices", response_model=choices.Choices, responses=refusals(*_REFUSED))
async def choose(registry: InRegistry, game: str, ply: _Ply, number: _Number = 1) -> Answer:
    """List what could have been chosen in a finished game."""
    return Answer(choices.choices(await _position(registry, GameKey(game, number), ply), ply))


@router.get(
    "/{game}/cost", response_model=Cost, responses=refusals(*_REFUSED, "illegal_action", "busy", "too_often")
)
async def cost(
    request: Request,
    registry: InRegistry,
    reviews: InReviews,
    queue: InQueue,
    user: User,
    game: str,
    ply: _Ply,
    action: Annotated[str, Query(max_length=100, examples=["place 1,0>2,0"])],
    number: _Number = 1,
) -> Answer:
    """Ask what another action would have cost in a finished game."""
    position = await _position(registry, GameKey(game, number), ply)
    try:
        wanted = kd.Action.parse(action)
        position.play(wanted)
    except kd.KingdominoError as error:
        raise illegal(error) from None
    step = reviews.cost(position, wanted, ply)
    return Answer(await last_thought(queue, user, address_of(request.scope), step))


async def _news(
    socket: WebSocket, registry: Registry, reviews: Reviews, key: GameKey
) -> AsyncGenerator[ReviewNews, None]:
    address = address_of(socket.scope)
    person = str(socket.scope["user"] or address)
    told = None
    try:
        following = reviews.follow(key, await _record(registry, key), person, address)
        async with aclosing(following) as progress:
            async for now in progress:
                yield now.news(told)
                told = now
    except Refusal as refusal:
        yield ReviewNews(refusal=refusal.body)
    except StorageError:
        yield ReviewNews(
            refusal=RefusalBody(code="storage", reason="the database failed, so nothing was done")
        )


async def _record(registry: Registry, key: GameKey) -> kd.Record:
    """Read a game that is over. Raises `Refusal`."""
    if is_record_id(key.id):
        if key.number != 1:
            raise Refusal("no_game", "an imported record is one game")
        record = (await imported_game(registry, key.id)).record
        if record.outcome() is None:
            raise Refusal("not_over", "this game was not played to its end")
        return record
    return await off_loop(records.of_state, await finished_game(registry, key.id, key.number))


async def _position(registry: Registry, key: GameKey, ply: int) -> kd.Position:
    """Give the position of a decision. Raises `Refusal`."""
    record = await _record(registry, key)
    if ply >= len(record.actions()):
        raise Refusal("stale_ply", f"this game has {len(record.actions())} decisions")
    return record.positions()[ply]
