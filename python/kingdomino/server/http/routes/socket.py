"""The socket: a table as it happens. What clients send is ignored."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Query, WebSocket, WebSocketDisconnect

from kingdomino.server.http.dependencies import InRegistry
from kingdomino.server.tables.actor import (
    SnapshotMessage,
    SocketMessage,
    Subscriber,
    TableActor,
    events_message,
)
from kingdomino.server.tables.refusals import Refusal
from kingdomino.server.tables.registry import Registry
from kingdomino.server.tables.snapshot import snapshot

router = APIRouter(tags=["tables"])
webhooks = APIRouter()
"""For the OpenAPI document, which has no sockets."""
_NO_TABLE = 4404
_COME_BACK = 1012
_LONGEST_GAP = 200
_GOODBYE = 5.0
"""Seconds for the last message to a client that may take nothing more."""


@router.websocket("/api/tables/{table}/socket")
async def follow(
    socket: WebSocket,
    registry: InRegistry,
    table: str,
    after: Annotated[int | None, Query(ge=0, le=1_000_000)] = None,
) -> None:
    """Tell how the table stands, or what is missing since ``after``; then whatever happens."""
    with suppress(WebSocketDisconnect):  # the client may go at any time
        await socket.accept()
        try:
            actor = await registry.table(table)
        except Refusal as refusal:
            await socket.close(_NO_TABLE, refusal.reason)
            return
        user: str | None = socket.scope["user"]
        subscriber = Subscriber(user, await registry.store.user(user) if user else None)
        with suppress(TimeoutError, RuntimeError):  # ended, or closed already: no answer to a ping
            async with subscriber.connection:
                await _tell(socket, registry, actor, subscriber, after)
        with suppress(RuntimeError, TimeoutError):  # it has gone, or takes nothing more
            async with asyncio.timeout(_GOODBYE):
                await socket.close(_COME_BACK)


@webhooks.post("socket", status_code=204, responses={"default": {"description": "An answer is ignored."}})
async def message(body: SocketMessage) -> None:
    """A message of the socket at `/api/tables/{table}/socket`. It takes no answer."""


async def _tell(
    socket: WebSocket, registry: Registry, actor: TableActor, subscriber: Subscriber, after: int | None
) -> None:
    """Send one message after the other, until the connection is ended."""
    number = actor.subscribe(subscriber).number
    gone = asyncio.create_task(_until_gone(socket, subscriber))
    try:
        await socket.send_text(await _first(registry, actor, subscriber, number, after))
        while True:
            await socket.send_text(await subscriber.queue.get())
    finally:
        gone.cancel()
        actor.unsubscribe(subscriber)


async def _first(
    registry: Registry, actor: TableActor, subscriber: Subscriber, number: int, after: int | None
) -> str:
    if after is not None and number - _LONGEST_GAP <= after <= number:
        missing = (
            await registry.store.entries(actor.state.id, after, number - after) if after < number else []
        )
        return events_message(missing, subscriber.you)
    you = actor.you(subscriber.user, subscriber.name)
    return SnapshotMessage(table=snapshot(actor.state), you=you).model_dump_json()


async def _until_gone(socket: WebSocket, subscriber: Subscriber) -> None:
    with suppress(WebSocketDisconnect):
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass
    subscriber.end()
