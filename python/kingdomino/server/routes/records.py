"""Routes for records: to take a finished game home, and to check the deal of one.

Imports `door`, `requests`, `wire`, `deal`, `state` and the library's face.
"""

import json
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from fastapi.responses import PlainTextResponse

import kingdomino as kd
from kingdomino.server import deal, wire
from kingdomino.server.door import Answer, InHouse
from kingdomino.server.refusals import Refusal
from kingdomino.server.requests import RecordText
from kingdomino.server.state import State

router = APIRouter(prefix="/api", tags=["records"])
_TEXT: dict[int | str, dict[str, Any]] = {200: {"content": {"text/plain": {"schema": {"type": "string"}}}}}


@router.get(
    "/tables/{table}/record",
    response_class=Response,
    responses=_TEXT | wire.refusals("no_table", "not_over", "bad_field"),
)
async def record(
    house: InHouse, table: str, game: Annotated[int, Query(ge=1, le=3)] = 1
) -> PlainTextResponse:
    """Download a finished game as a record."""
    await house.table(table)
    state = State(table)
    for entry in await house.store.entries(table, secrets=True):
        state.apply(json.loads(entry.body), json.loads(entry.secret) if entry.secret else None)
        if entry.kind == "deck_revealed" and state.game_number == game:
            name = f"kingdomino-{table}-{game}.txt"
            return PlainTextResponse(
                _record(state).to_text(), headers={"Content-Disposition": f'attachment; filename="{name}"'}
            )
    raise Refusal("not_over", "this game is not over yet")


@router.post(
    "/verify",
    responses=wire.answers(wire.Deal, "bad_request", "bad_field", "not_json", "too_large", "bad_record"),
)
async def verify(body: RecordText) -> Answer:
    """Compute the digest of a record's deal again."""
    try:
        dealt = deal.check(kd.Record.parse(body.record))
    except kd.KingdominoError as error:
        raise Refusal("bad_record", str(error)) from None
    return Answer(
        {
            "commitment": dealt.commitment,
            "deck": dealt.deck,
            "opening": dealt.opening,
            "salt": dealt.salt,
        }
    )


def _record(state: State) -> kd.Record:
    tags = {
        "date": datetime.fromtimestamp(state.updated / 1000, UTC).date().isoformat(),
        "table": state.id,
        "commitment": state.deal.commitment,
        "salt": state.deal.salt,
    }
    names = [seat.name or f"seat {number}" for number, seat in enumerate(state.seats)]
    return kd.Record.from_game(state.game, names, tags)
