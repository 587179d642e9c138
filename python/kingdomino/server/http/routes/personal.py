"""The route to download everything stored about you."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import AsyncIterator
from typing import Final

from fastapi import APIRouter
from fastapi.responses import JSONResponse, StreamingResponse

from kingdomino.server.http import schemas
from kingdomino.server.http.dependencies import InRegistry, User
from kingdomino.server.http.routes.games import record_texts, unless_damaged
from kingdomino.server.tables.core.registry import Registry
from kingdomino.server.tables.history.played import Played
from kingdomino.server.tables.people.identities import names_of

router = APIRouter(prefix="/api/me", tags=["me"])
_FILE: Final = 'attachment; filename="kingdomino-me.json"'


@router.get("/data", response_class=JSONResponse, response_model=schemas.PersonalData)
async def everything(registry: InRegistry, user: User) -> StreamingResponse:
    """Download everything that the server stores about you, in one file."""
    first = await _about(registry, user)
    headers = {"Content-Disposition": _FILE}
    return StreamingResponse(_written(registry, user, first), media_type="application/json", headers=headers)


async def _about(registry: Registry, user: str) -> schemas.AboutYou:
    store, identities = registry.store, registry.store.identities
    settings = await store.settings(user)
    passkeys = [await identities.passkey(key) for key in await identities.passkeys(user)]
    return schemas.AboutYou(
        id=user,
        name=await store.user(user),
        settings=None if settings is None else schemas.Settings.model_validate_json(settings),
        passkeys=tuple(
            schemas.KnownPasskey(id=key.id, public_key=b64encode(key.public_key).decode(), uses=key.uses)
            for key in passkeys
            if key is not None
        ),
        link_until=await identities.link_until(user),
    )


async def _written(registry: Registry, user: str, first: schemas.AboutYou) -> AsyncIterator[str]:
    """Write the file in parts: a person may have thousands of games."""
    yield first.model_dump_json()[:-1] + ', "tables": ['
    comma = ""
    for table in await registry.store.identities.tables(user):
        if (known := await _table(registry, user, table)) is not None:
            yield f"{comma}{known.model_dump_json()}"
            comma = ",\n"
    yield '], "games": ['
    comma = ""
    for game in await registry.store.history.games(user):
        result = await registry.store.history.result(user, game)
        if result is not None:
            played = Played.model_validate_json(result.body)
            records = tuple(await record_texts(registry, result))
            yield f"{comma}{schemas.OwnGame(game=played, records=records).model_dump_json()}"
            comma = ",\n"
    yield "]}\n"


async def _table(registry: Registry, user: str, table: str) -> schemas.KnownTable | None:
    row = await registry.store.table(table)
    entries = await registry.store.entries(table, secrets=True, kinds=("created", "seated"))
    if row is None or not entries:  # the table was deleted meanwhile
        return None
    names, is_host = set[str](), False
    with unless_damaged(table):
        is_host = _is_host(entries[0].secret, user)
        names = names_of(entries, user)
    return schemas.KnownTable(
        id=table,
        state=row.state,
        updated=row.updated,
        seats=tuple(seat for seat, holder in row.users if holder == user),
        names=tuple(sorted(names)),
        is_host=is_host,
    )


def _is_host(secret: str | None, user: str) -> bool:
    return secret is not None and json.loads(secret).get("host") == user
