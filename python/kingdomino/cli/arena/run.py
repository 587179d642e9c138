"""``kingdomino arena run``: work through a plan, and report on it."""

from __future__ import annotations

import shlex
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from kingdomino.cli import options
from kingdomino.cli.arena import plans, view

if TYPE_CHECKING:
    from kingdomino.arena.run import Player

_BLOCKS = 100


def run_arena(
    context: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="An arena file, or the folder of a run to go on with."),
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(metavar="BOT,BOT…", help="Instead of a file: bots with commas between them."),
    ] = None,
    format_: Annotated[
        Literal["round-robin", "gauntlet", "one-against", "each-against"],
        typer.Option(
            "--format",
            help="Who meets whom: all each other; the first each other one; the first n-1 copies of each "
            "other one; each one n-1 copies of the last.",
        ),
    ] = "round-robin",
    blocks: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="How many deals each pairing plays, in every rotation of the seats (100).",
        ),
    ] = None,
    self_play: Annotated[
        bool, typer.Option("--self-play", help="Also play each bot against its copies: the baseline.")
    ] = False,
    test: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT=LOW,HIGH",
            help="Stop when it is clear whether the first bot is better: win_rate=0.5,0.55 or elo=0,20.",
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(metavar="TEXT", help="What the report is called.")] = None,
    players: options.Players = 2,
    edition: options.Edition = "second",
    mighty_duel: options.MightyDuel = False,
    harmony: options.Harmony = False,
    middle_kingdom: options.MiddleKingdom = False,
    opening: options.Opening = "random",
    seed: options.Seed = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Games played at once; all cores if left out.")
    ] = None,
    on: Annotated[
        Literal["local", "ray"], typer.Option(help="Where: on this machine, or on a Ray cluster.")
    ] = "local",
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where the games go; arena/NAME if left out.")
    ] = None,
) -> int:
    """Let bots play each other on the same deals, and report what that shows.

    Each deal is played with the seats rotated. Every game is kept, and a run that was interrupted
    goes on where it stopped. Report and picture are written beside the games.
    """
    plans.need_extra()
    from kingdomino.arena import facts, folder, local, ray, store
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
    place = out or (file if file is not None and file.is_dir() else folder.default(plan))
    place.mkdir(parents=True, exist_ok=True)
    player: Player
    if on == "local":
        jobs = jobs or facts.available_cores()
        player = partial(local.play_games, jobs=jobs)
    else:
        player = partial(ray.play_games, jobs=jobs)
    here = facts.gather(plans.command(context, plan), on, jobs)
    with store.open_to_write(place / folder.STORE, plan, here) as writer:
        finished = view.watch(plan, writer.games, run(plan, writer, player))
    if not finished:
        again = shlex.join(["kingdomino", "arena", "run", str(place)])
        print(f"stopped after {len(writer.games)} games; to go on: {again}")
        return 130
    view.show(folder.write_report(place), place / folder.REPORT)
    return 0
