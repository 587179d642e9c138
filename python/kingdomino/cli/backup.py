"""``kingdomino backup``: the database of a server in one file."""

from pathlib import Path
from typing import Annotated

import typer

from kingdomino.cli.databases import Config, Database, counted
from kingdomino.cli.serve import settings_given


def backup(
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]", help="The file to write; default: a new one in the folder 'backups'."
        ),
    ] = None,
    database: Database = None,
    config: Config = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE.")] = False,
) -> None:
    """Write everything that a server has stored to one file, while it runs.

    The file is as the database was at one moment. Only you can read it: it holds the decks of games that go on, and the
    keys of cookies. 'kingdomino restore' reads it, into SQLite or PostgreSQL.

    Without FILE it goes to the folder of the setting 'backups', where the newest of each of the last 7 days and 4 weeks
    stays.
    """
    from kingdomino.server.storage.backup import save
    from kingdomino.server.storage.generations import save_generation

    settings = settings_given({"database": database}, None, config)
    if file is None and settings.backups is None:
        raise typer.BadParameter("name a FILE, or a folder in the setting 'backups'")
    with counted("saving") as progress:
        if file is None:
            file, saved, deleted = save_generation(settings.url, Path(settings.backups or ""), progress)
        else:
            saved, deleted = save(settings.url, file, overwrite=force, progress=progress), 0
    print(
        f"{file}: {saved.rows.get('tables', 0)} tables, {saved.total} rows, {file.stat().st_size} bytes"
        + (f"; older backups deleted: {deleted}" if deleted else "")
    )
