"""Sockets that stream one answer until it ends or the client disconnects."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress

from fastapi import WebSocket, WebSocketDisconnect, status
from pydantic import BaseModel

from kingdomino.server.tables.core.refusals import RefusalBody
from kingdomino.server.telemetry import Metrics

_log = logging.getLogger(__name__)


async def stream(socket: WebSocket, messages: AsyncGenerator[BaseModel, None]) -> None:
    """Accept a socket, send the messages, and close it. If the client disconnects, close the generator at once.

    Log exceptions of the generator, and close the socket as an error of the server.
    """
    metrics: Metrics = socket.app.state.metrics
    # The client may disconnect at any time.
    with suppress(WebSocketDisconnect, RuntimeError), metrics.sockets.labels("study").track_inprogress():
        metrics.sockets_opened.labels("study").inc()
        await socket.accept()
        sending = asyncio.create_task(_send(socket, messages, metrics))
        watching = asyncio.create_task(_until_disconnected(socket))
        try:
            await asyncio.wait((sending, watching), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, watching):
                task.cancel()
            failure, _ = await asyncio.gather(sending, watching, return_exceptions=True)
        if isinstance(failure, Exception):
            _log.error("a stream failed", exc_info=failure, extra={"path": socket.url.path})
            await socket.close(status.WS_1011_INTERNAL_ERROR)
        else:
            await socket.close()


async def _send(socket: WebSocket, messages: AsyncGenerator[BaseModel, None], metrics: Metrics) -> None:
    async with aclosing(messages):
        async for message in messages:
            refusal: RefusalBody | None = getattr(message, "refusal", None)
            if refusal is not None:
                metrics.refusals.labels(refusal.code).inc()
            try:
                await socket.send_text(message.model_dump_json())
            except (WebSocketDisconnect, RuntimeError):  # the client has disconnected
                return


async def _until_disconnected(socket: WebSocket) -> None:
    with suppress(WebSocketDisconnect):
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass
