"""The document at /openapi.json says what the server does, and docs/formats/table.md says the same.

Requests are made up from the document (by schemathesis), good and bad ones; every answer is compared with it.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
import schemathesis
from fastapi.routing import APIRoute
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from schemathesis.checks import positive_data_acceptance
from schemathesis.python import asgi

from kingdomino.server.http.app import create_app
from kingdomino.server.http.routes import pages, people, records, reference, seats, tables
from kingdomino.server.settings import Settings
from kingdomino.server.tables.actor import You
from kingdomino.server.tables.choices import Choices, Claim
from kingdomino.server.tables.events import Rules, SeatEntry, TableEvent, Turn
from kingdomino.server.tables.refusals import STATUS
from kingdomino.server.tables.snapshot import Table

FORMAT = (Path(__file__).parents[2] / "docs" / "formats" / "table.md").read_text(encoding="utf-8")
DOCUMENT = create_app(Settings()).openapi()
POSITIVE, NEGATIVE = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE
BEYOND = [positive_data_acceptance]
"""What the document cannot say: a well-formed request may be against the rules of the game."""
EXAMPLES = 12


def section(title: str) -> str:
    """Give a section of the page, without those below it."""
    return FORMAT.split(f"\n## {title}\n")[1].split("\n## ")[0]


def first_column(text: str) -> list[str]:
    """Give the code in the first column of a table."""
    return re.findall(r"^\| `([^`]+)`", text, re.MULTILINE)


def routes_of_the_page() -> set[tuple[str, str]]:
    """Read the routes that the page lists."""
    routes = re.findall(r"^\| `([A-Z]+) ([^`?]+)", section("HTTP"), re.MULTILINE)
    return {(method, path.replace("ID", "{table}").replace("SEAT", "{seat}")) for method, path in routes}


def test_the_page_and_the_document_list_the_same_routes() -> None:
    documented = {(method.upper(), path) for path, item in DOCUMENT["paths"].items() for method in item}
    assert documented == routes_of_the_page()


def test_no_route_of_the_api_is_left_out_of_the_document() -> None:
    routes = {
        (method, route.path)
        for part in (pages, people, records, reference, seats, tables)
        for route in part.router.routes
        if isinstance(route, APIRoute) and route.path.startswith(("/api/", "/health"))
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


def test_every_refusal_in_the_document_is_one_that_there_is() -> None:
    for item in DOCUMENT["paths"].values():
        for operation in item.values():
            for status, answer in operation["responses"].items():
                if not status.startswith("2"):
                    codes = answer["description"].partition(": ")[2].split(", ")
                    assert {STATUS[code] for code in codes} == {int(status)}


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
        ('{"ply": 12, "seat": 0, "phase": "place", "domino": 20, "score"', Choices),
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


# Requests made up from the document.


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, list[str]]]:
    """Run a server with a table that waits, one where a game goes on and one where it is over."""
    database = tmp_path_factory.mktemp("openapi") / "tables.db"
    app: Any = create_app(Settings(database=f"sqlite:///{database}", pause=0, limits=None, bot_threads=2))
    bots: dict[str, Any] = {"seats": [{"kind": "bot"}, {"kind": "bot"}]}
    waits: dict[str, Any] = {"seats": [{"kind": "me"}, {"kind": "open"}], "public": True}
    with asgi.get_client(app) as client:
        yield app, [client.post("/api/tables", json=body).json()["table"]["id"] for body in (bots, {}, waits)]
    asgi.shutdown_lifespans()


@pytest.fixture(scope="module")
def document(served: tuple[Any, list[str]]) -> schemathesis.BaseSchema:
    """Load the document as anybody would, and let three of four made-up tables be real ones."""
    app, ids = served
    schema = schemathesis.openapi.from_asgi("/openapi.json", app)
    # A text that is too long may make the whole body too large, which is found out first.
    schema.config.checks.negative_data_rejection.expected_statuses.append("413")

    @schema.hook
    def map_path_parameters(_: schemathesis.HookContext, parameters: dict[str, Any] | None) -> Any:  # noqa: ANN401
        if parameters and "table" in parameters:
            chosen = [*ids, parameters["table"]][len(str(parameters)) % 4]
            return parameters | {"table": chosen}
        return parameters

    return schema


def operations(mode: schemathesis.GenerationMode) -> Iterator[Any]:
    """List the routes; for bad requests only those where something but the table's id can be bad."""
    for method, path in sorted(routes_of_the_page()):
        operation = DOCUMENT["paths"][path][method.lower()]
        others = {parameter["name"] for parameter in operation.get("parameters", [])} - {"table"}
        if mode == POSITIVE or "requestBody" in operation or others:
            yield pytest.param(method, path, mode, id=f"{method} {path} {mode.value}")


@pytest.mark.parametrize(("method", "path", "mode"), [*operations(POSITIVE), *operations(NEGATIVE)])
def test_every_answer_is_as_the_document_says(
    document: schemathesis.BaseSchema, method: str, path: str, mode: schemathesis.GenerationMode
) -> None:
    operation = document[path][method]

    @hypothesis_settings(max_examples=EXAMPLES)
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: schemathesis.Case[Any]) -> None:
        case.call_and_validate(excluded_checks=BEYOND)

    ask()
