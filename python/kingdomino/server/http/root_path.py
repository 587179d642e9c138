"""Serving below a path of a site, such as ``https://example.org/kingdomino/``.

The application sees paths without this root. Code that writes addresses for people prepends `root_of`.
"""

from __future__ import annotations

from typing import Final

from starlette.datastructures import URL, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kingdomino.server.http.refusing import refuse
from kingdomino.server.tables.core.refusals import Refusal

__all__ = ["RootPath", "root_of"]

_SAFE: Final = ("GET", "HEAD")


def root_of(connection: HTTPConnection) -> str:
    """Return the root path: empty, or with a slash at its start and none at its end."""
    root: str = connection.app.state.root_path
    return root


class RootPath:
    """ASGI middleware: removes the root path from requests and adds it to redirections.

    The proxy passes paths on unchanged. Any path outside the root gets status 404.
    """

    def __init__(self, app: ASGIApp, root_path: str) -> None:
        self._app = app
        self._root = root_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        path: str = scope["path"]
        if path in ("/", self._root) and scope.get("method") in _SAFE:
            return await RedirectResponse(f"{self._root}/")(scope, receive, send)
        if not path.startswith(f"{self._root}/"):
            refusal = Refusal("no_route", f"the addresses of this server begin with {self._root}/")
            return await refuse(scope, send, refusal)
        inside = dict(scope)
        inside["path"] = path[len(self._root) :]
        if "raw_path" in scope:
            inside["raw_path"] = scope["raw_path"].removeprefix(self._root.encode())
        own = str(URL(scope=inside).replace(path="/", query=""))

        async def send_with_root(message: Message) -> None:
            if message["type"] == "http.response.start" and 300 <= message["status"] < 400:
                headers = MutableHeaders(scope=message)
                place = headers.get("location", "")
                if place.startswith((own, "/")):
                    headers["location"] = f"{self._root}/{place.removeprefix(own).removeprefix('/')}"
            await send(message)

        return await self._app(inside, receive, send_with_root)
