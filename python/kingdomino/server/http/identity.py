"""The identity of a client: a random id in a signed cookie that scripts cannot read.

There are no accounts. A client without a valid cookie is new. To change who the client is, a route assigns
``request.scope["user"]``; the answer sets the cookie.

A cookie contains the time when it was issued, so that the server can revoke all older cookies of a person. Renewing it
keeps that time: otherwise a process that does not know of the revocation yet would undo it. Over HTTPS its name begins
with ``__Host-``, so that no other site can set it, not even one of the same domain. Servers at several root paths of a
site use different names.

>>> identity = Identity(b"a key of 32 bytes that is secret")
>>> cookie = identity.issue("ida", secure=False)
>>> identity.read([(b"cookie", cookie.split(";")[0].encode())]).user
'ida'
"""

import asyncio
import hashlib
import re
import secrets
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Final, NamedTuple

from itsdangerous import BadSignature, Signer
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kingdomino.server.log import QUIET
from kingdomino.server.settings import Cookies
from kingdomino.server.storage import StorageError
from kingdomino.server.storage.sessions import Sessions, digest_of

__all__ = ["LEARNED", "Identity", "IdentityMiddleware", "known_session", "known_user", "new_user"]

_NAME: Final = "kingdomino"
_SECURE: Final = "__Host-"
_MOST_READ: Final = 3  # cookies of our name in a request: another server's may come first
_YEAR: Final = 365 * 24 * 60 * 60
_DAY: Final = 24 * 60 * 60 * 1000  # milliseconds
_SPREADING: Final = 60_000  # milliseconds until every process has read a new key
_FRESH: Final = 10.0  # seconds between reads of what other processes have changed
LEARNED: Final = 2 * _FRESH
"""Seconds after which every process knows which cookies have been revoked."""
_LATE: Final = 3_600_000  # milliseconds; the clocks of the processes differ by less
_WITHOUT_IDENTITY: Final = (*QUIET, "/openapi.json")


class Session(NamedTuple):
    """The contents of a valid cookie: who the client is, and when it was issued, in milliseconds since 1970."""

    user: str
    issued: int


def known_user(scope: Scope) -> str | None:
    """Return the user that the cookie of a request names."""
    session = known_session(scope)
    return session and session.user


def known_session(scope: Scope) -> Session | None:
    """Return the session in a request's cookie, which is parsed once."""
    if "cookie" not in scope:
        identity: Identity | None = getattr(scope["app"].state, "identity", None)  # none before the start
        scope["cookie"] = identity and identity.read(scope["headers"], secure=_is_secure(scope))
    session: Session | None = scope["cookie"]
    return session


def _is_secure(scope: Scope) -> bool:
    return scope.get("scheme") in ("https", "wss")


def new_user() -> str:
    """Generate a user id: 128 random bits."""
    return secrets.token_urlsafe(16)


