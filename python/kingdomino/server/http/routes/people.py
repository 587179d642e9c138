"""Routes for yourself: your name, your unfinished tables and your settings."""

from typing import Final, get_args

from fastapi import APIRouter

from kingdomino.server.http import schemas
from kingdomino.server.http.dependencies import Answer, InRegistry, User
from kingdomino.server.storage import TableRow
from kingdomino.server.tables.core.registry import Registry
from kingdomino.server.tables.core.snapshot import Summary
from kingdomino.server.tables.core.state import Unfinished

router = APIRouter(prefix="/api/me", tags=["me"])
_LISTED: Final = 20


@router.get("", response_model=schemas.Person)
async def me(registry: InRegistry, user: User) -> Answer:
    """Read your name and your unfinished tables."""
    return Answer(await _person(registry, user))


@router.put("", response_model=schemas.Person)
async def rename(registry: InRegistry, user: User, body: schemas.Me) -> Answer:
    """Set your name. Tables where you have a seat already keep the old one."""
    await registry.store.name_user(user, body.name)
    return Answer(await _person(registry, user))


@router.get("/settings", response_model=schemas.Settings | None)
async def settings(registry: InRegistry, user: User) -> Answer:
    """Read your settings; `null` if you have never changed them."""
    stored = await registry.store.settings(user)
    return Answer(None if stored is None else schemas.Settings.model_validate_json(stored))


@router.put("/settings", response_model=schemas.Settings)
async def change_settings(registry: InRegistry, user: User, body: schemas.Settings) -> Answer:
    """Change your settings on all your devices."""
    await registry.store.set_settings(user, body.model_dump_json())
    return Answer(body)


async def unfinished_tables(registry: Registry, user: str) -> list[tuple[TableRow, list[int]]]:
    """Return a user's unfinished tables, each with the user's seats."""
    rows = await registry.store.of_user(user, _LISTED, get_args(Unfinished))
    seated = [(row, [seat for seat, holder in row.users if holder == user]) for row in rows]
    return [(row, own) for row, own in seated if own]  # the user may leave between the store's two reads


async def _person(registry: Registry, user: str) -> schemas.Person:
    return schemas.Person(
        name=await registry.store.user(user),
        tables=tuple(_my_table(row, own) for row, own in await unfinished_tables(registry, user)),
    )


def _my_table(row: TableRow, own: list[int]) -> schemas.MyTable:
    summary = Summary.of_row(row)
    return schemas.MyTable(
        id=row.id,
        state=summary.state,  # type: ignore[arg-type]  # of an unfinished table
        seats=summary.seats,
        own=tuple(own),
        round=summary.round,
        rounds=summary.rules.rounds,
        your_turn=summary.turn in own,
        updated=row.updated,
    )
