"""Routes for tables: to lay one, to read it, to play at it.

Imports `door`, `requests`, `wire`, `view`, `choices`, `story`, `bot_list`, the bots and the library's face.
"""

from __future__ import annotations

import json
from typing import Annotated

from fastapi import APIRouter, Query

import kingdomino as kd
from kingdomino import bots
from kingdomino.server import view, wire
from kingdomino.server.bot_list import USUAL, bot_name
from kingdomino.server.choices import after as position_after
from kingdomino.server.choices import choices as choices_of
from kingdomino.server.door import Answer, InHouse, User
from kingdomino.server.house import House
from kingdomino.server.mailbox import Mailbox, now
from kingdomino.server.refusals import Refusal, illegal
from kingdomino.server.requests import NewTable, SeatWish, Turn
from kingdomino.server.scores import Json
from kingdomino.server.state import Seat, State
from kingdomino.server.story import Story

router = APIRouter(prefix="/api/tables", tags=["tables"])
_LISTED = 50
_LISTED_FOR = 3_600_000  # milliseconds after the last event: whoever waits for longer has probably gone
_MOST_EVENTS = 500
_LONGEST = 2.0  # seconds that a bot may think about a decision
_MOST_PLAYOUTS = 100_000  # which take about as long
_BODY = ("bad_request", "bad_field", "not_json", "too_large", "too_often", "storage")
_HERE = ("no_table", "bad_field")


@router.get("", responses=wire.answers(wire.Lobby))
async def lobby(house: InHouse) -> Answer:
    """List the public tables of the last hour: those with an open seat, and those that can be watched."""
    since = now() - _LISTED_FOR
    waiting = await house.store.public(["waiting"], since, _LISTED)
    playing = await house.store.public(["playing", "between"], since, _LISTED)
    summaries = [[json.loads(shelf.summary) for shelf in shelves] for shelves in (waiting, playing)]
    for_anyone = [table for table in summaries[0] if any(seat["kind"] == "open" for seat in table["seats"])]
    return Answer({"open": for_anyone, "watch": summaries[1]})


@router.post(
    "",
    status_code=201,
    responses=wire.answers(wire.Seen, *_BODY, "bad_rules", "bad_bot", "too_many_tables", ok=201),
)
async def lay(house: InHouse, user: User, body: NewTable) -> Answer:
    """Lay a table. The game begins at once when no seat is free."""
    try:
        rules = kd.Rules(
            body.players, body.edition, body.mighty_duel, body.harmony, body.middle_kingdom, body.opening
        )
    except kd.RulesError as error:
        raise Refusal("bad_rules", str(error)) from None
    if len(body.seats) > rules.players:
        raise Refusal("bad_field", f"seats: {len(body.seats)} for {rules.players} players", field="seats")
    name = await house.store.user(user)
    seats = _seated(body.seats, rules.players, user, name)
    mailbox = await house.lay(
        rules, seats, user, dynasty=body.dynasty, seconds=body.seconds, public=body.public
    )
    return Answer(seen(mailbox, user, name), 201)


@router.get("/{table}", responses=wire.answers(wire.Seen, *_HERE))
async def read(house: InHouse, user: User, table: str) -> Answer:
    """Read the table as it stands, and what you are there."""
    mailbox = await house.table(table)
    return Answer(seen(mailbox, user, await house.store.user(user)))


@router.get("/{table}/events", responses=wire.answers(wire.Events, *_HERE))
async def events(house: InHouse, table: str, after: Annotated[int, Query(ge=0, le=1_000_000)] = 0) -> Answer:
    """Read the events after a number, at most 500."""
    await house.table(table)
    entries = await house.store.entries(table, after, _MOST_EVENTS)
    return Answer({"events": [json.loads(entry.body) for entry in entries]})


@router.get(
    "/{table}/choices",
    responses=wire.answers(wire.Choices, *_HERE, "not_playing", "stale_ply", "illegal_action"),
)
async def choices(
    house: InHouse,
    table: str,
    ply: Annotated[int, Query(ge=0, le=10_000)],
    after: Annotated[str, Query(max_length=100, examples=["place 1,0>2,0"])] = "",
) -> Answer:
    """List what the player to move can do, with points, and reasons against the rest."""
    state = (await house.table(table)).state
    if state.stage != "playing":
        raise Refusal("not_playing", "no game is going on at this table")
    if ply != state.ply:
        raise Refusal("stale_ply", f"ply {ply} is over: {state.ply} is next", table=view.snapshot(state))
    try:
        position = position_after(state.position, [text for text in after.split(";") if text])
        return Answer({"ply": ply, **choices_of(position)})
    except kd.KingdominoError as error:
        raise illegal(error) from None


@router.post(
    "/{table}/actions",
    responses=wire.answers(
        wire.Done, *_HERE, *_BODY, "not_yours", "not_playing", "stale_ply", "illegal_action"
    ),
)
async def act(house: InHouse, user: User, table: str, body: Turn) -> Answer:
    """Claim, place or discard; a placement and its claim go together."""
    mailbox = await house.table(table)

    def command(story: Story) -> None:
        turn = story.state.turn
        if turn is not None and turn["ply"] == body.ply and not _is_mine(story.state, turn["seat"], user):
            raise Refusal("not_yours", "it is not your turn")
        if not story.state.seats_of(user):
            raise Refusal("not_yours", "you have no seat at this table")
        if turn is not None and story.state.seats[turn["seat"]].away is not None:
            story.come_back(turn["seat"])  # whoever decides is there
        story.act(body.ply, body.actions, "person")

    return Answer({"number": (await mailbox.ask(command)).number})


