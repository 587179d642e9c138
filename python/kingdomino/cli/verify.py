"""``kingdomino verify``: check a table's deal against its commitment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import kingdomino as kd
from kingdomino.cli.files import read_records

if TYPE_CHECKING:
    from kingdomino.server.tables.core.deal import Checked


def verify(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="A record from a table, text or JSON.")],
    commitment: Annotated[
        list[str] | None,
        typer.Option(metavar="HEX", help="Your commitment from before the game, to compare."),
    ] = None,
    nonce: Annotated[
        list[str] | None,
        typer.Option(metavar="HEX", help="A nonce of your browser, to look for in the record."),
    ] = None,
) -> None:
    """Check the deal of a game that was played at a table.

    Before a game, a table publishes a commitment to a secret. The deck follows from the secret and from the nonces of
    the players' browsers, and the record reveals both. The command draws the deck again, and refuses the record if it
    differs.
    """
    from kingdomino.server.tables.core import deal  # it needs no package of the server's

    records = read_records(record)
    commitments, nonces = set[str](), set[str | None]()
    for number, game in enumerate(records, 1):
        name = f"{record}, game {number}" if len(records) > 1 else str(record)
        try:
            checked = deal.check(game)
        except kd.RecordError as error:
            raise kd.RecordError(f"{name}: {error}") from error
        print(f"{name}: the deal fits its commitment.")
        print(f"commitment {checked.deal.commitment}")
        for line in _proved(checked, game):
            print(line)
        commitments.add(checked.deal.commitment)
        nonces |= set(checked.proof.nonces)
    _check_seen(record, "commitment", commitment or (), commitments)
    _check_seen(record, "nonce", nonce or (), nonces)
    if not commitment:
        print(
            "Compare the commitment with yours from before the game: a record cannot prove which one you saw."
        )


def _proved(checked: Checked, record: kd.Record) -> Iterator[str]:
    """Yield sentences about the proof, and the bots' seeds."""
    if not checked.nonces:
        yield "No browser gave a nonce, so the server could choose the deck before the game."
    else:
        seats = " and ".join(map(str, checked.nonces))
        yield (
            f"The deck has the nonce of seat {seats}. A player who knows this nonce as their own, and saw the "
            "commitment before, knows that the server did not choose the deck."
        )
    for seat in checked.withheld:
        yield f"Seat {seat} promised a nonce and did not give it: with the server it could choose between two decks."
    for seat in range(record.rules.players):
        if bot := record.tags.get(kd.bots.record_tag(seat)):
            yield f"The bot in seat {seat}, {bot}, had the seed {checked.deal.bot_seed(seat)}."


def _check_seen(record: Path, what: str, seen: Sequence[str], known: set[str] | set[str | None]) -> None:
    for value in seen:
        if value.strip().lower() not in known:
            raise kd.RecordError(f"{record}: your {what} {value} is not in this record")
