"""Routes for finished games: download or replay the record, get a picture to share, verify a record's deal."""

import time
from collections.abc import Sequence
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import PlainTextResponse

import kingdomino as kd
from kingdomino.server.http import schemas, sharing
from kingdomino.server.http.dependencies import Answer, InRegistry, User
from kingdomino.server.http.limits import owner_of
from kingdomino.server.http.openapi import refusals
from kingdomino.server.storage import Entry, Result
from kingdomino.server.tables.bots.threads import off_loop
from kingdomino.server.tables.core import deal, events
from kingdomino.server.tables.core.refusals import Refusal, bad_record
from kingdomino.server.tables.core.registry import Registry
from kingdomino.server.tables.core.state import State
from kingdomino.server.tables.history import records
from kingdomino.server.tables.history.played import Played
from kingdomino.server.tables.history.records import Imported, is_record_id
from kingdomino.server.tables.people.codes import Language

router = APIRouter(prefix="/api", tags=["records"])
_SHARED: Final = {"Cache-Control": "public, max-age=300", "Cross-Origin-Resource-Policy": "cross-origin"}


class PngResponse(Response):
    """A picture."""

    media_type = "image/png"


@router.get(
    "/tables/{table}/record", response_class=PlainTextResponse, responses=refusals("no_table", "not_over")
)
async def record(
    registry: InRegistry, table: str, game: Annotated[int, Query(ge=1, le=events.GAMES)] = 1
) -> PlainTextResponse:
    """Download a finished game as a record."""
    state = await finished_game(registry, table, game)
    text = await off_loop(lambda: records.of_state(state).to_text())
    return text_file(text, f"kingdomino-{table}-{game}.txt")


@router.get(
    "/tables/{table}/picture",
    response_class=PngResponse,
    responses=refusals("no_table", "not_over", "busy"),
)
async def picture(
    request: Request,
    registry: InRegistry,
    table: str,
    game: Annotated[int, Query(ge=1, le=events.GAMES)] = 1,
    language: Language = "en",
) -> PngResponse:
    """Get a picture of a finished game, 1200 × 630, to share."""
    state = (await registry.table(table)).state
    if state.finished is None or state.game_number != game:
        state = await finished_game(registry, table, game)
    pictures: sharing.Pictures = request.app.state.pictures
    drawn = await pictures.of(sharing.Result.of(state, language), state.game, owner_of(request.scope))
    # Pages of other sites may show the picture.
    return PngResponse(
        drawn, headers={**_SHARED, "Content-Disposition": f'inline; filename="kingdomino-{table}.png"'}
    )


@router.post("/records", response_model=schemas.Watched, responses=refusals("bad_record"))
async def watch(body: schemas.RecordText) -> Answer:
    """Read a record of either form and return its game and its events, without storing anything."""
    return Answer(await off_loop(_watched_text, body.record))


@router.get("/games/{game}", response_model=schemas.Watched, responses=refusals("no_game"))
async def watch_kept(registry: InRegistry, user: User, game: str) -> Answer:
    """Read an imported game and its events."""
    record = await imported_game(registry, game)
    kept = await registry.store.history.result(user, game)
    return Answer(await off_loop(_watched, record, kept))


@router.get("/games/{game}/record", response_class=PlainTextResponse, responses=refusals("no_game"))
async def kept_record(registry: InRegistry, game: str) -> PlainTextResponse:
    """Download an imported game as a record."""
    return text_file((await imported_game(registry, game)).text, f"kingdomino-{game}.txt")


@router.post("/verify", response_model=schemas.Deal, responses=refusals("bad_record"))
async def verify(body: schemas.RecordText) -> Answer:
    """Check a record's deal against its table's commitment."""
    return Answer(await off_loop(_verified, body.record))


async def finished_game(registry: Registry, table: str, game: int) -> State:
    """Return a table's state at the end of a game. Raises `Refusal`."""
    await registry.stored(table)
    entries = await registry.store.entries(table, secrets=True)
    state = await off_loop(_finished, table, entries, game)
    if state is None:
        raise Refusal("not_over", "this game is not over yet")
    return state


def _finished(table: str, entries: Sequence[Entry], game: int) -> State | None:
    return next((state for state in records.finished(table, entries) if state.game_number == game), None)


def read_record(text: str, number: int | None = None) -> Imported:
    """Read a record. Raises `Refusal`, with the record's number if there are several."""
    try:
        return Imported.read(text)
    except kd.KingdominoError as error:
        raise bad_record(error, number) from None


def text_file(text: str, name: str) -> PlainTextResponse:
    """Answer with a text file to download."""
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})


async def imported_game(registry: Registry, game: str) -> Imported:
    """Find an imported game. Raises `Refusal`."""
    text = await registry.store.history.record(game) if is_record_id(game) else None
    if text is None:
        raise Refusal("no_game", "there is no such game")
    return await off_loop(Imported.read, text)


def _watched_text(text: str) -> schemas.Watched:
    return _watched(read_record(text), None)


def _watched(record: Imported, kept: Result | None) -> schemas.Watched:
    played = Played.model_validate_json(kept.body) if kept else record.played(record.seats, _now())
    return schemas.Watched(game=played, events=tuple(map(events.read, record.events(played.ended))))


def _verified(text: str) -> schemas.Deal:
    try:
        read = kd.Record.parse(text)
        checked = deal.check(read)
    except kd.KingdominoError as error:
        raise bad_record(error) from None
    dealt, tags = checked.deal, read.tags
    seats = [seat for seat in range(read.rules.players) if kd.bots.record_tag(seat) in tags]
    return schemas.Deal(
        commitment=dealt.commitment,
        deck=dealt.deck,
        opening=dealt.opening,
        proof=checked.proof,
        nonces=checked.nonces,
        withheld=checked.withheld,
        bots={seat: str(dealt.bot_seed(seat)) for seat in seats},
    )


def _now() -> int:
    return time.time_ns() // 1_000_000
