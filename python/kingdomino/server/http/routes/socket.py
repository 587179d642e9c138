"""The socket: a table's events as they happen. It ignores messages from clients."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Query, WebSocket, WebSocketDisconnect

from kingdomino.server.http.dependencies import InRegistry
from kingdomino.server.http.limits import address_of
from kingdomino.server.storage import StorageError
from kingdomino.server.tables.core.actor import TableActor
from kingdomino.server.tables.core.messages import (
    SnapshotMessage,
    SocketMessage,
    Subscriber,
    first_events_message,
)
from kingdomino.server.tables.core.refusals import Refusal
from kingdomino.server.tables.core.registry import Registry
from kingdomino.server.telemetry import Metrics

router = APIRouter(tags=["tables"])
webhooks = APIRouter()
"""Documents the socket's messages, because OpenAPI has no sockets."""
_log = logging.getLogger(__name__)
_NO_TABLE = 4404
_RESTARTING = 1012
_LONGEST_GAP = 200
_CLOSE_TIMEOUT = 5.0
"""Seconds to wait for a client that does not read."""


@router.websocket("/api/tables/{table}/socket")
async def follow(
    socket: WebSocket,
    registry: InRegistry,
    table: str,
    after: Annotated[int | None, Query(ge=0, le=1_000_000)] = None,
) -> None:
    """Send a snapshot, or the events since ``after``; then every event as it happens."""
    metrics: Metrics = socket.app.state.metrics
    # The client may disconnect at any time.
    with suppress(WebSocketDisconnect), metrics.sockets.track_inprogress():
        metrics.sockets_opened.inc()
        await socket.accept()
        try:
            actor = await registry.table(table)
            await actor.reach(after or 0)
            user: str | None = socket.scope["user"]
            name = await registry.store.user(user) if user else None
            subscriber = Subscriber(user, name, address_of(socket.scope))
            # We end it, or a ping went unanswered.
            with suppress(TimeoutError, RuntimeError):
                async with subscriber.connection:
                    await _send_all(socket, registry, actor, subscriber, after)
        except Refusal as refusal:
            metrics.refusals.labels(refusal.code).inc()
            # Only a missing table is permanent. The database may be back in a moment.
            await socket.close(_NO_TABLE if refusal.code == "no_table" else _RESTARTING, refusal.reason)
            return
        except StorageError:
            _log.exception("a table could not be read", extra={"table": table})
        with suppress(RuntimeError, TimeoutError):  # the client has disconnected, or does not read
            async with asyncio.timeout(_CLOSE_TIMEOUT):
                await socket.close(_RESTARTING)


@webhooks.post("socket", status_code=204, responses={"default": {"description": "An answer is ignored."}})
async def message(body: SocketMessage) -> None:
    """A message of the socket at `/api/tables/{table}/socket`. Send no answer."""


async def _send_all(
    socket: WebSocket, registry: Registry, actor: TableActor, subscriber: Subscriber, after: int | None
) -> None:
    """Send messages until the connection ends."""
    number = actor.subscribe(subscriber).number
    watching = asyncio.create_task(_until_disconnected(socket, subscriber))
    try:
        await socket.send_text(await _first_message(registry, actor, subscriber, number, after))
        while True:
            await socket.send_text(await subscriber.queue.get())
    finally:
        watching.cancel()
        actor.unsubscribe(subscriber)


async def _first_message(
    registry: Registry, actor: TableActor, subscriber: Subscriber, number: int, after: int | None
) -> str:
    you = actor.you(subscriber.user, subscriber.name)
    if after is not None and number - _LONGEST_GAP <= after <= number:
        missing = (
            await registry.store.entries(actor.state.id, after, number - after) if after < number else []
        )
        return first_events_message(missing, you, actor.left)
    return SnapshotMessage(table=actor.table, you=you).model_dump_json()


async def _until_disconnected(socket: WebSocket, subscriber: Subscriber) -> None:
    with suppress(WebSocketDisconnect):
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass
    subscriber.end()
