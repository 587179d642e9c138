"""The sequential test over a run: it stops the run, and says which deals count.

It looks at the settled deals in the order of the schedule, never in the order in which games ended, so that
its answer is the same however many games are played at once.
"""

from __future__ import annotations

from collections.abc import Iterable

from kingdomino.arena.deals import Deals
from kingdomino.arena.plan import Plan, SequentialTest
from kingdomino.arena.played import Game
from kingdomino.arena.statistics import Sprt, SprtState, block_means, share


def judge(plan: Plan, test: SequentialTest, deals: Deals) -> tuple[SprtState, int]:
    """Say where the test stands for the first bot of the plan, and after how many deals.

    A deal with a void game of the pairing says nothing, and is passed over.
    """
    blocks = deals.blocks(range(deals.unbroken), 0)
    means = block_means(blocks, plan.bots[0].name, share) if blocks else {}
    state = Sprt(*test.win_rates(plan.rules.players), test.alpha, test.beta).of(means.values())
    if state.decision == "continue":
        return state, deals.unbroken
    return state, list(means)[state.blocks - 1] + 1


class Watch:
    """Follows a run and says when its test is decided; without a test it never is."""

    def __init__(self, plan: Plan, games: Iterable[Game]) -> None:
        self.is_decided = False
        self._plan, self._deals = plan, Deals(plan, games)
        self._next = 0
        self._look()

    def add(self, game: Game) -> None:
        """Take one more game."""
        self._deals.add(game)
        self._look()

    def _look(self) -> None:
        deals = self._deals.unbroken
        if self._plan.test is None or deals < self._next:
            return
        state, _ = judge(self._plan, self._plan.test, self._deals)
        self.is_decided = state.decision != "continue"
        # A look costs more the longer the test is. Coming a little late changes no decision.
        self._next = deals + 1 + deals // 100
