"""``kingdomino worker``: thinks for the servers of a PostgreSQL database."""

import logging
from typing import Annotated

import typer

from kingdomino.cli.databases import Config
from kingdomino.cli.serve import settings_given


def worker(
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="The servers' database: postgresql://….")
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Any setting, for example bot_threads=8."),
    ] = None,
    config: Config = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Log warnings and errors only.")] = False,
) -> int:
    """Choose the turns of slow bots for all servers of a database.

    Run as many as you like, on any machines. A turn whose worker dies is chosen by another. Ctrl-C or SIGTERM ends it.
    """
    from kingdomino.server import worker as process

    settings = settings_given({"database": database}, setting, config)
    return process.work(settings, level=logging.WARNING if quiet else logging.INFO)
