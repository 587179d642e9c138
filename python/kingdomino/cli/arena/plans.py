"""Make plans from options, an arena file or the folder of a run."""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

import kingdomino as kd
from kingdomino.cli import options

if TYPE_CHECKING:
    from kingdomino.arena.plan import Plan

_PLAYED = ("bots", "name", "format_", "self_play", "test")
_LONGEST_NAME = 60  # characters of a folder's name


def need_extra() -> None:
    """Raise an `ArenaError`, which names the extra, if the arena's packages are missing."""
    try:
        import kingdomino.arena  # noqa: F401
    except ModuleNotFoundError as error:
        raise kd.ArenaError(str(error)) from None


def from_options(bots: str | None, test: str | None, **given: object) -> Plan:
    """Make a plan from options; ``given`` are keys of arena files. Raise `KingdominoError`."""
    from kingdomino.arena.plan import from_mapping

    if bots is None:
        raise kd.ArenaError("name an arena file, or the bots with --bots")
    entrants = kd.bots.specs(bots)
    mapping = given | {
        "name": given["name"] or " ".join(entrant.name or entrant.spec for entrant in entrants),
        "bots": [
            {"name": entrant.name, "spec": entrant.spec} if entrant.name else entrant.spec
            for entrant in entrants
        ],
    }
    if test is not None:
        mapping["test"] = _test(test)
    return _ready(from_mapping(mapping))


def from_file(context: typer.Context, file: Path, blocks: int | None, seed: int | None) -> Plan:
    """Read the plan of an arena file or of a run's folder. ``blocks`` and ``seed`` override it.

    Raise `OSError` or `KingdominoError`, also for options that belong in the file.
    """
    from kingdomino.arena import store
    from kingdomino.arena.plan import read_plan

    for name in (*_PLAYED, *options.RULES):
        if options.is_given(context, name):
            option = name.strip("_").replace("_", "-")
            raise kd.ArenaError(f"--{option} cannot be combined with {file}: the file sets it")
    plan = store.read(file / store.FILE).plan if file.is_dir() else read_plan(file)
    plan = replace(
        plan, blocks=plan.blocks if blocks is None else blocks, seed=plan.seed if seed is None else seed
    )
    return _ready(plan)


def try_engines(plan: Plan) -> None:
    """Start each engine of the plan once, to find a wrong command before the first game.

    Raise `EngineError`.
    """
    for spec in dict.fromkeys(entrant.spec for entrant in plan.bots):
        bot = kd.bots.make(spec)
        if isinstance(bot, kd.bots.Engine):
            bot.try_start()


def default_folder(plan: Plan) -> Path:
    """Return the default folder of a run: ``arena/king-against-greedy``."""
    name = re.sub(r"[^a-z0-9.]+", "-", plan.name.lower())[:_LONGEST_NAME]
    return Path("arena", name.strip("-.") or "run")


def command(context: typer.Context, plan: Plan) -> str:
    """Return the command that repeats these games, including the seed."""
    words = ["kingdomino", "arena", "run"]
    for parameter in context.command.params:
        name, value = str(parameter.name), context.params.get(str(parameter.name))
        if options.is_given(context, name) and name != "seed":
            option = [] if name == "file" else [max(parameter.opts, key=len)]
            words += option if value is True else [*option, str(value)]
    return shlex.join([*words, "--seed", str(plan.seed)])


def _ready(plan: Plan) -> Plan:
    """Make the bots' specs canonical, which fails before the first game if a bot does not exist."""
    from kingdomino.arena.plan import canonical
    from kingdomino.arena.play import load_modules

    if plan.modules:
        sys.path.insert(0, str(Path.cwd()))  # as `python -m` does; the workers do the same
    load_modules(plan)
    return replace(plan, bots=canonical(plan.bots))


def _test(text: str) -> dict[str, list[float]]:
    what, _, bounds = text.partition("=")
    try:
        low, high = map(float, bounds.split(","))
    except ValueError:
        near = "elo=0,20" if what.strip() == "elo" else "win_rate=0.5,0.55 or elo=0,20"
        raise kd.ArenaError(f"--test {text!r} is not a test: it needs two numbers, as in {near}") from None
    return {what.strip(): [low, high]}
