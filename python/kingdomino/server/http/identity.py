"""The identity of a client: a random id in a signed cookie, which a script on the page cannot read.

There are no accounts. A client without a valid cookie is new. A route may change who the client is: it assigns
``request.scope["user"]``, and the answer sets the cookie.

>>> identity = Identity(b"a key of 32 bytes that is secret")
>>> cookie = identity.issue("ida", secure=False)
>>> identity.read([(b"cookie", cookie.split(";")[0].encode())])
'ida'
"""

import hashlib
import secrets
from collections.abc import Iterable
from typing import Final

from itsdangerous import BadSignature, Signer
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Identity", "IdentityMiddleware", "new_user"]

_COOKIE: Final = "kingdomino"
_YEAR: Final = 365 * 24 * 60 * 60
_WITHOUT_IDENTITY: Final = (
    "/static/",
    "/manifest.webmanifest",
    "/sw.js",
    "/health",
    "/docs",
    "/openapi.json",
    "/favicon.ico",
)


def new_user() -> str:
    """Generate a user id: 128 random bits."""
    return secrets.token_urlsafe(16)


class Identity:
    """Writes and reads the cookie. ``key`` is the store's; a cookie signed with another one is not valid."""

    def __init__(self, key: bytes) -> None:
        self._signer = Signer(
            key, salt=b"kingdomino identity", key_derivation="hmac", digest_method=hashlib.sha256
        )

    def read(self, headers: Iterable[tuple[bytes, bytes]]) -> str | None:
        """Give the user id in a request's headers (as ASGI has them); `None` without a valid cookie."""
        for header, value in headers:
            if header.lower() != b"cookie":
                continue
            for cookie in value.split(b";"):
                name, _, signed = cookie.strip().partition(b"=")
                if name == _COOKIE.encode():
                    try:
                        return self._signer.unsign(signed).decode()
                    except (BadSignature, UnicodeDecodeError):
                        continue  # a stale one of another path or server may come first
        return None

    def issue(self, user: str, *, secure: bool) -> str:
        """Write the ``Set-Cookie`` header that makes a browser this user for a year."""
        signed = self._signer.sign(user).decode()
        return _cookie(signed, _YEAR, secure)

    @staticmethod
    def remove(*, secure: bool) -> str:
        """Write the ``Set-Cookie`` header that makes a browser forget who it is."""
        return _cookie("", 0, secure)


def _cookie(value: str, seconds: int, secure: bool) -> str:
    cookie = f"{_COOKIE}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax"
    return f"{cookie}; Secure" if secure else cookie


class IdentityMiddleware:
    """ASGI middleware: ``scope["user"]`` is the client's id.

    A new client gets an id, and its cookie with the answer. A page renews the cookie, which expires a year after the
    last visit. A route that assigns another id changes the cookie; `None` removes it. A socket cannot set a cookie:
    there the user may be `None`. Files need no user.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        identity: Identity = scope["app"].state.identity
        known = identity.read(scope["headers"])
        if scope["type"] == "websocket" or scope["path"].startswith(_WITHOUT_IDENTITY):
            scope["user"] = known
            return await self._app(scope, receive, send)
        scope["user"] = known or new_user()
        is_page = not scope["path"].startswith("/api/")

        async def send_with_cookie(message: Message) -> None:
            user: str | None = scope["user"]
            if message["type"] == "http.response.start" and (is_page or user != known):
                secure = scope["scheme"] == "https"
                headers = MutableHeaders(scope=message)
                cookie = identity.issue(user, secure=secure) if user else identity.remove(secure=secure)
                headers.append("Set-Cookie", cookie)
                headers["Cache-Control"] = "private, no-cache"
            await send(message)

        await self._app(scope, receive, send_with_cookie)
        return None
