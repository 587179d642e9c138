"""Routes for seats: take, leave, return to a seat, or move it to another device."""

from fastapi import APIRouter

from kingdomino.server.http import schemas
from kingdomino.server.http.dependencies import Answer, InRegistry, User
from kingdomino.server.http.openapi import refusals
from kingdomino.server.http.routes.tables import COMMAND, seen
from kingdomino.server.tables.core.actor import TableActor
from kingdomino.server.tables.core.commands import Transaction, check_seated
from kingdomino.server.tables.core.refusals import Refusal, not_playing
from kingdomino.server.tables.core.state import Seat, State
from kingdomino.server.tables.people.codes import tidy

router = APIRouter(prefix="/api", tags=["seats"])


@router.post(
    "/tables/{table}/seats",
    response_model=schemas.Seen,
    responses=refusals(*COMMAND, "wrong_secret", "seat_taken", "not_waiting"),
)
async def sit(registry: InRegistry, user: User, table: str, body: schemas.SeatRequest) -> Answer:
    """Take an open seat, or a seat by its secret. The secret of a taken seat moves the seat to you."""
    actor = await registry.table(table)
    name = body.name or await registry.store.user(user)

    def command(transaction: Transaction) -> None:
        if transaction.state.stage == "closed":
            raise Refusal("not_waiting", "this table is closed")
        seat, entry = _wanted(actor, transaction.state, body, user)
        if entry.user == user:
            return
        transaction.check_room()
        kept = entry.name if entry.kind == "person" else name
        promised = {transaction.state.seats[own].digest for own in transaction.state.seats_of(user)}
        digest = None if body.digest in promised else body.digest  # a nonce counts for one seat
        transaction.seat(seat, Seat("person", kept, None, entry.away, user, digest=digest))

    await actor.ask(command)
    return Answer(seen(actor, user, await registry.store.user(user)))


@router.post(
    "/tables/{table}/seats/{seat}/leave",
    response_model=schemas.Seen,
    responses=refusals(*COMMAND, "not_yours", "not_playing"),
)
async def leave(registry: InRegistry, user: User, table: str, seat: int) -> Answer:
    """Leave. Before the game your seat becomes free; during the game a bot plays for you until you return."""
    actor = await registry.table(table)

    def command(transaction: Transaction) -> None:
        entry = _own(transaction.state, seat, user)
        transaction.check_room()
        if transaction.state.stage == "waiting":
            transaction.seat(seat, Seat("open" if transaction.state.public else "invited"))
        elif transaction.state.is_over:
            raise not_playing()
        elif entry.away != "left":
            transaction.leave(seat, "left")

    await actor.ask(command)
    return Answer(seen(actor, user, await registry.store.user(user)))


@router.post(
    "/tables/{table}/seats/{seat}/stand-in",
    response_model=schemas.Seen,
    responses=refusals(*COMMAND, "not_yours", "not_playing", "not_away"),
)
async def stand_in(registry: InRegistry, user: User, table: str, seat: int) -> Answer:
    """Let a bot play for a player who has been away for a while, until that player is back (any player)."""
    actor = await registry.table(table)

    def command(transaction: Transaction) -> None:
        state = transaction.state
        check_seated(state, user)
        if state.stage not in ("playing", "between"):
            raise not_playing()
        if not 0 <= seat < len(state.seats) or not actor.is_long_away(seat):
            raise Refusal("not_away", "this player is here, or has only just left")
        transaction.check_room()
        if state.seats[seat].away is None:
            transaction.leave(seat, "absent")

    await actor.ask(command)
    return Answer(seen(actor, user, await registry.store.user(user)))


@router.post(
    "/tables/{table}/seats/{seat}/return",
    response_model=schemas.Seen,
    responses=refusals(*COMMAND, "not_yours"),
)
async def return_to(registry: InRegistry, user: User, table: str, seat: int) -> Answer:
    """Take your seat back from the bot that played for you."""
    actor = await registry.table(table)

    def command(transaction: Transaction) -> None:
        if _own(transaction.state, seat, user).away is not None:
            transaction.return_to(seat)

    await actor.ask(command)
    return Answer(seen(actor, user, await registry.store.user(user)))


@router.post(
    "/tables/{table}/seats/{seat}/secret",
    response_model=schemas.SeatSecret,
    responses=refusals("no_table", "not_yours"),
)
async def secret(registry: InRegistry, user: User, table: str, seat: int) -> Answer:
    """Get the secret of your own seat, for another device. It works once."""
    actor = await registry.table(table)
    _own(actor.state, seat, user)
    return Answer({"secret": actor.secret(seat)})


@router.post("/code", response_model=schemas.Invitation, responses=refusals("no_code"))
async def code(registry: InRegistry, body: schemas.CodeWords) -> Answer:
    """Find the table with this code. Sit down with the secret in the answer; at an open table it is `null`."""
    code = tidy(body.code)
    row = await registry.store.by_code(code)
    if row is not None:
        free = {entry.kind for entry in (await registry.table(row.id)).state.seats if entry.is_free}
        if free:
            return Answer({"id": row.id, "secret": code.replace(" ", "-") if "invited" in free else None})
    raise Refusal("no_code", "no table has this code; codes end when the game begins")


def _wanted(actor: TableActor, state: State, body: schemas.SeatRequest, user: str) -> tuple[int, Seat]:
    if body.secret is not None:
        seat = actor.seat_of_secret(body.secret)
        own = state.seats_of(user)
        if own and (seat is None or actor.is_code(body.secret)):  # the same person opened the link twice
            return own[0], state.seats[own[0]]
        if seat is None:
            raise Refusal("wrong_secret", "this link is not valid, or it has been used")
        return seat, state.seats[seat]
    free = [seat for seat, entry in enumerate(state.seats) if entry.kind == "open"]
    if body.seat is None and free:
        return free[0], state.seats[free[0]]
    if body.seat is None or body.seat not in free:
        raise Refusal("seat_taken", "this seat is not open")
    return body.seat, state.seats[body.seat]


def _own(state: State, seat: int, user: str) -> Seat:
    if not 0 <= seat < len(state.seats) or state.seats[seat].user != user:
        raise Refusal("not_yours", "this is not your seat")
    return state.seats[seat]
