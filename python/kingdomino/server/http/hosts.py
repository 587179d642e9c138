"""The names that a client may use for the server.

A page of another site can let its own name lead to this machine (DNS rebinding); the browser then takes the server for
a part of that site, so the check of origins does not help. Such a page cannot use names that no public name server has:
addresses, names without a dot, and those that end in ``.localhost`` or ``.local``. All others must be in the settings.
"""

import re
import socket
from collections.abc import Iterable
from ipaddress import ip_address
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from kingdomino.server.http.refusing import refuse
from kingdomino.server.tables.core.refusals import Refusal

__all__ = ["HostCheck", "PublicAddress"]

_HOST: Final = re.compile(rb"(?:\[([0-9A-Fa-f:.]{2,45})\]|([A-Za-z0-9._-]{1,253}))(?::[0-9]{1,5})?")
_LOCAL: Final = (".localhost", ".local")


class PublicAddress(NamedTuple):
    """The names of the server elsewhere: its ``hosts``. Links have the first one.

    ``is_secure``: it is reached over HTTPS (the setting ``hsts``).
    """

    hosts: tuple[str, ...]
    is_secure: bool

    def origin(self, asked: str) -> str:
        """Return the origin for a link to pass on. ``asked`` is the one by which the client has come.

        >>> public = PublicAddress(("play.example.org",), is_secure=True)
        >>> public.origin("http://10.0.0.5:8001"), public.origin("https://play.example.org:8443")
        ('https://play.example.org', 'https://play.example.org:8443')
        """
        parts = urlsplit(asked)
        if not self.hosts or parts.hostname in {host.lower().rstrip(".") for host in self.hosts}:
            return asked
        if self.is_secure:
            return f"https://{self.hosts[0]}"
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{self.hosts[0]}{port}"


class HostCheck:
    """Lets only requests through that name the server as it is called.

    ``hosts`` are its names beside those that only a local network has.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self._app = app
        self._hosts = {host.lower().rstrip(".") for host in (*hosts, socket.gethostname())}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        values = [value for name, value in scope["headers"] if name == b"host"]
        found = _HOST.fullmatch(values[0]) if len(values) == 1 else None
        if found is None:
            return await refuse(scope, send, Refusal("bad_request", "the request needs one Host"))
        name = (found[1] or found[2]).decode().lower().rstrip(".")
        if not self._is_ours(name, (scope.get("server") or [""])[0]):
            reason = f"this server is not called {name}; its setting 'hosts' can name it"
            return await refuse(scope, send, Refusal("other_host", reason))
        return await self._app(scope, receive, send)

    def _is_ours(self, name: str, address: str) -> bool:
        if name in self._hosts or name == address:
            return True
        try:
            return not ip_address(name).is_global
        except ValueError:
            return "." not in name or name.endswith(_LOCAL)
