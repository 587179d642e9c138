"""The pages, their files, and the manifest and service worker of the installable app.

All pages of one kind have the same text and ask the API for their contents; only a finished game's page has a title of
its own. A browser revalidates a page before each use (`no-cache`); the files of a page are immutable (`release`). An
unknown address has a page for people; for the API and for files the answer is JSON.
"""

import asyncio
import gzip
import re
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Final

from fastapi import FastAPI
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from kingdomino.server.http import release
from kingdomino.server.http.hosts import PublicAddress
from kingdomino.server.http.root_path import root_of
from kingdomino.server.http.sharing import Result, tags
from kingdomino.server.http.words import language_of
from kingdomino.server.storage import TableRow
from kingdomino.server.tables.core import events
from kingdomino.server.tables.core.registry import Registry
from kingdomino.server.tables.core.snapshot import Summary
from kingdomino.server.tables.core.state import Seat, State
from kingdomino.server.tables.people.codes import Language
from kingdomino.server.tables.people.secrets import is_table_id

_PAGES: Final = release.KEPT_PAGES | {
    "/g/{game}": "table",
    "/t/{table}/replay": "table",
    "/review/{game}": "review",
    "/mistakes/{game}": "mistakes",
}
_SHARED: Final = re.compile("<!-- shared -->.*<!-- /shared -->", re.DOTALL)


def add(app: FastAPI) -> None:
    """Serve the pages and the files, compressed. The API is not compressed, because its answers contain secrets."""
    for path, name in _PAGES.items():
        app.router.routes.append(Route(path, _page(name)))
    app.router.routes.append(Route("/t/{table}", _table_page))
    app.router.routes.append(Route("/static/{path:path}", _file))
    app.router.routes.append(Route("/manifest.webmanifest", _manifest))
    app.router.routes.append(Route("/sw.js", _worker))
    app.router.routes.append(Route("/favicon.ico", _icon))
    refuse = app.router.default

    async def nothing_here(scope: Scope, receive: Receive, send: Send) -> None:
        is_page = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        if is_page and not scope["path"].startswith("/api/"):
            return await not_found(HTTPConnection(scope))(scope, receive, send)
        return await refuse(scope, receive, send)

    app.router.default = nothing_here


def _page(name: str) -> Callable[[Request], Awaitable[Response]]:
    async def send(request: Request) -> Response:
        if "table" in request.path_params and await _stored(request) is None:
            return not_found(request)
        return await _answer(request, release.page(name, root_of(request)), "text/html")

    return send


async def _table_page(request: Request) -> Response:
    """Send the page of a table. For a finished game it names the winners, for the preview of a shared link."""
    row = await _stored(request)
    if row is None:
        return not_found(request)
    root, language = root_of(request), language_of(request.headers.get("accept-language", ""))
    result = await _result(_registry(request), row, language) if row.state in ("between", "over") else None
    if result is None:  # all other tables have the same page
        return await _answer(request, release.page("table", root), "text/html")
    public: PublicAddress = request.app.state.public
    origin = public.origin(f"{request.url.scheme}://{request.url.netloc}")
    shared = tags(result, language, f"{origin}{root}")
    page = _SHARED.sub(lambda _: shared, release.page("table", root)).encode()
    headers = {"Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        # Few clients ask for the page of one table: compress it fast, and do not cache it.
        page, headers["Content-Encoding"] = gzip.compress(page, compresslevel=1), "gzip"
    return Response(page, headers=headers, media_type="text/html")


async def _result(registry: Registry, row: TableRow, language: Language) -> Result | None:
    """Describe the last finished game of a table, without loading it."""
    entries = await registry.store.entries(row.id, kinds=("finished",))
    if not entries:  # the table was deleted meanwhile
        return None
    finished = events.read(entries[-1].body)
    assert isinstance(finished, events.Finished)
    seats = tuple(Seat(seat.kind, seat.name) for seat in Summary.of_row(row).seats)
    return Result.of(State(row.id, seats=seats, game_number=finished.game, finished=finished), language)


def not_found(connection: HTTPConnection) -> Response:
    """Return the page for an unknown address."""
    return Response(release.page("not-found", root_of(connection)), 404, media_type="text/html")


async def _stored(request: Request) -> TableRow | None:
    """Find the table of an address, without loading it."""
    table: str = request.path_params["table"]
    return await _registry(request).store.table(table) if is_table_id(table) else None


def _registry(request: Request) -> Registry:
    registry: Registry = request.app.state.registry
    return registry


async def _file(request: Request) -> Response:
    return await asyncio.to_thread(release.file, request, request.path_params["path"])


async def _icon(request: Request) -> Response:
    return await asyncio.to_thread(release.file, request, "icons/tab.png")


async def _manifest(request: Request) -> Response:
    return await _answer(request, release.manifest(root_of(request)), "application/manifest+json")


async def _worker(request: Request) -> Response:
    return await _answer(request, _worker_of(root_of(request)), "text/javascript")


@cache
def _worker_of(root: str) -> str:
    return release.worker({path[1:]: release.page(name, root) for path, name in release.KEPT_PAGES.items()})


async def _answer(request: Request, text: str, media_type: str) -> Response:
    """Answer with a text, in a thread: compressing it for the first time may take a tenth of a second."""
    return await asyncio.to_thread(release.answer, request, text.encode(), media_type)
