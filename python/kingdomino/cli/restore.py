"""``kingdomino restore``: fill a database from a backup."""

from pathlib import Path
from typing import Annotated

import typer

from kingdomino.cli.servers import Config, Database, counted, load_settings, needing_server


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")],
    database: Database = None,
    config: Config = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Delete what the database now contains.")
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="Only check that FILE is whole.")] = False,
) -> None:
    """Fill a database from a file of 'kingdomino backup', all or nothing.

    The database can be SQLite or PostgreSQL, whichever the backup came from. End its servers first. The command checks
    the file before it changes anything, and upgrades a backup of an older version.

    --replace also replaces a database of a newer version. It moves a corrupt SQLite file aside and prints its name.
    """
    with needing_server():
        from kingdomino.server.storage import backup

    if check:
        found = backup.check(file)
        print(f"{file}: whole; of {found.made:%Y-%m-%d %H:%M} UTC, {found.rows.get('tables', 0)} tables")
        return
    settings = load_settings({"database": database}, None, config)
    corrupt: list[Path] = []
    with counted("restoring") as progress:
        found = backup.restore(settings.url, file, replace=replace, progress=progress, moved=corrupt.append)
    for moved in corrupt:
        print(f"the corrupt database is now {moved}")
    print(f"restored {found.rows.get('tables', 0)} tables, {found.total} rows")
