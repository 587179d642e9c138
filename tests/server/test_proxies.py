"""Two servers on one PostgreSQL database, behind Caddy or nginx with the settings of `deploy/` and TLS."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, Final, TypeAlias

import httpx
import pytest
from support.clients import Json
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tools.ports import free_port
from tools.postgresql import PostgreSQL

pytestmark = pytest.mark.services

DEPLOY: Final = Path(__file__).parents[2] / "deploy"
NAME: Final = "play.example.org"
YEAR: Final = 365 * 24 * 3600
_PROGRAM: Final = "import sys; from kingdomino.cli import main; sys.exit(main())"
_PATH: Final = f"{os.environ['PATH']}{os.pathsep}/usr/sbin"
TIMEOUT: Final = 60.0


def until(is_so: Callable[[], object], log: Path) -> None:
    """Wait until a condition holds; if it takes too long, show a program's log."""
    end = time.monotonic() + TIMEOUT
    while not is_so():
        assert time.monotonic() < end, f"it took too long: {log.read_text()}"
        time.sleep(0.02)


def answers(port: int) -> bool:
    """Return whether a port accepts connections."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def until_open(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    """Wait until a program accepts connections; if it ends, show its log."""
    until(lambda: answers(port) or process.poll() is not None, log)
    assert process.poll() is None, log.read_text()


class Host:
    """A server in its own process; it can restart on its port."""

    def __init__(self, database: str, log: Path) -> None:
        self.port = free_port()
        self._log = log
        settings = {
            "pause": "0",
            "thinks": "false",
            "limits.guess.at_once": "3",
            "limits.guess.a_second": "0.001",
            "limits.of_address": "1",
        }
        unit = (DEPLOY / "kingdomino@.service").read_text("utf-8")
        (command,) = re.findall("^ExecStart=/opt/kingdomino/bin/kingdomino (.*)", unit, re.MULTILINE)
        command = command.replace("%i", str(self.port)).replace("/etc", str(DEPLOY))
        command = command.replace("kingdomino.toml", "internet.toml")
        self._command = [sys.executable, "-c", _PROGRAM, *command.split(), "--database", database, "--quiet"]
        self._command += [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]

    def start(self) -> None:
        """Start it; it answers some time later."""
        with self._log.open("a") as log:
            self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=log)

    def wait(self) -> None:
        """Wait until it accepts connections."""
        until_open(self._process, self.port, self._log)

    def stop(self) -> None:
        """Tell it to end."""
        self._process.send_signal(signal.SIGTERM)
        assert self._process.wait(TIMEOUT) == 0


class Proxy:
    """A running proxy; ``trusted`` is the file with the certificate that its clients trust."""

    def __init__(self, port: int, trusted: Path) -> None:
        self.port = port
        self._context = ssl.create_default_context(cafile=str(trusted))

    @property
    def origin(self) -> str:
        """The origin of the pages."""
        return f"https://{NAME}:{self.port}"

    def client(self) -> httpx.AsyncClient:
        """Make a browser that finds this proxy under the site's name."""

        async def name(request: httpx.Request) -> None:
            request.headers.setdefault("Host", f"{NAME}:{self.port}")
            request.extensions["sni_hostname"] = NAME

        client = httpx.AsyncClient(
            base_url=f"https://127.0.0.1:{self.port}",
            verify=self._context,
            timeout=TIMEOUT,
            event_hooks={"request": [name]},
        )
        client.headers["Host"] = f"{NAME}:{self.port}"
        return client

    def socket(self, path: str, cookie: str) -> connect:
        """Open a socket as a page of the site does."""
        return connect(
            f"wss://{NAME}:{self.port}{path}",
            host="127.0.0.1",
            ssl=self._context,
            origin=self.origin,  # type: ignore[arg-type]
            additional_headers={"Cookie": cookie},
            proxy=None,
        )


@pytest.fixture(scope="module")
def hosts(cluster: PostgreSQL, empty_shared_database: str) -> Iterator[tuple[Host, Host]]:
    """Run two servers on one database."""
    cluster.execute(f"CREATE DATABASE behind_proxies TEMPLATE {empty_shared_database}")
    with TemporaryDirectory() as folder:
        log = Path(folder, "log")
        both = Host(cluster.url_of("behind_proxies"), log), Host(cluster.url_of("behind_proxies"), log)
        for host in both:
            host.start()
        for host in both:
            host.wait()
        yield both
        for host in both:
            host.stop()
        assert "Traceback" not in log.read_text()
    cluster.execute("DROP DATABASE behind_proxies WITH (FORCE)")


def installed(program: str) -> str:
    """Find a program, or skip the test; where CI is set, fail without it."""
    found = shutil.which(program, path=_PATH)
    if found is None and os.environ.get("CI") != "true":
        pytest.skip(f"{program} is not installed; get it with: apt-get install {program}")
    assert found, f"{program} is not installed"
    return found


