"""``kingdomino examples``: copy the example programs to a folder."""

from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

import kingdomino as kd

SOURCE = files("kingdomino").joinpath("examples")


def examples(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to copy them to.")] = Path(
        "examples"
    ),
) -> None:
    """Copy the example programs to a folder: engines in Python and JavaScript, and agents that learn.

    If one of the files already exists, the command copies nothing.
    """
    programs = sorted((one for one in SOURCE.iterdir() if one.is_file()), key=lambda one: one.name)
    for program in programs:
        if (folder / program.name).exists():
            raise kd.KingdominoError(f"{folder / program.name}: this file already exists")
    folder.mkdir(parents=True, exist_ok=True)
    for program in programs:
        (folder / program.name).write_bytes(program.read_bytes())
        print(folder / program.name)
