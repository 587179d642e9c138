"""``kingdomino serve``: tables in the browser, for this machine or a network."""

import logging
from typing import Annotated

import typer

from kingdomino.server.settings import DEFAULT_PORT, Limits, Settings, Study


def serve(
    host: Annotated[
        str, typer.Option(metavar="HOST", help="Address to listen on; 0.0.0.0 lets your network in.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, metavar="N", help="Port to listen on; 0 chooses a free one.")
    ] = DEFAULT_PORT,
    database: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="sqlite:///FILE or postgresql://…; default: a file in your data folder."
        ),
    ] = None,
    browser: Annotated[bool, typer.Option("--open", help="Open your browser.")] = False,
    pause: Annotated[
        float, typer.Option(min=0, max=60, metavar="SECONDS", help="How long a bot waits before it moves.")
    ] = Settings().pause,
    review_playouts: Annotated[
        int,
        typer.Option(
            min=1, metavar="N", help="How thoroughly games are reviewed: playouts for each decision."
        ),
    ] = Study().playouts,
    unlimited: Annotated[bool, typer.Option("--unlimited", help="No rate limits, for load tests.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Log warnings and errors only.")] = False,
) -> int:
    """Serve tables to browsers and programs.

    It prints its address; the interface for programs is described at /docs. Tables are kept in the database, so a
    server that is restarted continues all of them. Ctrl-C or SIGTERM ends it.
    """
    from kingdomino.server import run

    settings = Settings(
        database=database,
        host=host,
        port=port,
        pause=pause,
        limits=None if unlimited else Limits(),
        study=Study(playouts=review_playouts),
    )
    return run.serve(settings, open_browser=browser, level=logging.WARNING if quiet else logging.INFO)
