"""The document at /openapi.json describes the server, and docs/formats/table.md agrees with it.

Schemathesis makes up good and bad requests from the document; the tests compare every answer with it.
"""

import json
import re
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn, get_args

import httpx
import pytest
import schemathesis
from fastapi.routing import APIRoute
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from schemathesis.checks import positive_data_acceptance
from schemathesis.python import asgi
from support.clients import Server, changed, codes, document, opened, refusal

import kingdomino as kd
from kingdomino.server.http.app import create_app
from kingdomino.server.http.identity import Identity
from kingdomino.server.http.routes import (
    devices,
    games,
    health,
    people,
    personal,
    records,
    reference,
    seats,
    tables,
)
from kingdomino.server.settings import Limits, Rate, Settings
from kingdomino.server.storage import StorageError
from kingdomino.server.tables.core.choices import Choices, Claim
from kingdomino.server.tables.core.events import Rules, SeatEntry, TableEvent, Turn
from kingdomino.server.tables.core.messages import You
from kingdomino.server.tables.core.refusals import STATUS
from kingdomino.server.tables.core.snapshot import Table
from kingdomino.server.tables.history.played import Played

FORMAT = (Path(__file__).parents[2] / "docs" / "formats" / "table.md").read_text(encoding="utf-8")
DOCUMENT = document()
POSITIVE, NEGATIVE = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE
BEYOND = [positive_data_acceptance]
"""The document cannot express that a well-formed request may break the rules of the game."""
EXAMPLES = 12


def section(title: str) -> str:
    """Return a section of the page, without those below it."""
    return FORMAT.split(f"\n## {title}\n")[1].split("\n## ")[0]


def first_column(text: str) -> list[str]:
    """Return the code in the first column of a table."""
    return re.findall(r"^\| `([^`]+)`", text, re.MULTILINE)


def routes_of_the_page() -> set[tuple[str, str]]:
    """Read the routes that the page lists."""
    routes = re.findall(r"^\| `([A-Z]+) ([^`?]+)", section("HTTP"), re.MULTILINE)
    named = {"ID": "{table}", "SEAT": "{seat}", "GAME": "{game}"}
    return {(method, re.sub("ID|SEAT|GAME", lambda name: named[name[0]], path)) for method, path in routes}


def test_the_page_and_the_document_list_the_same_routes() -> None:
    documented = {(method.upper(), path) for path, item in DOCUMENT["paths"].items() for method in item}
    assert documented == routes_of_the_page()


def test_no_route_of_the_api_is_left_out_of_the_document() -> None:
    routes = {
        (method, route.path)
        for part in (
            devices,
            games,
            health,
            people,
            personal,
            records,
            reference,
            seats,
            tables,
        )
        for route in part.router.routes
        if isinstance(route, APIRoute) and route.path.startswith(("/api/", "/health", "/ready"))
        for method in route.methods or ()
    }
    assert routes == routes_of_the_page()


def test_every_kind_of_event_is_on_the_page() -> None:
    union, _ = get_args(TableEvent)
    kinds = [event.model_fields["kind"].default for event in get_args(union)]
    assert first_column(section("Events"))[: len(kinds)] == kinds


def test_every_refusal_is_on_the_page_with_its_status() -> None:
    table = section("HTTP").split("**Refusals** are")[1]
    rows = re.findall(r"^\| (\d{3}) \| ([^|]*) \|", table, re.MULTILINE)
    told = {code: int(status) for status, codes in rows for code in re.findall(r"`(\w+)`", codes)}
    assert {code: told[code] for code in told if code in STATUS} == STATUS


def test_every_refusal_in_the_document_has_its_status_and_is_described() -> None:
    for item in DOCUMENT["paths"].values():
        for operation in item.values():
            for status, named in codes(operation).items():
                assert {STATUS[code] for code in named} == {status}
                description = operation["responses"][str(status)]["description"]
                assert description.partition(": ")[2].split(", ") == named


def test_routes_document_their_retry_headers() -> None:
    for item in DOCUMENT["paths"].values():
        for operation in item.values():
            assert "Allow" in operation["responses"]["405"]["headers"]
            for status, answer in operation["responses"].items():
                assert ("Retry-After" in answer.get("headers", {})) == (status in ("429", "503"))


def test_every_route_and_every_field_of_the_document_is_described() -> None:
    for path, item in DOCUMENT["paths"].items():
        for operation in item.values():
            assert operation["description"], path
            assert operation["responses"]
            if "requestBody" in operation:
                assert {"400", "415", "422"} <= set(operation["responses"]), path
    for name, schema in DOCUMENT["components"]["schemas"].items():
        assert schema.get("description"), name


