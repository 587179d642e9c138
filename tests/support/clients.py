"""Clients of a server in the test's own process: they speak HTTP and WebSockets without a network.

A client has its own cookies, as a browser has. Tests wait for messages, never for a time.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import asynccontextmanager
from functools import cache
from types import TracebackType
from typing import Any, Self, TypeAlias

import httpx
from fastapi import FastAPI
from fastapi.routing import APIRoute, iter_route_contexts
from pydantic import TypeAdapter
from starlette.routing import BaseRoute

from kingdomino.server.http.app import create_app
from kingdomino.server.settings import Settings
from kingdomino.server.tables.core import clock
from kingdomino.server.tables.core.registry import Registry

Json: TypeAlias = dict[str, Any]
Pick: TypeAlias = Callable[[list[Json]], Json]

HOST = "server.localhost"
TIMEOUT = 60.0
"""Seconds after which a missing message fails the test."""

_ROUTES: list[BaseRoute] = []
"""The first application's routes, shared by all: FastAPI would take a third of a test's time to make them."""


@asynccontextmanager
async def opened(settings: Settings, clock: Clock | None = None) -> AsyncIterator[Server]:
    """Run a server, and shut it down at the end as on SIGTERM."""
    app = create_app(settings, clock)
    if not _ROUTES:
        _ROUTES.extend(app.router.routes)
    app.router.routes[:] = _ROUTES
    lifespan = app.router.lifespan_context(app)
    # The traceback of a timeout says what did not begin or end.
    async with asyncio.timeout(TIMEOUT):
        await lifespan.__aenter__()
    try:
        yield Server(app)
    finally:
        async with asyncio.timeout(TIMEOUT):
            await lifespan.__aexit__(None, None, None)


def changed(settings: Settings, **values: object) -> Settings:
    """Return the same settings with some other values."""
    return Settings(**{**dict(settings), **values})


def bodies() -> Iterator[tuple[str, TypeAdapter[Any]]]:
    """Yield the path of each route with a body, and the type of the body."""
    for context in iter_route_contexts(create_app(Settings()).routes):
        route = context.original_route
        if isinstance(route, APIRoute) and route.body_field is not None:
            annotation: Any = route.body_field.field_info.annotation
            yield route.path, TypeAdapter(annotation)


class Server:
    """A running server."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app

    @property
    def registry(self) -> Registry:
        """The registry behind the routes."""
        registry: Registry = self.app.state.registry
        return registry

    def client(self, cookies: Mapping[str, str] | None = None, address: str = "127.0.0.1") -> Client:
        """Make a client: a new browser, or a browser with cookies."""
        return Client(self.app, cookies or {}, address)


