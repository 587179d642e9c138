"""Refusals: a code for programs, a sentence for people, and the code's HTTP status."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Final, Self, cast

import kingdomino as kd
from kingdomino.server.tables.core.events import XY, Model, TerrainName
from kingdomino.server.tables.core.snapshot import Table

_MOST_FAULTS: Final = 20
"""Faults of a position in one answer. A short text can have thousands: `1-48,1-48,…`."""

STATUS: Final = {
    "bad_request": 400,
    "not_yours": 403,
    "not_host": 403,
    "not_alone": 403,
    "wrong_secret": 403,
    "bad_passkey": 403,
    "other_origin": 403,
    "no_table": 404,
    "no_route": 404,
    "no_code": 404,
    "no_link": 404,
    "no_game": 404,
    "no_method": 405,
    "stale_ply": 409,
    "not_waiting": 409,
    "not_playing": 409,
    "not_over": 409,
    "not_away": 409,
    "not_drawing": 409,
    "seat_taken": 409,
    "too_many_tables": 409,
    "too_many_bots": 409,
    "has_games": 409,
    "too_many_games": 409,
    "too_large": 413,
    "not_json": 415,
    "other_host": 421,
    "illegal_action": 422,
    "bad_field": 422,
    "bad_rules": 422,
    "bad_bot": 422,
    "bad_record": 422,
    "bad_position": 422,
    "bad_nonce": 422,
    "too_often": 429,
    "failed": 500,
    "storage": 503,
    "busy": 503,
}
"""Every code, as docs/formats/table.md lists them."""


class Why(Model):
    """The engine's refusal of an action: its code and the code's facts."""

    code: kd.RefusalCode
    domino: int | None = None
    seat: int | None = None
    square: XY | None = None
    width: int | None = None
    height: int | None = None
    terrains: tuple[TerrainName, ...] | None = None
    line: tuple[int, ...] | None = None

    @classmethod
    def of(cls, refusal: kd.Refusal) -> Self:
        """Convert a refusal."""
        return cls(
            code=refusal.code,
            domino=refusal.domino and refusal.domino.number,
            seat=refusal.seat,
            square=refusal.square,
            width=refusal.width,
            height=refusal.height,
            terrains=tuple(cast(TerrainName, terrain.value) for terrain in refusal.terrains) or None,
            line=tuple(domino.number for domino in refusal.line) or None,
        )


class Fault(Model):
    """A fault of a position: a code, the engine's sentence, and the code's facts (docs/formats/position.md)."""

    code: str
    sentence: str
    seat: int | None = None
    square: XY | None = None
    dominoes: tuple[int, ...] = ()
    found: int | None = None
    expected: int | None = None

    @classmethod
    def of(cls, fault: kd.Fault) -> Self:
        """Convert a fault."""
        numbers = tuple(domino.number for domino in fault.dominoes)
        return cls.model_validate(fault._asdict() | {"dominoes": numbers})


class RefusalBody(Model):
    """Why the server refused a request. A bad field has ``field``, its name; an illegal action has ``why``; a late turn
    has ``table``, the current table; an impossible position has all its ``faults``. A bad record has one fault in
    ``faults``; the ``number`` of its line of text or event; ``why`` if an action is illegal; and ``game``, the record's
    number from 1, if there are several.
    """

    code: str
    reason: str
    field: str | None = None
    why: Why | None = None
    game: int | None = None
    number: int | None = None
    faults: tuple[Fault, ...] | None = None
    table: Table | None = None


class Refusal(Exception):  # noqa: N818  (a refusal is an answer, not a failure)
    """A refused request; ``body`` says why. ``wait`` is the number of seconds until the client may try again."""

    def __init__(self, code: str, reason: str, *, wait: float | None = None, **more: Any) -> None:  # noqa: ANN401
        super().__init__(reason)
        self.wait = wait
        self.body = RefusalBody(code=code, reason=reason, **more)

    @property
    def code(self) -> str:
        """The code."""
        return self.body.code

    @property
    def reason(self) -> str:
        """The sentence."""
        return self.body.reason

    @property
    def status(self) -> int:
        """The HTTP status."""
        return STATUS[self.code]

    @property
    def headers(self) -> dict[str, str]:
        """The HTTP headers of the answer."""
        return {} if self.wait is None else {"Retry-After": str(max(1, math.ceil(self.wait)))}

    def json(self) -> dict[str, object]:
        """Write the body of the answer."""
        return self.body.model_dump(mode="json", exclude_none=True) | self._table()

    def _table(self) -> dict[str, object]:
        # Without excluding nulls, which have a meaning in a table.
        return {"table": self.body.table.model_dump(mode="json")} if self.body.table else {}


def bad_record(error: kd.KingdominoError, game: int | None = None) -> Refusal:
    """Return the refusal of a bad record: the fault and its place. ``game`` is its number among several."""
    if not isinstance(error, kd.RecordError) or error.fault is None:
        return Refusal("bad_record", str(error), game=game)
    return Refusal(
        "bad_record",
        str(error),
        game=game,
        number=error.number,
        faults=(Fault.of(error.fault),),
        why=Why.of(error.refusal) if error.refusal else None,
    )


def read_position(text: str) -> kd.Position:
    """Read the text of a position. Raises `Refusal` with its faults."""
    try:
        return kd.Position.parse(text)
    except kd.SetupError as error:
        faults = error.details[:_MOST_FAULTS]
        raise Refusal(
            "bad_position", "; ".join(map(str, faults)), faults=tuple(map(Fault.of, faults))
        ) from None


def read_actions(texts: Iterable[str]) -> list[kd.Action]:
    """Read actions as clients send them. Raises `Refusal`."""
    try:
        return [kd.Action.parse(text) for text in texts]
    except kd.KingdominoError as error:
        raise illegal(error) from None


def not_playing() -> Refusal:
    """Return the refusal of an action at a table without a game in progress."""
    return Refusal("not_playing", "this table has no game in progress")


def illegal(error: kd.KingdominoError) -> Refusal:
    """Return the refusal of an illegal action, with the engine's code and facts under ``why``."""
    refusal = error.refusal if isinstance(error, kd.IllegalActionError) else None
    return Refusal("illegal_action", str(error), why=Why.of(refusal) if refusal else None)
