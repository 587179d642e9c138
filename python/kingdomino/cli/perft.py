"""``kingdomino perft``: count the ways to continue, to check and time the engine."""

from time import perf_counter
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

import kingdomino as kd
from kingdomino.cli import options
from kingdomino.display import rules_name


def perft(
    depth: Annotated[int, typer.Option(min=1, metavar="N", help="Decisions to look ahead.")] = 4,
    players: options.Players = 2,
    edition: options.Edition = "second",
    mighty_duel: options.MightyDuel = False,
    harmony: options.Harmony = False,
    middle_kingdom: options.MiddleKingdom = False,
    opening: options.Opening = "random",
    seed: options.Seed = 0,
) -> None:
    """Count every way to play the first decisions of a game.

    Compare the counts with those of another engine; the time shows the speed. The seed fixes the deck, so the count
    knows every reveal.
    """
    rules = kd.Rules(players or 2, edition, mighty_duel, harmony, middle_kingdom, opening)
    game = kd.Game(rules, seed=seed)
    console = Console(highlight=False)
    console.print(f"{rules_name(rules)}, seed {seed}")
    table = Table("depth", "ways to play", "seconds", "per second", box=None, pad_edge=False)
    for column in table.columns:
        column.justify = "right"
    try:
        for plies in range(1, depth + 1):
            start = perf_counter()
            count = kd.perft(game, plies)
            seconds = perf_counter() - start
            table.add_row(str(plies), f"{count:,}", f"{seconds:.3f}", f"{count / max(seconds, 1e-9):,.0f}")
    finally:
        console.print(table)
