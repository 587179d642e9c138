"""The OpenAPI document and the page that shows it. Both are built and compressed once, in a thread."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kingdomino.server.http import release

_REFERENCE: Final = Path(__file__).parents[2] / "reference"
_TYPES: Final = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}


def add(app: FastAPI) -> None:
    """Serve ``/openapi.json`` and ``/docs/``."""
    app.router.routes.append(Route("/openapi.json", _document))
    app.router.routes.append(Route("/docs/{path:path}", _file))


async def _document(request: Request) -> Response:
    app: FastAPI = request.app
    if not hasattr(app.state, "document"):
        app.state.document = asyncio.create_task(asyncio.to_thread(_written, app))
    body = await asyncio.shield(app.state.document)
    return await asyncio.to_thread(release.answer, request, body, "application/json")


def _written(app: FastAPI) -> bytes:
    return json.dumps(app.openapi(), ensure_ascii=False, separators=(",", ":")).encode()


async def _file(request: Request) -> Response:
    name = request.path_params["path"] or "index.html"
    if name not in _files():
        raise HTTPException(404)
    media_type = _TYPES.get(Path(name).suffix, "text/plain")
    return await asyncio.to_thread(release.answer, request, _files()[name], media_type)


@cache
def _files() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in _REFERENCE.iterdir()}
