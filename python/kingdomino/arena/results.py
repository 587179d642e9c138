"""What the games of a run come to: blocks for the statistics, faults, thinking time.

Everything follows from the plan and the set of games; the order in which they ended does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kingdomino.arena.deals import Deals
from kingdomino.arena.plan import Plan
from kingdomino.arena.played import Clock, Game, Played, Void
from kingdomino.arena.schedule import Pairing, pairings
from kingdomino.arena.sequential import judge
from kingdomino.arena.statistics import Block, SprtState


@dataclass(frozen=True, slots=True)
class Results:
    """A run as far as it counts: its settled deals, up to the one that decided the sequential test.

    `blocks` has an entry a pairing, of the blocks without a void game. `clocks` adds up the thinking
    time of each bot by name, their `longest` being the longest of all, and `strikes` name what each did
    wrong without losing by it.
    """

    plan: Plan
    deals: int
    games: int
    blocks: Mapping[Pairing, tuple[Block, ...]]
    forfeits: tuple[Played, ...]
    strikes: Mapping[str, tuple[str, ...]]
    voids: tuple[Void, ...]
    clocks: Mapping[str, Clock]
    test: SprtState | None

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to play."""
        decided = self.test is not None and self.test.decision != "continue"
        return decided or self.deals == self.plan.blocks


def collect(plan: Plan, games: Iterable[Game]) -> Results:
    """Sort the games, and ask the sequential test, if there is one, how far they count."""
    deals = Deals(plan, games)
    counted, test = deals.settled(), None
    if plan.test is not None:
        test, used = judge(plan, plan.test, deals)
        if test.decision != "continue":
            counted = list(range(used))
    over = [game for number in counted for game in deals.games(number)]
    played = [game for game in over if isinstance(game, Played)]
    return Results(
        plan=plan,
        deals=len(counted),
        games=len(over),
        blocks={pairing: tuple(deals.blocks(counted, index)) for index, pairing in enumerate(pairings(plan))},
        strikes={entrant.name: _strikes(entrant.name, played) for entrant in plan.bots},
        forfeits=tuple(game for game in played if game.forfeit is not None),
        voids=tuple(game for game in over if isinstance(game, Void)),
        clocks={entrant.name: _clock(entrant.name, played) for entrant in plan.bots},
        test=test,
    )


def _strikes(name: str, games: Iterable[Played]) -> tuple[str, ...]:
    return tuple(
        strike
        for game in games
        for seat, (entrant, strikes) in enumerate(zip(game.fixture.seats, game.strikes, strict=True))
        if entrant.name == name and (game.forfeit is None or game.forfeit.seat != seat)
        for strike in strikes
    )


def _clock(name: str, games: Iterable[Played]) -> Clock:
    clocks = [
        clock
        for game in games
        for entrant, clock in zip(game.fixture.seats, game.clocks, strict=True)
        if entrant.name == name
    ]
    return Clock(
        sum(clock.decisions for clock in clocks),
        sum(clock.seconds for clock in clocks),
        max((clock.longest for clock in clocks), default=0.0),
    )
