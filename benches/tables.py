"""Clients and a server process for `table_load`, `table_kill`, `scale` and `faults`.

Every table has four players: two people, who are clients in this process with separate cookies, and two of
the server's bots. Two more clients watch. Each of the four clients has a WebSocket. When a game is over they
play the next one. Reads /proc, so it needs Linux.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import random
import re
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias
from urllib.parse import quote
from urllib.request import urlopen

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException

import kingdomino as kd
from benches.run import machine

Json: TypeAlias = dict[str, Any]

ROOT = Path(__file__).parent.parent
EVIDENCE = ROOT / "docs" / "evidence" / "table.md"
SECTIONS = ("Load", "Hostile clients", "Killed")
_LEADING: Final = {
    "A move reaches the other clients of 500 tables within **{}** (p99)": (
        "Load",
        r"from a move posted to its event at the other clients, .*\| p99 ([\d.]+ ms)",
    ),
    "Without pauses the server stores **{} actions a second**": (
        "Load",
        r"durable actions, .*\| ([\d,]+) a second",
    ),
    "After **{}** of the server, nothing was lost, doubled or stuck": (
        "Killed",
        r"\*\*(\d+ kills)[^*]*Lost, doubled or stuck: nothing",
    ),
}
"""Where to find the three figures at the top of the page."""
_HEAD = """
Each section names the program that writes it. Server and clients are separate processes on one machine; the server is
`kingdomino serve --set limits.enforced=false` with an SQLite file.
"""
PLAYERS = 4
PEOPLE = 2
_BOTS: Sequence[Json] = ({"kind": "bot"},) * (PLAYERS - PEOPLE)
CLIENTS = 4
AT_ONCE = 10
"""How many tables to create together."""
_TIMEOUT = 60.0  # seconds for the server to answer or to end, on a busy machine
_STARTING = 300.0  # seconds for it to start
_KEEP_ALIVE = 2.0  # seconds after which a client no longer reuses an idle connection; the server allows 5
_RETRY = 0.02  # seconds until a disconnected client tries again
_LONGEST_FAULT = 300  # characters
_TICK = os.sysconf("SC_CLK_TCK")


class Server:
    """``kingdomino serve`` in its own process, without limits, on SQLite in ``folder`` or another database.

    With ``has_metrics``, ``commits`` counts its transactions. With ``command="worker"`` it is ``kingdomino worker``,
    which has no address. With ``code`` it runs the server of another checkout.
    """

    def __init__(
        self,
        folder: Path,
        pause: float,
        *,
        name: str = "server",
        url: str | None = None,
        command: Literal["serve", "worker"] = "serve",
        code: Path | None = None,
        has_metrics: bool = False,
    ) -> None:
        self.database = folder / "tables.db"
        self.log = folder / f"{name}.log"
        self.address = self._metrics = ""
        self._has_metrics = has_metrics
        self._command = [
            *(command, "--database", url or f"sqlite:///{self.database}"),
            *("--set", "limits.enforced=false", "--set", f"pause={pause}"),
            *(("--set", "port=0") if command == "serve" else ()),
            *(("--set", "metrics.port=0") if has_metrics else ()),
        ]
        self._environment = (
            dict(os.environ) if code is None else {**os.environ, "PYTHONPATH": f"{code}/python"}
        )
        self._process: Process | None = None

    async def start(self) -> None:
        """Start the process; `until_ready` waits for it."""
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-c",
                "from kingdomino.cli import main; raise SystemExit(main())",
                *self._command,
                stdout=PIPE,
                stderr=log,
                env=self._environment,
            )

    async def until_ready(self) -> None:
        """Wait until it prints its address; a worker prints that it is ready."""
        if self._process is None or self._process.stdout is None:
            raise AssertionError("the server was not started")
        async with asyncio.timeout(_STARTING):
            line = (await self._process.stdout.readline()).decode()
        if not line:
            raise SystemExit(f"the server did not start: {self.log.read_text()[-1000:]}")
        self.address = line.partition("http://")[2].strip().rstrip("/")
        if self._has_metrics:
            self._metrics = (await self._process.stdout.readline()).decode().partition(" at ")[2].strip()

    async def __aenter__(self) -> Server:
        await self.start()
        await self.until_ready()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.end(signal.SIGTERM)

    async def end(self, sign: signal.Signals) -> None:
        """Send a signal, and wait until the process is gone."""
        if self._process is not None:
            self.send(sign)
            process, self._process = self._process, None
            try:
                async with asyncio.timeout(_TIMEOUT):
                    await process.wait()
            except TimeoutError:
                process.kill()
                raise

    def send(self, sign: signal.Signals) -> None:
        """Send a signal if the process still runs."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.send_signal(sign)

    @property
    def memory(self) -> tuple[int, int]:
        """Its memory in bytes: the resident size and the proportional size (RSS and PSS)."""
        fields = {}
        for line in Path(f"/proc/{self._pid}/smaps_rollup").read_text().splitlines()[1:]:
            name, size, _ = line.split()
            fields[name] = int(size) * 1024
        return fields["Rss:"], fields["Pss:"]

    @property
    def seconds(self) -> float:
        """Its processor time in seconds."""
        return processor_seconds(self._pid)

    @property
    def commits(self) -> int:
        """How many transactions of it have written."""
        with urlopen(self._metrics, timeout=_TIMEOUT) as answer:
            [count] = re.findall(r'commit_seconds_count\{result="committed"\} (\S+)', answer.read().decode())
        return int(float(count))

    @property
    def complaints(self) -> list[str]:
        """The warnings and errors in its log."""
        lines = self.log.read_text().splitlines()
        return [line for line in lines if " level=" not in line or "level=info" not in line]

    @property
    def _pid(self) -> int:
        if self._process is None:
            raise AssertionError("the server is not running")
        return self._process.pid


