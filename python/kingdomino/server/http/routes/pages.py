"""The pages, and the files that they are made of.

Every page of one kind is the same file, and asks the API for what it shows. A browser keeps the files and asks before
each use whether they have changed (`no-cache`), so a new release is never mixed with modules of an older one.
"""

import mimetypes
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles

from kingdomino.server.tables.refusals import Refusal
from kingdomino.server.tables.secrets import is_table_id

_SERVER: Final = Path(__file__).parents[2]
STATIC: Final = _SERVER / "static"
ART: Final = _SERVER.parent / "art"
_PAGES: Final = {
    "/": "home.html",
    "/new": "new.html",
    "/learn": "learn.html",
    "/rules": "rules.html",
    "/t/{table}": "table.html",
    "/t/{table}/replay": "table.html",
    "/favicon.ico": "icon.svg",
}
_static: Final = StaticFiles(directory=STATIC)
mimetypes.add_type("text/javascript", ".js")  # some systems say otherwise


def add(app: FastAPI) -> None:
    """Serve the pages and the files, compressed. The API is not: its answers hold secrets."""
    for path, name in _PAGES.items():
        app.router.routes.append(Route(path, _page(name), middleware=[Middleware(GZipMiddleware)]))
    app.mount("/static", GZipMiddleware(_static))
    app.mount("/art", GZipMiddleware(StaticFiles(directory=ART)))
    app.mount("/docs", GZipMiddleware(StaticFiles(directory=_SERVER / "reference", html=True)))


def _page(name: str) -> Callable[[Request], Awaitable[Response]]:
    async def send(request: Request) -> Response:
        table = request.path_params.get("table")
        if table is not None and not is_table_id(table):
            raise Refusal("no_table", "there is no such table")
        return await _static.get_response(name, request.scope)

    return send
