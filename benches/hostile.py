"""Measures how long innocent clients wait while hostile ones send small but costly inputs.

Part of `benches.table_load`; `python -m benches.table_load --hostile` measures it alone. With
``--before CHECKOUT`` the server of another checkout, already built, takes turns with this one. The inputs are
the worst that we know a server accepts. Add a new route, or a longer list in a body, here.
"""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import time
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, NamedTuple

import kingdomino as kd
from benches.tables import Http, Play, Server
from kingdomino.server.http import release

_TIMES: Final = 5
"""How often to send each input, after once to warm up. The report gives the median of the longest waits."""
INPUTS: Final = 20
_TABLES: Final = _TIMES + 1
"""Finished Dynasties."""
_IMPORTED: Final = 800
"""Games in the list of a person with a long history."""
_BOTS: Final = 1200
"""Games in the list of another person, each against a different bot."""
_AT_ONCE: Final = 40
"""Records in one request."""
_MOVING: Final = 3
"""How often to delete or move an identity, after once to warm up."""
_OWN: Final = 50
"""Waiting tables of such an identity."""
_PAUSE: Final = 0.002  # seconds between an answer and the next request of an innocent client
_SETTLE: Final = 0.05
_RECORD: Final = 49_000  # characters of a record; the server takes 50,000
_RANDOM: Final = random.Random(1)
_ABOUT: Final = (
    f"Two innocent clients ask again {_PAUSE * 1e3:g} ms after each answer: one for `/health`, which needs the event",
    "loop alone, and one for its table, which needs the database too. Milliseconds: the longest wait of each while",
    f"the input was handled, and the server's processor time; medians of {_TIMES} times. A client may keep the event",
    "loop for 50 ms.",
)


class Answer(NamedTuple):
    """The status of an answer, its cookie, and its raw body."""

    status: int
    cookie: str
    body: bytes

    @property
    def json(self) -> Any:  # noqa: ANN401
        """The body."""
        return json.loads(self.body)


class Waits(NamedTuple):
    """The longest waits during one input, in milliseconds, and the server's processor time."""

    loop: float
    player: float
    processor: float


@dataclass(frozen=True)
class Input:
    """A client's input; ``send`` gets the number of the repetition."""

    name: str
    send: Callable[[int], Awaitable[Answer]]
    status: int = HTTPStatus.OK
    times: int = _TIMES


class Past(NamedTuple):
    """A server's past: the cookies of two people, of hosts with tables, and the ids of finished Dynasties."""

    long: str
    many: str
    hosts: Sequence[str]
    tables: Sequence[str]


