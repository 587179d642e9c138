"""Routes to create tables, read them, and play at them."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response

import kingdomino as kd
from kingdomino.server.http import schemas
from kingdomino.server.http.dependencies import Answer, InRegistry, User
from kingdomino.server.http.limits import address_of
from kingdomino.server.http.openapi import refusals
from kingdomino.server.pools import Owner
from kingdomino.server.tables.bots.bot_list import DEFAULT, bot_seat
from kingdomino.server.tables.core import choices as table_choices
from kingdomino.server.tables.core.actor import TableActor
from kingdomino.server.tables.core.commands import Transaction, check_alone, check_seated
from kingdomino.server.tables.core.messages import SaidMessage
from kingdomino.server.tables.core.refusals import Refusal, illegal, not_playing, read_actions, read_position
from kingdomino.server.tables.core.rules import ChosenRules
from kingdomino.server.tables.core.snapshot import Summary
from kingdomino.server.tables.core.state import Seat, State
from kingdomino.server.tables.people import rematches

router = APIRouter(prefix="/api/tables", tags=["tables"])
COMMAND: Final = ("no_table", "stale_ply")
"""Refusals that any command may raise, because another process may have changed the table meanwhile."""
_USUAL_SECONDS: Final = 120
"""Seconds for a turn by default, at a table with seats for other people."""
_MOST_EVENTS: Final = 500


@router.get("", response_model=schemas.Lobby)
async def lobby(registry: InRegistry, request: Request) -> Answer:
    """List the public tables of the last hour: those with an open seat, and those to watch.

    Each network has a limited number of places in the list, for its newest tables. You see all tables of your own
    network.
    """
    now, network = registry.clock.now(), address_of(request.scope)
    waiting = await registry.lobby.list("open", now, network)
    playing = await registry.lobby.list("watch", now, network)
    listed, watched = (tuple(Summary.of_row(row) for row in rows) for rows in (waiting, playing))
    return Answer(schemas.Lobby(open=listed, watch=watched))


@router.post(
    "",
    status_code=201,
    response_model=schemas.Seen,
    responses=refusals("bad_rules", "bad_position", "bad_bot", "too_many_tables", "too_many_bots"),
)
async def create(registry: InRegistry, user: User, request: Request, body: schemas.NewTable) -> Answer:
    """Create a table. The game begins at once if no seat is free."""
    start = _start(body)
    rules = start.rules if start else body.rules()
    if len(body.seats) > rules.players:
        raise Refusal("bad_field", f"seats: {len(body.seats)} for {rules.players} players", field="seats")
    name = await registry.store.user(user)
    seats = _seats(body.seats, rules.players, user, name, body.digest)
    seconds = body.seconds
    if "seconds" not in body.model_fields_set and any(seat.is_free for seat in seats):
        seconds = _USUAL_SECONDS
    actor = await registry.create(
        rules,
        seats,
        Owner(user, address_of(request.scope)),
        dynasty=body.dynasty,
        seconds=seconds,
        public=body.public,
        language=body.language,
        start=start,
    )
    return Answer(seen(actor, user, name), 201)


@router.get("/{table}", response_model=schemas.Seen, responses=refusals("no_table"))
async def read(registry: InRegistry, user: User, table: str) -> Answer:
    """Read a table's state, and your role there."""
    actor = await registry.table(table)
    return Answer(seen(actor, user, await registry.store.user(user)))


@router.get("/{table}/events", response_model=schemas.Events, responses=refusals("no_table"))
async def read_events(
    registry: InRegistry, table: str, after: Annotated[int, Query(ge=0, le=1_000_000)] = 0
) -> Response:
    """Read the events after a number, at most 500."""
    if (await registry.stored(table)).state == "playing":
        await registry.table(table)  # load it: bots play only at tables in memory
    entries = await registry.store.entries(table, after, _MOST_EVENTS)
    bodies = ",".join(entry.body for entry in entries)
    return Response(f'{{"events":[{bodies}]}}', media_type=Answer.media_type)


@router.get(
    "/{table}/choices",
    response_model=table_choices.Choices,
    responses=refusals("no_table", "not_playing", "stale_ply", "illegal_action"),
)
async def choices(
    registry: InRegistry,
    table: str,
    ply: Annotated[int, Query(ge=0, le=10_000)],
    after: Annotated[str, Query(max_length=100, examples=["place 1,0>2,0"])] = "",
) -> Answer:
    """List the legal actions of the player to move, with points, and why the other placements are illegal."""
    actor = await registry.table(table)
    await actor.reach_ply(ply)
    state = actor.state
    if state.stage != "playing":
        raise not_playing()
    if ply != state.ply:
        raise Refusal("stale_ply", f"ply {ply} is not next: {state.ply} is", table=actor.table)
    try:
        position = table_choices.after(state.position, [text for text in after.split(";") if text])
        return Answer(table_choices.choices(position, ply))
    except kd.KingdominoError as error:
        raise illegal(error) from None


