"""``kingdomino restore``: a database from a backup."""

from pathlib import Path
from typing import Annotated

import typer

from kingdomino.cli.databases import Config, Database, counted
from kingdomino.cli.serve import settings_given


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")],
    database: Database = None,
    config: Config = None,
    replace: Annotated[bool, typer.Option("--replace", help="Delete what the database has now.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Only check that FILE is whole.")] = False,
) -> None:
    """Fill a database from a file of 'kingdomino backup', all or nothing.

    The database may be SQLite or PostgreSQL, whatever the backup was made from, and no server may use it. The file is
    checked first. One of an older version is brought up to date.

    --replace also replaces a database of a newer version. It moves a corrupt SQLite file aside and prints its name.
    """
    from kingdomino.server.storage import backup

    if check:
        found = backup.check(file)
        print(f"{file}: whole; of {found.made:%Y-%m-%d %H:%M} UTC, {found.rows.get('tables', 0)} tables")
        return
    settings = settings_given({"database": database}, None, config)
    corrupt: list[Path] = []
    with counted("restoring") as progress:
        found = backup.restore(settings.url, file, replace=replace, progress=progress, moved=corrupt.append)
    for moved in corrupt:
        print(f"the corrupt database is now {moved}")
    print(f"restored {found.rows.get('tables', 0)} tables, {found.total} rows")
