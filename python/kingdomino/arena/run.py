"""Run a plan: play the games that the store lacks, and store them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from typing import TypeAlias

from kingdomino.arena.plan import Plan
from kingdomino.arena.play import Game
from kingdomino.arena.results import Deals, judge
from kingdomino.arena.schedule import Fixture, schedule
from kingdomino.arena.store import Writer

PlayGames: TypeAlias = Callable[[Plan, Iterable[Fixture]], Generator[Game, None, None]]
"""Plays games, several at once, and yields each when it is over, in any order.

Closing the generator ends the games in progress."""


class StoppingRule:
    """Follows a run until its sequential test is decided; without a test it never is."""

    def __init__(self, plan: Plan, games: Iterable[Game]) -> None:
        self.is_decided = False
        self._plan, self._deals = plan, Deals(plan, games)
        self._next = 0
        self._check()

    def add(self, game: Game) -> None:
        """Add a game."""
        self._deals.add(game)
        self._check()

    def _check(self) -> None:
        deals = self._deals.unbroken
        if self._plan.test is None or deals < self._next:
            return
        state, _ = judge(self._plan, self._plan.test, self._deals)
        self.is_decided = state.decision != "continue"
        # The test takes longer with more deals. Checking a little late does not change the decision.
        self._next = deals + 1 + deals // 100


def run(plan: Plan, writer: Writer, play_games: PlayGames) -> Generator[Game, None, None]:
    """Play every game of the plan that the store lacks, until the sequential test is decided.

    Store each game before yielding it. Games in progress at the decision may be stored too; `results.collect` leaves
    them out.
    """
    rule = StoppingRule(plan, writer.games.values())
    if rule.is_decided:
        return
    done = frozenset(writer.games)
    todo = (fixture for fixture in schedule(plan) if fixture.number not in done)
    with closing(play_games(plan, todo)) as games:
        for game in games:
            writer.append(game)
            rule.add(game)
            yield game
            if rule.is_decided:
                return