def caddy(folder: Path, ports: Sequence[int]) -> tuple[list[str], dict[str, str], int, Path]:
    """Prepare Caddy with our file; the test sets only ports, and lets Caddy make the certificate."""
    port = free_port()
    (folder / "Caddyfile").write_text(
        f"{{\n admin off\n local_certs\n skip_install_trust\n auto_https disable_redirects\n"
        f" http_port {free_port()}\n https_port {port}\n storage file_system {folder / 'storage'}\n}}\n"
        f"import {DEPLOY / 'Caddyfile'}\n"
    )
    environment = {
        "SERVERS": " ".join(f"127.0.0.1:{each}" for each in ports),
        "HOME": str(folder),
    }
    command = [installed("caddy"), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    return command, environment, port, folder / "storage/pki/authorities/local/root.crt"


def nginx(folder: Path, ports: Sequence[int]) -> tuple[list[str], dict[str, str], int, Path]:
    """Prepare nginx with our file, but with other ports and another certificate."""
    port = free_port()
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        [
            *(
                installed("openssl"),
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
            ),
            *("-nodes", "-days", "2", "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"),
            *("-keyout", str(key), "-out", str(certificate)),
        ],
        check=True,
        capture_output=True,
    )
    text = (DEPLOY / "nginx.conf").read_text()
    letsencrypt = f"/etc/letsencrypt/live/{NAME}"
    for old, new in {
        "    listen [::]:80;\n": "",  # not every machine that runs tests has IPv6
        "    listen [::]:443 ssl http2;\n": "",
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "listen 443": f"listen 127.0.0.1:{port}",
        "127.0.0.1:8001": f"127.0.0.1:{ports[0]}",
        "127.0.0.1:8002": f"127.0.0.1:{ports[1]}",
        f"{letsencrypt}/fullchain.pem": str(certificate),
        f"{letsencrypt}/privkey.pem": str(key),
    }.items():
        assert old in text
        text = text.replace(old, new)
    (folder / "kingdomino.conf").write_text(text)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "\n".join(f"  {kind}_temp_path {folder / kind};" for kind in kinds)
    user = "user root;\n" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"{user}daemon off;\npid {folder / 'pid'};\nerror_log stderr;\nevents {{}}\n"
        f"http {{\n  access_log off;\n{temporary}\n  include {folder / 'kingdomino.conf'};\n}}\n"
    )
    command = [installed("nginx"), "-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf")]
    return command, {}, port, certificate


Prepare: TypeAlias = Callable[[Path, Sequence[int]], tuple[list[str], dict[str, str], int, Path]]
PROXIES: Final = [pytest.param(caddy, id="caddy"), pytest.param(nginx, id="nginx")]


@contextmanager
def running(prepare: Prepare, folder: Path, ports: Sequence[int]) -> Iterator[Proxy]:
    """Run a proxy with our configuration before servers at these ports."""
    command, environment, port, trusted = prepare(folder, ports)
    log = folder / "log"
    with log.open("w") as file:
        process = subprocess.Popen(command, env={**os.environ, **environment}, stdout=file, stderr=file)
    try:
        until_open(process, port, log)
        until(trusted.exists, log)
        yield Proxy(port, trusted)
    finally:
        process.terminate()
        process.wait(TIMEOUT)


@pytest.fixture(scope="module", params=PROXIES)
def proxy(
    request: pytest.FixtureRequest, hosts: tuple[Host, Host], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Proxy]:
    """Run a proxy before the servers."""
    with running(request.param, tmp_path_factory.mktemp("proxy"), [host.port for host in hosts]) as proxy:
        yield proxy


class Player:
    """A browser at a table behind a proxy; it reconnects as our page does."""

    def __init__(self, proxy: Proxy, client: httpx.AsyncClient) -> None:
        self._proxy, self._client = proxy, client

    async def ask(self, method: str, path: str, body: Any = None, **params: Any) -> Json:  # noqa: ANN401
        """Send a request that must succeed; repeat it if the end of a server cut it off."""
        answer = await self._client.request(method, path, json=body, params=params or None)
        async with asyncio.timeout(TIMEOUT):
            while answer.status_code in (502, 503):
                answer = await self._client.request(method, path, json=body, params=params or None)
                if answer.status_code == 409:  # the first attempt succeeded
                    return {}
        assert answer.is_success, f"{answer.status_code} {answer.text}"
        content: Json = answer.json()
        return content

    async def events(self, table: str) -> AsyncIterator[Json]:
        """Follow a table, with a new socket whenever one breaks."""
        number = 0
        while True:
            cookie = "; ".join(f"{name}={value}" for name, value in self._client.cookies.items())
            path = f"/api/tables/{table}/socket?after={number}"
            try:
                async with asyncio.timeout(TIMEOUT), self._proxy.socket(path, cookie) as opened:
                    async for event in _events(opened):
                        number = event["number"]
                        yield event
            except InvalidStatus as refused:
                if refused.response.status_code not in (502, 503):
                    raise
            except ConnectionClosed:
                pass

    async def turn(self, table: str, turn: Json) -> None:
        """Take the first choice."""
        path, ply = f"/api/tables/{table}/choices", turn["ply"]
        choices = await self.ask("GET", path, ply=ply)
        if choices["phase"] == "place":
            action = choices["placements"][0]["action"] if choices["placements"] else "discard"
        else:
            action = choices["claims"][0]["action"]
        await self.ask("POST", f"/api/tables/{table}/actions", {"ply": ply, "actions": [action]})


