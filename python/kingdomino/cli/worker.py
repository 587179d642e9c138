"""``kingdomino worker``: choose bots' turns for the servers of a PostgreSQL database."""

import logging
from typing import Annotated

import typer

from kingdomino.cli.servers import Config, load_settings, needing_server


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

    Run as many workers as you like, on any machine. If one dies, another takes over its turns. Ctrl-C or SIGTERM ends
    it.
    """
    with needing_server():
        from kingdomino.server import worker as process

    settings = load_settings({"database": database}, setting, config)
    return process.work(settings, level=logging.WARNING if quiet else logging.INFO)