class Client:
    """A client with one connection for each request."""

    def __init__(self, address: str, cookie: str = "") -> None:
        self.address, self.cookie = address, cookie

    async def send(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Send a request and read the answer to its end."""
        host, _, port = self.address.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        fields = {
            "host": self.address,
            "connection": "close",
            "content-type": "application/json",
            "content-length": str(len(body)),
            "cookie": self.cookie,
            **(headers or {}),
        }
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        parts = [part async for part in _parts(reader)]
        writer.close()
        given = head.lower().partition("set-cookie: ")[2]
        start = len(head) - len(given)
        cookie = head[start:].partition(";")[0] if given else ""
        self.cookie = cookie or self.cookie
        return Answer(int(head.split(" ", 2)[1]), cookie, b"".join(parts))

    async def get(self, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        """Send a GET request."""
        return await self.send("GET", path, headers=headers)

    async def post(self, path: str, body: object) -> Answer:
        """Send a POST request with JSON, or with bytes that are JSON."""
        return await self.send("POST", path, body if isinstance(body, bytes) else json.dumps(body).encode())


async def _make_past(folder: Path, code: Path | None) -> Past:
    """Let two people collect games, and play Dynasties."""
    async with Server(folder, pause=0, code=code) as server:
        long, many = Client(server.address), Client(server.address)
        await asyncio.gather(long.get("/api/me"), many.get("/api/me"))
        for start in range(0, _IMPORTED, _AT_ONCE):
            await _good(long.post("/api/me/games", _to_keep(range(start, start + _AT_ONCE))))
        for start in range(0, _BOTS, _AT_ONCE):
            await _good(many.post("/api/me/games", _against_bots(range(start, start + _AT_ONCE))))
        played = [await _dynasty(long) for _ in range(_TABLES)]
        hosts = [await _host(server.address) for _ in range(2 * (_MOVING + 1))]
    return Past(long.cookie, many.cookie, hosts, played)


async def measure(folder: Path, code: Path | None, step: Callable[[], object]) -> dict[str, Waits]:
    """Send every input to a server with a past of its own, from the checkout ``code``."""
    folder.mkdir()
    past = await _make_past(folder, code)
    found: dict[str, Waits] = {}
    async with Server(folder, pause=0, code=code) as server:
        play = Play(1, 0, looks=False)
        play.addresses = [server.address]
        play.up.set()
        player = Http(play)
        _, seen = await player.ask("POST", "/api/tables", {"seats": [{"kind": "me"}, {"kind": "open"}]})
        table = f"/api/tables/{seen['table']['id']}"
        for one in inputs(server.address, past):
            found[one.name] = await _measured(one, server, Http(play), player, table)
            step()
    return found


def inputs(address: str, past: Past) -> Iterator[Input]:
    """List the inputs."""
    anyone, long, many = Client(address), Client(address, past.long), Client(address, past.many)
    unknown = json.dumps({f"{number:x}": 0 for number in range(5500)}).encode()
    bad = HTTPStatus.UNPROCESSABLE_ENTITY

    async def nothing(_: int) -> Answer:
        await asyncio.sleep(0.2)
        return Answer(200, "", b"")

    def posts(path: str, *bodies: bytes) -> Callable[[int], Awaitable[Answer]]:
        return lambda time: anyone.post(path, bodies[time % len(bodies)])

    def gets(path: str) -> Callable[[int], Awaitable[Answer]]:
        return lambda time: anyone.get(path.format(past.tables[time]))

    yield Input("nothing", nothing)
    for path in ("/api/tables", "/api/code"):
        yield Input(f"5,500 unknown keys, `{path}`", posts(path, unknown), bad)
    yield Input("21,000 seats", posts("/api/tables", _list("seats", "{}", 21_000)), bad)
    yield Input("31,000 records", posts("/api/me/games", _list("records", "0", 31_000)), bad)
    tags = json.dumps({"record": _with_tags()}).encode()
    yield Input("a record with 49 KB of tags, `/api/records`", posts("/api/records", tags))
    faulty = json.dumps({"position": _faulty(), "seats": [{"kind": "me"}] * 2}).encode()
    yield Input("a position of 950 characters, 8,600 faults", posts("/api/tables", faulty), bad)
    records = [_to_keep(range(start, start + _AT_ONCE)) for start in range(10**6, 10**6 + 600, 100)]
    yield Input(f"{_AT_ONCE} records to keep", posts("/api/me/games", *records), HTTPStatus.CREATED)
    yield Input("a passkey with a long decimal number", lambda _: _passkey(anyone), HTTPStatus.FORBIDDEN)
    yield Input("a Dynasty that is not in memory", gets("/api/tables/{}"))
    yield Input("its events", gets("/api/tables/{}/events"))
    yield Input("its third record", gets("/api/tables/{}/record?game=3"))
    yield Input("its second picture", gets("/api/tables/{}/picture?game=2"))
    files = sorted(release.STATIC.rglob("*.js"), key=lambda file: -file.stat().st_size)
    names = [file.relative_to(release.STATIC) for file in files]
    coded = {"accept-encoding": "br"}
    yield Input("a file that nobody has read", lambda time: anyone.get(f"/static/{names[time]}", coded))
    yield Input(f"sums of {_BOTS} games with as many bots", lambda _: many.get("/api/me/statistics"))
    games = _IMPORTED + len(past.tables)
    yield Input(f"`me/records` of {games} games", lambda _: long.get("/api/me/records"), times=3)
    yield Input(f"`me/data` of {games} games", lambda _: long.get("/api/me/data"), times=3)
    going, moving = ([Client(address, cookie) for cookie in past.hosts[part::2]] for part in range(2))
    yield Input(f"`me/tables` of {_OWN} tables", lambda _: going[0].get("/api/me/tables"))
    yield Input(
        f"{_OWN} tables move to another device's owner", lambda time: _join(moving[time], long), times=_MOVING
    )
    yield Input(
        f"`me/forget` of {_OWN} tables", lambda time: going[time].post("/api/me/forget", {}), times=_MOVING
    )


def report(found: Mapping[str, Mapping[str, Waits]]) -> Iterator[str]:
    """Write the results of several servers, each under its name, as a table in milliseconds."""
    yield from _ABOUT
    yield ""
    names = [f"{what}, {server}" for what in ("`/health`", "a table", "processor") for server in found]
    yield f"| beside | {' | '.join(names)} |"
    yield "|---|" + "---|" * len(names)
    for name in next(iter(found.values())):
        figures = zip(*(waits[name] for waits in found.values()), strict=True)
        yield f"| {name} | {' | '.join(f'{figure:.0f}' for each in figures for figure in each)} |"


async def _measured(one: Input, server: Server, loop: Http, player: Http, table: str) -> Waits:
    found: list[Waits] = []
    for time_ in range(one.times + 1):
        waits: dict[str, list[float]] = {"/health": [], table: []}
        is_over = asyncio.Event()
        clients = ((loop, "/health"), (player, table))
        pinging = [asyncio.create_task(_ping(http, path, waits[path], is_over)) for http, path in clients]
        await asyncio.sleep(_SETTLE)
        for each in waits.values():
            each.clear()
        processor = server.seconds
        answer = await one.send(time_)
        await asyncio.sleep(_SETTLE)
        taken = server.seconds - processor
        is_over.set()
        await asyncio.gather(*pinging)
        if answer.status != one.status:
            raise SystemExit(f"{one.name}: {answer.status} {answer.body[:300]!r}")
        found.append(Waits(*(1e3 * figure for figure in (max(waits["/health"]), max(waits[table]), taken))))
    loop.close()
    return Waits(*map(statistics.median, zip(*found[1:], strict=True)))


async def _ping(http: Http, path: str, waits: list[float], is_over: asyncio.Event) -> None:
    """Request a path again and again, and record how long each answer takes."""
    while not is_over.is_set():
        begin = time.perf_counter()
        await http.ask("GET", path)
        waits.append(time.perf_counter() - begin)
        await asyncio.sleep(_PAUSE)


async def _good(answer: Awaitable[Answer]) -> Answer:
    given = await answer
    if given.status >= HTTPStatus.BAD_REQUEST:
        raise SystemExit(f"{given.status} {given.body[:300]!r}")
    return given


async def _parts(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while part := await reader.read(2**16):
        yield part


async def _host(address: str) -> str:
    """Open tables, and return the cookie of their host."""
    host = Client(address)
    for _ in range(_OWN):
        await _good(host.post("/api/tables", {"seats": [{"kind": "me", "name": "Ida"}, {"kind": "invited"}]}))
    return host.cookie


async def _join(client: Client, other: Client) -> Answer:
    """Become another person by a link, and take the tables along."""
    made = await _good(other.post("/api/me/link", {}))
    secret = made.json["url"].partition("#link=")[2]
    return await client.post("/api/link", {"secret": secret, "join": True})


async def _dynasty(client: Client) -> str:
    """Play a Dynasty of the Mighty Duel alone, at random."""
    wish = {"players": 2, "mighty_duel": True, "dynasty": "total", "seats": [{"kind": "me"}] * 2}
    table = (await _good(client.post("/api/tables", wish))).json["table"]
    path = f"/api/tables/{table['id']}"
    while table["state"] != "over":
        if table["state"] == "between":
            await _good(client.post(f"{path}/next", {}))
        elif table["state"] == "playing":
            ply = table["turn"]["ply"]
            choices = (await _good(client.get(f"{path}/choices?ply={ply}"))).json
            actions = [choice["action"] for choice in choices["placements"] + choices["claims"]]
            action = _RANDOM.choice(actions or ["discard"])
            await _good(client.post(f"{path}/actions", {"ply": ply, "actions": [action]}))
        else:
            await asyncio.sleep(_PAUSE)
        table = (await _good(client.get(path))).json["table"]
    return str(table["id"])


def _game(seed: int, rules: kd.Rules | None = None) -> kd.Game:
    game, chance = kd.Game(rules or kd.Rules(), seed=seed), random.Random(seed)
    while not game.is_over:
        game.play(chance.choice(game.legal_actions()))
    return game


def _to_keep(seeds: Sequence[int]) -> bytes:
    texts = [kd.Record.from_game(_game(seed)).to_text() for seed in seeds]
    return json.dumps({"records": [{"text": text, "seat": 0} for text in texts]}).encode()


def _against_bots(seeds: Sequence[int]) -> bytes:
    game = _game(0)
    texts = [kd.Record.from_game(game, tags={"bot-1": f"bot-{seed}"}).to_text() for seed in seeds]
    return json.dumps({"records": [{"text": text, "seat": 0} for text in texts]}).encode()


def _list(key: str, item: str, length: int) -> bytes:
    return f'{{"{key}":[{",".join([item] * length)}]}}'.encode()


def _faulty() -> str:
    return f"kd1 2.second.random.duel 1 claim:0 1@0,2@1 - {','.join(['1-48'] * 180)} C;C"


def _with_tags() -> str:
    game = _game(0, kd.Rules(mighty_duel=True))
    tags = {f"{number:x}": "1" for number in range(4300)}
    text = kd.Record.from_game(game, tags=tags).to_text()
    if len(text) > _RECORD:
        raise AssertionError(f"the record has {len(text)} characters")
    return text


async def _passkey(client: Client) -> Answer:
    """Make a passkey whose attestation is a decimal number in CBOR: 10^65536 times a number of 20,000 bytes."""
    options = (await client.post("/api/me/passkeys/options", {})).json["options"]
    data = {
        "type": "webauthn.create",
        "challenge": options["challenge"],
        "origin": f"http://{client.address}",
    }
    decimal = b"\xc4\x82\x1a\x00\x01\x00\x00\xc2\x59" + (20_000).to_bytes(2, "big") + b"\xff" * 20_000
    response = {"clientDataJSON": _coded(json.dumps(data).encode()), "attestationObject": _coded(decimal)}
    credential = {"id": "aaaa", "rawId": "aaaa", "type": "public-key", "response": response}
    return await client.post("/api/me/passkeys", {"credential": credential})


def _coded(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")
