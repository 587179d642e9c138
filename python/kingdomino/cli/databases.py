"""What the commands that use a server's database share: its options, and how far the work is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from rich.console import Console

__all__ = ["Config", "Database", "counted"]

Database: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="URL", help="sqlite:///FILE or postgresql://…; default: that of the server's settings."
    ),
]
Config: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Read settings from a TOML file.")
]


@contextmanager
def counted(doing: str) -> Iterator[Callable[[int], None]]:
    """Give a function that shows in a terminal how many rows are done."""
    with Console(stderr=True).status(doing) as status:
        yield lambda rows: status.update(f"{doing}: {rows} rows")
