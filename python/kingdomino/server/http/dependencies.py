"""Dependencies of the routes: the registry, the client's identity, and how to write answers and refusals."""

from __future__ import annotations

import logging
from typing import Annotated

from fastapi import Depends, FastAPI, Request, Response, WebSocket
from fastapi.dependencies.models import Dependant
from fastapi.exceptions import RequestValidationError, WebSocketRequestValidationError
from fastapi.routing import iter_route_contexts
from pydantic_core import ErrorDetails, to_json
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.routing import Match

from kingdomino.server.http.refusing import refuse
from kingdomino.server.storage import StorageError
from kingdomino.server.tables.core.refusals import Refusal
from kingdomino.server.tables.core.registry import Registry
from kingdomino.validation import UNKNOWN_KEY, fault

_log = logging.getLogger(__name__)
_LONGEST_FIELD = 100
"""Characters of a field's name in an answer; we cut off the rest."""


class Answer(Response):
    """One or several models as JSON."""

    media_type = "application/json"

    def render(self, content: object) -> bytes:
        """Write the body."""
        return to_json(content)


# Asynchronous, because FastAPI runs plain functions in a worker thread.
async def _registry(connection: HTTPConnection) -> Registry:
    registry: Registry = connection.app.state.registry
    return registry


async def _user(connection: HTTPConnection) -> str:
    user: str = connection.scope["user"]
    return user


InRegistry = Annotated[Registry, Depends(_registry)]
User = Annotated[str, Depends(_user)]
"""The identity of the client. `identity.IdentityMiddleware` ensures that it has one."""


def needs_registry(dependant: Dependant) -> bool:
    """Whether a route depends on the registry: then a storage error can end it."""
    return any(one.call is _registry or needs_registry(one) for one in dependant.dependencies)


def answer_refusals(app: FastAPI) -> None:
    """Answer refusals in JSON: our own, the framework's, and the store's errors."""

    async def refused(request: Request, error: Exception) -> Response:
        refusal = error if isinstance(error, Refusal) else _translated(error)
        request.app.state.metrics.refusals.labels(refusal.code).inc()
        headers = refusal.headers
        if isinstance(error, HTTPException) and error.headers and "Allow" in error.headers:
            headers |= {"Allow": _allow(request, error.headers["Allow"])}
        return Answer(refusal.json(), refusal.status, headers)

    async def refused_socket(socket: WebSocket, error: Exception) -> None:
        assert isinstance(error, WebSocketRequestValidationError)
        await refuse(socket.scope, socket.send, _bad_field(error.errors()[0]))

    for kind in (Refusal, RequestValidationError, HTTPException, StorageError):
        app.add_exception_handler(kind, refused)
    app.exception_handler(WebSocketRequestValidationError)(refused_socket)


def _allow(request: Request, methods_of_first: str) -> str:
    """List the methods of a path. Starlette lists only the methods of the first route with that path."""
    methods = set(methods_of_first.split(", "))
    for route in iter_route_contexts(request.app.routes):
        if route.methods and route.matches(request.scope)[0] is Match.PARTIAL:
            methods |= route.methods
    return ", ".join(sorted(methods))


def _translated(error: Exception) -> Refusal:
    if isinstance(error, RequestValidationError):
        return _bad_field(error.errors()[0])
    if isinstance(error, StorageError):
        _log.error("the store failed", exc_info=error)
        return Refusal("storage", "the database failed, so nothing was done")
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        return Refusal("no_method", "this path does not have this method")
    if error.status_code == 400:
        return Refusal("bad_request", "the body cannot be read")
    return Refusal("no_route", "there is nothing at this address")


def _bad_field(error: ErrorDetails) -> Refusal:
    """Say what is wrong with a field."""
    kind = error["type"]
    if kind == "json_invalid":
        return Refusal("bad_request", "the body is not JSON")
    place, *fields = error["loc"]
    field = (".".join(map(str, fields)) or str(place))[:_LONGEST_FIELD]
    what = "is not a field of this request" if kind in UNKNOWN_KEY else fault(error)
    return Refusal("bad_field", f"{field}: {what}", field=field)
