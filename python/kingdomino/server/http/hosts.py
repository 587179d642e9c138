"""The host names under which the server answers.

Another site can point its own name at this machine (DNS rebinding). The browser then treats the server as part of that
site, so checking origins does not help. An attacker cannot do this with names that no public name server knows:
addresses, names without a dot, and names ending in ``.localhost`` or ``.local``. All other names must be in the
settings.
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
    """The public names of the server (``hosts``). Links contain the first.

    ``is_secure``: clients reach it over HTTPS (the setting ``hsts``).
    """

    hosts: tuple[str, ...]
    is_secure: bool

    def origin(self, asked: str) -> str:
        """Return the origin for a link that people pass on. ``asked`` is the origin that the client used.

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
    """ASGI middleware: refuses requests for any other host.

    ``hosts`` are the server's names, in addition to names that exist only in a local network.
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
