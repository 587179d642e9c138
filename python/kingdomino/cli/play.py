"""``kingdomino play``: a table in the browser, or a game in the terminal."""

import logging
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.text import Text

import kingdomino as kd
from kingdomino.cli import options
from kingdomino.cli.files import read_records
from kingdomino.cli.servers import needing_server
from kingdomino.cli.terminal import seats, words
from kingdomino.cli.terminal.session import Session
from kingdomino.display import rules_name


def play(
    context: typer.Context,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHO",
            help="Once per seat: me, me:NAME, a bot (greedy, random:seed=3) or NAME=BOT. Default: me, then greedy.",
        ),
    ] = None,
    players: options.Players = None,
    edition: options.Edition = "second",
    mighty_duel: options.MightyDuel = False,
    harmony: options.Harmony = False,
    middle_kingdom: options.MiddleKingdom = False,
    opening: options.Opening = "random",
    dynasty: Annotated[
        Literal["total", "best"] | None,
        typer.Option(help="Play three games; the total or the best one counts.", rich_help_panel="Rules"),
    ] = None,
    seed: options.Seed = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Continue the game in this file.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save the game in this new file at the end.")
    ] = None,
    _terminal: Annotated[bool, typer.Option("--terminal", help="Play in this terminal.")] = False,
) -> int:
    """Play a game of Kingdomino against bots or friends.

    Without options, it opens a table in your browser. Only this machine can reach it, unless KINGDOMINO_HOST says
    otherwise. Ctrl-C ends it. With --terminal or any other option, you play in this terminal; type ? there for help.
    """
    if not any(options.is_given(context, str(parameter.name)) for parameter in context.command.params):
        with needing_server(", or play in this terminal: kingdomino play --terminal"):
            from kingdomino.server import run
            from kingdomino.server.settings import load

        return run.serve(load({}), open_browser=True, level=logging.WARNING)
    from kingdomino.cli.terminal.flow import TerminalGame

    if record is not None:
        _check_new(record, resume)
    if resume is None:
        rules = kd.Rules(
            players or max(2, len(seat or ())), edition, mighty_duel, harmony, middle_kingdom, opening
        )
        seed = options.new_seed() if seed is None else seed
        session = Session.new(rules, seats.from_specs(seat or ["me"], rules.players), seed, dynasty)
        begin = f"{rules_name(rules)}, seed {seed}"
    else:
        _refuse_rules(context)
        records = read_records(resume)
        chosen = seats.from_specs(seat, records[-1].rules.players) if seat else None
        try:
            session = Session.resume(records, chosen)
        except kd.KingdominoError as error:
            raise kd.RecordError(f"{resume}: {error}") from error
        if session.game.is_over and session.is_last:
            raise kd.RecordError(f"{resume}: this game is over; 'kingdomino show {resume}' shows it")
        begin = f"{rules_name(session.rules)}, from {resume}"
    console = Console(highlight=False)
    console.print(Text(f"{words.listed(session.names)}: {begin}", "dim"))
    if any(sitting.bot is None for sitting in session.seats):
        console.print(
            Text("Type a number to choose, map to see the numbers on your kingdom, ? for help.", "dim")
        )
    table = TerminalGame(session, ask, console, record=record, interactive=sys.stdin.isatty(), own=resume)
    return table.run()


def _check_new(record: Path, resume: Path | None) -> None:
    """Refuse a file that cannot be written, before the game rather than after it."""
    own = resume is not None and record.resolve() == resume.resolve()
    if record.exists() and not own:
        raise kd.KingdominoError(f"{record}: this file already exists; --record needs a new one")
    if not record.absolute().parent.is_dir():
        raise kd.KingdominoError(f"{record}: its folder does not exist")


def _refuse_rules(context: typer.Context) -> None:
    """Refuse options that would change a saved game's rules."""
    for name in (*options.RULES, "dynasty", "seed"):
        if options.is_given(context, name):
            option = name.replace("_", "-")
            raise kd.KingdominoError(f"--{option} cannot be combined with --resume: the record sets it")


def ask(prompt: str) -> str:
    """Ask for a line, like `input`, with arrow keys where there is a terminal."""
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401  (adds arrow keys to `input`; some systems lack it)
    line = input(prompt)
    if not sys.stdin.isatty():
        print(line)  # echo the answer, as a terminal does
    return line
