"""Working through a plan: what the store lacks is played, written down, and given on."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from typing import TypeAlias

from kingdomino.arena.plan import Plan
from kingdomino.arena.played import Game
from kingdomino.arena.schedule import Fixture, schedule
from kingdomino.arena.sequential import Watch
from kingdomino.arena.store import Writer

Player: TypeAlias = Callable[[Plan, Iterable[Fixture]], Generator[Game, None, None]]
"""Plays games, several at once, and gives each when it is over, in whichever order that is.

Closing the generator ends the games that are being played."""


def run(plan: Plan, writer: Writer, player: Player) -> Generator[Game, None, None]:
    """Play every game of the plan that the store does not hold, until the sequential test is decided.

    Each game is written down before it is given. A few games that had begun when the test was decided
    may be in the store as well; `results.collect` leaves them out.
    """
    watch = Watch(plan, writer.games.values())
    if watch.is_decided:
        return
    done = frozenset(writer.games)
    todo = (fixture for fixture in schedule(plan) if fixture.number not in done)
    with closing(player(plan, todo)) as games:
        for game in games:
            writer.append(game)
            watch.add(game)
            yield game
            if watch.is_decided:
                return