class Http:
    """One client's HTTP connections, which it keeps alive like a browser, and its cookie.

    It does little, so that its own cost stays out of the measurement.
    """

    def __init__(self, play: Play, place: int = 0) -> None:
        self.cookie = ""
        self._play = play
        self._place = place
        self._idle: list[_Connection] = []

    @property
    def address(self) -> str:
        """The server that this client uses."""
        addresses = self._play.addresses
        return addresses[self._place % len(addresses)]

    def move(self, to: int | None = None) -> None:
        """Use this server from now on, by default the next."""
        self._place = self._place + 1 if to is None else to

    async def ask(self, method: str, path: str, body: Json | None = None) -> tuple[int, Any]:
        """Send a request and return the status and content of the answer. Raises `OSError` or `EOFError`.

        If the server is busy, repeat the request after the time that the server gives.
        """
        while True:
            connection = await self._connected()
            try:
                async with asyncio.timeout(self._play.longest_wait):
                    status, answer, headers = await self._ask(connection, method, path, body)
            except BaseException:
                connection.writer.close()
                raise
            if headers.get("connection") == "close":
                connection.writer.close()
            else:
                self._idle.append(connection._replace(used=time.monotonic()))
            if not _is_busy(status, answer):
                return status, answer
            await self._play.come_again(headers)

    def close(self) -> None:
        """Close all connections."""
        for connection in self._idle:
            connection.writer.close()
        self._idle.clear()

    async def _ask(
        self, connection: _Connection, method: str, path: str, body: Json | None
    ) -> tuple[int, Any, dict[str, str]]:
        content = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", f"host: {self.address}"]
        if self.cookie:
            lines.append(f"cookie: {self.cookie}")
        if body is not None:
            lines += ["content-type: application/json", f"content-length: {len(content)}"]
        connection.writer.write("\r\n".join([*lines, "", ""]).encode() + content)
        first, *rest = (await connection.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in rest)}
        if "set-cookie" in headers:
            self.cookie = headers["set-cookie"].partition(";")[0]
        answer = await connection.reader.readexactly(int(headers["content-length"]))
        is_json = headers.get("content-type") == "application/json"
        return int(first.split()[1]), json.loads(answer) if is_json else answer.decode(), headers

    async def _connected(self) -> _Connection:
        while self._idle:
            connection = self._idle.pop()
            idle = time.monotonic() - connection.used
            is_good = connection.life == self._play.life and connection.address == self.address
            if is_good and idle < _KEEP_ALIVE:
                return connection
            connection.writer.close()
        life, address = self._play.life, self.address
        host, _, port = address.rpartition(":")
        opened = await asyncio.open_connection(host, int(port))
        return _Connection(life, address, *opened, time.monotonic())


class _Connection(NamedTuple):
    life: int
    address: str
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    used: float