@router.post(
    "/{table}/actions",
    response_model=schemas.Done,
    responses=refusals(*COMMAND, "not_yours", "not_playing", "illegal_action"),
)
async def act(registry: InRegistry, user: User, table: str, body: schemas.TurnActions) -> Answer:
    """Claim, place or discard. You can send a placement and its claim together."""
    actor, actions = await registry.table(table), read_actions(body.actions)

    def command(transaction: Transaction) -> None:
        state = transaction.state
        turn = state.turn
        if turn is not None and turn.ply == body.ply and state.seats[turn.seat].user != user:
            raise Refusal("not_yours", "it is not your turn")
        check_seated(state, user)
        if turn is not None and state.seats[turn.seat].away is not None:
            transaction.return_to(turn.seat)
        transaction.act(body.ply, actions, "person")

    return Answer(schemas.Done(number=(await actor.ask(command)).number))


@router.post(
    "/{table}/hint",
    response_model=schemas.Done,
    responses=refusals(*COMMAND, "not_yours", "not_alone", "not_playing"),
)
async def hint(registry: InRegistry, user: User, table: str, body: schemas.HintRequest) -> Answer:
    """Note that you take a hint for your decision, if all other players are bots. The client finds the hint itself."""
    actor = await registry.table(table)
    await actor.reach_ply(body.ply)

    def note(transaction: Transaction) -> None:
        check_alone(transaction.state, user)
        transaction.hint(body.ply)

    return Answer(schemas.Done(number=(await actor.ask(note)).number))


@router.post(
    "/{table}/say",
    response_model=SaidMessage,
    responses=refusals("no_table", "not_yours", "too_often"),
)
async def say(registry: InRegistry, user: User, table: str, body: schemas.SpokenWord) -> Answer:
    """Say one of the fixed words to everyone at the table (any player). If you have several seats, the mover speaks."""
    actor = await registry.table(table)
    check_seated(actor.state, user)
    own, turn = actor.state.seats_of(user), actor.state.turn
    seat = turn.seat if turn is not None and turn.seat in own else own[0]
    return Answer(actor.say(seat, body.word))


@router.post(
    "/{table}/start", response_model=schemas.Seen, responses=refusals(*COMMAND, "not_host", "not_waiting")
)
async def start(registry: InRegistry, user: User, table: str) -> Answer:
    """Give the free seats to bots and begin the game (host only)."""
    actor = await registry.table(table)

    def command(transaction: Transaction) -> None:
        _check_host(transaction.state, user)
        for seat, entry in enumerate(transaction.state.seats):
            if entry.is_free:
                transaction.seat(seat, bot_seat(DEFAULT))

    await actor.ask(command)
    return Answer(seen(actor, user, await registry.store.user(user)))


@router.post(
    "/{table}/next", response_model=schemas.Seen, responses=refusals(*COMMAND, "not_yours", "not_over")
)
async def next_game(registry: InRegistry, user: User, table: str) -> Answer:
    """Begin the next game of a Dynasty (any player)."""
    actor = await registry.table(table)

    def command(transaction: Transaction) -> None:
        check_seated(transaction.state, user)
        if transaction.state.stage != "between":
            raise Refusal("not_over", "there is no next game to begin now")
        transaction.draw()

    await actor.ask(command)
    return Answer(seen(actor, user, await registry.store.user(user)))


@router.post(
    "/{table}/nonce",
    response_model=schemas.Done,
    responses=refusals(*COMMAND, "not_yours", "not_drawing", "bad_nonce"),
)
async def give_nonce(registry: InRegistry, user: User, table: str, body: schemas.Nonce) -> Answer:
    """Reveal your browser's nonce once all seats are taken. The game begins with the last nonce, or when time is up."""
    actor = await registry.table(table)

    def command(transaction: Transaction) -> None:
        check_seated(transaction.state, user)
        transaction.give_nonce(transaction.state.seats_of(user), body.game, body.nonce)

    return Answer(schemas.Done(number=(await actor.ask(command)).number))


