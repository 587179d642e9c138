"""The arena in the terminal: a progress bar during the games, a table at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from kingdomino.arena.plan import Plan
    from kingdomino.arena.play import Game
    from kingdomino.arena.results import Results

_SHOWN = 4  # bots in the live score
_SPEED_PERIOD = 3600.0  # seconds over which Rich measures the speed: one game may take minutes


def watch(plan: Plan, stored: Mapping[int, Game], games: Generator[Game, None, None]) -> bool:
    """Show the progress of a run. Return whether it finished; Ctrl-C stops it."""
    from kingdomino.arena.schedule import games_per_block

    console, score = Console(stderr=True), _Score(plan)
    for game in stored.values():
        score.add(game)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    bar = Progress(
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
        speed_estimate_period=_SPEED_PERIOD,
    )
    with bar, closing(games):
        task = bar.add_task(str(score), total=plan.blocks * games_per_block(plan), completed=len(stored))
        try:
            for game in games:
                score.add(game)
                bar.update(task, advance=1, description=str(score))
        except KeyboardInterrupt:
            return False
    return True


class _Score:
    """The win rates so far, for the line beside the bar."""

    def __init__(self, plan: Plan) -> None:
        self._victories = {entrant.name: 0.0 for entrant in plan.bots}
        self._games = Counter[str]()

    def add(self, game: Game) -> None:
        for entrant, share in zip(game.fixture.seats, getattr(game, "shares", ()), strict=False):
            self._victories[entrant.name] += share
            self._games[entrant.name] += 1

    def __str__(self) -> str:
        rates = {name: self._victories[name] / self._games[name] for name in self._games}
        best = sorted(rates, key=lambda name: -rates[name])[:_SHOWN]
        return escape(" · ".join(f"{name} {rates[name]:.0%}" for name in best))


def show(results: Results, report: Path) -> None:
    """Print a summary of the results and the path of the report."""
    from kingdomino.arena.report import extent, percent, points
    from kingdomino.arena.results import rows

    console = Console(highlight=False)
    unfinished = "" if results.is_complete else f" of {results.plan.blocks}"
    parity = 1 / results.plan.rules.players
    console.print(f"{extent(results)}{unfinished}; parity is {parity:.0%}")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("bot")
    for title in ("win rate", "margin"):
        table.add_column(title, justify="right", no_wrap=True)
    for row in rows(results):
        if not row.is_other_side:
            figures = percent(row.summary.win_rate), points(row.summary.margin)
            table.add_row(Text(row.title), *map(Text, figures))
    console.print(table)
    if results.test is not None:
        console.print(f"sequential test: {results.test.decision} after {results.test.blocks} blocks")
    if faults := len(results.forfeits) + len(results.voids):
        console.print(f"{faults} games were lost by default or have no result; the report says why")
    console.print(str(report), soft_wrap=True, markup=False)