@router.post("/{table}/start", responses=wire.answers(wire.Seen, *_HERE, *_BODY, "not_host", "not_waiting"))
async def start(house: InHouse, user: User, table: str) -> Answer:
    """Let bots take the free seats, and begin (the host)."""
    mailbox = await house.table(table)

    def command(story: Story) -> None:
        _check_host(story.state, user)
        for seat, entry in enumerate(story.state.seats):
            if entry.is_free:
                story.seat(seat, _bot(USUAL, None, _names(story.state)))

    await mailbox.ask(command)
    return Answer(seen(mailbox, user, await house.store.user(user)))


@router.post("/{table}/next", responses=wire.answers(wire.Seen, *_HERE, *_BODY, "not_yours", "not_over"))
async def next_game(house: InHouse, user: User, table: str) -> Answer:
    """Begin the next game of a Dynasty (anyone seated)."""
    mailbox = await house.table(table)

    def command(story: Story) -> None:
        _check_seated(story.state, user)
        if story.state.stage != "between":
            raise Refusal("not_over", "there is no next game to begin now")
        story.deal()

    await mailbox.ask(command)
    return Answer(seen(mailbox, user, await house.store.user(user)))


@router.post("/{table}/rematch", responses=wire.answers(wire.Id, *_HERE, *_BODY, "not_yours", "not_over"))
async def rematch(house: InHouse, user: User, table: str) -> Answer:
    """Lay a new table for the same players (anyone seated); a second wish leads to the same one."""
    mailbox = await house.table(table)
    async with mailbox.laying_again:
        state = mailbox.state
        _check_seated(state, user)
        if state.stage != "over":
            raise Refusal("not_over", "this table is not done yet")
        if state.rematch is None:
            again = await _lay_again(house, state, user)
            state = await mailbox.ask(lambda story: story.lay_next(again.state.id))
    return Answer({"id": state.rematch})


@router.post("/{table}/close", responses=wire.answers(wire.Done, *_HERE, *_BODY, "not_host", "not_waiting"))
async def close(house: InHouse, user: User, table: str) -> Answer:
    """Take a waiting table away (the host)."""
    mailbox = await house.table(table)

    def command(story: Story) -> None:
        _check_host(story.state, user)
        story.close()

    return Answer({"number": (await mailbox.ask(command)).number})


def seen(mailbox: Mailbox, user: str, name: str | None) -> Json:
    """Write a table and what somebody is there."""
    return {"table": view.snapshot(mailbox.state), "you": mailbox.you(user, name)}


async def _lay_again(house: House, state: State, user: str) -> Mailbox:
    seats = [Seat(seat.kind, seat.name, seat.bot, None, seat.user) for seat in state.seats]
    return await house.lay(
        state.rules,
        seats,
        state.host or user,
        dynasty=state.dynasty,
        seconds=state.seconds,
        public=state.public,
    )


def _seated(wishes: list[SeatWish], players: int, user: str, name: str | None) -> list[Seat]:
    """Turn wishes into seats; those that nobody spoke of are one's own, then greedy bots'."""
    wishes = [*wishes, *([SeatWish(kind="me")] if not wishes else [])]
    wishes += [SeatWish(kind="bot", bot=USUAL)] * (players - len(wishes))
    seats: list[Seat] = []
    for number, wish in enumerate(wishes):
        if wish.kind != "bot" and wish.bot is not None:
            raise Refusal(
                "bad_field", f"seats.{number}.bot: only a bot has a spec", field=f"seats.{number}.bot"
            )
        if wish.kind == "me":
            seats.append(Seat("person", wish.name or name, user=user))
        elif wish.kind == "bot":
            taken = {seat.name for seat in seats if seat.name} | {wish.name for wish in wishes if wish.name}
            seats.append(_bot(wish.bot or USUAL, wish.name, taken))
        else:
            seats.append(Seat(wish.kind))
    return seats


def _bot(spec: str, name: str | None, taken: set[str]) -> Seat:
    try:
        bot = bots.make(spec)
    except kd.BotError as error:
        raise Refusal("bad_bot", str(error)) from None
    if isinstance(bot, bots.Engine):  # whoever lays a table would run commands on this machine
        raise Refusal(
            "bad_bot", "an engine does not play at a table: it is a program on the server's machine"
        )
    if isinstance(bot, bots.King | bots.Mce | bots.Uct) and not _is_modest(bot):
        most = f"one thread, {_LONGEST:g} s or {_MOST_PLAYOUTS:,} playouts"
        raise Refusal("bad_bot", f"bot {spec!r}: at a table a decision may take {most}, no more")
    spec = bot.spec
    return Seat("bot", name or bot_name(spec, taken), spec)


def _is_modest(bot: bots.King | bots.Mce | bots.Uct) -> bool:
    """Whether it leaves something of the machine to others."""
    if isinstance(bot, bots.King) and bot.threads > 1:
        return False
    if bot.time is not None:
        return bot.time <= _LONGEST
    return (bot.playouts or 0) <= _MOST_PLAYOUTS


def _names(state: State) -> set[str]:
    return {seat.name for seat in state.seats if seat.name}


def _is_mine(state: State, seat: int, user: str) -> bool:
    return state.seats[seat].user == user


def _check_host(state: State, user: str) -> None:
    if state.host != user:
        raise Refusal("not_host", "only who laid the table can do this")
    if state.stage != "waiting":
        raise Refusal("not_waiting", "this table does not wait any more")


def _check_seated(state: State, user: str) -> None:
    if not state.seats_of(user):
        raise Refusal("not_yours", "you have no seat at this table")