class Play:
    """The common state of all tables in a run: the servers' addresses, how people play, and the faults.

    ``think`` is a person's mean time for a turn in seconds; each turn takes 0.5 to 1.5 times as long. With
    ``looks`` people request their choices as the page does. They wait for ``begun``, and before every request
    for ``up``. ``life`` counts killed servers, and ``busy`` the requests that an overloaded server refused.
    After ``longest_wait`` seconds without an answer a client asks the next server. Benchmarks override the
    methods to measure.
    """

    longest_wait = _TIMEOUT

    def __init__(self, seed: int, think: float, *, looks: bool) -> None:
        self.addresses: list[str] = []
        self.think, self.looks = think, looks
        self.random = random.Random(seed)
        self.begun, self.up = asyncio.Event(), asyncio.Event()
        self.life = self.busy = 0
        self.faults: list[str] = []

    def fault(self, text: str) -> None:
        """Record a fault: something that must not happen."""
        self.faults.append(text if len(text) < _LONGEST_FAULT else f"{text[:_LONGEST_FAULT]}…")

    async def come_again(self, headers: Mapping[str, str]) -> None:
        """Count a request that a busy server refused, and wait for as long as the server says."""
        self.busy += 1
        await asyncio.sleep(float(headers["retry-after"]))

    async def thought(self) -> None:
        """Take a person's time for a turn."""
        if self.think:
            await asyncio.sleep(self.think * self.random.uniform(0.5, 1.5))

    def posted(self, table: str, ply: int, seat: int, actions: Sequence[str]) -> None:
        """Note that a client is about to send a turn."""

    def acknowledged(self, table: str, ply: int, number: int) -> None:
        """Note that the server has confirmed a turn."""

    def refused(self, table: str, ply: int, refusal: str, *, again: bool) -> None:
        """Record the refusal of a turn. With ``again`` the client had sent it before, without an answer."""
        self.fault(f"{table}, ply {ply}{' again' if again else ''}: {refusal}")

    def received(self, client: Client, event: Json, at: float) -> None:
        """Note that an event reached a client at this time (`time.perf_counter`)."""

    def disconnected(self, what: str, life: int) -> None:
        """Record a broken connection, unless the server of this life is gone."""
        if life == self.life and self.up.is_set():
            self.fault(what)

    def is_sent_again(self, status: int, answer: object) -> bool:
        """Return whether a client repeats the request at the next server after this answer."""
        del status, answer
        return False


