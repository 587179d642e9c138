"""Routes for records: download a finished game, check the deal of one."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import PlainTextResponse

import kingdomino as kd
from kingdomino.server.http import schemas
from kingdomino.server.http.dependencies import Answer, InRegistry
from kingdomino.server.http.openapi import refusals
from kingdomino.server.tables import deal
from kingdomino.server.tables.actor import replay
from kingdomino.server.tables.refusals import Refusal
from kingdomino.server.tables.state import State

router = APIRouter(prefix="/api", tags=["records"])


@router.get(
    "/tables/{table}/record", response_class=PlainTextResponse, responses=refusals("no_table", "not_over")
)
async def record(
    registry: InRegistry, table: str, game: Annotated[int, Query(ge=1, le=3)] = 1
) -> PlainTextResponse:
    """Download a finished game as a record."""
    await registry.table(table)
    state = State(table)
    for entry in await registry.store.entries(table, secrets=True):
        replay(state, [entry])
        if entry.kind == "deck_revealed" and state.game_number == game:
            name = f"kingdomino-{table}-{game}.txt"
            return PlainTextResponse(
                _record(state).to_text(), headers={"Content-Disposition": f'attachment; filename="{name}"'}
            )
    raise Refusal("not_over", "this game is not over yet")


@router.post("/verify", response_model=schemas.Deal, responses=refusals("bad_record"))
async def verify(body: schemas.RecordText) -> Answer:
    """Check that a record was played with the deal that its table had committed to."""
    try:
        dealt = deal.check(kd.Record.parse(body.record))
    except kd.KingdominoError as error:
        raise Refusal("bad_record", str(error)) from None
    return Answer(
        schemas.Deal(commitment=dealt.commitment, deck=dealt.deck, opening=dealt.opening, salt=dealt.salt)
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
