"""The middleware: refusals, with status and code, and accepted requests."""

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message
from starlette.websockets import WebSocket

from kingdomino.server import pools
from kingdomino.server.http import limits, middleware
from kingdomino.server.http.identity import Identity
from kingdomino.server.pools import Owner, Quota
from kingdomino.server.settings import Limits, Rate, Settings
from kingdomino.server.telemetry import Telemetry

KEY = bytes(32)
JSON = {"content-type": "application/json"}


@dataclass
class Answer:
    """An application's answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def code(self) -> str:
        """The code of a refusal; every refusal has a reason, too."""
        content: dict[str, str] = json.loads(self.body)
        assert content["reason"]
        return content["code"]


@dataclass
class Stack:
    """An application behind the middleware; ``reached`` counts the requests that it gets."""

    settings: Settings = field(default_factory=Settings)

    def __post_init__(self) -> None:
        self.reached, self.scheme = 0, "http"
        routes = [
            Route("/api/{rest:path}", self._echo, methods=["GET", "POST", "PUT", "DELETE"]),
            Route("/static/{rest:path}", self._file),
            Route("/broken", self._broken, methods=["GET", "POST"]),
            WebSocketRoute("/api/{rest:path}", self._socket),
        ]
        self.app = Starlette(routes=routes)
        self.app.state.identity = Identity(KEY)
        self.usage = limits.Usage(self.settings.limits)
        telemetry = Telemetry()
        self.app.state.metrics = telemetry.metrics
        middleware.add(self.app, self.settings, self.usage, telemetry)

    async def _echo(self, request: Request) -> Response:
        self.reached += 1
        status = int(request.query_params.get("status", 200))
        return JSONResponse({"length": len(await request.body())}, status)

    async def _file(self, _: Request) -> Response:
        self.reached += 1
        return PlainTextResponse("a file")

    async def _broken(self, _: Request) -> Response:
        raise ZeroDivisionError("the deck is 17 4 25")

    async def _socket(self, socket: WebSocket) -> None:
        self.reached += 1
        await socket.accept()
        await socket.receive()

    def __call__(
        self,
        method: str,
        path: str,
        headers: dict[str, str] | None = None,
        body: bytes | Sequence[bytes] = b"",
        client: str = "192.0.2.7",
    ) -> Answer:
        """Send a request; a sequence of bytes goes out in chunks, without its length."""
        chunks = [body] if isinstance(body, bytes) else list(body)
        fields = {"host": "here:8000", **(headers or {})}
        if isinstance(body, bytes) and body:
            fields.setdefault("content-length", str(len(body)))
        path, _, query = path.partition("?")
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": query.encode(),
            "headers": _raw(fields),
            "client": (client, 1234),
            "server": ("192.0.2.1", 8000),
            "scheme": self.scheme,
        }
        messages: list[Message] = [
            {"type": "http.request", "body": chunk, "more_body": number < len(chunks)}
            for number, chunk in enumerate(chunks, 1)
        ]
        return asyncio.run(_exchange(self.app, scope, messages))

    def socket(self, headers: dict[str, str] | None = None, client: str = "192.0.2.7") -> Answer:
        """Open a socket and close it again; an accepted one has the status 101."""
        scope = {
            "type": "websocket",
            "path": "/api/tables/x/socket",
            "query_string": b"",
            "headers": _raw({"host": "here:8000", **(headers or {})}),
            "client": (client, 1234),
            "server": ("192.0.2.1", 8000),
            "scheme": "ws",
            "extensions": {"websocket.http.response": {}},
        }
        messages: list[Message] = [
            {"type": "websocket.connect"},
            {"type": "websocket.disconnect", "code": 1000},
        ]
        return asyncio.run(_exchange(self.app, scope, messages))


def _raw(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers.items()]


async def _exchange(app: ASGIApp, scope: dict[str, Any], messages: Sequence[Message]) -> Answer:
    incoming, sent = iter(messages), list[Message]()

    async def receive() -> Message:
        return next(incoming, {"type": "http.disconnect"})

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    if any(message["type"] == "websocket.accept" for message in sent):
        return Answer(101, {}, b"")
    start = next(message for message in sent if message["type"].endswith("response.start"))
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    return Answer(start["status"], headers, b"".join(message.get("body", b"") for message in sent))


@pytest.fixture
def stack() -> Stack:
    return Stack()


# Headers.


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("GET", "/api/me", {}),
        ("GET", "/static/js/engine/worker.js", {}),
        ("GET", "/nowhere", {}),
        ("GET", "/broken", {}),
        ("POST", "/api/me", {"origin": "http://elsewhere"}),
        ("POST", "/api/me", {"content-length": "999999"}),
    ],
)
def test_every_answer_has_the_headers_that_keep_a_browser_safe(
    stack: Stack, method: str, path: str, headers: dict[str, str]
) -> None:
    given = stack(method, path, headers).headers
    policy = given["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert policy.count("unsafe") == policy.count("script-src 'self' 'wasm-unsafe-eval'") == 1
    assert given["x-content-type-options"] == "nosniff"
    assert given["cross-origin-resource-policy"] == "same-origin"
    assert given["referrer-policy"] == "no-referrer"
    assert given["x-frame-options"] == "DENY"
    assert given["cross-origin-opener-policy"] == "same-origin"
    assert "camera=(self)" in given["permissions-policy"]


@pytest.mark.parametrize(
    "path", ["/static/js/pages/table.js", "/static/css/base.css", "/static/words/en.json"]
)
def test_a_part_of_a_page_has_the_headers_that_browsers_read_there(stack: Stack, path: str) -> None:
    given = stack("GET", path).headers
    assert given["x-content-type-options"] == "nosniff"
    assert given["cross-origin-resource-policy"] == "same-origin"
    assert "content-security-policy" not in given  # only documents and workers follow one


def test_only_responses_over_https_have_hsts_and_only_if_set() -> None:
    secure = Stack(Settings(hsts=3600))
    assert "strict-transport-security" not in secure("GET", "/api/me").headers
    secure.scheme = "https"
    assert secure("GET", "/api/me").headers["strict-transport-security"] == "max-age=3600"
    silent = Stack()
    silent.scheme = "https"
    assert "strict-transport-security" not in silent("GET", "/api/me").headers


def test_answers_of_the_api_are_not_cached_and_files_are_revalidated(stack: Stack) -> None:
    assert stack("GET", "/api/me").headers["cache-control"] == "no-store"
    assert stack("GET", "/static/table.js").headers["cache-control"] == "no-cache"


def test_an_unexpected_error_is_logged_and_answered_without_details(
    stack: Stack, caplog: pytest.LogCaptureFixture
) -> None:
    answer = stack("GET", "/broken")
    assert (answer.status, answer.code) == (500, "failed")
    assert b"deck" not in answer.body
    assert "ZeroDivisionError" in caplog.text


# Origins.


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "http://here:8000"},
        {"origin": "http://HERE:8000"},
        {"origin": "https://here", "host": "here"},
        {"origin": "https://here:443", "host": "here"},
        {"origin": "https://here", "host": "here:443"},
        {"origin": "http://[::1]:8000", "host": "[::1]:8000"},
        {"origin": "http://here:8000", "sec-fetch-site": "same-origin"},
    ],
)
def test_our_own_pages_and_programs_are_let_through(stack: Stack, headers: dict[str, str]) -> None:
    assert stack("POST", "/api/tables", {**JSON, **headers}, b"{}").status == 200
    assert stack.socket(headers).status == 101


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://elsewhere:8000"},
        {"origin": "http://here"},
        {"origin": "http://here:8001"},
        {"origin": "http://here:8000.elsewhere"},
        {"origin": "http://here:8000@elsewhere"},
        {"origin": "null"},
        {"origin": ""},
        {"origin": "http://here:99999999"},
        {"origin": "file://"},
        {"sec-fetch-site": "cross-site"},
    ],
)
def test_pages_of_other_sites_change_nothing_and_open_no_socket(
    stack: Stack, headers: dict[str, str]
) -> None:
    for method in ("POST", "PUT", "DELETE"):
        answer = stack(method, "/api/tables", {**JSON, **headers}, b"{}")
        assert (answer.status, answer.code) == (403, "other_origin")
    refused = stack.socket(headers)
    assert (refused.status, refused.code) == (403, "other_origin")
    assert stack.reached == 0


def test_other_sites_may_link_to_us(stack: Stack) -> None:
    assert stack("GET", "/static/x", {"sec-fetch-site": "cross-site"}).status == 200


# Bodies.

LARGEST = middleware.LARGEST_BODY


def test_a_body_of_the_largest_size_arrives_whole(stack: Stack) -> None:
    for body in (b"x" * LARGEST, [b"x" * (LARGEST - 10), b"", b"x" * 10]):
        assert json.loads(stack("POST", "/api/x", JSON, body).body) == {"length": LARGEST}


def test_a_larger_body_is_refused_whether_it_says_so_or_not(stack: Stack) -> None:
    bodies: list[tuple[dict[str, str], bytes | Sequence[bytes]]] = [
        ({}, b"x" * (LARGEST + 1)),
        ({}, [b"x" * LARGEST, b"x"]),
        ({"content-length": "10"}, [b"x" * LARGEST, b"x"]),
        ({"content-length": str(2**80)}, b""),
    ]
    for headers, body in bodies:
        answer = stack("POST", "/api/x", {**JSON, **headers}, body)
        assert (answer.status, answer.code) == (413, "too_large")
        assert answer.headers["connection"] == "close"
    assert stack("GET", "/api/x", {"content-length": "999999"}).status == 413
    assert stack.reached == 0


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"])
def test_a_body_that_is_not_json_is_refused(stack: Stack, kind: str) -> None:
    for method in ("POST", "PUT", "DELETE"):
        answer = stack(method, "/api/x", {"content-type": kind}, b'{"name": "Ida"}')
        assert (answer.status, answer.code) == (415, "not_json")
    assert stack.reached == 0


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON; charset=utf-8"])
def test_json_is_accepted_in_any_spelling_of_its_type(stack: Stack, kind: str) -> None:
    assert stack("POST", "/api/x", {"content-type": kind}, b"{}").status == 200


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"])
def test_json_in_another_encoding_than_utf_8_is_refused(stack: Stack, encoding: str) -> None:
    answer = stack("POST", "/api/x", JSON, '{"name": "Ida"}'.encode(encoding))
    assert (answer.status, answer.code) == (400, "bad_request")
    assert stack.reached == 0


def test_no_body_needs_no_type(stack: Stack) -> None:
    assert stack("POST", "/api/x").status == 200


def test_a_client_that_disconnects_while_it_sends_does_not_reach_the_application(stack: Stack) -> None:
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/x",
        "headers": _raw({"host": "here", **JSON}),
        "query_string": b"",
        "client": None,
    }

    sent = [{"type": "http.request", "body": b"{", "more_body": True}]
    with pytest.raises(RuntimeError):  # nothing was answered
        asyncio.run(_exchange(stack.app, scope, sent))
    assert stack.reached == 0


# Rate limits.


@pytest.fixture
def limited() -> Stack:
    """Let an address ask 6 times, guess wrongly twice and create one table; nothing refills soon."""
    slow = 1 / 1000
    return Stack(
        Settings(limits=Limits(Rate(slow, 6), Rate(slow, 2), Rate(slow, 1), sockets=1, of_address=3))
    )


def session(user: str) -> dict[str, str]:
    """Return the headers of a client with a session."""
    return {"cookie": Identity(KEY).issue(user, secure=False).partition(";")[0]}


def test_each_session_of_an_address_has_a_limit_and_all_have_one_together(limited: Stack) -> None:
    for user in ("ida", "oskar", "ann"):
        assert [limited("GET", "/api/me", session(user)).status for _ in range(7)] == [200] * 6 + [429]
    assert limited("GET", "/api/me", session("eve")).code == "too_often"
    assert limited("GET", "/api/me", session("eve"), client="192.0.2.8").status == 200


def test_a_session_does_not_get_more_by_another_address(limited: Stack) -> None:
    for number in range(6):
        assert limited("GET", "/api/me", session("ida"), client=f"192.0.2.{number}").status == 200
    assert limited("GET", "/api/me", session("ida"), client="192.0.2.9").status == 429


def test_clients_without_a_session_share_one_by_their_address(limited: Stack) -> None:
    cookies = [{}, {"cookie": "kingdomino=ida.forged"}, {"cookie": "kingdomino=oskar.forged"}]
    assert [limited("GET", "/api/me", cookies[number % 3]).status for number in range(7)] == [200] * 6 + [429]


def test_wrong_codes_are_limited_for_each_network_and_keep_no_other_from_joining() -> None:
    stack = Stack(Settings(limits=Limits(codes=Rate(1 / 1000, 5))))
    for client in ("192.0.2.7", "192.0.2.8", "2001:db8::7"):
        sessions = [session(f"player{number}") for number in range(7)]
        wrong = [stack("POST", "/api/code?status=404", one, client=client).status for one in sessions]
        assert wrong == [404] * 5 + [429] * 2
    assert stack("POST", "/api/tables/q3v7n2kd8wjm/seats?status=403").status == 403
    assert stack("POST", "/api/code", client="2001:db8:0:ff::1").status == 429, "of the same household"
    assert stack("POST", "/api/code", client="2001:db8:0:100::1").status == 200


def test_right_codes_cost_nothing() -> None:
    stack = Stack(Settings(limits=Limits(codes=Rate(1 / 1000, 5))))
    assert {stack("POST", "/api/code", client=f"192.0.2.{number}").status for number in range(20)} == {200}


@pytest.mark.parametrize("status", [409, 422, 503])
def test_a_guess_costs_only_if_it_was_wrong(status: int) -> None:
    stack = Stack(Settings(limits=Limits(guess=Rate(1 / 1000, 2), codes=Rate(1 / 1000, 5))))
    assert {stack("POST", f"/api/code?status={status}").status for _ in range(20)} == {status}
    assert stack("POST", "/api/code").status == 200


def test_a_club_behind_one_address_can_follow_its_tables() -> None:
    stack = Stack()

    async def run() -> list[int]:
        headers = [{"host": "here", **session(f"player{number}")} for number in range(112)]
        waiting = [asyncio.create_task(_held_socket(stack.app, one)) for one in headers]
        async with asyncio.timeout(20):
            while stack.reached < 112:
                await asyncio.sleep(0)
        statuses = [await _held_socket(stack.app, headers[0], hold=False)]
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        return statuses

    assert asyncio.run(run()) == [101]
    assert stack.reached == 113


def test_too_many_requests_are_refused_with_the_time_to_wait(limited: Stack) -> None:
    assert [limited("GET", "/api/me").status for _ in range(8)] == [200] * 6 + [429] * 2
    refused = limited("GET", "/api/me")
    assert refused.code == "too_often"
    assert 990 <= int(refused.headers["retry-after"]) <= 1000
    assert limited.reached == 6


def test_one_address_does_not_use_up_the_limit_of_another(limited: Stack) -> None:
    for _ in range(8):
        limited("GET", "/api/me")
    assert limited("GET", "/api/me", client="192.0.2.8").status == 200


def test_the_addresses_of_one_ipv6_network_share_a_limit(limited: Stack) -> None:
    statuses = [limited("GET", "/api/me", client=f"2001:db8::{number}").status for number in range(1, 9)]
    assert statuses == [200] * 6 + [429] * 2
    assert limited("GET", "/api/me", client="2001:db8:0:ff::1").status == 429
    assert limited("GET", "/api/me", client="2001:db8:0:100::1").status == 200


@pytest.mark.parametrize("path", ["/health", "/ready", "/docs/", "/openapi.json"])
def test_checks_and_documents_are_limited(limited: Stack, path: str) -> None:
    assert [limited("GET", path).status for _ in range(7)][-1] == 429


def test_files_are_not_counted(limited: Stack) -> None:
    assert {limited("GET", "/static/x").status for _ in range(50)} == {200}


def test_sockets_are_counted_as_requests(limited: Stack) -> None:
    assert [limited.socket().status for _ in range(8)] == [101] * 6 + [429] * 2


@pytest.mark.parametrize("path", ["/api/code", "/api/tables/q3v7n2kd8wjm/seats"])
def test_only_a_few_guesses_may_be_wrong(limited: Stack, path: str) -> None:
    right, wrong = f"{path}?status=200", f"{path}?status=403"
    answers = [limited("POST", address).status for address in (right, right, right, wrong, wrong)]
    assert answers == [200, 200, 200, 403, 403]
    refused = limited("POST", right)
    assert (refused.status, refused.code) == (429, "too_often")


def test_only_a_few_tables_may_be_created(limited: Stack) -> None:
    assert [limited("POST", "/api/tables").status for _ in range(2)] == [200, 429]
    assert limited("POST", "/api/tables/q3v7n2kd8wjm/rematch").status == 429
    assert limited("GET", "/api/tables").status == 200


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/me/link"),
        ("POST", "/api/me/sign-out"),
        ("POST", "/api/me/forget"),
        ("POST", "/api/tables/q3v7n2kd8wjm/seats/0/secret"),
        ("PUT", "/api/me"),
        ("PUT", "/api/me/settings"),
    ],
)
def test_requests_that_grow_the_database_count_as_tables(limited: Stack, method: str, path: str) -> None:
    assert [limited(method, path).status for _ in range(2)] == [200, 429]


@pytest.mark.parametrize("path", ["/api/tables/q3v7n2kd8wjm/record", "/api/games/x/record", "/api/me/data"])
def test_the_rate_of_files_is_limited(path: str) -> None:
    stack = Stack(Settings(limits=Limits(files=Rate(1 / 1000, 2))))
    assert [stack("GET", path).status for _ in range(3)] == [200, 200, 429]


def test_the_number_of_open_sockets_is_limited() -> None:
    stack = Stack(Settings(limits=Limits(sockets=2)))
    headers = {"host": "here:8000"}

    async def run() -> list[int]:
        open_ones = [asyncio.create_task(_held_socket(stack.app, headers)) for _ in range(2)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        third = await _held_socket(stack.app, headers, hold=False)
        for task in open_ones:
            task.cancel()
        await asyncio.gather(*open_ones, return_exceptions=True)
        return [third, await _held_socket(stack.app, headers, hold=False)]

    assert asyncio.run(run()) == [429, 101]


async def _held_socket(app: ASGIApp, headers: dict[str, str], *, hold: bool = True) -> int:
    scope = {
        "type": "websocket",
        "path": "/api/tables/x/socket",
        "query_string": b"",
        "headers": _raw(headers),
        "client": ("192.0.2.7", 1),
        "scheme": "ws",
        "extensions": {"websocket.http.response": {}},
    }
    statuses: list[int] = []
    connected = False

    async def receive() -> Message:
        nonlocal connected
        if not connected:
            connected = True
            return {"type": "websocket.connect"}
        if hold:
            await asyncio.sleep(60)
        return {"type": "websocket.disconnect", "code": 1000}

    async def send(message: Message) -> None:
        if message["type"] != "websocket.http.response.body":
            statuses.append(message.get("status", 101))

    await app(scope, receive, send)
    return statuses[0]


def test_a_server_without_limits_refuses_no_request() -> None:
    stack = Stack(Settings(limits=Limits(enforced=False)))
    assert {stack("POST", "/api/tables").status for _ in range(200)} == {200}


class Clock:
    """A clock that the test sets."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_refills_and_does_not_overflow() -> None:
    clock = Clock()
    buckets = limits.Buckets(Rate(2, 4), clock)
    take: Callable[[], float] = lambda: buckets.take("ida")  # noqa: E731
    assert [take() for _ in range(5)] == [0, 0, 0, 0, 0.5]
    clock.now += 0.5
    assert [take(), take()] == [0, 0.5]
    clock.now += 3600
    assert [take() for _ in range(5)] == [0, 0, 0, 0, 0.5]
    buckets.give_back("ida")
    assert [take(), take()] == [0, 0.5]


