"""Routes for reference data: the dominoes and the bots."""

from typing import Final

from fastapi import APIRouter, Request, Response

from kingdomino.server.http import release, schemas
from kingdomino.server.http.dependencies import Answer
from kingdomino.server.tables.bots.bot_list import BOTS

router = APIRouter(tags=["reference"])
_ONE_DAY: Final = {"Cache-Control": "public, max-age=86400"}


@router.get("/api/dominoes", response_model=list[schemas.Domino])
async def dominoes(request: Request) -> Response:
    """List the 48 dominoes."""
    # It may be compressed, because it contains no secret.
    response = release.answer(request, release.DOMINOES, "application/json")
    response.headers.update(_ONE_DAY)
    return response


@router.get("/api/bots", response_model=list[schemas.Bot])
async def bots() -> Answer:
    """List the bots that this server offers, weakest first."""
    return Answer(
        [schemas.Bot(bot=bot.spec, name=bot.name, level=bot.level, usual=bot.usual) for bot in BOTS]
    )
