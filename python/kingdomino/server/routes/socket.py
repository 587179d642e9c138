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
            return await socket.close(_NO_TABLE, refusal.reason)
        user: str | None = socket.scope["user"]
        watcher = Watcher(user, await house.store.user(user) if user else None)
        state = mailbox.watch(watcher)
        gone = asyncio.create_task(_until_gone(socket, watcher))
        try:
            with suppress(RuntimeError):  # closed already: nobody answered to a ping
                await socket.send_text(await _first(house, mailbox, watcher, state.number, after))
                while (text := await watcher.queue.get()) is not None:
                    await socket.send_text(text)
                await socket.close(_COME_BACK)
        finally:
            gone.cancel()
            mailbox.unwatch(watcher)
    return None


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
