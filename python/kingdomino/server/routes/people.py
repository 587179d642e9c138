"""Routes for whoever asks: a name, and the games to go on with.

Imports `door`, `requests`, `wire`.
"""

import json

from fastapi import APIRouter

from kingdomino.server import wire
from kingdomino.server.door import Answer, InHouse, User
from kingdomino.server.house import House
from kingdomino.server.requests import Me
from kingdomino.server.scores import Json
from kingdomino.server.storage import Shelf

router = APIRouter(prefix="/api/me", tags=["me"])
_LISTED = 20
_GOES_ON = ("waiting", "playing", "between")


@router.get("", responses=wire.answers(wire.Person))
async def me(house: InHouse, user: User) -> Answer:
    """Say what you are called, and which of your tables go on."""
    return Answer(await _person(house, user))


@router.put("", responses=wire.answers(wire.Person, "bad_request", "bad_field", "not_json"))
async def rename(house: InHouse, user: User, body: Me) -> Answer:
    """Take a name. Tables where you sit already keep the old one."""
    await house.store.name_user(user, body.name)
    return Answer(await _person(house, user))


async def _person(house: House, user: str) -> Json:
    shelves = await house.store.of_user(user, _LISTED, _GOES_ON)
    tables = [_mine(shelf, user) for shelf in shelves]
    return {"name": await house.store.user(user), "tables": tables}


def _mine(shelf: Shelf, user: str) -> Json:
    summary = json.loads(shelf.summary)
    own = [seat for seat, holder in shelf.users if holder == user]
    return {
        "id": shelf.id,
        "state": shelf.state,
        "names": [seat["name"] for seat in summary["seats"] if seat["seat"] not in own],
        "seat": own[0],
        "round": summary["round"],
        "rounds": summary["rules"]["rounds"],
        "your_turn": summary["turn"] in own,
        "updated": shelf.updated,
    }