@router.post(
    "/{table}/end", response_model=schemas.Seen, responses=refusals(*COMMAND, "not_yours", "not_playing")
)
async def end(registry: InRegistry, user: User, table: str, body: schemas.EndWish) -> Answer:
    """Say whether you would like to end the game. It ends when all players who are present agree."""
    actor = await registry.table(table)

    def command(transaction: Transaction) -> None:
        check_seated(transaction.state, user)
        if transaction.state.stage not in ("playing", "between"):
            raise not_playing()
        transaction.check_room()
        transaction.wish(transaction.state.seats_of(user)[0], "end", body.wish)
        people, agreed = transaction.state.people(), transaction.state.wishes.end
        others = [seats for other, seats in people.items() if other != user and actor.is_present(other)]
        if body.wish and all(agreed.intersection(seats) for seats in others):
            transaction.close("ended")

    await actor.ask(command)
    return Answer(seen(actor, user, await registry.store.user(user)))


@router.post(
    "/{table}/rematch",
    response_model=schemas.Seen,
    responses=refusals(*COMMAND, "not_yours", "not_over", "too_many_tables", "too_many_bots"),
)
async def rematch(
    registry: InRegistry, user: User, request: Request, table: str, body: schemas.RematchWish
) -> Answer:
    """Say whether you would like to play again. When all players agree, the server creates their next table.

    If a player declines, or is absent and has not answered, the host decides with ``missing``: leave these seats out,
    or give them to bots. If the host is among them, any player who plays again decides.
    """
    actor = await registry.table(table)

    def command(transaction: Transaction) -> None:
        check_seated(transaction.state, user)
        if transaction.state.stage != "over":
            raise Refusal("not_over", "the game at this table is not over")
        if transaction.state.rematch is None:
            transaction.check_room()
            for seat in transaction.state.seats_of(user):
                digest = body.digest if seat == transaction.state.seats_of(user)[0] else None
                transaction.wish(seat, "rematch", body.wish, digest)

    await actor.ask(command)
    seats = rematches.seats_of_next(actor, user, body.missing)
    if seats is not None and actor.state.rematch is None:
        again = await rematches.create(registry, actor.state, seats, user, address_of(request.scope))
        await actor.ask(lambda transaction: transaction.set_rematch(again.state.id))
    return Answer(seen(actor, user, await registry.store.user(user)))


@router.post(
    "/{table}/close", response_model=schemas.Done, responses=refusals(*COMMAND, "not_host", "not_waiting")
)
async def close(registry: InRegistry, user: User, table: str) -> Answer:
    """Close a waiting table (host only)."""
    actor = await registry.table(table)

    def command(transaction: Transaction) -> None:
        _check_host(transaction.state, user)
        transaction.close("host")

    return Answer(schemas.Done(number=(await actor.ask(command)).number))


def seen(actor: TableActor, user: str, name: str | None) -> schemas.Seen:
    """Return a table's state and a client's role there."""
    return schemas.Seen(table=actor.table, you=actor.you(user, name))


def _start(body: schemas.NewTable) -> kd.Position | None:
    """Read the position from which the game begins; `None` for an ordinary game. Raises `Refusal`."""
    if body.position is None:
        return None
    start = read_position(body.position)
    if start.to_move is None:
        raise Refusal("bad_field", "position: a seat must be to move", field="position")
    chosen = sorted({"dynasty", *ChosenRules.model_fields} & body.model_fields_set)
    if chosen:
        field = chosen[0]
        raise Refusal("bad_field", f"{field}: the position already has rules", field=field)
    return start


def _seats(
    wishes: list[schemas.SeatWish], players: int, user: str, name: str | None, digest: str | None
) -> list[Seat]:
    """Turn wishes into seats. Without wishes the first seat is the user's; the seats left out are bots'."""
    wishes = [*wishes, *([schemas.SeatWish(kind="me")] if not wishes else [])]
    wishes += [schemas.SeatWish(kind="bot", bot=DEFAULT)] * (players - len(wishes))
    seats: list[Seat] = []
    for number, wish in enumerate(wishes):
        if wish.kind != "bot" and wish.bot is not None:
            field = f"seats.{number}.bot"
            raise Refusal("bad_field", f"{field}: only a bot's seat can have a bot", field=field)
        if wish.kind == "me":
            seats.append(Seat("person", wish.name or name, user=user, digest=digest))
            digest = None  # a browser with several seats has one nonce
        elif wish.kind == "bot":
            seats.append(bot_seat(wish.bot or DEFAULT, wish.name))
        else:
            seats.append(Seat(wish.kind))
    return seats


def _check_host(state: State, user: str) -> None:
    if state.host != user:
        raise Refusal("not_host", "only the host can do this")
    if state.stage != "waiting":
        raise Refusal("not_waiting", "this table is no longer waiting")