class Identity:
    """Writes and reads the cookie.

    ``keys`` are the store's, newest first: the first signs, any of them verifies. ``now`` returns milliseconds since
    1970.
    """

    def __init__(
        self,
        *keys: bytes,
        now: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        root_path: str = "",
        plain_until: int = 0,
    ) -> None:
        """``plain_until``: until then, a cookie that was set over HTTP is valid over HTTPS."""
        self._plain_until = plain_until
        self._name = _NAME + root_path.replace("/", "-")
        self._pattern = re.compile(rf"(?:^|;)[ \t]*({_SECURE})?{re.escape(self._name)}=([^; \t]*)".encode())
        self._now, self._since = now, 0
        self._revoked: dict[str, int] = {}
        self._refreshed = 0  # time of the last refresh
        self._use(keys)

    @classmethod
    async def open(
        cls, sessions: Sessions, settings: Cookies, now: Callable[[], int], root_path: str = ""
    ) -> "Identity":
        """Load the stored keys, and add a new one if the newest is too old."""
        identity = cls(now=now, root_path=root_path, plain_until=settings.plain_until_ms)
        identity._since = min(settings.since_ms, now())
        newest = max((made for made, _ in await sessions.keys()), default=0)
        if newest < max(now() - settings.key_days * _DAY, identity._since):
            await sessions.add_key(now())
        await identity.refresh(sessions)
        return identity

    async def keep_fresh(self, sessions: Sessions, signed_out: Callable[[Collection[str]], None]) -> None:
        """Read what other processes have changed, periodically until cancelled.

        Call ``signed_out`` with the digests of users whose devices were signed out there.
        """
        while True:
            await asyncio.sleep(_FRESH)
            with suppress(StorageError):  # the next try may succeed
                if new := await self.refresh(sessions):
                    signed_out(new)

    async def refresh(self, sessions: Sessions) -> Collection[str]:
        """Read the keys and the revoked cookies. Return the digests of users with newly revoked cookies."""
        now = self._now()
        revoked, stored = await sessions.revoked(self._refreshed - _LATE), await sessions.keys()
        self._refreshed = now
        new = {digest: before for digest, before in revoked.items() if before > self._revoked.get(digest, 0)}
        self._revoked |= new
        keys = [(made, key) for made, key in stored if made >= self._since]
        # A new key signs only when the other processes can verify it.
        keys.sort(key=lambda one: (one[0] <= self._now() - _SPREADING, one[0]), reverse=True)
        self._use([key for _, key in keys])
        return new.keys()

    def revoke(self, user: str, before: int) -> None:
        """Reject a user's cookies that were issued before a time."""
        digest = digest_of(user)
        self._revoked[digest] = max(before, self._revoked.get(digest, 0))

    def read(self, headers: Iterable[tuple[bytes, bytes]], *, secure: bool = False) -> Session | None:
        """Read the cookie from ASGI headers; `None` without a valid one.

        Over HTTPS the plain cookie does not count, because a neighbouring site, or anyone on the network path, could
        have set it. Until ``plain_until`` it counts if the secure one is missing, for a server that was moved to HTTPS.
        """
        headers = list(headers)
        found = [*islice(self._cookies(headers, secure=secure), _MOST_READ)]
        if secure and not found and self._now() < self._plain_until:
            found = [*islice(self._cookies(headers, secure=False), _MOST_READ)]
        return next(filter(None, map(self._read, found)), None)

    def issue(self, user: str, *, secure: bool) -> str:
        """Write the ``Set-Cookie`` header that makes a browser this user for a year.

        It counts as issued after the user's last sign-out, even if the clock was ahead then.
        """
        return self._write(Session(user, max(self._now(), self._first_valid(user))), secure)

    def renew(self, session: Session, *, secure: bool) -> str | None:
        """Write the ``Set-Cookie`` header that extends a session by a year from now. `None` if it is revoked."""
        return self._write(session, secure) if self._is_valid(session) else None

    def remove(self, *, secure: bool) -> str:
        """Write the ``Set-Cookie`` header that deletes the cookie."""
        return self._cookie("", 0, secure)

    def came_before_https(self, headers: Iterable[tuple[bytes, bytes]]) -> bool:
        """Whether a request has the cookie that is used over HTTP."""
        return next(self._cookies(headers, secure=False), None) is not None

    def _use(self, keys: Iterable[bytes]) -> None:
        self._signer = Signer(
            list(keys)[::-1], salt=b"kingdomino identity", key_derivation="hmac", digest_method=hashlib.sha256
        )

    def _read(self, signed: bytes) -> Session | None:
        try:
            user, _, issued = self._signer.unsign(signed).decode().partition(".")
            session = Session(user, int(issued))
        except (BadSignature, ValueError):
            return None
        return session if self._is_valid(session) else None

    def _is_valid(self, session: Session) -> bool:
        return session.issued >= self._first_valid(session.user)

    def _first_valid(self, user: str) -> int:
        """Return when the oldest valid cookie of a user was issued."""
        return max(self._since, self._revoked.get(digest_of(user), 0))

    def _write(self, session: Session, secure: bool) -> str:
        signed = self._signer.sign(f"{session.user}.{session.issued}").decode()
        return self._cookie(signed, _YEAR, secure)

    def _cookies(self, headers: Iterable[tuple[bytes, bytes]], *, secure: bool) -> Iterator[bytes]:
        for header, value in headers:
            if header.lower() == b"cookie":
                found = self._pattern.finditer(value)
                yield from (each[2] for each in found if (each[1] is not None) == secure)

    def _cookie(self, value: str, seconds: int, secure: bool) -> str:
        name = _SECURE + self._name if secure else self._name
        cookie = f"{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax"
        return f"{cookie}; Secure" if secure else cookie


class IdentityMiddleware:
    """ASGI middleware: sets ``scope["user"]`` to the client's id.

    A new client gets an id, and its cookie with the answer. Every page renews the cookie, which expires a year after
    the last visit. A route changes the cookie by assigning another id, removes it with `None`, and renews it with
    ``scope["renew"]``. A socket cannot set a cookie, so its user may be `None`. Files need no user.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        identity: Identity = scope["app"].state.identity
        session, known = known_session(scope), known_user(scope)
        if scope["type"] == "websocket" or scope["path"].startswith(_WITHOUT_IDENTITY):
            scope["user"] = known
            return await self._app(scope, receive, send)
        scope["user"] = known or new_user()
        is_page = not scope["path"].startswith("/api/")

        async def send_with_cookie(message: Message) -> None:
            user: str | None = scope["user"]
            if message["type"] == "http.response.start" and (is_page or user != known or "renew" in scope):
                secure = _is_secure(scope)
                headers = MutableHeaders(scope=message)
                if user is None:
                    cookie: str | None = identity.remove(secure=secure)
                elif session is not None and user == known and "renew" not in scope:
                    cookie = identity.renew(session, secure=secure)
                else:
                    cookie = identity.issue(user, secure=secure)
                if cookie is not None:
                    headers.append("Set-Cookie", cookie)
                if secure and identity.came_before_https(scope["headers"]):
                    headers.append("Set-Cookie", identity.remove(secure=False))
                headers["Cache-Control"] = "private, no-cache"
            await send(message)

        await self._app(scope, receive, send_with_cookie)
        return None
