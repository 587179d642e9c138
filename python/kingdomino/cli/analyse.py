"""``kingdomino analyse``: evaluate every action of a position."""

from __future__ import annotations

import json as json_text
from math import isnan
from time import monotonic
from typing import Annotated

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

import kingdomino as kd
from kingdomino.cli import options
from kingdomino.cli.files import check_folders
from kingdomino.cli.sources import Source, read
from kingdomino.display import rules_name, sentence

_DEFAULT_TIME = 5.0
_EVERY = 0.2  # seconds between two updates
_SMALLEST_COST = 0.0005  # smaller costs would show as 0.0%
_OTHER_LINES = 7  # lines of the screen without actions


def analyse(
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION",
            help="The text of a position, a file with a position or a record, or - for stdin.",
        ),
    ],
    ply: options.Ply = None,
    time: options.Time = None,
    playouts: options.Playouts = None,
    threads: options.Threads = None,
    seed: options.ThoughtSeed = 0,
    json: options.Json = None,
) -> None:
    """Evaluate every action of a position.

    Each row has an action's win probability, its cost compared with the best action, its expected score, and its
    expected margin over the best opponent. Placements that are equal up to a rotation or a reflection share a row. The
    figures improve while you watch, for five seconds by default. Ctrl-C stops and prints the figures so far. Endgames
    are solved exactly.
    """
    check_folders(json)
    source = read(position, ply)
    limit = kd.bots.Limit(_DEFAULT_TIME if time is None and playouts is None else time, playouts)
    king = kd.bots.King(threads=options.threads_or_all(threads), seed=seed)
    console, start = Console(highlight=False, stderr=json == "-"), monotonic()
    found: kd.Analysis | None = None
    stopped = ""
    live = Live(console=console, transient=True, auto_refresh=False)
    try:
        with live:
            for found in king.analyses(source.position, limit, _EVERY):
                if console.is_terminal:
                    rows = max(1, console.height - _OTHER_LINES)
                    live.update(_shown(source, found, f"{monotonic() - start:.0f} s", rows), refresh=True)
    except KeyboardInterrupt:
        stopped = "stopped"
    if found is None:
        console.print("stopped before the first result")
        return
    if json != "-":
        console.print(_shown(source, found, stopped))
    if json is not None:
        whole = {"position": source.position.to_text(), "analysis": json_text.loads(found.to_json())}
        options.write_json(json, json_text.dumps(whole, separators=(",", ":")))


def _shown(source: Source, found: kd.Analysis, note: str, rows: int | None = None) -> Group:
    """Show the rules, the decision, the best ``rows`` actions (default: all), and how deep the search went."""
    position, best = source.position, found.actions[0]
    listed = source.played and position.equivalent(source.played)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim", expand=True)
    table.add_column("action", no_wrap=True)
    for title in ("wins", "costs", "score", "margin", "playouts"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column(
        "then", no_wrap=True, style="dim", overflow="ellipsis", ratio=1
    )  # takes the remaining width
    for one in found.actions[:rows]:
        figures = ["–", "", "–", "–"] if isnan(one.win_rates[found.seat]) else _figures(one, best, found.seat)
        played = Text(" (played)" if one.action == listed else "", "bold")
        then = ", ".join(map(str, one.line[1:3]))
        playouts = "" if found.exact else f"{one.playouts:,}"
        table.add_row(Text(str(one.action)) + played, *figures, playouts, then)
    how = "worked out to the end" if found.exact else f"{found.playouts:,} playouts"
    return Group(
        Text(rules_name(position.rules), "dim"),
        Text(sentence(position, source.names), "bold"),
        table,
        Text(", ".join(filter(None, [how, note])), "dim"),
    )


def _figures(one: kd.ActionAnalysis, best: kd.ActionAnalysis, seat: int) -> list[str]:
    cost = best.win_rates[seat] - one.win_rates[seat]
    return [
        f"{one.win_rates[seat]:.1%}",
        f"{cost:.1%}" if cost >= _SMALLEST_COST else "",
        f"{one.mean_scores[seat]:.1f}",
        f"{one.mean_margin[seat]:+.1f}",
    ]
