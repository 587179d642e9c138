"""The pages, and the files that they are made of.

Every page of one kind is the same file, and asks the API for what it shows. A browser keeps the files and asks before
each use whether they have changed (`no-cache`), so a new release is never mixed with modules of an older one.
"""

import mimetypes
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles

from kingdomino.server.http.sharing import Result, tags
from kingdomino.server.http.words import language_of
from kingdomino.server.tables.refusals import Refusal
from kingdomino.server.tables.registry import Registry
from kingdomino.server.tables.secrets import is_table_id

_SERVER: Final = Path(__file__).parents[2]
STATIC: Final = _SERVER / "static"
ART: Final = _SERVER.parent / "art"
_PAGES: Final = {
    "/": "home.html",
    "/new": "new.html",
    "/learn": "learn.html",
    "/rules": "rules.html",
    "/you": "you.html",
    "/t/{table}/replay": "table.html",
    "/favicon.ico": "icon.svg",
}
_SHARED: Final = re.compile("<!-- shared -->.*<!-- /shared -->", re.DOTALL)
_static: Final = StaticFiles(directory=STATIC)
mimetypes.add_type("text/javascript", ".js")  # some systems say otherwise


def add(app: FastAPI) -> None:
    """Serve the pages and the files, compressed. The API is not: its answers hold secrets."""
    for path, name in _PAGES.items():
        app.router.routes.append(Route(path, _page(name), middleware=[Middleware(GZipMiddleware)]))
    app.router.routes.append(Route("/t/{table}", _table_page, middleware=[Middleware(GZipMiddleware)]))
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


async def _table_page(request: Request) -> Response:
    """Send the page of a table. That of a finished game says who has won, so that a shared link shows it."""
    table: str = request.path_params["table"]
    registry: Registry = request.app.state.registry
    row = await registry.store.table(table) if is_table_id(table) else None
    is_finished = row is not None and row.state in ("between", "over")
    state = (await registry.table(table)).state if is_finished else None
    if state is None or state.finished is None:  # the page says nothing about any other table
        return await _unfinished(request)
    language = language_of(request.headers.get("accept-language", ""))
    origin = f"{request.url.scheme}://{request.url.netloc}"
    shared = tags(Result.of(state, language), language, origin)
    page = (STATIC / "table.html").read_text(encoding="utf-8")
    return HTMLResponse(_SHARED.sub(lambda _: shared, page))


_unfinished: Final = _page("table.html")
