"""``kingdomino show``: show a record, a position or one kingdom, with territories and scores."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console

import kingdomino as kd
from kingdomino.cli import sources
from kingdomino.cli.terminal import view, words
from kingdomino.display import SEAT_NAMES, distinct, rules_name, sentence, shortened


def show(
    given: Annotated[
        str,
        typer.Argument(
            metavar="RECORD",
            help="A file with a record, a position or a kingdom, the text of a position or a kingdom, or - for stdin.",
        ),
    ],
    ply: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="In a record: show the game before decision N, from 0."),
    ] = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the picture to this file.")] = None,
) -> None:
    """Show a recorded game, a position or a kingdom: kingdoms, lines, territories and scores.

    Of a record, it also shows the notes on this decision; of a Dynasty, the last game.
    """
    found, where = sources.load(given)
    console = Console(highlight=False)
    if isinstance(found, kd.Kingdom):
        sources.refuse_ply(ply, where)
        if svg is not None:
            svg.write_text(kd.svg.kingdom(found), encoding="utf-8")
        console.print(f"{found.size}x{found.size}", style="dim")
        console.print(view.kingdom(found, console))
        console.print(view.territories(found))
        return
    if isinstance(found, kd.Position):
        sources.refuse_ply(ply, where)
        if svg is not None:
            svg.write_text(kd.svg.position(found), encoding="utf-8")
        _show(found, SEAT_NAMES[: found.rules.players], rules_name(found.rules), (), console)
        return
    positions = found.positions()
    if ply is not None and ply >= len(positions):
        raise kd.RecordError(f"{where}: it has only {len(positions) - 1} plies, so ply {ply} does not exist")
    ply = len(positions) - 1 if ply is None else ply
    players = found.players or [f"seat {seat}" for seat in range(found.rules.players)]
    names = distinct([shortened(name) for name in players])
    if svg is not None:
        picture = kd.svg.position(positions[ply], names=names, layouts=_layouts(found, ply))
        svg.write_text(picture, encoding="utf-8")
    title = rules_name(found.rules) + ("" if found.seed is None else f", seed {found.seed}")
    _show(positions[ply], names, title, found.tags.items(), console)
    for line in _annotations(found, ply):
        console.print(line, style="dim", markup=False)


def _show(
    position: kd.Position,
    names: Sequence[str],
    title: str,
    tags: Iterable[tuple[str, str]],
    console: Console,
) -> None:
    console.print(title, style="dim", markup=False)
    for tag, value in tags:
        console.print(f"{tag}: {value}", style="dim", markup=False)
    console.print(view.kingdoms(position, names, console))
    console.print(view.scores(position, names))
    console.print(_end(position, names), markup=False)


def _end(position: kd.Position, names: Sequence[str]) -> str:
    if position.phase == "chance":
        return sentence(position)
    outcome = position.outcome()
    return words.result(outcome, names, position.kingdoms) if outcome else words.task(position, names)


def _annotations(record: kd.Record, ply: int) -> Iterator[str]:
    """Yield a record's comment on this ply, and the figures of an analysis."""
    yield from record.comments.get(ply, "").splitlines()
    if (note := record.annotations.get(ply)) is None:
        return
    if note.win_rates:
        yield f"to win: {', '.join(f'{rate:.0%}' for rate in note.win_rates)}"
    if note.best is not None:
        yield f"best: {note.best}"
    if note.cost is not None and ply < len(record.actions()):
        points = f", {note.cost_points:.1f} points" if note.cost_points is not None else ""
        yield f"played: {record.actions()[ply]}, costs {note.cost:.1%}{points}"


def _layouts(
    record: kd.Record, ply: int
) -> list[dict[kd.Coordinates, tuple[kd.Domino, Literal["left", "right"]]]] | None:
    """Return the end on each square, for each kingdom. None if the record cannot be replayed."""
    try:
        game = record.replay()
    except kd.RecordError:
        return None
    while len(game.history) > ply:
        game.undo()
    return [game.layout(seat) for seat in range(game.rules.players)]