def test_many_addresses_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "REMEMBERED", Quota(10, None, 3))
    buckets = limits.Buckets(Rate(1, 1), Clock())
    for number in range(100):
        buckets.take(str(number), str(number))
    assert [bool(buckets.take(str(number))) for number in (99, 95, 0)] == [True, True, False]
    for number in range(100):
        buckets.take(f"session {number}", "192.0.2.7")
    assert [bool(buckets.take(key)) for key in ("session 99", "session 0", "95")] == [True, False, True]


# Several processes.


def exchange(*processes: limits.Usage) -> None:
    """Send each process's counts to the others."""
    reports = [process.reports(str(number)) for number, process in enumerate(processes)]
    for number, process in enumerate(processes):
        for other, messages in enumerate(reports):
            for message in messages:
                assert len(message.model_dump_json()) < 8000
                if other != number:
                    process.hear(message)


def test_a_client_of_several_processes_may_do_as_much_as_a_client_of_one() -> None:
    clock = Clock()
    usages = [limits.Usage(Limits(play=Rate(2, 20)), clock) for _ in range(3)]
    client = Owner("ida", "192.0.2.7")
    done = 0
    for _ in range(100):
        clock.now += 1
        for usage in usages:
            for _ in range(5):
                done += not usage.play.take(client)
        exchange(*usages)
    assert 200 <= done <= 200 + 3 * 20  # the average of one process, and one burst of each


