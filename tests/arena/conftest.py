"""Whole runs of a plan, into stores."""

from collections.abc import Callable
from pathlib import Path

import pytest
from support.plans import RUN, here, without_clocks

from kingdomino.arena import store
from kingdomino.arena.plan import Plan
from kingdomino.arena.play import Game
from kingdomino.arena.run import PlayGames, run


@pytest.fixture
def play_into(tmp_path: Path) -> Callable[..., dict[int, Game]]:
    """Return ``play_into("a.jsonl", plan)``, which runs a plan into a store and returns the store's games."""

    def play_into(name: str, plan: Plan, player: PlayGames = here) -> dict[int, Game]:
        with store.open_to_write(tmp_path / name, plan, RUN) as writer:
            for _ in run(plan, writer, player):
                pass
            return without_clocks(writer.games.values())

    return play_into
