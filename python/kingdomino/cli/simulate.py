"""``kingdomino simulate``: many games between bots, and the results."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

import kingdomino as kd
from kingdomino.cli import options
from kingdomino.cli.series import Played, Tally, mean_and_error, play_games
from kingdomino.display import distinct


def simulate(
    bots: Annotated[
        str,
        typer.Option(metavar="BOT,BOT…", help="Two to four bots, separated by commas: greedy,random:seed=3."),
    ],
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Number of games.")] = 100,
    edition: options.Edition = "second",
    mighty_duel: options.MightyDuel = False,
    harmony: options.Harmony = False,
    middle_kingdom: options.MiddleKingdom = False,
    opening: options.Opening = "random",
    seed: options.Seed = None,
    records: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write a record of each game to this folder.")
    ] = None,
) -> int:
    """Let bots play many games against each other.

    The bots change seats from game to game. A victory shared by k bots counts 1/k; a margin is a bot's score minus
    its best opponent's. The numbers after ± are standard errors.
    """
    specs = kd.bots.split(bots)
    for spec in specs:
        kd.bots.make(spec)
    rules = kd.Rules(len(specs), edition, mighty_duel, harmony, middle_kingdom, opening)
    seed = options.new_seed() if seed is None else seed
    if records is not None:
        records.mkdir(parents=True, exist_ok=True)
    tallies, status, start = [Tally() for _ in specs], 0, perf_counter()
    series = play_games(specs, rules, seed, games)
    progress = Console(stderr=True)
    try:
        for number, played in enumerate(
            track(
                series,
                "playing",
                total=games,
                console=progress,
                transient=True,
                disable=not progress.is_terminal,
            )
        ):
            if records is not None:
                _write(records / f"game-{number + 1:06}.txt", played)
            outcome = played.game.outcome()
            assert outcome is not None
            for seat, entrant in enumerate(played.entrants):
                tallies[entrant].add(outcome, seat)
    except KeyboardInterrupt:
        status = 130
    _report(tallies, distinct(specs), perf_counter() - start)
    again = [
        "kingdomino",
        "simulate",
        "--games",
        str(games),
        "--bots",
        ",".join(specs),
        *options.arguments(rules),
    ]
    print("again:", shlex.join([*again, "--seed", str(seed)]))
    return status


def _report(tallies: Sequence[Tally], names: Sequence[str], seconds: float) -> None:
    console, finished = Console(highlight=False), len(tallies[0].scores)
    console.print(f"{finished} games in {seconds:.1f} seconds")
    if not finished:
        return
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("bot")
    for title in ("won", "shared", "win rate", "score", "margin"):
        table.add_column(title, justify="right")
    for name, tally in zip(names, tallies, strict=True):
        rate, error = mean_and_error(tally.victories)
        scores, margins = (
            "{:.2f} ± {:.2f}".format(*mean_and_error(values)) for values in (tally.scores, tally.margins)
        )
        counts = (str(tally.wins), str(tally.shared), f"{rate:.1%} ± {error:.1%}")
        table.add_row(Text(name), *counts, scores, margins)
    console.print(table)


def _write(file: Path, played: Played) -> None:
    with file.open("x", encoding="utf-8") as opened:
        opened.write(kd.Record.from_game(played.game, players=played.specs).to_text())
