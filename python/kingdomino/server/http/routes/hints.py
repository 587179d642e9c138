"""Routes for a player among bots: a hint, and what a placement gives away."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Query, Request

import kingdomino as kd
from kingdomino.server.http import schemas
from kingdomino.server.http.dependencies import Answer, InQueue, InRegistry, User
from kingdomino.server.http.limits import address_of
from kingdomino.server.http.openapi import refusals
from kingdomino.server.study import hints
from kingdomino.server.tables.core.actor import TableActor
from kingdomino.server.tables.core.choices import after as played_on
from kingdomino.server.tables.core.commands import Transaction
from kingdomino.server.tables.core.refusals import Refusal, illegal

router = APIRouter(prefix="/api/tables", tags=["hints"])
_REFUSED: Final = (
    "no_table",
    "not_yours",
    "not_alone",
    "not_playing",
    "stale_ply",
    "illegal_action",
    "busy",
    "too_often",
)


@router.post("/{table}/hint", response_model=hints.Hint, responses=refusals(*_REFUSED))
async def hint(
    request: Request, registry: InRegistry, queue: InQueue, user: User, table: str, body: schemas.HintRequest
) -> Answer:
    """Get a hint for your decision, if all other players are bots. The table notes that you took it.

    ``after`` is a placement of this turn that has not been sent yet.
    """
    actor = await registry.table(table)
    position = await _position(actor, user, body.ply, body.after)
    if position.to_move != actor.state.position.to_move:
        raise Refusal("illegal_action", "this turn is over")
    found = await hints.last_thought(queue, user, address_of(request.scope), hints.hint(position, body.ply))

    def note(transaction: Transaction) -> None:
        hints.check_alone(transaction.state, user)
        transaction.hint(body.ply)

    await actor.ask(note)
    return Answer(found)


@router.get("/{table}/cost", response_model=hints.Cost, responses=refusals(*_REFUSED))
async def cost(
    request: Request,
    registry: InRegistry,
    queue: InQueue,
    user: User,
    table: str,
    ply: Annotated[int, Query(ge=0, le=10_000)],
    action: Annotated[str, Query(max_length=100, examples=["place 1,0>2,0"])],
) -> Answer:
    """Ask what an action that you have not sent yet gives away, if all other players are bots."""
    actor = await registry.table(table)
    position = await _position(actor, user, ply, "")
    try:
        wanted = kd.Action.parse(action)
        position.play(wanted)
    except kd.KingdominoError as error:
        raise illegal(error) from None
    return Answer(
        await hints.last_thought(queue, user, address_of(request.scope), hints.cost(position, wanted, ply))
    )


async def _position(actor: TableActor, user: str, ply: int, after: str) -> kd.Position:
    """Give the position in which the user decides now."""
    await actor.reach_ply(ply)
    state = actor.state
    hints.check_alone(state, user)
    if ply != state.ply:
        raise Refusal("stale_ply", f"ply {ply} is not next: {state.ply} is", table=actor.table)
    try:
        return played_on(state.position, [after] if after else [])
    except kd.KingdominoError as error:
        raise illegal(error) from None
