"""Hints, and what a placement gives away, for a player whose opponents are all bots.

Both think about a position, which is what everyone at the table can see; neither can know the deck.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import aclosing
from hashlib import sha256
from itertools import islice
from threading import Event
from typing import Annotated, Final

from pydantic import Field

import kingdomino as kd
from kingdomino._core import Judging
from kingdomino.analysis import Reason, why
from kingdomino.analysis.judge import decision_of
from kingdomino.server.study.queue import Ahead, Queue, Step, T, in_pieces
from kingdomino.server.tables.core.events import XY, Model
from kingdomino.server.tables.core.refusals import Refusal
from kingdomino.server.tables.core.state import State

_HINTED: Final = 8_000
_JUDGED: Final = 6_000
"""Playouts make an answer the same each time; these take under half a second."""
PIECE: Final = 250
"""The playouts between two of which others can think."""
_TEMPTING: Final = 6
"""Actions among which a hint looks for one that is worse for a reason."""

_Why = Annotated[Reason, Field(discriminator="code")] | None


class Hint(Model):
    """A good action for the player to move. ``squares``: those that the domino would cover; none for a claim.
    ``domino`` is the one to place or to claim. ``reason``: why an action that one might prefer at first sight is worse.
    """

    ply: int
    action: str
    domino: int
    squares: tuple[XY, ...]
    reason: _Why


class Cost(Model):
    """What an action gives away against the best one: win probability and points. ``reason``: why it is worse."""

    ply: int
    action: str
    win: float
    points: float
    reason: _Why


def check_alone(state: State, user: str) -> None:
    """Refuse a user unless it is their turn, and all the other players are bots.

    Someone with two seats may be two people at one device.
    """
    own = state.seats_of(user)
    if not own:
        raise Refusal("not_yours", "you have no seat at this table")
    if len(own) > 1 or any(entry.kind != "bot" for seat, entry in enumerate(state.seats) if seat not in own):
        raise Refusal("not_alone", "there are hints only where all the other players are bots")
    if state.stage != "playing" or state.turn is None:
        raise Refusal("not_playing", "this table has no game in progress")
    if state.turn.seat not in own:
        raise Refusal("not_yours", "it is not your turn")


def hint(position: kd.Position, ply: int) -> Step[Hint]:
    """Give the steps of a search for a good action."""

    def think(stop: Event) -> Iterator[Hint | None]:
        search = kd.Search(position, _seed(position))
        for _ in range(0, _HINTED, PIECE):
            if search.run(playouts=PIECE, stop=stop) is not kd.Stop.LIMIT:
                break
            yield None
        yield _hint(position, ply, search.analysis())

    return in_pieces(think)


def cost(
    position: kd.Position,
    action: kd.Action,
    ply: int,
    playouts: int = _JUDGED,
    seed: int | None = None,
) -> Step[Cost]:
    """Give the steps that judge an action."""
    judging = Judging(position, action, playouts, ply=ply, seed=_seed(position) if seed is None else seed)

    def think(stop: Event) -> Iterator[Cost | None]:
        while not judging.step(PIECE):
            if stop.is_set():
                judging.run(stop=stop)
            yield None
        found = decision_of(judging)
        yield Cost(ply=ply, action=str(action), win=found.cost, points=found.cost_points, reason=found.why)

    return in_pieces(think)


async def last_thought(queue: Queue, person: str, address: str, step: Step[T]) -> T:
    """Let a job think to its end, and give what it knows then. Raises `Refusal`."""
    last: T | None = None
    async with aclosing(queue.think(person, address, step)) as thoughts:
        async for thought in thoughts:
            if not isinstance(thought, Ahead):
                last = thought
    if last is None:
        raise Refusal("busy", "there was no time to think; try again later")
    return last


def _seed(position: kd.Position) -> int:
    """Give a seed that follows from what everyone sees: the same question has the same answer."""
    return int.from_bytes(sha256(position.to_text().encode()).digest()[:8])


def _hint(position: kd.Position, ply: int, analysis: kd.Analysis) -> Hint:
    best = analysis.actions[0].action
    domino = best.domino or position.domino
    assert domino is not None  # a seat is to move
    others = (why(position, action, best) for action in islice(_tempting(position, best), _TEMPTING))
    return Hint(
        ply=ply,
        action=str(best),
        domino=domino.number,
        squares=best.placement or (),
        reason=next((reason for reason in others if reason), None),
    )


def _tempting(position: kd.Position, best: kd.Action) -> Iterator[kd.Action]:
    """Give the other actions, those first that seem to add most points."""
    seat = position.to_move
    assert seat is not None
    kingdom = position.kingdoms[seat]

    def points(action: kd.Action) -> int:
        if action.domino:
            return kingdom.best_gain(action.domino) or 0
        return position.play(action).kingdoms[seat].score().total

    others = [action for action in position.legal_actions() if action != best]
    return iter(sorted(others, key=points, reverse=True))
