"""``kingdomino verify``: whether a table dealt as it had announced."""

from pathlib import Path
from typing import Annotated

import typer

import kingdomino as kd
from kingdomino.cli.files import read_records
from kingdomino.server.tables import deal


def verify(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="A record from a table, text or JSON.")],
) -> None:
    """Check the deal of a game that was played at a table.

    Before the first king is drawn, a table publishes a digest of its deck, its opening and a secret salt. The record
    reveals them. This computes the digest again, and refuses the record if it differs.
    """
    records = read_records(record)
    for number, game in enumerate(records, 1):
        name = f"{record}, game {number}" if len(records) > 1 else str(record)
        try:
            checked = deal.check(game)
        except kd.RecordError as error:
            raise kd.RecordError(f"{name}: {error}") from error
        print(f"{name}: the deal matches its commitment.")
        print(f"commitment {checked.commitment}")
    print("If the table showed you this commitment before the game, the deck has not been changed since.")
