"""``kingdomino serve`` and ``kingdomino play`` in the browser, each as a separate process."""

import asyncio
import errno
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest
import websockets

from kingdomino.server.settings import DEFAULT_PORT
from tools.ports import free_port

pytestmark = pytest.mark.slow
Run = Callable[..., Any]
TIMEOUT = 120.0  # seconds for one second of work on a busy machine


@dataclass
class Process:
    """A command that serves. Reads its output up to its address."""

    arguments: tuple[str, ...]
    environment: dict[str, str]
    home: Path
    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        program = "import sys; from kingdomino.cli import main; sys.exit(main())"
        self.log = (self.home / f"log-{id(self)}").open("w+", encoding="utf-8")
        self.popen = subprocess.Popen(
            [sys.executable, "-X", "faulthandler", "-c", program, *self.arguments],
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            env=self.environment,
        )

    @property
    def address(self) -> str:
        """Its address, once it serves."""
        return self.printed(r" at (http://\S+)")

    def printed(self, pattern: str) -> str:
        """Wait for a line, and return the group that the pattern captures."""
        assert self.popen.stdout
        while not (found := re.search(pattern, "".join(self.lines))):
            line = self.popen.stdout.readline()
            assert line, f"it ended: {self.logged}"
            self.lines.append(line)
        return found[1]

    @property
    def logged(self) -> str:
        self.log.seek(0)
        return self.log.read()

    def end(self, sign: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal and wait for the end; return the exit status."""
        self.popen.send_signal(sign)
        try:
            return self.popen.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            self.popen.send_signal(signal.SIGABRT)  # logs what its threads do
            self.popen.wait()
            raise AssertionError(self.logged) from None

    def close(self) -> None:
        self.popen.kill()
        self.popen.wait()
        assert self.popen.stdout
        self.popen.stdout.close()
        self.log.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """Return ``start("serve", "--port", "0")``, which runs a command with its own data and browser."""
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {tmp_path}/opened\n')
    browser.chmod(0o755)
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data"), "BROWSER": f"{browser} %s"}
    processes: list[Process] = []

    def start(*arguments: str) -> Process:
        processes.append(Process(arguments, environment, tmp_path))
        return processes[-1]

    yield start
    for process in processes:
        process.close()


def opened(folder: Path) -> list[str]:
    """Wait until the command has opened a browser, and return the addresses."""
    file, end = folder / "opened", monotonic() + TIMEOUT
    while not file.exists() and monotonic() < end:
        sleep(0.02)
    return file.read_text().split()


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_at_the_address_that_it_prints_and_ends_well(
    start: Callable[..., Process], tmp_path: Path, sign: signal.Signals
) -> None:
    server = start("serve", "--port", "0", "--set", "metrics.port=0")
    assert httpx.get(f"{server.address}health").json()["status"] == "ok"
    answered = 'kingdomino_http_requests_total{method="GET",route="/health",status="200"} 1.0'
    assert answered in httpx.get(server.printed(r"Metrics are at (\S+)")).text
    assert (tmp_path / "data/kingdomino/kingdomino.db").exists()
    assert server.end(sign) == 0
    assert "Traceback" not in server.logged
    assert "event=ended" in server.logged


def test_clients_are_asked_to_reconnect_and_find_their_table_again(
    start: Callable[..., Process], tmp_path: Path
) -> None:
    arguments = (
        "serve",
        "--port",
        str(free_port()),
        "--database",
        f"sqlite:///{tmp_path / 'new' / 'games.db'}",
    )
    server = start(*arguments)
    with httpx.Client(base_url=server.address) as client:
        seats = [{"kind": "me"}, {"kind": "invited"}]
        table = client.post("/api/tables", json={"seats": seats}).json()["table"]

        async def follow() -> int | None:
            address = f"{server.address.replace('http', 'ws', 1)}api/tables/{table['id']}/socket"
            async with websockets.connect(address) as followed:
                await followed.recv()
                assert await asyncio.to_thread(server.end) == 0
                await followed.wait_closed()
                return followed.close_code

        assert asyncio.run(follow()) == 1012
        again = start(*arguments)
        assert again.address == server.address
        assert client.get(f"/api/tables/{table['id']}").json()["table"] == table


def test_a_server_is_ended_even_before_it_answers(start: Callable[..., Process]) -> None:
    server = start("serve", "--port", "0")
    while not (server.home / "data/kingdomino/kingdomino.db.lock").exists():
        assert server.popen.poll() is None
        sleep(0.005)
    assert server.end() in (0, -signal.SIGTERM)
    assert "Traceback" not in server.logged


def test_a_signal_never_interrupts_the_opening_of_a_file(tmp_path: Path) -> None:
    # A cancelled connection would answer a closed event loop from its thread.
    program = """
import os, signal
from kingdomino.server import run
from kingdomino.server.settings import Settings
from kingdomino.server.storage.database import Database

open = Database.open
async def opened(database):
    os.kill(os.getpid(), signal.SIGTERM)
    await open(database)
    print("opened")
Database.open = opened
run.serve(Settings(database="sqlite:///games.db", port=0))
"""
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=TIMEOUT
    )
    assert ended.returncode == 0
    assert ended.stdout == "opened\n"
    assert "Traceback" not in ended.stderr


def test_connections_are_refused_while_the_database_is_away(start: Callable[..., Process]) -> None:
    port = str(free_port())
    server = start("serve", "--port", port, "--database", "postgresql://ida@127.0.0.1:1/tables")
    while "waiting for it" not in server.logged:
        assert server.popen.poll() is None
        sleep(0.02)
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", int(port))) == errno.ECONNREFUSED
    assert server.end() == 0


def test_a_second_server_at_a_port_says_that_it_is_taken(
    start: Callable[..., Process], tmp_path: Path
) -> None:
    port, database = str(free_port()), tmp_path / "tables.db"
    with socket.socket() as other, closing(sqlite3.connect(database)) as busy:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", int(port)))
        busy.execute("BEGIN EXCLUSIVE")  # so that the server has its port, and cannot answer yet
        server = start("serve", "--port", port, "--database", f"sqlite:///{database}", "--quiet")
        while server.popen.poll() is None and not database.with_name("tables.db.address").exists():
            sleep(0.005)
        other.listen()
        busy.rollback()
        assert server.popen.wait(TIMEOUT) == 2
    reason = "this port is taken; --port 0 takes a free one"
    assert server.logged == f"kingdomino: 127.0.0.1, port {port}: {reason}\n"


def test_the_log_can_be_quiet(start: Callable[..., Process]) -> None:
    server = start("serve", "--port", "0", "--quiet")
    httpx.get(f"{server.address}api/dominoes")
    assert server.end() == 0
    assert server.logged == ""


def test_one_server_at_a_time_has_a_database(start: Callable[..., Process]) -> None:
    first = start("serve", "--port", "0")
    address = first.address
    second = start("serve", "--port", "0")
    assert second.popen.wait(TIMEOUT) == 2
    assert second.logged.count("\n") == 1
    assert f"is in use by another server at {address}" in second.logged
    first.popen.kill()
    first.popen.wait()
    assert start("serve", "--port", "0").address


def test_a_taken_port_is_reported(start: Callable[..., Process], tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        server = start("serve", "--port", port, "--open")
        assert server.popen.wait(TIMEOUT) == 2
    reason = "this port is taken; --port 0 takes a free one"
    assert server.logged == f"kingdomino: 127.0.0.1, port {port}: {reason}\n"
    assert not (tmp_path / "opened").exists()


def test_a_taken_port_for_metrics_is_reported(refuses: Run, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        database = f"sqlite:///{tmp_path}/tables.db"
        arguments = ["--port", "0", "--database", database, "--set", f"metrics.port={port}"]
        refuses("serve", *arguments, said=[f"metrics.port: 127.0.0.1, port {port}: this port is taken"])


def test_play_opens_a_browser_even_where_the_port_is_taken(
    start: Callable[..., Process], tmp_path: Path
) -> None:
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind(("127.0.0.1", DEFAULT_PORT))
        except OSError:  # another process uses it, which is just as good
            pass
        else:
            taken.listen()
        game = start("play")
        assert f":{DEFAULT_PORT}/" not in game.address
        assert opened(tmp_path) == [game.address]
        assert httpx.get(game.address).status_code == 200
        assert game.end(signal.SIGINT) == 0
    assert game.logged == ""


def test_a_second_play_opens_the_browser_at_the_first(start: Callable[..., Process], tmp_path: Path) -> None:
    address = start("serve", "--port", "0").address
    second = start("play")
    assert second.popen.wait(TIMEOUT) == 0
    assert second.address == address
    assert opened(tmp_path) == [address]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--port", "65536"], "'port' must be"),
        (["--pause", "x", "--set", "limits.sokets=1"], "'pause' must be"),
        (["--pause", "x", "--set", "limits.sokets=1"], "did you mean 'limits.sockets'?"),
        (["--set", "limits"], "NAME=VALUE"),
        (["--config", "missing.toml"], "missing.toml: No such file"),
        (["extra"], "extra"),
    ],
)
def test_bad_options_are_refused_in_one_line(refuses: Run, arguments: list[str], said: str) -> None:
    refuses("serve", "--port", "0", *arguments, said=[said])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--host", "no.such.host.invalid"], ["no.such.host.invalid"]),
        (["--host", "192.0.2.1"], ["192.0.2.1"]),
        (["--database", "games.db"], ["sqlite:///FILE"]),
        (["--database", "mysql://localhost/games"], ["mysql"]),
        (["--database", "sqlite:////dev/null/games.db"], ["/dev/null"]),
    ],
)
def test_serving_fails_with_one_line(
    start: Callable[..., Process], arguments: list[str], said: list[str]
) -> None:
    server = start("serve", "--port", "0", *arguments)
    assert server.popen.wait(TIMEOUT) == 2
    assert server.logged.startswith("kingdomino: ")
    assert server.logged.count("\n") == 1
    for words in said:
        assert words in server.logged


def test_the_server_is_not_loaded_for_other_commands() -> None:
    report = """
import sys
from kingdomino.cli import main
main(["simulate", "--games", "1", "--bots", "random,random"])
heavy = {"fastapi", "uvicorn", "sqlalchemy", "alembic"}
print(sorted(heavy & {name.partition(".")[0] for name in sys.modules}))
"""
    result = subprocess.run([sys.executable, "-c", report], check=True, capture_output=True, text=True)
    assert result.stdout.splitlines()[-1] == "[]"