class Client:
    """A browser, or a program."""

    def __init__(self, app: FastAPI, cookies: Mapping[str, str], address: str = "127.0.0.1") -> None:
        self._app, self.address = app, address
        self._root: str = app.state.root_path
        jar = httpx.Cookies()
        for name, value in cookies.items():
            jar.set(name, value, HOST)
        self._http = httpx.AsyncClient(
            transport=httpx.ASGITransport(app, client=(address, 50000)),
            base_url=f"http://{HOST}{self._root}",
            cookies=jar,
        )

    @property
    def cookies(self) -> dict[str, str]:
        """The browser's cookies."""
        return dict(self._http.cookies)

    async def send(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        params: Mapping[str, Any] | None = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """Send a request with a JSON body or any content, whatever the answer.

        A refusal must be in the OpenAPI document.
        """
        answer = await self._http.request(
            method, path, json=body, params=params or None, content=content, headers=headers
        )
        if answer.is_error:
            check_documented(answer)
        return answer

    async def get(self, path: str, **params: object) -> Json:
        """Send a GET request that must succeed."""
        return _good(await self.send("GET", path, params=params))

    async def post(self, path: str, body: object = None) -> Json:
        """Send a POST request that must succeed."""
        return _good(await self.send("POST", path, {} if body is None else body))

    async def refused(self, method: str, path: str, body: object = None, **params: object) -> tuple[int, str]:
        """Send a request that the server must refuse; return the status and the code."""
        return refusal(await self.send(method, path, body, params=params))

    async def create(self, *seats: str | Json, **wishes: object) -> str:
        """Create a table with these seats (kinds, or whole objects) and return its id."""
        wanted = [{"kind": seat} if isinstance(seat, str) else seat for seat in seats]
        players = max(2, len(wanted))
        created = await self.post("/api/tables", {"players": players, "seats": wanted, **wishes})
        table: str = created["table"]["id"]
        return table

    async def table(self, table: str) -> Json:
        """Read a table."""
        seen: Json = (await self.get(f"/api/tables/{table}"))["table"]
        return seen

    async def you(self, table: str) -> Json:
        """Read this client's role at a table."""
        seen: Json = (await self.get(f"/api/tables/{table}"))["you"]
        return seen

    async def events(self, table: str, after: int = 0) -> list[Json]:
        """Read the events of a table."""
        events: list[Json] = (await self.get(f"/api/tables/{table}/events", after=after))["events"]
        return events

    async def act(self, table: str, ply: int, *actions: str) -> int:
        """Play actions, and return the number of the last event."""
        number: int = (await self.post(f"/api/tables/{table}/actions", {"ply": ply, "actions": actions}))[
            "number"
        ]
        return number

    async def turn(self, table: str, turn: Json, pick: Pick = lambda choices: choices[0]) -> list[str]:
        """Choose a whole turn from the server's offers, play it, and return its actions."""
        path, ply = f"/api/tables/{table}/choices", turn["ply"]
        choices = await self.get(path, ply=ply)
        actions: list[str] = []
        if choices["phase"] == "place":
            actions.append(pick(choices["placements"])["action"] if choices["placements"] else "discard")
            after = await self.send("GET", path, params={"ply": ply, "after": actions[0]})
            if after.is_success and after.json()["seat"] == turn["seat"]:
                choices = after.json()
        if choices["phase"] == "claim":
            actions.append(pick(choices["claims"])["action"])
        await self.act(table, ply, *actions)
        return actions

    async def play(self, table: str, until: Callable[[Json], bool] | None = None) -> list[Json]:
        """Play all of this client's turns to the end of the game, or until ``until`` holds for a turn.

        Returns the events of the whole table up to there.
        """
        mine = set((await self.you(table))["seats"])
        async with self.follow(table, after=0) as socket:
            while True:
                turn = await socket.until_turn(*mine)
                if turn is None or (until is not None and until(turn)):
                    return socket.events
                await self.turn(table, turn)

    def follow(self, table: str, after: int | None = None, **headers: str) -> Socket:
        """Follow a table: ``async with client.follow(table) as socket``."""
        query = "" if after is None else f"after={after}"
        path = f"{self._root}/api/tables/{table}/socket"
        return Socket(self._app, path, query, self._headers(headers), self.address)

    def _headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"host": HOST, **({"cookie": cookies} if cookies else {}), **headers}


class Socket:
    """The client's end of a WebSocket. Entering it waits for the first message, but does not read it.

    Attributes:
        messages: all messages read so far.
        events: the events among them, in order.
        closed: the code with which the server closed the socket.
        refusal: the status with which the server refused to open it.
    """

    def __init__(
        self, app: FastAPI, path: str, query: str, headers: Mapping[str, str], address: str = "127.0.0.1"
    ) -> None:
        self._app = app
        self._scope = {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "scheme": "ws",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": (address, 50000),
            "server": (HOST, 80),
            "subprotocols": [],
            "extensions": {"websocket.http.response": {}},
        }
        self._to_server: asyncio.Queue[Json] = asyncio.Queue()
        self._from_server: asyncio.Queue[Json] = asyncio.Queue()
        self._reading = asyncio.Event()
        self._reading.set()
        self.messages: list[Json] = []
        self.events: list[Json] = []
        self._first: Json | None = None
        self._turn: Json | None = {"ply": -1, "seat": None}
        self._answered = -1
        self.closed: int | None = None
        self.refusal: int | None = None

    async def __aenter__(self) -> Self:
        self.task = asyncio.create_task(self._app(self._scope, self._to_server.get, self._take))
        self._to_server.put_nowait({"type": "websocket.connect"})
        answer = await self._next()
        if answer["type"] == "websocket.http.response.start":
            self.refusal = answer["status"]
        elif answer["type"] == "websocket.close":
            self.closed = answer["code"]
        else:
            self._first = await self._next()  # from now on the server sends every event
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.read_on()
        self._to_server.put_nowait({"type": "websocket.disconnect", "code": 1001})
        async with asyncio.timeout(TIMEOUT):
            await self.task

    def say(self, text: str) -> None:
        """Send a message, which the server ignores."""
        self._to_server.put_nowait({"type": "websocket.receive", "text": text})

    def stop_reading(self) -> None:
        """Stop reading: from now on the server's sends wait."""
        self._reading.clear()

    def read_on(self) -> None:
        """Read again."""
        self._reading.set()

    async def message(self) -> Json:
        """Read the next message."""
        answer = await self._next()
        assert answer["type"] == "websocket.send", answer
        message: Json = json.loads(answer["text"])
        self.messages.append(message)
        self.events += message.get("events", [])
        if message.get("type") == "snapshot" and message["table"]["game"]:
            self._turn = message["table"]["turn"]
        for event in message.get("events", []):
            self._turn = event.get("turn", self._turn)
        return message

    async def until(self, is_it: Callable[[Json], object]) -> Json:
        """Read messages until one satisfies the condition."""
        while not is_it(message := await self.message()):
            pass
        return message

    async def until_event(self, *kinds: str) -> Json:
        """Read messages until a new event of one of these kinds arrives."""
        known = len(self.events)
        while True:
            for event in self.events[known:]:
                if event["kind"] in kinds:
                    return event
            known = len(self.events)
            await self.message()

    async def until_turn(self, *seats: int) -> Json | None:
        """Read until one of these seats has a new turn, and return it; `None` if the game is over."""
        while True:
            turn = self._turn
            if turn is None or (turn["seat"] in seats and turn["ply"] > self._answered):
                self._answered = turn["ply"] if turn else self._answered
                return turn
            await self.message()

    async def until_closed(self) -> int:
        """Read the rest, and return the code with which the server closed the socket."""
        while self.closed is None:
            answer = await self._next()
            if answer["type"] == "websocket.close":
                self.closed = answer["code"]
        return self.closed

    async def _take(self, message: MutableMapping[str, Any]) -> None:
        await self._reading.wait()
        self._from_server.put_nowait(dict(message))

    async def _next(self) -> Json:
        if self._first is not None:
            first, self._first = self._first, None
            return first
        coming = asyncio.create_task(self._from_server.get())
        await asyncio.wait((coming, self.task), timeout=TIMEOUT, return_when=asyncio.FIRST_COMPLETED)
        if not coming.done():
            coming.cancel()
            raise AssertionError("the server has ended" if self.task.done() else "no message came")
        return coming.result()


