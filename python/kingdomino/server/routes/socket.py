"""The socket: a table as it happens. It only tells; what clients send is ignored.

Imports `door`, `house`, `mailbox`, `refusals`.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Query, WebSocket, WebSocketDisconnect

from kingdomino.server import view
from kingdomino.server.door import InHouse
from kingdomino.server.house import House
from kingdomino.server.mailbox import Mailbox, Watcher, events_message, message
from kingdomino.server.refusals import Refusal

router = APIRouter(tags=["tables"])
_NO_TABLE = 4404
_COME_BACK = 1012
_LONGEST_GAP = 200
_GOODBYE = 5.0
"""Seconds for the last message to somebody who may take nothing more."""


@router.websocket("/api/tables/{table}/socket")
async def follow(
    socket: WebSocket,
    house: InHouse,
    table: str,
    after: Annotated[int | None, Query(ge=0, le=1_000_000)] = None,
) -> None:
    """Tell how the table stands, or what is missing since ``after``; then whatever happens."""
    with suppress(WebSocketDisconnect):  # whoever follows may go at any time
        await socket.accept()
        try:
            mailbox = await house.table(table)
        except Refusal as refusal:
            await socket.close(_NO_TABLE, refusal.reason)
            return
        user: str | None = socket.scope["user"]
        watcher = Watcher(user, await house.store.user(user) if user else None)
        with suppress(TimeoutError, RuntimeError):  # ended, or closed already: nobody answered to a ping
            async with watcher.connection:
                await _tell(socket, house, mailbox, watcher, after)
        with suppress(RuntimeError, TimeoutError):  # it has gone, or takes nothing more
            async with asyncio.timeout(_GOODBYE):
                await socket.close(_COME_BACK)


async def _tell(
    socket: WebSocket, house: House, mailbox: Mailbox, watcher: Watcher, after: int | None
) -> None:
    """Send one message after the other, until the connection is ended."""
    number = mailbox.watch(watcher).number
    gone = asyncio.create_task(_until_gone(socket, watcher))
    try:
        await socket.send_text(await _first(house, mailbox, watcher, number, after))
        while True:
            await socket.send_text(await watcher.queue.get())
    finally:
        gone.cancel()
        mailbox.unwatch(watcher)


async def _first(house: House, mailbox: Mailbox, watcher: Watcher, number: int, after: int | None) -> str:
    if after is not None and number - _LONGEST_GAP <= after <= number:
        missing = await house.store.entries(mailbox.state.id, after, number - after) if after < number else []
        return events_message(missing, watcher.you)
    return message({"type": "snapshot", "table": view.snapshot(mailbox.state), "you": watcher.you})


async def _until_gone(socket: WebSocket, watcher: Watcher) -> None:
    with suppress(WebSocketDisconnect):
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass
    watcher.end()
