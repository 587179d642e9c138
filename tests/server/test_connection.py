"""Input on real connections: every input has a limit, and none keeps the server busy."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from support.watched import Client, WatchedServer

from kingdomino.server import run
from kingdomino.server.http import protocol
from kingdomino.server.settings import Limits, Rate, Settings

BUSY = 0.05
"""Seconds of processor time that the server may need for any input of a client."""
MB = 2**20
HOST = b"Host: localhost\r\n"
CLOSE = b"Connection: close\r\n\r\n"
JSON = b"Content-Type: application/json\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
SOCKET = b"/api/tables/abcdefghijkm/socket"
UPGRADE = (
    b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WatchedServer]:
    database = tmp_path_factory.mktemp("connection") / "tables.db"
    with WatchedServer(Settings(database=f"sqlite:///{database}", limits=Limits(enforced=False))) as server:
        for request in (get(), get(b"/"), post(b"/api/tables", b"{}")):
            assert server.send(request).status  # warm up: some work happens only once
        yield server


@pytest.fixture
def hurried(tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WatchedServer]:
    """Run a server that waits only a moment."""
    monkeypatch.setattr(protocol, "REQUEST_TIME", 1.0)
    database = tmp_path / "tables.db"
    database.write_bytes(empty_database.read_bytes())
    with WatchedServer(Settings(database=f"sqlite:///{database}", limits=Limits(enforced=False))) as server:
        yield server


def get(path: bytes = b"/api/me", headers: bytes = b"", end: bytes = CLOSE) -> bytes:
    return b"GET " + path + b" HTTP/1.1\r\n" + HOST + headers + end


def post(path: bytes, body: bytes) -> bytes:
    length = b"Content-Length: %d\r\n" % len(body)
    return b"POST " + path + b" HTTP/1.1\r\n" + HOST + JSON + length + CLOSE + body


def test_one_networks_connections_do_not_use_up_anothers(tmp_path: Path, empty_database: Path) -> None:
    database = tmp_path / "tables.db"
    database.write_bytes(empty_database.read_bytes())
    settings = Settings(database=f"sqlite:///{database}", limits=Limits(connections=2))
    with WatchedServer(settings) as server, ExitStack() as idle:
        for _ in range(2):
            idle.enter_context(server.connect("127.0.0.2"))
        with server.connect("127.0.0.2") as third:
            assert third.read() == b""  # closed at once
        for other in ("127.0.0.3", "127.0.0.1"):  # the second is a trusted proxy
            with server.connect(other) as client:
                client.send(get())
                assert client.answer().status == 200


MUCH = get(b"/much", UPGRADE, b"\r\n")

TOO_MUCH = {
    "a header of 60 MB": get(headers=b"A: " + b"x" * 60 * MB + b"\r\n"),
    "headers of 60 MB": get(headers=(b"A: " + b"x" * 1000 + b"\r\n") * 60_000),
    "33 KB of headers": get(headers=(b"A: " + b"x" * 1000 + b"\r\n") * 33),
    "101 headers": get(headers=b"A: b\r\n" * 99),
    "300,000 empty headers": get(headers=b"A:\r\n" * 300_000),
    "a header without an end": get(headers=b"A: ", end=b"x" * MB),
    "300,000 cookies": get(headers=b"Cookie: " + b"a=b; " * 300_000 + b"\r\n"),
    "300,000 cookie headers": get(headers=b"Cookie: a=b\r\n" * 300_000),
    "empty lines": b"\r\n" * MB,
    "a long address": get(b"/?" + b"a" * 9000),
    "an address of 20 MB": get(b"/?" + b"a" * 20 * MB),
    "a request before an earlier answer": get(end=b"\r\n") + get(),
    "50,000 requests at once": get(end=b"\r\n") * 50_000,
    "500,000 headers after a body": (
        b"POST /api/tables HTTP/1.1\r\n" + HOST + JSON + CHUNKED + b"0\r\n" + b"A:b\r\n" * 500_000
    ),
    "a body in 501 small pieces": get(end=CHUNKED + b"1\r\n \r\n" * 501 + b"0\r\n\r\n"),
    "a body in 500,000 pieces": (
        b"POST /api/tables HTTP/1.1\r\n" + HOST + JSON + CHUNKED + b"1\r\n \r\n" * 500_000
    ),
    "a body in 500,000 pieces for a page": get(end=CHUNKED + b"1\r\n \r\n" * 500_000),
    "no HTTP": b"\x16\x03\x01\x00\xa5" * 1000,
    "a socket with a body": get(SOCKET, UPGRADE, b"Content-Length: 5\r\n\r\nhello"),
    "a socket with a body in chunks": get(SOCKET, UPGRADE, b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    "a socket with a header of 9 KB": get(SOCKET, UPGRADE + b"A: " + b"x" * 9000 + b"\r\n", b"\r\n"),
    "a socket before an earlier answer": get(end=b"\r\n") + get(SOCKET, UPGRADE, b"\r\n"),
}


@pytest.mark.parametrize("sent", TOO_MUCH)
def test_too_much_is_refused_at_once(server: WatchedServer, sent: str) -> None:
    server.busiest = 0
    assert server.send(TOO_MUCH[sent]).status in (400, 0)
    assert server.send(get()).status == 200
    assert server.busiest < BUSY


ALLOWED = {
    "an address of 7,900 bytes": (200, get(b"/?" + b"a" * 7900)),
    "as many headers as are allowed": (200, get(headers=b"A: b\r\n" * 98)),
    "31 KB of headers": (200, get(headers=(b"A: " + b"x" * 1000 + b"\r\n") * 31)),
    "15,000 cookies": (200, get(headers=b"Cookie: " + b"a;" * 15_600 + b"\r\n")),
    "2,000 cookies of ours": (200, get(headers=b"Cookie: " + b"kingdomino=a.b;" * 2000 + b"\r\n")),
    "a query of 1,900 fields": (200, get(b"/api/tables?" + b"a=1&" * 1900)),
    "a long chain of proxies": (200, get(headers=b"X-Forwarded-For: " + b"127.0.0.1," * 3100 + b"\r\n")),
    "a body in 500 small pieces": (
        200,
        get(headers=b"Connection: close\r\n", end=CHUNKED + b"1\r\n \r\n" * 500 + b"0\r\n\r\n"),
    ),
    "a body in 900 larger pieces": (
        200,
        get(
            headers=b"Connection: close\r\n",
            end=CHUNKED + (b"40\r\n" + b" " * 64 + b"\r\n") * 900 + b"0\r\n\r\n",
        ),
    ),
    "deep JSON": (400, post(b"/api/tables", b"[" * 32_000 + b"]" * 32_000)),
    "7,000 fields": (422, post(b"/api/tables", b"{" + b",".join(b'"%x":1' % n for n in range(7000)) + b"}")),
    "21,000 seats": (422, post(b"/api/tables", b'{"seats":[' + b"{}," * 21_000 + b"{}]}")),
    "31,000 actions": (
        422,
        post(b"/api/tables/abcdefghijkm/actions", b'{"actions":[' + b"1," * 31_000 + b"1]}"),
    ),
}


@pytest.mark.parametrize("sent", ALLOWED)
def test_what_is_allowed_costs_little(server: WatchedServer, sent: str) -> None:
    status, data = ALLOWED[sent]
    server.busiest = 0
    assert server.send(data).status == status
    assert server.busiest < BUSY


@pytest.mark.parametrize(
    ("begin", "frame"),
    [
        (b"", b"\x89\x80\0\0\0\0"),  # pings
        (b"", b"\x8a\x80\0\0\0\0"),  # pongs
        (b"", b"\x81\x80\0\0\0\0"),  # empty messages
        (b"\x01\x80\0\0\0\0", b"\x00\x80\0\0\0\0"),  # a message in empty pieces
    ],
)
def test_a_client_that_floods_a_socket_is_closed(server: WatchedServer, begin: bytes, frame: bytes) -> None:
    with following(server) as client:
        server.busiest = 0
        client.send(begin + frame * 500_000)
        client.answer()  # ends
    assert server.send(get()).status == 200
    assert server.busiest < BUSY


def test_a_client_that_sends_a_little_over_a_socket_stays(server: WatchedServer) -> None:
    with following(server) as client:
        client.send(b"\x81\x80\0\0\0\0" * 20 + b"\x89\x81\0\0\0\0!")
        assert client.until(lambda data: b"\x8a\x01!" in data)


@contextmanager
def following(server: WatchedServer) -> Iterator[Client]:
    """Create a table and follow it."""
    created = server.send(post(b"/api/tables", b'{"seats":[{"kind":"me"},{"kind":"open"}]}'))
    table: str = json.loads(created.partition(b"\r\n\r\n")[2])["table"]["id"]
    with server.connect() as client:
        client.send(get(f"/api/tables/{table}/socket".encode(), UPGRADE, b"\r\n"))
        assert client.until(lambda data: b"snapshot" in data).status == 101
        yield client


def test_a_refused_socket_is_no_error_of_the_server(
    server: WatchedServer, caplog: pytest.LogCaptureFixture
) -> None:
    headers = UPGRADE + b"Origin: http://elsewhere\r\n"
    assert server.send(get(b"/api/tables/abcdefghijkm/socket", headers, b"\r\n")).status == 403
    assert server.send(get()).status == 200
    assert [record for record in caplog.records if record.levelname in ("WARNING", "ERROR")] == []


# Slow clients.


def test_time_does_not_run_while_a_socket_is_open(hurried: WatchedServer) -> None:
    with following(hurried) as client, hurried.connect() as waiting:
        assert waiting.answer() == b""  # its time is over; the first client's would be, too
        client.send(b"\x89\x81\0\0\0\0!")
        assert client.until(lambda data: b"\x8a\x01!" in data)


@pytest.mark.parametrize(
    "requests", [[get(b"/much", end=b"\r\n")], [MUCH], [get(b"/much", end=b"\r\n"), MUCH]]
)
def test_a_client_that_does_not_read_is_closed(
    hurried: WatchedServer, monkeypatch: pytest.MonkeyPatch, requests: list[bytes]
) -> None:
    monkeypatch.setattr(protocol, "READING_TIME", 0.5)

    async def much(_: Request) -> Response:
        return Response(b"x" * 20 * MB)

    async def much_by_socket(socket: WebSocket) -> None:
        await socket.accept()
        await socket.send_bytes(b"x" * 20 * MB)

    hurried.app.router.routes[:0] = [Route("/much", much), WebSocketRoute("/much", much_by_socket)]
    with hurried.connect() as client:
        for request in requests:
            client.send(request)
            client.read()
        hurried.until_left()
        assert len(client.answer()) < 20 * MB


# Proxies.


def test_a_proxy_that_sends_a_request_while_the_server_ends_is_answered(
    tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "LAST_REQUEST_TIME", 30.0)
    (tmp_path / "tables.db").write_bytes(empty_database.read_bytes())
    request = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with (
        WatchedServer(Settings(database=f"sqlite:///{tmp_path}/tables.db")) as server,
        server.connect() as proxy,
    ):
        proxy.send(request)
        assert b"200 OK" in proxy.read()
        server.end()
        server.until_closed()
        proxy.send(request)
        answer = proxy.answer()
        assert answer.status == 200
        assert b"connection: close" in answer.lower()


@pytest.mark.parametrize(
    ("trusted", "is_believed"), [(("127.0.0.1",), True), (("10.0.0.0/8",), False), ((), False)]
)
def test_only_a_trusted_proxy_says_that_a_client_uses_https(
    tmp_path: Path, empty_database: Path, trusted: tuple[str, ...], is_believed: bool
) -> None:
    (tmp_path / "tables.db").write_bytes(empty_database.read_bytes())
    settings = Settings(database=f"sqlite:///{tmp_path}/tables.db", trusted_proxies=trusted, hsts=60)
    with WatchedServer(settings) as server:
        answer = server.send(get(headers=b"X-Forwarded-Proto: https\r\n"))
        assert (b"strict-transport-security" in bytes(answer).lower()) == is_believed


@pytest.mark.parametrize(("trusted", "statuses"), [(("127.0.0.1",), {200}), ((), {200, 429})])
def test_only_a_trusted_proxy_says_which_address_is_limited(
    tmp_path: Path, empty_database: Path, trusted: tuple[str, ...], statuses: set[int]
) -> None:
    (tmp_path / "tables.db").write_bytes(empty_database.read_bytes())
    limits = Limits(play=Rate(1e-6, 3))
    settings = Settings(database=f"sqlite:///{tmp_path}/tables.db", trusted_proxies=trusted, limits=limits)
    with WatchedServer(settings) as server:
        # The client puts an address of its own before the proxy's.
        asked = [get(headers=b"X-Forwarded-For: 8.8.8.8, 192.0.2.%d\r\n" % number) for number in range(6)]
        assert {server.send(request).status for request in asked} == statuses
        if trusted:
            again = [server.send(asked[0].replace(b"8.8.8.8", b"8.8.4.4")).status for _ in range(3)]
            assert again == [200, 200, 429]
