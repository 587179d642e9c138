"""The documentation site, if it was built (``make docs``), and the OpenAPI document.

Without a site there is still the guide to writing a bot, which the home page links. The OpenAPI document is built and
compressed once, in a thread.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from markdown_it import MarkdownIt
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from kingdomino.server.http import middleware, release
from kingdomino.server.http.root_path import root_of
from kingdomino.server.http.routes.pages import not_found

_SERVER: Final = Path(__file__).parents[2]
SITE: Final = _SERVER / "site"
GUIDE: Final = "guides/engines/"
"""How to write a bot. The text is beside the server in a wheel, and in docs/ in a clone."""
_GUIDES: Final = (_SERVER / "engines.md", _SERVER.parents[2] / "docs/guides/engines.md")
_LINK: Final = re.compile(r"\[([^\]]*)\]\((?!https?:)[^)]*\)")
_REFERENCE: Final = _SERVER / "reference"
_TYPES: Final = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
_SCRIPT: Final = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


def add(app: FastAPI) -> None:
    """Serve ``/openapi.json``, the page that shows it at ``/docs/http/``, and the site at ``/docs/``.

    Without a site, ``/docs/`` leads to that page.
    """
    app.router.routes.append(Route("/openapi.json", _document))
    app.router.routes.append(Route("/docs/http/{path:path}", _reference))
    app.router.routes.append(Route("/docs/{path:path}", _page))


async def _document(request: Request) -> Response:
    app: FastAPI = request.app
    if not hasattr(app.state, "document"):
        app.state.document = asyncio.create_task(asyncio.to_thread(_written, app))
    body = await asyncio.shield(app.state.document)
    return await asyncio.to_thread(release.answer, request, body, "application/json")


def _written(app: FastAPI) -> bytes:
    return json.dumps(app.openapi(), ensure_ascii=False, separators=(",", ":")).encode()


async def _reference(request: Request) -> Response:
    name = request.path_params["path"] or "index.html"
    if name not in _files():
        raise HTTPException(404)
    return await asyncio.to_thread(
        release.answer, request, _files()[name], _TYPES.get(Path(name).suffix, "text/plain")
    )


@cache
def _files() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in _REFERENCE.iterdir()}


async def _page(request: Request) -> Response:
    path: str = request.path_params["path"]
    if path == "http" or not (path or SITE.exists()):
        return RedirectResponse("http/")
    if path == GUIDE and not SITE.exists():
        return await asyncio.to_thread(_guide, request)
    return await asyncio.to_thread(_site_file, request, path)


def _guide(request: Request) -> Response:
    """Render the guide alone; links to other pages of the site become plain text."""
    text = next((file.read_text(encoding="utf-8") for file in _GUIDES if file.exists()), None)
    if text is None:
        return not_found(request)
    body = MarkdownIt("js-default").render(_LINK.sub(r"\1", text))
    page = release.page("guide", root_of(request)).replace("<!-- guide -->", body)
    return release.answer(request, page.encode(), "text/html")


def _site_file(request: Request, path: str) -> Response:
    try:
        file = (SITE / path).resolve()
        if not file.is_relative_to(SITE):
            return not_found(request)
        if file.is_dir():
            if path and not path.endswith("/"):
                return RedirectResponse(f"{file.name}/")
            file /= "index.html"
        body = file.read_bytes()
    except (OSError, ValueError):  # there is no such file, or the name is invalid
        return not_found(request)
    answer = release.answer(request, body, release.type_of(file.name))
    if file.suffix == ".html":
        # A page has a few inline scripts: only these may run. Its search adds a style sheet.
        hashes = (base64.b64encode(sha256(script).digest()).decode() for script in _SCRIPT.findall(body))
        scripts = " ".join(f"'sha256-{each}'" for each in hashes)
        policy = middleware.POLICY.replace("'wasm-unsafe-eval'", scripts)
        policy = policy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
        answer.headers["Content-Security-Policy"] = policy
    return answer
