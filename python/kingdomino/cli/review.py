"""``kingdomino review``: find the cost of each decision of a game, and the luck."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

import kingdomino as kd
from kingdomino.cli import options
from kingdomino.cli.files import check_folders, parse_records, read_text
from kingdomino.cli.sources import check_ply


def review(
    record: Annotated[
        str,
        typer.Argument(
            metavar="RECORD", help="A file with a record, text or JSON; - for stdin; or a folder of records."
        ),
    ],
    ply: options.Ply = None,
    time: options.Time = None,
    playouts: options.Playouts = None,
    threads: options.Threads = None,
    seed: options.ThoughtSeed = 0,
    json: options.Json = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the review as a page with pictures to this file."),
    ] = None,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the graph of the win probabilities to this file."),
    ] = None,
    annotated: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the record with the review's figures to this file."),
    ] = None,
    player: Annotated[
        str | None, typer.Option(metavar="NAME", help="For a folder: the player whose decisions to sum up.")
    ] = None,
) -> None:
    """Find the cost of each decision of a game, the better actions, and the luck.

    --time and --playouts limit the search for each decision. --ply reviews one decision alone, on one thread. Ctrl-C
    stops and prints the results so far. Of a Dynasty, the command reviews the last game. Of a folder, it reviews the
    finished games of --player, and sums up that player's costs.
    """
    from kingdomino.cli.terminal import study  # slow to import, and no other command needs it

    limit = kd.analysis.DEFAULT_LIMIT
    if time is not None or playouts is not None:
        limit = kd.bots.Limit(time, playouts)
    whole = {"--html": html, "--svg": svg, "--json": json, "--annotated": annotated}
    if Path(record).is_dir():
        for name, value in {"--ply": ply, **whole}.items():
            if value is not None:
                raise kd.KingdominoError(f"{name} is for the review of one game, not of a folder")
        if player is None:
            raise kd.KingdominoError(f"{record} is a folder: name the player with --player")
        study.sum_up(Path(record), player, limit, seed, options.threads_or_all(threads))
        return
    if player is not None:
        raise kd.KingdominoError("--player is for a folder of records")
    check_folders(json, html, svg, annotated)
    text, where = read_text(record)
    game = parse_records(text, where)[-1]
    if not game.actions():
        raise kd.RecordError(f"{where}: nothing was played, so there is nothing to review")
    console = Console(highlight=False, stderr=json == "-")
    if ply is not None:
        for name, value in whole.items():
            if value is not None:
                raise kd.KingdominoError(f"{name} is for the review of a whole game, without --ply")
        check_ply(ply, len(game.actions()), where)
        study.show_decision(game, ply, limit, seed, console)
        return
    found = study.watch(game, limit, seed, options.threads_or_all(threads), console)
    if found is None:
        return
    study.show(found, game, console)
    if json is not None:
        options.write_json(json, found.to_json())
    if html is not None:
        html.write_text(kd.analysis.page(found, game), encoding="utf-8")
    if svg is not None:
        svg.write_text(kd.analysis.graph(found, game), encoding="utf-8")
    if annotated is not None:
        annotated.write_text(kd.analysis.annotate(game, found).to_text(), encoding="utf-8")
    for file in filter(None, (html, svg, annotated)):
        console.print(Text(f"written: {file}", "dim"), soft_wrap=True)
