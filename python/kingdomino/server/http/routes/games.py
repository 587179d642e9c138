"""Routes for your games: list, sum up, import, export and delete them."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import PlainTextResponse, StreamingResponse

import kingdomino as kd
from kingdomino.server.http import schemas
from kingdomino.server.http.dependencies import Answer, InRegistry, User
from kingdomino.server.http.limits import Usage, owner_of
from kingdomino.server.http.openapi import refusals
from kingdomino.server.http.routes.people import unfinished_tables
from kingdomino.server.http.routes.records import read_record
from kingdomino.server.pools import MOST_IMPORTED
from kingdomino.server.storage import Entry, Place, Result, StorageError, Sum, TableRow
from kingdomino.server.tables.bots.threads import off_loop
from kingdomino.server.tables.core import events
from kingdomino.server.tables.core.refusals import Refusal, bad_record
from kingdomino.server.tables.core.registry import Registry
from kingdomino.server.tables.core.snapshot import Summary
from kingdomino.server.tables.core.state import PlacedDomino
from kingdomino.server.tables.history import records
from kingdomino.server.tables.history.played import Played, Player
from kingdomino.server.tables.history.records import Imported

_log = logging.getLogger(__name__)
router = APIRouter(prefix="/api/me", tags=["games"])
_PAGE: Final = 50
_PRINTABLE: Final = "^[ -~]*$"


@router.get("/tables", response_model=schemas.UnfinishedGames)
async def unfinished(registry: InRegistry, user: User) -> Answer:
    """List your unfinished tables."""
    games: list[schemas.UnfinishedGame] = []
    for row, own in await unfinished_tables(registry, user):
        with unless_damaged(row.id):
            games.append(await _unfinished(registry, row, own))
    return Answer({"games": games})


@router.get("/games", response_model=schemas.PlayedGames)
async def played(
    registry: InRegistry,
    user: User,
    limit: Annotated[int, Query(ge=1, le=_PAGE)] = _PAGE,
    before: Annotated[
        str | None, Query(pattern=r"^\d{1,15}\.[a-z0-9]{1,40}$", description="`next` of the page before")
    ] = None,
    outcome: Literal["won", "lost"] | None = None,
    rules: Annotated[
        str | None, Query(max_length=100, pattern=_PRINTABLE, description="text of the rules")
    ] = None,
    dynasty: Annotated[events.Dynasty | None, Query(description="with `rules`; none: single games")] = None,
    bot: Annotated[
        str | None, Query(max_length=200, pattern=_PRINTABLE, description="spec string of all opponents")
    ] = None,
) -> Answer:
    """List your finished games, newest first."""
    where: dict[str, str | None] = {}
    if outcome is not None:
        where["outcome"] = outcome
    if rules is not None:
        where |= {"rules": rules, "dynasty": dynasty}
    if bot is not None:
        where["bot"] = bot
    history = registry.store.history
    rows = await history.page(user, limit + 1, _place(before), where)
    last = rows[limit - 1] if len(rows) > limit else None
    return Answer(
        {
            "games": [json.loads(row.body) for row in rows[:limit]],
            "total": await history.count(user, where),
            "next": f"{last.ended}.{last.game_id}" if last else None,
        }
    )


@router.get("/statistics", response_model=schemas.Statistics)
async def sum_up(registry: InRegistry, user: User) -> Answer:
    """Sum up your games by rules, opponents and outcome."""
    history = registry.store.history
    return Answer(await off_loop(_statistics, await history.sums(user), await history.best(user)))


@router.post(
    "/games",
    status_code=201,
    response_model=schemas.Kept,
    responses=refusals("bad_record", "too_many_games"),
)
async def keep(request: Request, registry: InRegistry, user: User, body: schemas.OwnRecords) -> Answer:
    """Import records into your list of games, all or none. Games that you already have stay as they are."""
    read = [await off_loop(_read, wish, number) for number, wish in enumerate(body.records, 1)]
    history = registry.store.history
    tables = [record.table for record in read if record.table]
    known = {row.game_id for row in await history.results(user, [*tables, *(one.id for one in read)])}
    ids = [one.table if one.table and one.table in known else one.id for one in read]
    new = {
        record.id: (record, _own_seats(record, wish))
        for id_, record, wish in zip(ids, read, body.records, strict=True)
        if id_ not in known
    }
    if new and await history.count_imported(user) + len(new) > MOST_IMPORTED:
        raise Refusal("too_many_games", f"you can keep at most {MOST_IMPORTED} imported games")
    usage: Usage = request.app.state.usage
    usage.import_games(owner_of(request.scope), len(new))
    now = registry.clock.now()
    results = [await off_loop(_result, record, seats, user, now) for record, seats in new.values()]
    await history.keep(results, {id_: record.text for id_, (record, _) in new.items()})
    return Answer(schemas.Kept(games=tuple(ids), added=len(new)), 201)


@router.get("/records", response_class=PlainTextResponse)
async def export(registry: InRegistry, user: User) -> StreamingResponse:
    """Download all your finished games in one file of records."""
    games = await registry.store.history.games(user)
    headers = {"Content-Disposition": 'attachment; filename="kingdomino-games.txt"'}
    return StreamingResponse(_exported(registry, user, games), media_type="text/plain", headers=headers)


@router.delete("/games", status_code=204)
async def forget_all(registry: InRegistry, user: User) -> Response:
    """Delete all finished games from your list, but not from other players' lists."""
    await registry.store.history.forget(user)
    return Response(status_code=204)


