"""``kingdomino show``: the kingdoms, territories and scores of a record."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console

import kingdomino as kd
from kingdomino.cli.files import read_records
from kingdomino.cli.terminal import view, words
from kingdomino.display import distinct, rules_name


def show(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="A file with a record, text or JSON.")],
    ply: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Show the game before decision N, from 0.")
    ] = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the picture to this file.")] = None,
) -> None:
    """Show a recorded game: kingdoms, lines, territories, scores, and what the record says about this decision.

    For a Dynasty, the last game is shown.
    """
    game = read_records(record)[-1]
    positions = game.positions()
    if ply is not None and ply >= len(positions):
        raise kd.RecordError(f"{record}: it has only {len(positions) - 1} plies, so ply {ply} does not exist")
    ply = len(positions) - 1 if ply is None else ply
    position = positions[ply]
    names = distinct(game.players or [f"seat {seat}" for seat in range(game.rules.players)])
    if svg is not None:
        picture = kd.svg.position(position, names=names, layouts=_layouts(game, ply))
        svg.write_text(picture, encoding="utf-8")
    console = Console(highlight=False)
    seed = "" if game.seed is None else f", seed {game.seed}"
    console.print(f"{rules_name(game.rules)}{seed}", style="dim", markup=False)
    for tag, value in game.tags.items():
        console.print(f"{tag}: {value}", style="dim", markup=False)
    console.print(view.kingdoms(position, names, console))
    console.print(view.scores(position, names))
    console.print(_end(position, names), markup=False)
    for line in _annotations(game, ply):
        console.print(line, style="dim", markup=False)


def _end(position: kd.Position, names: Sequence[str]) -> str:
    outcome = position.outcome()
    return words.result(outcome, names, position.kingdoms) if outcome else words.task(position, names)


def _annotations(record: kd.Record, ply: int) -> Iterator[str]:
    """Give the comment of a record on this ply, and what an analysis said about it."""
    yield from record.comments.get(ply, "").splitlines()
    if (said := record.annotations.get(ply)) is None:
        return
    if said.win_rates:
        yield f"to win: {', '.join(f'{rate:.0%}' for rate in said.win_rates)}"
    if said.best is not None:
        yield f"best: {said.best}"
    if said.cost is not None and ply < len(record.actions):
        points = f", {said.cost_points:.1f} points" if said.cost_points is not None else ""
        yield f"played: {record.actions[ply]}, costs {said.cost:.1%}{points}"


def _layouts(
    record: kd.Record, ply: int
) -> list[dict[kd.Coordinates, tuple[kd.Domino, Literal["left", "right"]]]] | None:
    """Give which end covers which square in each kingdom; None if the record cannot be replayed."""
    try:
        game = record.replay()
    except kd.RecordError:
        return None
    while len(game.history) > ply:
        game.undo()
    return [game.layout(seat) for seat in range(game.rules.players)]
