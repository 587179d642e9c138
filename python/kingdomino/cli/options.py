"""Options that several commands share: the rules, seeds, and how long to think."""

import secrets
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

import kingdomino as kd
from kingdomino.machine import available_cores

RULES = ("players", "edition", "mighty_duel", "harmony", "middle_kingdom", "opening")
"""The names of the options for the rules."""
_PANEL = "Rules"

Players: TypeAlias = Annotated[
    int | None, typer.Option(metavar="N", help="Number of players, 2 to 4.", rich_help_panel=_PANEL)
]
Edition: TypeAlias = Annotated[
    Literal["first", "second"], typer.Option(help="Edition of the rules.", rich_help_panel=_PANEL)
]
MightyDuel: TypeAlias = Annotated[
    bool,
    typer.Option("--mighty-duel", help="Two players, all 48 dominoes, 7x7 kingdoms.", rich_help_panel=_PANEL),
]
Harmony: TypeAlias = Annotated[
    bool, typer.Option("--harmony", help="5 points for a kingdom without gaps.", rich_help_panel=_PANEL)
]
MiddleKingdom: TypeAlias = Annotated[
    bool,
    typer.Option("--middle-kingdom", help="10 points for a castle in the centre.", rich_help_panel=_PANEL),
]
Opening: TypeAlias = Annotated[
    Literal["random", "snake"],
    typer.Option(
        help="Order of the first claims; snake (A B B A) is for two players.", rich_help_panel=_PANEL
    ),
]


def is_given(context: typer.Context, parameter: str) -> bool:
    """Return whether the command line sets this parameter, even to its default."""
    source = context.get_parameter_source(parameter)
    return source is not None and source.name == "COMMANDLINE"


def _check_seed(seed: int | None) -> int | None:
    if seed is not None and not 0 <= seed < 2**64:
        raise typer.BadParameter(f"{seed} is not a number from 0 to 2**64 - 1")
    return seed


Seed: TypeAlias = Annotated[
    int | None,
    typer.Option(
        metavar="N", callback=_check_seed, help="Seed of the deal; the same seed deals the same game."
    ),
]
SeriesSeed: TypeAlias = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        callback=_check_seed,
        help="Seed of all deals, and of the bots whose specs have no seed. The same seed repeats the games, unless a "
        "bot has a time limit. Default: a new one.",
    ),
]


Time: TypeAlias = Annotated[
    float | None, typer.Option(metavar="SECONDS", help="Stop after this time.", rich_help_panel="Search")
]
Playouts: TypeAlias = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Stop after this many playouts; without --time, the result is the same every time.",
        rich_help_panel="Search",
    ),
]
Threads: TypeAlias = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=1024,
        metavar="N",
        help="Number of threads (default: all cores).",
        rich_help_panel="Search",
    ),
]
ThoughtSeed: TypeAlias = Annotated[
    int,
    typer.Option(
        metavar="N", callback=_check_seed, help="Seed of the sampled decks.", rich_help_panel="Search"
    ),
]
Ply: TypeAlias = Annotated[
    int | None, typer.Option(min=0, metavar="N", help="In a record: decision N, from 0.")
]
Json: TypeAlias = Annotated[
    str | None, typer.Option(metavar="FILE", help="Write the result as JSON to this file; - is stdout.")
]


def threads_or_all(threads: int | None) -> int:
    """Return the number of threads, by default the number of cores that this process may use."""
    return threads or available_cores()


def write_json(file: str, text: str) -> None:
    """Write one line of JSON to a file, or to stdout for ``-``."""
    if file == "-":
        print(text)
    else:
        Path(file).write_text(f"{text}\n", encoding="utf-8")


def new_seed() -> int:
    """Return a random seed that is short enough to type."""
    return secrets.randbelow(10**6)


def arguments(rules: kd.Rules) -> list[str]:
    """Return the options for these rules, without the number of players and defaults."""
    said = ["--edition", rules.edition] if rules.edition != "second" else []
    said += ["--mighty-duel"] * rules.mighty_duel + ["--harmony"] * rules.harmony
    said += ["--middle-kingdom"] * rules.middle_kingdom
    return said + (["--opening", rules.opening] if rules.opening != "random" else [])