def test_other_servers_reports_of_sockets_expire() -> None:
    clock = Clock()
    here, there = (limits.Usage(Limits(sockets=4), clock) for _ in range(2))
    for number in range(100):
        client = Owner(f"player{number}", f"192.0.2.{number}")
        with there.socket(client):
            exchange(here, there)
            clock.now += 1
    exchange(here, there)
    assert here.has_room(Owner("player99", "192.0.2.99"))
    assert not here._elsewhere  # noqa: SLF001  (it must not grow)


def test_usage_returned_in_time_is_not_reported_to_other_servers() -> None:
    clock = Clock()
    here, there = (limits.Usage(Limits(guess=Rate(1 / 1000, 8)), clock) for _ in range(2))
    client = Owner("ida", "192.0.2.7")
    for _ in range(100):
        assert not here.guess.take(client)
        here.guess.give_back(client)
        exchange(here, there)
    assert [bool(there.guess.take(client)) for _ in range(9)] == [False] * 8 + [True]


def test_clients_with_few_requests_are_not_reported() -> None:
    usage = limits.Usage(Limits(), Clock())
    for number in range(1000):
        for _ in range(20):
            usage.play.take(Owner(f"session {number}", f"address {number}"))
    assert usage.reports("a") == []


def test_sockets_at_other_processes_count_until_these_end() -> None:
    clock = Clock()
    here, there = (limits.Usage(Limits(sockets=4, of_address=2), clock) for _ in range(2))
    ida, oskar, others = (Owner(name, "192.0.2.7") for name in ("ida", "oskar", "others"))
    with ExitStack() as open_ones:
        for client in (ida, ida, ida, oskar):
            open_ones.enter_context(here.socket(client))
        exchange(here, there)
        with there.socket(ida), there.socket(oskar):
            assert [there.has_room(client) for client in (ida, oskar, others)] == [False, True, True]
            with there.socket(others), there.socket(others):
                assert not there.has_room(oskar)  # this address has eight
    exchange(here, there)
    assert there.has_room(ida)
    with here.socket(ida), here.socket(ida), here.socket(ida), here.socket(ida):
        exchange(here, there)
        assert not there.has_room(ida)
        clock.now += 6  # the process has been killed
        assert there.has_room(ida)


# The log.


def test_requests_are_logged_with_their_table_and_without_queries_bodies_and_cookies(
    stack: Stack, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="kingdomino")
    headers = {**JSON, "cookie": "kingdomino=hush", "authorization": "hush"}
    stack("POST", "/api/tables/q3v7n2kd8wjm/seats?secret=hush", headers, b'{"secret": "hush"}')
    (record,) = caplog.records
    assert vars(record)["table"] == "q3v7n2kd8wjm"
    assert (vars(record)["method"], vars(record)["status"]) == ("POST", 200)
    assert not any("hush" in str(value) for value in vars(record).values())