@router.delete("/games/{game}", status_code=204, responses=refusals("no_game"))
async def forget(registry: InRegistry, user: User, game: str) -> Response:
    """Delete a game from your list, but not from other players' lists."""
    if "\0" in game or await registry.store.history.result(user, game) is None:
        raise Refusal("no_game", "this game is not in your list")
    await registry.store.history.forget(user, [game])
    return Response(status_code=204)


def _statistics(sums: Sequence[Sum], best: Result | None) -> schemas.Statistics:
    rules = sorted({one.rules for one in sums})
    return schemas.Statistics(
        sums=tuple(schemas.Sum.model_validate(one._asdict()) for one in sums),
        rules=tuple(events.Rules.of(kd.Rules.parse(text)) for text in rules),
        best=Played.model_validate_json(best.body) if best else None,
    )


async def _unfinished(registry: Registry, row: TableRow, own: list[int]) -> schemas.UnfinishedGame:
    table = Summary.of_row(row)
    seat = table.turn if table.turn in own else own[0]
    squares, kingdom = await _kingdom(registry, row.id, seat)
    return schemas.UnfinishedGame(
        id=row.id,
        state=table.state,  # type: ignore[arg-type]  # of an unfinished table
        rules=table.rules,
        players=tuple(Player(name=entry.name, bot=entry.bot) for entry in table.seats),
        seats=tuple(own),
        round=table.round,
        turn=table.turn,
        seat=seat,
        kingdom=kingdom,
        squares=squares,
    )


async def _kingdom(
    registry: Registry, table: str, seat: int
) -> tuple[tuple[events.TerrainSquare, ...], tuple[PlacedDomino, ...]]:
    """Read a kingdom's first squares and its dominoes from the log, without loading the table."""
    squares: tuple[events.TerrainSquare, ...] = ()
    kingdom: list[PlacedDomino] = []
    for entry in await registry.store.entries(table, kinds=("created", "dealt", "placed")):
        event = events.read(entry.body)
        if isinstance(event, events.Created) and event.start:
            squares = event.start.kingdoms[seat].squares
        elif isinstance(event, events.Dealt):
            kingdom.clear()
        elif isinstance(event, events.Placed) and event.seat == seat:
            kingdom.append((event.domino, *event.left, *event.right))
    return squares, tuple(kingdom)


async def _exported(registry: Registry, user: str, games: list[str]) -> AsyncIterator[str]:
    for game in games:
        result = await registry.store.history.result(user, game)
        for text in await record_texts(registry, result) if result else ():
            yield f"{text}\n"


async def record_texts(registry: Registry, result: Result) -> list[str]:
    """Return a listed game's records as texts for its player; none if its log is damaged."""
    seats = Played.model_validate_json(result.body).seats
    if result.imported:
        text = await registry.store.history.record(result.game_id)
        return await off_loop(lambda: Imported.read(text).texts_for(seats)) if text else []
    entries = await registry.store.entries(result.game_id, secrets=True)
    return await off_loop(_texts, result.game_id, entries, seats)


def _texts(table: str, entries: Sequence[Entry], seats: Sequence[int]) -> list[str]:
    texts: list[str] = []
    with unless_damaged(table):
        texts += (records.of_state(state, seats).to_text() for state in records.finished(table, entries))
    return texts


@contextmanager
def unless_damaged(table: str) -> Iterator[None]:
    """Log an unreadable table and go on, so that a damaged one does not hide the others."""
    try:
        yield
    except StorageError:  # would hit all tables
        raise
    except Exception:
        _log.exception("a table could not be read", extra={"table": table})


def _read(wish: schemas.OwnRecord, number: int) -> Imported:
    """Read a record to import. Raises `Refusal`."""
    record = read_record(wish.text, number)
    if wish.seat is not None and wish.seat >= record.record.rules.players:
        sentence = f"this game has no seat {wish.seat}"
        raise bad_record(kd.RecordError(sentence, kd.Fault("no_seat", sentence, wish.seat)), number)
    return record


def _result(record: Imported, seats: tuple[int, ...], user: str, now: int) -> Result:
    return record.played(seats, now).result(user)


def _own_seats(record: Imported, wish: schemas.OwnRecord) -> tuple[int, ...]:
    if "seat" not in wish.model_fields_set:
        return record.seats
    return () if wish.seat is None else (wish.seat,)


def _place(before: str | None) -> Place | None:
    if before is None:
        return None
    ended, _, game = before.partition(".")
    return Place(int(ended), game)
