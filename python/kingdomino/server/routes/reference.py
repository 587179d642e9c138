"""Routes for what never changes: the dominoes and the bots; and whether the server is well.

Imports `door`, `wire` and the library's face.
"""

from fastapi import APIRouter

import kingdomino as kd
from kingdomino.server import wire
from kingdomino.server.bot_list import BOTS, USUAL
from kingdomino.server.door import Answer, InHouse

router = APIRouter(tags=["reference"])
_DOMINOES = [
    {"number": domino.number, "left": domino.left._asdict(), "right": domino.right._asdict()}
    for domino in kd.DOMINOES
]
_ONE_DAY = {"Cache-Control": "public, max-age=86400"}


@router.get("/api/dominoes", responses=wire.answers(list[wire.Domino]))
async def dominoes() -> Answer:
    """List the 48 dominoes."""
    return Answer(_DOMINOES, headers=_ONE_DAY)


@router.get("/api/bots", responses=wire.answers(list[wire.Bot]))
async def bots() -> Answer:
    """List the bots that this house offers, kindest first."""
    return Answer(
        [{"bot": bot.spec, "name": bot.name, "level": bot.level, "usual": bot.spec == USUAL} for bot in BOTS]
    )


@router.get("/health", responses=wire.answers(wire.Health, "storage"))
async def health(house: InHouse) -> Answer:
    """Say whether the server works, its store included."""
    await house.store.public(["waiting"], since=0, limit=1)
    return Answer({"status": "ok", "tables": len(house)})