async def _events(opened: ClientConnection) -> AsyncIterator[Json]:
    async for text in opened:
        for event in json.loads(text).get("events", ()):
            yield event


async def test_a_game_survives_a_rolling_restart(proxy: Proxy, hosts: tuple[Host, Host]) -> None:
    async with proxy.client() as client, proxy.client() as other:
        ida, bo = Player(proxy, client), Player(proxy, other)
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]
        table = (await ida.ask("POST", "/api/tables", {"players": 2, "seats": seats}))["table"]["id"]
        watching = asyncio.create_task(_watched(bo, table))
        numbers, turns, stopping = [], 0, None
        async for event in ida.events(table):
            numbers.append(event["number"])
            turn = event.get("turn")
            if turn and turn["seat"] == 0:
                turns += 1
                await ida.turn(table, turn)
            if turns == 4 and stopping is None:
                stopping = asyncio.create_task(asyncio.to_thread(_restart, hosts))
            if event["kind"] == "deck_revealed":
                break
        assert stopping is not None
        await stopping
        assert numbers == list(range(1, len(numbers) + 1))
        assert await watching == numbers


async def _watched(player: Player, table: str) -> list[int]:
    numbers = []
    async for event in player.events(table):
        numbers.append(event["number"])
        if event["kind"] == "deck_revealed":
            break
    return numbers


def _restart(hosts: tuple[Host, Host]) -> None:
    for host in hosts:
        host.stop()
        host.start()
        host.wait()


async def test_the_proxy_passes_pages_and_the_host_cookie(proxy: Proxy) -> None:
    async with proxy.client() as client:
        page = await client.get("/")
        assert page.status_code == 200
        assert page.headers["strict-transport-security"] == f"max-age={YEAR}"
        cookie = page.headers["set-cookie"]
        assert cookie.startswith("__Host-kingdomino=")
        assert "; Secure" in cookie
        link = (await client.post("/api/me/link", json={})).json()
        assert link["url"].startswith(f"{proxy.origin}/you#link=")


@asynccontextmanager
async def lying(proxy: Proxy, **headers: str) -> AsyncIterator[httpx.AsyncClient]:
    """Make a client with false headers."""
    async with proxy.client() as client:
        client.headers.update({name.replace("_", "-"): value for name, value in headers.items()})
        yield client


async def test_a_client_cannot_pretend_to_lack_https(proxy: Proxy) -> None:
    async with lying(proxy, X_Forwarded_Proto="http", Forwarded="proto=http") as client:
        assert (await client.get("/")).headers["set-cookie"].startswith("__Host-")


async def test_a_client_cannot_forge_its_address(proxy: Proxy) -> None:
    statuses = []
    for number in range(8):  # two servers; each allows three
        address = f"192.0.2.{number}"
        async with lying(
            proxy, X_Forwarded_For=address, X_Real_IP=address, Forwarded=f"for={address}"
        ) as client:
            answer = await client.post("/api/code", json={"code": "no such code"})
            statuses.append(answer.status_code)
    assert 429 in statuses


async def test_a_client_cannot_choose_the_name_of_the_server(proxy: Proxy) -> None:
    async with lying(
        proxy, X_Forwarded_Host="evil.test", X_Forwarded_Port="1", Forwarded="host=evil.test"
    ) as client:
        link = (await client.post("/api/me/link", json={})).json()
        assert link["url"].startswith(f"{proxy.origin}/you#link=")
    async with lying(proxy, Host="evil.test") as client:
        answer = await client.get("/api/me")
        assert "set-cookie" not in answer.headers
        assert answer.status_code != 200 or not answer.content  # Caddy answers for unknown names, too


@contextmanager
def release(name: str) -> Iterator[int]:
    """Run a server of a release, with only the files of its own pages; yield its port."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.send_response(200 if self.path in ("/", f"/static/{name}/page.js") else 404)
            self.send_header("Content-Length", str(len(name)))
            self.end_headers()
            self.wfile.write(name.encode())

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_port
        finally:
            server.shutdown()


@pytest.mark.parametrize("prepare", PROXIES)
async def test_a_page_gets_its_files_while_servers_of_two_releases_run(
    prepare: Prepare, tmp_path: Path
) -> None:
    with release("old") as old, release("new") as new, running(prepare, tmp_path, [old, new]) as proxy:
        async with proxy.client() as client:
            for _ in range(10):
                page = (await client.get("/")).text
                assert (await client.get(f"/static/{page}/page.js")).text == page
            assert (await client.get("/static/older/page.js")).status_code == 404
