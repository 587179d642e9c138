"""Routes for finished games: the record to download, the picture to share; and the check of a record's deal."""

from datetime import UTC, datetime
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import PlainTextResponse

import kingdomino as kd
from kingdomino.server.http import schemas
from kingdomino.server.http.dependencies import Answer, InRegistry
from kingdomino.server.http.openapi import refusals
from kingdomino.server.http.sharing import Pictures, Result
from kingdomino.server.tables import deal
from kingdomino.server.tables.actor import replay
from kingdomino.server.tables.codes import Language
from kingdomino.server.tables.refusals import Refusal
from kingdomino.server.tables.registry import Registry
from kingdomino.server.tables.state import State

router = APIRouter(prefix="/api", tags=["records"])
_SHARED: Final = {"Cache-Control": "public, max-age=300", "Cross-Origin-Resource-Policy": "cross-origin"}


class PngResponse(Response):
    """A picture."""

    media_type = "image/png"


@router.get(
    "/tables/{table}/record", response_class=PlainTextResponse, responses=refusals("no_table", "not_over")
)
async def record(
    registry: InRegistry, table: str, game: Annotated[int, Query(ge=1, le=3)] = 1
) -> PlainTextResponse:
    """Download a finished game as a record."""
    state = await _finished(registry, table, game)
    name = f"kingdomino-{table}-{game}.txt"
    return PlainTextResponse(
        _record(state).to_text(), headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


@router.get(
    "/tables/{table}/picture",
    response_class=PngResponse,
    responses=refusals("no_table", "not_over", "busy"),
)
async def picture(
    request: Request,
    registry: InRegistry,
    table: str,
    game: Annotated[int, Query(ge=1, le=3)] = 1,
    language: Language = "en",
) -> PngResponse:
    """Get a picture of a finished game, 1200 × 630, to share."""
    state = (await registry.table(table)).state
    if state.finished is None or state.game_number != game:
        state = await _finished(registry, table, game)
    pictures: Pictures = request.app.state.pictures
    drawn = await pictures.of(Result.of(state, language), state.game)
    # Pages of other sites may show it, which is what it is for.
    return PngResponse(
        drawn, headers={**_SHARED, "Content-Disposition": f'inline; filename="kingdomino-{table}.png"'}
    )


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


async def _finished(registry: Registry, table: str, game: int) -> State:
    """Give a table as it was when a game was over."""
    await registry.table(table)
    state = State(table)
    for entry in await registry.store.entries(table, secrets=True):
        replay(state, [entry])
        if entry.kind == "deck_revealed" and state.game_number == game:
            return state
    raise Refusal("not_over", "this game is not over yet")


def _record(state: State) -> kd.Record:
    tags = {
        "date": datetime.fromtimestamp(state.updated / 1000, UTC).date().isoformat(),
        "table": state.id,
        "commitment": state.deal.commitment,
        "salt": state.deal.salt,
    }
    return kd.Record.from_game(state.game, state.names, tags)