class Client:
    """One of a table's four clients: follows its events, and plays if it has a ``seat``."""

    def __init__(self, table: Table, place: int) -> None:
        self.table, self.place = table, place
        self.http = Http(table.play, place)
        self.seat: int | None = None
        self.presence: Json = {"seats": (), "watching": 0}
        self._socket: ClientConnection | None = None
        self._is_moving = False
        self.begin()

    def begin(self) -> None:
        """Reset for a new game."""
        self.number = 0
        self._kingdom = kd.Kingdom()
        self._free: list[int] = []

    async def move(self, to: int) -> None:
        """Use another server from now on, as if a proxy had chosen it."""
        self.http.move(to)
        if self._socket is not None:
            self._is_moving = True
            await self._socket.close()

    async def follow(self) -> None:
        """Follow the table's socket, and reconnect if it breaks, to the next server."""
        play = self.table.play
        while True:
            await play.up.wait()
            life = play.life
            self._is_moving = False
            url = f"ws://{self.http.address}/api/tables/{self.table.id}/socket?after={self.number}"
            headers = {"cookie": self.http.cookie}
            try:
                async with connect(
                    url,
                    additional_headers=headers,
                    compression=None,
                    max_queue=None,
                    ping_interval=None,
                    proxy=None,
                    open_timeout=_TIMEOUT,
                ) as socket:
                    self.table.following += 1
                    self._socket = socket
                    try:
                        async for text in socket:
                            self._read(text)
                    finally:
                        self._socket = None
                        self.table.following -= 1
                if self._is_moving:
                    continue
                play.disconnected(f"{self.table.id}: the socket was closed", life)
            except InvalidStatus as error:
                response = error.response
                if _is_busy(response.status_code, response.body):
                    await play.come_again(response.headers)
                    continue
                play.disconnected(f"{self.table.id}: no socket: {error!r}", life)
            except (OSError, EOFError, WebSocketException) as error:
                play.disconnected(f"{self.table.id}: the socket broke: {error!r}", life)
            self.http.move()
            await asyncio.sleep(_RETRY)

    def _read(self, text: str | bytes) -> None:
        at = time.perf_counter()
        message = json.loads(text)
        if message["type"] == "snapshot":
            self.table.play.fault(f"{self.table.id}: a snapshot instead of what came after {self.number}")
        elif message["type"] == "presence":
            self.presence = message
        turn = None
        for event in message.get("events", ()):
            if event["number"] != self.number + 1:
                self.table.play.fault(f"{self.table.id}: {event['number']} came after {self.number}")
            self.number = event["number"]
            self.table.play.received(self, event, at)
            self._take(event)
            turn = event.get("turn", turn)
        if turn is not None and turn["seat"] == self.seat and self.table.is_open(turn):
            self.table.spawn(self._play(turn))

    def _take(self, event: Json) -> None:
        match event["kind"]:
            case "revealed":
                self._free = list(event["line"])
            case "claimed":
                self._free.remove(event["domino"])
            case "placed" if event["seat"] == self.seat:
                placement = kd.Placement(tuple(event["left"]), tuple(event["right"]))
                self._kingdom = self._kingdom.place(event["domino"], placement)
            case "deck_revealed" if self.place == 0:
                self.table.spawn(self.table.again())

    async def ask(self, method: str, path: str, body: Json | None = None) -> tuple[int, Any, bool]:
        """Send a request until the server answers. The last value says whether it took several attempts."""
        play, again = self.table.play, False
        while True:
            await play.up.wait()
            life = play.life
            try:
                status, answer = await self.http.ask(method, path, body)
                if not play.is_sent_again(status, answer):
                    return status, answer, again
            except (OSError, EOFError) as error:
                play.disconnected(f"{self.table.id}: {method} {path}: {error!r}", life)
            self.http.move()
            again = True
            await asyncio.sleep(_RETRY)

    async def _play(self, turn: Json) -> None:
        play, table, ply = self.table.play, self.table.id, turn["ply"]
        path = f"/api/tables/{table}"
        await play.begun.wait()
        await play.thought()
        actions = list(self._actions(turn))
        if play.looks:
            await self.ask("GET", f"{path}/choices?ply={ply}")
            if len(actions) > 1:
                await self.ask("GET", f"{path}/choices?ply={ply}&after={quote(actions[0])}")
        play.posted(table, ply, turn["seat"], actions)
        status, answer, again = await self.ask("POST", f"{path}/actions", {"ply": ply, "actions": actions})
        if status == 200:
            play.acknowledged(table, ply, answer["number"])
        else:
            play.refused(table, ply, f"{status} {answer}", again=again)

    def _actions(self, turn: Json) -> Iterator[str]:
        """Yield the actions of a random legal turn: a claim, or a placement and its claim."""
        chance = self.table.play.random
        if turn["phase"] == "place":
            placements = self._kingdom.placements(turn["domino"])
            yield str(kd.Action.place(chance.choice(placements)) if placements else kd.Action.discard())
        if self._free:
            yield str(kd.Action.claim(chance.choice(self._free)))


