"""Routes of the analysis board: positions to set up and to play moves from, and the socket that analyses one.

All of them take positions and records. None asks a table, so none can know the deck of a running game.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated

from fastapi import APIRouter, Query, WebSocket

import kingdomino as kd
from kingdomino.server.http import schemas
from kingdomino.server.http.dependencies import Answer, InQueue
from kingdomino.server.http.limits import address_of
from kingdomino.server.http.openapi import refusals
from kingdomino.server.http.streaming import stream
from kingdomino.server.study import positions, thoughts
from kingdomino.server.study.queue import Ahead, Queue
from kingdomino.server.tables.bots.threads import off_loop
from kingdomino.server.tables.core.events import Model
from kingdomino.server.tables.core.refusals import Refusal, bad_record

router = APIRouter(prefix="/api/analysis", tags=["analysis"])
webhooks = APIRouter()
"""For the OpenAPI document, which has no sockets."""


@router.post("/setup", response_model=positions.Checked, responses=refusals("bad_rules"))
async def set_up(body: positions.SetUp) -> Answer:
    """Check a set-up: give the position, or everything that is wrong with it."""
    return Answer(positions.set_up(body))


@router.post(
    "/position", response_model=positions.Studied, responses=refusals("bad_position", "illegal_action")
)
async def position(body: schemas.PositionMoves) -> Answer:
    """Read a position, and play moves from it: actions, and what chance brings."""
    now = positions.read(body.position)
    for move in body.moves:
        now = positions.play(now, move)
    return Answer(positions.study(now))


@router.post("/record", response_model=schemas.RecordPositions, responses=refusals("bad_record"))
async def record(body: schemas.RecordText) -> Answer:
    """Read a record of either form and give the position before each ply, and the last one."""
    return Answer(await off_loop(_positions, body.record))


@router.websocket("/socket")
async def analyse(
    socket: WebSocket,
    queue: InQueue,
    position: Annotated[str, Query(max_length=schemas.LONGEST_POSITION)] = "",
) -> None:
    """Analyse a position until it is worked out, the time is over or the client goes."""
    address = address_of(socket.scope)
    person = str(socket.scope["user"] or address)
    await stream(socket, _news(queue, person, address, position))


@webhooks.post("analysis", status_code=204, responses={"default": {"description": "An answer is ignored."}})
async def message(body: schemas.AnalysisSocketMessage) -> None:
    """A message of the socket at `/api/analysis/socket?position=…`. It takes no answer."""


def _positions(record: str) -> schemas.RecordPositions:
    try:
        read = kd.Record.parse(record)
        seen = read.positions()
    except kd.KingdominoError as error:
        raise bad_record(error) from None
    return schemas.RecordPositions(positions=tuple(one.to_text() for one in seen), players=read.players)


async def _news(queue: Queue, person: str, address: str, text: str) -> AsyncGenerator[Model, None]:
    try:
        step = thoughts.search(positions.read(text))
        async with aclosing(queue.think(person, address, step)) as thinking:
            async for thought in thinking:
                if isinstance(thought, Ahead):
                    yield thoughts.AheadMessage(ahead=thought.jobs)
                else:
                    yield thoughts.message(thought)
        yield thoughts.EndMessage()
    except Refusal as refusal:
        yield thoughts.RefusedMessage(refusal=refusal.body)
