"""Attacks on `kingdomino serve` in a separate process: it keeps answering others, and needs little memory.

Clients have less time than usual. `test_connection` measures how long single inputs keep the event loop busy.
"""

from __future__ import annotations

import asyncio
import resource
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

import pytest
from support.watched import Client

pytestmark = [pytest.mark.services, pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")]

PROGRAM: Final = (
    "import sys; from kingdomino.server.http import protocol as p; p.REQUEST_TIME = p.READING_TIME = 3; "
    "from kingdomino.cli import main; sys.exit(main())"
)
TIMEOUT: Final = 60.0
MB: Final = 2**20
CONNECTIONS: Final = 2350
GIGABYTE: Final = 10**9 // CONNECTIONS
"""Bytes for each of the connections."""
MOST_MEMORY: Final = 300 * MB
"""Memory that an attack may cost: two reads per connection. The server itself needs about 120 MB."""
SEND_BUFFER: Final = 2**15
"""Bytes of each connection that wait at its client: a gigabyte there can slow down the network of the machine."""
NETWORKS: Final = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
"""Each may have 2,000 connections."""
HEAD: Final = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"
POST: Final = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
ASK: Final = HEAD + b"Connection: close\r\n\r\n"


class Host:
    """A running server; a context manager."""

    def __init__(self, folder: Path, *settings: str) -> None:
        words = [word for setting in settings for word in ("--set", setting)]
        command = ["serve", "--port", "0", "--quiet", "--database", f"sqlite:///{folder}/tables.db", *words]
        self._log = (folder / "log").open("w")
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *command], stdout=subprocess.PIPE, stderr=self._log, text=True
        )
        assert self._process.stdout
        self.port = int(self._process.stdout.readline().rpartition(":")[2].rstrip("/\n"))
        self._proc = Path("/proc", str(self._process.pid))

    def __enter__(self) -> Host:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        assert self._process.wait(TIMEOUT) == 0
        self._log.close()
        assert "Traceback" not in Path(self._log.name).read_text()
        assert self._process.stdout
        self._process.stdout.close()

    @property
    def memory(self) -> int:
        """The most memory that it has needed since `forget_memory`, in bytes."""
        status = (self._proc / "status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024

    def forget_memory(self) -> None:
        """Measure the most memory from now on."""
        (self._proc / "clear_refs").write_text("5")

    @property
    def sockets(self) -> int:
        """Its open connections, and its own sockets."""
        found = 0
        for file in (self._proc / "fd").iterdir():
            with suppress(FileNotFoundError):  # closed meanwhile
                found += str(file.readlink()).startswith("socket:")
        return found

    def until_left(self, sockets: int) -> None:
        """Wait until only this many sockets are open."""
        end = time.monotonic() + TIMEOUT
        while self.sockets > sockets:
            assert time.monotonic() < end, "a connection stays"
            select.select([], [], [], 0.05)

    def serves(self) -> bool:
        """Return whether it answers another user."""
        with Client(self.port, "127.0.0.9") as client:
            client.send(ASK)
            return client.answer().status == 200


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2 * CONNECTIONS:
        pytest.skip("too few open files are allowed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with Host(tmp_path_factory.mktemp("attacked")) as host:
        assert host.serves()
        yield host
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def _flood(port: int, number: int, data: bytes, sent: asyncio.Barrier) -> None:
    """Send over a connection until the server closes it; keep it open until all have sent."""
    client = socket.socket()
    client.setblocking(False)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    client.bind((NETWORKS[number % len(NETWORKS)], 0))
    writer = None
    with suppress(ConnectionError):
        await asyncio.get_running_loop().sock_connect(client, ("127.0.0.1", port))
        _, writer = await asyncio.open_connection(sock=client)
        for start in range(0, len(data), 2**14):
            writer.write(data[start : start + 2**14])
            await writer.drain()
    await sent.wait()
    if writer is None:
        client.close()
    else:
        writer.transport.abort()


FLOODS: Final = {
    "one giant header": HEAD + b"A: " + b"x" * GIGABYTE,
    "empty headers": HEAD + b"A:\r\n" * (GIGABYTE // 4),
    "a body": POST + b"Content-Length: %d\r\n\r\n" % GIGABYTE + b"x" * GIGABYTE,
    "a body in small pieces": POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\n \r\n" * (GIGABYTE // 6),
    "requests": (HEAD + b"\r\n") * (GIGABYTE // len(HEAD)),
    "as much as is allowed": HEAD + (b"A: " + b"x" * 7000 + b"\r\n") * 4,
}


@pytest.mark.parametrize("flood", FLOODS)
def test_a_gigabyte_over_many_connections_needs_little_memory(host: Host, flood: str) -> None:
    async def attack() -> None:
        sent = asyncio.Barrier(CONNECTIONS + 1)
        floods = [_flood(host.port, number, FLOODS[flood], sent) for number in range(CONNECTIONS)]
        tasks = [asyncio.create_task(each) for each in floods]
        while sent.n_waiting < CONNECTIONS:
            assert await asyncio.to_thread(host.serves)
        await sent.wait()
        await asyncio.gather(*tasks)

    host.forget_memory()
    before, sockets = host.memory, host.sockets
    asyncio.run(attack())
    host.until_left(sockets)
    assert host.memory - before < MOST_MEMORY


SLOW: Final = (
    (b"", b""),
    (HEAD, b""),
    (HEAD + b"\r\n", b""),
    (POST + b"Content-Length: 9\r\n\r\n", b""),
    (b"", b"\r\n"),
    (b"GET /", b"a"),
    (HEAD, b"A:\r\n"),
    (HEAD + b"A: ", b"x"),
    (HEAD + b"\r\n", b"\r\n"),
    (HEAD + b"\r\nGET /", b"a"),
    (POST + b"Content-Length: 60000\r\n\r\n", b" "),
    (POST + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    (POST + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"A:\r\n"),
    (HEAD + b"Content-Length: 60000\r\n\r\n", b" "),
)
"""A client's first bytes, and the bytes it sends again and again."""


def test_slow_clients_are_closed(host: Host) -> None:
    end = time.monotonic() + TIMEOUT
    with ExitStack() as open_ones:
        slow = {
            open_ones.enter_context(Client(host.port, "127.0.0.2")): number for number in range(len(SLOW))
        }
        for client, number in slow.items():
            client.send(SLOW[number][0])
        while slow := {client: number for client, number in slow.items() if not client.has_ended(0.01)}:
            assert time.monotonic() < end, f"these stay: {slow.values()}"
            for client, number in slow.items():
                client.send(SLOW[number][1])


def test_clients_that_do_not_read_are_closed(host: Host) -> None:
    host.forget_memory()
    before, sockets = host.memory, host.sockets
    much = b"GET /docs/http/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n"  # 1.7 MB
    with ExitStack() as open_ones:
        clients = [open_ones.enter_context(Client(host.port, network, 4096)) for network in NETWORKS * 7]
        for _ in range(5):  # the system buffers some megabytes of each answer
            for client in clients:
                client.send(much)
            assert host.serves()
        host.until_left(sockets)
    assert host.memory - before < MOST_MEMORY


def test_the_connections_of_one_address_are_limited(tmp_path: Path) -> None:
    with Host(tmp_path, "limits.connections=50") as host, ExitStack() as open_ones:
        sockets = host.sockets
        for _ in range(200):
            open_ones.enter_context(Client(host.port, "127.0.0.2"))
        assert host.serves()
        host.until_left(sockets + 50)
        for _ in range(60):
            open_ones.enter_context(Client(host.port))  # a trusted proxy
        assert host.serves()
