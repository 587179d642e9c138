"""Errors about outside data use our own words: no library's message reaches a user."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from pydantic_core._pydantic_core import list_all_errors
from support.clients import bodies

import kingdomino as kd
from kingdomino.arena import plan
from kingdomino.bots.engine import analysis, messages
from kingdomino.cli import main
from kingdomino.server import settings
from kingdomino.validation import UNKNOWN_KEY, fault

WRONG: list[Any] = [
    None,
    True,
    -1,
    0.5,
    10**30,
    float("inf"),
    "",
    "x",
    "\n" * 300,
    [],
    ["x"],
    [None] * 100,
    {},
]
"""Every field refuses some of these values."""
LIBRARIES = {
    start
    for error in list_all_errors()
    if len(start := error["message_template_python"].partition("{")[0].strip()) > len("Input should")
}
"""How Pydantic's sentences begin."""
OTHERS = ("appear to be", "Expected ", "Invalid ", "EOF", "unable to parse", "string_")
NEXT = kd.Game(seed=1).position
BODIES = dict(bodies())


def ours(said: str) -> str:
    """Check that a sentence is ours, and return it."""
    assert not [start for start in LIBRARIES if start in said], said
    assert not [word for word in OTHERS if word in said], said
    assert "is not valid" not in said
    return said


def refused(read: Callable[..., object], *arguments: object) -> str:
    """Return the sentence of the error, or nothing."""
    try:
        read(*arguments)
    except kd.KingdominoError as error:
        return ours(str(error))
    return ""


def test_settings() -> None:
    names = [name for name, _, _ in settings.described()]
    said = "".join(refused(settings.load, dict.fromkeys(names, value)) for value in WRONG)
    assert [name for name in names if f"'{name}' must be" in said or f"{name}: " in said] == names


PLAN = {"name": "x", "bots": [{"name": "a", "spec": "greedy"}, {"name": "b", "spec": "random"}], "blocks": 1}
REQUEST = {
    "kind": "choose",
    "id": 1,
    "position": "x",
    "actions": ["x"],
    "limit": {"time": 1.0, "playouts": 1},
}
ANSWERS = (
    {"kind": "hello", "id": 1, "version": 1, "name": "x", "author": "x", "options": {}},
    {"kind": "action", "id": 1, "action": "x"},
    {"kind": "info", "id": 1, "info": {}},
    {"kind": "error", "id": 1, "message": "x"},
)
FIGURES = {"playouts": 1, "win_rates": [0.5, 0.5], "mean_scores": [40.0, 38.0], "mean_margin": [2.0, -2.0]}
LINE = [str(NEXT.legal_actions()[0])]
INFO = FIGURES | {"line": LINE, "exact": False, "actions": [FIGURES | {"action": LINE[0], "line": LINE}]}


def changed(value: object, where: str = "") -> Iterator[tuple[str, Any]]:
    """Yield JSON with a fault at each place, and the place."""
    for wrong in WRONG:
        yield where, wrong
    if isinstance(value, dict):
        for key, inner in value.items():
            for place, wrong in changed(inner, key):
                yield place, value | {key: wrong}
        yield "colour", value | {"colour": 1}
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            for place, wrong in changed(inner, where):
                yield place, [*value[:number], wrong, *value[number + 1 :]]


def test_arena_plans() -> None:
    rules, test = {"players": 2, "harmony": True}, {"elo": [0, 30], "alpha": 0.05}
    whole = PLAN | {"format": "gauntlet", "seed": 1, "rules": rules, "test": test, "modules": [], "note": ""}
    plan.from_mapping(whole)
    said = {refused(plan.from_mapping, value) for _, value in changed(whole) if isinstance(value, dict)}
    assert len(said) > 50


@pytest.mark.parametrize("text", ["port =", "port = 1\nport = 2", "[", "\x00"])
def test_files_that_are_not_toml(tmp_path: Path, text: str) -> None:
    file = tmp_path / "x.toml"
    file.write_text(text)
    assert str(file) in refused(settings.load, {}, file)
    assert str(file) in refused(plan.read_plan, file)


def test_the_protocol_of_engines() -> None:
    for whole in (
        REQUEST,
        {"kind": "hello", "id": 1, "versions": [1], "name": "x"},
        {"kind": "stop", "id": 1},
    ):
        messages.request(json.dumps(whole).encode())
        for key, value in changed(whole):
            said = refused(messages.request, json.dumps(value).encode())
            assert not said or key in said or "not a JSON object" in said
    for whole in ANSWERS:
        assert messages.answer(json.dumps(whole).encode())
        for _, value in changed(whole):
            refused(messages.answer, json.dumps(value).encode())
    analysis.from_info(INFO, NEXT)
    sentences = [refused(analysis.from_info, value, NEXT) for _, value in changed(INFO)]
    for field in ("playouts", "exact", *FIGURES, "line", "action"):
        assert any(field in one for one in sentences), field
    for text in ("", "{", "x", "[1"):
        assert refused(messages.request, text.encode()) == "this line is not JSON"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("play --seed x", "'--seed' must be a whole number, not \"x\""),
        ("simulate --games -1", "'--games' must be at least 1, not \"-1\""),
        ("serve --port x", "'port' must be a whole number, not \"x\""),
        ("analyse --time x -", "'--time' must be a number, not \"x\""),
        ("serve --set trusted_proxies=x", "'x' is not an address or a network, for example"),
    ],
)
def test_the_command_line(arguments: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments.split()) == 2
    assert said in ours(capsys.readouterr().err)


@pytest.mark.parametrize("path", BODIES)
def test_bodies_of_requests(path: str) -> None:
    schema = BODIES[path].json_schema()
    for value in [*WRONG, *({key: wrong} for key in schema["properties"] for wrong in WRONG)]:
        try:
            BODIES[path].validate_python(value)
        except ValidationError as error:
            for one in error.errors():
                assert one["type"] in UNKNOWN_KEY or ours(fault(one))
