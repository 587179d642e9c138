"""``kingdomino simulate``: play many games between bots, and print the results."""

import shlex
import sys
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
from kingdomino.display import counted, distinct, shortened


def simulate(
    bots: Annotated[
        str,
        typer.Option(
            metavar="BOT,BOT…", help="Two to four bots, separated by commas: greedy,mine=random:seed=3."
        ),
    ],
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Number of games.")] = 100,
    edition: options.Edition = "second",
    mighty_duel: options.MightyDuel = False,
    harmony: options.Harmony = False,
    middle_kingdom: options.MiddleKingdom = False,
    opening: options.Opening = "random",
    seed: options.SeriesSeed = None,
    records: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write a record of each game to this folder.")
    ] = None,
) -> int:
    """Let bots play many games against each other.

    The bots change seats from game to game. A victory shared by k bots counts 1/k; a margin is a bot's score minus
    its best opponent's. The numbers after ± are standard errors. If a bot fails, its game does not count, and the
    command ends with status 1.
    """
    named = kd.bots.specs(bots)
    specs = [one.spec for one in named]
    for spec in specs:
        kd.bots.make(spec)
    rules = kd.Rules(len(specs), edition, mighty_duel, harmony, middle_kingdom, opening)
    seed = options.new_seed() if seed is None else seed
    if records is not None:
        records.mkdir(parents=True, exist_ok=True)
    tallies, failures = [Tally() for _ in specs], [list[kd.KingdominoError]() for _ in specs]
    status, start = 0, perf_counter()
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
                _write(records / f"game-{number + 1:06}.txt", played, named)
            if played.failure is not None:
                entrant, error = played.failure
                failures[entrant].append(error)
                status = 1
                continue
            outcome = played.game.outcome()
            assert outcome is not None
            for seat, entrant in enumerate(played.entrants):
                tallies[entrant].add(outcome, seat)
    except KeyboardInterrupt:
        status = 130
    names = distinct([shortened(one.name or one.spec) for one in named])
    _report(tallies, names, perf_counter() - start)
    for name, errors in zip(names, failures, strict=True):
        if errors:
            print(f"{name} failed in {counted(len(errors), 'game')}: {errors[0]}", file=sys.stderr)
    again = [
        "kingdomino",
        "simulate",
        "--games",
        str(games),
        "--bots",
        ",".join(f"{one.name}={one.spec}" if one.name else one.spec for one in named),
        *options.arguments(rules),
    ]
    print("again:", shlex.join([*again, "--seed", str(seed)]))
    return status


def _report(tallies: Sequence[Tally], names: Sequence[str], seconds: float) -> None:
    console, finished = Console(highlight=False), len(tallies[0].scores)
    console.print(f"{counted(finished, 'game')} in {seconds:.1f} seconds")
    if not finished:
        return
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("bot")
    for title in ("won", "shared", "win rate", "score", "margin"):
        table.add_column(title, justify="right")
    for name, tally in zip(names, tallies, strict=True):
        table.add_row(
            Text(name),
            str(tally.wins),
            str(tally.shared),
            mean_and_error(tally.victories, ".1%"),
            mean_and_error(tally.scores, ".2f"),
            mean_and_error(tally.margins, ".2f"),
        )
    console.print(table)


def _write(file: Path, played: Played, named: Sequence[kd.bots.NamedSpec]) -> None:
    """Write the record. Players are named after their bots, or else after the specs as given."""
    players = [named[entrant].name or named[entrant].spec for entrant in played.entrants]
    tags = {kd.bots.record_tag(seat): spec for seat, spec in enumerate(played.specs)}
    record = kd.Record.from_game(played.game, players, tags)
    with file.open("x", encoding="utf-8") as opened:
        opened.write(record.to_text())
