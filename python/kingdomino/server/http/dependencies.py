"""What every route depends on: the registry, who is asking, and how answers and refusals are written."""

from __future__ import annotations

import logging
from typing import Annotated

from fastapi import Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic_core import to_json
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection

from kingdomino.server.storage import StorageError
from kingdomino.server.tables.refusals import Refusal
from kingdomino.server.tables.registry import Registry

_log = logging.getLogger(__name__)
_LONGEST_FIELD = 100
"""Letters of a field's name that are sent back."""


class Answer(Response):
    """A model, or several, as JSON."""

    media_type = "application/json"

    def render(self, content: object) -> bytes:
        """Write the body."""
        return to_json(content)


# FastAPI would send plain functions to a worker thread and wait for it.
async def _registry(connection: HTTPConnection) -> Registry:
    registry: Registry = connection.app.state.registry
    return registry


async def _user(connection: HTTPConnection) -> str:
    user: str = connection.scope["user"]
    return user


InRegistry = Annotated[Registry, Depends(_registry)]
User = Annotated[str, Depends(_user)]
"""The identity of the client; `identity.Identified` has made sure that there is one."""


def answer_refusals(app: FastAPI) -> None:
    """Let every refusal be answered in JSON: ours, the framework's, and those of the store."""

    async def refused(_: Request, error: Exception) -> Response:
        refusal = error if isinstance(error, Refusal) else _translated(error)
        headers = error.headers if isinstance(error, HTTPException) else None
        return Answer(refusal.json(), refusal.status, headers)

    for kind in (Refusal, RequestValidationError, HTTPException, StorageError):
        app.add_exception_handler(kind, refused)


def _translated(error: Exception) -> Refusal:
    if isinstance(error, RequestValidationError):
        first = error.errors()[0]
        if first["type"] == "json_invalid":
            return Refusal("bad_request", "the body is not JSON")
        field = (".".join(str(part) for part in first["loc"][1:]) or str(first["loc"][0]))[:_LONGEST_FIELD]
        what = str(first["ctx"]["error"]) if first["type"] == "value_error" else first["msg"]
        return Refusal("bad_field", f"{field}: {what}", field=field)
    if isinstance(error, StorageError):
        _log.error("the store failed", exc_info=error)
        return Refusal("storage", "this could not be stored or read, so nothing was done")
    if isinstance(error, HTTPException) and error.status_code == 405:
        return Refusal("no_method", "this cannot be done here")
    if isinstance(error, HTTPException) and error.status_code != 404:
        return Refusal("bad_request", str(error.detail))
    return Refusal("no_route", "there is nothing here")
