"""Rematches: who plays again, and the next table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from kingdomino.server.pools import Owner
from kingdomino.server.tables.bots.bot_list import DEFAULT, bot_seat
from kingdomino.server.tables.core.actor import TableActor
from kingdomino.server.tables.core.registry import Registry
from kingdomino.server.tables.core.state import Seat, State

Missing: TypeAlias = Literal["leave_out", "bots"]
"""What to do with the seats of players who do not play again."""
_FEWEST: Final = 2


def seats_of_next(actor: TableActor, user: str, missing: Missing | None) -> list[Seat] | None:
    """Return the seats of the next game; `None` while an answer, or the decision about ``missing``, is pending."""
    state = actor.state
    yes, no = state.wishes.rematch, state.wishes.declined
    people = state.people()
    playing = {other for other, seats in people.items() if yes.intersection(seats)}
    asked = {other for other, seats in people.items() if not (yes | no).intersection(seats)}
    if user not in playing or any(actor.is_present(other) for other in asked):
        return None
    stays = [seat.kind == "bot" or seat.user in playing for seat in state.seats]
    if all(stays):
        return [_again(state, seat) for seat in range(len(state.seats))]
    host = None if state.host_seat is None else state.seats[state.host_seat].user
    if missing is None or (host in playing and user != host):
        return None
    seats = [_again(state, seat) if stay else None for seat, stay in enumerate(stays)]
    staying = [seat for seat in seats if seat is not None]
    if missing == "leave_out" and len(staying) >= _FEWEST:
        return staying
    return [seat or bot_seat(DEFAULT) for seat in seats]


async def create(
    registry: Registry, state: State, seats: Sequence[Seat], user: str, network: str
) -> TableActor:
    """Create the table of the next game, under the same rules."""
    host = state.host if any(seat.user == state.host for seat in seats) else None
    return await registry.create(
        state.rules.replace(players=len(seats)),
        seats,
        Owner(host or user, network),
        dynasty=state.dynasty,
        seconds=state.seconds,
        public=state.public,
        rematch_of=state.id,
        start=state.start_position if len(seats) == state.rules.players else None,
    )


def _again(state: State, number: int) -> Seat:
    seat, digests = state.seats[number], dict(state.wishes.digests)
    return Seat(seat.kind, seat.name, seat.bot, None, seat.user, digest=digests.get(number))
