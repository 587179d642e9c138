"""Small plans, and their games, played in this process."""

from collections.abc import Generator, Iterable
from dataclasses import replace

import kingdomino as kd
from kingdomino.arena.plan import Format, Plan, SequentialTest, entrants
from kingdomino.arena.play import Clock, Game, Played, play
from kingdomino.arena.schedule import Fixture
from kingdomino.arena.store import RunInfo

RUN = RunInfo(
    date="2026-11-21",
    command="kingdomino arena run plan.toml --seed 7",
    on="local",
    jobs=2,
    version="0.1.0",
    python="3.13.1",
    system="Linux x86_64",
    processor="A processor",
    cores=2,
)


def plan_of(
    *bots: str,
    players: int = 2,
    blocks: int = 3,
    form: Format = "round-robin",
    self_play: bool = False,
    test: SequentialTest | None = None,
    modules: tuple[str, ...] = (),
) -> Plan:
    """Make a plan of bots, with seed 7."""
    rules = kd.Rules(players)
    return Plan("a plan", form, entrants(bots), rules, blocks, 7, self_play, test, modules)


def here(plan: Plan, fixtures: Iterable[Fixture]) -> Generator[Game, None, None]:
    """Play one game after the other in this process."""
    for fixture in fixtures:
        yield play(plan, fixture)


def without_clocks(games: Iterable[Game]) -> dict[int, Game]:
    """Return games by number, without times."""
    return {
        game.fixture.number: replace(game, clocks=(Clock(1, 0.5, 0.5),) * len(game.clocks))
        if isinstance(game, Played)
        else game
        for game in games
    }
