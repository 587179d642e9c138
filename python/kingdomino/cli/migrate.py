"""``kingdomino migrate``: the schema of a database, forward and back."""

from typing import Annotated

import typer

from kingdomino.cli.databases import Config, Database
from kingdomino.cli.serve import settings_given


def migrate(
    database: Database = None,
    config: Config = None,
    back: Annotated[bool, typer.Option("--back", help="Go back by one step.")] = False,
    to: Annotated[str | None, typer.Option(metavar="SCHEMA", help="Go to this one.")] = None,
) -> None:
    """Bring a database to the newest schema, or back to an older one.

    A server does the first by itself when it starts. Before you return to an older version of the program, end the
    servers of this one and go back: the older version then reads what this one has written.
    """
    from kingdomino.server.storage.offline import move
    from kingdomino.server.tables.history.packing import PACKING

    if back and to is not None:
        raise typer.BadParameter("--back and --to exclude each other")
    settings = settings_given({"database": database}, None, config)
    before, after = move(settings.url, "-1" if back else to, PACKING)
    print(f"the schema is {after}" + ("" if after == before else f"; it was {before or 'empty'}"))
