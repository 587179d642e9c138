"""``kingdomino serve``: tables in the browser, for this machine or a network."""

import logging
from typing import Annotated

import typer

from kingdomino.cli.servers import Config, load_settings, needing_server


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
    the documentation after `make docs`. The database keeps all tables, so games continue after a restart. Ctrl-C or
    SIGTERM ends the server. docs/guides/hosting.md lists all settings; environment variables also set them
    (KINGDOMINO_PORT=8080).
    """
    with needing_server():
        from kingdomino.server import run

    flags = {"host": host, "port": port, "database": database, "pause": pause}
    level = logging.WARNING if quiet else logging.INFO
    return run.serve(load_settings(flags, setting, config), open_browser=browser, level=level)
