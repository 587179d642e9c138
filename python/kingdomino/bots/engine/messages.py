"""The messages of the engine protocol, version 1 (docs/formats/engine.md), and their conversion to and from lines.

Requests go to an engine, and answers come from it. The classes define the fields, and Pydantic validates input. Unknown
fields are ignored.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from kingdomino.bots.bot import Limit
from kingdomino.errors import ParseError
from kingdomino.validation import explain, path

if TYPE_CHECKING:
    from pydantic import TypeAdapter

VERSION = 1
"""The version of the protocol."""
LONGEST_LINE = 65_536
"""The most bytes in a line, without its end."""


@dataclass(frozen=True)
class Hello:
    """The first request: the name of the host, and the versions of the protocol that it supports."""

    kind: Literal["hello"] = field(default="hello", kw_only=True)
    id: int
    versions: tuple[int, ...]
    name: str


@dataclass(frozen=True)
class NewGame:
    """The request to prepare for a game.

    ``rules`` is the text of a rules set. ``dominoes`` are the two ends of dominoes 1 to 48, like squares in a kingdom's
    text: ``("w", "m3")``. ``seed`` is for the engine's random choices.
    """

    kind: Literal["game"] = field(default="game", kw_only=True)
    id: int
    rules: str
    seat: int
    seed: int
    dominoes: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Choose:
    """The request for one action: the texts of a position and of its legal actions, and the limit.

    ``analyse``: whether the host wants an evaluation of every action as `Info`.
    """

    kind: Literal["choose"] = field(default="choose", kw_only=True)
    id: int
    position: str
    actions: tuple[str, ...]
    limit: Limit
    analyse: bool | None = None


@dataclass(frozen=True)
class Stop:
    """The notice to answer the request with this id now."""

    kind: Literal["stop"] = field(default="stop", kw_only=True)
    id: int


@dataclass(frozen=True)
class Quit:
    """The notice that there will be no more requests."""

    kind: Literal["quit"] = field(default="quit", kw_only=True)


@dataclass(frozen=True)
class Introduction:
    """The answer to `Hello`: the version that both will use, and a description of the engine."""

    kind: Literal["hello"] = field(default="hello", kw_only=True)
    id: int
    version: int
    name: str
    author: str | None = None
    options: Mapping[str, object] | None = None


@dataclass(frozen=True)
class Ready:
    """The answer to `NewGame`."""

    kind: Literal["ready"] = field(default="ready", kw_only=True)
    id: int


@dataclass(frozen=True)
class Chosen:
    """The answer to `Choose`: the text of an action."""

    kind: Literal["action"] = field(default="action", kw_only=True)
    id: int
    action: str


@dataclass(frozen=True)
class Info:
    """An engine's results so far. Any number of these may come before the answer."""

    kind: Literal["info"] = field(default="info", kw_only=True)
    id: int
    info: Mapping[str, object]


@dataclass(frozen=True)
class Refusal:
    """The answer to a request that the engine refuses. The id is None if it could not be read."""

    kind: Literal["error"] = field(default="error", kw_only=True)
    id: int | None = field(default=None, kw_only=True)
    message: str


Request: TypeAlias = Hello | NewGame | Choose | Stop | Quit
Answer: TypeAlias = Introduction | Ready | Chosen | Info | Refusal


def to_line(message: Request | Answer) -> bytes:
    """Write a message as one line, including its end, without fields that are None."""
    return json.dumps(_given(message), default=_given, separators=(",", ":")).encode() + b"\n"


def request(line: bytes) -> Request:
    """Parse a request. Raises `ParseError`, which names the missing or wrong field."""
    found: Request = _read(_adapters()[0], line)
    return found


def answer(line: bytes) -> Answer | None:
    """Parse an answer; None for an unknown kind. Raises `ParseError`, which names the missing or wrong field."""
    try:
        found: Answer = _read(_adapters()[1], line)
    except UnknownKindError:
        return None
    return found


def id_of(line: bytes) -> int | None:
    """Return the id in a possibly invalid line; None if there is no valid id."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    number = found.get("id") if isinstance(found, dict) else None
    return number if type(number) is int else None


def _given(message: Request | Answer | Limit) -> dict[str, object]:
    values = {each.name: getattr(message, each.name) for each in fields(message)}
    return {name: value for name, value in values.items() if value is not None}


class UnknownKindError(ParseError):
    """A message of an unknown kind."""


@cache
def _adapters() -> tuple[TypeAdapter[Any], TypeAdapter[Any]]:
    """Return the parsers of requests and answers, created on demand: only programs with engines load Pydantic."""
    from pydantic import Field, TypeAdapter

    kind = Field(discriminator="kind")
    return TypeAdapter(Annotated[Request, kind]), TypeAdapter(Annotated[Answer, kind])


def _read(adapter: TypeAdapter[Any], line: bytes) -> Any:  # noqa: ANN401  (a message of the adapter's types)
    from pydantic import ValidationError

    try:
        return adapter.validate_json(line, strict=True)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
    match fault["type"]:
        case "json_invalid":
            raise ParseError("this line is not JSON")
        case "union_tag_not_found":
            raise ParseError("'kind' is missing")
        case "union_tag_invalid":
            raise UnknownKindError(f"{json.dumps(fault['input']['kind'])} is not a kind of message here")
    if not fault["loc"]:
        raise ParseError("this line is not a JSON object")
    raise ParseError(explain(fault, path(fault["loc"][1:])))
