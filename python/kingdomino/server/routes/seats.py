"""Routes for seats: to sit down, to leave, to come back, to take a seat to another device.

Imports `door`, `requests`, `wire`, `state`, `story`, and `seen` of `tables`.
"""

from fastapi import APIRouter

from kingdomino.server import wire
from kingdomino.server.codes import tidy
from kingdomino.server.door import Answer, InHouse, User
from kingdomino.server.mailbox import Mailbox
from kingdomino.server.refusals import Refusal
from kingdomino.server.requests import Code, Sit
from kingdomino.server.routes.tables import seen
from kingdomino.server.state import Seat, State
from kingdomino.server.story import Story

router = APIRouter(prefix="/api", tags=["seats"])
_BODY = ("bad_request", "bad_field", "not_json", "too_large", "too_often", "storage")


@router.post(
    "/tables/{table}/seats",
    responses=wire.answers(wire.Seen, *_BODY, "no_table", "wrong_secret", "seat_taken", "not_waiting"),
)
async def sit(house: InHouse, user: User, table: str, body: Sit) -> Answer:
    """Sit down: by the secret of a seat, or in an open one. A secret of a taken seat moves it to you."""
    mailbox = await house.table(table)
    name = body.name or await house.store.user(user)

    def command(story: Story) -> None:
        if story.state.stage == "closed":
            raise Refusal("not_waiting", "this table was taken away")
        seat, entry = _wanted(mailbox, story.state, body, user)
        if entry.user == user:
            return
        kept = entry.name if entry.kind == "person" else name
        story.seat(seat, Seat("person", kept, None, entry.away, user))

    await mailbox.ask(command)
    return Answer(seen(mailbox, user, await house.store.user(user)))


@router.post(
    "/tables/{table}/seats/{seat}/leave",
    responses=wire.answers(wire.Seen, *_BODY, "no_table", "not_yours", "not_playing"),
)
async def leave(house: InHouse, user: User, table: str, seat: int) -> Answer:
    """Get up. While the table waits the seat is free again; later a bot plays on until you return."""
    mailbox = await house.table(table)

    def command(story: Story) -> None:
        entry = _own(story.state, seat, user)
        if story.state.stage == "waiting":
            story.seat(seat, Seat("open" if story.state.public else "invited"))
        elif story.state.stage in ("over", "closed"):
            raise Refusal("not_playing", "no game is going on at this table")
        elif entry.away is None:
            story.leave(seat, "left")

    await mailbox.ask(command)
    return Answer(seen(mailbox, user, await house.store.user(user)))


@router.post(
    "/tables/{table}/seats/{seat}/return",
    responses=wire.answers(wire.Seen, *_BODY, "no_table", "not_yours"),
)
async def come_back(house: InHouse, user: User, table: str, seat: int) -> Answer:
    """Take your seat again; the bot that played for you gets up."""
    mailbox = await house.table(table)

    def command(story: Story) -> None:
        if _own(story.state, seat, user).away is not None:
            story.come_back(seat)

    await mailbox.ask(command)
    return Answer(seen(mailbox, user, await house.store.user(user)))


@router.post(
    "/tables/{table}/seats/{seat}/secret",
    responses=wire.answers(wire.Secret, *_BODY, "no_table", "not_yours"),
)
async def secret(house: InHouse, user: User, table: str, seat: int) -> Answer:
    """Get the private link to your own seat, for another device. It works once."""
    mailbox = await house.table(table)
    _own(mailbox.state, seat, user)
    return Answer({"secret": mailbox.secret(seat)})


@router.post("/code", responses=wire.answers(wire.Invitation, *_BODY, "no_code"))
async def code(house: InHouse, body: Code) -> Answer:
    """Find the table that goes by three words, and a free seat of it."""
    shelf = await house.store.by_code(tidy(body.code))
    if shelf is not None:
        mailbox = await house.table(shelf.id)
        for seat, entry in enumerate(mailbox.state.seats):
            if entry.kind == "invited":
                return Answer({"id": shelf.id, "secret": mailbox.secret(seat)})
            if entry.kind == "open":
                return Answer({"id": shelf.id, "secret": None})
    raise Refusal("no_code", "no table goes by these words; codes end when the game begins")


def _wanted(mailbox: Mailbox, state: State, body: Sit, user: str) -> tuple[int, Seat]:
    if body.secret is not None:
        seat = mailbox.seat_of_secret(body.secret)
        own = state.seats_of(user)
        if seat is None and own:  # the same link, opened a second time
            return own[0], state.seats[own[0]]
        if seat is None:
            raise Refusal("wrong_secret", "this link is not good, or somebody has sat down by it already")
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
