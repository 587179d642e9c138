"""``kingdomino puzzle``: solve a puzzle in the terminal."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import typer
from rich.console import Console

import kingdomino as kd
from kingdomino.cli import options
from kingdomino.cli.play import ask


def puzzle(
    name: Annotated[str | None, typer.Option(metavar="NAME", help="The puzzle with this name.")] = None,
    theme: Annotated[str | None, typer.Option(metavar="THEME", help="A puzzle with this theme.")] = None,
    level: Annotated[
        int | None, typer.Option(min=1, max=8, metavar="N", help="A puzzle of this difficulty, 1 to 8.")
    ] = None,
    day: Annotated[
        str | None, typer.Option("--date", metavar="DATE", help="The puzzle of this day, like 2026-03-01.")
    ] = None,
) -> int:
    """Find the best action in a position: by default in today's puzzle.

    Each puzzle has one best action; equivalent ones also count. After a wrong attempt, the command says what it
    costs, and why. --theme and --level choose a random puzzle that matches. The difficulty is the lowest level of the
    bot king that finds the action.
    """
    from kingdomino.cli.terminal.puzzling import (
        TerminalPuzzle,
    )  # slow to import, and no other command needs it

    if (name is not None) + (day is not None) + (theme is not None or level is not None) > 1:
        raise kd.KingdominoError("--name, --date, and --theme with --level exclude each other")
    return TerminalPuzzle(_chosen(name, theme, level, day), ask, Console(highlight=False)).run()


def _chosen(name: str | None, theme: str | None, level: int | None, day: str | None) -> kd.analysis.Puzzle:
    every = kd.analysis.puzzles()
    if name is None and theme is None and level is None:
        return kd.analysis.daily_puzzle(day or date.today().isoformat())
    themes = sorted({str(theme) for one in every for theme in one.themes})
    if theme is not None and theme not in themes:
        raise kd.KingdominoError(f"no puzzle has the theme {theme!r}: the themes are {', '.join(themes)}")
    fitting = [
        one
        for one in every
        if name in (None, one.name) and (theme is None or theme in one.themes) and level in (None, one.level)
    ]
    if not fitting:
        what = f"has the name {name!r}" if name is not None else "is like this"
        raise kd.KingdominoError(f"no puzzle {what}")
    return fitting[options.new_seed() % len(fitting)]
