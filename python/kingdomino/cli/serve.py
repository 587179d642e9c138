"""``kingdomino serve``: tables in the browser, for this machine or a network."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kingdomino.cli.databases import Config

if TYPE_CHECKING:
    from kingdomino.server.settings import Settings


def serve(
    host: Annotated[
        str | None,
        typer.Option(metavar="HOST", help="Address to listen on (127.0.0.1); 0.0.0.0 lets your network in."),
    ] = None,
    port: Annotated[
        str | None, typer.Option(metavar="N", help="Port to listen on (8000); 0 chooses a free one.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="sqlite:///FILE or postgresql://…; default: a file in your data folder."
        ),
    ] = None,
    browser: Annotated[bool, typer.Option("--open", help="Open your browser.")] = False,
    pause: Annotated[
        str | None, typer.Option(metavar="SECONDS", help="How long a bot waits before it moves (0.9).")
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Any setting, for example limits.sockets=50."),
    ] = None,
    config: Config = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Log warnings and errors only.")] = False,
) -> int:
    """Serve tables to browsers and programs.

    It prints its address. /docs/http/ describes the interface for programs. In a clone of the repository, /docs/ shows
    the documents, once `make docs` has built them. Tables are kept in the database, so a server that is restarted
    continues all of them. Ctrl-C or SIGTERM ends it. All settings are listed in docs/guides/hosting.md; they can also
    be variables of the environment (KINGDOMINO_PORT=8080).
    """
    from kingdomino.server import run

    flags = {"host": host, "port": port, "database": database, "pause": pause}
    level = logging.WARNING if quiet else logging.INFO
    return run.serve(settings_given(flags, setting, config), open_browser=browser, level=level)


def settings_given(
    flags: Mapping[str, str | None], setting: Sequence[str] | None, config: Path | None
) -> Settings:
    """Read the settings from flags, ``--set NAME=VALUE``, the environment and a file."""
    from kingdomino.server.settings import load

    given: dict[str, object] = dict(map(_pair, setting or ()))
    return load(given | {name: value for name, value in flags.items() if value is not None}, config)


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise typer.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--set")
    return name.strip(), value.strip()
