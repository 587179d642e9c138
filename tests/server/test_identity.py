"""Identities: ids in signed cookies."""

import asyncio
from http.cookies import SimpleCookie
from types import SimpleNamespace
from typing import Any

import pytest
from itsdangerous import BadSignature, Signer
from starlette.types import Message, Receive, Scope, Send

from kingdomino.server.http.identity import Identity, IdentityMiddleware, new_user

KEY = bytes(range(32))


def read(identity: Identity, headers: list[tuple[bytes, bytes]], *, secure: bool = False) -> str | None:
    """Read the user of a request's cookie."""
    session = identity.read(headers, secure=secure)
    return session and session.user


def sent_back(cookie: str) -> list[tuple[bytes, bytes]]:
    """Return the headers of a browser that has this cookie."""
    return [(b"host", b"here"), (b"Cookie", b"theme=dark; " + cookie.split(";")[0].encode())]


def test_the_cookie_that_was_issued_is_read_back() -> None:
    user = new_user()
    assert read(Identity(KEY), sent_back(Identity(KEY).issue(user, secure=False))) == user


def test_scripts_and_other_sites_do_not_get_the_cookie() -> None:
    for secure in (False, True):
        (morsel,) = SimpleCookie(Identity(KEY).issue("ida", secure=secure)).values()
        assert morsel["httponly"] is True
        assert morsel["samesite"] == "Lax"
        assert morsel["path"] == "/"
        assert morsel["max-age"] == str(365 * 24 * 3600)
        assert morsel["domain"] == ""
        assert morsel["secure"] == (True if secure else "")


@pytest.mark.parametrize(
    "value",
    [
        b"",
        b"ida",
        b"ida.",
        b".signature",
        b"ida.AAAA",
        b"\xff\xfe.\xff",
        b"ida.\xc3\xa4",
        b"x" * 10_000,
        b"\x00",
    ],
)
def test_a_cookie_without_a_valid_signature_gives_no_user(value: bytes) -> None:
    assert read(Identity(KEY), [(b"cookie", b"kingdomino=" + value)]) is None


def test_a_changed_id_a_changed_signature_and_another_key_are_refused() -> None:
    name, _, signed = Identity(KEY).issue("ida", secure=False).split(";")[0].partition("=")
    user, _, signature = signed.partition(".")
    for forged in (f"eve.{signature}", f"{user}.{signature[:-2]}", f"{user}{user}.{signature}"):
        assert read(Identity(KEY), [(b"cookie", f"{name}={forged}".encode())]) is None
    assert Identity(bytes(32)).read([(b"cookie", f"{name}={signed}".encode())]) is None


def test_a_stale_cookie_does_not_hide_a_good_one() -> None:
    good = Identity(KEY).issue("ida", secure=False).split(";")[0].encode()
    stale = Identity(bytes(32)).issue("ida", secure=False).split(";")[0].encode()
    assert read(Identity(KEY), [(b"cookie", stale + b"; " + good)]) == "ida"
    assert read(Identity(KEY), [(b"cookie", stale), (b"cookie", good)]) == "ida"


def test_a_new_key_signs_and_the_older_ones_still_read() -> None:
    old, new = bytes(32), bytes(range(32))
    of_old, both = Identity(old).issue("ida", secure=False), Identity(new, old)
    assert read(both, sent_back(of_old)) == "ida"
    assert read(Identity(new), sent_back(both.issue("ida", secure=False))) == "ida"
    assert read(Identity(new), sent_back(of_old)) is None


def test_cookies_issued_before_a_revocation_are_refused() -> None:
    moments = iter([1000, 2000, 3000])
    identity = Identity(KEY, now=lambda: next(moments))
    first, second, third = (identity.issue("ida", secure=False) for _ in range(3))
    others = Identity(KEY).issue("oskar", secure=False)
    identity.revoke("ida", 2000)
    assert [read(identity, sent_back(one)) for one in (first, second, third, others)] == [
        None,
        "ida",
        "ida",
        "oskar",
    ]


