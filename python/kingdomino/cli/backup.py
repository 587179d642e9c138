"""``kingdomino backup``: save the database of a server to one file."""

from pathlib import Path
from typing import Annotated

import typer

from kingdomino.cli.servers import Config, Database, counted, load_settings, needing_server


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
    """Write everything that a server has stored to one file, while the server runs.

    The file is a snapshot of the database. Only you can read it: it has the decks of unfinished games and the keys that
    sign cookies. 'kingdomino restore' loads it into SQLite or PostgreSQL.

    Without FILE, the backup goes to the folder of the setting 'backups'. That folder keeps the newest backup of each of
    the last 7 days and 4 weeks.
    """
    with needing_server():
        from kingdomino.server.storage.backup import save
        from kingdomino.server.storage.generations import save_generation

    settings = load_settings({"database": database}, None, config)
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
