"""The messages of the engine protocol and the lines that carry them: docs/formats/engine.md, version 1.

Requests go to an engine and answers come from it. A message is a plain value; `to_line` writes it, and
`read` with `request` or `answer` reads it. Fields that are not known are passed over.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import ClassVar, TypeAlias

from kingdomino.bots.limit import Limit
from kingdomino.errors import KingdominoError, ParseError

VERSION = 1
"""The version of the protocol that is written here."""
LONGEST_LINE = 65_536
"""The most bytes that a line may have, without its end."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The first request: which versions of the protocol are spoken, and by whom."""

    kind: ClassVar[str] = "hello"
    id: int
    versions: tuple[int, ...]
    name: str


@dataclass(frozen=True, slots=True)
class NewGame:
    """The request to get ready for a game.

    ``rules`` is a rules set's text; ``dominoes`` are the two ends of dominoes 1 to 48 as a kingdom's text
    shows squares: ``("w", "m3")``; ``seed`` is for whatever the engine leaves to chance.
    """

    kind: ClassVar[str] = "game"
    id: int
    rules: str
    seat: int
    seed: int
    dominoes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Choose:
    """The request for one action: a position's text, its legal actions as texts, and the limit."""

    kind: ClassVar[str] = "choose"
    id: int
    position: str
    actions: tuple[str, ...]
    limit: Limit


@dataclass(frozen=True, slots=True)
class Stop:
    """The notice that the request with this id is to be answered at once."""

    kind: ClassVar[str] = "stop"
    id: int


@dataclass(frozen=True, slots=True)
class Quit:
    """The notice that nothing more will be asked."""

    kind: ClassVar[str] = "quit"


@dataclass(frozen=True, slots=True)
class Introduction:
    """The answer to `Hello`: the version that both will speak, and who the engine is."""

    kind: ClassVar[str] = "hello"
    id: int
    version: int
    name: str
    author: str | None = None
    options: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Ready:
    """The answer to `NewGame`."""

    kind: ClassVar[str] = "ready"
    id: int


@dataclass(frozen=True, slots=True)
class Chosen:
    """The answer to `Choose`: an action's text."""

    kind: ClassVar[str] = "action"
    id: int
    action: str


@dataclass(frozen=True, slots=True)
class Info:
    """What an engine thinks so far; any number of these may come before the answer."""

    kind: ClassVar[str] = "info"
    id: int
    info: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The answer to what cannot be answered. The id is `None` where none could be read."""

    kind: ClassVar[str] = "error"
    id: int | None
    message: str


Request: TypeAlias = Hello | NewGame | Choose | Stop | Quit
Answer: TypeAlias = Introduction | Ready | Chosen | Info | Refusal


def to_line(message: Request | Answer) -> bytes:
    """Write a message as one line, with its end. Fields that are `None` are left out."""
    fields = asdict(message, dict_factory=lambda pairs: {k: v for k, v in pairs if v is not None})
    text = json.dumps({"kind": message.kind, **fields}, separators=(",", ":"))
    return text.encode() + b"\n"


def read(line: bytes) -> dict[str, object]:
    """Read a line as an object. Raises `ParseError`."""
    try:
        fields = json.loads(line.decode())
    except (ValueError, RecursionError):
        raise ParseError("this line is no JSON") from None
    if not isinstance(fields, dict):
        raise ParseError("this line is no JSON object")
    return fields


def id_of(fields: Mapping[str, object]) -> int | None:
    """Give the id of a message whose other fields may be wrong; `None` where it has no usable one."""
    found = fields.get("id")
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def request(fields: Mapping[str, object]) -> Request:
    """Read an object as a request. Raises `ParseError` for a kind or a field that is none."""
    match kind := _text(fields, "kind"):
        case Hello.kind:
            versions = tuple(v for v in _list(fields, "versions") if isinstance(v, int))
            return Hello(_whole(fields, "id"), versions, _text(fields, "name"))
        case NewGame.kind:
            return NewGame(
                _whole(fields, "id"),
                _text(fields, "rules"),
                _whole(fields, "seat"),
                _whole(fields, "seed"),
                tuple(_ends(pair) for pair in _list(fields, "dominoes")),
            )
        case Choose.kind:
            actions = tuple(str(action) for action in _list(fields, "actions"))
            return Choose(_whole(fields, "id"), _text(fields, "position"), actions, _limit(fields))
        case Stop.kind:
            return Stop(_whole(fields, "id"))
        case Quit.kind:
            return Quit()
    raise ParseError(f"no request is of the kind {kind!r}")


def answer(fields: Mapping[str, object]) -> Answer | None:
    """Read an object as an answer; `None` for one of an unknown kind, which is to be passed over.

    Raises `ParseError` for a field that is missing or wrong.
    """
    match _text(fields, "kind"):
        case Introduction.kind:
            author, options = fields.get("author"), fields.get("options")
            return Introduction(
                _whole(fields, "id"),
                _whole(fields, "version"),
                _text(fields, "name"),
                None if author is None else _text(fields, "author"),
                None if options is None else _object(fields, "options"),
            )
        case Ready.kind:
            return Ready(_whole(fields, "id"))
        case Chosen.kind:
            return Chosen(_whole(fields, "id"), _text(fields, "action"))
        case Info.kind:
            return Info(_whole(fields, "id"), _object(fields, "info"))
        case Refusal.kind:
            return Refusal(id_of(fields), _text(fields, "message"))
    return None


def _whole(fields: Mapping[str, object], name: str) -> int:
    value = fields.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise _wrong(name, "a whole number", value)
    return value


def _text(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise _wrong(name, "a text", value)
    return value


def _list(fields: Mapping[str, object], name: str) -> list[object]:
    value = fields.get(name)
    if not isinstance(value, list):
        raise _wrong(name, "a list", value)
    return value


def _object(fields: Mapping[str, object], name: str) -> dict[str, object]:
    value = fields.get(name)
    if not isinstance(value, dict):
        raise _wrong(name, "an object", value)
    return value


def _ends(pair: object) -> tuple[str, str]:
    if not (isinstance(pair, list) and len(pair) == 2):
        raise _wrong("dominoes", "a list of pairs", pair)
    left, right = pair
    return str(left), str(right)


def _limit(fields: Mapping[str, object]) -> Limit:
    limit = _object(fields, "limit")
    time, playouts = limit.get("time"), limit.get("playouts")
    if time is not None and (not isinstance(time, int | float) or isinstance(time, bool)):
        raise _wrong("time", "a number", time)
    try:
        return Limit(time, None if playouts is None else _whole(limit, "playouts"))
    except ParseError:
        raise
    except KingdominoError as error:
        raise ParseError(str(error)) from None


def _wrong(name: str, expected: str, value: object) -> ParseError:
    return ParseError(f"{name!r} must be {expected}, not {json.dumps(value)[:40]}")
