"""The host names that a client may use for the server."""

import asyncio
import socket
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.types import Message, Receive, Scope, Send
from support.watched import WatchedServer

from kingdomino.server.http.hosts import HostCheck
from kingdomino.server.settings import Limits, Settings
from kingdomino.server.telemetry import Telemetry


def asked(*hosts: str, named: tuple[str, ...] = (), kind: str = "http") -> int:
    """Return the status of a request with these headers ``Host``."""
    sent: list[Message] = []

    async def app(_: Scope, __: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    server = Starlette()
    server.state.metrics = Telemetry().metrics
    scope: dict[str, Any] = {
        "app": server,
        "type": kind,
        "path": "/",
        "server": ("198.51.100.7", 8000),
        "headers": [(b"host", host.encode()) for host in hosts],
        "extensions": {"websocket.http.response": {}},
    }
    asyncio.run(HostCheck(app, named)(scope, receive, send))
    status: int = sent[0]["status"]
    return status


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8000",
        "LOCALHOST.",
        "kingdomino.localhost",
        "127.0.0.1:8000",
        "[::1]:8000",
        "192.168.1.20:8000",
        "10.0.0.3",
        "[fd00::7]:8000",
        "[fe80::1]",
        "100.64.0.9",
        "idas-laptop:8000",
        "idas-laptop.local:8000",
        "198.51.100.7:8000",
        socket.gethostname(),
    ],
)
def test_names_that_only_a_local_network_has_are_known(host: str) -> None:
    assert asked(host) == 200


@pytest.mark.parametrize(
    "host", ["evil.test", "evil.test:8000", "localhost.evil.test", "8.8.8.8", "[2600::1]"]
)
def test_a_public_name_is_refused_unless_the_settings_have_it(host: str) -> None:
    assert asked(host) == 421
    assert asked(host, kind="websocket") == 421
    named = host.partition(":8000")[0].strip("[]").upper()
    assert asked(host, named=("play.example.org", named)) == 200


@pytest.mark.parametrize(
    "hosts",
    [(), ("",), ("here", "here"), ("here/there",), ("a b",), ("[::1",), ("here:x",), ("user@here",), ("é",)],
)
def test_a_request_needs_one_host(hosts: tuple[str, ...]) -> None:
    assert asked(*hosts) == 400


def test_a_server_answers_nothing_under_the_name_of_another_site(tmp_path: Path) -> None:
    settings = Settings(database=f"sqlite:///{tmp_path}/tables.db", limits=Limits(enforced=False))
    with WatchedServer(settings) as server:
        for path in (b"/", b"/api/me", b"/static/js/pages/home.js", b"/health"):
            close = b"Connection: close\r\n\r\n"
            answer = server.send(b"GET " + path + b" HTTP/1.1\r\nHost: evil.test\r\n" + close)
            assert (answer.status, answer.code) == (421, "other_host")
            assert b"set-cookie" not in bytes(answer).lower()
            assert server.send(b"GET " + path + b" HTTP/1.1\r\n" + close).status == 400
            assert server.send(b"GET " + path + b" HTTP/1.0\r\n\r\n").status == 400