@pytest.mark.parametrize(
    ("begins", "model"),
    [
        ('{"id": "q3v7n2kd8wjm"', Table),
        ('{"ply": 12, "seat": 0, "phase": "place", "domino": 20, "fits"', Turn),
        ('{"ply": 12, "position"', Choices),
        ('{"id": "q3v7n2kd8wjm", "imported"', Played),
        ('{"seat": 0, "kind": "person"', SeatEntry),
        ('{"name": "Ida", "seats": [0]', You),
        ('{"text": "2.second.random"', Rules),
        ('{"action": "claim 33"', Claim),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_the_examples_on_the_page_have_the_fields_of_the_document(begins: str, model: Any) -> None:  # noqa: ANN401
    example, _ = json.JSONDecoder().raw_decode(FORMAT[FORMAT.index(begins) :])
    assert set(example) == set(model.model_fields)


# The code around the routes has refusals, too: the document lists them only where they can happen.

FILLED = {"table": "q3v7n2kd8wjm", "seat": "0", "game": "a" * 24}
RECORD = kd.Record.from_game(kd.Game(seed=1)).to_text()
GOOD_BODIES: dict[str, Any] = {
    "/api/me": {"name": "Ida"},
    "/api/me/settings": {},
    "/api/tables": {},
    "/api/tables/{table}/actions": {"ply": 0, "actions": ["claim 1"]},
    "/api/tables/{table}/hint": {"ply": 0},
    "/api/tables/{table}/nonce": {"game": 1, "nonce": "ab" * 32},
    "/api/tables/{table}/say": {"word": "hello"},
    "/api/tables/{table}/seats": {},
    "/api/tables/{table}/end": {"wish": True},
    "/api/tables/{table}/rematch": {"wish": True},
    "/api/code": {"code": "amber otter gate"},
    "/api/verify": {"record": "x"},
    "/api/link": {"secret": "x"},
    "/api/me/passkeys": {"credential": {}},
    "/api/passkey": {"credential": {"id": "key"}},
    "/api/records": {"record": RECORD},
    "/api/me/games": {"records": [{"text": RECORD}]},
}
JSON = {"content-type": "application/json"}


async def of_another_site(server: Server, method: str, path: str) -> httpx.Response:
    return await server.client().send(method, path, headers={"origin": "http://elsewhere"})


async def with_another_method(server: Server, _: str, path: str) -> httpx.Response:
    return await server.client().send("PATCH", path)


async def too_large(server: Server, method: str, path: str) -> httpx.Response:
    return await server.client().send(method, path, content=b" " * 70_000, headers=JSON)


async def of_another_type(server: Server, method: str, path: str) -> httpx.Response:
    return await server.client().send(method, path, content=b"{}", headers={"content-type": "text/plain"})


async def without_a_host(server: Server, method: str, path: str) -> httpx.Response:
    return await server.client().send(method, path, headers={"host": ""})


async def under_another_name(server: Server, method: str, path: str) -> httpx.Response:
    return await server.client().send(method, path, headers={"host": "evil.test"})


async def with_another_field(server: Server, method: str, path: str) -> httpx.Response:
    body = {"another": 1} if method != "GET" else None
    wrong = path.replace("/seats/0/", "/seats/first/")
    return await server.client().send(
        method, wrong, body, params={"ply": -1, "after": -1, "game": 0, "limit": 0}
    )


async def again_and_again(server: Server, method: str, path: str) -> httpx.Response:
    ida = server.client()
    await ida.send(method, path)  # which begins a session
    await ida.send(method, path)
    return await ida.send(method, path)


async def with_too_much_to_do(server: Server, method: str, path: str) -> httpx.Response:
    server.app.state.pressure.requests = 10**6
    return await server.client().send(method, path)


async def broken(*_: object, **__: object) -> NoReturn:
    raise StorageError("disk full")


async def that_the_store_fails(server: Server, method: str, path: str) -> httpx.Response:
    failing = (
        "append",
        "by_code",
        "entries",
        "name_user",
        "of_user",
        "public",
        "set_settings",
        "settings",
        "table",
        "try_writing",
        "user",
    )
    for what in failing:
        setattr(server.registry.store, what, broken)
    for what in ("add_link", "link", "passkey", "passkeys", "remove"):
        setattr(server.registry.store.identities, what, broken)
    for what in ("best", "count", "forget", "games", "page", "record", "result", "results"):
        setattr(server.registry.store.history, what, broken)
    template = path.replace(FILLED["table"], "{table}")
    ida = server.client()
    await ida.send("GET", "/api/bots")  # which begins a session
    return await ida.send(method, path, GOOD_BODIES.get(template), params={"ply": 0, "action": "claim 1"})


async def that_fails(server: Server, method: str, path: str) -> httpx.Response:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Identity, "read", lambda *_: 1 // 0)
        return await server.client().send(method, path)


@pytest.mark.parametrize(
    ("code", "request_it"),
    [
        ("other_origin", of_another_site),
        ("no_method", with_another_method),
        ("too_large", too_large),
        ("not_json", of_another_type),
        ("bad_request", without_a_host),
        ("other_host", under_another_name),
        ("bad_field", with_another_field),
        ("too_often", again_and_again),
        ("busy", with_too_much_to_do),
        ("storage", that_the_store_fails),
        ("failed", that_fails),
    ],
)
async def test_the_document_has_the_middlewares_refusals(
    settings: Settings, code: str, request_it: Callable[[Server, str, str], Awaitable[httpx.Response]]
) -> None:
    limits = Limits(play=Rate(1e-6, 1)) if code == "too_often" else Limits(enforced=False)
    async with opened(changed(settings, limits=limits)) as server:
        for template, item in DOCUMENT["paths"].items():
            for method, operation in item.items():
                answer = await request_it(server, method.upper(), template.format(**FILLED))
                is_refused = answer.is_error and refusal(answer) == (STATUS[code], code)
                assert is_refused == (code in codes(operation).get(STATUS[code], [])), (method, template)
                if code == "no_method":
                    assert {*item} == {*answer.headers["allow"].lower().split(", ")}
                assert ("retry-after" in answer.headers) == (is_refused and code in ("too_often", "busy"))


# Requests made up from the document.


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, list[str]]]:
    """Run a server with a waiting table, a table in play and a finished one."""
    database = tmp_path_factory.mktemp("openapi") / "tables.db"
    app: Any = create_app(
        Settings(database=f"sqlite:///{database}", pause=0, limits=Limits(enforced=False), bot_threads=2)
    )
    bots: dict[str, Any] = {"seats": [{"kind": "bot"}, {"kind": "bot"}]}
    waits: dict[str, Any] = {"seats": [{"kind": "me"}, {"kind": "open"}], "public": True}
    with asgi.get_client(app) as client:
        yield app, [client.post("/api/tables", json=body).json()["table"]["id"] for body in (bots, {}, waits)]
    asgi.shutdown_lifespans()


