"""The pages, the files that they are made of, and what makes the site an app that can be installed.

Every page of one kind is the same text, and asks the API for what it shows. A browser asks before each use of a page
whether it has changed (`no-cache`); the files of a page have addresses that never change (`release`).
"""

import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles

from kingdomino.server.http import release
from kingdomino.server.http.sharing import Result, tags
from kingdomino.server.http.words import language_of
from kingdomino.server.tables.refusals import Refusal
from kingdomino.server.tables.registry import Registry
from kingdomino.server.tables.secrets import is_table_id

_REFERENCE: Final = Path(__file__).parents[2] / "reference"
_PAGES: Final = {
    "/": "home.html",
    "/new": "new.html",
    "/learn": "learn.html",
    "/rules": "rules.html",
    "/you": "you.html",
    "/t/{table}/replay": "table.html",
    "/offline": "offline.html",
}
_SHARED: Final = re.compile("<!-- shared -->.*<!-- /shared -->", re.DOTALL)


def add(app: FastAPI) -> None:
    """Serve the pages and the files, compressed. The API is not: its answers hold secrets."""
    for path, name in _PAGES.items():
        app.router.routes.append(Route(path, _page(name)))
    app.router.routes.append(Route("/t/{table}", _table_page))
    app.router.routes.append(Route("/static/{path:path}", _file))
    app.router.routes.append(Route("/manifest.webmanifest", _manifest))
    app.router.routes.append(Route("/sw.js", _worker))
    app.router.routes.append(Route("/favicon.ico", _icon))
    app.mount("/docs", GZipMiddleware(StaticFiles(directory=_REFERENCE, html=True)))


def _page(name: str) -> Callable[[Request], Awaitable[Response]]:
    async def send(request: Request) -> Response:
        table = request.path_params.get("table")
        if table is not None and not is_table_id(table):
            raise Refusal("no_table", "there is no such table")
        return release.answer(request, release.page(name).encode(), "text/html")

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
    page = _SHARED.sub(lambda _: shared, release.page("table.html"))
    return release.answer(request, page.encode(), "text/html")


_unfinished: Final = _page("table.html")


async def _file(request: Request) -> Response:
    return release.file(request, request.path_params["path"])


async def _icon(request: Request) -> Response:
    return release.file(request, "icon.svg")


async def _manifest(request: Request) -> Response:
    return release.answer(request, release.manifest().encode(), "application/manifest+json")


async def _worker(request: Request) -> Response:
    return release.answer(request, release.worker().encode(), "text/javascript")
