"""Shared by the commands around a server: options, settings, and a message if it is not installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer
from rich.console import Console

import kingdomino as kd

if TYPE_CHECKING:
    from kingdomino.server.settings import Settings

__all__ = ["Config", "Database", "counted", "load_settings", "needing_server"]

Database: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="URL", help="sqlite:///FILE or postgresql://…; default: from the server's settings."
    ),
]
Config: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Read settings from a TOML file.")
]


@contextmanager
def needing_server(otherwise: str = "") -> Iterator[None]:
    """Raise `KingdominoError`, which names the extra, if an import inside this block lacks a package."""
    try:
        yield
    except ModuleNotFoundError as error:
        if str(error.name).startswith("kingdomino"):
            raise
        raise kd.KingdominoError(
            f"this needs the server, which is not installed: pip install 'kingdomino[server]'{otherwise}"
        ) from error


def load_settings(
    flags: Mapping[str, str | None], setting: Sequence[str] | None, config: Path | None
) -> Settings:
    """Read the settings from flags, ``--set NAME=VALUE``, the environment and a file."""
    with needing_server():
        from kingdomino.server.settings import load

    given: dict[str, object] = dict(map(_pair, setting or ()))
    return load(given | {name: value for name, value in flags.items() if value is not None}, config)


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise typer.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--set")
    return name.strip(), value.strip()


@contextmanager
def counted(doing: str) -> Iterator[Callable[[int], None]]:
    """Show a spinner in a terminal. Yield a function that updates it with the number of rows done."""
    with Console(stderr=True).status(doing) as status:
        yield lambda rows: status.update(f"{doing}: {rows} rows")