@pytest.fixture(scope="module")
def schema(served: tuple[Any, list[str]]) -> schemathesis.BaseSchema:
    """Load the document as any client would; replace three of four made-up table ids with real ones."""
    app, ids = served
    schema = schemathesis.openapi.from_asgi("/openapi.json", app)
    # A text that is too long may make the whole body too large, and the server checks the body first.
    schema.config.checks.negative_data_rejection.expected_statuses.append("413")

    @schema.hook
    def map_path_parameters(_: schemathesis.HookContext, parameters: dict[str, Any] | None) -> Any:  # noqa: ANN401
        if parameters and "table" in parameters:
            chosen = [*ids, parameters["table"]][len(str(parameters)) % 4]
            return parameters | {"table": chosen}
        return parameters

    return schema


def operations(mode: schemathesis.GenerationMode) -> Iterator[Any]:
    """List the routes; for bad requests only routes with more than ids to get wrong."""
    for method, path in sorted(routes_of_the_page()):
        operation = DOCUMENT["paths"][path][method.lower()]
        others = {parameter["name"] for parameter in operation.get("parameters", [])} - {"table", "game"}
        if mode == POSITIVE or "requestBody" in operation or others:
            yield pytest.param(method, path, mode, id=f"{method} {path} {mode.value}")


@pytest.mark.slow
@pytest.mark.parametrize(("method", "path", "mode"), [*operations(POSITIVE), *operations(NEGATIVE)])
def test_every_answer_is_as_the_document_says(
    schema: schemathesis.BaseSchema, method: str, path: str, mode: schemathesis.GenerationMode
) -> None:
    operation = schema[path][method]

    @hypothesis_settings(max_examples=EXAMPLES)
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: schemathesis.Case[Any]) -> None:
        case.call_and_validate(excluded_checks=BEYOND)

    ask()