class Table:
    """A table and its four clients, with these bots. People stop playing in the round ``halt_at``."""

    def __init__(self, play: Play, halt_at: int | None = None, bots: Sequence[Json] = _BOTS) -> None:
        self.play, self.halt_at, self._bots = play, halt_at, bots
        self.id = ""
        self.ids: list[str] = []
        self.following = 0
        self.halted = asyncio.Event()
        self.clients = [Client(self, place) for place in range(CLIENTS)]
        self._tasks: set[asyncio.Task[None]] = set()
        self._followers: list[asyncio.Task[None]] = []

    async def create(self) -> None:
        """Create the table, take the seats, and follow it."""
        for client in self.clients:
            await client.http.ask("GET", "/api/me")
        host, friend = (client.http for client in self.clients[:PEOPLE])
        seats = [{"kind": "me"}, {"kind": "invited"}, *self._bots]
        wish = {"players": PLAYERS, "seconds": None, "seats": seats}
        status, seen = await host.ask("POST", "/api/tables", wish)
        if status != 201:
            return self.play.fault(f"a table could not be created: {status} {seen}")
        self.id = seen["table"]["id"]
        secret = seen["you"]["invites"][0]["secret"]
        status, seen = await friend.ask("POST", f"/api/tables/{self.id}/seats", {"secret": secret})
        if status != 200:
            return self.play.fault(f"{self.id}: the second player got no seat: {status} {seen}")
        for seat in range(PEOPLE):
            self.clients[seat].seat = seat
        return self._follow()

    async def again(self) -> None:
        """Play the next game at a new table."""
        for client in self.clients[:PEOPLE]:
            path = f"/api/tables/{self.id}/rematch"
            status, answer, _ = await client.ask("POST", path, {"wish": True})
            if status != 200:
                return self.play.fault(f"{self.id}: no rematch: {status} {answer}")
        for follower in self._followers:
            follower.cancel()
        await asyncio.gather(*self._followers, return_exceptions=True)
        self.id = answer["table"]["rematch"]
        for client in self.clients:
            client.begin()
        return self._follow()

    def is_open(self, turn: Json) -> bool:
        """Return whether people still play in this round."""
        if self.halt_at is not None and turn["round"] >= self.halt_at:
            self.halted.set()
            return False
        return True

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a task in the background."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    async def leave(self) -> None:
        """Disconnect all clients."""
        tasks = [*self._tasks, *self._followers]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for client in self.clients:
            client.http.close()

    def _follow(self) -> None:
        self.ids.append(self.id)
        self._followers = [asyncio.create_task(client.follow()) for client in self.clients]
        for task in self._followers:
            task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            self.play.fault(f"{self.id}: a client failed: {error!r}")


async def create_all(tables: Sequence[Table], step: Callable[[], object]) -> None:
    """Create tables, a few at a time; call ``step`` after each."""
    for start in range(0, len(tables), AT_ONCE):
        some = tables[start : start + AT_ONCE]
        await asyncio.gather(*(table.create() for table in some))
        for _ in some:
            step()


def _is_busy(status: int, answer: Any) -> bool:  # noqa: ANN401  (an answer, or its bytes)
    """Return whether a server refused because it is busy. It may also answer 503 because of its storage."""
    if status != HTTPStatus.SERVICE_UNAVAILABLE:
        return False
    body: Json = json.loads(answer) if isinstance(answer, (bytes, bytearray)) else answer
    code: str = body["code"]
    return code == "busy"


def percentile(figures: Sequence[float], percent: float) -> float:
    """Return the smallest figure that this many percent of all figures do not exceed; NaN without figures."""
    ordered = sorted(figures) or [math.nan]
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


def _file_system(folder: Path) -> str:
    """Return the type of a folder's file system."""
    mounts = [line.split()[1:3] for line in Path("/proc/mounts").read_text().splitlines()]
    around = [(len(point), kind) for point, kind in mounts if folder.resolve().is_relative_to(point)]
    return max(around, default=(0, "an unknown file system"))[1]


def processor_seconds(pid: int) -> float:
    """Return the processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICK


def machine_seconds() -> float:
    """Return the processor time of all processes on this machine."""
    fields = Path("/proc/stat").read_text().split(maxsplit=9)[1:9]
    user, nice, system, _idle, _waiting, *interrupts = map(int, fields)
    return (user + nice + system + sum(interrupts)) / _TICK


def surroundings(folder: Path) -> str:
    """Describe the machine and its load."""
    busy = os.getloadavg()[0]
    return f"- machine: {machine()}; load before {busy:.1f}; the database on {_file_system(folder)}"


def write_section(title: str, lines: Sequence[str]) -> None:
    """Replace a section of the page in docs/evidence. Keep the other sections and the text below the rule."""
    page, rule, kept = (EVIDENCE.read_text() if EVIDENCE.exists() else "").partition("\n---\n")
    sections = dict(section.split("\n", 1) for section in f"\n{page}".split("\n## ")[1:])
    sections[title] = "\n".join(["", *lines, ""])
    body = "".join(f"\n## {name}\n{sections[name].rstrip()}\n" for name in SECTIONS if name in sections)
    found = {words: re.search(figure, sections.get(name, "")) for words, (name, figure) in _LEADING.items()}
    lead = "".join(f"- {words.format(match[1])}\n" for words, match in found.items() if match)
    EVIDENCE.write_text(f"# The table\n\n{lead}{_HEAD}{body}{rule}{kept}")