class Clock(clock.Clock):
    """The server's clock. Only `pass_by` and `jump` move it."""

    def __init__(self) -> None:
        self.ms = time.time_ns() // 1_000_000
        self._passed = 0.0
        self._numbers = itertools.count()
        self._timers: dict[int, tuple[float, Callable[[], object]]] = {}

    def now(self) -> int:
        """Return the time."""
        return self.ms

    def time(self) -> float:
        """Return the seconds that have passed."""
        return self._passed

    def call_later(self, seconds: float, callback: Callable[[], object]) -> clock.Timer:
        """Call a function when this much time has passed."""
        number = next(self._numbers)
        self._timers[number] = (self._passed + seconds, callback)
        return _Timer(self._timers, number)

    def pass_by(self, seconds: float) -> None:
        """Let time pass, and call the functions that become due, in order."""
        end = self._passed + seconds
        while due := [(at, number) for number, (at, _) in self._timers.items() if at <= end]:
            at, number = min(due)
            _, callback = self._timers.pop(number)
            self._move(at)
            callback()
        self._move(end)

    def jump(self, seconds: float) -> None:
        """Set the time of day without passing time."""
        self.ms += round(seconds * 1000)

    def _move(self, to: float) -> None:
        self.ms += round(1000 * (to - self._passed))
        self._passed = to


class _Timer:
    def __init__(self, timers: dict[int, tuple[float, Callable[[], object]]], number: int) -> None:
        self._timers, self._number = timers, number

    def cancel(self) -> None:
        self._timers.pop(self._number, None)


@cache
def document() -> Json:
    """Return the OpenAPI document."""
    return create_app(Settings()).openapi()


def check_documented(answer: httpx.Response) -> None:
    """Check that the document lists the refusal under its route; skip paths without a route."""
    path, method = answer.request.url.path, answer.request.method.lower()
    for template, operations in document()["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path):
            operation = operations.get(method) or next(iter(operations.values()))
            assert answer.json()["code"] in codes(operation).get(answer.status_code, []), answer.text


def codes(operation: Json) -> dict[int, list[str]]:
    """List the refusals of a route in the document, by status."""
    return {
        int(status): answer["content"]["application/json"]["schema"]["properties"]["code"]["enum"]
        for status, answer in operation["responses"].items()
        if int(status) >= 400
    }


def refusal(answer: httpx.Response) -> tuple[int, str]:
    """Check that an answer is a refusal with a reason, and return its status and its code."""
    assert answer.is_error, f"{answer.status_code} {answer.text}"
    content = answer.json()
    assert answer.headers["content-type"] == "application/json"
    assert isinstance(content["reason"], str)
    assert content["reason"]
    return answer.status_code, content["code"]


def numbers(events: Sequence[Json]) -> list[int]:
    """Return the numbers of events."""
    return [event["number"] for event in events]


def _good(answer: httpx.Response) -> Json:
    assert answer.is_success, f"{answer.status_code} {answer.text}"
    content: Json = answer.json()
    return content
