"""``kingdomino backup``: the database of a server in one file."""

from pathlib import Path
from typing import Annotated

import typer

from kingdomino.cli.databases import Config, Database, counted
from kingdomino.cli.serve import settings_given


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    database: Database = None,
    config: Config = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE.")] = False,
) -> None:
    """Write everything that a server has stored to one file, while it runs.

    The file is as the database was at one moment. Only you can read it: it holds the decks of games that go on, and the
    keys of cookies. 'kingdomino restore' reads it, into SQLite or PostgreSQL.
    """
    from kingdomino.server.storage.backup import save

    settings = settings_given({"database": database}, None, config)
    with counted("saving") as told:
        saved = save(settings.url, file, overwrite=force, told=told)
    print(f"{file}: {saved.rows.get('tables', 0)} tables, {saved.total} rows, {file.stat().st_size} bytes")
