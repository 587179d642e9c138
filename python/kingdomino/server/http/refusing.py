"""Refusals by middleware."""

import json

from starlette.types import Scope, Send

from kingdomino.server.tables.core.refusals import Refusal

__all__ = ["refuse"]


async def refuse(scope: Scope, send: Send, refusal: Refusal) -> None:
    """Answer a request or a socket with a refusal, and close the connection: the rest of the request stays unread."""
    scope["app"].state.metrics.refusals.labels(refusal.code).inc()
    kind = "http.response"
    if scope["type"] == "websocket":
        if "websocket.http.response" not in scope.get("extensions", {}):
            return await send({"type": "websocket.close", "code": 1008, "reason": refusal.code})
        kind = "websocket.http.response"
    body = json.dumps(refusal.json()).encode()
    fields = [
        ("content-type", "application/json"),
        ("content-length", str(len(body))),
        ("connection", "close"),
        *refusal.headers.items(),
    ]
    raw = [(name.lower().encode(), value.encode()) for name, value in fields]
    await send({"type": f"{kind}.start", "status": refusal.status, "headers": raw})
    await send({"type": f"{kind}.body", "body": body})
    return None