def test_over_https_no_other_site_can_set_the_cookie() -> None:
    identity = Identity(KEY)
    cookie = identity.issue("ida", secure=True)
    assert cookie.startswith("__Host-kingdomino=ida.")
    assert "; Path=/;" in cookie
    assert "; Secure" in cookie
    assert "Domain" not in cookie
    forced = identity.issue("eve", secure=False)  # as a neighbouring site could do
    both = f"{forced.partition(';')[0]}; {cookie.partition(';')[0]}"
    assert read(identity, [(b"cookie", both.encode())], secure=True) == "ida"
    assert read(identity, [(b"cookie", both.encode())], secure=False) == "eve"


def test_over_https_a_cookie_of_http_counts_only_until_the_time_of_a_setting() -> None:
    planted = Identity(KEY).issue("eve", secure=False)
    for path, kind in (("/", "http"), ("/api/me", "http"), ("/api/tables/x/socket", "websocket")):
        assert ask(path, planted, kind, scheme="wss" if kind == "websocket" else "https")[0] != "eve"
    until = Identity(KEY, now=lambda: 999, plain_until=1000)
    assert read(until, sent_back(planted), secure=True) == "eve"
    both = f"{planted.partition(';')[0]}; __Host-kingdomino=stale"
    assert read(until, [(b"cookie", both.encode())], secure=True) is None
    assert read(Identity(KEY, now=lambda: 1000, plain_until=1000), sent_back(planted), secure=True) is None


def test_only_a_few_cookies_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = 0

    def unsign(*_: object) -> bytes:
        nonlocal tried
        tried += 1
        raise BadSignature("no")

    monkeypatch.setattr(Signer, "unsign", unsign)
    cookies = b"a=b; " * 1000 + b"kingdomino=x; " * 1000
    assert read(Identity(KEY), [(b"cookie", cookies)] * 3) is None
    assert tried == 3


# The middleware.


def ask(
    path: str, cookie: str | None = None, kind: str = "http", scheme: str = "http", **changed: str | None
) -> tuple[Any, Any]:
    """Return the user that the application saw, and the new cookie. The application may change the user."""
    seen: list[Any] = []
    cookies: list[str] = []

    async def app(scope: Scope, _: Receive, send: Send) -> None:
        seen.append(scope["user"])
        scope.update(changed)
        start = {"http": "http.response.start", "websocket": "websocket.accept"}[kind]
        await send({"type": start, "status": 200, "headers": []})

    async def send(message: Message) -> None:
        cookies.extend(value.decode() for name, value in message["headers"] if name == b"set-cookie")

    async def receive() -> Message:
        return {"type": "http.request"}

    scope = {
        "type": kind,
        "path": path,
        "scheme": scheme,
        "headers": sent_back(cookie) if cookie else [],
        "app": SimpleNamespace(state=SimpleNamespace(identity=Identity(KEY))),
    }
    asyncio.run(IdentityMiddleware(app)(scope, receive, send))
    return seen[0], next(iter(cookies), None)


def test_a_new_client_gets_an_identity_with_the_first_answer() -> None:
    for path in ("/", "/api/me", "/t/q3v7n2kd8wjm"):
        user, cookie = ask(path)
        assert read(Identity(KEY), sent_back(cookie)) == user
        assert "Secure" not in cookie
        assert "Secure" in ask(path, scheme="https")[1]


def test_a_known_client_keeps_its_identity_and_a_page_renews_the_cookie() -> None:
    cookie = Identity(KEY).issue("ida", secure=False)
    assert ask("/api/me", cookie) == ("ida", None)
    user, renewed = ask("/", cookie)
    assert (user, read(Identity(KEY), sent_back(renewed))) == ("ida", "ida")


def test_a_route_may_change_the_identity_or_remove_it() -> None:
    cookie = Identity(KEY).issue("ida", secure=False)
    for known in (cookie, None):
        _, told = ask("/api/link", known, user="oskar")
        assert read(Identity(KEY), sent_back(told)) == "oskar"
    _, told = ask("/api/me/forget", Identity(KEY).issue("ida", secure=True), scheme="https", user=None)
    assert read(Identity(KEY), sent_back(told)) is None
    assert "Max-Age=0" in told
    assert "Secure" in told


def test_files_and_sockets_know_whom_they_know() -> None:
    cookie = Identity(KEY).issue("ida", secure=False)
    for path, kind in (("/static/js/pages/table.js", "http"), ("/api/tables/x/socket", "websocket")):
        assert ask(path, kind=kind) == (None, None)
        assert ask(path, cookie, kind) == ("ida", None)
