"""``kingdomino arena run``: play the games of a plan, and report on them."""

from __future__ import annotations

import shlex
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from kingdomino.cli import options
from kingdomino.cli.arena import plans, view
from kingdomino.cli.version import commit
from kingdomino.machine import available_cores

if TYPE_CHECKING:
    from kingdomino.arena.run import PlayGames

_BLOCKS = 100


def run_arena(
    context: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="An arena file, or the folder of a run to resume."),
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(metavar="BOT,BOT…", help="Instead of a file: bots, separated by commas."),
    ] = None,
    format_: Annotated[
        Literal["round-robin", "gauntlet", "one-against", "each-against"],
        typer.Option(
            "--format",
            help="Who meets whom. round-robin: all pairs; gauntlet: the first against each other; one-against: the "
            "first against n-1 copies of each other; each-against: each against n-1 copies of the last.",
        ),
    ] = "round-robin",
    blocks: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Deals for each pairing, each played in every rotation of the seats. Default: 100.",
        ),
    ] = None,
    self_play: Annotated[
        bool,
        typer.Option(
            "--self-play", help="Also play each bot against copies of itself, as a baseline for its margin."
        ),
    ] = False,
    test: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT=LOW,HIGH",
            help="Stop as soon as the first bot is clearly better or not: win_rate=0.5,0.55 or elo=0,20.",
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(metavar="TEXT", help="Title of the report.")] = None,
    players: options.Players = 2,
    edition: options.Edition = "second",
    mighty_duel: options.MightyDuel = False,
    harmony: options.Harmony = False,
    middle_kingdom: options.MiddleKingdom = False,
    opening: options.Opening = "random",
    seed: options.SeriesSeed = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Games played at once; default: one for each core.")
    ] = None,
    on: Annotated[
        Literal["local", "ray"], typer.Option(help="Play on this machine, or on a Ray cluster.")
    ] = "local",
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder for the games; default: arena/NAME.")
    ] = None,
) -> int:
    """Let bots play each other on the same deals, and report the results.

    The bots play each deal in every rotation of the seats. The folder keeps every game, so you can resume an
    interrupted run. The report and a picture go to the same folder.
    """
    plans.need_extra()
    from kingdomino.arena import report, store, workers
    from kingdomino.arena.run import run

    if file is not None:
        plan = plans.from_file(context, file, blocks, seed)
    else:
        rules = {
            "players": players,
            "edition": edition,
            "mighty_duel": mighty_duel,
            "harmony": harmony,
            "middle_kingdom": middle_kingdom,
            "opening": opening,
        }
        plan = plans.from_options(
            bots,
            test,
            name=name,
            format=format_,
            self_play=self_play,
            rules=rules,
            blocks=blocks or _BLOCKS,
            seed=options.new_seed() if seed is None else seed,
        )
    if on == "local":
        plans.try_engines(plan)
    folder = out or (file if file is not None and file.is_dir() else plans.default_folder(plan))
    folder.mkdir(parents=True, exist_ok=True)
    play_games: PlayGames
    if on == "local":
        jobs = jobs or available_cores()
        play_games = partial(workers.play_local, jobs=jobs)
    else:
        play_games = partial(workers.play_on_ray, jobs=jobs)
    info = store.RunInfo.of_this_machine(plans.command(context, plan), on, jobs, commit())
    with store.open_to_write(folder / store.FILE, plan, info) as writer:
        finished = view.watch(plan, writer.games, run(plan, writer, play_games))
    if not finished:
        again = shlex.join(["kingdomino", "arena", "run", str(folder)])
        print(f"stopped after {len(writer.games)} games; resume with: {again}")
        return 130
    view.show(report.write_report(folder), folder / report.FILE)
    return 0
