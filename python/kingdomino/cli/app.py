"""All commands under one name."""

from collections.abc import Callable
from inspect import cleandoc
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

import kingdomino as kd
from kingdomino.cli.analyse import analyse
from kingdomino.cli.arena.report import report_arena
from kingdomino.cli.arena.run import run_arena
from kingdomino.cli.backup import backup
from kingdomino.cli.engine import engine
from kingdomino.cli.engine_check import engine_check
from kingdomino.cli.examples import examples as copy_examples
from kingdomino.cli.perft import perft
from kingdomino.cli.play import play
from kingdomino.cli.puzzle import puzzle
from kingdomino.cli.puzzles import make, rate
from kingdomino.cli.restore import restore
from kingdomino.cli.review import review
from kingdomino.cli.score import score
from kingdomino.cli.serve import serve
from kingdomino.cli.show import show
from kingdomino.cli.simulate import simulate
from kingdomino.cli.verify import verify
from kingdomino.cli.version import version_text
from kingdomino.cli.worker import worker


class _Command(TyperCommand):
    """A command whose help omits the type of switches."""

    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401 - Typer's own context is private
        """Return the parameters, including ``--help``."""
        return _shown_as_switches(super().get_params(ctx))


class _Group(TyperGroup):
    """A group of commands whose help omits the type of switches."""

    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401
        """Return the parameters, including ``--help``."""
        return _shown_as_switches(super().get_params(ctx))


def _shown_as_switches(parameters: list[Any]) -> list[Any]:
    for parameter in parameters:
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""
    return parameters


app = typer.Typer(
    cls=_Group,
    help="Play, study and research Kingdomino.",
    epilog="Each command has its own help and examples: kingdomino play --help",
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(version_text(kd.__version__))
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and the commit."
        ),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        context.get_help()


arena = typer.Typer(
    cls=_Group,
    help="Let bots play each other on the same deals, and report the results.",
    epilog="Examples: kingdomino arena run --help",
)
app.add_typer(arena, name="arena")

puzzles = typer.Typer(
    cls=_Group,
    help="Make puzzles from games of the bot king, and rate them.",
    epilog="Examples: kingdomino puzzles make --help",
)
app.add_typer(puzzles, name="puzzles")


@arena.callback(invoke_without_command=True)
@puzzles.callback(invoke_without_command=True)
def _help_without_command(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        context.get_help()


def _add(
    command: Callable[..., object],
    *examples: str,
    to: typer.Typer = app,
    name: str | None = None,
    settings: dict[str, object] | None = None,
) -> None:
    """Add a command. Its docstring is its help; the terminal wraps each paragraph."""
    paragraphs = cleandoc(command.__doc__ or "").split("\n\n")
    to.command(
        name,
        cls=_Command,
        help="\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs),
        epilog="\n".join(["Examples:", *(f"  kingdomino {example}" for example in examples)]),
        context_settings=settings,
    )(command)


_add(
    play,
    "play                                 a table in your browser",
    "play --terminal                      you against greedy, in this terminal",
    "play --seat me:Ida --seat me:Oskar   two people at one keyboard",
    "play --players 4 --harmony           you against three bots",
    "play --mighty-duel --dynasty total   three games of 7x7",
    "play --resume FILE                   continue a saved game",
)
_add(
    serve,
    "serve                                on this machine, at port 8000",
    "serve --host 0.0.0.0                 for your network",
    "serve --database sqlite:///games.db  keep its tables in this file",
)
_add(
    worker,
    "worker --database postgresql://…     for the servers of this database",
)
_add(
    backup,
    "backup tables.backup                 everything in the database",
    "backup tables.backup --database postgresql://…",
)
_add(
    restore,
    "restore tables.backup --check        check this file",
    "restore tables.backup                into an empty database",
    "restore tables.backup --database postgresql://…",
)
_add(
    show,
    "show game.txt                        the last position",
    "show game.txt --ply 10               before the eleventh decision",
    "show game.txt --svg game.svg         also as a picture",
    "show 'kd1 2.second.random 0 …'       a position, as text",
)
_add(
    score,
    "score 'w1fw/.Cl1/ff.'                a kingdom on your table",
    "score kingdom.txt --middle-kingdom   from a file, with a bonus",
    "score kingdom.txt --best             and what was possible",
)
_add(
    analyse,
    "analyse position.txt                 every action of this position",
    "analyse game.txt --ply 10            before the eleventh decision of a record",
    "analyse game.txt --time 60           for a minute, or until Ctrl-C",
    "analyse - --json - <position.txt     for programs",
)
_add(
    review,
    "review game.txt                      every decision, and luck",
    "review game.txt --ply 10             the eleventh decision",
    "review game.txt --html review.html   also as a page with pictures",
    "review game.txt --playouts 100000    think longer about each decision",
    "review games --player Ida            where Ida's points go, over a folder of games",
)
_add(
    puzzle,
    "puzzle                               today's puzzle",
    "puzzle --theme room --level 3        a random one like this",
    "puzzle --date 2026-03-01             the one of this day",
)
_add(
    make,
    "puzzles make                         500 puzzles, into the file puzzles.txt",
    "puzzles make --games 20 --seed 7     from 20 games",
    to=puzzles,
)
_add(
    rate,
    "puzzles rate puzzles.txt             after a change of the bot's levels",
    to=puzzles,
)
_add(
    verify,
    "verify game.txt                      was this the announced deck?",
)
_add(
    simulate,
    "simulate --games 1000 --bots greedy,random",
    "simulate --games 100 --bots greedy,greedy,random --seed 7",
    "simulate --games 10 --bots greedy,random --records games",
)
_add(
    run_arena,
    "arena run --bots greedy,random --blocks 500",
    "arena run --bots king,greedy --test elo=0,30 --blocks 5000",
    "arena run --format one-against --players 4 --bots king,greedy",
    "arena run match.toml --jobs 2        with a plan from a file",
    "arena run arena/match                resume a run",
    to=arena,
    name="run",
)
_add(
    report_arena,
    "arena report arena/match",
    to=arena,
    name="report",
)
_add(
    perft,
    "perft --depth 5",
    "perft --depth 4 --mighty-duel --seed 7",
)
_add(
    engine,
    "engine greedy                        greedy, for programs that use the protocol",
)
_add(
    copy_examples,
    "examples                             engines and agents, into the folder examples",
    name="examples",
)
_add(
    engine_check,
    "engine-check python3 my_bot.py       does it follow the protocol?",
    "engine-check python3 examples/engine.py  an example, from 'kingdomino examples'",
    "engine-check --time 1 node my_bot.js with a second for each choice",
    settings={"allow_interspersed_args": False},
)
